"""The clerk: the way of a letter.

A letter that was opened (`pbmd.desk.letter.opening`) goes from station to station in the order of `STATIONS`; the first that
takes it ends its way. What a letter sets off is reported when it has come to its end (`pbmd.desk.mailroom`).
"""

from collections.abc import Callable
from functools import partial

from sqlmodel import col

from pbmd.desk.books.transaction import Transaction
from pbmd.desk.confirming.answers import not_read, take_answer
from pbmd.desk.confirming.held_letters import hint, hold
from pbmd.desk.confirming.several_games import hold_unclear
from pbmd.desk.gm.serve import serve as serve_master
from pbmd.desk.letter.answer import send_answer
from pbmd.desk.letter.mailing_list import tell_of_list
from pbmd.desk.letter.opened_letter import (
    STORED,
    Arrived,
    Away,
    Doubtful,
    Former,
    Master,
    Outcome,
    Sender,
    Stored,
    Unclear,
    Whose,
    unanswered,
)
from pbmd.desk.letter.opening import open_letter
from pbmd.desk.letter.sender import is_of, made_by_pbmd
from pbmd.desk.mail.reachable import heard_from
from pbmd.desk.player.serve import serve
from pbmd.desk.player.substitute import hear_away
from pbmd.desk.questions.ask import Answering
from pbmd.desk.questions.elsewhere import tell_who_was_asked
from pbmd.desk.sending.bounces import take_bounce
from pbmd.desk.step.moves_due import carry_on
from pbmd.desk.visitors.ask import visiting
from pbmd.desk.visitors.asked_for import asked_for
from pbmd.desk.visitors.former import hear_former
from pbmd.desk.visitors.serve import hear_visitor, receive_visitor, tell_unread
from pbmd.ledger.tables import Letter as LetterRow
from pbmd.ledger.tables import LetterState
from pbmd.post.lines.sorted_lines import LeftOut
from pbmd.post.tags import BOUNCE_MARK

_AN_ANSWER = "an answer to a question"
_NOT_ASKED = "an answer from somebody who was not asked"
_UNREAD = "a reply in which nothing could be read"
_LOST = "from somebody who has lost the seat"
Station = Callable[[Transaction, Arrived, Whose], Outcome | None]


def deal_with(work: Transaction, arrived: Arrived, whose: Whose) -> None:
    """Do what a letter says, answer it, and write down what became of it."""
    outcomes = (station(work, arrived, whose) for station in STATIONS)
    _write_down(work, arrived.id, next(outcome for outcome in outcomes if outcome is not None))


def _write_down(work: Transaction, letter_id: int, outcome: Outcome) -> None:
    if outcome.held:
        return
    table, seat = outcome.table, outcome.seat
    work.settle_letter(letter_id, LetterState.DONE, outcome.note, table and table.id, seat and seat.id)
    if outcome.logged:
        work.log("letter", table, seat.name if seat else "-", f"letter {letter_id} {outcome.note}")


def from_a_pbmd(work: Transaction, arrived: Arrived, _: Whose) -> Outcome | None:
    """A mail that a pbmd has made, this one or another, is not answered: two of them would never end."""
    why = made_by_pbmd(arrived.letter, work.desk.settings.server.address, partial(is_of, work))
    return unanswered(why) if why else None


def bounce(work: Transaction, arrived: Arrived, _: Whose) -> Outcome | None:
    """A mail of ours has come back."""
    letter = arrived.letter
    if not letter.vacation and not any(BOUNCE_MARK in address for address in letter.recipients):
        return None
    why = take_bounce(work, letter, arrived.id, arrived.raw)
    return unanswered(why) if why else None


def game_master(work: Transaction, arrived: Arrived, whose: Whose) -> Outcome | None:
    """The game master says something about a game of theirs."""
    if not isinstance(whose, Master):
        return None
    serve_master(work, whose, arrived)
    return Outcome("from the game master", whose.table)


def visitor_answers(work: Transaction, arrived: Arrived, whose: Whose) -> Outcome | None:
    """Somebody without a seat answers what they were asked."""
    if arrived.letter.automatic or (isinstance(whose, Sender) and not whose.by_address):
        return None  # What shows a seat's token answers no question that was asked of somebody without a seat; most letters do.
    visit = visiting(work, arrived)
    if visit is None or (visit.said == "unclear" and isinstance(whose, Sender)):
        return None
    hear_visitor(work, visit)
    return Outcome(_AN_ANSWER)


def visitor(work: Transaction, arrived: Arrived, whose: Whose) -> Outcome | None:
    """Somebody asks for what needs no seat: LIST, WATCH, UNWATCH, STANDBY, JOIN."""
    if arrived.letter.automatic or not (arrived.script.commands or isinstance(whose, str)):
        return None  # Only what strangers want is read in their subject, and in a question how to begin.
    command = asked_for(work, arrived, whose)
    if command is None:
        return None
    note = receive_visitor(work, arrived, command, plays=not isinstance(whose, str | Former))
    return Outcome(note, logged=bool(note))


def away(work: Transaction, arrived: Arrived, whose: Whose) -> Outcome | None:
    """The player of a seat that a substitute has for now: they can take it back, and hear how."""
    if not isinstance(whose, Away):
        return None
    if arrived.letter.automatic:
        return unanswered(arrived.letter.automatic, whose.table, whose.seat)
    hear_away(work, whose, arrived)
    carry_on(work, whose.table, begins=True)
    return Outcome("from its player, while a substitute has the seat", whose.table, whose.seat)


