"""What somebody is told about a seat that they are offered: only what everybody may know."""

from collections.abc import Iterator, Mapping
from typing import Any

from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.deadlines.forecast import holders_words, labelled
from pbmd.desk.deadlines.pace_text import pace_words
from pbmd.ledger.tables import GameStatus, Seat, SeatState
from pbmd.rules.protocol import PUBLIC
from pbmd.terms.times import describe_duration, describe_time

_LABEL = 12
_MOST_NUMBERS = 8


def offered_words(work: Transaction, table: OpenGame, seat: Seat, zone: str = "UTC", played: str = "") -> str:
    """Turn, deadline, pace, who plays the seat, and its public figures: lines of at most 72 columns, without a final line end.
    `played` is what is said of who plays it, if it is not offered for good.

    The deadline is that of the game: whether a seat has one of its own may be nobody's business.
    """
    rows = [
        ("Now", _turn(table)),
        *_deadline(work, table, zone),
        ("Pace", pace_words(table)),
        ("Seat", played or _played(seat)),
    ]
    rows += [("It has" if place == 0 else "", words) for place, words in enumerate(_numbers(table, seat))]
    if words := holders_words(table.terms):
        rows.append(("Who plays", words))
    return labelled(rows, _LABEL)


def _turn(table: OpenGame) -> str:
    players = sum(seat.state is SeatState.ACTIVE for seat in table.seats)
    stands = "; the game is paused" if table.game.status is GameStatus.PAUSED else ""
    have = "all" if players == len(table.seats) else f"{players} of"
    return f"{table.game.step_called}; {have} {len(table.seats)} seats have players{stands}"


def _deadline(work: Transaction, table: OpenGame, zone: str) -> Iterator[tuple[str, str]]:
    game = table.game
    if game.deadline is not None and game.paused_at is None:
        left = f", in {describe_duration(game.deadline - work.now)}" if game.deadline > work.now else ""
        yield "Deadline", f"{describe_time(game.deadline, zone)}{left}"


def _played(seat: Seat) -> str:
    if seat.is_asleep:
        return "Its player has it until somebody says YES, unless they come back before, and knows of this offer."
    if seat.state is SeatState.ACTIVE:
        return "The present player keeps it until somebody says YES, and knows of this offer."
    return "Nobody plays it."


def _numbers(table: OpenGame, seat: Seat) -> Iterator[str]:
    """The figures of the public report for each seat, for this one and for the others."""
    told: Mapping[str, Any] = table.ruleset.view(table.position, (), PUBLIC).data.get("numbers", {})
    for label, by_seat in list(told.items())[:_MOST_NUMBERS]:
        if seat.name in by_seat:
            others = ", ".join(str(number) for name, number in by_seat.items() if name != seat.name)
            yield f"{label}: {by_seat[seat.name]}" + (f" (the others {others})" if others else "")
