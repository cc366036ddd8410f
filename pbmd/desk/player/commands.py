"""What the commands of a seat's letter do, one function a command: which is whose say the rows of the commands
(`pbmd.desk.language.player_commands`). What is more than a few lines has a module of its own beside this."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import cache
from pkgutil import resolve_name

from sqlmodel import col, update

from pbmd.desk.books.question_payloads import MoreTime, OfSeat
from pbmd.desk.books.transaction import Transaction
from pbmd.desk.changes import deadline_changes, new_game
from pbmd.desk.changes.openings import places
from pbmd.desk.changes.seats import must_be_free, rotate
from pbmd.desk.deadlines.awaiting import playing
from pbmd.desk.deadlines.extension_budget import extension_budget
from pbmd.desk.digest.requests import Petition, ask_gm, must_be_seldom
from pbmd.desk.language.commands import Command
from pbmd.desk.letter.answer import Answer, OrdersAnswer
from pbmd.desk.letter.opened_letter import Arrived, Sender
from pbmd.desk.mail.clock_words import clock_words
from pbmd.desk.player.orders.moves import cancel_move
from pbmd.desk.player.orders.timing import mistimed, not_under_way, untimely_move
from pbmd.desk.player.own_words import must_be_a_reason
from pbmd.desk.player.prefer import prefer
from pbmd.desk.questions.ask import Question, ask
from pbmd.desk.step.end_questions import must_have_begun
from pbmd.desk.step.on_file import sent_sentence
from pbmd.desk.step.substitutes.wishes import time_of_substitute
from pbmd.ledger.entries.parts import OneSeat
from pbmd.ledger.entries.player_entries import CancelledEntry, EarlyEnd, ReadyEntry, WaitEntry
from pbmd.ledger.entries.rows import entries_of
from pbmd.ledger.tables import (
    GameStatus,
    Submission,
    SubmissionState,
)
from pbmd.post.addresses import folded
from pbmd.post.lines.sorted_lines import left_out
from pbmd.rules.protocol import Refused
from pbmd.rules.sheets import is_outdated
from pbmd.terms.times import TimeError, describe_duration, parse_duration

Act = Callable[[Transaction, Sender, Arrived, Command, Answer], None]
"""What does a command of a seat; what is to be said of it goes into the answer."""


@cache
def act_named(name: str) -> Act:
    """The act that the row of a command names."""
    return resolve_name(name)


def cancel(work: Transaction, sender: Sender, arrived: Arrived, _command: Command, answer: Answer) -> None:
    """CANCEL ORDERS."""
    table, seat = sender.table, sender.seat
    sequential = table.ruleset.sequential
    try:
        if sequential:
            cancel_move(work, sender, arrived)
        else:
            _cancel_orders(work, sender, arrived)
    except Refused as refusal:
        answer.remark(f"CANCEL ORDERS: {refusal}.")
        return
    of_step = [] if sequential else [col(Submission.step) == table.game.step]
    work.write()
    work.session.exec(
        update(Submission)
        .where(col(Submission.game_id) == table.id, *of_step)
        .where(col(Submission.seat_id) == seat.id, col(Submission.state) == SubmissionState.FILED)
        .values(state=SubmissionState.CANCELLED, cancelled_by=arrived.id),
        execution_options={"synchronize_session": False},
    )
    if answer.orders is not None:
        answer.orders = _cancelled(answer.orders, sent_sentence(table), is_move=sequential)
    if sequential:
        answer.moves = False
        answer.remark("Your move is cancelled.")
    else:
        answer.remark(f"Your orders for {table.game.step_called} are cancelled. The game waits for your orders again.")


def _cancelled(orders: OrdersAnswer, sent: str, *, is_move: bool) -> OrdersAnswer:
    """The answer to orders below which CANCEL ORDERS stands: the last counts, and they are ready to be sent again."""
    what = "move in your mail was cancelled" if is_move else "orders in your mail were cancelled"
    gone = tuple(dict.fromkeys((*(orders.in_force or ()), *orders.no_longer)))
    nothing = replace(orders, in_force=None, digest="", sent=sent, defaults=(), replacing="", taken=False, no_longer=gone)
    return replace(
        nothing,
        headline=f"the {what} by CANCEL ORDERS below: the last counts",
        short="move cancelled" if is_move else "orders cancelled",
    )


def _cancel_orders(work: Transaction, sender: Sender, arrived: Arrived) -> None:
    table, seat = sender.table, sender.seat
    _must_be_timely(work, sender, arrived)
    if is_outdated(table.ruleset.sheets(table.position), seat.name, arrived.arrival):
        raise Refused("a later mail of yours is in force")
    work.move(table, table.ruleset.withdraw(table.position, seat.name))
    seat.settled_at = None
    entry = CancelledEntry(turn=table.game.turn, step=table.game.step, sealed=OneSeat(seat=seat.name))
    number = work.journal(table, entry)
    work.log("cancelled", table, seat.name, f"receipt {number}")


def wait(work: Transaction, sender: Sender, arrived: Arrived, _command: Command, answer: Answer) -> None:
    """WAIT: hold an early resolution until the deadline."""
    step = _this_step(sender)
    words = f"Noted: {step} will wait for its deadline. READY takes that back."
    _set_wait(work, sender, arrived, answer, "WAIT", words)


def ready(work: Transaction, sender: Sender, arrived: Arrived, _command: Command, answer: Answer) -> None:
    """READY: take WAIT back."""
    step = _this_step(sender)
    words = f"Noted: as far as you are concerned, {step} may be resolved once all orders are in."
    _set_wait(work, sender, arrived, answer, "READY", words)


def _this_step(sender: Sender) -> str:
    game = sender.table.game
    return game.step_called if game.step_name else "this turn"


def extend(work: Transaction, sender: Sender, arrived: Arrived, command: Command, answer: Answer) -> None:
    """EXTEND: within the seat's budget at once, beyond it a request to the GM."""
    table, seat, holds = sender.table, sender.seat, ""
    try:
        _must_be_timely(work, sender, arrived)
        _must_play(sender)
        length = deadline_changes.whole_minutes(parse_duration(command.words["time"]))
        reason = command.words.get("reason", "")
        if length <= timedelta(0):
            raise Refused("say how long, like EXTEND 24h")
        must_be_a_reason(table, seat, reason)
        budget = extension_budget(work, table, seat)
        for_all = table.ruleset.info.own_extensions is None
        if length <= budget:
            deadline_changes.extend(work, table, length, seat.name, reason, None if for_all else seat)
            holds = f" {deadline_changes.hold_for(work, table, seat)}".rstrip() if for_all else ""
        else:
            must_be_seldom(work, seat)
    except (TimeError, Refused) as problem:
        answer.refuse("EXTEND", problem)
        return
    if length <= budget and not for_all:
        deadline = clock_words(table, seat, work.now).deadline
        answer.remark(f"You have {describe_duration(length)} more: your deadline is {deadline}. The others keep theirs.")
        return
    if length <= budget:
        seat.extended_minutes += length // timedelta(minutes=1)
        left = f"{describe_duration(budget - length)} of" if budget > length else "no"
        later = f"The deadline is {describe_duration(length)} later, for everybody."
        answer.remark(f"{later}{holds} You have {left} extension time left.")
        return
    told = describe_duration(length)
    words = (
        f"{seat.name} asks for {told} more in {table.game.step_called} of {table.game.name}. That is more than players may "
        "take by themselves."
    )
    wish = MoreTime(table.game.turn, int(length.total_seconds()), told, for_all)
    ask_gm(work, table, Petition(wish, words, reason), seat=seat, letter_id=arrived.id)
    yours = f"Of extensions {describe_duration(budget)} are" if budget > timedelta(0) else "No extension is"
    answer.remark(f"{yours} yours without asking, so the game master was asked. Until you hear from them the deadline stands.")


