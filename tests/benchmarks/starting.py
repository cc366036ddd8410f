"""What small commands cost by the processor's time, nearly all of it for what they load, against what loads there at least."""

import subprocess
import sys

from tests.benchmarks.estate import ROOT, scratch, start_games, write_settings
from tests.benchmarks.measure import Result, children_cpu_seconds, columns, in_turn

_OFTEN = 3
"""Pairs for each repeat: each takes less than a second."""

_AS_A_SHELL = """
import os, sys
from pbmd.cli import main
sys.argv[:] = ["pbmd"]
os.environ |= {"_PBMD_COMPLETE": "complete_bash", "COMP_WORDS": "pbmd log --js", "COMP_CWORD": "2"}
main()
"""


def measure(repeats: int) -> list[Result]:
    """``pbmd --help``, that of a command with many options, a word completed, and ``pbmd status`` of a running game."""
    with scratch() as folder:
        settings = write_settings(folder, 143, "games")
        start_games(settings, 1)
        help_ = _against(repeats, ("-m", "pbmd", "--help"), "import typer, rich")
        help_new = _against(repeats, ("-m", "pbmd", "new", "--help"), "import typer, rich")
        completed = _against(repeats, ("-c", _AS_A_SHELL), "import typer, rich")
        status = _against(repeats, ("-m", "pbmd", "status", "--settings", str(settings)), "import typer, rich, sqlmodel")
    return [
        Result("help", "pbmd --help", "Python loads typer and rich", "ms", 4, *help_),
        Result("help new", "pbmd new --help", "Python loads typer and rich", "ms", 4, *help_new),
        Result("completion", "a shell completes an option", "Python loads typer and rich", "ms", 2, *completed),
        Result("status", "pbmd status with a running game", "Python loads typer, rich and SQLModel", "ms", 1.5, *status),
    ]


def _against(repeats: int, command: tuple[str, ...], yardstick: str) -> tuple[tuple[float, ...], ...]:
    for each in (command, ("-c", yardstick)):
        _cpu_seconds(*each)  # what is compiled is kept from then on
    pairs = list(in_turn(repeats * _OFTEN, lambda: _cpu_seconds(*command), lambda: _cpu_seconds("-c", yardstick)))
    return columns(pairs, 1000)


def _cpu_seconds(*arguments: str) -> float:
    command = [sys.executable, *arguments]
    return children_cpu_seconds(lambda: subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL, check=True))
