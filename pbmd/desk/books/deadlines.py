"""The deadline of a seat: the game's, one of its own, or a later one where the rules let it wait for another's orders.

As long as the orders that a seat waits for are awaited, it has no deadline. From the instant at which they are filed, or
missed, or given up (`Seat.settled_at`) it has so many hours, and never less than without waiting. The instant is when pbmd
noted it, and not when the letter arrived, so that nobody loses time by a letter that was held or by a mail server that was
down. Reminders keep to the times of the seat's own deadline until that is over: they are in the log.
"""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.ledger.entries.parts import Instant, MovedDeadlines
from pbmd.ledger.journal import written_time
from pbmd.ledger.tables import Seat
from pbmd.rules.protocol import Wait
from pbmd.terms.quiet_days import allowed


def with_part(table: OpenGame) -> frozenset[str]:
    """The names of the seats with a part in this step: the rules await their orders, or have them. In a sequential game a move
    that waits has none yet.

    A seat without one gets the report that opens the step, without a form. It is not awaited, reminded, or told that it missed
    anything, and cannot hold the step up."""
    rules = table.ruleset
    on_file = () if rules.sequential else rules.sheets(table.position)
    return frozenset((*table.awaiting, *(sheet.seat for sheet in on_file)))


def own_deadline(table: OpenGame, seat: Seat) -> datetime | None:
    """The deadline as it is without any waiting; None if none runs."""
    return seat.deadline or table.game.deadline


def waiting_for(table: OpenGame, seat: Seat) -> Wait | None:
    """For whose orders the seat still waits; as long as it does, it has no deadline."""
    return _first_unended(table, _waits(table, seat))


def deadline_of(table: OpenGame, seat: Seat) -> datetime | None:
    """The deadline of the seat; None if none runs, or as long as it waits for another's orders."""
    own = own_deadline(table, seat)
    waits = _waits(table, seat) if own else ()
    if own is None or _first_unended(table, waits):
        return None
    settled = [(wait, table.seat(wait.on).settled_at) for wait in waits]
    return max((own, *(allowed(table.terms, at + timedelta(hours=wait.hours)) for wait, at in settled if at)))


def not_missed(table: OpenGame) -> list[Seat]:
    """The seats that have not missed the deadline of this step: what moves it moves theirs."""
    return [seat for seat in table.seats if seat.missed_step != table.game.step]


def move_deadlines(table: OpenGame, moved: Callable[[datetime], datetime]) -> None:
    """Move the deadlines of this step, that of the game and those of seats. Who has missed theirs keeps it."""
    move_own_deadlines(table, moved)
    table.game.deadline = table.game.deadline and moved(table.game.deadline)


def move_own_deadlines(table: OpenGame, moved: Callable[[datetime], datetime | None]) -> None:
    """Move the deadlines that seats have of their own; None makes that of the game theirs. Who has missed the game's keeps it
    as one of its own, so this comes before that is moved."""
    for seat in table.seats:
        if seat.missed_step == table.game.step:
            seat.deadline = seat.deadline or table.game.deadline
        elif seat.deadline is not None:
            seat.deadline = moved(seat.deadline)


def written_deadline(at: datetime | None) -> str:
    """A deadline as the journal has it, in the public part of what opens a step or moves its deadline; empty if none runs."""
    return written_time(at) if at else ""


def sealed_since(work: Transaction, cause: str = "") -> Instant:
    """Since when the clock of a game stands or its step is closed, for the sealed part of the entry that says so: the arrival
    of the letter that did it, which may be dealt with later. Letters before and after it are told apart by that."""
    return Instant(cause=cause or None, since=written_time(work.as_of))


def sealed_deadlines(table: OpenGame, cause: str = "") -> MovedDeadlines:
    """The deadlines that seats have of their own, for the sealed part of an entry that moves any: who has missed theirs keeps
    it as one of its own, and who that is, is nobody else's business."""
    own = {seat.name: written_time(seat.deadline) for seat in table.seats if seat.deadline}
    return MovedDeadlines(cause=cause or None, own=own or None)


def _waits(table: OpenGame, seat: Seat) -> Sequence[Wait]:
    """For whose orders the rules let the seat wait, sent or not."""
    if table.ruleset.waits is None or table.position is None:
        return ()
    return [wait for wait in table.ruleset.waits(table.position) if wait.seat == seat.name]


def _first_unended(table: OpenGame, waits: Sequence[Wait]) -> Wait | None:
    """The first of these whose orders are still awaited."""
    awaited = set(table.awaiting) if waits else ()
    return next((wait for wait in waits if wait.on in awaited and table.seat(wait.on).missed_step < table.game.step), None)
