"""The original of a value that could not be read is kept for somebody to mend it by hand, and may contain people's addresses
and texts. So it is erased when one of them is to be forgotten, and when it has been useless for long. That it was there, and
where, stays."""

import ast
import json
import re
import zlib
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, exists, or_, update
from sqlmodel import SQLModel, col, func, select

from pbmd.desk.books.transaction import Transaction
from pbmd.ledger.readable import Unreadable, plain_row
from pbmd.ledger.tables import Game, GameStatus, Seat, UnreadableValue, is_packed, unpacked_in_part
from pbmd.post.addresses import folded

_GONE = ""
"""Replaces a value: Python writes none like this."""
_LONGEST = 64_000_000
"""How many bytes are read from a text that is stored compressed."""
_IS_OVER = exists().where(col(Game.id) == col(UnreadableValue.game_id), col(Game.status) == GameStatus.FINISHED)
_OLD = (
    col(UnreadableValue.value) != _GONE,
    or_(
        col(UnreadableValue.settled_at) < bindparam("before"),
        (col(UnreadableValue.found_at) < bindparam("before")) & _IS_OVER,
    ),
)


def erase_old_values(work: Transaction, before: datetime) -> None:
    """Erase what has needed nobody's attention since then, and what was found before then in a game that is over."""
    work.session.connection().execute(update(UnreadableValue).where(*_OLD).values(value=_GONE), {"before": before})


def erase_values_of(work: Transaction, address: str) -> int:
    """Erase what contains an address, or belongs to a seat of its holder; returns how many values these were."""
    work.write_rows()
    seats = [seat for seat in work.session.exec(select(Seat)) if folded(address) in _addresses(seat)]
    held = re.compile(rf"(?<![\w.+-]){re.escape(folded(address))}(?![\w-]|\.\w)")
    erased = 0
    for number in work.session.exec(select(UnreadableValue.id).where(UnreadableValue.value != _GONE)).all():
        value = work.session.get_one(UnreadableValue, number)  # one after the other: a letter or a position may be long
        row = _row_of(work, value)
        if held.search(_words(row)) or _is_of(value, row, seats):
            value.value = _GONE
            work.session.flush()
            erased += 1
        work.session.expire(value)
    return erased


def kept_aside(work: Transaction) -> int:
    """How many values are still kept."""
    return work.session.exec(select(func.count()).where(UnreadableValue.value != _GONE)).one()


def _addresses(seat: Seat) -> set[str]:
    return {folded(each) for each in (seat.address, seat.other_address) if each}


def _read(value: str) -> Any:
    """The original value, from Python's notation for it."""
    try:
        return ast.literal_eval(value)
    except (ValueError, SyntaxError):  # an invalid number, written as a word
        return value


def _row_of(work: Transaction, value: UnreadableValue) -> Mapping[str, Any]:
    """The original row: as it was kept if it was removed, or as it is now, with the value restored."""
    kept = _read(value.value)
    if isinstance(kept, dict):
        return kept
    now = {}
    if "id" in SQLModel.metadata.tables[value.of_table].c:
        now = plain_row(work.session.connection(), Unreadable(value.of_table, (("id", int(value.of_row)),), value.of_column))
    return now | {value.of_column: kept}


def _is_of(value: UnreadableValue, row: Mapping[str, Any], seats: Sequence[Seat]) -> bool:
    """Whether a row belongs to one of these seats: by its id, or by the names of readers of reports and of entries of the
    journal."""
    ids = {seat.id for seat in seats}
    if row.get("seat_id") in ids or (value.of_table == "seat" and row.get("id") in ids):
        return True
    here = [seat for seat in seats if seat.game_id == value.game_id]
    named = {f"seat:{seat.number}" for seat in here} | {seat.name for seat in here}
    return not named.isdisjoint((row.get("reader"), *_seats_in(row.get("public")), *_seats_in(row.get("secret"))))


def _seats_in(document: Any) -> list[str]:
    """The seats that a part of an entry of the journal names, even if that cannot be read as an entry."""
    return [json.loads(name) for name in _SEAT.findall(document)] if isinstance(document, str) else []


_SEAT = re.compile(r'"seat":("(?:[^"\\]|\\.)*")')


def _words(kept: Any) -> str:
    """All texts in it, in which an address is found as it is written or in different case."""
    if isinstance(kept, Mapping):
        return " ".join(map(_words, kept.values()))
    return folded(_inflated(kept).decode("latin-1") if isinstance(kept, bytes) else str(kept))


def _inflated(data: bytes) -> bytes:
    if is_packed(data):
        return unpacked_in_part(data)
    try:
        return zlib.decompressobj().decompress(data, _LONGEST)
    except zlib.error:  # it is not compressed text, or unreadable
        return data
