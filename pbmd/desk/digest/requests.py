"""What waits for the game master's decision: APPROVE or REFUSE, by mail or on the command line. One table for all kinds.

Requests are numbered within their game. What is done when one is approved or refused is in `pbmd.desk.changes.rulings`.

A ruleset with `rulings` says after each step what waits for the game master; APPROVE calls its `rule`, and when a ruling is no
longer open, its request ends.
"""

from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import bindparam
from sqlmodel import col, func, select

from pbmd.desk.books.question_payloads import EXTENSION, RULING, AwaitedRuling, MoreTime, read_as, written
from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.mail.draft import Draft, render, subject
from pbmd.desk.mail.notice import Notice, tell
from pbmd.desk.mail.queue import tell_gm
from pbmd.ledger.lately import lately
from pbmd.ledger.tables import Request, RequestState, Seat
from pbmd.rules.protocol import Refused

MOST_A_DAY = 4
"""For one seat: each is a mail to the game master."""


def must_be_seldom(work: Transaction, seat: Seat) -> None:
    """Raises `Refused` if a seat has asked the game master often enough in the last day."""
    work.write()
    asked = select(func.count()).where(Request.seat_id == seat.id, lately(Request.asked_at, work.now, timedelta(days=1)))
    if work.session.exec(asked).one() >= MOST_A_DAY:
        raise Refused(
            f"the game master was asked {MOST_A_DAY} times for you in 24 hours, which is enough; nobody was asked again"
        )


@dataclass(frozen=True, slots=True)
class Petition:
    """What is asked for: `words` is a sentence in our own words, `reason` one in somebody else's; `wish` is what is needed when
    it is approved."""

    wish: MoreTime | AwaitedRuling
    words: str
    reason: str = ""

    @property
    def kind(self) -> str:
        """The kind of this request."""
        return EXTENSION if isinstance(self.wish, MoreTime) else RULING


def ask_gm(
    work: Transaction, table: OpenGame, petition: Petition, *, seat: Seat | None = None, letter_id: int | None = None
) -> Request:
    """Put a request before the game master, and mail it to them."""
    last = select(func.max(Request.number)).where(Request.game_id == table.id)
    request = Request(
        game_id=table.id,
        number=(work.session.exec(last).one() or 0) + 1,
        seat_id=seat.id if seat else None,
        letter_id=letter_id,
        kind=petition.kind,
        words=petition.words,
        payload=written(petition.wish),
        asked_at=work.now,
    )
    work.session.add(request)
    work.session.flush()
    work.log("request", table, seat.name if seat else "-", f"request {request.number}: {petition.kind}")
    values = {"game": table.game, "number": request.number, "words": petition.words, "reason": petition.reason}
    title = subject(table, f"request {request.number}: {seat.name if seat else table.game.name} asks")
    tell_gm(work, Draft("alarm", f"request {table.id} {request.number}", title, render("request.txt", values)), table)
    return request


def open_requests(work: Transaction, table: OpenGame) -> list[Request]:
    """The requests of a game that wait for a decision, oldest first."""
    return list(work.session.exec(_OPEN_REQUESTS, params={"game": table.id}))


# Made once: putting a statement together takes longer than the ledger takes to answer.
_OPEN_REQUESTS = (
    select(Request)
    .where(Request.game_id == bindparam("game"), Request.state == RequestState.OPEN)
    .order_by(col(Request.number))
)


def request_numbered(work: Transaction, table: OpenGame, number: int) -> Request:
    """The open request with that number. Raises `Refused`."""
    one = select(Request).where(Request.game_id == table.id, Request.number == number)
    request = work.session.exec(one).first()
    if request is None:
        waiting = ", ".join(str(each.number) for each in open_requests(work, table))
        raise Refused(f"there is no request {number} in {table.game.name}" + (f"; open are {waiting}" if waiting else ""))
    if request.state is RequestState.ENDED:
        raise Refused(f"request {number} in {table.game.name} came to nothing, since what it was about is over")
    if request.state is not RequestState.OPEN:
        raise Refused(f"request {number} in {table.game.name} was {request.state.value} already")
    return request


def settle(work: Transaction, request: Request, state: RequestState) -> None:
    """The request no longer waits."""
    request.state, request.decided_at = state, work.now


def end_requests(work: Transaction, table: OpenGame, kind: str = "", seat: Seat | None = None) -> None:
    """End requests that nobody needs any more: of this kind, or all; of this seat, or all."""
    for request in open_requests(work, table):
        if kind in ("", request.kind) and (seat is None or request.seat_id == seat.id):
            settle(work, request, RequestState.ENDED)


def end_late_requests(work: Transaction, table: OpenGame) -> None:
    """End the requests for more time in a turn that is over, and tell the players who asked that nothing came of them."""
    for request in open_requests(work, table):
        if request.kind != EXTENSION or (wish := read_as(MoreTime, request.payload)).turn == table.game.turn:
            continue
        settle(work, request, RequestState.ENDED)
        work.session.flush()
        seat = table.seat_of_id(request.seat_id)
        if seat is not None:
            words = (
                f"You asked for {wish.length} more in turn {wish.turn}. The turn was over before the game master had answered."
            )
            told = Notice(f"too-late {table.id} {request.number}", "your request came to nothing", words)
            tell(work, table, [seat], told)


def ask_rulings(work: Transaction, table: OpenGame) -> None:
    """Ask for what the rules wait for in the present position, once for as long as it is so; what they no longer wait for is no
    longer asked."""
    if table.ruleset.rulings is None:
        return
    rulings = {ruling.key: ruling for ruling in table.ruleset.rulings(table.position)}
    asked = select(Request).where(Request.game_id == table.id, Request.kind == RULING, Request.state != RequestState.ENDED)
    for request in work.session.exec(asked):
        if rulings.pop(read_as(AwaitedRuling, request.payload).key, None) is None:
            settle(work, request, RequestState.ENDED)
    for ruling in rulings.values():
        ask_gm(work, table, Petition(AwaitedRuling(ruling.key), ruling.words))
