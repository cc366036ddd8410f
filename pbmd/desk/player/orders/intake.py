"""Orders by mail: taken or not, in force or not, and what the acknowledgement says about them.

All games take orders in one way. Where each move is carried out when it comes, `MOVES` says what is different; else `ORDERS`.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import bindparam
from sqlmodel import col, select

from pbmd.desk.books.transaction import Transaction
from pbmd.desk.language.commands import Command
from pbmd.desk.letter.answer import Answer, OrdersAnswer
from pbmd.desk.letter.opened_letter import Arrived, Sender
from pbmd.desk.letter.subject_line import has_subject_of_reply, leaves_orders_open
from pbmd.desk.letter.unread_orders import UNJUDGED, has_order_below, order_test
from pbmd.desk.player.orders.echoed_head import word_in
from pbmd.desk.player.orders.filing import Filing, Taking, record, refusal_words, with_replaced
from pbmd.desk.player.orders.moves import MOVES
from pbmd.desk.player.orders.suggestions import with_meant, with_ready
from pbmd.desk.player.orders.timing import Mistimed, mistimed, not_under_way, tell_of_orders_seen_late
from pbmd.desk.step.events import tell_events
from pbmd.desk.step.on_file import digest_of, sent_sentence, sheet_on_file, shown_number
from pbmd.ledger.tables import Letter as LetterRow
from pbmd.ledger.tables import Submission, SubmissionState
from pbmd.post.lines.sorted_lines import HEADING, left_out
from pbmd.rendering.render import quoted
from pbmd.rules import sheets
from pbmd.rules.joining import How, effects_alone, received
from pbmd.rules.protocol import Line, Mail, Receipt, Ruleset, Sheet, Status, Verdict
from pbmd.rules.troubles import BrokenGame
from pbmd.rules.words import capital
from pbmd.terms.times import describe_time

_GRANTED = "your request is granted"
ORDERS_IN = "orders in"
"""What the subject of an answer says of orders that are on file as they are."""


def take_orders(
    work: Transaction, sender: Sender, arrived: Arrived, command: Command | None, answer: Answer, how: How = ""
) -> None:
    """Check the order lines and file them, or say why not; while the game runs either is in its journal. `command` is the line
    that says for when they are, if there is one, and `how` they join what is on file. In a sequential game `carry_out_moves`
    must follow."""
    table, seat = sender.table, sender.seat
    taking = MOVES if table.ruleset.sequential else ORDERS
    if words := not_under_way(table):
        _answer_not_taken(sender, arrived, f"{words}, so your orders were not taken", None, answer, f"{words}: NOT TAKEN")
        return
    before = sheet_on_file(table, seat)
    if problem := taking.not_for_now(work, sender, arrived, command, before) or _partly_meant(work, sender, arrived, command):
        _refuse(work, sender, arrived, taking, problem, answer)
        return
    mail = Mail(seat.name, arrived.script.orders, arrived.arrival)
    before_it = table.position
    joined = received(table.ruleset, before_it, mail, how)
    if joined.receipt.filed and taking.untimely and (problem := taking.untimely(work, sender, arrived, joined.receipt)):
        if not joined.receipt.granted:
            _refuse(work, sender, arrived, taking, problem, answer)
            return
        why = Verdict(0, "", Status.ERROR, f"{capital(problem.sentence)}.")
        joined = effects_alone(table.ruleset, table.position, mail, joined, why)
    receipt = joined.receipt
    filing = taking.file(work, sender, arrived, receipt, answer)
    work.move(table, receipt.position)
    after = sheet_on_file(table, seat)
    number = record(work, sender, arrived, filing, joined, after)
    own = joined.own
    told = _orders_answer(sender, arrived, after, (filing.headline, filing.short), number, own)
    told = with_replaced(sender, told, before, after, joined) if receipt.filed and before and after else told
    answer.orders = told if _is_taken_as_it_is(told) else with_ready(sender, arrived, told, joined)
    _tell_unjudged(table.ruleset, before_it, mail, own.verdicts, answer)
    if receipt.events and (news := tell_events(work, table, receipt.events, seat, f"letter {arrived.id}")):
        answer.section("what came of it", quoted(news))


def _is_taken_as_it_is(orders: OrdersAnswer) -> bool:
    """Whether nothing was said about any line, so that the sheet in force is ready to be sent."""
    return orders.taken and not [verdict for verdict in orders.verdicts if verdict.message]


def _refuse(work: Transaction, sender: Sender, arrived: Arrived, taking: Taking, problem: Mistimed, answer: Answer) -> None:
    """The letter does not count, whatever the rules would say of it."""
    number = record(work, sender, arrived, taking.refusal(problem))
    _answer_not_taken(sender, arrived, problem.sentence, number, answer, problem.short)
    if problem.seen_late:
        tell_of_orders_seen_late(work, sender, arrived, problem, answer)


def _partly_meant(work: Transaction, sender: Sender, arrived: Arrived, command: Command | None) -> Mistimed | None:
    """Why orders that are final once accepted are not accepted if others stand beside them that may be meant, or these alone:
    only some are in bold type, some stand below what seems to introduce somebody's mail, or the subject leaves them open and
    their `command` names no turn. None if they may be."""
    table, game = sender.table, sender.table.game
    if table.ruleset.info.sheets.later != "final" and not table.ruleset.sequential:
        return None
    if arrived.beside_bold:
        sentence, why, short = _PARTLY_IN_BOLD
    elif has_order_below(table, sender.seat.name, arrived.letter.left_out, arrived.arrival, or_command=False):
        sentence, why, short = _PARTLY_BELOW
    elif not (command and "turn" in command.words) and _is_left_open(work, sender, arrived):
        sentence, why, short = _LEFT_OPEN
    else:
        return None
    return Mistimed(sentence, SubmissionState.REFUSED, game.turn, game.step, why=why, short=short)


def _is_left_open(work: Transaction, sender: Sender, arrived: Arrived) -> bool:
    """Whether the subject of a letter leaves its orders open, or is for another turn, and was written by its sender."""
    return leaves_orders_open(sender, arrived) and not has_subject_of_reply(work, sender, arrived)


_PARTLY_IN_BOLD = (
    (
        "some of your orders are in bold type and others are not. Bold may mark what counts, and orders are final here, so "
        "nothing was taken. Send them again: only those that count, or all of them in bold type"
    ),
    "some of the orders are in bold type and others are not",
    "NOT TAKEN: only some are in bold type",
)
_PARTLY_BELOW = (
    (
        "some orders stand below a line that seems to introduce somebody else's mail. They may be yours, and orders are final "
        "here, so nothing was taken. Send yours again, without such a line"
    ),
    "some orders stand below what seems to introduce somebody's mail",
    "NOT TAKEN: orders below another mail",
)
_LEFT_OPEN = (
    (
        "the subject of your mail may say that your orders are not meant so, and orders are final here, so nothing was taken. "
        "Send them again with another subject"
    ),
    "the subject may say that the orders are not meant so",
    "NOT TAKEN: the subject may leave them open",
)


# Where all send before a step is resolved


def _not_for_now(
    work: Transaction, sender: Sender, arrived: Arrived, command: Command | None, on_file: Sheet | None
) -> Mistimed | None:
    """Why a letter does not count for the step that runs, None if it does."""
    if problem := mistimed(work, sender, arrived, command):
        return problem
    if on_file is not None or not _cancelled_since(work, sender, arrived):
        return None
    game = sender.table.game
    sentence = "a later mail of yours cancelled your orders, so these were not taken"
    why = "a mail that arrived later cancelled the orders"
    short = "NOT TAKEN: cancelled later"
    return Mistimed(sentence, SubmissionState.REPLACED, game.turn, game.step, why=why, short=short)


def _cancelled_since(work: Transaction, sender: Sender, arrived: Arrived) -> bool:
    """Whether a CANCEL ORDERS of this step arrived after this letter, which came to light only now."""
    table, seat = sender.table, sender.seat
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


def _file(work: Transaction, sender: Sender, arrived: Arrived, receipt: Receipt[Any], _answer: Answer) -> Filing:
    """What becomes of orders; each letter but a granted request has its entry in the journal at once."""
    table, seat, verdicts = sender.table, sender.seat, receipt.verdicts
    if receipt.filed:
        seat.settled_at = work.now
        also, short = (f", and {_GRANTED}", ", request granted") if receipt.granted else ("", "")
        if receipt.later:
            words = f"your mail is in{also}; your orders for {table.game.step_called} are still missing"
            return Filing(SubmissionState.FILED, words, verdicts, log="orders", short=f"in{short}; orders still missing")
        words = f"your orders for {table.game.step_called} are in{also}"
        return Filing(SubmissionState.FILED, words, verdicts, log="orders", short=f"{ORDERS_IN}{short}")
    if receipt.granted:
        return Filing(SubmissionState.GRANTED, _GRANTED, verdicts, journalled_later=True)
    if sheets.is_outdated(table.ruleset.sheets(table.position), seat.name, arrived.arrival):
        headline, why = "a later mail of yours is in force", "a mail that arrived later is in force"
        return Filing(SubmissionState.REPLACED, headline, verdicts, log="refused", why=why, short="a later mail is in force")
    words = refusal_words(verdicts)
    return Filing(SubmissionState.REFUSED, words, verdicts, log="refused", why="no usable orders", short="NOT TAKEN")


ORDERS = Taking(not_for_now=_not_for_now, file=_file)


# What the answer says

_YOURS = "your lines"


def _answer_not_taken(sender: Sender, arrived: Arrived, headline: str, number: int | None, answer: Answer, short: str) -> None:
    """Say why a letter as a whole is not taken, in `short` too, and list its order lines."""
    on_file = sheet_on_file(sender.table, sender.seat)
    answer.orders = _orders_answer(sender, arrived, on_file, (headline, short), number)
    answer.left_out += left_out([line.text for line in arrived.script.orders], _YOURS)


def _tell_unjudged(ruleset: Ruleset[Any], position: Any, mail: Mail, verdicts: tuple[Verdict, ...], answer: Answer) -> None:
    """List the order lines of which the rules say nothing at all, headings apart: without one something else is said of what
    stands below it. `position` is the one in which the letter was read."""
    judged = {verdict.line for verdict in verdicts}
    unjudged = [line for line in mail.lines if line.number not in judged]
    try:
        headings = _headings_among(unjudged[:_MOST_HEADINGS], ruleset, position, mail)
    except BrokenGame:  # the letter itself was read
        headings = []
    for lines, reason in ((headings, HEADING), ([line for line in unjudged if line not in headings], UNJUDGED)):
        if lines:
            answer.left_out += left_out([line.text for line in lines], reason)


def _headings_among(lines: Sequence[Line], ruleset: Ruleset[Any], position: Any, mail: Mail) -> list[Line]:
    """Those of the lines without which the rules say something else of the letter. Raises `BrokenGame`."""
    lines = [line for line in lines if any(map(str.isalnum, _MARK.sub("", line.text)))]
    said = ruleset.receive(position, mail).verdicts if lines else ()
    without = {line: replace(mail, lines=tuple(other for other in mail.lines if other != line)) for line in lines}
    return [line for line, rest in without.items() if ruleset.receive(position, rest).verdicts != said]


_MARK = re.compile(r"\[/?\w{1,2}\]")
"""A mark of bold, which may end on a line of its own."""
_MOST_HEADINGS = 10
"""So many lines are looked at for whether they are headings: the rules are asked about each."""


def _orders_answer(
    sender: Sender,
    arrived: Arrived,
    sheet: Sheet | None,
    said: tuple[str, str],
    number: int | None,
    receipt: Receipt[Any] | None = None,
) -> OrdersAnswer:
    """What is told of the orders in a letter; `sheet` is what is on file now; `said` are the headline and its words for a
    subject; `number` is their receipt's, None if they have none; `receipt` is what the rules said."""
    table, seat = sender.table, sender.seat
    at_once = _at_once(receipt)
    shown, head_entry = shown_number(table, number), shown_number(table, table.game.chain_number)
    # Granted alone it has no number yet. The head is one that everybody has.
    head = shown or (head_entry if at_once else None)
    return OrdersAnswer(
        headline=said[0],
        short=said[1],
        step=table.game.step_words,
        receipt=shown,
        arrived=describe_time(arrived.arrived_at, seat.timezone, seconds=True),
        digest=digest_of(sheet) if sheet and (shown or table.ruleset.sequential) else "",
        chain_head=table.game.chain_head if head else "",
        head_entry=head_entry,
        sent="" if not_under_way(table) else sent_sentence(table),
        verdicts=_verdicts_told(sender, arrived, receipt.verdicts if receipt else ()),
        in_force=sheet.lines if sheet else None,
        defaults=receipt.defaults if receipt else (),
        taken=receipt is not None and (receipt.filed or receipt.granted),
        word=_word(arrived, receipt),
        at_once=at_once,
        entered_later=bool(at_once) and number is None,
    )


