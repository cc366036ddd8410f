"""Whether players' addresses take mail: a seat is marked while mail to its address comes back, and gets mail all the same."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlmodel import col, select

from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.ledger.tables import Bounce, Game, GameStatus, Outbox, OutboxState, Seat, SeatState

QUIET = timedelta(days=3)
"""Mail that was taken and has not come back for so long has arrived: few bounces take longer."""


def mark_unreachable(work: Transaction, address: str) -> list[tuple[OpenGame, Seat]]:
    """Mark the seats that are played from this address and are not marked yet; gives them."""
    played = (Seat.state == SeatState.ACTIVE, Game.status != GameStatus.FINISHED, col(Seat.unreachable_since).is_(None))
    found = work.session.exec(select(Seat.game_id, Seat.number).join(Game).where(Seat.address == address, *played)).all()
    marked = [(work.table(game_id), number) for game_id, number in found]
    seats = [(table, next(seat for seat in table.seats if seat.number == number)) for table, number in marked]
    for table, seat in seats:
        seat.unreachable_since = work.now
        work.log("unreachable", table, seat.name, "mail to this player comes back; it is sent all the same")
    return seats


def heard_from(work: Transaction, table: OpenGame, seat: Seat) -> None:
    """A letter has come from the address of a seat that is marked, so it is in use."""
    _clear(work, table, seat, "a letter has come")


def reconsider(work: Transaction, table: OpenGame, seat: Seat, marked: datetime) -> None:
    """Look whether mail has arrived that was sent since the seat was marked."""
    kept = (Outbox.recipient == seat.address, Outbox.state == OutboxState.SENT, col(Outbox.bounced_at).is_(None))
    when = (col(Outbox.queued_at) > marked, col(Outbox.sent_at) <= work.now - QUIET)
    taken = work.session.exec(select(Outbox.id).where(*kept, *when)).all()
    if taken and not set(taken) <= _came_back(work, seat.address, taken):
        _clear(work, table, seat, "mail is not coming back any more")


def _came_back(work: Transaction, address: str, mails: Sequence[int | None]) -> set[int | None]:
    """Which of these have come back, be it for now."""
    return set(work.session.exec(select(Bounce.outbox_id).where(Bounce.address == address, col(Bounce.outbox_id).in_(mails))))


def _clear(work: Transaction, table: OpenGame, seat: Seat, why: str) -> None:
    seat.unreachable_since = None
    work.log("reachable", table, seat.name, why)
