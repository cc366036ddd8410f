"""Resident memory of the daemon, in a process of its own, with real mailbox and mail server, after many letters."""

import asyncio
import subprocess
import time
from pathlib import Path
from typing import Any

from tests.benchmarks.estate import ROOT, Mailbox, child, dovecot, numbers, scratch, start_games, write_settings
from tests.benchmarks.letters import letters
from tests.benchmarks.measure import NotMeasured, Result
from tests.benchmarks.sink import running_sink
from tests.mailservers import Dovecot

FIRST, ALL = 2_000, 10_000
GAMES = 50
PATIENCE_SECONDS = 300
_OPEN = (
    "SELECT count(*) FROM letter WHERE state = 'done'",
    "SELECT count(*) FROM outbox WHERE kind = 'acknowledgement' AND state = 'sent'",
)


class _Sink:
    """The world's mail servers: takes every mail and forgets it."""

    async def handle_DATA(self, _server: Any, _session: Any, _envelope: Any) -> str:  # noqa: N802 - aiosmtpd's name
        """Accept whatever comes."""
        await asyncio.sleep(0)
        return "250 OK"


def measure(repeats: int) -> list[Result]:
    """The memory once all letters are answered and all answers are sent. One run is enough: memory is not noisy."""
    del repeats
    if not Path("/proc/self/status").exists():
        raise NotMeasured("there is no /proc here")
    with scratch() as folder, dovecot() as server:
        after_first, after_all = _watched(folder, server)
    note = f"IMAP and SMTP included; {GAMES} games of 6 players; every letter answered and every answer sent"
    what = f"the daemon after {ALL:,} letters"
    return [
        Result("memory", what, "an amount (VmRSS)", "MB", 150, (after_all,), note=note),
        Result("memory growth", what, f"after {FIRST:,}", "MB", 1.1, (after_all,), (after_first,), note=note),
    ]


def _watched(folder: Path, server: Dovecot) -> tuple[float, float]:
    with running_sink(_Sink()) as port:
        mailbox = Mailbox(server, server.new_user())
        settings = write_settings(folder, server.imap_port, mailbox.user, port)
        all_letters = list(letters(start_games(settings, GAMES), ALL, seed=4))
        first_arrival = time.time() + 1
        with (folder / "daemon.err").open("wb") as errors:
            daemon = subprocess.Popen(child("daemon", settings), cwd=ROOT, stderr=errors)
        try:
            mailbox.fill(all_letters[:FIRST], first_arrival)
            after_first = _memory_when_done(settings, daemon, FIRST)
            mailbox.fill(all_letters[FIRST:], first_arrival)
            after_all = _memory_when_done(settings, daemon, ALL)
        finally:
            daemon.kill()
            daemon.wait()
    return after_first, after_all


def _memory_when_done(settings: Path, daemon: "subprocess.Popen[bytes]", count: int) -> float:
    """Wait until so many letters are done and answered, and give the daemon's resident memory in MB (10⁶ bytes)."""
    ends = time.monotonic() + PATIENCE_SECONDS
    while (found := numbers(settings, *_OPEN)) != (count, count):
        if daemon.poll() is not None or time.monotonic() > ends:
            raise RuntimeError(f"letters done, answers sent: {found} of {count}; daemon's code: {daemon.poll()}")
        time.sleep(0.5)
    status = Path(f"/proc/{daemon.pid}/status").read_text()
    kibibytes = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS:"))
    return kibibytes * 1024 / 1e6
