"""A value that cannot be read is put aside: the original is kept apart, and replaced by one that everybody can read. So the
many that load such rows need not know of it. Its game is stopped, its mail held, its letter quarantined, and the game master
gets a mail."""

import logging
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, delete, insert, select, text, update
from sqlmodel import SQLModel, col

from pbmd.desk.books.desk import Desk
from pbmd.desk.books.open_game import TEXTS
from pbmd.desk.books.question_payloads import (
    EXTENSION,
    RULING,
    SUBJECTS,
    AwaitedRuling,
    must_be_of_question,
    must_be_of_request,
    written,
)
from pbmd.desk.books.transaction import Transaction
from pbmd.desk.mail.alarms import ALARMS
from pbmd.desk.mail.draft import Draft, render, subject
from pbmd.desk.mail.queue import tell_gm
from pbmd.desk.step.game_transaction import changing_games
from pbmd.desk.step.stop import halt
from pbmd.desk.unreadable.neutral import TAKEN_OUT, neutral
from pbmd.ledger.damage_check import quick_look
from pbmd.ledger.digests import without
from pbmd.ledger.readable import Place, Read, ReadInRow, Unreadable, plain, plain_row, row_of, unreadable
from pbmd.ledger.tables import Game, GameStatus, LetterState, Outbox, OutboxState, Request, RequestState, Seat, UnreadableValue

CAUSE = "a look at the rows of the ledger"
_trouble = logging.getLogger("pbmd.ledger")
_MOST_TOLD = 20
"""How many values a mail names."""


def _one_of(*words: str) -> Read:
    def read(value: str) -> None:
        if value not in words:
            raise ValueError

    return read


def _an_address(value: str) -> None:
    if "@" not in value:
        raise ValueError


def _something(value: str) -> None:
    if not value:
        raise ValueError


_READ: Mapping[Place, Read] = {
    **TEXTS,
    ("game", "name"): _something,
    ("confirmation", "subject"): _one_of(*SUBJECTS),
    ("request", "kind"): _one_of(EXTENSION, RULING),
    ("alarm", "kind"): _one_of(*ALARMS),
    ("outbox", "recipient"): _an_address,
    ("outbox", "kind"): _something,
}
"""How texts are read if the ledger knows nothing more about them."""
_READ_IN_ROW: Mapping[Place, ReadInRow] = {
    ("confirmation", "payload"): must_be_of_question,
    ("request", "payload"): must_be_of_request,
}
"""A question of which something else is kept would stop each game that looks through all of them."""
_STOPS_GAME = frozenset({"game", "seat", "letter", "submission", "steprecord", "journal"})
"""What a game cannot go on without."""


_HELD, _PUT_ASIDE = "the mail is held", "the letter is put aside"


@dataclass(frozen=True, slots=True)
class DamageReport:
    """What has become of a value: its game, if any, the words for it, and what else was done."""

    game_id: int | None
    words: str
    outcome: str


def look(desk: Desk, *, in_use: bool) -> list[str]:
    """Put aside what cannot be read, in the rows `in_use` or in all, and report it; returns what was found, in words. Raises
    `OperationalError` and `DamagedLedger`."""
    with desk.reading_engine.connect() as connection:
        if not _found(connection, in_use=in_use):
            return []
    if desk.engine.dialect.name == "sqlite" and desk.engine.url.database:
        quick_look(Path(desk.engine.url.database))  # writing into a damaged file may overwrite something else
    with changing_games(desk, CAUSE) as work:
        connection = work.session.connection()
        # Before anything is changed: a whole row may be removed.
        stood = [_stood(connection, found) for found in _found(connection, in_use=in_use)]
        told = [_put_aside(work, each) for each in stood]
        if told:
            _stop_games(work, told)
            _tell(work, told)
    return [each.words for each in told]


def _found(connection: Connection, *, in_use: bool) -> list[Unreadable]:
    """What cannot be read, except what is known and cannot be put aside."""
    found = dict.fromkeys(unreadable(connection, _READ, _READ_IN_ROW, in_use=in_use))
    places = {(each.table, each.key, each.column): each for each in reversed(found)}
    return [each for each in reversed(places.values()) if not (_stays(each) and _is_known(connection, each))]


def _stays(found: Unreadable) -> bool:
    """Whether it must be left where it is: it should name a row that exists, and cannot name nothing. Nobody finds its row by
    it."""
    column = SQLModel.metadata.tables[found.table].c[found.column]
    return bool(column.foreign_keys) and not column.nullable and found.table not in TAKEN_OUT


