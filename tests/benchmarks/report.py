"""The results as a table: for the terminal, as JSON, and between two marks of docs/benchmarks.md."""

import json
import os
import platform
import sqlite3
import subprocess
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from statistics import median

from rich.table import Column, Table

from tests.benchmarks.measure import Missing, Result

BEGIN, END = "<!-- results: written by `make bench` -->", "<!-- end of results -->"
_HEADINGS = ("row", "what", "pbmd", "yardstick", "measured [least–most]", "goal", "reached")


def table(results: Sequence[Result | Missing]) -> Table:
    """For the terminal."""
    shown = Table(*(Column(name, overflow="fold") for name in _HEADINGS), title="pbmd's benchmarks: medians")
    for result in results:
        shown.add_row(*_cells(result))
    return shown


def as_json(results: Sequence[Result | Missing]) -> str:
    """All values, for programs."""
    content = [
        {**vars(result), "value": result.value, "reached": result.reached, "steady": result.steady}
        if isinstance(result, Result)
        else vars(result)
        for result in results
    ]
    return json.dumps({"machine": machine(), "results": content}, indent=2)


def write(results: Sequence[Result | Missing], file: Path) -> None:
    """Put facts and table between the marks of the file. Raises `ValueError` when they are missing."""
    text = file.read_text(encoding="utf-8")
    if BEGIN not in text or END not in text:
        raise ValueError(f"{file} has no place for results: it needs the two lines {BEGIN} and {END}")
    rows = [_HEADINGS, tuple("---" for _ in _HEADINGS), *(_cells(result) for result in results)]
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    facts = "; ".join(f"{name} {value}" for name, value in machine().items())
    notes = [f"- **{result.row}**: {result.note}" for result in results if isinstance(result, Result) and result.note]
    when = f"Measured {datetime.now(UTC):%Y-%m-%d}: {facts}."
    content = "\n".join([when, "", *lines, "", *notes])
    before, after = text.partition(BEGIN)[0], text.partition(END)[2]
    file.write_text(f"{before}{BEGIN}\n\n{content}\n\n{END}{after}", encoding="utf-8")


def machine() -> dict[str, str]:
    """What the figures depend on, without names and places."""
    return {
        "cores": str(os.cpu_count()),
        "Python": platform.python_version(),
        "SQLite": sqlite3.sqlite_version,
        "SQLAlchemy": _package("SQLAlchemy"),
        "diplomacy": _package("diplomacy"),
        "mbsync": _program("mbsync", "--version"),
        "Dovecot": _program("dovecot", "--version"),
    }


def _package(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "none"


def _program(*command: str) -> str:
    try:
        told = subprocess.run(command, capture_output=True, text=True, check=False, timeout=10).stdout
    except OSError:
        return "none"
    return next((word for word in told.split() if word[:1].isdigit()), "?")


def _cells(result: Result | Missing) -> tuple[str, ...]:
    if isinstance(result, Missing):
        return (result.row, f"not measured: {result.why}", "", "", "", "", "")
    low, high = min(result.values), max(result.values)
    if result.theirs:
        yardstick = f"{result.against}: {_amount(median(result.theirs))} {result.unit}"
        measured = f"{result.value:.2f} × [{low:.2f}–{high:.2f}]"
        goal = f"≤ {result.goal:g} ×"
    else:
        yardstick = result.against
        measured = f"{_amount(result.value)} {result.unit} [{_amount(low)}–{_amount(high)}]"
        goal = f"≤ {result.goal:g} {result.unit}"
    ours = f"{_amount(median(result.ours))} {result.unit}"
    return (result.row, result.what, ours, yardstick, measured, goal, _verdict(result))


def _verdict(result: Result) -> str:
    return ("yes" if result.reached else "NO") + ("" if result.steady else ", but unsteady")


def _amount(value: float) -> str:
    return f"{value:.3g}" if value < 100 else f"{value:.0f}"
