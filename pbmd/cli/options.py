"""Arguments and options that many commands have. It loads nothing: help and completion need no more than these."""

from pathlib import Path
from typing import Annotated

import typer

SettingsFile = Annotated[Path, typer.Option("--settings", envvar="PBMD_SETTINGS", help="The settings.", metavar="FILE")]
RulesetSettings = Annotated[
    Path | None,
    typer.Option(
        "--settings",
        envvar="PBMD_SETTINGS",
        help="The settings whose rulesets are found, too; else pbmd.toml, if it is there.",
        metavar="FILE",
    ),
]
GameName = Annotated[str, typer.Argument(help="The name of the game.", metavar="GAME")]
Verbose = Annotated[bool, typer.Option("--verbose", "-v", help="Tell more on standard error.")]
DEFAULT_SETTINGS = Path("pbmd.toml")
