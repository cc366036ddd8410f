"""`pbmd init`: a settings file to start from."""

import os
from pathlib import Path
from typing import Annotated

import typer

from pbmd.cli.common import SETTINGS, examples, fail
from pbmd.resources import folder

app = typer.Typer(**SETTINGS)


@app.command("init", epilog=examples("pbmd init galaxy", "pbmd init ."))
def command(directory: Annotated[Path, typer.Argument(help="The folder; it is made if need be.", metavar="DIR")]) -> None:
    """Write a commented pbmd.toml to start from. A file that is there already is left alone."""
    file = directory / "pbmd.toml"
    try:
        directory.mkdir(parents=True, exist_ok=True)
        # Only its owner may read it, since a password may be written into it.
        with open(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
            out.write((folder("deploy") / "pbmd.toml").read_bytes())
    except FileExistsError as problem:
        fail(f"{problem.filename} is there already and was left as it is; rename it to begin anew")
    except OSError as problem:
        fail(f"{file}: {problem.strerror or problem}")
    print(f"""\
{file} is written. What to do next:

  1. Edit it: the address, the game master, [imap] and [smtp]. Put the passwords where it says,
     in files that only you can read.
  2. cd {directory}
  3. pbmd check    says what does not work yet, and how to mend it
  4. pbmd rules    shows the games that there are
  5. pbmd new galaxy-7 --ruleset galactic_overlord    opens a game for sign-up by mail
  6. pbmd run      reads mail, answers and resolves turns, until you stop it""")
