"""`pbmd export`: a game as plain files, packed or in a folder."""

import json
from pathlib import Path
from typing import Annotated

import typer

from pbmd.archive.format.plan import Plan
from pbmd.cli.common import SETTINGS, examples, fail
from pbmd.cli.desk import at_desk
from pbmd.cli.exporting import export_plan, export_summary
from pbmd.cli.options import DEFAULT_SETTINGS, GameName, SettingsFile
from pbmd.ledger.tables import GameStatus

app = typer.Typer(**SETTINGS)


@app.command(
    "export",
    epilog=examples(
        "pbmd export galaxy-7",
        "pbmd export galaxy-7 --to galaxy-7",
        "pbmd export galaxy-7 --to /srv/www/g7 --view public --anonymise",
        "pbmd export galaxy-7 --book",
        "pbmd export galaxy-7.zip --book --to galaxy-7.epub",
        "pbmd export galaxy-7 --zine 4",
    ),
)
def command(
    game: GameName,
    to: Annotated[
        Path | None,
        typer.Option(
            help="A file to pack the archive into: .zip, .tar, .tar.xz; or a folder, new or empty, to write it to as it is. "
            "Of a book or newspaper: a file (.pdf, .epub, .html, .txt), or a folder for the usual ones.",
            metavar="PATH",
            show_default="GAME.zip",
        ),
    ] = None,
    view: Annotated[
        str,
        typer.Option(
            help="For whom: `all` of it, what the `public` may know, which is what one publishes, or one seat (`seat:NAME`).",
            metavar="VIEW",
        ),
    ] = "all",
    anonymise: Annotated[bool, typer.Option("--anonymise", help="Take out who the players are, and what they wrote.")] = False,
    book: Annotated[
        bool, typer.Option("--book", help="Write a finished game as a book instead, to be read: PDF and EPUB.")
    ] = False,
    zine: Annotated[
        int | None,
        typer.Option(
            "--zine", help="Write the newspaper of a turn instead, of what everybody was told: PDF and text.", metavar="TURN"
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace what is there.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Say as JSON what was written.")] = False,
    settings: SettingsFile = DEFAULT_SETTINGS,
) -> None:
    """Write a game as plain files: positions, orders, reports, maps, letters, journal, a database and pages to look at.

    Of a game that is not finished only what is resolved is written. With all of it the archive holds what players may not know
    of each other, so it is for the game master as long as the game runs; nobody can act for a player with it.

    With --book and --zine, GAME may be an archive, too: the path of a folder or packed file (with a dot or a slash in it).
    """
    if book and zine is not None:
        fail("say --book or --zine, not both")
    if book or zine is not None:
        from pbmd.cli.book import Wanted, make_book, make_zine

        wanted = Wanted(game, to, view, anonymise, force, as_json, settings)
        make_book(wanted) if zine is None else make_zine(wanted, zine)
        return
    place = to or Path(f"{game}.zip")
    with at_desk(settings) as desk:
        plan = export_plan(desk, game, place, view, anonymise=anonymise, force=force)
    typer.echo(json.dumps(_as_json(plan, place), indent=2) if as_json else export_summary(plan, place))


def _as_json(plan: Plan, folder: Path) -> dict[str, object]:
    return {
        "folder": str(folder),
        "game": plan.game.name,
        "view": str(plan.audience),
        "anonymised": plan.anonymised,
        "steps": len(plan.steps) - 1,
        "letters": len(plan.letters),
        "journal_entries": plan.last_entry,
        "finished": plan.game.status is GameStatus.FINISHED,
    }
