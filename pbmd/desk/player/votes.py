"""PROPOSE and VOTE: what players decide among themselves. Where the rules have a vote of their own, it is an order."""

import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import replace

from sqlmodel import col, select

from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.language.commands import Command, Script
from pbmd.desk.language.order_words import without_talk
from pbmd.desk.language.surroundings import is_like_greeting
from pbmd.desk.letter.answer import Answer
from pbmd.desk.letter.opened_letter import Arrived, Sender
from pbmd.desk.letter.unread_orders import MAX_ORDER_LINES, accepted, order_test
from pbmd.desk.mail.named import IS_NAMED, named_by
from pbmd.desk.player.own_words import must_be_a_reason
from pbmd.desk.questions.ask import WORDS_OF_ANSWERS, is_answer, said_in
from pbmd.desk.votes import propose as votes
from pbmd.desk.votes.kinds import kind_in
from pbmd.ledger.tables import Outbox
from pbmd.post.lines.command_text import OUTSIDE
from pbmd.post.lines.sorted_lines import TextLine
from pbmd.rules.protocol import Line, Refused
from pbmd.terms.times import TimeError


def propose(work: Transaction, sender: Sender, arrived: Arrived, command: Command, answer: Answer) -> None:
    """PROPOSE …"""
    alone = not arrived.script.orders and len(arrived.script.commands) == 1
    voter = votes.Voter(sender.table, sender.seat, arrived.arrived_at)
    reason = command.words.get("reason", "")
    try:
        if reason and (order := _order_of_rules(sender.table.ruleset.info.votes, command)):
            raise Refused(f"that is the order {order} here, which takes no reason; send it without one")
        must_be_a_reason(sender.table, sender.seat, reason)
        _say(answer, votes.propose(work, voter, command.words["what"], reason, alone=alone))
    except (Refused, TimeError) as problem:
        answer.refuse("PROPOSE", problem)


def cast(work: Transaction, sender: Sender, arrived: Arrived, command: Command, answer: Answer) -> None:
    """VOTE …"""
    try:
        _say(answer, votes.cast(work, votes.Voter(sender.table, sender.seat, arrived.arrived_at), command.words))
    except Refused as problem:
        answer.also = _NOT_COUNTED
        answer.remark(f"VOTE: {problem}.")


def _say(answer: Answer, told: votes.VoteAnswer) -> None:
    answer.remark(told.words)
    answer.attachments += [told.proof] if told.proof else []


def with_votes(work: Transaction, sender: Sender, arrived: Arrived) -> Arrived:
    """The letter with what it says about votes as commands or orders: a plain YES or NO in reply to the mail about a vote, and
    proposals on which the rules have a vote of their own."""
    return _with_plain_answer(work, sender, _with_votes_of_rules(sender.table, arrived))


def _with_plain_answer(work: Transaction, sender: Sender, arrived: Arrived) -> Arrived:
    script = arrived.script
    if not sender.table.terms.votes or _has_ballot(script):
        return arrived
    lines = {line.number: line for line in script.orders}
    answers = _plain_answers(arrived, lines)
    said, numbers = said_in(arrived.letter._replace(lines=tuple(answers))), [line.number for line in answers]
    if said == "unclear" or not (number := _vote_replied_to(work, sender, arrived)):
        return arrived
    others = tuple(line for line in script.orders if line.number not in numbers)
    is_alone = not script.commands and not _besides(sender, arrived, others, numbers)
    if not is_alone and not _comes_first(script, numbers[0]):
        return arrived
    ballot = Command("vote", lines[numbers[0]], {"vote": number, "answer": said})
    return replace(arrived, script=replace(script, commands=(ballot, *script.commands), orders=() if is_alone else others))


def _plain_answers(arrived: Arrived, numbers: Container[int]) -> list[TextLine]:
    """The lines of these numbers that say YES or NO and nothing else."""
    return [line for line in arrived.letter.lines if line.number in numbers and is_answer(line, WORDS_OF_ANSWERS)]


