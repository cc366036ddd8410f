"""The stand-alone adjudicator: a position and some letters in, their results out. No mail, no database.

It is the fold of a game over its mail without a clock: letters are taken in order of arrival, and deadlines are where the
entries say so, and, except in sequential rulesets, after the last letter. In sequential ones each move is resolved when its
letter comes, and those that waited for it immediately after it.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from pbmd.rules import (
    PUBLIC,
    Arrival,
    Dice,
    Document,
    Event,
    Mail,
    Outcome,
    PastStep,
    Roll,
    Ruleset,
    Sheet,
    Status,
    Verdict,
    View,
    seat_reader,
)
from pbmd.rules.lines import order_lines
from pbmd.rules.sheets import past_step, resolved, to_be_used
from pbmd.terms.times import EPOCH

StepDice = Callable[[int, tuple[Sheet, ...]], Dice]
"""The dice of a step, given its number within the file (from 0) and the sheets that it uses, first come first."""


@dataclass(frozen=True, slots=True)
class Letter:
    """A seat's letter: its command text as mailed."""

    received: datetime
    seat: str
    text: str


@dataclass(frozen=True, slots=True)
class Deadline:
    """A deadline that passed."""

    received: datetime


@dataclass(frozen=True, slots=True)
class Resignation:
    """A seat was given up for good. Rulesets that do not ask for it ignore it."""

    received: datetime
    seat: str


Entry = Letter | Deadline | Resignation


@dataclass(frozen=True, slots=True)
class Views:
    """What the readers may know after a step; `seats` in sign-up order."""

    seats: Mapping[str, View]
    public: View


@dataclass(frozen=True, slots=True)
class Adjudication:
    """What became of the entries.

    `views` has one item per step resolved, or one of the current position if there was none. `dice` are the rolls in the order
    drawn. `verdicts` are (seat, verdict), in order of arrival. `document` is the document of the final `position`.
    """

    position: Any
    document: Document
    verdicts: tuple[tuple[str, Verdict], ...]
    events: tuple[Event, ...]
    views: tuple[Views, ...]
    dice: tuple[Roll, ...]
    outcome: Outcome | None


def adjudicate(ruleset: Ruleset[Any], document: Mapping[str, Any], entries: Sequence[Entry], dice: StepDice) -> Adjudication:
    """Play `entries` on the position in `document`.

    The order of arrival is by `received` (a time without zone is UTC), then by place in `entries`. In simultaneous and phased
    rulesets a deadline passes after the last letter and seats without orders miss it; each `Deadline` before that ends a step
    of its own. In sequential ones moves are resolved as long as they are due, and only a `Deadline` skips awaited seats.
    Letters to a game that is over get an error. Raises `PositionError` and `DiceError`.
    """
    fold = _Fold(ruleset, ruleset.load(document), (), (), (), ())
    one_by_one = ruleset.info.timing == "sequential"
    if ruleset.sequential:
        # A move that waited may be due in this position.
        fold = _resolve_what_is_due(fold, dice)
    for arrival, entry in _in_arrival_order(entries, ends=not one_by_one):
        fold = _entry(fold, entry, arrival)
        if one_by_one:
            fold = _resolve_what_is_due(fold, dice)
        elif isinstance(entry, Deadline) and ruleset.outcome(fold.position) is None:
            fold = _resolve(fold, dice)
    return Adjudication(
        position=fold.position,
        document=ruleset.dump(fold.position),
        verdicts=fold.verdicts,
        events=fold.events,
        views=fold.views or (_views(ruleset, fold.position, ()),),
        dice=fold.rolls,
        outcome=ruleset.outcome(fold.position),
    )


@dataclass(frozen=True, slots=True)
class _Fold:
    """How far the entries have been played."""

    ruleset: Ruleset[Any]
    position: Any
    verdicts: tuple[tuple[str, Verdict], ...]
    events: tuple[Event, ...]
    views: tuple[Views, ...]
    rolls: tuple[Roll, ...]
    past: tuple[PastStep, ...] = ()


