"""The kinds of entries with which a game begins and ends, and a step begins and is over."""

from collections.abc import Collection
from typing import Annotated

from pydantic import Field

from pbmd.ledger.entries.codec import Document, Entry, Flag, Number, Part, Text, content
from pbmd.ledger.entries.parts import (
    Cause,
    Commitment,
    Deadline,
    Edition,
    KeptBack,
    Meanwhile,
    OneSeat,
    OpenedSalts,
    Reason,
    SaltsCommitment,
    SeatName,
    Secret,
    Step,
    Time,
    Turn,
)


@content
class CreatedEntry(Entry):
    """The game was made. Its commitments are those of the set-up."""

    kind = "created"

    game: Annotated[Text, Field(description="its name")]
    ruleset: Text
    options: Annotated[Document, Field(description="of the rules, where they are not as in the handbook")]
    terms: Annotated[Document, Field(description="of the game: deadlines, press and the like")]
    commitment: Commitment | None = None
    salts_commitment: SaltsCommitment | None = None
    sealed: Part | None = None


@content
class JoiningPlayer(Part):
    """Who has joined."""

    address: Text
    setup: Annotated[Text, Field(description="the lines of the sign-up: canonical JSON of [number, text] pairs")]
    holder: Annotated[Text | None, Field(description="what the player is called")] = None
    hidden: Annotated[Text | None, Field(description="the same where not even the rules may know it")] = None
    joined_at: Time
    timezone: Text | None = None

    @property
    def name(self) -> str:
        """What the player is called, whether the rules may know it or not; empty for one who gave no name."""
        return self.holder or self.hidden or ""


@content
class JoinedEntry(Entry):
    """Somebody has a seat."""

    kind = "joined"
    has_own_words = True

    seat: SeatName
    number: Annotated[Number, Field(description="of the seat")]
    sealed: JoiningPlayer | None

    @property
    def readers(self) -> Collection[str]:
        """Who has joined."""
        return (self.seat,)


@content
class SetUpSecrets(OpenedSalts):
    """The secrets of the set-up, from which whoever has them can make it again."""

    secret: Annotated[Text | None, Field(description="of the dice of the set-up, in hex")] = None


@content
class StartedEntry(Entry):
    """The game has begun. Its commitments are those of the first step."""

    kind = "started"
    opens_salts = True
    opens_step = True
    tells_of_people = False

    seats: tuple[SeatName, ...]
    commitment: Commitment
    salts_commitment: SaltsCommitment | None = None
    edition: Edition | None = None
    deadline: Deadline | None = None
    reason: Reason | None = None
    secret: Annotated[Text | None, Field(description="that of the set-up, in games of old")] = None
    sealed: SetUpSecrets | None


@content
class EntryReference(Part):
    """Another entry."""

    number: Number
    hash: Text


@content
class ArchivedGame(Part):
    """its `game`, the `entries` of its journal, its `head`, and the `entry` (`number`, `hash`) after which the game goes on"""

    game: Text
    entries: Number
    head: Text
    entry: EntryReference


@content
class OpenedEntry(Part):
    """An entry of another journal, as a whole: its hash follows from this."""

    before: Annotated[Text, Field(description="the hash of the entry before it")]
    at: Time
    kind: Annotated[Text, Field(description="of the entry")]
    public: Document
    seal: Annotated[Text, Field(description="of its secret part, empty if it has none")]
    secret: Annotated[Document | None, Field(description="its sealed part; absent if it was not shown")] = None
    salt: Annotated[Text | None, Field(description="the salt of that")] = None


@content
class ImportedPosition(OpenedSalts):
    """How the game stood."""

    cause: Cause | None = None
    position: Document
    opened: Annotated[
        OpenedEntry | None,
        Field(description="the entry after which the game goes on; with the digest of the position, if a step ended with it"),
    ] = None


@content
class ImportedEntry(Entry):
    """Another game goes on here, from the archive of its host. Its commitments are those of the step that is played next."""

    kind = "imported"
    opens_step = True

    seats: tuple[SeatName, ...]
    given_up: tuple[SeatName, ...]
    turn: Turn
    archive: ArchivedGame
    secret: Annotated[Text, Field(description="what was promised for a set-up, unused")]
    commitment: Commitment
    salts_commitment: SaltsCommitment | None = None
    edition: Edition | None = None
    deadline: Deadline | None = None
    sealed: ImportedPosition | None


@content
class ToldDetail(Part):
    """What only some may know of it."""

    detail: Document | None = None
    insiders: tuple[SeatName, ...] | None = None


