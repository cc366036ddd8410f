"""`pbmd visitors`: who watches a game, and who stands by for a seat in it."""

import json
from datetime import datetime
from typing import Annotated, Any

import typer
from rich.console import Console
from sqlmodel import col, select

from pbmd.cli.common import SETTINGS, examples
from pbmd.cli.desk import at_desk
from pbmd.cli.grid import cell, show_rows
from pbmd.cli.options import DEFAULT_SETTINGS, SettingsFile
from pbmd.desk.books.transaction import Transaction
from pbmd.ledger.tables import Game, Visitor, VisitorKind
from pbmd.terms.times import describe_time

app = typer.Typer(**SETTINGS)
_KEYS = ("what", "game", "address", "since")


@app.command("visitors", epilog=examples("pbmd visitors", "pbmd visitors --json"))
def visitors(
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    settings: SettingsFile = DEFAULT_SETTINGS,
) -> None:
    """List who watches which game and who stands by for a seat, in the order in which they asked."""
    with at_desk(settings) as desk:
        with Transaction(desk, reads=True) as work:
            rows = _rows(work)
        if as_json:
            print(json.dumps(rows, ensure_ascii=False, indent=2, default=datetime.isoformat))
        elif not rows:
            print("Nobody watches a game or stands by for a seat.")
        else:
            shown = [{**row, "game": row["game"] or "all", "since": describe_time(row["since"])} for row in rows]
            show_rows(Console(), _KEYS, [[cell(row[key]) for key in _KEYS] for row in shown])


def _rows(work: Transaction) -> list[dict[str, Any]]:
    """`game` is empty for those who stand by for all."""
    found = select(Visitor.kind, Game.name, Visitor.address, Visitor.since).join(Game, isouter=True)
    rows = work.session.exec(found.order_by(col(Visitor.kind), col(Visitor.since), col(Visitor.id)))
    return [
        {"what": VisitorKind(kind).value, "game": name or "", "address": address, "since": since}
        for kind, name, address, since in rows
    ]
