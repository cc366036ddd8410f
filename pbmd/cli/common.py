"""What all commands share: the settings of their typer apps, and how they give up."""

from typing import Any, NoReturn

import typer

SETTINGS: dict[str, Any] = {
    "add_completion": False,
    "pretty_exceptions_enable": False,  # it would print local variables, and those may be secret
    "rich_markup_mode": "markdown",
    "context_settings": {"help_option_names": ["-h", "--help"]},
}

WRONG_USE = 2


def fail(message: object, code: int = WRONG_USE) -> NoReturn:
    """Say in one line on standard error what is wrong, and exit with `code`."""
    typer.echo(f"pbmd: {' '.join(str(message).split())}", err=True)
    raise typer.Exit(code)


def examples(*lines: str) -> str:
    """The foot of a command's help: one example a line."""
    return "\n\n".join(("Examples:", *(f"- `{line}`" for line in lines)))