@content
class ToldEntry(Entry):
    """Something happened in the middle of a step, and all were told."""

    kind = "told"
    tells_of_people = False

    turn: Turn
    step: Step
    seat: Annotated[SeatName, Field(description="whose letter or deadline brought it about")]
    event: Annotated[Text, Field(description="what happened, as the rules call it")]
    data: Document
    sealed: ToldDetail | None


@content
class MissedDeadline(OneSeat):
    """Whose deadline has passed, and why nothing was there."""

    cause: Annotated[Text | None, Field(description="why there were no usable orders")] = None
    errors: Annotated[tuple[Text, ...] | None, Field(description="what was wrong with those of the last letter")] = None


@content
class MissedEntry(Entry):
    """A deadline has passed without usable orders: no more is awaited of the seat in this step."""

    kind = "missed"
    has_own_words = True

    turn: Turn
    step: Step
    sealed: MissedDeadline | None

    @property
    def readers(self) -> Collection[str]:
        """Whose it was."""
        return (self.sealed.seat,) if self.sealed else ()


@content
class Resolution(OpenedSalts):
    """What came of a step."""

    position: Annotated[Text, Field(description="SHA-256 of how the game stands after it; see The rules")]
    dice: Annotated[tuple[tuple[Number, Number], ...], Field(description="pairs of sides and roll")]
    meanwhile: Meanwhile | None = None


@content
class ResolvedEntry(Entry):
    """A step was resolved. Its commitments are those of the next step, empty or absent if none follows."""

    kind = "resolved"
    opens_salts = True
    opens_step = True
    moves_position = True
    holds_orders = True
    tells_of_people = False

    turn: Turn
    step: Step
    name: Annotated[Text | None, Field(description="of the phase")] = None
    cause: Annotated[Text, Field(description="why it was resolved then")]
    secret: Secret
    commitment: Commitment | None = None
    salts_commitment: SaltsCommitment | None = None
    edition: Edition | None = None
    deadline: Deadline | None = None
    sealed: Resolution | None


@content
class RestoredPosition(OpenedSalts):
    """How the game stands after it."""

    cause: Cause | None = None
    position: Document
    meanwhile: Meanwhile | None = None


@content
class RolledBackEntry(Entry):
    """Steps were taken back. Its commitments are those of the step that is played next."""

    kind = "rolled-back"
    opens_step = True
    moves_position = True
    holds_orders = True
    tells_of_people = False

    turn: Turn
    to: Annotated[Number, Field(description="the turn that is played again")]
    step: Annotated[Number, Field(description="the step that is played next")]
    taken_back: tuple[Number, ...]
    parent: Annotated[EntryReference, Field(description="the entry after which the game goes on: `number`, `hash`")]
    reason: Reason
    secret: Annotated[Secret, Field(description="of the step that was open")]
    commitment: Commitment
    salts_commitment: SaltsCommitment | None = None
    edition: Edition | None = None
    deadline: Deadline | None = None
    sealed: RestoredPosition | None


@content
class RestoredEntry(Entry):
    """The host went back to a backup: what was promised for the open step, or for the set-up, is opened unused, and others
    count in its place."""

    kind = "restored"
    opens_salts = True
    tells_of_people = False

    turn: Turn | None = None
    step: Step | None = None
    secret: Annotated[Secret, Field(description="of the step that is open; before the game began, of the set-up")]
    commitment: Commitment
    salts_commitment: SaltsCommitment | None = None
    sealed: OpenedSalts | None


@content
class Ending(OpenedSalts):
    """What waited and will never be carried out."""

    cause: Cause | None = None
    meanwhile: Meanwhile | None = None


ABANDONED = "the game master has abandoned the game"
"""The reason of an abandoned game, before that of the game master."""


@content
class FinishedEntry(Entry):
    """The game is over."""

    kind = "finished"
    holds_orders = True

    winners: tuple[SeatName, ...]
    reason: Text
    abandoned: Annotated[
        Flag | None, Field(description="true if the game master gave it up, or the players have voted to end it")
    ] = None
    draw: Annotated[tuple[SeatName, ...] | None, Field(description="who shares the draw that players have voted for")] = None
    secret: Annotated[Secret | None, Field(description="of the open step, if it was given up")] = None
    sealed: Ending | None


def kept_back_in(entry: Entry) -> tuple[KeptBack, ...]:
    """What was kept back until the step was over, as far as the entry that ended it has it, and it is shown."""
    sealed = entry.sealed
    return (sealed.meanwhile or ()) if isinstance(sealed, Resolution | RestoredPosition | Ending) else ()
