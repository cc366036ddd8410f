"""The letters of a step as an orders file, so that `pbmd adjudicate` can resolve the step again."""

import json
from collections.abc import Container, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlmodel import Session, col, select

from pbmd.archive.format.audience import entry_for_audience
from pbmd.archive.format.sheets import moment
from pbmd.ledger.entries.codec import Entry
from pbmd.ledger.entries.kinds import KINDS
from pbmd.ledger.entries.parts import KeptBack, OneSeat, Orders, WithdrawnMove
from pbmd.ledger.entries.player_entries import CancelledEntry, OrdersEntry, ResignedEntry
from pbmd.ledger.entries.step_entries import MissedDeadline, MissedEntry, ResolvedEntry, RolledBackEntry, kept_back_in
from pbmd.ledger.tables import JournalEntry, SubmissionState
from pbmd.rules import Sheet
from pbmd.terms.times import EPOCH

_NOT_BEGUN = -1
_REFUSED, _GRANTED, _FILED = (
    state.value for state in (SubmissionState.REFUSED, SubmissionState.GRANTED, SubmissionState.FILED)
)
_OPENING = frozenset(kind for kind, of in KINDS.items() if of.opens_step)
STEP_KINDS = _OPENING | {OrdersEntry.kind, CancelledEntry.kind, MissedEntry.kind, ResignedEntry.kind}
"""The kinds of entries that say what the rules got in a step."""

Row = tuple[int, str, datetime, Entry]
"""An entry of the journal: number, kind, time, and what it says."""


@dataclass(frozen=True, slots=True)
class Missed:
    """Some seat's deadline passed."""

    at: datetime


@dataclass(frozen=True, slots=True)
class Resigned:
    """A seat was given up."""

    seat: str
    at: datetime


Given = Orders | Missed | Resigned
"""What the rules got in a step: letters that they got to see, and what else happened."""


def orders_of_steps(session: Session, game_id: int, last_entry: int) -> Generator[tuple[int, list[Given]]]:
    """The number of each resolved step and what the rules got in it, in the order of the journal, with granted requests last.
    Late, cancelled and misdirected orders are left out."""
    entries = select(JournalEntry).where(
        JournalEntry.game_id == game_id, JournalEntry.number <= last_entry, col(JournalEntry.kind).in_(STEP_KINDS)
    )
    in_order = entries.order_by(col(JournalEntry.number)).execution_options(yield_per=200)

    def rows() -> Iterator[Row]:
        with session.exec(in_order) as found:
            for entry in found:
                secret = json.loads(entry.secret) if entry.secret else None
                yield entry.number, entry.kind, entry.at, entry_for_audience(entry.kind, json.loads(entry.public), secret)

    return given_in_steps(rows(), orders_seen(rows()))


def given_in_steps(rows: Iterable[Row], seen: Container[int]) -> Generator[tuple[int, list[Given]]]:
    """The same from the entries of a journal; `seen` are the numbers of the orders that the rules got to see."""
    running = _NOT_BEGUN
    step: list[Given] = []
    gone: set[str] = set()
    for number, kind, at, entry in rows:
        if kind == ResolvedEntry.kind:
            yield running, [*step, *_kept(kept_back_in(entry))]
        if kind in _OPENING:
            before, step, gone = running, [], set()
            running = entry.step if isinstance(entry, RolledBackEntry) else before + 1 if kind == ResolvedEntry.kind else 0
        match entry:
            case ResignedEntry(seat=seat):
                step.append(Resigned(seat, at))
            case MissedEntry(sealed=MissedDeadline(seat=seat)):
                step.append(Missed(at))
                gone.add(seat)
            # Orders may be late for a step that is over. Orders that were refused because the deadline had been missed would be
            # accepted where no deadline is marked.
            case OrdersEntry(sealed=Orders() as letter) if number in seen and entry.step == running:
                if letter.seat not in gone or letter.state != _REFUSED:
                    step.append(letter)
            case _:
                pass


def orders_seen(rows: Iterable[Row]) -> frozenset[int]:
    """The numbers of the entries with orders that reached the rules and were not taken back."""
    seen: set[int] = set()
    filed: dict[str, list[int]] = {}
    for number, _kind, _at, entry in rows:
        match entry:
            case OrdersEntry(sealed=Orders() as letter) if not letter.unseen:
                seen.add(number)
                if letter.state == _FILED:
                    filed.setdefault(letter.seat, []).append(number)
            case CancelledEntry(sealed=OneSeat(seat=seat)):
                seen -= set(filed.pop(seat, ()))
            case ResolvedEntry() | RolledBackEntry():
                filed = {}
            case _:
                pass
    return frozenset(seen)


def _kept(entries: Sequence[KeptBack]) -> list[Given]:
    """What was recorded only when the step was over and the rules accepted: requests, and of the moves that were sent ahead the
    last of each seat, unless it was taken back."""
    requests = [entry for entry in entries if isinstance(entry, Orders) and entry.state == _GRANTED]
    moves: dict[str, Orders] = {}
    for entry in entries:
        if isinstance(entry, WithdrawnMove):
            moves.pop(entry.seat, None)
        elif isinstance(entry, Orders) and entry.state == _FILED:
            moves[entry.seat] = entry
    return [*requests, *moves.values()]


def orders_document(entries: Iterable[Given], *, marks_deadlines: bool, without: Sequence[Sheet] = ()) -> dict[str, Any]:
    """The entries of an orders file, in order of arrival, without the letters of the sheets that are already in the position.
    Simultaneous rulesets need no mark where a deadline passed."""
    there = {(sheet.seat, sheet.arrival) for sheet in without}
    written: list[tuple[tuple[int, int], dict[str, Any]]] = []
    latest = 0
    for entry in entries:
        if isinstance(entry, Orders):
            if (entry.seat, entry.arrival) in there:
                continue
            latest = max(latest, entry.arrival[0])
            text = {"player": entry.seat, "received": moment(entry.arrival), "text": _text(entry.lines)}
            written.append((entry.arrival, text))
        elif isinstance(entry, Resigned):
            latest = max(latest, _microseconds(entry.at))
            written.append(((latest, 1 << 61), {"player": entry.seat, "received": moment((latest,)), "resigns": True}))
        elif marks_deadlines and not (written and "deadline" in written[-1][1]):
            # Never before a letter that had been dealt with by then, whatever its server's clock said.
            latest = max(latest, _microseconds(entry.at))
            written.append(((latest, 1 << 62), {"deadline": True, "received": moment((latest,))}))
    return {"orders": [entry for _, entry in sorted(written, key=lambda item: item[0])]}


def _microseconds(at: datetime) -> int:
    return (at - EPOCH) // timedelta(microseconds=1)


def _text(lines: Sequence[tuple[int, str]]) -> str:
    """The lines where they stood in the letter: what stood between them becomes blank lines."""
    texts = dict(lines)
    return "".join(f"{texts.get(number, '')}\n" for number in range(1, max(texts, default=0) + 1))
