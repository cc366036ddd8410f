"""Orders by mail: taken or not, in force or not, and what the acknowledgement says about them."""

from typing import Any

from sqlalchemy import bindparam
from sqlmodel import col, select

from pbmd.desk.books.work import Table, Work
from pbmd.desk.game.events import tell_events
from pbmd.desk.game.on_file import digest_of, sent_words, sheet_on_file, shown_number
from pbmd.desk.language.player_commands import Command, with_nearest_command
from pbmd.desk.letters.answer import Answer, OrdersAnswer
from pbmd.desk.letters.arrived import Arrived, Sender, arrival_of
from pbmd.desk.player.filing import Filing, record
from pbmd.desk.player.seen_late import tell_of_orders_seen_late
from pbmd.desk.player.timing import mistimed
from pbmd.ledger.tables import GameStatus, Submission, SubmissionState
from pbmd.ledger.tables import Letter as LetterRow
from pbmd.post.lines.commands import left_out
from pbmd.rules import sheets
from pbmd.rules.protocol import Mail, Receipt, Status, Verdict
from pbmd.terms.times import describe_time


def not_under_way(table: Table) -> str:
    """Why a game takes no orders at all, in words; empty if it does."""
    if table.game.status in (GameStatus.RUNNING, GameStatus.PAUSED):
        return ""
    return "the game has not begun" if table.game.status is GameStatus.SIGNUP else "the game is over"


def take_orders(work: Work, sender: Sender, arrived: Arrived, command: Command | None, answer: Answer) -> None:
    """Check the order lines and file them, or say why not; while the game runs either is in its journal."""
    table, seat = sender.table, sender.seat
    if words := not_under_way(table):
        answer.orders = orders_answer(sender, arrived, f"{words}, so your orders were not taken", None)
        tell_not_taken(arrived, answer)
        return
    if problem := mistimed(work, sender, arrived, command):
        number = record(work, sender, arrived, Filing(problem.state, (problem.turn, problem.step)))
        what = "late" if problem.state is SubmissionState.LATE else "refused"
        work.log(what, table, seat.name, f"receipt {number}: {problem.sentence}")
        answer.orders = orders_answer(sender, arrived, problem.sentence, shown_number(table, number))
        tell_not_taken(arrived, answer)
        if problem.seen_late:
            tell_of_orders_seen_late(work, sender, arrived, problem, answer)
        return
    if _cancelled_since(work, sender, arrived):
        number = record(work, sender, arrived, Filing(SubmissionState.REPLACED, (table.game.turn, table.game.step)))
        work.log("refused", table, seat.name, f"receipt {number}: a mail that arrived later cancelled the orders")
        headline = "a later mail of yours cancelled your orders, so these were not taken"
        answer.orders = orders_answer(sender, arrived, headline, shown_number(table, number))
        tell_not_taken(arrived, answer)
        return
    mail = Mail(seat.name, arrived.script.orders, arrival_of(arrived))
    outdated = sheets.is_outdated(table.ruleset.sheets(table.position), mail.seat, mail.arrival)
    receipt = table.ruleset.receive(table.position, mail)
    work.move(table, receipt.position)
    now = (table.game.turn, table.game.step)
    number: int | None = None
    if receipt.granted:
        record(work, sender, arrived, Filing(SubmissionState.GRANTED, now, None, receipt.verdicts))
        headline = "your request is granted"
    elif receipt.filed:
        seat.settled_at = work.now
        number = record(work, sender, arrived, Filing(SubmissionState.FILED, now, sheet_on_file(table, seat), receipt.verdicts))
        work.log("orders", table, seat.name, f"receipt {number}")
        headline = f"your orders for {table.game.step_words} are in"
    elif outdated:
        number = record(work, sender, arrived, Filing(SubmissionState.REPLACED, now, None, receipt.verdicts))
        work.log("refused", table, seat.name, f"receipt {number}: a mail that arrived later is in force")
        headline = "a later mail of yours is in force"
    else:
        number = record(work, sender, arrived, Filing(SubmissionState.REFUSED, now, None, receipt.verdicts))
        work.log("refused", table, seat.name, f"receipt {number}: no usable orders")
        headline = refusal_words(receipt.verdicts)
    answer.orders = orders_answer(
        sender, arrived, headline, shown_number(table, number), receipt, taken=receipt.filed or receipt.granted
    )
    tell_unjudged(arrived, receipt.verdicts, answer)
    tell_events(work, table, receipt.events, seat, f"letter {arrived.id}")


