"""Which mail tells whom of an entry of the journal: every word of the game master, of a vote or of a player that gives or takes
time, or changes what is played, is told to all whom it concerns.

This is the one table of it. The desk takes its headlines from here, and `pbmd compare` looks for the same mails.
"""

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from pbmd.ledger.entries import kinds
from pbmd.ledger.entries.codec import Entry
from pbmd.ledger.entries.step_entries import ABANDONED
from pbmd.ledger.entries.vote_entries import CANCELLED, DRAWN, FAILED, VETOED, VOTE
from pbmd.rendering.vote_words import proposal_words
from pbmd.rules.options import option_words
from pbmd.rules.words import capital, listing
from pbmd.terms.times import describe_duration, describe_time


class EntryNotice(NamedTuple):
    """A mail that an entry makes: the first sentence of it, `words` that its text has, the beginning of a sentence that says
    `until` when something is so, and the `reason` in the words of whoever gave it. It goes to all seats that are played; only
    to `seat`, or to all others, if that `is_for_others`. `to_late`: also to those that have missed the step."""

    headline: str
    words: str = ""
    reason: str = ""
    seat: str = ""
    is_for_others: bool = False
    to_late: bool = True
    until: str = ""

    def is_for(self, seat: str) -> bool:
        """Whether that seat gets it, if it is played."""
        return not self.seat or (seat == self.seat) != self.is_for_others


ANNOUNCEMENT = "an announcement"
LATER = "the deadline is later"
"""After an outage, which gives its time back."""
_Make = Callable[[Any], tuple[EntryNotice, ...]]


def _of_extended(entry: kinds.ExtendedEntry) -> tuple[EntryNotice, ...]:
    length = describe_duration(timedelta(minutes=entry.minutes))
    words, reason = (entry.reason, "") if entry.by == VOTE else ("", entry.reason)
    own = EntryNotice(f"the deadline is {length} later", words, reason, entry.seat, to_late=bool(entry.seat))
    if not entry.seat or entry.by == entry.seat:  # what a seat takes for itself alone, the terms have given to each
        return (own,)
    return own, EntryNotice(f"{entry.seat} has {length} more", words, reason, entry.seat, is_for_others=True)


def _of_deadline(entry: kinds.DeadlineEntry) -> tuple[EntryNotice, ...]:
    return (EntryNotice("a new deadline", reason=entry.reason, to_late=False),)


def _of_quiet(entry: kinds.QuietEntry) -> tuple[EntryNotice, ...]:
    return (EntryNotice("the quiet days have changed", reason=entry.reason),)


def _of_paused(entry: kinds.PausedEntry) -> tuple[EntryNotice, ...]:
    words, reason = (entry.reason, "") if entry.by == VOTE else ("", entry.reason)
    return () if entry.reason == OF_DEFECT and not entry.by else (EntryNotice("the game is paused", words, reason),)


def _of_resumed(entry: kinds.ResumedEntry) -> tuple[EntryNotice, ...]:
    words, reason = (entry.reason or "", "") if entry.by == VOTE else ("", entry.reason or "")
    headline = "the sign-up goes on" if entry.stood_seconds is None else "the game has resumed"
    return (EntryNotice(headline, words, reason),)


def _of_closed(entry: kinds.ClosedEntry) -> tuple[EntryNotice, ...]:
    return (EntryNotice("no more waiting", reason=entry.reason),) if entry.reason else ()


def _of_peeked(entry: kinds.PeekedEntry) -> tuple[EntryNotice, ...]:
    return (EntryNotice(f"the game master has looked at the orders of {entry.seat}", reason=entry.reason),)


def _of_announced(entry: kinds.AnnouncedEntry) -> tuple[EntryNotice, ...]:
    return (EntryNotice(ANNOUNCEMENT, reason=entry.text),)


def _of_ejected(entry: kinds.EjectedEntry) -> tuple[EntryNotice, ...]:
    return (
        EntryNotice(f"you play {entry.seat} no more", reason=entry.reason, seat=entry.seat),
        EntryNotice(f"{entry.seat} is empty", reason=entry.reason, seat=entry.seat, is_for_others=True),
    )


def _of_set(entry: kinds.SetEntry) -> tuple[EntryNotice, ...]:
    words = f"{entry.option} is {option_words(entry.now)} from now on; it was {option_words(entry.before)}."
    return (EntryNotice("an option of the game is changed", words, entry.reason),)


def _of_shifted(entry: kinds.ShiftedEntry) -> tuple[EntryNotice, ...]:
    told = EntryNotice(LATER, "You get the time back.", to_late=False)
    return (told,) if entry.deadline != entry.before else tuple(told._replace(seat=seat) for seat in entry.seats)


def _of_proposed(entry: kinds.ProposedEntry) -> tuple[EntryNotice, ...]:
    words = f"{entry.seat or 'A player'} proposes {proposal_words(entry)}."
    until = ""
    with suppress(ValueError):  # in archives of anybody; `pbmd verify` reports it
        until = f"The vote ends {describe_time(datetime.fromisoformat(entry.ends))}"
    headline, whose = f"vote {entry.vote} has begun", entry.seat or ""
    return (EntryNotice(headline, words, entry.reason or "", whose, is_for_others=bool(whose), until=until),)


