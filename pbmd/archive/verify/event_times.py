"""Whether what a journal says could have happened at that time: steps resolved, deadlines missed, letters called late.

Each function returns the problems as sentences. `TimedEntry` is an entry with the position that it finds, None where the game
is not played again; then only what everybody may know can be checked.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Generic, TypeVar

from pbmd.archive.format.clock import Clock
from pbmd.archive.format.entries import Entry
from pbmd.archive.format.late_steps import ALL_IN, CLOSED, PASSED
from pbmd.archive.format.sheets import moment
from pbmd.ledger.entries import kinds
from pbmd.ledger.entries.parts import Orders
from pbmd.ledger.tables import SubmissionState
from pbmd.rules import Ruleset
from pbmd.rules.sheets import to_be_used

_SHOWN = 80
_MOST_NAMED = 10
_FILED, _GRANTED, _LATE = (state.value for state in (SubmissionState.FILED, SubmissionState.GRANTED, SubmissionState.LATE))
_TAKEN = {False: frozenset({_FILED, _GRANTED}), True: frozenset({_FILED})}
"""What counts only if it came in time; where moves are resolved one by one, what needs no move is accepted at any time."""


Opening = kinds.StartedEntry | kinds.ImportedEntry | kinds.ResolvedEntry | kinds.RolledBackEntry
"""The kinds that open a step."""
Moving = (
    kinds.ExtendedEntry | kinds.PutOffEntry | kinds.ShiftedEntry | kinds.QuietEntry | kinds.ResumedEntry | kinds.DeadlineEntry
)
"""The kinds that move a deadline."""
E_co = TypeVar("E_co", covariant=True)


@dataclass(frozen=True, slots=True)
class TimedEntry(Generic[E_co]):
    """An entry, what it says, and a position: the one before it, or after it."""

    entry: Entry
    content: E_co
    position: Any

    @property
    def where(self) -> str:
        """What the entry is called in a sentence."""
        return f"entry {self.entry.number} ({self.entry.kind[:20]})"


def is_for_this_step(clock: Clock, told: TimedEntry[kinds.OrdersEntry], sent: Orders) -> bool:
    """Whether an entry shows orders for the running step that a rollback did not file again."""
    return told.position is not None and sent.again is None and told.content.step == clock.step


def resolved_untimely(clock: Clock, rules: Ruleset[Any], told: TimedEntry[kinds.ResolvedEntry]) -> Iterator[str]:
    """Problems with a resolved step: its cause and its time."""
    position, at = told.position, told.entry.at
    if clock.paused:
        yield f"{told.where} resolves a step while the clock stood, since {time_words(clock.paused)}"
    if position is None:
        yield from _resolved_as_shown(clock, told)
        return
    cause = _cause_of_moves(rules, clock, position) if rules.sequential else _cause(clock)
    if told.content.cause != cause:
        said = told.content.cause[:_SHOWN]
        yield f'{told.where} resolves a step because "{said}", and by the entries before it that was because "{cause}"'
    if rules.sequential or clock.closed:
        return
    if owing := [seat for seat in rules.awaiting(position) if seat not in clock.missed | clock.unawaited]:
        names = ", ".join(owing[:_MOST_NAMED])
        yield f"{told.where} resolves a step that awaited orders of {names}, whose deadline was not over, and nobody closed it"
        return
    over = clock.over(rules, position)
    if over is not None and at < over:
        yield (
            f"{told.where} resolves a step at {time_words(at)}, and by its deadlines and the game's terms it could not be over "
            f"before {time_words(over)}"
        )


def missed_untimely(clock: Clock, rules: Ruleset[Any], told: TimedEntry[kinds.MissedEntry]) -> Iterator[str]:
    """Problems with a seat that is said to have missed its deadline; nobody waits for one that was given up, or is
    asleep."""
    sealed = told.content.sealed
    if told.position is None or sealed is None or sealed.seat in clock.unawaited:
        return
    seat = sealed.seat
    closing = clock.closing(rules, told.position, seat)
    if closing is None or told.entry.at < closing:
        yield _too_early(told, f"says that {seat} had missed its deadline", closing)


def letter_untimely(clock: Clock, rules: Ruleset[Any], told: TimedEntry[Any], sent: Orders, *, kept: bool) -> Iterator[str]:
    """Problems with a letter that was called late and was not, or was accepted though it was. `kept`: it came after the entry,
    and is only recorded in a later one; then it does not say for which step it was late."""
    seat, state, arrived = sent.seat, sent.state, moment(sent.arrival)
    is_late = clock.is_late(rules, told.position, seat, arrived)
    where = f"what came after {told.where}" if kept else told.where
    if is_late and state in _TAKEN[rules.sequential]:
        yield f"{where} takes what {seat} sent at {time_words(arrived)}, after its deadline"
    is_of_another = arrived < clock.opened.replace(microsecond=0) or (kept and seat in clock.ever_missed)
    if state == _LATE and not is_late and not is_of_another:
        yield f"{where} calls late what {seat} sent at {time_words(arrived)}, before its deadline"


def _resolved_as_shown(clock: Clock, told: TimedEntry[kinds.ResolvedEntry]) -> Iterator[str]:
    """No seat's own deadline is before that of the game."""
    assert clock.deadline is not None
    closing = clock.deadline + clock.terms.grace_time
    if told.content.cause == PASSED and told.entry.at < closing:
        yield _too_early(told, f"resolves a step because {PASSED}", closing)
    if told.content.cause == CLOSED and not clock.closed:
        yield f"{told.where} resolves a step because {CLOSED}, and no entry before it says so"


def asleep_untimely(clock: Clock, told: TimedEntry[kinds.AsleepEntry]) -> Iterator[str]:
    """Problems with a seat that is said to be asleep: nobody may stop waiting for one that has not missed that much."""
    sealed = told.content.sealed
    if told.position is not None and sealed is not None and not clock.has_missed_too_much(sealed.seat):
        yield f"{told.where} lets {sealed.seat} fall asleep, which by the terms of the game has not missed enough for that"


def _too_early(told: TimedEntry[Any], what: str, closing: datetime | None) -> str:
    until = f"was over only at {time_words(closing)}" if closing else "had not begun to run"
    return f"{told.where} of {time_words(told.entry.at)} {what}, which {until}, and nobody closed the step"


def _cause(clock: Clock) -> str:
    if clock.closed:
        return CLOSED
    return PASSED if clock.missed - clock.unawaited else ALL_IN


def _cause_of_moves(rules: Ruleset[Any], clock: Clock, position: Any) -> str:
    """What the next resolution of a sequential game does."""
    if clock.missed:
        return f"{', '.join(seat for seat in clock.seats if seat in clock.missed)} made no move"
    used = to_be_used(rules, position)
    return f"{used[0].seat} has moved" if used else "a move was due"


def time_words(at: datetime) -> str:
    """A time, worded for a sentence."""
    return f"{at.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC"