def _at_once(receipt: Receipt[Any] | None) -> frozenset[int]:
    """The numbers of the lines that were to take effect at once, if any did."""
    if receipt is None or not receipt.granted:
        return frozenset()
    return frozenset(receipt.effects or (verdict.line for verdict in receipt.verdicts if verdict.line))


def _word(arrived: Arrived, receipt: Receipt[Any] | None) -> str:
    """The word for the dice that came with orders which are on file now."""
    is_filed = receipt is not None and receipt.filed
    return word_in(arrived) if is_filed and arrived.letter.brought.word else ""


def _verdicts_told(sender: Sender, arrived: Arrived, verdicts: tuple[Verdict, ...]) -> tuple[Verdict, ...]:
    """As the letter has the lines, with what may have been meant by those that are refused."""
    if any(verdict.status is Status.ERROR for verdict in verdicts):
        verdicts = with_meant(sender, arrived, verdicts)
        verdicts = tuple([_hinted(sender, arrived, each) for each in verdicts])
    return tuple([_as_written(arrived, each) for each in verdicts]) if arrived.written else verdicts


def _as_written(arrived: Arrived, verdict: Verdict) -> Verdict:
    written = arrived.written.get(verdict.line)
    return verdict if written is None else verdict._replace(text=written)


def _hinted(sender: Sender, arrived: Arrived, verdict: Verdict) -> Verdict:
    """The verdict, with the command that a refused line may have meant; not where an order is nearly written."""
    if verdict.status is not Status.ERROR or verdict.message.startswith("did you mean"):
        return verdict
    if order_test(sender.table, sender.seat.name, arrived.arrival).speaks_of_orders(verdict.text):
        return verdict
    return verdict._replace(message=sender.table.commands.hinted(verdict.message, verdict.text))
