"""Entries of journals as the ledger has them, read by their types."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any, Generic

from sqlalchemy import ColumnElement, bindparam, literal, select
from sqlmodel import Session, col

from pbmd.ledger.entries.codec import E, Entry, MalformedEntry
from pbmd.ledger.entries.kinds import read
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
    return select(*columns).where(*of_kinds).order_by(number.desc() if newest_first else number)