def _has_ballot(script: Script) -> bool:
    return any(command.kind == "vote" for command in script.commands)


def _besides(sender: Sender, arrived: Arrived, others: Sequence[Line], numbers: Sequence[int]) -> tuple[Line, ...]:
    """What stands beside the answers in a letter and is no talk."""
    return without_talk(others, numbers, order_test(sender.table, sender.seat.name, arrived.arrival))


def _comes_first(script: Script, number: int) -> bool:
    """Whether nothing stands above a line but a greeting."""
    lines = [*script.orders, *(command.line for command in script.commands)]
    above = [line.text for line in lines if line.number < number]
    return not above or (len(above) == 1 and (is_like_greeting(above[0]) or len(above[0].split()) == 1))


def tell_of_uncounted_vote(work: Transaction, sender: Sender, arrived: Arrived, answer: Answer) -> None:
    """Say, in the subject too, that no vote was counted of a letter that answers the mail about one and could have it; it is as
    it was read, with its votes as commands."""
    if not sender.table.terms.votes or _has_ballot(arrived.script):
        return
    beside = [text for piece in arrived.letter.left_out if piece.reason == OUTSIDE for text in piece.text.split("\n")]
    outside = (Line(number, text) for number, text in enumerate(beside, start=_BEHIND_ALL))
    lines = [*arrived.script.left, *outside]
    said = [line for line in lines[:MAX_ORDER_LINES] if _could_be_ballot(line)]
    orders = accepted(sender.table, sender.table.position, sender.seat.name, said, arrived.arrival)
    if orders.issuperset(line.number for line in said) or not (number := _vote_replied_to(work, sender, arrived)):
        return
    answer.also = _NOT_COUNTED
    answer.remark(
        f"Your mail answers the one about vote {number}, but no vote was counted. To vote, begin it with YES or NO on a line "
        f"of its own, or send the line VOTE {number} YES or VOTE {number} NO."
    )


_BEHIND_ALL = 10**6
"""The number of no line of a letter."""
_NOT_COUNTED = "vote not counted"
_VOTE = "vote"


def _could_be_ballot(line: Line) -> bool:
    words = line.text.casefold().replace(",", " ").split()
    return bool(words) and (words[0].strip(".!:;") in WORDS_OF_ANSWERS or _VOTE in words)


def _vote_replied_to(work: Transaction, sender: Sender, arrived: Arrived) -> str:
    """The number of the vote about which the mail is that a letter answers; empty if it answers another."""
    named = named_by(arrived.letter.references[-_REFERENCES:])
    mails = select(Outbox.key).where(Outbox.seat_id == sender.seat.id, IS_NAMED).order_by(col(Outbox.id).desc())
    found = (_MAIL.fullmatch(key) for key in work.session.exec(mails, params=named))
    return next((each["number"] for each in found if each), "")


_REFERENCES = 20
_MAIL = re.compile(r"vote \d+ (?P<number>\d+) \d+")


def _with_votes_of_rules(table: OpenGame, arrived: Arrived) -> Arrived:
    own = table.ruleset.info.votes
    if not own or not arrived.script.commands:
        return arrived
    orders = {each.line.number: Line(each.line.number, line) for each in arrived.script.commands if (line := _order(own, each))}
    if not orders:
        return arrived
    script, lines = arrived.script, sorted([*arrived.script.orders, *orders.values()], key=lambda line: line.number)
    others = tuple(each for each in script.commands if each.line.number not in orders)
    return replace(arrived, script=replace(script, commands=others, orders=tuple(lines)))


def _order(own: Mapping[str, str], command: Command) -> str:
    return "" if command.words.get("reason") else _order_of_rules(own, command)


def _order_of_rules(own: Mapping[str, str], command: Command) -> str:
    """The order by which the rules have that vote themselves; empty if they have none."""
    kind = kind_in(command.words["what"]) if command.kind == "propose" else None
    return own.get(kind.name, "") if kind else ""
