"""Letters that could be for any of several games of a player: held with their arrival while the player is asked which."""

from datetime import timedelta

from sqlmodel import col, select

from pbmd.desk.books.question_payloads import WhichSeat, read_as, written
from pbmd.desk.books.transaction import Transaction
from pbmd.desk.confirming.held_letters import SHOWN_CHARS, SHOWN_LINES, says_nothing, understood
from pbmd.desk.letter.opened_letter import Arrived, Sender, Unclear
from pbmd.desk.mail.draft import Draft, render
from pbmd.desk.mail.queue import mail_to
from pbmd.desk.questions.ask import open_question
from pbmd.ledger.lately import lately
from pbmd.ledger.tables import Confirmation, GameStatus, LetterState
from pbmd.post.tags import write_tag
from pbmd.rules.troubles import BrokenGame
from pbmd.terms.times import describe_time

MOST_SEATS = 20
"""A question names at most this many seats, and at most this many rulesets read a letter."""


def hold_unclear(work: Transaction, unclear: Unclear, arrived: Arrived) -> str:
    """Hold a letter, and ask for which seat it is. Returns the reason for the log if it is not held, "" if it is.

    It belongs to no game while it waits, so that whatever becomes of one of them does not put it away. If nobody can be asked,
    it is not held: the limit applies to the address.
    """
    address = unclear.seats[0].seat.address
    if says_nothing(arrived.script):
        return f"{unclear.reason}, and nothing in it that could be done"
    if _asked_lately(work, address) >= work.desk.settings.limits.confirmations_per_day:
        return f"{unclear.reason}; its player was asked often enough today"
    seats = unclear.seats[:MOST_SEATS]
    work.settle_letter(arrived.id, LetterState.HELD, unclear.reason, None, None)
    kept = WhichSeat(address, tuple((each.table.id, each.seat.id or 0) for each in seats))
    question, code = open_question(work, seats[0].table, None, "which", arrived.id, written(kept))
    zone = seats[0].seat.timezone
    lines = [line for each in seats for line in (f"{each.table.game.name}: {each.seat.name}", *_read_by(work, each, arrived))]
    values = {
        "arrived": describe_time(arrived.arrived_at, zone, seconds=True),
        "until": describe_time(question.expires_at, zone),
        "seats": lines,
        "several_in_one": not kept.one_of_each_game,
    }
    title = f"[pbmd] which game is your mail for? ({write_tag(code)})"
    mail_to(work, address, Draft("question", f"question {question.id}", title, render("ask_which.txt", values)), None, code)
    work.log("held", detail=f"letter {arrived.id}: {unclear.reason}; its player was asked")
    return ""


def _read_by(work: Transaction, each: Sender, arrived: Arrived) -> list[str]:
    """How one of the games would read the letter, indented."""
    if each.table.game.status is GameStatus.SIGNUP:
        return []
    try:
        lines = understood(work, each, arrived)
    except BrokenGame:
        return []  # it may be meant for it all the same
    more = len(arrived.script.orders) + len(arrived.script.commands) - len(lines[:SHOWN_LINES])
    shown = [f"    {line[:SHOWN_CHARS]}" for line in lines[:SHOWN_LINES]]
    return [*shown, f"    … and {more} more line{'' if more == 1 else 's'}"] if more else shown


def _asked_lately(work: Transaction, address: str) -> int:
    """How often an address was asked this in the last day."""
    work.write()
    today = lately(Confirmation.asked_at, work.now, timedelta(days=1))
    asked = select(Confirmation.payload).where(col(Confirmation.seat_id).is_(None), Confirmation.subject == "which", today)
    return sum(read_as(WhichSeat, kept).address == address for kept in work.session.exec(asked))
