"""`pbmd play` in a real terminal, with what is installed for pictures: there libraries look at the streams of the process."""

import os
import pty
import re
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress

import pytest

PATIENCE_SECONDS = 300.0
_COLOUR = re.compile(r"\x1b\[[\d;?]*[a-zA-Z]")


class Screen:
    """What a terminal shows, and its keyboard."""

    def __init__(self, terminal: int) -> None:
        self.terminal = terminal
        self.shown = ""

    def until(self, text: str) -> str:
        """Wait until it shows that; gives what it has shown since the last time."""
        ends = time.monotonic() + PATIENCE_SECONDS
        while text not in self.shown:
            assert time.monotonic() < ends, f"no {text!r} in\n{self.shown}"
            self.shown += self._read()
        before, _, self.shown = self.shown.partition(text)
        return before + text

    def _read(self) -> str:
        try:
            return os.read(self.terminal, 65536).decode(errors="replace")
        except OSError:  # the program has ended
            pytest.fail(f"it has ended:\n{self.shown}")

    def type(self, line: str) -> None:
        os.write(self.terminal, f"{line}\n".encode())


@contextmanager
def terminal(*arguments: str) -> Generator[tuple[Screen, subprocess.Popen[bytes]]]:
    """A command of pbmd in a terminal of its own."""
    here, there = pty.openpty()
    environment = os.environ | {"TERM": "xterm-256color", "COLUMNS": "80", "LINES": "24"}
    process = subprocess.Popen(
        [sys.executable, "-m", "pbmd", *arguments], stdin=there, stdout=there, stderr=there, env=environment, close_fds=True
    )
    os.close(there)
    try:
        yield Screen(here), process
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        process.wait()
        os.close(here)


def test_a_turn_is_played_and_each_line_of_the_answer_begins_at_the_left() -> None:
    with terminal("play", "galactic_overlord", "--seat", "Altair") as (screen, process):
        screen.until("Altair>")
        screen.type("Build 1 Laserfrigate")
        screen.until("Altair>")
        screen.type("")
        answer = screen.until("Altair>")
        assert "Build 1 Laserfrigate" in answer
        assert _COLOUR.sub("", answer).split("─", 1)[0].endswith("\n"), "an empty line sends, and leaves the prompt alone"
        screen.type("resolve")
        assert "ORDER FORM" in screen.until("Altair>")
        screen.type("quit")
        assert process.wait(PATIENCE_SECONDS) == 0
