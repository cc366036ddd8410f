"""``game.sqlite``: the files of an archive as tables to query, by ``templates/archive/tables.sql``."""

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from pbmd.archive.format.documents import EntryDocument, EventDocument, GameDocument, SeatDocument, SheetDocument
from pbmd.archive.write.reader import PUBLIC_REPORT, Archive, Turn
from pbmd.resources import folder

Row = tuple[Any, ...]


def write_database(archive: Archive, path: Path, done: Callable[[], None]) -> None:
    """Make the database of an archive. The same files give the same bytes, with the same version of SQLite.

    Raises `sqlite3.Error` and `OSError`.
    """
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        # Nobody else looks at it, and an unfinished one is thrown away.
        database.execute("PRAGMA journal_mode = OFF")
        database.execute("PRAGMA synchronous = OFF")
        database.executescript((folder("templates") / "archive" / "tables.sql").read_text(encoding="utf-8"))
        database.execute("BEGIN")
        _insert(database, "game", [_game(archive.game)])
        _insert(database, "seats", map(_seat, archive.game["seats"]))
        names = {seat["number"]: seat["name"] for seat in archive.game["seats"]}
        for turn in archive.turns():
            _turn(database, turn, names)
            done()
        _insert(database, "journal", map(_entry, archive.journal()))
        database.execute("COMMIT")
        database.execute("VACUUM")


def _insert(database: sqlite3.Connection, table: str, rows: Iterable[Row]) -> None:
    """Rows with all columns of the table, each with equally many."""
    rows = iter(rows)
    first = next(rows, None)
    if first is None:
        return
    statement = f"INSERT INTO {table} VALUES ({', '.join('?' * len(first))})"  # noqa: S608 – the name is one of ours
    database.execute(statement, first)
    database.executemany(statement, rows)


def _turn(database: sqlite3.Connection, turn: Turn, names: Mapping[int, str]) -> None:
    told = turn.resolution
    step, at = told["step"], told.get("resolved_at")
    row = (step, told["turn"], told.get("name"), turn.folder, int(turn.rolled_back), at.isoformat() if at else None)
    _insert(database, "turns", [(*row, told.get("cause"), told.get("secret"), told.get("dice"))])
    _insert(database, "reports", _reports(turn, step, names))
    for sheet in turn.sheets:
        _sheet(database, step, sheet)
    _insert(database, "events", (_event(step, place, event) for place, event in enumerate(turn.events, 1)))
    numbers = turn.numbers.items()
    _insert(database, "numbers", ((step, label, seat, each) for label, of in numbers for seat, each in of.items()))


def _sheet(database: sqlite3.Connection, step: int, sheet: SheetDocument) -> None:
    """The lines as sent and the lines as understood, separately: rules reorder them, and merge or split them, so that nothing
    says which line became which."""
    row = (None, step, sheet["seat"], sheet["arrived_at"], sheet["receipt"] or None, sheet["state"])
    _insert(database, "sheets", [row])
    [(number,)] = database.execute("SELECT last_insert_rowid()")
    said = (map(verdict.get, ("line", "text", "status", "message")) for verdict in sheet["verdicts"])
    _insert(database, "orders", ((None, number, *verdict) for verdict in said))
    _insert(database, "understood", ((number, place, line) for place, line in enumerate(sheet["lines"], 1)))


def _reports(turn: Turn, step: int, names: Mapping[int, str]) -> Iterator[Row]:
    for name, path in turn.reports:
        seat = None if name == PUBLIC_REPORT else names[int(name.partition("-")[0])]
        yield None, step, seat, path.read_text(encoding="utf-8")


def _event(step: int, place: int, event: EventDocument) -> Row:
    audience = event.get("audience")
    detail = _written(event["detail"]) if event["detail"] else None
    return None, step, place, event["kind"], _written(audience) if audience else None, _written(event["data"]), detail


def _game(game: GameDocument) -> Row:
    outcome = game.get("outcome", {})
    winners = _written(outcome["winners"]) if "winners" in outcome else None
    what = (game["name"], game["ruleset"], game["title"], game["status"], game["view"], game["created_at"].isoformat())
    how = (game["resolved_steps"], winners, outcome.get("reason"), _written(game["options"]), _written(game["terms"]))
    return (*what, *how, game["journal"]["entries"], game["journal"]["head"])


def _seat(seat: SeatDocument) -> Row:
    setup = _written(seat["setup"]) if "setup" in seat else None
    return seat["number"], seat["name"], seat["state"], seat.get("holder"), seat.get("timezone"), setup


def _entry(entry: EntryDocument) -> Row:
    public = _written(entry["public"]) if "public" in entry else None
    secret = _written(entry["secret"]) if "secret" in entry else None
    return entry["number"], entry["at"], entry["kind"], public, entry.get("sealed"), secret, entry.get("hash")


def _written(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