def resign(work: Transaction, sender: Sender, arrived: Arrived, _command: Command, answer: Answer) -> None:
    """RESIGN: before the game begins at once, then when it has been confirmed."""
    table, seat = sender.table, sender.seat
    if table.game.status is GameStatus.FINISHED:
        answer.remark("The game is over already.")
        return
    if table.game.status is GameStatus.SIGNUP:
        new_game.leave_signup(work, table, seat)
        what = "your place" if places.gives_later(table) else f"the seat {seat.name}"
        answer.remark(f"You have given back {what} in {table.game.name}.")
        return
    stands_in = time_of_substitute(work, table, seat) is not None
    question = Question("resign", letter_id=arrived.id, words={"stands_in": stands_in})
    _asked(answer, "RESIGN", ask(work, table, seat, question), "Until you answer it you play on.")


def address(work: Transaction, sender: Sender, arrived: Arrived, command: Command, answer: Answer) -> None:
    """ADDRESS: the seat goes on from another address, when both have confirmed it."""
    table, seat = sender.table, sender.seat
    new = folded(command.words["address"])
    try:
        must_have_begun(table)
        must_be_free(work, table, seat, new)
    except Refused as refusal:
        answer.refuse("ADDRESS", refusal)
        return
    done = ask(work, table, seat, Question("address", arrived.id, OfSeat(new=new), {"new": new}))
    _asked(answer, "ADDRESS", done, "Until it is answered nothing changes.")


