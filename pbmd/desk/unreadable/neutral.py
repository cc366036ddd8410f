"""What replaces a value in the ledger that cannot be read: it says nothing, grants nothing, and does nobody any harm."""

import json
import secrets
from collections.abc import Callable, Mapping
from datetime import date, datetime
from typing import Any

from sqlalchemy import Boolean, Connection, Date, Enum, Integer, LargeBinary, Numeric, String, select, text
from sqlalchemy.types import TypeEngine
from sqlmodel import SQLModel, col

from pbmd.ledger.journal import FIRST_HASH
from pbmd.ledger.readable import Place, Unreadable
from pbmd.ledger.tables import (
    GameStatus,
    JournalEntry,
    Letter,
    LetterState,
    OutboxState,
    PackedBytes,
    RequestState,
    SubmissionState,
    VoteState,
)
from pbmd.terms.times import EPOCH

TAKEN_OUT = frozenset(
    {
        "absence", "alarm", "archiverequest", "bounce", "clock", "confirmation", "host", "listedplayer", "outage",
        "pictureinmail", "serverkey", "sighting", "stepplayed", "substitution", "unreadletter", "visitor", "webhook",
        "withheld",
    }
)  # fmt: skip
"""The tables from which a whole row is removed: none of them is needed, and half of one would say something else."""
_FAR = 1_000_000
"""Above everything that is counted from 1."""
_Neutral = Callable[[Connection, Unreadable], Any]


def neutral(connection: Connection, found: Unreadable, now: datetime) -> Any:
    """The replacement."""
    column = SQLModel.metadata.tables[found.table].c[found.column]
    if special := _SPECIAL.get((found.table, found.column)):
        return special(connection, found)
    if column.nullable:
        return None
    if column.default is not None:
        return getattr(column.default, "arg", None)
    return next(value for kind, value in (*_OF_KINDS, (TypeEngine, now)) if isinstance(column.type, kind))


_OF_KINDS: tuple[tuple[Any, Any], ...] = (
    (LargeBinary, b""), (PackedBytes, b""), (Enum, ""), (String, ""), (Boolean, False), (Integer, 0), (Numeric, 0),
    (Date, date(1970, 1, 1)),
)  # fmt: skip


def _number(found: Unreadable) -> int:
    return int(found.key[0][1])


def _named(word: str) -> _Neutral:
    return lambda _, found: f"{word}-{_number(found)}"


def _status(connection: Connection, found: Unreadable) -> GameStatus:
    """A game that is over stays so, and one that has not begun: the journal says which it is. Any other is paused."""
    kinds = select(col(JournalEntry.kind)).where(col(JournalEntry.game_id) == _number(found))
    last = connection.execute(kinds.order_by(col(JournalEntry.number).desc()).limit(1)).scalar()
    if last == "finished":
        return GameStatus.FINISHED
    begun = connection.execute(text("SELECT position <> '' FROM game WHERE id = :id"), {"id": _number(found)}).scalar()
    return GameStatus.PAUSED if begun else GameStatus.SIGNUP


def _of_journal(column: str, none: Any) -> _Neutral:
    """What the last entry of the game's journal has: that proves what the game's row should say."""

    def found_there(connection: Connection, found: Unreadable) -> Any:
        values = select(col(getattr(JournalEntry, column))).where(col(JournalEntry.game_id) == _number(found))
        last = connection.execute(values.order_by(col(JournalEntry.number).desc()).limit(1)).scalar()
        return none if last is None else last

    return found_there


def _arrival(connection: Connection, found: Unreadable) -> datetime:
    """Letters are stored in order of arrival: the same as the one before."""
    times = select(col(Letter.arrived_at)).where(col(Letter.id) < _number(found)).order_by(col(Letter.id).desc()).limit(1)
    return connection.execute(times).scalar() or EPOCH


def _vote_state(connection: Connection, found: Unreadable) -> VoteState:
    """Of a vote that is over by the journal nobody can vote any more; any other is open."""
    public = text(
        "SELECT vote.number, journal.public FROM vote JOIN journal ON journal.game_id = vote.game_id "
        "AND journal.kind = 'voted' AND journal.number > vote.entry WHERE vote.id = :id"
    )
    rows = connection.execute(public, {"id": _number(found)}).all()
    over = any(json.loads(entry)["vote"] == number for number, entry in rows)
    return VoteState.ENDED if over else VoteState.OPEN


def _always(value: Any) -> _Neutral:
    return lambda _connection, _found: value


_SPECIAL: Mapping[Place, _Neutral] = {
    ("game", "name"): _named("game"),
    ("game", "status"): _status,
    ("game", "chain_number"): _of_journal("number", 0),
    ("game", "chain_head"): _of_journal("hash", FIRST_HASH),
    # No token that ever existed works: the game master sends new ones.
    ("game", "gm_generation"): _always(_FAR),
    ("seat", "token_generation"): _always(_FAR),
    ("seat", "name"): _named("seat"),
    ("seat", "number"): lambda _, found: _FAR + _number(found),
    ("mailbox", "name"): _named("mailbox"),
    ("vote", "state"): _vote_state,
    ("letter", "fingerprint"): _named("unreadable"),
    ("letter", "state"): _always(LetterState.QUARANTINED),
    ("letter", "arrived_at"): _arrival,
    ("outbox", "key"): _named("unreadable"),
    ("outbox", "state"): _always(OutboxState.HELD),
    ("outbox", "recipient"): _always("unreadable@invalid"),
    ("outbox", "kind"): _always("unreadable"),
    ("request", "number"): lambda _, found: _FAR + _number(found),
    ("request", "state"): _always(RequestState.ENDED),
    ("request", "kind"): _always("ruling"),
    ("submission", "state"): _always(SubmissionState.CANCELLED),
    ("steprecord", "step"): lambda _, found: -_FAR - _number(found),
    ("report", "step"): lambda _, found: -_FAR - _number(found),
    ("report", "reader"): _named("unreadable"),
    ("journal", "number"): lambda _, found: -_number(found),
    ("log", "what"): _always("unreadable"),
    ("era", "number"): lambda _connection, _found: secrets.randbelow(2**31 - 1) + 1,
}
"""Columns where an empty value would mean something, or that must differ in each row."""
