"""`pbmd demo`: see a whole game by mail before setting one up."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from pbmd.cli.common import SETTINGS, WENT_WRONG, examples, fail
from pbmd.cli.desk import at_desk
from pbmd.cli.export import export_game
from pbmd.demo.game import GAME, SEATS, DemoStuck, play
from pbmd.demo.office import OfficeError
from pbmd.ledger.log_file import format_line
from pbmd.ledger.tables import LogLine

app = typer.Typer(**SETTINGS)

Folder = Annotated[Path, typer.Option(help="The folder to play in; what an earlier demo left there is removed.", metavar="DIR")]
DEFAULT_FOLDER = Path("data/demo")
_STYLES = {
    "resolved": "bold cyan",
    "finished": "bold green",
    "nmr": "yellow",
    "reminder": "yellow",
    "refused": "red",
    "orders": "dim",
}


@app.command("demo", epilog=examples("pbmd demo", "pbmd demo --seed 7", "pbmd demo --to /tmp/game"))
def command(
    to: Folder = DEFAULT_FOLDER,
    seed: Annotated[int, typer.Option(min=0, help="Another number, another game.")] = 1,
) -> None:
    """Play a whole game of Galactic Overlord by mail, through a post office on this machine.

    Four players read their reports over IMAP and send their orders by SMTP; one writes HTML, one fills in the order form, one
    makes a slip of the pen, one forgets a turn. The lines you see are the dashboard log.
    """
    console = Console(highlight=False, soft_wrap=True)
    if to.exists() and any(to.iterdir()) and not (to / "pbmd.toml").exists():
        fail(f"{to} is not a folder of an earlier demo, so it is left alone; name another with --to")
    console.print(f"Four players, one post office, one game. {', '.join(SEATS)} write their orders now.\n")

    def show(line: LogLine) -> None:
        console.print(format_line(line), style=_STYLES.get(line.what), markup=False)

    try:
        played = play(to, show, seed)
    except (OfficeError, DemoStuck) as problem:
        fail(problem, WENT_WRONG)
    with at_desk(to / "pbmd.toml") as desk:
        export_game(desk, GAME, to / "archive")
    console.print(
        f"\n[bold]{played.outcome}[/bold] {played.turns} turns, {played.letters} letters in, {played.mails} mails out."
    )
    console.print("\nLook at what is left of it:")
    for what, where in (
        ("the dashboard", f"{to / 'dashboard' / 'index.html'}   (for a browser)"),
        ("the dashboard log", to / "dashboard.log"),
        ("a player's mails", f"{to / 'mail' / 'altair.mbox'}   (mutt -R -f shows them)"),
        ("the archive", f"{to / 'archive'}   (reports, orders, positions, letters, journal)"),
        ("the game's state", f"pbmd status --settings {to / 'pbmd.toml'}"),
    ):
        console.print(f"  {what:<18} {where}", markup=False)
