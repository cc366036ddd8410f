"""Entries of journals as the ledger has them, read by their types; and those by whose hash all who follow a game compare what
they were told."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any, Generic, NamedTuple, TypeVar

from sqlalchemy import ColumnElement, bindparam, literal
from sqlalchemy import select as columns_of
from sqlmodel import Session, col, select

from pbmd.ledger.entries.codec import E, Entry, MalformedEntry
from pbmd.ledger.entries.kinds import read
from pbmd.ledger.entries.step_entries import FinishedEntry, ImportedEntry, ResolvedEntry, RolledBackEntry, StartedEntry
from pbmd.ledger.tables import JournalEntry


@dataclass(frozen=True, slots=True)
class Numbered(Generic[E]):
    """An entry, its number and hash, and when it was written."""

    number: int
    at: datetime
    hash: str
    entry: E


def entries_of(
    session: Session,
    game: int | None,
    *of: type[E],
    with_sealed: bool = False,
    newest_first: bool = False,
    where: ColumnElement[bool] | None = None,
) -> Iterator[Numbered[E]]:
    """The entries of these kinds in the journal of a game, as far as they meet the condition; their sealed parts only if they
    are asked for. They are read one by one: raises `MalformedEntry` at the first that is not what its kind has."""
    rows = _rows(of, with_sealed=with_sealed, newest_first=newest_first)
    statement = rows if where is None else rows.where(where)
    with session.connection().execute(statement, {"game": game}) as found:
        for row in found:
            number, at, hashed, kind, public, secret = tuple[Any, ...](row)
            entry = entry_in(kind, public, secret)
            assert isinstance(entry, of), "no others were asked for"
            yield Numbered(number, at, hashed, entry)


def entry_in(kind: str, public: str, secret: str = "") -> Entry:
    """What an entry says by these columns of its row. Where `secret` is empty, the sealed part is None. Raises
    `MalformedEntry`."""
    try:
        parts: tuple[Any, Any] = json.loads(public), json.loads(secret) if secret else None
    except ValueError:
        raise MalformedEntry("it is not JSON") from None
    return read(kind, *parts)


@cache
def _rows(of: tuple[type[Entry], ...], *, with_sealed: bool, newest_first: bool) -> Any:
    # Made once: putting a statement together takes longer than the ledger takes to answer.
    number, kinds = col(JournalEntry.number), [each.kind for each in of]
    secret: Any = col(JournalEntry.secret) if with_sealed else literal("")
    columns = (number, col(JournalEntry.at), col(JournalEntry.hash), col(JournalEntry.kind), col(JournalEntry.public), secret)
    of_kinds = col(JournalEntry.game_id) == bindparam("game"), col(JournalEntry.kind).in_(kinds)
    return columns_of(*columns).where(*of_kinds).order_by(number.desc() if newest_first else number)


# The entries that begin and end the turns of a game, by whose hash all who follow it compare what they were told. That is not
# the head at the time of the report: what comes behind it in the same transaction depends on the report, and whoever has the
# journal alone must know which entry is meant.

TURN_ENTRIES = frozenset({StartedEntry.kind, ImportedEntry.kind, ResolvedEntry.kind, FinishedEntry.kind})
"""What a game begins with, what a step is resolved with, and its end, which stands for its last step."""
_BEGINNING = -1
Shown = TypeVar("Shown")


class TurnEntry(NamedTuple):
    """Number and hash of such an entry."""

    number: int
    hash: str


def last_turn_entry(session: Session, game_id: int | None) -> TurnEntry | None:
    """The one of the last report: None before the game begins, and after a step was taken back until the next is resolved. No
    report tells of the end of a game that was given up."""
    for number, digest, kind, public in session.exec(_LAST_ENDS, params={"game": game_id}):
        if kind != FinishedEntry.kind or not json.loads(public).get("abandoned"):
            return TurnEntry(number, digest) if kind in TURN_ENTRIES else None
    return None


_ENDS = sorted({*TURN_ENTRIES, RolledBackEntry.kind})
_LAST_ENDS = (
    select(JournalEntry.number, JournalEntry.hash, JournalEntry.kind, JournalEntry.public)
    .where(JournalEntry.game_id == bindparam("game"), col(JournalEntry.kind).in_(_ENDS))
    .order_by(col(JournalEntry.number).desc())
    .limit(2)
)


def ends_of_steps(entries: Iterable[tuple[str, Mapping[str, Any], Shown]]) -> dict[int, Shown]:
    """Step → what is shown of its entry, from the kind and the public part of each. The end of the game stands for its last
    step, unless it was given up, of which no report tells."""
    ends, last = dict[int, Shown](), _BEGINNING
    for kind, public, shown in entries:
        if kind == ResolvedEntry.kind:
            last = public.get("step", last)
        if kind in TURN_ENTRIES and not public.get("abandoned"):
            ends[last if kind in (ResolvedEntry.kind, FinishedEntry.kind) else _BEGINNING] = shown
    return ends


def turn_entry_of(session: Session, game_id: int | None, step: int) -> TurnEntry | None:
    """The one of the report of a step; None if there is none."""
    kept = select(JournalEntry.number, JournalEntry.hash, JournalEntry.kind, JournalEntry.public).where(
        JournalEntry.game_id == game_id, col(JournalEntry.kind).in_(TURN_ENTRIES)
    )
    rows = session.exec(kept.order_by(col(JournalEntry.number)))
    return ends_of_steps((kind, json.loads(public), TurnEntry(number, digest)) for number, digest, kind, public in rows).get(
        step
    )
