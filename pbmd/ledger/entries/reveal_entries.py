"""The kind of entry with which an anonymous game shows, when it is over, who played it."""

from typing import Annotated

from pydantic import Field

from pbmd.ledger.entries.codec import Entry, Part, Text, content
from pbmd.ledger.entries.parts import SeatName


@content
class Holding(Part):
    """a `seat`, its `player` (none: they gave no name), and `since` and `until` which step they had it (none: from the
    beginning, to the end)"""

    seat: SeatName
    player: Text | None = None
    since: Text | None = None
    until: Text | None = None


@content
class RevealedEntry(Entry):
    """An anonymous game is over: who played which seat, in the order of seats and of time."""

    kind = "revealed"

    players: Annotated[tuple[Holding, ...], Field(description="each is a seat, its player, and the steps as players call them")]
    sealed: Part | None = None
