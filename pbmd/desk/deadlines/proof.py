"""The ledger proves itself before it is used: the secrets of the dice and the orders on file are what the journal has of them,
and the entries since the step began are the chain that was written.

The journal has orders as they were sent, the position has them as the rules understood them, and what a receipt shows stands
between, among the submissions: these are held against both.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from sqlalchemy import bindparam, select
from sqlmodel import col

from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.ledger.digests import found_in, with_found
from pbmd.ledger.entries.codec import Entry, MalformedEntry
from pbmd.ledger.entries.master_entries import ResumedEntry
from pbmd.ledger.entries.parts import Orders, meanwhile_in
from pbmd.ledger.entries.player_entries import OrdersEntry
from pbmd.ledger.entries.rows import entry_in
from pbmd.ledger.entries.step_entries import (
    CreatedEntry,
    ImportedEntry,
    ResolvedEntry,
    RestoredEntry,
    RolledBackEntry,
    StartedEntry,
)
from pbmd.ledger.journal import FIRST_HASH, ChainError, Link, verify
from pbmd.ledger.tables import JournalEntry, Submission, SubmissionState
from pbmd.rules import sheets
from pbmd.rules.dice import commitment
from pbmd.rules.protocol import Sheet
from pbmd.rules.troubles import AlteredGame

_BEGINNING = (CreatedEntry, StartedEntry, ImportedEntry, ResolvedEntry, RolledBackEntry)
"""With these a step begins, and promises the secrets of its dice; when a backup is restored, others are promised."""
_PROMISING = (*_BEGINNING, RestoredEntry)
_STEPS, _PROMISES = (tuple(of.kind for of in those) for those in (_BEGINNING, _PROMISING))


def must_be_proved(work: Transaction, table: OpenGame) -> None:
    """Raises `AlteredGame` if something of the game is not what was written, and says what."""
    if parts := differences(work, table):
        raise AlteredGame(table.game.name, parts)


def differences(work: Transaction, table: OpenGame) -> list[str]:
    """What of the game is not what was written, in words that tell no secret."""
    step, found = _step_of(work, table), list(table.altered_words)
    if step is None:
        return [*found, "the journal, which is not there"]
    if broken := list(_of_chain(work, table, step)):
        return [*found, *broken]
    orders = () if table.trouble else _of_orders(work, table, step)  # only the rules know them, by the position
    return [*found, *_of_secrets(table, step), *orders]


def look_anew(table: OpenGame) -> None:
    """What was found in the game's books when it was stopped may be mended by now: believe it only if it is found again."""
    found = found_in(table.game.digests)
    table.game.digests = with_found(table.game.digests, ())
    table.altered = tuple(part for part in table.altered if part not in found)


def secrets_hold(work: Transaction, table: OpenGame) -> bool:
    """Whether the secrets that the dice of the step to come are made from are those that were promised."""
    step = _step_of(work, table)
    try:
        return step is not None and not list(_of_secrets(table, step))
    except MalformedEntry:
        return False


@dataclass(frozen=True, slots=True)
class _Step:
    """The entries of a step, and the one before them. `first` is the place of the entry with which the step began, `accepted`
    the number of the one up to which nothing is held against anything any more, 0 if there is none."""

    entries: Sequence[Link]
    first: int
    accepted: int


def _step_of(work: Transaction, table: OpenGame) -> _Step | None:
    """The step that runs, as the journal has it; None if it has nothing."""
    work.write_rows()
    entries = [Link(*row) for row in work.session.connection().execute(_OF_STEP, {"game": table.id})]
    began = [place for place, entry in enumerate(entries) if entry.kind in _STEPS]
    accepted = [entry.number for entry in entries if entry.kind == ResumedEntry.kind and _accepts(entry)]
    return _Step(entries, began[-1], max(accepted, default=0)) if began else None


def _accepts(resumed: Link) -> bool:
    """Whether the game goes on from this entry though its books were not what was written: what was there before it is held
    against nothing any more."""
    match _readable(resumed):
        case ResumedEntry(as_it_is=accepted):
            return accepted is not None
        case _:
            return False


def _readable(row: Link) -> Entry | None:
    """What an entry says, None if that cannot be read: then it is not what was written, as its hash shows."""
    try:
        return entry_in(row.kind, row.public, row.secret)
    except MalformedEntry:
        return None


def _of_chain(work: Transaction, table: OpenGame, step: _Step) -> Iterator[str]:
    begin = max(step.first, sum(entry.number <= step.accepted for entry in step.entries))
    before, since = step.entries[begin - 1] if begin else None, step.entries[begin:]
    try:
        previous, first = (before.hash, before.number + 1) if before else (FIRST_HASH, 1)
        head = verify(since, previous, first, work.desk.sealing)
    except ChainError as problem:
        yield f"the journal, of which {problem}"
        return
    if (step.entries[-1].number, head) != (table.game.chain_number, table.game.chain_head):
        yield "the last entry of the journal, which is not its head"


