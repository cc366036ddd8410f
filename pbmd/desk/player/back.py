"""I'M BACK: the player of a seat that was asleep plays on; so does who sends orders."""

from pbmd.desk.books.attendance import missed_by
from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.language.commands import Command
from pbmd.desk.letter.answer import Answer
from pbmd.desk.letter.opened_letter import Arrived, Sender
from pbmd.desk.player.orders.timing import not_under_way
from pbmd.desk.step.absences import announced
from pbmd.desk.step.sleepers.waking import wake
from pbmd.ledger.tables import Seat
from pbmd.terms.sleepers import BACK


def back(work: Transaction, sender: Sender, _arrived: Arrived, _command: Command, answer: Answer) -> None:
    """I'M BACK."""
    table, seat = sender.table, sender.seat
    if words := not_under_way(table):
        answer.remark(f"{BACK}: {words}.")
    elif seat.is_asleep:
        wake_by_mail(work, sender, answer)
    else:
        answer.remark(_never_asleep(work, table, seat))
    if announced(work, table, seat):
        answer.remark("You have said that you are away: CANCEL ABSENCE takes that back.")


def wake_by_mail(work: Transaction, sender: Sender, answer: Answer) -> None:
    """The player of a seat that is asleep has written."""
    table, seat = sender.table, sender.seat
    wake(work, table, seat, "its player")
    awaited = seat.name in table.awaiting and seat.missed_step < table.game.step
    waits = f"the game waits for your orders for {table.game.step_called}" if awaited else "the game waits for you as before"
    answer.remark(f"Welcome back. {seat.name} is yours and awake again: {waits}.")


def _never_asleep(work: Transaction, table: OpenGame, seat: Seat) -> str:
    """The answer to somebody for whom the game has waited all the time. What they missed in a row counts no more: they are
    there."""
    still = f"{seat.name} was not asleep: it is yours, and the game waits for you as for everybody"
    if not table.terms.missed_in_a_row or not missed_by(work, table, seat).in_a_row:
        return f"{still}."
    seat.counted_from = table.game.step
    return f"{still}. What you have missed in a row counts no more."
