"""PROPOSE and VOTE: what players decide among themselves. Where the rules have a vote of their own, it is an order."""

from collections.abc import Mapping
from dataclasses import replace

from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.language.commands import Command, Script
from pbmd.desk.letter.answer import Answer
from pbmd.desk.letter.opened_letter import Arrived, Sender
from pbmd.desk.votes import propose as votes
from pbmd.desk.votes.kinds import kind_in
from pbmd.rules.protocol import Line, Refused
from pbmd.terms.times import TimeError


def propose(work: Transaction, sender: Sender, arrived: Arrived, command: Command, answer: Answer) -> None:
    """PROPOSE …"""
    alone = not arrived.script.orders and len(arrived.script.commands) == 1
    voter = votes.Voter(sender.table, sender.seat, arrived.arrived_at)
    try:
        answer.remark(votes.propose(work, voter, command.words["what"], alone=alone))
    except (Refused, TimeError) as problem:
        answer.remark(f"PROPOSE: {problem}.")


def cast(work: Transaction, sender: Sender, arrived: Arrived, command: Command, answer: Answer) -> None:
    """VOTE …"""
    try:
        answer.remark(votes.cast(work, votes.Voter(sender.table, sender.seat, arrived.arrived_at), command.words))
    except Refused as problem:
        answer.remark(f"VOTE: {problem}.")


def with_votes_of_rules(table: OpenGame, arrived: Arrived) -> Arrived:
    """The letter with proposals on which the rules have a vote of their own as the order that is such a vote."""
    own = table.ruleset.info.votes
    orders = {each.line.number: Line(each.line.number, line) for each in arrived.script.commands if (line := _order(own, each))}
    if not orders:
        return arrived
    script, lines = arrived.script, sorted([*arrived.script.orders, *orders.values()], key=lambda line: line.number)
    others = tuple(each for each in script.commands if each.line.number not in orders)
    return replace(arrived, script=Script(others, tuple(lines), script.unread))


def _order(own: Mapping[str, str], command: Command) -> str:
    kind = kind_in(command.words["what"]) if own and command.kind == "propose" else None
    return own.get(kind.name, "") if kind else ""