def _of_secrets(table: OpenGame, step: _Step) -> Iterator[str]:
    promise = next(entry for entry in reversed(step.entries[step.first :]) if entry.kind in _PROMISES)
    entry = entry_in(promise.kind, promise.public)
    assert isinstance(entry, _PROMISING), "no others are looked for"
    for words, promised, secret in (
        ("the dice secret", entry.commitment, table.game.secret),
        ("the secret of the salts", entry.salts_commitment, table.game.salts),
    ):
        if (promised or "") != (commitment(secret) if secret else ""):
            yield f"{words}, which is not the one that entry {promise.number} of the journal has promised"


def _of_orders(work: Transaction, table: OpenGame, step: _Step) -> Iterator[str]:
    """Of the orders on file. Moves that were sent ahead are in no entry yet, but among what waits for one."""
    names, last = {seat.id: seat.name for seat in table.seats}, dict[str, tuple[str, list[str]]]()
    entries = {entry.number: entry for entry in step.entries}
    waiting = list(_waiting(table))
    here = {"game": table.id} if table.ruleset.sequential else {"game": table.id, "step": table.game.step}
    for row in work.session.connection().execute(_FILED if table.ruleset.sequential else _FILED_IN_STEP, here):
        if row.number >= step.accepted:
            seat, lines = names.get(row.seat_id, ""), _lines(row.orders)
            last[seat] = f"the orders with receipt {row.number}", lines
            sent = [_letter(entries[row.number])] if row.number in entries else [] if row.number else waiting
            yield from _of_filed(row, seat, lines, sent)
    yield from _of_sheets(table, last)


def _waiting(table: OpenGame) -> Iterator[Orders]:
    """The moves that were sent ahead; none if what waits cannot be read: then it was altered, which is found by its digest."""
    with suppress(ValueError):
        for item in meanwhile_in(table.game.meanwhile):
            if isinstance(item, Orders) and item.state == SubmissionState.FILED.value:
                yield item


def _letter(row: Link) -> Orders | None:
    entry = _readable(row)
    return entry.sealed if isinstance(entry, OrdersEntry) else None


def _of_sheets(table: OpenGame, last: Mapping[str, tuple[str, list[str]]]) -> Iterator[str]:
    """Of the sheets in the position: `last` has what each seat has sent last, by the submissions."""
    for sheet in table.ruleset.sheets(table.position) if table.position is not None else ():
        told, lines = last.get(sheet.seat, ("", []))
        if told and tuple(lines) != sheet.lines:
            yield f"{told}, which are not those on file"


def _of_filed(row: Any, seat: str, lines: Sequence[str], sent: Sequence[Orders | None]) -> Iterator[str]:
    """Of orders, which were `sent` in one of these ways, if that is known."""
    told = f"the orders with receipt {row.number}"
    if row.digest != sheets.digest([Sheet(seat, (0, 0), tuple(lines))]).hex():
        yield f"{told}, which are not those of their digest"
    of_row = {"seat": seat, "state": row.state.value, "word": row.word, "head": row.head}
    others = [_other(of_row, each) for each in sent]
    if others and all(others):
        yield f"{told}, whose {others[-1]} is not as in the journal"


def _lines(orders: str) -> list[str]:
    try:
        return [str(line) for line in json.loads(orders)]
    except (ValueError, TypeError):
        return []


def _other(of_row: Mapping[str, str], sent: Orders | None) -> str:
    return " and ".join(key for key, value in of_row.items() if (getattr(sent, key, None) or "") != value)


# Made once: putting a statement together takes longer than the ledger takes to answer.
_NUMBER = col(JournalEntry.number)
_OF_GAME = col(JournalEntry.game_id) == bindparam("game")
_BEGAN = select(_NUMBER).where(_OF_GAME, col(JournalEntry.kind).in_(_STEPS)).order_by(_NUMBER.desc()).limit(1)
_OF_STEP = (
    select(*(col(getattr(JournalEntry, name)) for name in Link.__dataclass_fields__))
    .where(_OF_GAME, _BEGAN.scalar_subquery() - 1 <= _NUMBER)
    .order_by(_NUMBER)
)
"""The entries of the step, and the one before them."""
_FILED = (
    select(*(col(getattr(Submission, name)) for name in ("seat_id", "number", "state", "orders", "digest", "word", "head")))
    .where(col(Submission.game_id) == bindparam("game"), col(Submission.state) == SubmissionState.FILED)
    .order_by(col(Submission.id))
)
_FILED_IN_STEP = _FILED.where(col(Submission.step) == bindparam("step"))
