"""Which mail tells whom of an entry of the journal: every word of the game master, of a vote or of a player that gives or takes
time, or changes what is played, is told to all whom it concerns.

This is the one table of it. The desk takes its headlines from here, and `pbmd compare` looks for the same mails.
"""

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import date, datetime, timedelta
from typing import Any, NamedTuple

from pbmd.ledger.entries import kinds
from pbmd.ledger.entries.codec import Entry
from pbmd.ledger.entries.step_entries import ABANDONED
from pbmd.ledger.entries.vote_entries import CANCELLED, DRAWN, FAILED, VETOED, VOTE
from pbmd.rendering.notice_sentences import (
    AS_BEFORE,
    AS_IT_IS,
    AS_LONG,
    GIVEN_TO_ONE,
    GM_RESUMES,
    NEW_DEADLINE,
    NO_QUIET_DAYS,
    NO_VOTE,
    NO_WAITING,
    QUIET_DAYS,
    SEEN_LETTER,
    SEEN_ORDERS,
    SIGN_UP_GOES_ON,
    STILL_SEND,
    TAKEN_FROM_PLAYER,
    TAKEN_FROM_YOU,
    TIME_BACK,
    TO_ALL,
    TO_THE_CALENDAR,
)
from pbmd.rendering.vote_words import QUORUM, proposal_words, secrecy_words
from pbmd.rules.options import option_words
from pbmd.rules.words import capital, listing
from pbmd.terms.quiet_days import quiet_words
from pbmd.terms.times import describe_days, describe_duration, describe_time


class EntryNotice(NamedTuple):
    """A mail that an entry makes: the first sentence of it, `words` that its text has, the beginning of a sentence that says
    `until` when something is so, the `rules` of it, and the `reason` in the words of whoever gave it. `says` is what stands in
    its text, too, as regular expressions: fixed sentences, and what in them is of the entry; of a vote with this `quorum` one
    says how many must agree. It goes to all seats that are played; only to `seat`, or to all others, if that `is_for_others`.
    `to_late`: also to those that have missed the step."""

    headline: str
    words: str = ""
    reason: str = ""
    seat: str = ""
    is_for_others: bool = False
    to_late: bool = True
    until: str = ""
    rules: str = ""
    says: tuple[str, ...] = ()
    quorum: int = 0

    def is_for(self, seat: str) -> bool:
        """Whether that seat gets it, if it is played."""
        return not self.seat or (seat == self.seat) != self.is_for_others


_DATE = r"\w{3} \d{1,2} \w{3} \d{4} "
TIME = rf"{_DATE}\d\d:\d\d UTC(?: \((?:{_DATE})?\d\d:\d\d [\w/+-]{{1,40}}\))?"
"""A time as mails give it, as a regular expression."""
STEP = "@step"
"""In what a notice says, for the step that it is of, which it names first."""
ANNOUNCEMENT = "an announcement"
LATER = "the deadline is later"
"""After an outage, which gives its time back."""
_Make = Callable[[Any], tuple[EntryNotice, ...]]


def _patterns(*sentences: str) -> tuple[str, ...]:
    return tuple(map(re.escape, sentences))


def _of_extended(entry: kinds.ExtendedEntry) -> tuple[EntryNotice, ...]:
    length = describe_duration(timedelta(minutes=entry.minutes))
    words, reason = (entry.reason, "") if entry.by == VOTE else ("", entry.reason)
    # The entry has whole minutes, and mails of earlier versions the seconds, too.
    told = rf"{length}(?: \d{{1,2}} s)?" if entry.minutes else r"\d{1,2} s"
    says = (rf"{re.escape(capital(entry.by))} (?:gave|took) {told} more(?:, and on over quiet days)?\.",)
    own = EntryNotice(f"the deadline is {length} later", words, reason, entry.seat, to_late=bool(entry.seat), says=says)
    if not entry.seat or entry.by == entry.seat:  # what a seat takes for itself alone, the terms have given to each
        return (own,)
    says = _patterns(GIVEN_TO_ONE.format(by=entry.by))
    return own, EntryNotice(f"{entry.seat} has {length} more", words, reason, entry.seat, is_for_others=True, says=says)


def _of_deadline(entry: kinds.DeadlineEntry) -> tuple[EntryNotice, ...]:
    says = _patterns(NEW_DEADLINE.format(step=STEP))
    return (EntryNotice("a new deadline", reason=entry.reason, to_late=False, says=says),)


def _of_quiet(entry: kinds.QuietEntry) -> tuple[EntryNotice, ...]:
    says = NO_QUIET_DAYS
    with suppress(ValueError):  # in archives of anybody; `pbmd verify` reports it
        if days := quiet_words(entry):
            says = QUIET_DAYS.format(days=days)
    return (EntryNotice("the quiet days have changed", reason=entry.reason, says=_patterns(says)),)


def _of_paused(entry: kinds.PausedEntry) -> tuple[EntryNotice, ...]:
    if entry.reason == OF_DEFECT and not entry.by:
        return ()
    words, reason = (entry.reason, "") if entry.by == VOTE else ("", entry.reason)
    says = (
        _patterns(STILL_SEND) if words else _patterns(STILL_SEND, GM_RESUMES)
    )  # how long a vote pauses it, its proposal tells
    return (EntryNotice("the game is paused", words, reason, says=says),)


def _of_resumed(entry: kinds.ResumedEntry) -> tuple[EntryNotice, ...]:
    words, reason = (entry.reason or "", "") if entry.by == VOTE else ("", entry.reason or "")
    as_it_is = _patterns(AS_IT_IS) if entry.as_it_is else ()
    if entry.stood_seconds is None:
        return (EntryNotice("the sign-up goes on", words, reason, says=(*_patterns(SIGN_UP_GOES_ON), *as_it_is)),)
    moved = f"(?:{re.escape(AS_LONG)}|{re.escape(TO_THE_CALENDAR)})".replace("'", ".")  # programs write it in several ways
    return (EntryNotice("the game has resumed", words, reason, says=(moved, *as_it_is)),)


