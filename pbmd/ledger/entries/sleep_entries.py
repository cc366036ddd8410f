"""The kinds of entries that tell of seats that fall asleep, since they have missed too much, and wake up."""

from collections.abc import Collection
from typing import Annotated

from pydantic import Field

from pbmd.ledger.entries.codec import Entry, Number, Text, content
from pbmd.ledger.entries.parts import Cause, OneSeat, Reason, SeatName, Step, Turn

DISORDER = "disorder"
"""What is in the position while such a seat sleeps, by the rules."""
_Sleeper = Annotated[Text, Field(description="what becomes of the seat meanwhile, as the terms call it")]


@content
class AsleepEntry(Entry):
    """A seat has missed so much that nobody waits for it any more, until it wakes up."""

    kind = "asleep"
    moves_position = True
    tells_of_people = False

    turn: Turn
    step: Annotated[Number, Field(description="the step that it missed last")]
    seat: Annotated[SeatName | None, Field(description="where all may know who has sent nothing")] = None
    sleeper: _Sleeper
    sealed: OneSeat | None

    @property
    def readers(self) -> Collection[str]:
        """Whose it is."""
        return (self.sealed.seat,) if self.sealed else ()


@content
class Waking(OneSeat):
    """Whose it is, and what woke it."""

    cause: Cause | None = None


@content
class AwakeEntry(Entry):
    """A seat is awake again: its player wrote, or the game master woke it."""

    kind = "awake"
    moves_position = True
    tells_of_people = False

    turn: Turn
    step: Step
    sleeper: _Sleeper
    by: Annotated[Text, Field(description="who woke it: its player, or the game master")]
    reason: Reason | None = None
    sealed: Waking | None

    @property
    def readers(self) -> Collection[str]:
        """Whose it is."""
        return (self.sealed.seat,) if self.sealed else ()
