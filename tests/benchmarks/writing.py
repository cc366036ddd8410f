"""What the daemon writes for a letter with orders that comes by itself: bytes, and waits for the disk, as the system counts."""

import re
import shutil
import subprocess
import time
from collections.abc import Sequence
from email import message_from_bytes
from pathlib import Path

from pbmd.desk.publish.dashboard import PAUSE_SECONDS
from tests.benchmarks.estate import ROOT, Mailbox, child, dovecot, scratch, start_games, write_settings
from tests.benchmarks.latency import Answers
from tests.benchmarks.letters import letters
from tests.benchmarks.measure import NotMeasured, Result
from tests.benchmarks.resting import SETTLED_SECONDS, used
from tests.benchmarks.sink import running_sink
from tests.mailservers import Dovecot

GAMES, WARM, LETTERS = 10, 10, 12
APART_SECONDS = PAUSE_SECONDS + 1
"""So that the pages are written for each, as for letters that come by themselves."""
_TIDIED_SECONDS = 300.0
_SYNC = re.compile(r" (fdatasync|fsync)\(")


def measure(repeats: int) -> list[Result]:
    """Bytes a letter, the pages included, and syncs a letter; one run counts many letters."""
    del repeats
    if shutil.which("strace") is None:
        raise NotMeasured("strace is not installed: apt-get install strace")
    with scratch() as folder, dovecot() as server:
        written, syncs = _counted(folder, server)
    note = f"{LETTERS} letters, {APART_SECONDS:.0f} s apart, {GAMES} games of six; the pages of the game master included"
    what = "a letter with orders, until its answer has gone out"
    return [
        Result("letter bytes", what, "an amount that is written to the disk", "kB", 90, (written,), note=note),
        Result("letter syncs", what, "an amount of fdatasync and fsync", "syncs", 2, (syncs,), note=note),
    ]


def _counted(folder: Path, server: Dovecot) -> tuple[float, float]:
    answers = Answers()
    with running_sink(answers) as port:
        mailbox = Mailbox(server, server.new_user())
        settings = write_settings(folder, server.imap_port, mailbox.user, port)
        written = list(letters(start_games(settings, GAMES), WARM + 2 * LETTERS, seed=6))
        with (folder / "daemon.err").open("wb") as errors:
            daemon = subprocess.Popen(child("daemon", settings), cwd=ROOT, stderr=errors)
        try:
            _exchange(server, mailbox.user, written[:WARM], answers, 0)
            _wait_for_tidying(folder / "data" / "dashboard.log")
            time.sleep(SETTLED_SECONDS)
            before = used(daemon.pid)
            _exchange(server, mailbox.user, written[WARM : WARM + LETTERS], answers, APART_SECONDS)
            cost = (used(daemon.pid) - before).written / LETTERS / 1000
            trace = folder / "syncs"
            command = ["strace", "-f", "-q", "-e", "trace=fdatasync,fsync", "-p", str(daemon.pid), "-o", str(trace)]
            with subprocess.Popen(command, stderr=subprocess.DEVNULL) as tracer:
                time.sleep(1)
                _exchange(server, mailbox.user, written[WARM + LETTERS :], answers, APART_SECONDS)
                tracer.send_signal(2)
            return cost, len(_SYNC.findall(trace.read_text())) / LETTERS
        finally:
            daemon.kill()
            daemon.wait()


def _wait_for_tidying(log: Path) -> None:
    """A minute after its start the daemon tidies up for the first time, which is none of a letter's writing."""
    latest = time.monotonic() + _TIDIED_SECONDS
    while " tidied " not in log.read_text(encoding="utf-8"):
        if time.monotonic() > latest:
            raise NotMeasured("the daemon has not tidied up")
        time.sleep(1)


def _exchange(server: Dovecot, user: str, written: Sequence[bytes], answers: Answers, apart: float) -> None:
    """Deliver letters one by one, and wait for the answer to each."""
    for letter in written:
        server.deliver(user, letter)
        answers.wait_for(message_from_bytes(letter)["Message-ID"])
        time.sleep(apart)
