"""PROPOSE and VOTE: what players decide among themselves. Where the rules have a vote of their own, it is an order."""

import re
from collections.abc import Mapping
from dataclasses import replace

from sqlmodel import col, select

from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.language.commands import Command, Script
from pbmd.desk.language.order_words import without_talk
from pbmd.desk.letter.answer import Answer
from pbmd.desk.letter.opened_letter import Arrived, Sender
from pbmd.desk.letter.unread_orders import order_test
from pbmd.desk.mail.named import IS_NAMED, named_by
from pbmd.desk.player.own_words import must_be_a_reason
from pbmd.desk.questions.ask import WORDS_OF_ANSWERS, is_answer, said_in
from pbmd.desk.votes import propose as votes
from pbmd.desk.votes.kinds import kind_in
from pbmd.ledger.tables import Outbox
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
        answer.remark(f"PROPOSE: {problem}.")


def cast(work: Transaction, sender: Sender, arrived: Arrived, command: Command, answer: Answer) -> None:
    """VOTE …"""
    try:
        _say(answer, votes.cast(work, votes.Voter(sender.table, sender.seat, arrived.arrived_at), command.words))
    except Refused as problem:
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
    if not sender.table.terms.votes or script.commands or not script.orders:
        return arrived
    if (said := said_in(arrived.letter)) == "unclear":
        return arrived
    number = _vote_replied_to(work, sender, arrived)
    answers = {line.number for line in arrived.letter.lines if is_answer(line, WORDS_OF_ANSWERS)}
    others = [line for line in script.orders if line.number not in answers]
    test = order_test(sender.table, sender.seat.name, arrived.arrival)
    line = next((line for line in script.orders if line.number in answers), None)
    if not number or line is None or without_talk(others, sorted(answers), test):
        return arrived
    return replace(arrived, script=Script((Command("vote", line, {"vote": number, "answer": said}),), (), script.unread))


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
    return replace(arrived, script=Script(others, tuple(lines), script.unread))


def _order(own: Mapping[str, str], command: Command) -> str:
    return "" if command.words.get("reason") else _order_of_rules(own, command)


def _order_of_rules(own: Mapping[str, str], command: Command) -> str:
    """The order by which the rules have that vote themselves; empty if they have none."""
    kind = kind_in(command.words["what"]) if command.kind == "propose" else None
    return own.get(kind.name, "") if kind else ""
