"""The kinds of entries that tell of players: their letters, and who has which seat."""

from collections.abc import Collection
from typing import Annotated

from pydantic import Field

from pbmd.ledger.entries.codec import Entry, Flag, Number, Part, Text, content
from pbmd.ledger.entries.parts import ByVote, Cause, Decision, Letter, OneSeat, Orders, Reason, SeatName, Step, Time, Turn


@content
class OrdersEntry(Entry):
    """A letter with orders."""

    kind = "orders"
    holds_orders = True
    has_own_words = True

    turn: Annotated[Number, Field(description="the turn that they are for")]
    step: Annotated[Number, Field(description="the step that they are for")]
    sealed: Orders | None

    @property
    def readers(self) -> Collection[str]:
        """Who sent it."""
        return (self.sealed.seat,) if self.sealed else ()


@content
class CancelledEntry(Entry):
    """Orders were taken back."""

    kind = "cancelled"
    tells_of_people = False

    turn: Turn
    step: Step
    sealed: OneSeat | None

    @property
    def readers(self) -> Collection[str]:
        """Whose they were."""
        return (self.sealed.seat,) if self.sealed else ()


UNTIL_ORDERS = "orders"


@content
class EarlyEnd(OneSeat):
    """Whether a seat wants the step to end early."""

    arrived: Annotated[Time | None, Field(description="when the letter arrived")] = None
    until: Annotated[Text | None, Field(description="`orders`: only until some are filed, by who was given more time")] = None


@content
class WaitEntry(Entry):
    """A seat does not want the step to end early."""

    kind = "wait"
    tells_of_people = False

    turn: Turn
    step: Step | None = None
    sealed: EarlyEnd | None

    @property
    def readers(self) -> Collection[str]:
        """Who has said it."""
        return (self.sealed.seat,) if self.sealed else ()


@content
class ReadyEntry(WaitEntry):
    """A seat does not mind any more if the step ends early."""

    kind = "ready"


@content
class PressMessage(Part):
    """A message of press. What is not there is not so."""

    writer: Annotated[Text, Field(alias="from", description="a seat")]
    to: tuple[SeatName, ...]
    text: Text
    letter: Annotated[Number | None, Field(description="its number in the ledger")] = None
    to_all: Annotated[Flag | None, Field(alias="all", description="true if it went to all")] = None
    anonymous: Annotated[Flag | None, Field(description="true if its readers do not know who wrote it")] = None
    waits: Annotated[Flag | None, Field(description="true if it went out with the next report")] = None
    rooms: Annotated[tuple[Text, ...] | None, Field(description="the rooms of the rules that it was written to")] = None


@content
class PressEntry(Entry):
    """A message between players."""

    kind = "press"
    has_own_words = True

    turn: Turn
    sealed: PressMessage | None

    @property
    def readers(self) -> Collection[str]:
        """Who wrote it, and to whom."""
        return (self.sealed.writer, *self.sealed.to) if self.sealed else ()

    @property
    def is_for_all(self) -> bool:
        """Whether it went to all."""
        return bool(self.sealed and self.sealed.to_all)


@content
class Witness(OneSeat):
    """Who brought it."""

    letter: Letter


@content
class DisputedEntry(Entry):
    """A letter brought back a head that the journal does not have: players were told another history."""

    kind = "disputed"

    turn: Turn
    head: Annotated[Text, Field(description="what it brought back: entry and digits, or digits")]
    sealed: Witness | None

    @property
    def readers(self) -> Collection[str]:
        """Who sent it."""
        return (self.sealed.seat,) if self.sealed else ()


@content
class AnnouncedAbsence(Decision):
    """Who is away, where not all are told."""

    seat: SeatName | None = None
    first: Annotated[Text | None, Field(alias="from", description="the first day")] = None
    last: Annotated[Text | None, Field(alias="to", description="the last day")] = None


@content
class AbsentEntry(Entry):
    """Somebody is away; who and when is public where all are told."""

    kind = "absent"

    turn: Turn
    seat: SeatName | None = None
    first: Annotated[Text | None, Field(alias="from", description="the first day")] = None
    last: Annotated[Text | None, Field(alias="to", description="the last day")] = None
    sealed: AnnouncedAbsence | None


@content
class EndedAbsence(Decision):
    """Who is back."""

    who: SeatName


@content
class PresentEntry(Entry):
    """Somebody is not away after all; who is public where all are told."""

    kind = "present"

    turn: Turn
    seat: SeatName | None = None
    sealed: EndedAbsence | None


@content
class ResignedEntry(Entry):
    """A seat was given up; before the game began, it is free again."""

    kind = "resigned"

    seat: SeatName
    sealed: Part | None = None


@content
class TokenEntry(Entry):
    """The mails of a seat prove nothing any more; its next have a new token."""

    kind = "token"

    sealed: OneSeat | None


@content
class AddressChange(OneSeat):
    """From which address to which."""

    old: Text
    new: Text


@content
class AddressEntry(Entry):
    """A player has another address."""

    kind = "address"

    sealed: AddressChange | None


@content
class HandOver(AddressChange):
    """From whom to whom."""

    holder: Annotated[Text | None, Field(description="what the new holder is called")] = None
    until: Annotated[Text | None, Field(description="of a substitute: the time at which the seat comes back")] = None
    back: Annotated[Flag | None, Field(description="true if it came back to the player whom a substitute stood in for")] = None
    hidden: Annotated[Text | None, Field(description="the same where not even the rules may know it")] = None

    @property
    def name(self) -> str:
        """What the new holder is called, whether the rules may know it or not; empty for one who gave no name."""
        return self.holder or self.hidden or ""


@content
class HolderEntry(Entry):
    """A seat has another holder."""

    kind = "holder"

    seat: SeatName
    sealed: HandOver | None


@content
class SeatTimezone(OneSeat):
    """The time zone of whoever has the seat."""

    cause: Cause | None = None
    timezone: Text


@content
class TimezoneEntry(Entry):
    """A player gets the times in another zone."""

    kind = "timezone"

    sealed: SeatTimezone | None


@content
class OfferedEntry(Entry):
    """A seat was offered to others, and why."""

    kind = "offered"

    turn: Turn
    seat: SeatName
    by: ByVote | None = None
    reason: Reason
    sealed: Decision | None


@content
class EjectedEntry(Entry):
    """A seat was taken from its holder."""

    kind = "ejected"

    seat: SeatName
    reason: Reason
    sealed: Decision | None
