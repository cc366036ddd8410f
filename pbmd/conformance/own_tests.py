"""The tests that an author has written, in the folder of the ruleset: they are run as pytest would run them there."""

import importlib.util
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from pbmd.conformance.findings import Finding
from pbmd.conformance.rule_ids import TESTS
from pbmd.rules.troubles import PlaceInFile

SECONDS = 120.0
"""Tests that take longer are stopped."""
_NOTHING_WRONG = (0, 5)
"""What pytest ends with when all tests have passed, and when there are none."""
_OUTCOMES = ("FAILED ", "ERROR ")
_LONGEST = 200


def has_tests(folder: Path) -> bool:
    """Whether an author has written any."""
    return any((folder / TESTS).rglob("*.py"))


def can_be_run() -> bool:
    """Whether pytest is installed."""
    return importlib.util.find_spec("pytest") is not None


def failed_tests(folder: Path, seconds: float = SECONDS) -> Iterator[Finding]:
    """Each test that fails in a process of its own, with its file."""
    command = [sys.executable, "-B", "-m", "pytest", "-q", "-rfE", "-p", "no:cacheprovider", "--rootdir", str(folder), TESTS]
    try:
        done = subprocess.run(  # noqa: S603 – our own interpreter, and tests of whoever runs this
            command, cwd=folder, capture_output=True, text=True, errors="replace", timeout=seconds, check=False
        )
    except subprocess.TimeoutExpired:
        yield _finding(folder, TESTS, f"the tests were stopped after {seconds:g} seconds")
        return
    if done.returncode in _NOTHING_WRONG:
        return
    lines = [line for line in done.stdout.splitlines() if line.startswith(_OUTCOMES)]
    for line in lines:
        test, _, why = line.partition(" ")[2].partition(" - ")
        file, _, name = test.partition("::")
        yield _finding(folder, file, f"{name or file} fails{f': {why}' if why else ''}")
    if not lines:
        yield _finding(folder, TESTS, f"pytest cannot run the tests: {(done.stderr or done.stdout).strip()[-_LONGEST:]}")


def _finding(folder: Path, file: str, words: str) -> Finding:
    return Finding("code.tests", words[:_LONGEST], PlaceInFile(str(folder / file), 0), "")