def _is_known(connection: Connection, found: Unreadable) -> bool:
    place = {"of_table": found.table, "of_row": found.row, "of_column": found.column}
    known = select(col(UnreadableValue.id)).filter_by(**place)
    return connection.execute(known.limit(1)).first() is not None


@dataclass(frozen=True, slots=True)
class _Stood:
    """The original, in Python's notation: a value, or the whole row if that is removed. `game` is the name of its game."""

    found: Unreadable
    value: str
    game_id: int | None
    game: str


def _stood(connection: Connection, found: Unreadable) -> _Stood:
    row, game_id = plain_row(connection, found), _game_of(connection, found)
    value = row if found.table in TAKEN_OUT else row.get(found.column)
    return _Stood(found, repr(value), game_id, _name_of(connection, game_id))


def _put_aside(work: Transaction, stood: _Stood) -> DamageReport:
    connection, found, game_id = work.session.connection(), stood.found, stood.game_id
    outcome = _done(connection, found, work)
    if game_id is None and outcome == _IS_STOPPED:
        outcome = "nobody can tell of which game it is"
    waits = (found.table in _STOPS_GAME and _is_played(connection, game_id)) or (found.table == "outbox" and bool(outcome))
    row: dict[str, Any] = {
        "of_table": found.table,
        "of_row": found.row,
        "of_column": found.column,
        "value": stood.value,
        "game_id": game_id,
        "found_at": work.now,
        "settled_at": None if waits else work.now,
    }
    connection.execute(insert(UnreadableValue), row)
    why = "names what is not there" if found.dangling else "cannot be read"
    of_game = f"{stood.game}: " if stood.game else ""
    words = f"{of_game}{found.column} of {found.table} {found.row} {why}"
    return DamageReport(game_id if found.table in _STOPS_GAME else None, f"{words}; {outcome}" if outcome else words, outcome)


def _done(connection: Connection, found: Unreadable, work: Transaction) -> str:
    """Put something readable in its place, and stop its mail or letter; returns what else was done, in words."""
    table = SQLModel.metadata.tables[found.table]
    if _stays(found):
        return _OF_GAMES.get(found.table, "")
    if found.table in TAKEN_OUT:
        outcome = _hold(connection, _mails_with(connection, found)) if found.table == "pictureinmail" else ""
        connection.execute(delete(table).where(*row_of(found)))
        return outcome or "the row is taken out"
    instead = neutral(connection, found, work.now)
    _drop_digest(connection, found)
    connection.execute(update(table).where(*row_of(found)).values({found.column: instead}))
    return _STOPPED[found.table](connection, found) if found.table in _STOPPED else _OF_GAMES.get(found.table, "")


def _drop_digest(connection: Connection, found: Unreadable) -> None:
    """The replacement is to count as what was written. For a seat with an invalid number the digest stays."""
    if found.table not in ("game", "seat") or (found.table, found.column) == ("game", "digests"):
        return
    number = plain(connection, found, "number") if found.table == "seat" else 0
    game = Unreadable("game", (("id", _game_of(connection, found)),), "digests")
    kept = plain(connection, game, "digests")
    with suppress(ValueError, TypeError, AttributeError):  # they cannot be read either
        values = {"digests": without(kept, found.table, found.column, number)}
        connection.execute(update(Game).where(*row_of(game)).values(values))


_IS_STOPPED = "the game is stopped"
_OF_GAMES: Mapping[str, str] = dict.fromkeys(_STOPS_GAME - {"letter"}, _IS_STOPPED)


def _quarantine(connection: Connection, found: Unreadable) -> str:
    values = {"state": LetterState.QUARANTINED.value, "note": f"its {found.column} cannot be read", "id": found.key[0][1]}
    put = text("UPDATE letter SET state = :state, note = :note WHERE id = :id AND state <> 'done'")
    return _PUT_ASIDE if connection.execute(put, values).rowcount else ""


def _hold_mail(connection: Connection, found: Unreadable) -> str:
    return _hold(connection, [found.key[0][1]], f"its {found.column} cannot be read")


def _hold_pictured(connection: Connection, found: Unreadable) -> str:
    if found.column == "digest":
        return ""  # all references to it dangle
    keys = text("SELECT outbox.id FROM pictureinmail JOIN outbox ON outbox.key = mail WHERE digest = :digest")
    return _hold(connection, connection.execute(keys, dict(found.key)).scalars())


def _mails_with(connection: Connection, found: Unreadable) -> Iterable[int]:
    if found.column == "mail" and not found.dangling:
        return ()  # nobody knows which
    return connection.execute(text("SELECT id FROM outbox WHERE key = :mail"), {"mail": dict(found.key)["mail"]}).scalars()