_ENDS = {FAILED: "has failed", VETOED: "is stopped"}
"""What becomes of a vote, as a mail says; of one that has passed, what it was about tells."""


def _of_voted(entry: kinds.VotedEntry) -> tuple[EntryNotice, ...]:
    end = "has passed in vain" if entry.impossible else _ENDS.get(entry.result or "")
    words = f"But nothing could be done: {entry.impossible}." if entry.impossible else ""
    return (EntryNotice(f"vote {entry.vote} {end}", words, entry.reason or ""),) if end else ()


_HEADLINES_OF_ENDS = {DRAWN: "the game is a draw", CANCELLED: "the game is cancelled"}
OF_ABANDONED = EntryNotice("the game is abandoned", "The game master has ended the game")
"""Its text goes on by whether the game had begun."""


def _of_finished(entry: kinds.FinishedEntry) -> tuple[EntryNotice, ...]:
    if not entry.abandoned:  # the last report tells it
        return ()
    headline = _HEADLINES_OF_ENDS.get(entry.reason)
    if headline is None:
        return (OF_ABANDONED._replace(reason=entry.reason.removeprefix(ABANDONED).removeprefix(": ")),)
    draw = entry.draw or ()
    shared = f": {listing(draw)} {'share' if len(draw) > 1 else 'has'} it" if draw else ""
    return (EntryNotice(headline, f"{capital(entry.reason)}{shared}."),)


def _of_votes(entry: kinds.VotesEntry) -> tuple[EntryNotice, ...]:
    words = f"From now on players may vote on {listing(entry.votes) or 'nothing'}."
    return (EntryNotice("what you may vote on has changed", words, entry.reason),)


OF_DEFECT = "a defect"
"""The reason of a pause of which only the game master is told."""
_NOTICES: Mapping[str, _Make] = {
    kinds.ExtendedEntry.kind: _of_extended,
    kinds.DeadlineEntry.kind: _of_deadline,
    kinds.QuietEntry.kind: _of_quiet,
    kinds.PausedEntry.kind: _of_paused,
    kinds.ResumedEntry.kind: _of_resumed,
    kinds.ClosedEntry.kind: _of_closed,
    kinds.PeekedEntry.kind: _of_peeked,
    kinds.AnnouncedEntry.kind: _of_announced,
    kinds.EjectedEntry.kind: _of_ejected,
    kinds.SetEntry.kind: _of_set,
    kinds.ProposedEntry.kind: _of_proposed,
    kinds.ShiftedEntry.kind: _of_shifted,
    kinds.VotedEntry.kind: _of_voted,
    kinds.VotesEntry.kind: _of_votes,
    kinds.FinishedEntry.kind: _of_finished,
}
HEADLINES = (
    r"the deadline is [^.]{1,40} later",
    r"[^.]{1,80} has [^.]{1,40} more",
    "a new deadline",
    "the quiet days have changed",
    "the game is paused",
    "the game has resumed",
    "the sign-up goes on",
    "no more waiting",
    r"the game master has looked at the orders of .{1,80}?",
    ANNOUNCEMENT,
    r".{1,80}? is empty",
    r"you play .{1,80}? no more",
    "an option of the game is changed",
    r"vote \d{1,9} (?:has begun|has failed|has passed in vain|is stopped)",
    "what you may vote on has changed",
    r"the game is (?:abandoned|a draw|cancelled)",
    LATER,
)
"""How the first sentences of these mails look, as regular expressions."""
OTHER_HEADLINES = (
    r".{1,80}? is away",
    r".{1,80}? is not away",
    r".{1,80}? is asleep",
    r".{1,80}? is awake again",
    r".{1,80}? is offered to others",
    r".{1,80}? is yours again",
    "a letter with another head",
    "a ruling",
    "no substitute any more",
    "no substitute was found",
    "no substitute yet",
    "the turn stays open for you",
    "two histories of this game",
    "why the game begins now",
    "your request came to nothing",
    "your request was refused",
    "your substitute cannot play",
)
"""Those of mails that are in no table here: only the deadline in them, if any, is held against the journal. That of two
histories is of 1.0."""
OLD_HEADLINES = {
    "the game goes on": "the game has resumed",
    r"the game master has looked at the secrets of (.{1,80}?)": r"the game master has looked at the orders of \1",
}
"""Those that 1.0 had otherwise, as regular expressions, and what they are now."""


def headline_now(headline: str) -> str:
    """The same headline as this version words it."""
    for old, now in OLD_HEADLINES.items():
        if found := re.fullmatch(old, headline):
            return found.expand(now)
    return headline


def notices_of(entry: Entry) -> tuple[EntryNotice, ...]:
    """The mails that tell of an entry; none for one of another kind."""
    make = _NOTICES.get(entry.kind)
    return () if make is None else make(entry)
