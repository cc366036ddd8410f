"""Votes of the players in words, for mails and pages."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta

from pbmd.ledger.ballots import Poll, needed_of
from pbmd.ledger.entries.vote_entries import NO, OPEN, TOLD, YES, ProposedEntry
from pbmd.rules.words import counted, listing
from pbmd.terms.terms import Terms
from pbmd.terms.times import describe_duration, describe_time


def length_in(said: ProposedEntry) -> timedelta | None:
    """How long the pause is to be, or how much more time is wanted; None if that is not said."""
    return None if said.minutes is None else timedelta(minutes=said.minutes)


def until_in(said: ProposedEntry) -> datetime | None:
    """When the pause is to end; None if that is not said."""
    return datetime.fromisoformat(said.until) if said.until else None


def proposal_words(said: ProposedEntry) -> str:
    """What would be done if a vote passes, after "a vote on"."""
    words = _WORDS.get(said.proposal)
    return words(said) if words else said.proposal


def secrecy_words(said: ProposedEntry) -> str:
    """Who learns what of a vote, in sentences."""
    who = "Everybody sees who votes how." if said.ballots == OPEN else "Nobody learns who votes how."
    return who if said.failure == TOLD else f"{who} If it fails, no mail says so."


QUORUM = r"(?:All|\d{1,6} of the) (?P<many>\d{1,6}) players? who may vote must say yes\."
"""What `quorum_words` says, as a regular expression."""


def quorum_words(quorum: int, many: int) -> str:
    """How many of so `many` players who may vote must say yes, for a quorum in percent, as a sentence."""
    needed = needed_of(many, quorum)
    return f"{'All' if needed == many else f'{needed} of the'} {counted(many, 'player')} who may vote must say yes."


def poll_words(found: Poll, may: Sequence[str], zone: str = "UTC") -> str:
    """An open vote in a line, as everybody may know it; `may` are those who may vote."""
    words = f"vote {found.number}, on {proposal_words(found.said)}, until {describe_time(found.ends, zone)}"
    if not found.is_open:
        return words
    who = f", proposed by {found.said.seat}" if found.said.seat else ""
    return f"{words}{who}; yes: {listing(found.of(YES, may)) or 'nobody'}; no: {listing(found.of(NO, may)) or 'nobody'}"


def ballots_words(found: Poll, may: Sequence[str]) -> str:
    """Who of those who `may` vote has voted how, in sentences; empty where not all may know it."""
    if not found.is_open:
        return ""
    return f"Yes: {listing(found.of(YES, may)) or 'nobody'}. No: {listing(found.of(NO, may)) or 'nobody'}."


def reason_words(said: ProposedEntry) -> str:
    """The reason given for a vote, for those who play and the game master, behind `poll_words`; empty if there is none."""
    return f'; the reason given: "{said.reason}"' if said.reason else ""


def terms_words(terms: Terms, orders: Mapping[str, str]) -> str:
    """What players may vote on, and how, for who begins to play; empty if they may not. `orders` are those of the rules that
    are votes themselves, for which the terms say nothing."""
    by_terms = [kind for kind in terms.votes if kind not in orders]
    by_order = [
        f"On {_IN_SHORT[kind]} players vote with the order {orders[kind]}, as the handbook says."
        for kind in terms.votes
        if kind in orders
    ]
    return " ".join(filter(None, (_how(terms, by_terms), *by_order)))


def _how(terms: Terms, kinds: Sequence[str]) -> str:
    if not kinds:
        return ""
    what = listing((_IN_SHORT[kind] for kind in kinds), "or")
    needed = "all players" if terms.vote_quorum == _ALL else f"{terms.vote_quorum} % of the players"
    ballots = "Nobody learns who votes how" if terms.vote_ballots == "secret" else "Everybody sees who votes how"
    failed = "" if terms.failed_votes == "told" else ", and no mail says so if a vote fails"
    return (
        f"Players can vote on {what} (HELP PROPOSE): {needed} must say yes within {describe_duration(terms.vote_length)}. "
        f"{ballots}{failed}. The game master can stop a vote."
    )


_ALL = 100
_IN_SHORT: Mapping[str, str] = {
    "pause": "a pause",
    "extension": "more time",
    "replace": "another player for a seat",
    "draw": "a draw",
    "cancel": "the end of the game",
}


def _pause(said: ProposedEntry) -> str:
    length, until = length_in(said), until_in(said)
    if length is not None:
        return f"a pause of {describe_duration(length)}"
    return f"a pause until {describe_time(until)}" if until else "a pause until the game master resumes the game"


def _more_time(said: ProposedEntry) -> str:
    return f"{describe_duration(length_in(said) or timedelta(0))} more for the turn that is open when the vote has passed"


def _another_player(said: ProposedEntry) -> str:
    return f"another player for {said.about} from the standby list"


_WORDS: Mapping[str, Callable[[ProposedEntry], str]] = {
    "pause": _pause,
    "extension": _more_time,
    "replace": _another_player,
    "draw": lambda _said: "the end of the game as a draw of all who still play",
    "cancel": lambda _said: "the end of the game without a result",
}
