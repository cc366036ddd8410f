"""`pbmd import`: a game out of an archive, into the ledger."""

import re
from collections.abc import Callable, Generator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from pbmd.archive.format.editions import refusals_in
from pbmd.archive.format.entries import read_entries
from pbmd.archive.format.findings import JOURNAL, Findings
from pbmd.archive.format.findings import Archive as Files
from pbmd.archive.format.packed import unpacked
from pbmd.archive.format.seals import NotReadable, files_of
from pbmd.archive.replay.beginnings import StepPlace
from pbmd.archive.verify.verify import verify
from pbmd.cli.changes import carry_out
from pbmd.cli.common import SETTINGS, WENT_WRONG, examples, fail
from pbmd.cli.desk import at_desk
from pbmd.cli.options import DEFAULT_SETTINGS, SettingsFile
from pbmd.cli.verify import Archive, progress
from pbmd.desk.books.transaction import Transaction
from pbmd.desk.imports.game import adopt_finished, go_on
from pbmd.rules import Refused, Ruleset
from pbmd.terms.times import describe_time

app = typer.Typer(**SETTINGS)


@app.command(
    "import",
    epilog=examples(
        "pbmd import galaxy-7",
        "pbmd import galaxy-7 --go-on --from-turn 12 --as galaxy-7b",
        "pbmd import village --go-on --from-step 3.2",
    ),
)
def command(
    path: Archive,
    name: Annotated[
        str, typer.Option("--as", help="What the game is called here; else what it was called.", metavar="NAME")
    ] = "",
    goes_on: Annotated[bool, typer.Option("--go-on", help="Play on here, with new secrets; the players are told.")] = False,
    turn: Annotated[
        int | None, typer.Option("--from-turn", help="With --go-on: from the beginning of this turn.", metavar="N")
    ] = None,
    step: Annotated[
        str, typer.Option("--from-step", help="The same from a step within a turn: 3.2 is the second of turn 3.", metavar="N.M")
    ] = "",
    trusting: Annotated[
        bool, typer.Option("--trust", help="Take the archive's word for what the chain does not hold, such as who plays.")
    ] = False,
    settings: SettingsFile = DEFAULT_SETTINGS,
) -> None:
    """Take a game over from an archive that has all of it: as a finished game, or to go on with it here.

    The archive is verified first, and an archive that does not verify is not imported, nor, without --trust, one in which
    something was blanked that is needed. A finished game keeps its journal. One that goes on gets a new journal, which names
    the head of the old one, new tokens and new dice secrets; its players get the report of where it stands. See to it that it
    does not go on in two places.
    """
    begins = _beginning(turn, step)
    if goes_on != (begins is not None):
        fail("--go-on and --from-turn N (or --from-step N.M) belong together: say both, or neither for a game that is over")
    with at_desk(settings) as desk, _unpacked(path) as folder:
        findings = _verified(folder, path, desk.ruleset)
        for said in findings.unbound:
            typer.echo(f"pbmd: {said}", err=True)
        entries = partial(read_entries, folder / JOURNAL)
        refusals = refusals_in(Files(folder, files_of(folder), Findings("")))

        def adopt(work: Transaction) -> str:
            if begins is None:
                table = adopt_finished(work, entries, name, trusting=trusting, refusals=refusals)
            else:
                table = go_on(work, entries, begins, name, trusting=trusting, refusals=refusals)
            game = table.game
            until = f", deadline {describe_time(game.deadline)}" if game.deadline else ""
            return f"{game.name} ({table.ruleset.info.title}): {game.stands}{until}."

        print(carry_out(desk, adopt))
        print(f"Its journal in the archive ends with {findings.head}; compare it with what its players have in their mails.")


_STEP = re.compile(r"(\d{1,6})(?:\.(\d{1,6}))?", re.ASCII)


def _beginning(turn: int | None, step: str) -> StepPlace | None:
    """The turn to begin with, and the place in it of the step: as its folder in the archive is called, or typed without zeros.
    None if neither was said. Ends the command if it is not clear."""
    if step and turn is not None:
        fail("give --from-turn or --from-step, not both")
    if not step:
        return None if turn is None else StepPlace(turn)
    if (found := _STEP.fullmatch(step)) is None:
        fail(f'--from-step takes a turn and the place of a step in it, like 3.2, not "{step}"')
    return StepPlace(int(found[1]), int(found[2] or 1))


@contextmanager
def _unpacked(path: Path) -> Generator[Path]:
    """The folder of the archive. Ends the command if there is none."""
    with ExitStack() as stack:
        try:
            folder = stack.enter_context(unpacked(path))
        except NotReadable as problem:
            fail(f"{path}: {problem}", WENT_WRONG)
        yield folder


def _verified(folder: Path, path: Path, ruleset_named: Callable[[str], Ruleset[Any]]) -> Findings:
    """What was found of an archive that verifies and has all of its game; `path` is what it is called. Raises `Refused`."""
    try:
        with progress() as told:
            findings = verify(folder, ruleset_named, told)
    except NotReadable as problem:
        fail(f"{path}: {problem}", WENT_WRONG)
    if findings.missing:
        fail(f"{path} was not imported. {findings.missing}", WENT_WRONG)
    if not findings.ok:
        needs = f"; it needs {findings.needs}" if findings.needs else ""
        first = str(findings.problems[0]).splitlines()[0]
        fail(f"{path} does not verify, so it was not imported: {first}{needs}", WENT_WRONG)
    if not findings.whole:
        raise Refused(f"{path} has not all of the game, so it cannot be imported; only an archive of the view `all` can")
    return findings
