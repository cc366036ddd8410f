"""`pbmd diff`: the differences between two archives, turns or positions."""

import json
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer

from pbmd.archive.format.findings import plain
from pbmd.archive.format.packed import is_packed, unpacked
from pbmd.archive.format.seals import NotReadable
from pbmd.archive.replay.diff import differences
from pbmd.cli.common import SETTINGS, WENT_WRONG, examples, fail

app = typer.Typer(**SETTINGS)

_What = "An archive, as a folder or packed, a folder below its data/turns, or a position as TOML."


@app.command("diff", epilog=examples("pbmd diff galaxy-7 galaxy-7b", "pbmd diff galaxy-7/data/turns/003/position.toml my.toml"))
def command(
    first: Annotated[Path, typer.Argument(help=_What, metavar="A")],
    second: Annotated[Path, typer.Argument(help="The same, to compare it with.", metavar="B")],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Say in words what differs between two archives, two turns or two positions.

    Exit code 1 if anything is, as of any program that compares.
    """
    found: list[str] = []
    try:
        with ExitStack() as stack:
            places = [stack.enter_context(unpacked(path)) if is_packed(path) else path for path in (first, second)]
            for words in differences(*places):
                found.append(plain(words).replace("\n", " "))
                if not as_json:
                    print(found[-1])
    except (NotReadable, OSError) as problem:
        fail(plain(str(problem)))
    if as_json:
        print(json.dumps({"differences": found}, ensure_ascii=False, indent=2))
    elif not found:
        print("Nothing is different.")
    if found:
        raise typer.Exit(WENT_WRONG)