def new_token(work: Transaction, sender: Sender, _arrived: Arrived, _command: Command, answer: Answer) -> None:
    """NEW TOKEN: what the mails so far prove ends; the answer has the new token."""
    try:
        rotate(work, sender.table, sender.seat)
    except Refused as refusal:
        answer.refuse("NEW TOKEN", refusal)
        return
    answer.remark(
        "Your seat has a new secret. Replies to older mails no longer work, nor do the order forms in them: reply to this one "
        "or to later ones."
    )


def no_second_seat(work: Transaction, sender: Sender, arrived: Arrived, command: Command, answer: Answer) -> None:
    """JOIN in the letter of a seat: who plays takes no other seat by a reply. With a list of seats for the same game, that
    counts."""
    answer.left_out += left_out([line.text for line in command.body], "it stands below JOIN, as the lines of a sign-up do")
    if "seats" in command.words and command.words["game"].lower() == sender.table.game.name:
        prefer(work, sender, arrived, command, answer)
        return
    answer.remark(
        f"JOIN: you already have the seat {sender.seat.name} in {sender.table.game.name}. "
        "To join another game, write a new mail instead of a reply."
    )


def _asked(answer: Answer, word: str, done: bool, meanwhile: str) -> None:
    if done:
        answer.remark(f"{word}: a mail has been sent to this address that asks whether you are sure. {meanwhile}")
    else:
        answer.remark(f"{word}: you have been asked often enough today. Answer one of those mails, or try again tomorrow.")


def _set_wait(work: Transaction, sender: Sender, arrived: Arrived, answer: Answer, word: str, done: str) -> None:
    try:
        if sender.table.ruleset.sequential:
            raise Refused("in this game each move is carried out when it comes, so there is nothing to hold up")
        _must_be_timely(work, sender, arrived)
        _must_play(sender)
        if _last_said(work, sender, given_too=word == "READY") > arrived.arrived_at:
            raise Refused("a later mail of yours is in force, or more time that you were given since")
    except Refused as refusal:
        answer.remark(f"{word}: {refusal}.")
        return
    sender.seat.waits, sender.seat.waits_for_orders = word == "WAIT", False
    sealed = EarlyEnd(seat=sender.seat.name, arrived=arrived.arrived_at.isoformat())
    game, of = sender.table.game, WaitEntry if word == "WAIT" else ReadyEntry
    work.journal(sender.table, of(turn=game.turn, step=game.step, sealed=sealed))
    work.log(word.lower(), sender.table, sender.seat.name)
    answer.remark(done)


def _last_said(work: Transaction, sender: Sender, *, given_too: bool) -> datetime:
    """When the mail arrived that last said WAIT or READY for a seat in this step: one that was held may be older. `given_too`:
    or when the seat was last given more time, which a READY from before does not end and a WAIT goes on beyond."""
    game = sender.table.game
    work.write()
    for said in entries_of(work.session, sender.table.id, WaitEntry, ReadyEntry, with_sealed=True, newest_first=True):
        of, last = said.entry, said.entry.sealed
        # Entries from before steps had names do not say their step.
        if (of.turn, game.step if of.step is None else of.step) != (game.turn, game.step):
            break
        if last and last.seat == sender.seat.name and (given_too or last.until is None):
            return datetime.fromisoformat(last.arrived) if last.arrived else datetime.min.replace(tzinfo=UTC)
    return datetime.min.replace(tzinfo=UTC)


def _must_be_timely(work: Transaction, sender: Sender, arrived: Arrived) -> None:
    """What moves the clock or the sheets counts until the deadline, like orders do. Raises `Refused`."""
    if words := not_under_way(sender.table):
        raise Refused(words)
    if sender.table.ruleset.sequential:
        if words := untimely_move(sender.table, sender.seat, arrived.arrived_at):
            raise Refused(f"your words {words} and were not taken")
        return
    orders = next((command for command in arrived.script.commands if command.kind == "orders"), None)
    if problem := mistimed(work, sender, arrived, orders, "words"):
        raise Refused(problem.sentence)


def _must_play(sender: Sender) -> None:
    """The clock is moved only by those whom the turn is waiting for, or was. Raises `Refused`."""
    if sender.seat.name not in {seat.name for seat in playing(sender.table)}:
        if sender.table.ruleset.sequential:
            raise Refused("it is not your move, so no clock of yours runs")
        raise Refused(f"{sender.table.game.step_called} does not wait for orders of yours, so you cannot hold it up")
