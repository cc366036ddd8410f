"""Orders for a step that was never resolved, as far as the journal of an archive shows them: they are in no folder of a
turn."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime

from pbmd.archive.format.sheets import moment
from pbmd.archive.write.reader import DatedEntry
from pbmd.ledger.entries.codec import Entry
from pbmd.ledger.entries.parts import KeptBack, OneSeat, Orders, WithdrawnMove
from pbmd.ledger.entries.player_entries import CancelledEntry, OrdersEntry
from pbmd.ledger.entries.step_entries import RolledBackEntry, kept_back_in
from pbmd.ledger.tables import SubmissionState

_FILED, _REPLACED, _CANCELLED, _ROLLED_BACK = (
    state.value
    for state in (SubmissionState.FILED, SubmissionState.REPLACED, SubmissionState.CANCELLED, SubmissionState.ROLLED_BACK)
)


@dataclass(frozen=True, slots=True)
class Waiting:
    """A letter with orders. `receipt` is the entry that holds it; `state` is a `SubmissionState`."""

    seat: str
    arrived: datetime
    receipt: int
    state: str
    lines: tuple[str, ...]


def orders_left(entries: Iterable[DatedEntry]) -> list[Waiting]:
    """The letters with orders in the entries after the last resolution, in order, and what became of each."""
    found: list[Waiting] = []
    for number, told in _told(entries):
        match told:
            case Orders():
                if told.state == _FILED:
                    found = _settled(found, _REPLACED, told.seat)
                lines = tuple(text for _, text in told.lines)
                found.append(Waiting(told.seat, moment(told.arrival), number, told.state, lines))
            case RolledBackEntry():
                found = _settled(found, _ROLLED_BACK)
            case WithdrawnMove(seat=seat) | CancelledEntry(sealed=OneSeat(seat=seat)):
                found = _settled(found, _CANCELLED, seat)
            case _:
                pass
    return found


def _told(entries: Iterable[DatedEntry]) -> Iterator[tuple[int, KeptBack | Entry]]:
    """Each number with what its entry says, after what that entry records from earlier."""
    for entry in entries:
        if entry.content is None:
            continue
        for kept in kept_back_in(entry.content):
            yield entry.number, kept
        letter = entry.content.sealed if isinstance(entry.content, OrdersEntry) else None
        yield entry.number, letter or entry.content


def _settled(found: Iterable[Waiting], state: str, seat: str | None = None) -> list[Waiting]:
    """What was on file, for that seat or for all, now has another state."""
    return [replace(each, state=state) if each.state == _FILED and seat in (None, each.seat) else each for each in found]
