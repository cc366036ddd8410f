"""`pbmd key`: by which key the checkpoints of a game are signed."""

import json
from typing import Annotated, Any

import typer
from sqlmodel import col, select

from pbmd.cli.common import SETTINGS, examples, fail
from pbmd.cli.desk import at_desk, table_of
from pbmd.cli.new_key import go_on_with_new_key
from pbmd.cli.options import DEFAULT_SETTINGS, SettingsFile
from pbmd.desk.books.checkpoints import log_of
from pbmd.desk.books.transaction import Transaction
from pbmd.ledger.tables import Game

app = typer.Typer(**SETTINGS)


@app.command("key", epilog=examples("pbmd key", "pbmd key galaxy-7 --json", "pbmd key --new"))
def key(
    game: Annotated[str, typer.Argument(help="The game; else all.", metavar="GAME")] = "",
    new: Annotated[bool, typer.Option("--new", help="Make a new server.key: the old one is lost for good.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    settings: SettingsFile = DEFAULT_SETTINGS,
) -> None:
    """Show the key that signs the checkpoints of a game. It is public: publish it where players find it without asking you.

    With --new the server gets another key, from which the keys of all games and all tokens in mails come; no daemon must run.
    It is refused as long as the right one, or its copy beside the backups, is there.
    """
    if new and game:
        fail("--new is for all games: give none")
    if new:
        made = go_on_with_new_key(settings)
        print(json.dumps(made, default=str, ensure_ascii=False, indent=2) if as_json else "\n".join(made["words"]))
        return
    with at_desk(settings) as desk, Transaction(desk, reads=True) as work:
        games = work.session.exec(select(Game).order_by(col(Game.id))).all()
        if game and game not in {each.name for each in games}:
            table_of(work, game)  # says which there are
        told: list[dict[str, Any]] = [
            {"game": each.name, "key": str(log_of(desk, each).verifier)} for each in games if game in ("", each.name)
        ]
    if as_json:
        print(json.dumps({"games": told}, ensure_ascii=False, indent=2))
        return
    for each in told:
        print(f"{each['game']}\n    {each['key']}")
    if not told:
        print("There is no game yet.")