def _in_arrival_order(entries: Sequence[Entry], *, ends: bool) -> Iterable[tuple[Arrival, Entry]]:
    """The entries with their arrivals, sorted, and, if the last step `ends` with them, its deadline."""
    timed = sorted(
        (((_microseconds(entry.received), place), entry) for place, entry in enumerate(entries)), key=lambda item: item[0]
    )
    if ends and not (timed and isinstance(timed[-1][1], Deadline)):
        last = timed[-1][1].received if timed else EPOCH
        timed.append(((_microseconds(last), len(entries)), Deadline(last)))
    return timed


def _microseconds(moment: datetime) -> int:
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return (aware - EPOCH) // timedelta(microseconds=1)


def _entry(fold: _Fold, entry: Entry, arrival: Arrival) -> _Fold:
    match entry:
        case Letter():
            return _letter(fold, entry, arrival)
        case Resignation():
            return _resignation(fold, entry.seat)
        case Deadline():
            return _deadline(fold)


def _resignation(fold: _Fold, seat: str) -> _Fold:
    if fold.ruleset.resign is None or fold.ruleset.outcome(fold.position) is not None:
        return fold
    given_up = fold.ruleset.resign(fold.position, seat)
    return replace(fold, position=given_up.position, events=(*fold.events, *given_up.events))


def _letter(fold: _Fold, letter: Letter, arrival: Arrival) -> _Fold:
    ruleset = fold.ruleset
    if ruleset.outcome(fold.position) is not None:
        over = Verdict(0, "", Status.ERROR, "the game is over; nothing in this letter was used")
        return replace(fold, verdicts=(*fold.verdicts, (letter.seat, over)))
    receipt = ruleset.receive(fold.position, Mail(letter.seat, order_lines(letter.text), arrival))
    verdicts = ((letter.seat, verdict) for verdict in receipt.verdicts)
    events = (*fold.events, *receipt.events)
    return replace(fold, position=receipt.position, verdicts=(*fold.verdicts, *verdicts), events=events)


def _deadline(fold: _Fold) -> _Fold:
    position, events = fold.position, fold.events
    if fold.ruleset.outcome(position) is None:
        for seat in fold.ruleset.awaiting(position):
            missed = fold.ruleset.miss(position, seat)
            position, events = missed.position, (*events, *missed.events)
    return replace(fold, position=position, events=events)


def _resolve_what_is_due(fold: _Fold, dice: StepDice) -> _Fold:
    """Letters that came early and waited may settle the next steps as well."""
    while fold.ruleset.outcome(fold.position) is None and _is_due(fold):
        fold = _resolve(fold, dice)
    return fold


def _is_due(fold: _Fold) -> bool:
    ready = fold.ruleset.ready
    return ready(fold.position) if ready else not fold.ruleset.awaiting(fold.position)


def _resolve(fold: _Fold, dice: StepDice) -> _Fold:
    step_dice = dice(len(fold.views), to_be_used(fold.ruleset, fold.position))
    already_drawn = len(step_dice.drawn)
    resolution = resolved(fold.ruleset, fold.position, step_dice, fold.past)
    return replace(
        fold,
        position=resolution.position,
        events=(*fold.events, *resolution.events),
        views=(*fold.views, _views(fold.ruleset, resolution.position, resolution.events)),
        rolls=(*fold.rolls, *step_dice.drawn[already_drawn:]),
        past=(*fold.past, past_step(fold.ruleset, fold.position)),
    )


def _views(ruleset: Ruleset[Any], position: Any, events: Sequence[Event]) -> Views:
    seats = {seat: ruleset.view(position, events, seat_reader(seat)) for seat in ruleset.seats(position)}
    return Views(seats, ruleset.view(position, events, PUBLIC))