def seat(work: Transaction, arrived: Arrived, whose: Whose) -> Outcome | None:
    """A seat is proven: its orders are filed and its commands done. A machine that writes for it gets no answer."""
    if not isinstance(whose, Sender):
        return None
    if whose.seat.unreachable_since is not None:
        heard_from(work, whose.table, whose.seat)
    answer = serve(work, arrived, whose)
    if arrived.letter.automatic:
        tell_of_list(work, whose.table, whose.seat, arrived, is_read=True)
        return unanswered(arrived.letter.automatic, whose.table, whose.seat)
    send_answer(work, whose, arrived.letter, arrived.id, answer)
    return Outcome("", whose.table, whose.seat)


def machine(work: Transaction, arrived: Arrived, whose: Whose) -> Outcome | None:
    """Any other mail of a machine is not answered. One that shows a seat's secret may be its orders, by way of a mailing list
    that writes in its own name: nobody is asked, but the game master is told, and whose seat it is."""
    if not arrived.letter.automatic:
        return None
    if isinstance(whose, Doubtful) and whose.shows_secret and not arrived.letter.vacation:
        note = f"neither read nor answered: {arrived.letter.automatic}, and {whose.reason}"
        work.log("unheard", whose.table, whose.seat.name, f"letter {arrived.id} {note}")
        tell_of_list(work, whose.table, whose.seat, arrived, is_read=False)
        return Outcome(note, whose.table, whose.seat)
    return unanswered(arrived.letter.automatic)


def former(work: Transaction, arrived: Arrived, whose: Whose) -> Outcome | None:
    """Somebody writes for a seat that they have lost: they are told so."""
    if not isinstance(whose, Former):
        return None
    if not hear_former(work, whose, arrived):
        return unanswered("no mail can be sent to an address like its sender's", whose.table, whose.seat)
    return Outcome(_LOST, whose.table, whose.seat, logged=True)


def player_answers(work: Transaction, arrived: Arrived, whose: Whose) -> Outcome | None:
    """The holder of a seat answers what they were asked; a YES to a letter that was held has it dealt with."""
    if not isinstance(whose, Answering):
        return None
    if take_answer(work, whose, arrived.letter, arrived.id, arrived.arrived_at):
        _release(work, whose, not_read(work, whose, arrived.letter))
    # It may have been given up by whoever was to move.
    carry_on(work, whose.table, begins=True)
    return Outcome(_AN_ANSWER, whose.table, whose.seat)


def several_games(work: Transaction, arrived: Arrived, whose: Whose) -> Outcome | None:
    """A player of several seats does not say for which the letter is: they are asked."""
    if not isinstance(whose, Unclear):
        return None
    why = hold_unclear(work, whose, arrived)
    return unanswered(why) if why else Outcome(held=True)


def doubtful(work: Transaction, arrived: Arrived, whose: Whose) -> Outcome | None:
    """A letter may be a seat's, and proves nothing: the seat's holder is asked."""
    if not isinstance(whose, Doubtful):
        return None
    why = hold(work, whose, arrived)
    hint(work, arrived.letter, arrived.id)
    return unanswered(why, whose.table, whose.seat) if why else Outcome(held=True)


def stranger(work: Transaction, arrived: Arrived, whose: Whose) -> Outcome:
    """Whatever is left is nobody's letter. Who replies to a mail of ours is told that nothing in it was read, and who was
    asked what it answers that it does not count; whoever else wrote it may be told how to begin."""
    if tell_unread(work, arrived):
        return Outcome(_UNREAD)
    is_told = tell_who_was_asked(work, arrived.letter, arrived.questions)
    # Whatever the code in the letter is, its writer gets the same, and learns nothing of it.
    hint(work, arrived.letter, arrived.id)
    return Outcome(_NOT_ASKED, logged=True) if is_told else unanswered(str(whose))


STATIONS: tuple[Station, ...] = (
    from_a_pbmd,
    bounce,
    game_master,
    visitor_answers,
    visitor,
    away,
    seat,
    machine,
    former,
    player_answers,
    several_games,
    doubtful,
    stranger,
)
"""Each says what became of a letter that it takes, and None of others."""


def _release(work: Transaction, answer: Answering, left_out: tuple[LeftOut, ...]) -> None:
    """Deal with a letter that was held and is confirmed, as if it had never been in doubt. `left_out`: what was not read of
    the answer that confirms it."""
    held = answer.question.letter_id or 0
    work.write()
    found = STORED.where(col(LetterRow.id) == held, col(LetterRow.state) == LetterState.HELD)
    row = work.session.connection().execute(found).first()
    if row is None:
        return
    sender = Sender(answer.table, answer.seat, confirmed=True)
    arrived, _ = open_letter(work, Stored(*row), sender)
    with work.because(f"letter {held}, confirmed by {work.cause}"):
        served = serve(work, arrived, sender)
    served.left_out += left_out
    _write_down(work, held, Outcome("confirmed by its player", sender.table, sender.seat))
    send_answer(work, sender, arrived.letter, held, served)
