"""How long a player waits: from the letter accepted by LMTP to its acknowledgement accepted by SMTP, with IDLE.

Dovecot holds back every notification by half a second of its own. How long, is measured in the same run: another mailbox
gets a letter at the same time, and a bare client that does nothing but IDLE waits for it.
"""

import asyncio
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from email import message_from_bytes
from pathlib import Path
from queue import Empty, Queue
from statistics import median, quantiles
from threading import Thread
from typing import Any

from imapclient import IMAPClient

from tests.benchmarks.estate import ROOT, Mailbox, child, dovecot, scratch, start_games, write_settings
from tests.benchmarks.letters import letters
from tests.benchmarks.measure import Result
from tests.benchmarks.sink import running_sink
from tests.mailservers import PASSWORD, Dovecot

LETTERS = 60
"""For each repeat."""
WARM = 5
PATIENCE_SECONDS = 60


def measure(repeats: int) -> list[Result]:
    """What is above Dovecot's own delay: of the median, and of the slowest in a hundred."""
    with scratch() as folder, dovecot() as server:
        ours, theirs = _delays(folder, server, LETTERS * repeats)
    ours, theirs = ours[WARM:], theirs[WARM:]
    note = f"{len(ours)} letters one by one; Dovecot alone: {median(theirs):.0f} ms, {_slowest(theirs):.0f} ms one in a hundred"
    what = "LMTP's 250 to the acknowledgement's 250, above Dovecot's own delay"
    against = "an amount, less what an idling client waits"
    return [
        Result("latency", what, against, "ms", 20, tuple(value - median(theirs) for value in ours), note=note),
        Result("latency p99", what, against, "ms", 100, (_slowest(ours) - _slowest(theirs),), note=note),
    ]


@dataclass
class Answers:
    """Takes the acknowledgements and notes when each was accepted, by the Message-ID that it answers."""

    accepted: "Queue[tuple[str, float]]" = field(default_factory=Queue[tuple[str, float]])

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:  # noqa: N802 - aiosmtpd's name
        """Accept whatever comes."""
        await asyncio.sleep(0)
        answered = message_from_bytes(envelope.content)["In-Reply-To"] or ""
        self.accepted.put((answered, time.perf_counter()))
        return "250 OK"

    def wait_for(self, message_id: str) -> float:
        """When the answer to that letter was accepted. Raises `RuntimeError` if it does not come."""
        ends = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < ends:
            try:
                answered, at = self.accepted.get(timeout=1)
            except Empty:
                continue
            if answered == message_id:
                return at
        raise RuntimeError(f"no answer to {message_id} within {PATIENCE_SECONDS} s")


def _delays(folder: Path, server: Dovecot, count: int) -> tuple[list[float], list[float]]:
    """In ms, a value a letter: until pbmd's answer was accepted, and until a client in IDLE was told of its own letter."""
    answers = Answers()
    with running_sink(answers) as port:
        mailbox, bystander = Mailbox(server, server.new_user()), server.new_user()
        settings = write_settings(folder, server.imap_port, mailbox.user, port)
        written = list(letters(start_games(settings, 2), count, seed=6))
        server.deliver(bystander, written[0])  # makes the mailbox
        told: Queue[float] = Queue()
        client = IMAPClient("127.0.0.1", server.imap_port, ssl=False, timeout=PATIENCE_SECONDS)
        client.login(bystander, PASSWORD)
        client.select_folder("INBOX")
        Thread(target=_idle, args=(client, told, count), daemon=True).start()
        with (folder / "daemon.err").open("wb") as errors:
            daemon = subprocess.Popen(child("daemon", settings), cwd=ROOT, stderr=errors)
        try:
            time.sleep(4)
            return _one_by_one(server, (mailbox.user, bystander), written, answers, told)
        finally:
            daemon.kill()
            daemon.wait()


def _one_by_one(
    server: Dovecot, users: tuple[str, str], written: Sequence[bytes], answers: Answers, told: "Queue[float]"
) -> tuple[list[float], list[float]]:
    ours: list[float] = []
    theirs: list[float] = []
    for letter in written:
        server.deliver(users[0], letter)
        accepted = time.perf_counter()
        server.deliver(users[1], letter)
        accepted_too = time.perf_counter()
        theirs.append(1000 * (told.get(timeout=PATIENCE_SECONDS) - accepted_too))
        ours.append(1000 * (answers.wait_for(message_from_bytes(letter)["Message-ID"]) - accepted))
        time.sleep(0.2)
    return ours, theirs


def _idle(client: IMAPClient, told: "Queue[float]", count: int) -> None:
    """Put down when each new letter was told of. As a client must that looks at the letter, it ends IDLE and begins it anew."""
    for _ in range(count):
        client.idle()
        while not any(b"EXISTS" in event for event in client.idle_check(PATIENCE_SECONDS)):
            continue
        told.put(time.perf_counter())
        client.idle_done()


def _slowest(values: Sequence[float]) -> float:
    return quantiles(values, n=100, method="inclusive")[98]
