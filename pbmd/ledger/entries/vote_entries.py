"""The kinds of entries that tell of votes of the players: what was proposed, who voted how, and the result."""

from collections.abc import Collection
from typing import Annotated

from pydantic import Field

from pbmd.ledger.entries.codec import Entry, Number, Text, content
from pbmd.ledger.entries.parts import Cause, Decision, OneSeat, Reason, SeatName, Step, Time, Turn

OPEN = "open"
"""The ballots of a vote, if everybody may know them."""
TOLD = "told"
"""A vote of which players are told if it fails."""
YES, NO, NOTHING = "yes", "no", "nothing"
PASSED, FAILED, VETOED, ENDED = "passed", "failed", "vetoed", "ended"
VOTE = "a vote of the players"
"""Who has decided something, if it was that."""
DRAWN = "the players have agreed on a draw"
CANCELLED = "the players have agreed to end the game without a result"
"""The reasons of games that ended by a vote."""
OF_DEFECT = "a defect"
"""The reason of votes that a bug has ended."""
VoteNumber = Annotated[Number, Field(description="the number of the vote in its game")]


@content
class VoterLetter(OneSeat):
    """Whose letter it was, and when it arrived."""

    arrived: Time
    cause: Cause | None = None


@content
class ProposedEntry(Entry):
    """A player has proposed something to vote on, and so voted yes."""

    kind = "proposed"
    tells_of_people = False
    has_own_words = True

    turn: Turn
    step: Step
    vote: VoteNumber
    proposal: Annotated[Text, Field(description="`pause`, `extension`, `replace`, `draw` or `cancel`")]
    about: Annotated[SeatName | None, Field(description="the seat that is to be replaced, which has no vote")] = None
    minutes: Annotated[Number | None, Field(description="how long the pause, or how much more time")] = None
    until: Annotated[Time | None, Field(description="when the pause is to end")] = None
    reason: Annotated[Text | None, Field(description="why, in the words of who proposed it")] = None
    ends: Annotated[Time, Field(description="until when letters count")]
    quorum: Annotated[Number, Field(description="percent of those who may vote that must say yes")]
    ballots: Annotated[Text, Field(description="`secret` or `open`")]
    failure: Annotated[Text, Field(description="`told` or `untold`: whether players get a mail if it fails")]
    seat: Annotated[SeatName | None, Field(description="who proposed it, if ballots are open")] = None
    sealed: VoterLetter | None

    @property
    def readers(self) -> Collection[str]:
        """Who proposed it."""
        return (self.sealed.seat,) if self.sealed else ()


@content
class BallotPaper(VoterLetter):
    """How a seat votes from now on."""

    answer: Annotated[Text, Field(description="`yes`, `no`, or `nothing` if a ballot is taken back")]


@content
class BallotEntry(Entry):
    """A player has voted."""

    kind = "ballot"
    tells_of_people = False
    has_own_words = True

    turn: Turn
    vote: VoteNumber
    seat: Annotated[SeatName | None, Field(description="whose it is, if ballots are open")] = None
    answer: Annotated[Text | None, Field(description="`yes`, `no` or `nothing`, if ballots are open")] = None
    sealed: BallotPaper | None

    @property
    def readers(self) -> Collection[str]:
        """Whose it is."""
        return (self.sealed.seat,) if self.sealed else ()


@content
class VoteEnd(Decision):
    """What a result rests on, and the result itself if players are not told of it."""

    result: Annotated[Text | None, Field(description="`failed`, if players are not told of it")] = None


@content
class VotedEntry(Entry):
    """A vote is over. If it has passed, the next entry is what it was about, unless that was no longer possible."""

    kind = "voted"
    tells_of_people = False

    turn: Turn
    vote: VoteNumber
    result: Annotated[
        Text | None,
        Field(
            description="`passed`; `failed`, unless players are not told of that; `vetoed`, by the game master; `ended`, since "
            "the game was over or taken back"
        ),
    ] = None
    voters: Annotated[tuple[SeatName, ...], Field(description="who could vote when it ended")]
    impossible: Annotated[Text | None, Field(description="why nothing was done though it had passed")] = None
    reason: Reason | None = None
    sealed: VoteEnd | None


@content
class VotesEntry(Entry):
    """The game master has changed what players may vote on."""

    kind = "votes"
    tells_of_people = False

    turn: Turn
    votes: Annotated[tuple[Text, ...], Field(description="what they may vote on from now on")]
    reason: Reason
    sealed: Decision | None
