"""What entries of several kinds have: keys, sealed parts, and what is kept back until a step is over."""

import json
from collections.abc import Collection, Mapping
from typing import Annotated, Any

from pydantic import Discriminator, Field, Tag

from pbmd.ledger.entries.codec import Document, Flag, Number, Part, Text, content, read_part

Turn = Annotated[Number, Field(description="the turn that runs")]
Step = Annotated[Number, Field(description="the step that runs")]
SeatName = Annotated[Text, Field(description="the name of a seat")]
Time = Annotated[Text, Field(description="a time")]
Deadline = Annotated[Text, Field(description="the deadline of the game from now on; empty if none runs")]
Reason = Annotated[Text, Field(description="why, in the words of whoever decided it; empty if they gave none")]
ByVote = Annotated[Text, Field(description="`a vote of the players`, if that has decided it")]
Cause = Annotated[Text, Field(description="the letter that it rests on, or the command line")]
Secret = Annotated[Text, Field(description="the secret of the dice of the step that is over, in hex")]
Salts = Annotated[Text, Field(description="the secret of its salts, in hex")]
Commitment = Annotated[Text, Field(description="SHA-256 of the dice secret of the next step; empty if none follows")]
SaltsCommitment = Annotated[Text, Field(description="the same of the secret of its salts")]
Edition = Annotated[Number, Field(description="of the pbmd that wrote the reports from then on; none: 1")]
OwnDeadlines = Annotated[Mapping[str, Text], Field(description="the deadlines that seats have of their own, by their names")]
Letter = Annotated[
    Text,
    Field(description="a fingerprint of the mail as it came; nothing in `letters.mbox`, where tokens are blanked, fits it"),
]


@content
class Decision(Part):
    """What a decision rests on."""

    cause: Cause | None = None


@content
class MovedDeadlines(Decision):
    """What a decision rests on, and the deadlines of seats after it."""

    own: OwnDeadlines | None = None


@content
class Instant(Decision):
    """What a decision rests on, and since when it holds."""

    since: Annotated[Time | None, Field(description="when the letter arrived that did it")] = None


@content
class OneSeat(Part):
    """The seat that it is about."""

    seat: SeatName


@content
class OpenedSalts(Part):
    """What is known of the salts of a step once it is over."""

    salts: Salts | None = None


@content
class OfStep(OneSeat):
    """What can be kept back until the step is over."""

    at: Annotated[Time | None, Field(description="when it was kept back")] = None
    after: Annotated[Number | None, Field(description="the entry after which it was kept back")] = None


@content
class Orders(OfStep):
    """A letter with orders."""

    state: Annotated[Text, Field(description="`filed`, `refused`, `late`, `granted` or `replaced`; see Orders and words")]
    letter: Letter
    arrival: Annotated[tuple[Number, Number], Field(description="microseconds since 1970, and the place in the mailbox")]
    lines: Annotated[tuple[tuple[Number, Text], ...], Field(description="number and text of each")]
    joined: Annotated[Number | None, Field(alias="kept", description="so many of them are of the letter before it")] = None
    head: Annotated[Text | None, Field(description="of the journal, as the order form brought it back")] = None
    word: Annotated[Text | None, Field(description="of the player, for the dice")] = None
    unseen: Annotated[Flag | None, Field(description="true if the rules never got to see it")] = None
    again: Annotated[Number | None, Field(description="the receipt before, if a rollback has filed it again")] = None


@content
class WithdrawnMove(OfStep):
    """A move that waited was taken back."""

    cancelled: Annotated[Text, Field(description="a fingerprint of the mail that did it")]


@content
class Occurrence(Part):
    """Something that happened in the middle of a step, for some."""

    kind: Text
    audience: tuple[SeatName, ...]
    data: Document
    detail: Annotated[Document | None, Field(description="what only the insiders may know")] = None
    insiders: tuple[SeatName, ...] | None = None


@content
class ConfidentialEvent(OfStep):
    """Something that happened in the middle of a step, and that not all may know."""

    event: Annotated[Occurrence, Field(alias="told")]


def _which(item: Any) -> str:
    keys: Collection[str] = item if isinstance(item, Mapping) else ()
    return next((key for key in ("told", "cancelled") if key in keys), "orders")


KeptBack = Annotated[
    Annotated[Orders, Tag("orders")] | Annotated[WithdrawnMove, Tag("cancelled")] | Annotated[ConfidentialEvent, Tag("told")],
    Discriminator(_which),
]
Meanwhile = Annotated[
    tuple[KeptBack, ...],
    Field(
        description="what was kept back until then, in its order: letters as in `orders`, moves that were `cancelled`, and "
        "what happened and was `told` to some"
    ),
]


def meanwhile_in(written: str) -> tuple[KeptBack, ...]:
    """What was kept back, from the JSON that has it. Raises `MalformedEntry`."""
    return read_part(tuple[KeptBack, ...], json.loads(written))
