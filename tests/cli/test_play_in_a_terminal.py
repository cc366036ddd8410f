"""`pbmd play` in a real terminal, with what is installed for pictures: there libraries look at the streams of the process."""

import fcntl
import os
import pty
import re
import select
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from tests.rules import count

COUNT = str(Path(count.__file__).parent)
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
            if select.select([self.terminal], [], [], 1.0)[0]:
                self.shown += self._read()
        before, _, self.shown = self.shown.partition(text)
        return before + text

    def _read(self) -> str:
        try:
            return os.read(self.terminal, 65536).decode(errors="replace")
        except OSError:  # the program has ended
            pytest.fail(f"it has ended:\n{self.shown}")

    def type(self, line: str) -> None:
        self.press(f"{line}\n")

    def interrupt(self) -> None:
        """Press Ctrl-C, no sooner than somebody could: in the instant before Python's readline listens it would be lost."""
        time.sleep(0.5)
        self.press("\x03")

    def press(self, keys: str) -> None:
        os.write(self.terminal, keys.encode())


def _own_terminal() -> None:
    """Have Ctrl-C come to the program from its terminal, even where the tests run in the background."""
    os.setsid()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    signal.signal(signal.SIGINT, signal.default_int_handler)


@contextmanager
def terminal(*arguments: str, kind: str = "xterm-256color") -> Generator[tuple[Screen, subprocess.Popen[bytes]]]:
    """A command of pbmd in a terminal of its own."""
    here, there = pty.openpty()
    environment = os.environ | {"TERM": kind, "COLUMNS": "80", "LINES": "24"}
    command = [sys.executable, "-m", "pbmd", *arguments]
    process = subprocess.Popen(
        command, stdin=there, stdout=there, stderr=there, env=environment, close_fds=True, preexec_fn=_own_terminal
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
        screen.until("...")
        screen.type("")
        answer = screen.until("Altair>")
        assert "Build 1 Laserfrigate" in answer
        assert _COLOUR.sub("", answer).split("─", 1)[0].endswith("\n"), "an empty line sends, and leaves the prompt alone"
        screen.type("resolve")
        assert "ORDER FORM" in screen.until("Altair>")
        screen.type("quit")
        assert process.wait(PATIENCE_SECONDS) == 0


def test_ctrl_c_drops_what_is_written_and_ends_the_game_only_where_that_is_nothing() -> None:
    with terminal("play", COUNT, "--players", "2") as (screen, process):
        screen.until("Altair>")
        screen.type("Add 3")
        screen.until("...")
        screen.press("Add 4")
        screen.until("Add 4")
        screen.interrupt()
        screen.until("The line is dropped; the letter goes on.")
        screen.until("...")
        screen.interrupt()
        screen.until("The letter is dropped.")
        screen.until("Altair>")
        screen.interrupt()
        screen.until('Ctrl-C once more ends the game; so does "quit".')
        screen.type("reveal")
        screen.until("No orders are in.")
        screen.until("Altair>")
        screen.interrupt()
        screen.until("Ctrl-C once more")
        screen.until("Altair>")
        screen.interrupt()
        assert process.wait(PATIENCE_SECONDS) == 0


def test_a_terminal_that_knows_no_escape_sequences_gets_none() -> None:
    with terminal("play", COUNT, "--players", "2", kind="dumb") as (screen, process):
        assert "\x1b" not in screen.until("Altair>")
        screen.type("help")
        assert "\x1b" not in screen.until("Altair>")
        screen.type("quit")
        assert process.wait(PATIENCE_SECONDS) == 0


def test_the_menu_says_what_it_takes_and_lets_one_leave() -> None:
    with terminal("play") as (screen, process):
        for said, told in [("", ""), ("xyz", "There is no such game."), ("s", "This may be")]:
            screen.until("Which? ")
            screen.type(said)
            assert told in screen.until("q leaves.")
        screen.until("Which? ")
        screen.type("quit")
        assert process.wait(PATIENCE_SECONDS) == 0
    with terminal("play") as (screen, _):
        screen.until("Which? ")
        screen.type("galactic")
        screen.until("Altair>")
