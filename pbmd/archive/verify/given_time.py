"""Whether time that was given was there to give: what an outage of the mailbox took, and what players may take by the terms of
the game without asking anybody."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta

from pbmd.archive.format.clock import Clock, moment_of
from pbmd.archive.verify.event_times import TimedEntry, time_words
from pbmd.ledger.entries import kinds
from pbmd.ledger.entries.player_entries import PressEntry, ReadyEntry
from pbmd.ledger.entries.vote_entries import BallotEntry, ProposedEntry
from pbmd.terms.quiet_days import allowed
from pbmd.terms.times import parse_duration

OF_LETTERS = frozenset({kinds.OrdersEntry.kind, PressEntry.kind, ReadyEntry.kind, BallotEntry.kind, ProposedEntry.kind})
"""The kinds of entries that nothing but a letter makes."""
_MINUTE, _LAG = timedelta(minutes=1), timedelta(minutes=5)
"""What was read before an outage is dealt with so long after it has begun."""


def outage_too_long(clock: Clock, told: TimedEntry[kinds.ShiftedEntry]) -> Iterator[str]:
    """What an outage gives back, held against what it took and the terms give. Raises `ValueError` for what are no times."""
    began, ended = _outage(told.content)
    if began > ended or ended > told.entry.at + _MINUTE:
        yield f"{told.where} tells of an outage whose end, {time_words(ended)}, lies in the future or before its beginning"
    own = {seat: moment_of(text) for seat, text in told.content.seats.items()}
    for seat, said in {"": moment_of(told.content.deadline), **own}.items():
        before = clock.own_deadline(seat) if seat else clock.deadline
        if said is not None and before is not None and said > (latest := _after_outage(clock, began, ended, before)):
            whose = f"the deadline of {seat}" if seat else "the deadline"
            yield (
                f"{whose} is {time_words(said)} since {told.where}, and the outage that it tells of gives no more time than "
                f"until {time_words(latest)}"
            )


def _outage(content: kinds.ShiftedEntry) -> tuple[datetime, datetime]:
    began, ended = moment_of(content.began), moment_of(content.ended)
    if began is None or ended is None:
        raise ValueError("an outage has no times")
    return began, ended


def _after_outage(clock: Clock, began: datetime, ended: datetime, deadline: datetime) -> datetime:
    """The latest that a deadline is after an outage; the deadline itself if that took nothing."""
    closing = deadline + clock.terms.grace_time
    taken = min(ended, closing) - max(began, closing - parse_duration(clock.terms.outage_window))
    if taken <= timedelta(0):
        return deadline
    moved = max(deadline, ended) + taken
    return allowed(clock.terms, moved + (-(moved - deadline) % _MINUTE))


def within_outage(told: TimedEntry[kinds.ShiftedEntry], letters: Iterable[tuple[int, datetime]]) -> str:
    """Which letters were dealt with while, by an entry, none could be read, in a sentence; empty if none were."""
    began, ended = _outage(told.content)
    numbers = [str(number) for number, at in letters if began + _LAG < at < ended]
    if not numbers:
        return ""
    them = f"entr{'ies' if len(numbers) > 1 else 'y'} {', '.join(numbers[:5])}"
    return (
        f"{told.where[0].upper()}{told.where[1:]} gives time back since no mail could be read from {time_words(began)} to "
        f"{time_words(ended)}, and within that time letters were dealt with: {them} of the journal. Ask the host."
    )


def beyond_budget(clock: Clock, told: TimedEntry[kinds.ExtendedEntry], taken: Mapping[str, int]) -> Iterator[str]:
    """Whether a player took more time than all may take in a game; `taken` are the minutes that each has by now."""
    who = told.content.by
    budget = parse_duration(clock.terms.extension_budget)
    if timedelta(minutes=taken.get(who, 0)) > budget:
        hours = budget / timedelta(hours=1)
        yield f"{told.where} says that {who} took more time than the {hours:g} h that each may take in all without asking"
