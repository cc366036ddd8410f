"""The kinds of entries that tell of deadlines, and of what the game master decides."""

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field

from pbmd.ledger.entries.codec import Document, Entry, Flag, Number, Part, Text, content
from pbmd.ledger.entries.parts import ByVote, Deadline, Decision, Instant, MovedDeadlines, Reason, SeatName, Step, Time, Turn


@content
class ExtendedEntry(Entry):
    """The deadline is later by some minutes, for one seat, or for all."""

    kind = "extended"

    turn: Turn
    step: Step | None = None
    minutes: Number
    by: Annotated[Text, Field(description="who gave or took them")]
    reason: Reason
    seat: Annotated[Text, Field(description="empty if it is for all")]
    deadline: Annotated[Text | None, Field(description="of the seat, or of the game")] = None
    sealed: MovedDeadlines | None


@content
class PutOffEntry(Entry):
    """The deadline is later, since a seat is away."""

    kind = "put-off"

    turn: Turn
    step: Step
    seat: SeatName
    days: Number
    own: Annotated[Flag, Field(description="whether it is the deadline of the seat alone")]
    deadline: Annotated[Text | None, Field(description="of the seat, or of the game")] = None
    sealed: MovedDeadlines | None


@content
class ShiftedEntry(Entry):
    """The deadline is later, since the mailbox could not be read."""

    kind = "shifted"

    turn: Turn
    outage: Annotated[Number, Field(description="its number in the ledger")]
    began: Annotated[Time, Field(alias="from")]
    ended: Annotated[Time, Field(alias="until")]
    deadline: Deadline
    before: Annotated[Time, Field(description="the deadline until then")]
    seats: Annotated[Mapping[str, Text], Field(description="those that have deadlines of their own, and which")]
    sealed: MovedDeadlines | None


@content
class QuietEntry(Entry):
    """Deadlines fall on other days; these terms of the game have changed."""

    kind = "quiet"

    turn: Turn
    quiet_days: tuple[Text, ...]
    holidays: tuple[Text, ...]
    quiet_zone: Text
    deadline: Deadline | None = None
    reason: Reason
    sealed: MovedDeadlines | None


@content
class PausedEntry(Entry):
    """The clock stands."""

    kind = "paused"

    turn: Turn
    by: ByVote | None = None
    reason: Reason
    sealed: Instant | None


@content
class ResumedEntry(Entry):
    """The clock runs on; deadlines are later by as long as it stood. Or the sign-up goes on."""

    kind = "resumed"

    turn: Turn
    stood_seconds: Number | None = None
    deadline: Deadline | None = None
    by: ByVote | None = None
    reason: Reason | None = None
    as_it_is: Annotated[tuple[Text, ...] | None, Field(description="what in the books was not as written, and stays")] = None
    sealed: MovedDeadlines | None


@content
class ClosedEntry(Entry):
    """The game master closes the step: it waits for nobody any more."""

    kind = "closed"

    turn: Turn
    step: Step
    by: Text
    reason: Reason | None = None
    sealed: Instant | None


@content
class DeadlineEntry(Entry):
    """Another deadline, by the game master's word, which may be earlier."""

    kind = "deadline"

    turn: Turn
    deadline: Deadline
    by: Text
    reason: Reason
    sealed: MovedDeadlines | None


@content
class Ruling(Decision):
    """Who had asked, and why it was decided so."""

    seat: SeatName
    reason: Reason


@content
class DecidedEntry(Entry):
    """What was asked for is approved or refused."""

    kind = "decided"

    turn: Turn
    request: Annotated[Number, Field(description="its number")]
    request_kind: Annotated[Text, Field(alias="kind")]
    decision: Text
    sealed: Ruling | None


@content
class RulingKey(Part):
    """What was decided."""

    key: Annotated[Text, Field(description="as the rules call it")]


@content
class RuledEntry(Entry):
    """A word of the game master's, by which the rules go on."""

    kind = "ruled"
    moves_position = True
    tells_of_people = False

    turn: Turn
    step: Step
    sealed: RulingKey | None


@content
class AnnouncedEntry(Entry):
    """The game master wrote to all."""

    kind = "announced"

    turn: Turn
    text: Text
    sealed: Decision | None


@content
class PeekedEntry(Entry):
    """The game master looked at what only a seat may know."""

    kind = "peeked"

    turn: Turn
    seat: SeatName
    reason: Reason
    sealed: Decision | None


@content
class GmTokenEntry(Entry):
    """The game master's mails prove nothing any more; the next have a new token."""

    kind = "gm-token"

    sealed: Decision | None


@content
class ChangedOptions(Decision):
    """All options after it."""

    options: Document


@content
class SetEntry(Entry):
    """An option of the rules is another from now on."""

    kind = "set"
    moves_position = True
    tells_of_people = False

    turn: Turn
    option: Text
    before: Annotated[Any, Field(alias="from")]
    now: Annotated[Any, Field(alias="to")]
    reason: Reason
    sealed: ChangedOptions | None
