"""What waits for the game master, each with lines that a reply can have as they stand."""

from collections.abc import Iterator
from dataclasses import dataclass

from sqlmodel import col, or_, select

from pbmd.desk.books.kept import OfMaster, read_as
from pbmd.desk.books.work import Table, Work
from pbmd.desk.digest.missing import times_missed
from pbmd.desk.digest.requests import open_requests
from pbmd.desk.timing.trusted_clock import doubts
from pbmd.ledger.tables import Confirmation, ConfirmationState, GameStatus, Seat, SeatState, Visitor, VisitorKind
from pbmd.terms.times import describe_time

_OFTEN = 2
"""Who has missed so many deadlines may be gone."""


@dataclass(frozen=True, slots=True)
class Waits:
    """What it is, and the lines with which it can be answered: each is a command as it stands, with `…` for a reason."""

    sentence: str
    lines: tuple[str, ...] = ()


def what_waits(work: Work, table: Table) -> list[Waits]:
    """All that waits for the game master in a game."""
    work.session.flush()  # what this transaction has answered waits no more
    kinds = (_requests, _questions, _of_game, _empty, _gone)
    return [each for kind in kinds for each in kind(work, table)]


def _requests(work: Work, table: Table) -> Iterator[Waits]:
    for request in open_requests(work, table):
        lines = (f"APPROVE {request.number}", f"REFUSE {request.number} because …")
        yield Waits(f"Request {request.number}: {request.words}", lines)


def _questions(work: Work, table: Table) -> Iterator[Waits]:
    which = (Confirmation.game_id == table.id, Confirmation.subject == "master", Confirmation.state == ConfirmationState.OPEN)
    for question in work.session.exec(select(Confirmation).where(*which, col(Confirmation.expires_at) > work.now)):
        command = read_as(OfMaster, question.payload).command.upper()
        until = describe_time(question.expires_at, work.desk.settings.server.timezone)
        yield Waits(f"You were asked whether {command} is to be done. Reply to that mail with YES or NO until {until}.")


def _of_game(work: Work, table: Table) -> Iterator[Waits]:
    game = table.game
    if table.trouble:
        yield Waits(f"The game cannot go on: {table.trouble}.")
    elif game.status is GameStatus.PAUSED:
        yield Waits("The game is paused.", ("RESUME because …",))
    elif game.status is GameStatus.SIGNUP and len(table.seats) >= table.ruleset.info.min_seats:
        yield Waits(f"{len(table.seats)} seats are taken, which is enough to begin.", ("START",))
    if words := doubts(work):
        yield Waits(f"The clock of the machine is in doubt, so nothing is resolved: {words}.", ("CLOCK CONFIRM",))


def _empty(work: Work, table: Table) -> Iterator[Waits]:
    empty = [seat for seat in table.seats if seat.state is not SeatState.ACTIVE]
    if not empty or not _goes_on(table) or (table.ruleset.resign is not None and table.ruleset.take_over is None):
        return
    lists = or_(col(Visitor.game_id).is_(None), col(Visitor.game_id) == table.id)
    stands_by = work.session.exec(select(Visitor.id).where(Visitor.kind == VisitorKind.STANDBY, lists).limit(1)).first()
    for seat in empty:
        offer = (f"OFFER {_short(table, seat)} because …",) if stands_by is not None else ()
        yield Waits(f"Nobody plays {seat.name}.", (*offer, f"REPLACE {_short(table, seat)} BY somebody@example.org because …"))


def _gone(work: Work, table: Table) -> Iterator[Waits]:
    if not _goes_on(table):
        return
    times = times_missed(work, table)
    for seat in table.seats:
        if times.get(seat.name, 0) >= _OFTEN and seat.state is SeatState.ACTIVE:
            lines = (
                f"REPLACE {_short(table, seat)} BY somebody@example.org because …",
                f"EJECT {_short(table, seat)} because …",
            )
            yield Waits(f"{seat.name} has missed {times[seat.name]} deadlines in this game.", lines)


def _goes_on(table: Table) -> bool:
    return table.game.status in (GameStatus.RUNNING, GameStatus.PAUSED) and not table.trouble


_NAME = 24
"""So long a name may be for a line to be within 72 columns."""


def _short(table: Table, seat: Seat) -> str:
    """The name of a seat, or if it is long as many of its words as tell it from others: commands take it so."""
    words, others = seat.name.split(), [other.name.casefold() for other in table.seats if other is not seat]
    if len(seat.name) <= _NAME:
        return seat.name
    cuts = (" ".join(words[:count]) for count in range(2, len(words)))
    return next((cut for cut in cuts if not any(name.startswith(cut.casefold()) for name in others)), seat.name)