def _of_closed(entry: kinds.ClosedEntry) -> tuple[EntryNotice, ...]:
    says = _patterns(NO_WAITING.format(step=STEP))
    return (EntryNotice("no more waiting", reason=entry.reason, says=says),) if entry.reason else ()


def _of_peeked(entry: kinds.PeekedEntry) -> tuple[EntryNotice, ...]:
    seen = "|".join(_patterns(SEEN_LETTER.format(seat=entry.seat), SEEN_ORDERS.format(seat=entry.seat)))
    headline = f"the game master has looked at the orders of {entry.seat}"
    return (EntryNotice(headline, reason=entry.reason, says=(f"(?:{seen})",)),)


def _of_announced(entry: kinds.AnnouncedEntry) -> tuple[EntryNotice, ...]:
    return (EntryNotice(ANNOUNCEMENT, reason=entry.text, says=_patterns(TO_ALL)),)


def _of_ejected(entry: kinds.EjectedEntry) -> tuple[EntryNotice, ...]:
    own = EntryNotice(f"you play {entry.seat} no more", "", entry.reason, entry.seat, says=_patterns(TAKEN_FROM_YOU))
    rest = _patterns(TAKEN_FROM_PLAYER)
    return own, EntryNotice(f"{entry.seat} is empty", "", entry.reason, entry.seat, is_for_others=True, says=rest)


def _of_set(entry: kinds.SetEntry) -> tuple[EntryNotice, ...]:
    words = f"{entry.option} is {option_words(entry.now)} from now on; it was {option_words(entry.before)}."
    return (EntryNotice("an option of the game is changed", words, entry.reason),)


def _of_shifted(entry: kinds.ShiftedEntry) -> tuple[EntryNotice, ...]:
    told = EntryNotice(LATER, TIME_BACK, to_late=False)
    return (told,) if entry.deadline != entry.before else tuple(told._replace(seat=seat) for seat in entry.seats)


_HOW_TO_VOTE = (
    r"To vote, reply with YES or NO on a line of its own; the last one counts\. In any other mail of the game the line is "
    r"VOTE {vote} YES VOTE {vote} NOTHING takes your vote back\."
)


def _of_proposed(entry: kinds.ProposedEntry) -> tuple[EntryNotice, ...]:
    words = f"{entry.seat or 'A player'} proposes {proposal_words(entry)}."
    until = ""
    with suppress(ValueError):  # in archives of anybody; `pbmd verify` reports it
        until = f"The vote ends {describe_time(datetime.fromisoformat(entry.ends))}"
    headline, whose = f"vote {entry.vote} has begun", entry.seat or ""
    how = rf"(?:{re.escape(NO_VOTE)}|{_HOW_TO_VOTE.format(vote=entry.vote)})"
    told = EntryNotice(headline, words, entry.reason or "", whose, is_for_others=bool(whose), says=(how, QUORUM))
    return (told._replace(until=until, rules=secrecy_words(entry), quorum=entry.quorum),)


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


def _of_started(entry: kinds.StartedEntry) -> tuple[EntryNotice, ...]:
    words = f"The game master has begun the game now, with {len(entry.seats)} players."
    return (EntryNotice("why the game begins now", words, entry.reason),) if entry.reason else ()


def _of_absent(entry: kinds.AbsentEntry) -> tuple[EntryNotice, ...]:
    with suppress(ValueError):
        first, last = (date.fromisoformat(day or "") for day in (entry.first, entry.last))
        words = f"{entry.seat} is away {describe_days(first, last)}."
        return (EntryNotice(f"{entry.seat} is away", words, seat=entry.seat or "", is_for_others=True),)
    return ()


def _of_present(entry: kinds.PresentEntry) -> tuple[EntryNotice, ...]:
    if not entry.seat:
        return ()
    words = f"{entry.seat} is not away after all, or is back."
    return (EntryNotice(f"{entry.seat} is not away", words, seat=entry.seat, is_for_others=True),)


def _of_offered(entry: kinds.OfferedEntry) -> tuple[EntryNotice, ...]:
    told = EntryNotice(f"{entry.seat} is offered to others", entry.reason, seat=entry.seat, is_for_others=True)
    return (told,) if entry.by == VOTE else ()


AGAIN = "{} is played again"
"""Of a turn."""


def _of_rolled_back(entry: kinds.RolledBackEntry) -> tuple[EntryNotice, ...]:
    return (EntryNotice(AGAIN.format(f"turn {entry.to}"), ", which is played again.", entry.reason, says=_patterns(AS_BEFORE)),)


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
    kinds.StartedEntry.kind: _of_started,
    kinds.AbsentEntry.kind: _of_absent,
    kinds.PresentEntry.kind: _of_present,
    kinds.OfferedEntry.kind: _of_offered,
    kinds.RolledBackEntry.kind: _of_rolled_back,
}
HEADLINES = (
    r"the deadline is [^.]{1,40} later",
    r".{1,80}? has [^.]{1,40} more",
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
    r".{1,80}? is (?:not )?away",
    r".{1,80}? is offered to others",
    "why the game begins now",
)
"""How the first sentences of these mails look, as regular expressions."""
OTHER_HEADLINES = (
    r".{1,80}? is asleep",
    r".{1,80}? is awake again",
    r".{1,80}? is yours again",
    "a letter with another head",
    "a ruling",
    "no substitute any more",
    "no substitute was found",
    "no substitute yet",
    "the turn stays open for you",
    "two histories of this game",
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