def tell_not_taken(arrived: Arrived, answer: Answer) -> None:
    """List the order lines of a letter that as a whole is not taken."""
    answer.left_out += left_out([line.text for line in arrived.script.orders], _NOT_TAKEN)


def tell_unjudged(arrived: Arrived, verdicts: tuple[Verdict, ...], answer: Answer) -> None:
    """List the order lines of which the rules say nothing at all."""
    judged = {verdict.line for verdict in verdicts}
    answer.left_out += left_out([line.text for line in arrived.script.orders if line.number not in judged], _UNJUDGED)


_NOT_TAKEN = "not taken, for the reason above"
_UNJUDGED = "nothing came of it"


def refusal_words(verdicts: tuple[Verdict, ...]) -> str:
    """That a letter was refused, for the head of its answer."""
    if any(verdict.line and verdict.status is not Status.ERROR for verdict in verdicts):
        return "your mail was refused as a whole, and nothing in it was accepted"
    return "nothing in your mail could be used as orders"


def _cancelled_since(work: Work, sender: Sender, arrived: Arrived) -> bool:
    """Whether a CANCEL ORDERS of this step arrived after this letter, which came to light only now."""
    table, seat = sender.table, sender.seat
    if sheet_on_file(table, seat) is not None:
        return False
    here = {"game": table.id, "step": table.game.step, "seat": seat.id}
    cancels = work.session.connection().execute(_CANCELS, here)
    return any(tuple(place) > (arrived.arrived_at, arrived.uid) for place in cancels)


# Made once: putting a statement together takes longer than the ledger takes to answer.
_CANCELS = (
    select(LetterRow.arrived_at, LetterRow.uid)
    .join(Submission, col(Submission.cancelled_by) == LetterRow.id)
    .where(
        Submission.game_id == bindparam("game"), Submission.step == bindparam("step"), Submission.seat_id == bindparam("seat")
    )
)


def orders_answer(
    sender: Sender,
    arrived: Arrived,
    headline: str,
    number: int | None,
    receipt: Receipt[Any] | None = None,
    *,
    taken: bool = False,
) -> OrdersAnswer:
    """What is told of the orders in a letter; `number` is their receipt's, None if there is none to be shown;
    `receipt` is what the rules said."""
    table, seat = sender.table, sender.seat
    sheet = sheet_on_file(table, seat)
    running = table.game.status in (GameStatus.RUNNING, GameStatus.PAUSED)
    return OrdersAnswer(
        headline=headline,
        step=table.game.step_words,
        receipt=number,
        arrived=describe_time(arrived.arrived_at, seat.timezone, seconds=True),
        digest=digest_of(sheet) if sheet and (number or table.ruleset.sequential) else "",
        chain_head=table.game.chain_head if number else "",
        head_entry=shown_number(table, table.game.chain_number),
        sent=sent_words(table) if running else "",
        verdicts=tuple(map(_hinted, receipt.verdicts)) if receipt else (),
        in_force=sheet.lines if sheet else None,
        defaults=receipt.defaults if receipt else (),
        taken=taken,
    )


def _hinted(verdict: Verdict) -> Verdict:
    if verdict.status is not Status.ERROR:
        return verdict
    return verdict._replace(message=with_nearest_command(verdict.message, verdict.text))
