"""Moving the deadlines of a game and of its seats, and what the journal keeps sealed of that. Which deadline a seat has,
the open game tells.
"""

from collections.abc import Callable
from datetime import datetime

from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.ledger.entries.parts import Instant, MovedDeadlines
from pbmd.ledger.journal import written_time
from pbmd.ledger.tables import Seat


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


def sealed_since(work: Transaction, cause: str = "") -> Instant:
    """Since when the clock of a game stands or its step is closed, for the sealed part of the entry that says so: the arrival
    of the letter that did it, which may be dealt with later. Letters before and after it are told apart by that."""
    return Instant(cause=cause or None, since=written_time(work.as_of))


def sealed_deadlines(table: OpenGame, cause: str = "") -> MovedDeadlines:
    """The deadlines that seats have of their own, for the sealed part of an entry that moves any: who has missed theirs keeps
    it as one of its own, and who that is, is nobody else's business."""
    own = {seat.name: written_time(seat.deadline) for seat in table.seats if seat.deadline}
    return MovedDeadlines(cause=cause or None, own=own or None)
