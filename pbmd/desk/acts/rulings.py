"""What becomes of a request when the game master has said APPROVE or REFUSE: one line of `_KINDS` for each kind of request."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from pbmd.desk.acts import game_clock
from pbmd.desk.books.work import Table, Work
from pbmd.desk.game.ended import must_have_begun
from pbmd.desk.game.requests import EXTENSION, RULING, request_numbered, settle
from pbmd.desk.mail import notice
from pbmd.desk.mail.notice import GM
from pbmd.ledger.tables import Request, RequestState, Seat
from pbmd.rules.protocol import Refused
from pbmd.terms.times import describe_duration


@dataclass(frozen=True, slots=True)
class _Kind:
    """What is done when it is approved, and what a player is told when it is refused; empty if nobody is."""

    approve: Callable[[Work, Table, Request, dict[str, Any]], str]
    denied: str = ""


def decide(work: Work, table: Table, number: int, *, approved: bool, reason: str = "") -> str:
    """The game master's word on a request; gives the sentence that says what came of it. Raises `Refused`."""
    request = request_numbered(work, table, number)
    payload: dict[str, Any] = json.loads(request.payload)
    kind = _KINDS[request.kind]
    seat = next((seat for seat in table.seats if seat.id == request.seat_id), None)
    name = seat.name if seat else "-"
    if approved:
        sentence = kind.approve(work, table, request, payload)
        settle(work, request, RequestState.APPROVED)
    else:
        sentence = f"Request {number} is refused."
        settle(work, request, RequestState.REFUSED)
    word = "approved" if approved else "refused"
    public = {"turn": table.game.turn, "request": number, "kind": request.kind, "decision": word}
    entry = work.journal(table, "decided", public, notice.sealed_cause(work) | {"seat": name, "reason": reason})
    work.log("decided", table, name, f"request {number} ({request.kind}) {word}")
    if not approved and kind.denied and seat is not None:
        words = kind.denied.format(**payload)
        notice.tell(work, table, [seat], notice.Notice(f"notice {table.id} {entry}", "your request was refused", words, reason))
    return sentence


def _extension(work: Work, table: Table, request: Request, payload: dict[str, Any]) -> str:
    if payload["turn"] != table.game.turn:
        raise Refused(f"turn {payload['turn']} is over, and request {request.number} was for that")
    length = timedelta(seconds=payload["seconds"])
    seat = _seat_of(table, request)
    game_clock.extend(work, table, length, GM, f"{seat.name} asked for it", None if payload["for_all"] else seat)
    return f"The deadline{'' if payload['for_all'] else f' of {seat.name}'} is {describe_duration(length)} later."


def _ruling(work: Work, table: Table, request: Request, payload: dict[str, Any]) -> str:
    must_have_begun(table)
    assert table.ruleset.rulings is not None
    assert table.ruleset.rule is not None
    if payload["key"] not in {ruling.key for ruling in table.ruleset.rulings(table.position)}:
        raise Refused(f"what request {request.number} was about stands no more")
    work.move(table, table.ruleset.rule(table.position, payload["key"]))
    work.journal(table, "ruled", {"turn": table.game.turn, "step": table.game.step}, {"key": payload["key"]})
    return "Your word is given; the rules go on by it when the turn is resolved."


def _seat_of(table: Table, request: Request) -> Seat:
    seat = next((seat for seat in table.seats if seat.id == request.seat_id), None)
    if seat is None:
        raise Refused("the seat that asked is gone")
    return seat


_KINDS: dict[str, _Kind] = {
    EXTENSION: _Kind(_extension, "You asked for {length} more in turn {turn}. The deadline stays as it is."),
    RULING: _Kind(_ruling),
}
