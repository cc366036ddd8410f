"""Builders that let a test read like a judge's report: units and orders in its notation, powers in capital letters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pbmd.rules import Dice, Event, ScriptedDice, Sheet
from pbmd.rules.options import OptionValue
from rulesets.diplomacy import ruleset
from rulesets.diplomacy.world.board import board
from rulesets.diplomacy.world.state import Phase, Position, Power
from rulesets.diplomacy.world.units import Unit, read_unit

POWERS = tuple(board("standard").by_power)
PHASES: Mapping[tuple[str, str], Phase] = {
    ("S", "M"): "spring moves",
    ("S", "R"): "spring retreats",
    ("F", "M"): "autumn moves",
    ("F", "R"): "autumn retreats",
    ("W", "A"): "winter",
}
NO_DICE: Dice = ScriptedDice([])
Lines = Mapping[str, Sequence[str]]
"""Units, centres or orders, by the power in capital letters."""


def by_power(units: Iterable[str]) -> dict[str, list[str]]:
    """``ENGLAND A LVP`` as units of powers."""
    found: dict[str, list[str]] = {}
    for unit in units:
        power, _, rest = unit.partition(" ")
        found.setdefault(power, []).append(rest)
    return found


def position(
    code: str, units: Lines, centres: Lines | None = None, orders: Lines | None = None, **options: OptionValue
) -> Position:
    """A game in the phase of that code, ``S1901M``, with these orders on file."""
    owned = centres or {}

    def units_of(name: str) -> tuple[Unit, ...]:
        return tuple(sorted(map(read_unit, units.get(name.upper(), ())), key=lambda unit: unit.place))

    board_powers = board(str(options.get("map", "standard"))).by_power
    return Position(
        turn=int(code[1:5]) - 1900,
        phase=PHASES[code[0], code[5]],
        given=tuple(options.items()),
        seats=tuple(board_powers),
        powers=tuple(Power(name, units_of(name), tuple(sorted(owned.get(name.upper(), ())))) for name in board_powers),
        sheets=sheets(orders or {}),
    )


def sheets(orders: Lines) -> tuple[Sheet, ...]:
    """Orders as they are on file."""
    return tuple(Sheet(power.title(), (place, 0), tuple(lines)) for place, (power, lines) in enumerate(orders.items()))


def resolved(before: Position) -> tuple[Position, tuple[Event, ...]]:
    """The position after the phase, and those that follow without anybody being awaited."""
    found = ruleset.resolve(before, NO_DICE)
    return found.position, found.events


def units(after: Position) -> list[str]:
    """All units in place, as ``ENGLAND A LVP``."""
    return sorted(f"{power.name.upper()} {unit.text}" for power in after.powers for unit in power.units)


def dislodged(after: Position) -> dict[str, tuple[str, ...]]:
    """The units that have to retreat, and where they can go."""
    return {f"{power.name.upper()} {each.unit.text}": each.retreats for power in after.powers for each in power.dislodged}


def rows(events: Iterable[Event]) -> list[Mapping[str, Any]]:
    """What the moves came to, a row for each unit."""
    return [row for event in events if event.kind == "moves" for row in event.data["orders"]]


def result_of(events: Iterable[Event], order: str) -> Mapping[str, Any]:
    """What an order came to."""
    return next(row for row in rows(events) if row["order"] == order)
