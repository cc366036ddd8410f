"""`pbmd completion`: a script that makes a shell complete commands and options."""

import os
from enum import StrEnum
from typing import Annotated

import typer
from typer.completion import completion_init  # pyright: ignore[reportPrivateImportUsage]

from pbmd.cli.common import ASKED, SETTINGS, examples

app = typer.Typer(**SETTINGS)


class Shell(StrEnum):
    """Shells for which there is a script."""

    BASH = "bash"
    ZSH = "zsh"
    FISH = "fish"


@app.command(
    "completion",
    epilog=examples(
        "pbmd completion bash > ~/.local/share/bash-completion/completions/pbmd",
        "pbmd completion zsh > ~/.zfunc/_pbmd",
        "pbmd completion fish > ~/.config/fish/completions/pbmd.fish",
    ),
)
def command(
    shell: Annotated[Shell, typer.Argument(help="The shell that is to complete.", metavar="bash|zsh|fish")],
) -> None:
    """Print what makes a shell complete commands and options when TAB is pressed.

    Put it where your shell looks for such scripts, and open a new one. It asks pbmd itself, so it need not be made anew with a
    later version.
    """
    from pbmd.cli import app as whole

    os.environ[ASKED] = f"source_{shell}"
    completion_init()
    whole(prog_name="pbmd")
