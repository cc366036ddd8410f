"""`pbmd new-ruleset`: the folder of a game that can be played at once, as the start of another one."""

import importlib.util
import keyword
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal

import typer

from pbmd.cli.common import SETTINGS, examples, fail
from pbmd.resources import folder
from pbmd.rules.registry import slugs

app = typer.Typer(**SETTINGS)

Kind = Literal["simultaneous", "sequential", "phased"]
_NAME = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)*")
_LONGEST = 40
_TAKEN = sys.stdlib_module_names | {"pbmd", "rulesets", "test", "tests"}
"""Names that a package must not have, whatever is installed here: it may be installed elsewhere."""


@app.command(
    "new-ruleset",
    epilog=examples("pbmd new-ruleset gold", "pbmd new-ruleset star_race --kind sequential"),
)
def command(
    name: Annotated[str, typer.Argument(help="Its name: small letters, digits and underscores.", metavar="NAME")],
    kind: Annotated[
        Kind, typer.Option(help="All move at once, one after the other, or in several phases of a turn.")
    ] = "simultaneous",
) -> None:
    """Write the folder of a new ruleset, a small game that can be played as it is, to begin from.

    Its rules are one Python file. Beside it are the grammar of its orders, the handbook, a story, the template of its report,
    tests, and what makes it a package to install. At the end it names the page that leads through them.
    """
    to = Path(name)
    if problem := _problem(name, there=to.exists()):
        fail(f'"{name}": {problem}')
    try:
        for path, text in files_of(name, kind):
            (to / path).parent.mkdir(parents=True, exist_ok=True)
            (to / path).write_text(text, encoding="utf-8")
    except OSError as problem:
        fail(f"{problem.filename}: {problem.strerror}")
    print(f"{to}/ has a small {kind} game, to be made into yours. Whenever you have changed something:")
    for what, line in (
        ("play it here", f"pbmd play ./{name}"),
        ("is all sound?", f"pbmd try ./{name}"),
        ("a game by mail", f"pbmd demo ./{name}"),
        ("its tests", f"python -m pytest {name}   (after: python -m pip install pytest)"),
        ("what stands where", f"{folder('docs') / 'rulesets.md'}"),
    ):
        print(f"  {what:<18} {line}")
    print(f"pbmd rules ./{name} shows the handbook, pbmd simulate ./{name} how long games last and who wins them.")


def files_of(name: str, kind: Kind) -> Iterator[tuple[Path, str]]:
    """The files of a new ruleset, each with its path within the folder."""
    return written_files(name, kind, folder("templates") / "new_ruleset")


def written_files(name: str, kind: Kind, models: Path) -> Iterator[tuple[Path, str]]:
    """The files of a ruleset made of the models there: those of its kind, and of those that all have in common such as the kind
    has not."""
    words = {"newgame": name, "New Game": name.replace("_", " ").title(), "NG": _prefix(name)}
    marks = re.compile(r"newgame|New Game|\bNG\b")
    halves = [models / half for half in ("common", kind)]
    files = {path.relative_to(half): path for half in halves for path in half.rglob("*") if path.is_file()}
    for place in sorted(place for place in files if "__pycache__" not in place.parts):
        text = files[place].read_text(encoding="utf-8")
        path, written = (marks.sub(lambda mark: words[mark[0]], each) for each in (str(place), text))
        yield Path(path), written


def _problem(name: str, *, there: bool) -> str:
    """Why a ruleset cannot have that name; empty if it can. A folder that is `there` looks like a module to Python."""
    if not _NAME.fullmatch(name) or len(name) > _LONGEST:
        return f"a ruleset's name has small letters, digits and underscores, such as star_race, and at most {_LONGEST} of them"
    if keyword.iskeyword(name) or keyword.issoftkeyword(name):
        return "that is a word of Python, which no package can be called"
    if there:
        return "there is a folder or file of that name already; nothing was written"
    if name in slugs():
        return "a ruleset of that name is installed"
    if name in _TAKEN or importlib.util.find_spec(name):
        return f"Python has a module of that name already, and would take one for the other; {name}_game, for example, is free"
    return ""


def _prefix(name: str) -> str:
    """The prefix of its rule ids: the first letters of two words, or of one."""
    first, *more = name.split("_")
    return (first[0] + more[0][0] if more else name[:2]).upper()
