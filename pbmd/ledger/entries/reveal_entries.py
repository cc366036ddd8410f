"""The kind of entry with which an anonymous game shows, when it is over, who played it."""

from collections.abc import Sequence
from itertools import groupby
from typing import Annotated

from pydantic import Field

from pbmd.ledger.entries.codec import Entry, Part, Text, content
from pbmd.ledger.entries.parts import SeatName

_NO_NAME = "somebody who gives no name"


@content
class Holding(Part):
    """Who had a seat, and when, in the words of players."""

    seat: SeatName
    player: Text | None = None
    since: Text | None = None
    until: Text | None = None


@content
class RevealedEntry(Entry):
    """An anonymous game is over: who played which seat, in the order of seats and of time."""

    kind = "revealed"

    players: Annotated[
        tuple[Holding, ...],
        Field(
            description="each had a `seat`: `player` (absent if they gave no name), `since` which step (absent: the beginning) "
            "and `until` which (absent: the end)"
        ),
    ]
    sealed: Part | None = None


def who_played(holdings: Sequence[Holding]) -> tuple[str, ...]:
    """A line for each seat, as players read it: those who had it, in the order of time. What a seat had must stand together."""
    return tuple(f"{seat}: {_in_turn([*held])}" for seat, held in groupby(holdings, key=lambda each: each.seat))


def _in_turn(held: Sequence[Holding]) -> str:
    before = (None, *(each.until for each in held))
    return ", then ".join(_words(each, left) for each, left in zip(held, before, strict=False))


def _words(each: Holding, left: str | None) -> str:
    """A player of a seat; since when goes without saying if it was then that the one before `left`."""
    since = f" from {each.since}" if each.since and each.since != left else ""
    until = f" until {each.until}" if each.until else ""
    return f"{each.player or _NO_NAME}{since}{until}"
