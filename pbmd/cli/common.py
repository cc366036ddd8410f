"""What all commands share: the settings of their typer apps, how they give up, and how they find a ruleset."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

from pbmd.rules import OptionError, OptionValue, Ruleset, RulesetInfo
from pbmd.rules.options import from_text
from pbmd.rules.registry import UnknownRuleset, UnusableRuleset, from_folder, get, is_folder_of_ruleset
from pbmd.rules.troubles import PlaceInFile, WrongReturnError, in_a_line, place_in_files

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


def fail(message: object, code: int = WRONG_USE) -> NoReturn:
    """Say in one line on standard error what is wrong, and exit with `code`. Who wants traces gets that of what caused it."""
    if isinstance(message, BaseException) and message.__cause__ and os.environ.get(TRACE):
        raise message
    typer.echo(f"pbmd: {' '.join(str(message).split())}", err=True)
    raise typer.Exit(code)


def examples(*lines: str) -> str:
    """The foot of a command's help: one example a line."""
    return "\n\n".join(("Examples:", *(f"- `{line}`" for line in lines)))


def author_told(problem: Exception) -> str:
    """What went wrong in the files of a ruleset, for its author: where, and what, in two lines. Empty if it was not there."""
    if os.environ.get(TRACE):
        return ""
    if (missing := getattr(problem, "templates", ())) and missing[0].startswith("reports/"):  # jinja2.TemplateNotFound
        return f"pbmd: the ruleset has no template {missing[0]}; it belongs into its folder templates"
    place = place_in_files(problem)
    if place is None:
        return ""
    told = f"pbmd: {shown_place(place)}: {in_a_line(problem)}"
    if isinstance(problem, WrongReturnError):
        return told  # no trace leads to it
    return f"{told}\n  {TRACE}=1 in the environment shows the whole trace."


def shown_place(place: PlaceInFile) -> str:
    """A place in the files of a ruleset: ``count/resolve.py, line 12, in resolve``."""
    path = Path(place.file)
    shown = path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path
    return f"{shown}{f', line {place.line}' if place.line else ''}{f', in {place.within}' if place.within else ''}"


def ruleset_named(name: str) -> Ruleset[Any]:
    """The installed ruleset of a name that was typed, or the one in a folder when `name` is a path. Raises `UnknownRuleset`,
    or what a ruleset that cannot be read has raised, if that is wanted."""
    try:
        return from_folder(Path(name)) if is_path(name) else found_by_name(name, get)
    except UnusableRuleset as problem:
        if os.environ.get(TRACE) and problem.__cause__ is not None:
            raise problem.__cause__ from None
        raise


def found_by_name(name: str, find: Callable[[str], Ruleset[Any]]) -> Ruleset[Any]:
    """The ruleset that is found by a name that was typed. Raises `UnknownRuleset`, also with the path of a folder that may have
    been meant: only where a user typed it is a name looked for among the files."""
    try:
        return find(name)
    except UnusableRuleset:
        raise
    except UnknownRuleset as problem:
        if is_folder_of_ruleset(Path(name)):
            raise UnknownRuleset(f'there is no ruleset "{name}". The folder of that name is ./{name}') from None
        raise problem from None


def is_path(name: str) -> bool:
    """Whether what is typed for a ruleset is the path of its folder: names have no slash."""
    return "/" in name or name in (".", "..")


def typed_options(info: RulesetInfo, typed: Sequence[str]) -> dict[str, OptionValue]:
    """Options of a ruleset as typed (``KEY=VALUE``), those not given left out. Raises `OptionError`."""
    values: dict[str, OptionValue] = {}
    for text in typed:
        key, equals, value = text.partition("=")
        if not equals:
            raise OptionError(f'--option takes KEY=VALUE, not "{text}"')
        values[key] = from_text(info.options[key], value) if key in info.options else value
    return values
