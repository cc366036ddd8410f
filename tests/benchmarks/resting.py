"""What the daemon asks of the system when it has nothing to do, counted over quiet minutes with a real mail server."""

import shutil
import subprocess
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.benchmarks.estate import ROOT, Mailbox, child, dovecot, scratch, start_games, write_settings
from tests.benchmarks.measure import NotMeasured, Result
from tests.mailservers import Dovecot

MOST_A_MINUTE = 300
"""System calls."""
GAMES = 10
SETTLED_SECONDS = 150
"""Once the first backup, the daily check and the first pages are over."""


@dataclass(frozen=True, slots=True)
class Use:
    """What a process has used: calls that wait, read or write, and the bytes that it gave to files and sockets."""

    calls: int
    written: int

    def __sub__(self, before: "Use") -> "Use":
        return Use(self.calls - before.calls, self.written - before.written)


def used(process: int) -> Use:
    """What a process has used so far, as the system counts it for everybody."""
    told = dict(line.split(": ") for line in Path(f"/proc/{process}/io").read_text().splitlines())
    waits = 0
    for status in Path(f"/proc/{process}/task").glob("*/status"):
        waits += sum(int(line.split()[1]) for line in status.read_text().splitlines() if line.startswith("voluntary_"))
    return Use(waits + int(told["syscr"]) + int(told["syscw"]), int(told["write_bytes"]))


def measure(repeats: int) -> list[Result]:
    """System calls and bytes written in a quiet minute: the median of some, since the pages are looked at every five."""
    if shutil.which("strace") is None:
        raise NotMeasured("strace is not installed: apt-get install strace")
    with scratch() as folder, dovecot() as server, _resting(folder, server) as process:
        time.sleep(SETTLED_SECONDS)
        minutes = [_minute(folder, process) for _ in range(repeats)]
    note = f"{GAMES} games, none of them due, one mailbox with IDLE"
    what = "a quiet minute of the daemon"
    calls, written = zip(*minutes, strict=True)
    return [
        Result("rest calls", what, "an amount of system calls (strace)", "calls", MOST_A_MINUTE, calls, note=note),
        Result("rest bytes", what, "an amount that is written to the disk", "kB", 0, written, note=note),
    ]


@contextmanager
def _resting(folder: Path, server: Dovecot) -> Generator[int]:
    mailbox = Mailbox(server, server.new_user())
    mailbox.fill([], time.time())
    settings = write_settings(folder, server.imap_port, mailbox.user)
    start_games(settings, GAMES)
    with (folder / "daemon.err").open("wb") as errors:
        daemon = subprocess.Popen(child("daemon", settings), cwd=ROOT, stderr=errors)
    try:
        yield daemon.pid
    finally:
        daemon.terminate()
        daemon.wait()


def _minute(folder: Path, process: int) -> tuple[float, float]:
    counted, before = folder / "calls", used(process)
    command = ["strace", "-c", "-f", "-q", "-p", str(process), "-o", str(counted)]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as trace:
        time.sleep(60)
        trace.send_signal(2)  # it writes its table then
    total = next((line.split() for line in counted.read_text().splitlines() if line.endswith(" total")), None)
    if total is None:
        raise NotMeasured("strace may not look at other processes here")
    return float(total[3]), (used(process) - before).written / 1000
