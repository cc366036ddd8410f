"""How orders that are typed on a seat's own pages would be understood. They come only by mail: nothing is stored about a check.

It is a transaction that only reads. If a ruleset has `imagine`, it gets the player's view and not the position.
"""

import json
import logging
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime, timedelta

from pbmd.desk.books.desk import Desk
from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.language.commands import Script
from pbmd.desk.language.player_commands import PlayerLanguage
from pbmd.desk.player.preview import LINE_CHARS, MOST_LINES, NOT_TRIED, checked
from pbmd.desk.seat_pages.seat_state import closed, seat_of
from pbmd.ledger.tables import Seat
from pbmd.post.tags import SeatNumber
from pbmd.rendering.seat_now import Checked, CheckedLine
from pbmd.rules import Line, Mail, Refused, Status, Verdict, seat_reader
from pbmd.rules.options import complete
from pbmd.rules.troubles import place_of
from pbmd.terms.times import EPOCH

_log = logging.getLogger("pbmd.pages")
_STATES = {Status.OK: "ok", Status.WARNING: "note", Status.ERROR: "refused"}
_OF_REFUSED = _STATES | {Status.OK: "unused"}
_ALL_THE_SAME = "You can send them all the same."


def check_orders(desk: Desk, of: SeatNumber, text: str) -> Checked:
    """How this text would be understood as the mail of a seat. Raises `BrokenGame`."""
    with Transaction(desk, reads=True) as work:
        table, seat = seat_of(work, of)
        lines = tuple(Line(number, line) for number, line in enumerate(text.splitlines(), start=1))
        if len(lines) > MOST_LINES or any(len(line.text) > LINE_CHARS for line in lines):
            return Checked(problem=f"At most {MOST_LINES} lines of {LINE_CHARS} characters are looked at.")
        if words := closed(table, seat):
            return Checked(problem=words)
        return _checked(table, seat, table.commands.read(lines), text, work.now)


def _checked(table: OpenGame, seat: Seat, script: Script, text: str, now: datetime) -> Checked:
    named = any(command.kind == "orders" for command in script.commands)
    found = Checked(orders=bool(script.orders) and not named, text=text if script.orders or script.commands else "")
    try:
        verdicts = _verdicts(table, seat, script, now)
    except Refused as refusal:
        return replace(found, problem=f"These lines cannot be checked: {refusal}. {_ALL_THE_SAME}")
    except Exception as trouble:
        # A bug in the rules; its text may be about the orders.
        _log.error("orders of a page could not be checked: %s", place_of(trouble))
        return replace(found, problem=f"These lines cannot be checked. {_ALL_THE_SAME}")
    told = (*_of_orders(script.orders, verdicts, table.commands), *_of_the_rest(script, table.commands))
    return replace(found, lines=tuple(sorted(told, key=lambda each: each.line)))


def _verdicts(table: OpenGame, seat: Seat, script: Script, now: datetime) -> tuple[Verdict, ...] | None:
    if not script.orders:
        return ()
    rules = table.ruleset
    view = rules.view(table.position, (), seat_reader(seat.name))
    options = complete(rules.info.options, json.loads(table.game.options))
    mail = Mail(seat.name, script.orders, ((now - EPOCH) // timedelta(microseconds=1), 0))
    return checked(rules, table.position, view, options, mail)


def _of_orders(orders: Iterable[Line], verdicts: tuple[Verdict, ...] | None, commands: PlayerLanguage) -> Iterator[CheckedLine]:
    """What the rules say about each line, or that they say nothing."""
    found = verdicts or ()
    as_a_whole = any(verdict.status is Status.ERROR and not verdict.line for verdict in found)
    states = _OF_REFUSED if as_a_whole else _STATES
    yield from (CheckedLine(each.line, states[each.status], each.text, _hinted(each, commands)) for each in found)
    judged = {verdict.line for verdict in found}
    words = NOT_TRIED if verdicts is None else "the rules say nothing of it"
    yield from (CheckedLine(line.number, "note", line.text, words) for line in orders if line.number not in judged)


def _hinted(verdict: Verdict, commands: PlayerLanguage) -> str:
    return commands.hinted(verdict.message, verdict.text) if verdict.status is Status.ERROR else verdict.message


def _of_the_rest(script: Script, commands: PlayerLanguage) -> Iterator[CheckedLine]:
    for command in script.commands:
        yield CheckedLine(command.line.number, "command", command.line.text, commands.by_kind[command.kind].help)
    for each in script.unopened:
        for line in (*each.body, each.end):
            yield CheckedLine(line.number, "note", line.text, f"it is not read: {each.closes_nothing}")
    for line in script.unread:
        yield CheckedLine(line.number, "note", line.text, "it stands below END and is not read")
