"""`pbmd demo`: see a whole game by mail before setting one up."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer
from rich.console import Console

from pbmd.cli.common import SETTINGS, TRACE, WENT_WRONG, examples, fail, is_path, loading
from pbmd.demo import TURNS

if TYPE_CHECKING:
    from pbmd.demo.game import Stage
    from pbmd.ledger.tables import LogLine

app = typer.Typer(**SETTINGS)

Folder = Annotated[Path, typer.Option(help="The folder to play in; what an earlier demo left there is removed.", metavar="DIR")]
DEFAULT_FOLDER = Path("data/demo")
_USUAL = "galactic_overlord"
_NUMBERS = {1: "One", 2: "Two", 3: "Three", 4: "Four", 5: "Five", 6: "Six"}
_STYLES = {
    "resolved": "bold cyan",
    "finished": "bold green",
    "nmr": "yellow",
    "reminder": "yellow",
    "refused": "red",
    "defect": "bold red",
    "orders": "dim",
}


@app.command(
    "demo",
    epilog=examples(
        "pbmd demo",
        "pbmd demo --seed 7",
        "pbmd demo --to /tmp/game",
        "pbmd demo local_cluster --turns 5",
        "pbmd demo ./count",
    ),
)
def command(
    ruleset: Annotated[str | None, typer.Argument(help="A ruleset, or the path of its folder.", metavar="RULESET")] = None,
    named: Annotated[
        str | None, typer.Option("--ruleset", help="The same, as it was written before.", metavar="RULESET", hidden=True)
    ] = None,
    to: Folder = DEFAULT_FOLDER,
    seed: Annotated[int, typer.Option(min=0, help="Another number gives another game.", metavar="NUMBER")] = 1,
    turns: Annotated[
        int, typer.Option(min=1, help="End the game after so many turns, if nobody has won.", metavar="NUMBER")
    ] = TURNS,
) -> None:
    """Play a whole game by mail, through a post office on this machine: of Galactic Overlord, or of another ruleset.

    Four players, or as many as the ruleset takes, read their reports over IMAP and send their orders by SMTP; one writes HTML,
    one fills in the order form, one makes a slip of the pen, one forgets a turn. With a RULESET they also send press and a
    question, and orders that come too late. The lines you see are the dashboard log.
    """
    with loading():
        from pbmd.cli.authors import told_of
        from pbmd.cli.desk import at_desk
        from pbmd.cli.exporting import export_game
        from pbmd.demo.game import DemoStuck, play
        from pbmd.demo.office import OfficeError
        from pbmd.demo.players import GAME
        from pbmd.ledger.log_file import format_line
        from pbmd.rules import Refused
        from pbmd.rules.registry import UnknownRuleset
        from pbmd.rules.troubles import BrokenGame
        from pbmd.rules.words import counted, listing

    console = Console(highlight=False, soft_wrap=True)
    ruleset = _only_one(ruleset, named)
    if to.exists() and any(to.iterdir()) and not (to / "pbmd.toml").exists():
        fail(f"{to} is not a folder of an earlier demo, so it is left alone; name another with --to")
    try:
        stage = _stage(ruleset, turns)
    except (UnknownRuleset, Refused) as problem:
        fail(problem)
    seats = [signup.seat for signup in stage.signups]
    people = f"{_NUMBERS.get(len(seats), len(seats))} players"
    console.print(f"{people}, one post office, one game. {listing(seats)} write their orders now.\n", markup=False)

    def show(line: "LogLine") -> None:
        console.print(format_line(line), style=_STYLES.get(line.what), markup=False)

    try:
        played = play(stage, to, show, seed)
    except (OfficeError, Refused) as problem:
        fail(problem, WENT_WRONG)
    except (DemoStuck, BrokenGame) as problem:
        _fail_of_rules(ruleset or _USUAL, stage, problem)
    with at_desk(to / "pbmd.toml") as desk:
        export_game(desk, GAME, to / "archive")
    console.print()
    console.print(played.outcome, style="bold", end=" ", markup=False)
    console.print(f"{counted(played.steps, stage.step_word)}, {played.letters} letters in, {played.mails} mails out.")
    if played.maps_not_drawn:
        many = counted(len(played.maps_not_drawn), "map")
        console.print(f"{many} could not be drawn: {told_of(stage.rules, played.maps_not_drawn[0])}", style="red", markup=False)
    console.print("\nLook at what is left of it:")
    for what, where in (
        ("the dashboard", f"{to / 'dashboard' / 'index.html'}   (for a browser)"),
        ("the dashboard log", to / "dashboard.log"),
        ("a player's mails", f"{to / 'mail' / stage.mailboxes[0]}.mbox   (mutt -R -f shows them)"),
        ("the archive", f"{to / 'archive'}   (reports, orders, positions, letters, journal)"),
        ("the game's state", f"pbmd status --settings {to / 'pbmd.toml'}"),
    ):
        console.print(f"  {what:<18} {where}", markup=False)


def _fail_of_rules(name: str, stage: "Stage", problem: Exception) -> NoReturn:
    """Show what stopped the game, which has no secrets: the user may be the author of the ruleset."""
    if os.environ.get(TRACE):
        raise problem
    from pbmd.cli.authors import told_of
    from pbmd.rules.troubles import BrokenGame

    cause = problem if isinstance(problem, BrokenGame) else problem.__cause__
    told = f": {told_of(stage.rules, cause)}" if isinstance(cause, Exception) else ""
    words = "the game cannot begin" if isinstance(problem, BrokenGame) else str(problem)
    typer.echo(
        f"pbmd: {words}{told}\n  {TRACE}=1 in the environment shows the whole trace, and pbmd try {name} looks at the ruleset.",
        err=True,
    )
    raise typer.Exit(WENT_WRONG)


def _stage(ruleset: str | None, turns: int) -> "Stage":
    """Raises `UnknownRuleset` and `Refused`."""
    from pbmd.cli.authors import looked_at
    from pbmd.demo.game import stage_of, usual_stage

    if ruleset is None:
        return usual_stage(looked_at(_USUAL), _USUAL, turns)
    folder = Path(ruleset).resolve() if is_path(ruleset) else None
    return stage_of(looked_at(ruleset), folder.name if folder else ruleset, folder, turns)


def _only_one(ruleset: str | None, named: str | None) -> str | None:
    """The ruleset that is named in one way or the other."""
    if ruleset and named:
        fail(f"you name two rulesets, {ruleset} and {named}; name one")
    return ruleset or named
