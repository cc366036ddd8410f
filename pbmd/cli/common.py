"""What all commands share: the settings of their typer apps, how they give up, and how they find a ruleset."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

import typer

from pbmd.rules import OptionError, OptionValue, Ruleset, RulesetInfo
from pbmd.rules.options import from_text
from pbmd.rules.registry import from_folder, get

SETTINGS: dict[str, Any] = {
    "add_completion": False,
    "pretty_exceptions_enable": False,  # it would print local variables, and those may be secret
    "rich_markup_mode": "markdown",
    "context_settings": {"help_option_names": ["-h", "--help"]},
}

WENT_WRONG = 1
WRONG_USE = 2
ALREADY_RUNNING = 3
DAMAGED = 4


def fail(message: object, code: int = WRONG_USE) -> NoReturn:
    """Say in one line on standard error what is wrong, and exit with `code`."""
    typer.echo(f"pbmd: {' '.join(str(message).split())}", err=True)
    raise typer.Exit(code)


def examples(*lines: str) -> str:
    """The foot of a command's help: one example a line."""
    return "\n\n".join(("Examples:", *(f"- `{line}`" for line in lines)))


def ruleset_named(name: str) -> Ruleset[Any]:
    """The installed ruleset of that name, or the one in a folder when `name` is a path. Raises `UnknownRuleset`."""
    return from_folder(Path(name)) if "/" in name else get(name)


def typed_options(info: RulesetInfo, typed: Sequence[str]) -> dict[str, OptionValue]:
    """Options of a ruleset as typed (``KEY=VALUE``), those not given left out. Raises `OptionError`."""
    values: dict[str, OptionValue] = {}
    for text in typed:
        key, equals, value = text.partition("=")
        if not equals:
            raise OptionError(f'--option takes KEY=VALUE, not "{text}"')
        values[key] = from_text(info.options[key], value) if key in info.options else value
    return values
