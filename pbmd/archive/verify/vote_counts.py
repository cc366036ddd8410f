"""Whether votes of the players came out as their ballots say, and what they led to was done.

Each ballot has an entry of its own, whose hash its voter has in a mail. So whoever has all of the journal can count again, by
the same rules as the desk (`pbmd.ledger.ballots`); who may vote follows from who plays, and from the rules.
"""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from pbmd.archive.format.clock import terms_of
from pbmd.archive.format.entries import Entry
from pbmd.archive.format.findings import JOURNAL, Findings, Problem
from pbmd.ledger.ballots import FOLLOWED_BY, Poll, may_vote, poll_of, result_of
from pbmd.ledger.entries import kinds
from pbmd.ledger.entries.codec import Entry as Content
from pbmd.ledger.entries.vote_entries import ENDED, FAILED, OF_DEFECT, PASSED, VETOED
from pbmd.rendering.render import is_out
from pbmd.rules import Ruleset, seat_reader
from pbmd.terms.terms import Terms
from pbmd.terms.times import EPOCH

_FORGOTTEN, _BACK = timedelta(days=5), timedelta(hours=1)
"""A vote that nobody has decided so long after its time was over never will be, if the host has been back for so long."""


@dataclass
class VoteCounts:
    """Gets each entry before it takes effect, with the position before it; None where the game is not played again.

    `playing` are the seats that somebody plays, `slept` those that have been asleep, `open` the votes that are not over, by
    number. `due` is what must follow a vote that has passed: the kind of entry, and the number of the vote; `ended` the votes
    that can only be over if the game is. `overdue` says when the first entry came that is later than the time of an open vote.
    """

    findings: Findings
    ruleset: Ruleset[Any] | None
    terms: Terms | None = None
    playing: list[str] = field(default_factory=list[str])
    slept: set[str] = field(default_factory=set[str])
    open: dict[int, Poll] = field(default_factory=dict[int, Poll])
    last: int = 0
    due: tuple[str, kinds.ProposedEntry] | None = None
    ended: list[int] = field(default_factory=list[int])
    overdue: dict[int, datetime] = field(default_factory=dict[int, datetime])
    before_kind: str = ""
    until: datetime = EPOCH
    counted: int = 0
    hidden: int = 0
    by_word: list[int] = field(default_factory=list[int])
    withheld: bool = False

    def before(self, entry: Entry, position: Any = None) -> None:
        """An entry comes; the position is the one before it."""
        self.until = entry.at
        for number in (number for number, poll in self.open.items() if entry.at > poll.ends):
            self.overdue.setdefault(number, entry.at)
        try:
            self._take(entry, position)
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as trouble:
            told = f"{type(trouble).__name__}: {trouble}"[:200]
            self.findings.blame(entry, f"what entry {entry.number} ({entry.kind[:20]}) says of votes makes no sense: {told}")

    def say(self) -> None:
        """Report what was counted, and what could not be."""
        findings = self.findings
        for poll in self.open.values():
            is_back = self.until > self.overdue.get(poll.number, self.until) + _BACK
            if is_back and self.until > poll.ends + _FORGOTTEN:
                findings.add(Problem(JOURNAL, f"vote {poll.number} was never decided, though its time was over"))
        if self.counted:
            findings.checked["votes of players"] = self.counted
        if self.hidden:
            are = "vote of players was" if self.hidden == 1 else "votes of players were"
            findings.unchecked.append(f"{self.hidden} {are} not counted again, since not all ballots are shown.")
        if self.by_word:
            which = ", ".join(map(str, self.by_word))
            findings.unchecked.append(f"That nothing could be done about vote {which} is the word of the host.")

    def _take(self, entry: Entry, position: Any) -> None:
        if entry.public is None:
            self.withheld = self.withheld or entry.kind in _KINDS
            return
        if entry.kind != kinds.VotedEntry.kind:
            self._must_follow(entry)
        if entry.kind in _KINDS:
            self._take_one(entry, entry.content, position)
        if entry.kind != kinds.VotedEntry.kind:
            self.before_kind = entry.kind

    def _must_follow(self, entry: Entry) -> None:
        """What a vote has led to comes next, and nothing goes on after votes that were over because the game was."""
        due, ended = self.due, self.ended
        self.due, self.ended = None, []
        if due is not None and not _is_it(due, entry):
            self.findings.blame(entry, f"vote {due[1].vote} has passed, and what it was about was not done")
        if ended and entry.kind != kinds.FinishedEntry.kind and self.before_kind != kinds.RolledBackEntry.kind:
            self.findings.blame(entry, f"vote {ended[0]} was ended, and the game went on")

    # Entries

    def _take_one(self, entry: Entry, content: Content | None, position: Any) -> None:
        match content:
            case kinds.CreatedEntry():
                self.terms = terms_of(content)
            case kinds.VotesEntry(votes=votes) if self.terms is not None:
                self.terms = Terms.model_validate(self.terms.model_dump() | {"votes": votes})
            case kinds.JoinedEntry(seat=seat) | kinds.HolderEntry(seat=seat):
                self.playing = [*dict.fromkeys((*self.playing, seat))]
                self._tell_all(content)
            case kinds.ResignedEntry(seat=seat):
                self.playing = [name for name in self.playing if name != seat]
                self._tell_all(content)
            case kinds.AsleepEntry():  # when it is awake again not every archive shows
                self.slept.update(filter(None, (content.seat, *content.readers)))
            case kinds.ImportedEntry():
                self.playing = [name for name in content.seats if name not in content.given_up]
            case kinds.ProposedEntry():
                self._propose(entry, content)
            case kinds.BallotEntry():
                self._cast(entry, content)
            case kinds.VotedEntry():
                self._decide(entry, content, position)
            case _:
                pass

    def _tell_all(self, content: Content) -> None:
        for poll in self.open.values():
            poll.take(content)

    def _propose(self, entry: Entry, content: kinds.ProposedEntry) -> None:
        poll, terms = poll_of([content]), self.terms
        if content.vote <= self.last:
            self.findings.blame(entry, f"there was a vote {content.vote} before")
        if terms is not None:
            promised = (terms.vote_quorum, terms.vote_ballots, terms.failed_votes, entry.at + terms.vote_length)
            if (content.quorum, content.ballots, content.failure, poll.ends) != promised:
                problem = f"vote {content.vote} has not the time, the quorum or the secrecy that the terms promise"
                self.findings.blame(entry, problem)
            if content.proposal not in terms.votes:
                self.findings.blame(entry, f"players could not vote on {content.proposal}")
        self.last = content.vote
        self.open[content.vote] = poll

    def _cast(self, entry: Entry, content: kinds.BallotEntry) -> None:
        poll = self.open.get(content.vote)
        if poll is None:
            if not self.withheld:
                self.findings.blame(entry, f"there was no open vote {content.vote} for this ballot")
            return
        poll.take(content)
        seat = content.sealed.seat if content.sealed else content.seat
        if content.sealed and content.seat and (content.seat, content.answer) != (seat, content.sealed.answer):
            self.findings.blame(entry, f"what all may know of this ballot in vote {content.vote} is not what was sealed")
        if content.sealed and datetime.fromisoformat(content.sealed.arrived) > poll.ends:
            self.findings.blame(entry, f"a ballot that came too late was counted in vote {content.vote}")

    def _decide(self, entry: Entry, content: kinds.VotedEntry, position: Any) -> None:
        poll, result = self.open.pop(content.vote, None), result_of(content)
        if poll is None:
            if not self.withheld:
                self.findings.blame(entry, f"there was no open vote {content.vote} to be decided")
            return
        if content.reason != OF_DEFECT:  # such an end does not ask the rules who could vote
            self._check_voters(entry, content, poll, position)
        if content.impossible:
            self.by_word.append(content.vote)
        elif result == PASSED:
            self.due = FOLLOWED_BY.get(poll.said.proposal, ""), poll.said
        if result == ENDED and content.reason != OF_DEFECT:
            self.ended.append(content.vote)
        if result in (VETOED, ENDED):
            return
        if result is None or poll.hidden:
            self.hidden += 1
            return
        self.counted += 1
        came = poll.result(content.voters, over=entry.at >= poll.ends)
        if came != result:
            why = {"": "was not decided yet", PASSED: "had passed", FAILED: "had failed"}[came]
            self.findings.blame(entry, f"vote {content.vote} is called {result}, and by its ballots it {why}")

    def _check_voters(self, entry: Entry, content: kinds.VotedEntry, poll: Poll, position: Any) -> None:
        out: set[str] = set()
        may = may_vote(self.playing, out, poll.said)
        if position is not None and self.ruleset is not None:
            out = {name for name in may if is_out(self.ruleset.view(position, (), seat_reader(name)))}
        elif self.withheld or {*content.voters} <= {*may}:
            return  # who is out of the game cannot be told here
        may = may_vote(may, out, poll.said)
        missing = {*may} - {*content.voters} - self.slept  # who is asleep does not vote
        if missing or {*content.voters} - {*may}:
            self.findings.blame(entry, f"those who could vote in vote {content.vote} are not those who played then")


def _is_it(due: tuple[str, kinds.ProposedEntry], entry: Entry) -> bool:
    kind, said = due
    if entry.kind != kind:
        return False
    match entry.content:
        case kinds.ExtendedEntry() as extended:
            return extended.minutes == said.minutes
        case kinds.OfferedEntry() as offered:
            return offered.seat == said.about
        case kinds.FinishedEntry() as finished:
            return (finished.draw is not None) == (said.proposal == "draw")
        case _:
            return True


_KINDS = frozenset({"created", "joined", "holder", "resigned", "imported", "asleep", "votes", "proposed", "ballot", "voted"})
"""The kinds of entries that tell who votes on what."""
