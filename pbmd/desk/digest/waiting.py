"""What waits for the game master, each with lines that can be copied into a reply unchanged."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from sqlalchemy import bindparam
from sqlmodel import col, or_, select

from pbmd.desk.books.question_payloads import OfMaster, read_as
from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.deadlines.trusted_clock import doubts
from pbmd.desk.digest.news import times_missed
from pbmd.desk.digest.requests import open_requests
from pbmd.desk.language.columns import width_of
from pbmd.ledger.tables import Confirmation, ConfirmationState, GameStatus, Seat, SeatState, Visitor, VisitorKind
from pbmd.terms.times import describe_time

_OFTEN = 2
"""Somebody who has missed this many deadlines may be gone."""
SOMEBODY = "somebody@example.org"
"""In the lines of a digest, the place for an address."""


@dataclass(frozen=True, slots=True)
class Waits:
    """What it is, and the lines with which it can be answered: each is a complete command, with `…` for a reason."""

    sentence: str
    lines: tuple[str, ...] = ()


def what_waits(work: Transaction, table: OpenGame) -> list[Waits]:
    """Everything that waits for the game master in a game."""
    work.session.flush()  # what this transaction has answered no longer waits
    kinds = (_requests, _questions, _of_game, _empty, _gone, _asleep)
    return [each for kind in kinds for each in kind(work, table)]


def _requests(work: Transaction, table: OpenGame) -> Iterator[Waits]:
    for request in open_requests(work, table):
        lines = (f"APPROVE {request.number}", f"REFUSE {request.number} because …")
        yield Waits(f"Request {request.number}: {request.words}", lines)


def _questions(work: Transaction, table: OpenGame) -> Iterator[Waits]:
    for question in work.session.exec(_OPEN_QUESTIONS, params={"game": table.id, "now": work.now}):
        command = read_as(OfMaster, question.payload).command.upper()
        until = describe_time(question.expires_at, work.desk.settings.server.timezone)
        yield Waits(f"We asked you whether to do {command}. Reply to that mail with YES or NO by {until}.")


# Made once: putting a statement together takes longer than the ledger takes to answer.
_OPEN_QUESTIONS = select(Confirmation).where(
    Confirmation.game_id == bindparam("game"),
    Confirmation.subject == "master",
    Confirmation.state == ConfirmationState.OPEN,
    col(Confirmation.expires_at) > bindparam("now"),
)


def _of_game(work: Transaction, table: OpenGame) -> Iterator[Waits]:
    game = table.game
    if table.trouble:
        yield Waits(f"The game cannot go on: {table.trouble}.")
    elif game.status is GameStatus.PAUSED:
        yield Waits("The game is paused.", ("RESUME because …",))
    elif game.status is GameStatus.SIGNUP and len(table.seats) >= table.ruleset.info.min_seats:
        yield Waits(f"{len(table.seats)} seats are filled, which is enough to begin.", ("START",))
    if words := doubts(work):
        yield Waits(f"The clock of the machine is in doubt, so nothing is resolved: {words}.", ("CLOCK CONFIRM",))


def _empty(work: Transaction, table: OpenGame) -> Iterator[Waits]:
    empty = [seat for seat in table.seats if seat.state is not SeatState.ACTIVE]
    if not empty or not _goes_on(table) or (table.ruleset.resign is not None and table.ruleset.take_over is None):
        return
    stands_by = _somebody_stands_by(work, table)
    for seat in empty:
        offer = (f"OFFER {_short(table, seat)} because …",) if stands_by else ()
        yield Waits(f"Nobody plays {seat.name}.", (*offer, f"REPLACE {_short(table, seat)} BY {SOMEBODY} because …"))


def _somebody_stands_by(work: Transaction, table: OpenGame) -> bool:
    lists = or_(col(Visitor.game_id).is_(None), col(Visitor.game_id) == table.id)
    stands_by = select(Visitor.id).where(Visitor.kind == VisitorKind.STANDBY, lists).limit(1)
    return work.session.exec(stands_by).first() is not None


def _gone(work: Transaction, table: OpenGame) -> Iterator[Waits]:
    if not _goes_on(table):
        return
    times = times_missed(work, table)
    for seat in table.seats:
        if times.get(seat.name, 0) >= _OFTEN and seat.is_awake:
            lines = (
                f"REPLACE {_short(table, seat)} BY {SOMEBODY} because …",
                f"EJECT {_short(table, seat)} because …",
            )
            yield Waits(f"{seat.name} has missed {times[seat.name]} deadlines in this game.", lines)


def _asleep(work: Transaction, table: OpenGame) -> Iterator[Waits]:
    """Seats that are to be offered since they sleep, and for which nobody is asked any more, or nobody stood by."""
    if not _goes_on(table) or table.terms.sleeper != "offer":
        return
    asked = select(Confirmation.seat_id).where(Confirmation.game_id == table.id, Confirmation.subject == "take-over")
    still_asked = set(work.session.exec(asked.where(Confirmation.state == ConfirmationState.OPEN)))
    for seat in table.seats:
        if seat.is_asleep and seat.id not in still_asked:
            name = _short(table, seat)
            offer = (f"OFFER {name} because …",) if _somebody_stands_by(work, table) else ()
            lines = (*offer, f"REPLACE {name} BY {SOMEBODY} because …", f"WAKE {name} because …")
            yield Waits(f"{seat.name} is asleep, and nobody is asked to take it over.", lines)


def _goes_on(table: OpenGame) -> bool:
    return table.game.status in (GameStatus.RUNNING, GameStatus.PAUSED) and not table.trouble


_NAME = 24
"""How wide a name may be for a line to fit into 72 columns."""
_MISREAD = re.compile(r"\bbecause\b", re.IGNORECASE)
"""What ends the name of a seat in a command."""


def _short(table: OpenGame, seat: Seat) -> str:
    """The name of a seat; if it is long, or would be misread in a command, as much of its beginning as distinguishes it from
    others, whole words if that is enough: commands accept that."""
    name, others = seat.name, [other.name.casefold() for other in table.seats if other is not seat]
    ends = [found.start() for found in re.finditer(" ", name)][1:]
    cuts = [name, *(name[:end] for end in (*ends, *range(len(name) - 1, 0, -1)))]
    fit = (cut for cut in map(str.strip, cuts) if width_of(cut) <= _NAME and not _MISREAD.search(cut))
    return next((cut for cut in fit if not any(other.startswith(cut.casefold()) for other in others)), name)
