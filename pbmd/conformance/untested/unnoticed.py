"""Changes of the code that none of the author's tests and stories notices, found in a process of its own."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from pbmd.conformance.own_tests import SECONDS, can_be_run, has_tests


class Unnoticed(NamedTuple):
    """In that line of a file what was there could as well be what is there now."""

    file: str
    line: int
    was: str
    now: str


def unnoticed(folder: Path, patience: float, stories: Sequence[Path]) -> list[Unnoticed]:
    """As many as are found in so many seconds of processor time; none where there are no tests, or they cannot be run. Those
    that one of the `stories` notices are not among them: they hold as it is."""
    if not has_tests(folder) or not can_be_run() or not hasattr(os, "fork"):
        return []
    command = [sys.executable, "-B", "-m", "pbmd.cli.unnoticed", str(folder.resolve()), str(patience), *map(str, stories)]
    try:
        done = subprocess.run(  # noqa: S603 – our own interpreter, and tests of whoever runs this
            command, cwd=folder, capture_output=True, text=True, errors="replace", timeout=SECONDS, check=False
        )
        found = json.loads((done.stdout.splitlines() or ["[]"])[-1])
    except (subprocess.TimeoutExpired, ValueError):
        return []
    return [Unnoticed(**each) for each in found]
