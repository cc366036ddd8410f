"""When a game is next to be looked at: its deadlines and reminders."""

from dataclasses import dataclass
from datetime import datetime

from sqlmodel import col, select

from pbmd.desk.books.deadlines import deadline_of, own_deadline
from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.deadlines.awaiting import awaited, closes_at, closing, missing
from pbmd.desk.deadlines.evidence import tolerance
from pbmd.ledger.tables import GameStatus, Outbox, Seat


def reschedule(work: Transaction, table: OpenGame) -> None:
    """Note when the clock must look at this game next."""
    game = table.game
    if game.status is not GameStatus.RUNNING:
        game.due_at = None
        return
    closings = [closes_at(table), *(closing(table, seat) for seat in missing(table))]
    reminders = [reminder.at for reminder in reminders_left(work, table)]
    # Either stays due until there is evidence, and before the tolerance is over there can be none.
    first = min((at for at in (*closings, *reminders, game.substitutes_at) if at), default=None)
    game.due_at = first and first + tolerance(work)


@dataclass(frozen=True, slots=True)
class Reminder:
    """A reminder of one seat of a deadline. `at` is its instant, `key` its place in the outbox."""

    seat: Seat
    at: datetime
    deadline: datetime
    key: str


def reminders_left(work: Transaction, table: OpenGame) -> list[Reminder]:
    """The reminders of this step that are not out yet; of those of a seat whose time has come only the last."""
    reminders: list[Reminder] = []
    for seat in awaited(table):
        times = _times_of(work, table, seat)
        passed = [at for at, _ in times if at <= work.now]
        left = times[max(len(passed) - 1, 0) :]
        reminders += [Reminder(seat, at, deadline, _key(table, seat, deadline, at)) for at, deadline in left]
    keys = [reminder.key for reminder in reminders if reminder.at <= work.now]
    if not keys:
        return reminders
    work.write_rows()
    out = set(work.session.exec(select(Outbox.key).where(col(Outbox.key).in_(keys))))
    return [reminder for reminder in reminders if reminder.key not in out]


def _times_of(work: Transaction, table: OpenGame, seat: Seat) -> list[tuple[datetime, datetime]]:
    """When to remind a seat, in order, and of which deadline.

    Of its own always, whatever else its orders wait for, since the log shows reminders to everybody; of one that comes
    later only when its own is over, and everybody sees that the turn goes on.
    """
    own, later = own_deadline(table, seat), deadline_of(table, seat)
    times = [(at, own) for at in _reminder_times(table, own)] if own and own > work.now else []
    if own and later and later > max(own, work.now):
        times += [(at, later) for at in _reminder_times(table, later) if at >= own]
    return times


def _reminder_times(table: OpenGame, deadline: datetime) -> list[datetime]:
    """When to remind of a deadline, in order; none of them before the step began, or as it did: the report just went out."""
    opened = table.game.opened_at
    return [at for ahead in table.step_terms.reminder_times if opened and (at := deadline - ahead) > opened]


def _key(table: OpenGame, seat: Seat, deadline: datetime, at: datetime) -> str:
    # In sequential games the clock of a seat goes on while others move.
    step = "move" if table.ruleset.sequential else table.game.step
    return f"reminder {table.id} {step} {seat.number} {deadline.isoformat()} {deadline - at}"