def _hold(connection: Connection, mails: Iterable[int], error: str = "a picture in it cannot be read") -> str:
    waiting = col(Outbox.state).in_((OutboxState.QUEUED, OutboxState.SENDING, OutboxState.HELD))
    hold = update(Outbox).where(col(Outbox.id).in_(list(mails)), waiting).values(state=OutboxState.HELD, error=error)
    return _HELD if connection.execute(hold).rowcount else ""


def _end_request(connection: Connection, found: Unreadable) -> str:
    """Nobody can approve what is not known; whoever asked can ask again, and the rules do."""
    if found.column not in ("kind", "payload", "seat_id"):
        return ""
    ended = {"state": RequestState.ENDED, "kind": RULING, "payload": written(AwaitedRuling("-"))}
    connection.execute(update(Request).where(*row_of(found)).values(ended))
    return "the request is ended"


_STOPPED: Mapping[str, Callable[[Connection, Unreadable], str]] = {
    "letter": _quarantine,
    "outbox": _hold_mail,
    "picture": _hold_pictured,
    "request": _end_request,
}


def _game_of(connection: Connection, found: Unreadable) -> int | None:
    """The game that a row belongs to; None if it belongs to no existing one."""
    table = SQLModel.metadata.tables[found.table]
    column = "id" if found.table == "game" else "game_id"
    number = plain(connection, found, column) if column in table.c else None
    there = select(col(Game.id)).where(col(Game.id) == number)
    known = connection.execute(there).scalar() if isinstance(number, int) else None
    return _game_that_lacks(connection, found) if known is None and found.column == "game_id" else known


def _game_that_lacks(connection: Connection, found: Unreadable) -> int | None:
    """The game of a row that names none, by its seat, or as the only one that lacks the record of a step; None if nobody can
    tell."""
    columns = SQLModel.metadata.tables[found.table].c
    if found.table == "steprecord":
        games = connection.execute(_LACKS_STEP, {"step": plain(connection, found, "step")}).scalars().all()
        return games[0] if len(games) == 1 else None
    seat = plain(connection, found, "seat_id") if "seat_id" in columns else None
    of_seat = select(col(Game.id)).join(Seat, col(Seat.game_id) == col(Game.id)).where(col(Seat.id) == seat)
    return connection.execute(of_seat).scalar() if isinstance(seat, int) else None


_LACKS_STEP = text(
    "SELECT id FROM game WHERE step > :step AND NOT EXISTS"
    " (SELECT 1 FROM steprecord AS resolved WHERE resolved.game_id = game.id AND resolved.step = :step)"
)


def _is_played(connection: Connection, game_id: int | None) -> bool:
    """Whether it is a game, and not over."""
    over = text("SELECT 1 FROM game WHERE id = :id AND status <> 'finished'")
    return connection.execute(over, {"id": game_id}).first() is not None


def _name_of(connection: Connection, game_id: int | None) -> str:
    """The name of a game, read as a plain column: its row may be what cannot be read."""
    name = None if game_id is None else plain(connection, Unreadable("game", (("id", game_id),), "name"), "name")
    return name if isinstance(name, str) and name.isprintable() else ""


def _stop_games(work: Transaction, told: list[DamageReport]) -> None:
    """Stop the games that are concerned, and log all of it."""
    for game_id in sorted({each.game_id for each in told if each.game_id is not None}):
        table = work.table(game_id)
        if table.game.status is GameStatus.RUNNING:
            halt(work, table)
    for each in told:
        _trouble.error("%s", each.words)
        work.log("unreadable", None if each.game_id is None else work.table_if_any(each.game_id), detail=each.words)


def _tell(work: Transaction, told: list[DamageReport]) -> None:
    newest = select(col(UnreadableValue.id)).order_by(col(UnreadableValue.id).desc()).limit(1)
    tables = [work.table(game_id) for game_id in sorted({each.game_id for each in told if each.game_id is not None})]
    one = tables[0] if len(tables) == 1 else None
    values = {
        "lines": [each.words for each in told[:_MOST_TOLD]],
        "more": max(0, len(told) - _MOST_TOLD),
        "games": [table.game.name for table in tables],
        "outcomes": {each.outcome for each in told},
        "mail_held": _HELD,
        "letter_put_aside": _PUT_ASIDE,
    }
    headline = subject(one, "the game is stopped") if one else "[pbmd] the ledger has what cannot be read"
    key = f"unreadable {work.session.connection().execute(newest).scalar()}"
    tell_gm(work, Draft("alarm", key, headline, render("unreadable.txt", values)), one)
