"""What all commands have in common: the settings of their typer apps, and how they fail. It knows no rulesets, which take time
to load (`pbmd.cli.rulesets`)."""

import gc
import os
import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

SETTINGS: dict[str, Any] = {
    "add_completion": False,
    "pretty_exceptions_enable": False,  # it would print local variables, and those may be secret
    "rich_markup_mode": "markdown",
    "context_settings": {"help_option_names": ["-h", "--help"]},
}

PositionRules = Annotated[
    str | None,
    typer.Option("--ruleset", help="The ruleset, or the path of its folder; else that of the position.", metavar="RULESET"),
]

ASKED = "_PBMD_COMPLETE"
"""The environment variable by which a shell asks for completions."""
TRACE = "PBMD_TRACE"
"""The environment variable that brings whole tracebacks back, for authors of rulesets."""

WENT_WRONG = 1
WRONG_USE = 2
ALREADY_RUNNING = 3
DAMAGED = 4


class FileProblem(ValueError):
    """A file that cannot be used. The message names the file, the place and the error."""

    def __init__(self, path: Path, place: str, problem: str) -> None:
        super().__init__(": ".join(part for part in (str(path), place, problem) if part))


class Problems(ValueError):
    """Several errors at once, each in a line of its own."""

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__("; ".join(problems))
        self.problems = tuple(problems)


def fail(message: object, code: int = WRONG_USE) -> NoReturn:
    """Say in one line on standard error what is wrong, or in a line for each of several `Problems`, and exit with `code`. If
    tracebacks are wanted, that of the cause is shown."""
    if isinstance(message, BaseException) and message.__cause__ and os.environ.get(TRACE):
        raise message
    from pbmd.rules.words import with_single_marks  # the list of commands needs no rulesets

    for problem in message.problems if isinstance(message, Problems) else (message,):
        typer.echo(f"pbmd: {with_single_marks(' '.join(str(problem).split()))}", err=True)
    raise typer.Exit(code)


@contextmanager
def loading() -> Generator[None]:
    """Load within this what a command does its work with, and its help needs nothing of. What is loaded stays: a third of a
    command's time would go into looking for garbage there."""
    before = len(sys.modules)
    gc.disable()
    try:
        yield
    finally:
        if len(sys.modules) > before:
            gc.freeze()
        gc.enable()


def examples(*lines: str) -> str:
    """The foot of a command's help: one example a line."""
    return "\n\n".join(("Examples:", *(f"- `{line}`" for line in lines)))


def is_path(name: str) -> bool:
    """Whether what was typed for a ruleset is the path of its folder: names have no slash."""
    return "/" in name or name in (".", "..")


def time_as_json(value: Any) -> str:
    """A time for `json.dumps`, which knows none, as in RFC 3339."""
    assert isinstance(value, datetime)
    return value.isoformat().replace("+00:00", "Z")
