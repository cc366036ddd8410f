"""What becomes of a request when the game master has said APPROVE or REFUSE: one row of `_KINDS` for each kind of request."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

from pbmd.desk.books.question_payloads import EXTENSION, RULING, AwaitedRuling, MoreTime, read_as
from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.changes import deadline_changes
from pbmd.desk.digest.requests import request_numbered, settle
from pbmd.desk.mail import notice
from pbmd.desk.mail.clock_words import deadline_words
from pbmd.desk.mail.notice import GM
from pbmd.desk.step.end_questions import must_have_begun
from pbmd.ledger.entries.master_entries import DecidedEntry, RuledEntry, Ruling, RulingKey
from pbmd.ledger.tables import Request, RequestState
from pbmd.rules.protocol import Refused
from pbmd.terms.times import describe_duration


@dataclass(frozen=True, slots=True)
class _Kind:
    """What is done when it is approved, and what a player is told when it is refused; None if nobody is."""

    approve: Callable[[Transaction, OpenGame, Request, str], str]
    denied: Callable[[Request], str] | None = None


def decide(work: Transaction, table: OpenGame, number: int, *, approved: bool, reason: str = "") -> str:
    """The game master's decision on a request; returns the sentence about the result. Raises `Refused`."""
    request = request_numbered(work, table, number)
    kind = _KINDS[request.kind]
    seat = table.seat_of_id(request.seat_id)
    name = seat.name if seat else "-"
    if approved:
        sentence = kind.approve(work, table, request, reason)
        settle(work, request, RequestState.APPROVED)
    else:
        sentence = f"Request {number} is refused."
        settle(work, request, RequestState.REFUSED)
    word = "approved" if approved else "refused"
    sealed = Ruling(cause=work.cause or None, seat=name, reason=reason)
    decided = DecidedEntry(turn=table.game.turn, request=number, request_kind=request.kind, decision=word, sealed=sealed)
    entry = work.journal(table, decided)
    work.log("decided", table, name, f"request {number} ({request.kind}) {word}")
    if not approved and kind.denied is not None and seat is not None:
        words = kind.denied(request)
        notice.tell(work, table, [seat], notice.Notice(f"notice {table.id} {entry}", "your request was refused", words, reason))
    if reason and seat is None:
        words = f"{GM.capitalize()} has {word} request {number}."
        notice.tell(work, table, table.seats, notice.Notice(f"notice {table.id} {entry}", "a ruling", words, reason))
    return sentence


def _extension(work: Transaction, table: OpenGame, request: Request, reason: str) -> str:
    wish = read_as(MoreTime, request.payload)
    if wish.turn != table.game.turn:
        raise Refused(f"turn {wish.turn} is over, and request {request.number} was for that")
    length = deadline_changes.whole_minutes(timedelta(seconds=wish.seconds))
    seat = table.seat_of_id(request.seat_id)
    if seat is None:
        raise Refused("the seat that asked is gone")
    why = "; ".join(filter(None, (f"{seat.name} asked for it", reason)))
    deadline_changes.extend(work, table, length, GM, why, None if wish.for_all else seat)
    if wish.for_all and (holds := deadline_changes.hold_for(work, table, seat)):
        key = f"held {table.id} {request.number}"
        notice.tell(work, table, [seat], notice.Notice(key, "the turn stays open for you", holds))
    whose, until = (
        ("", deadline_words(work, table)) if wish.for_all else (f" of {seat.name}", deadline_words(work, table, seat))
    )
    return f"The deadline{whose} is {describe_duration(length)} later: {until}."


def _no_extension(request: Request) -> str:
    wish = read_as(MoreTime, request.payload)
    return f"You asked for {wish.length} more in turn {wish.turn}. The deadline stays as it is."


def _ruling(work: Transaction, table: OpenGame, request: Request, _reason: str) -> str:
    key = read_as(AwaitedRuling, request.payload).key
    must_have_begun(table)
    assert table.ruleset.rulings is not None
    assert table.ruleset.rule is not None
    if key not in {ruling.key for ruling in table.ruleset.rulings(table.position)}:
        raise Refused(f"what request {request.number} was about stands no more")
    work.move(table, table.ruleset.rule(table.position, key))
    work.journal(table, RuledEntry(turn=table.game.turn, step=table.game.step, sealed=RulingKey(key=key)))
    return "Your word is given; the rules go on by it when the turn is resolved."


_KINDS: dict[str, _Kind] = {
    EXTENSION: _Kind(_extension, _no_extension),
    RULING: _Kind(_ruling),
}
