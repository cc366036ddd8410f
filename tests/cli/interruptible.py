"""Commands that go on until Ctrl-C, in a process of their own."""

import os
import signal
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager


@contextmanager
def running(*arguments: str) -> Generator["subprocess.Popen[str]"]:
    """`pbmd` with these arguments, its lines read one by one. It can be interrupted even where the tests themselves run in
    the background, and is gone at the end whatever happens."""
    command = [sys.executable, "-m", "pbmd", *arguments]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment, preexec_fn=_hear_interrupts
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def interrupt(process: "subprocess.Popen[str]") -> int:
    """Press Ctrl-C; gives the exit code."""
    process.send_signal(signal.SIGINT)
    return process.wait(120)


def _hear_interrupts() -> None:
    """As from a terminal: `nohup` has hangups left alone, and a shell has interrupts so for what it runs in the background."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
