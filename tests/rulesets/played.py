"""What the tests of every ruleset do alike: write a letter, and play a step from its letters to its resolution."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

from pbmd.rules import (
    GM,
    PUBLIC,
    Dice,
    Document,
    Event,
    Line,
    Mail,
    PastStep,
    Reader,
    Receipt,
    Roll,
    Ruleset,
    canonical_json,
    seat_reader,
    sheets,
)
from pbmd.rules.lines import order_lines

Letters = Sequence[tuple[str, str]]
"""Seats and what they write, in the order of arrival."""


def mail(seat: str, text: str, place: int = 1) -> Mail:
    """A letter of that seat; blank lines are counted but not handed over, as the clerk does."""
    return Mail(seat, tuple(Line(line.number, line.text.strip()) for line in order_lines(text)), (place, 0))


@dataclass(frozen=True)
class Played:
    """One step, resolved. `events` are those of the resolution, `missed` those of deadlines that passed before it."""

    rules: Ruleset[Any]
    before: Document
    letters: Letters
    document: Document
    receipts: Sequence[Receipt[Any]]
    events: tuple[Event, ...]
    position: Any
    drawn: tuple[Roll, ...] = ()
    missed: tuple[Event, ...] = ()

    @classmethod
    def step(cls, rules: Ruleset[Any], document: Document, letters: Letters, dice: Dice, resigns: Iterable[str] = ()) -> Self:
        """The letters in the order given, some who resign, everybody else misses the deadline, then the resolution."""
        state = rules.load(document)
        receipts: list[Receipt[Any]] = []
        for place, (seat, text) in enumerate(letters, start=1):
            receipts.append(rules.receive(state, mail(seat, text, place)))
            state = receipts[-1].position
        for seat in resigns:
            assert rules.resign is not None
            state = rules.resign(state, seat).position
        missed: list[Event] = []
        for seat in rules.awaiting(state):
            late = rules.miss(state, seat)
            state, missed = late.position, [*missed, *late.events]
        resolution = rules.resolve(state, dice)
        after = resolution.position
        return cls(rules, document, letters, rules.dump(after), receipts, resolution.events, after, dice.drawn, tuple(missed))

    @property
    def past_step(self) -> PastStep:
        """The step as it is remembered."""
        return sheets.past_step(self.rules, self.receipts[-1].position)

    def at_the_end(self, *before: Self) -> Self:
        """The step, which ended the game, with what is opened of its orders and of those of the steps before."""
        assert self.rules.reveal is not None
        past = [each.past_step for each in (*before, self)]
        return replace(self, events=self.rules.reveal(self.position, self.events, past))

    def view(self, reader: Reader) -> Mapping[str, Any]:
        """What that reader may know."""
        return self.rules.view(self.position, self.events, reader).data

    def bytes_for(self, reader: Reader) -> bytes:
        """The same as canonical JSON."""
        return canonical_json(self.view(reader))

    def readers(self) -> tuple[Reader, ...]:
        """The public, the GM and every seat."""
        return (PUBLIC, GM, *map(seat_reader, self.rules.seats(self.position)))
