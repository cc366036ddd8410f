"""A vote of the players as its journal tells it: who has voted how, and what follows from that. The desk decides by it, and
`pbmd verify` counts again by it, so both come to the same result.

A ballot is a person's: if a seat gets another holder, or is given up, its ballot counts no more. One that the same person casts
from another address stays.

Open ballots decide as soon as no other can change the result. Secret ones decide when all have voted, or when the time is over:
else the moment at which a vote ends would tell how the last one voted. If players are not told that a vote has failed, it does
so only when its time is over.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from pbmd.ledger.entries.codec import Entry
from pbmd.ledger.entries.player_entries import HolderEntry, ResignedEntry
from pbmd.ledger.entries.vote_entries import (
    FAILED,
    NO,
    NOTHING,
    OPEN,
    PASSED,
    TOLD,
    YES,
    BallotEntry,
    ProposedEntry,
    VotedEntry,
)


def needed_of(many: int, quorum: int) -> int:
    """So many of these voters must say yes, for a quorum in percent."""
    return max(1, -(-many * quorum // 100))


CHANGING = (HolderEntry, ResignedEntry)
"""What makes a ballot void."""
OF_VOTES = (ProposedEntry, BallotEntry, *CHANGING)
"""The kinds of entries that matter for the result of a vote."""


@dataclass
class Poll:
    """A vote and its ballots so far, by seat: yes or no; `arrived` is when the letter of each came that last said something.
    `hidden`: not all ballots are shown to whoever reads the journal."""

    said: ProposedEntry
    ballots: dict[str, str] = field(default_factory=dict[str, str])
    arrived: dict[str, datetime] = field(default_factory=dict[str, datetime])
    hidden: bool = False

    @property
    def number(self) -> int:
        """Its number in its game."""
        return self.said.vote

    @property
    def ends(self) -> datetime:
        """Until when letters count."""
        return datetime.fromisoformat(self.said.ends)

    @property
    def is_open(self) -> bool:
        """Whether everybody may know who votes how."""
        return self.said.ballots == OPEN

    @property
    def is_told(self) -> bool:
        """Whether players are told if it fails."""
        return self.said.failure == TOLD

    def take(self, entry: Entry) -> None:
        """What has happened since it was proposed; entries of other votes are passed over."""
        match entry:
            case BallotEntry() if entry.vote == self.number:
                self._cast(entry.sealed.seat if entry.sealed else entry.seat, *self._said(entry))
            case HolderEntry() | ResignedEntry():
                self.ballots.pop(entry.seat, None)
            case _:
                pass

    def propose(self) -> None:
        """Who has proposed it has voted yes."""
        seat = self.said.sealed.seat if self.said.sealed else self.said.seat
        self._cast(seat, YES, self.said.sealed.arrived if self.said.sealed else None)

    def _said(self, entry: BallotEntry) -> tuple[str | None, str | None]:
        return (entry.sealed.answer, entry.sealed.arrived) if entry.sealed else (entry.answer, None)

    def _cast(self, seat: str | None, answer: str | None, arrived: str | None) -> None:
        if seat is None or answer is None:
            self.hidden = True
            return
        if arrived:
            self.arrived[seat] = datetime.fromisoformat(arrived)
        if answer == NOTHING:
            self.ballots.pop(seat, None)
        else:
            self.ballots[seat] = answer

    def of(self, answer: str, voters: Iterable[str]) -> list[str]:
        """Those of the voters who have voted like that."""
        return [name for name in voters if self.ballots.get(name) == answer]

    def needed(self, voters: Sequence[str]) -> int:
        """So many of the voters must say yes."""
        return needed_of(len(voters), self.said.quorum)

    def result(self, voters: Sequence[str], *, over: bool) -> str:
        """`passed` or `failed`, empty as long as it is not decided. `over`: all letters that count are known."""
        yes, no, needed = len(self.of(YES, voters)), len(self.of(NO, voters)), self.needed(voters)
        all_in = yes + no == len(voters)
        if yes >= needed and (over or all_in or self.is_open):
            return PASSED
        hopeless = all_in or (self.is_open and len(voters) - no < needed)
        return FAILED if over or (self.is_told and hopeless) else ""


def poll_of(entries: Iterable[Entry]) -> Poll:
    """A vote by the entries since it was proposed, that one the first."""
    rest = iter(entries)
    said = next(rest, None)
    assert isinstance(said, ProposedEntry), "a vote begins with what was proposed"
    poll = Poll(said)
    poll.propose()
    for entry in rest:
        poll.take(entry)
    return poll


def result_of(entry: VotedEntry) -> str | None:
    """The result in an entry; None if it is not shown."""
    return entry.result or (entry.sealed.result if entry.sealed else None)


def may_vote(seats: Iterable[str], out: Collection[str], said: ProposedEntry) -> tuple[str, ...]:
    """Who of those who play may vote: not who is out of the game, nor who is to be replaced."""
    return tuple(name for name in seats if name not in out and name != said.about)


FOLLOWED_BY: Mapping[str, str] = {
    "pause": "paused",
    "extension": "extended",
    "replace": "offered",
    "draw": "finished",
    "cancel": "finished",
}
"""The kind of the entry that follows a vote that has passed, for each kind of vote."""
