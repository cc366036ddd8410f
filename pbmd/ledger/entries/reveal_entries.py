"""The kind of entry with which an anonymous game shows, when it is over, who played it."""

from typing import Annotated

from pydantic import Field

from pbmd.ledger.entries.codec import Entry, Part, Text, content
from pbmd.ledger.entries.parts import SeatName


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
