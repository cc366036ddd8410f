"""The numbers and names of the game, read once from ``ruleset.toml``.

A ship class is identified by its *kind*: weapon × 5 + hull. Fleets are written in ascending order of kinds. Hit points, hits
and damage are whole numbers of quarters everywhere inside, so that every total is exact (GO-R55).
"""

import importlib.resources
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, TypeVar

from pbmd.rules import RulesetInfo, read_info
from pbmd.rules.codec import Given
from pbmd.rules.options import options_of
from pbmd.rules.words import counted

PACKAGE = __package__ or __name__
INFO: RulesetInfo = read_info(importlib.resources.files(PACKAGE))

QUARTERS = 4
"""Quarters in one hit point."""

REPAIR_COST: int = INFO.tables["repair_cost"]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Hull:
    """A size of ship (GO-15, GO-16, GO-19, GO-21): `cost` in BP, `bases` needed to build it, `space` for weapons."""

    name: str
    cost: int
    bases: int
    space: int
    hit_points: int
    also: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Weapon:
    """A weapon (GO-18, GO-76–78): its letter in an order of battle, its place in class names, the weapon it beats."""

    name: str
    letter: str
    prefix: str
    beats: str
    also: tuple[str, ...]
    plural: str


@dataclass(frozen=True, slots=True)
class ShipClass:
    """One weapon in one hull (GO-22), "Laserfrigate" for instance; `hit_points` in quarters."""

    kind: int
    weapon: int
    hull: int
    name: str
    cost: int
    bases: int
    space: int
    hit_points: int

    def counted(self, count: int) -> str:
        """ "1 Laserfrigate", "3 Laserfrigates"."""
        return counted(count, self.name)


def _rows(kind: Callable[..., T], table: dict[str, dict[str, Any]]) -> tuple[T, ...]:
    return tuple(
        kind(name=name, **{key: tuple(cell) if isinstance(cell, list) else cell for key, cell in row.items()})
        for name, row in table.items()
    )


HULLS = _rows(Hull, INFO.tables["hulls"])
WEAPONS = _rows(Weapon, INFO.tables["weapons"])
LASER, FIGHTER, TORPEDO = range(3)
LETTERS = "".join(weapon.letter for weapon in WEAPONS)
BEATS: tuple[int, ...] = tuple([other.name for other in WEAPONS].index(weapon.beats) for weapon in WEAPONS)
"""For each weapon the weapon that it beats."""

CLASSES: tuple[ShipClass, ...] = tuple(
    ShipClass(
        kind=w * len(HULLS) + h,
        weapon=w,
        hull=h,
        name=weapon.prefix + hull.name,
        cost=hull.cost,
        bases=hull.bases,
        space=hull.space,
        hit_points=hull.hit_points * QUARTERS,
    )
    for w, weapon in enumerate(WEAPONS)
    for h, hull in enumerate(HULLS)
)
HULL_PLACE = {hull.name: place for place, hull in enumerate(HULLS)}
WEAPON_PLACE = {weapon.name: place for place, weapon in enumerate(WEAPONS)}
NAME_OF: tuple[str, ...] = tuple(ship.name for ship in CLASSES)
WEAPON_OF: tuple[int, ...] = tuple(ship.weapon for ship in CLASSES)
HULL_OF: tuple[int, ...] = tuple(ship.hull for ship in CLASSES)
SPACE_OF: tuple[int, ...] = tuple(ship.space for ship in CLASSES)
COST_OF: tuple[int, ...] = tuple(ship.cost for ship in CLASSES)
HIT_POINTS_OF: tuple[int, ...] = tuple(ship.hit_points for ship in CLASSES)

STATES = max(HIT_POINTS_OF)
"""Identical ships have one number, kind × STATES + damage. Ascending numbers are the canonical order (section 4)."""

KIND_OF: tuple[int, ...] = tuple(ship.kind for ship in CLASSES for _ in range(STATES))
DAMAGE_OF: tuple[int, ...] = tuple(range(STATES)) * len(CLASSES)
LEFT_OF: tuple[int, ...] = tuple(HIT_POINTS_OF[kind] - damage for kind, damage in zip(KIND_OF, DAMAGE_OF, strict=True))
"""For each number of identical ships: their kind, their damage, and the hit points that are left, all in quarters."""

STRENGTH_OF: tuple[tuple[int, int, int], ...] = tuple(
    (WEAPON_OF[kind], SPACE_OF[kind], left) for kind, left in zip(KIND_OF, LEFT_OF, strict=True)
)
"""For each number of identical ships what one counts for in a battle: its weapon, how many of it, and the hit points left."""


def kind_of(weapon: str, hull: str) -> int:
    """The kind of a class by the names of its weapon and hull ("laser", "frigate"). Raises `KeyError`."""
    return WEAPON_PLACE[weapon] * len(HULLS) + HULL_PLACE[hull]


def number(quarters: int) -> int | float:
    """Quarters as a number to print: 8 → 2, 9 → 2.25."""
    return quarters // QUARTERS if quarters % QUARTERS == 0 else quarters / QUARTERS


@dataclass(frozen=True, slots=True)
class GameOptions:
    """All options of a game (section 11 of the rules), checked and complete."""

    max_players: int
    starting_bases: int
    starting_bp: int
    starting_counter_espionage: int
    starting_generators: int
    starting_spies: int
    income_home: int
    income_captured: int
    base_cost: int
    base_cost_step: int
    base_cost_tier: int
    base_price_count: Literal["held", "ever"]
    max_generators: int
    max_spies: int
    spies_per_turn: int
    shield_hits: int
    multi_attack_order: Literal["last_first", "first_first"]
    late_winner_base: bool
    capture_pick: Literal["newest", "oldest"]
    undefended: Literal["all", "one"]
    sack_scope: Literal["home_fleet", "whole_navy"]
    joint_oob_conflict: Literal["separate", "first_in"]
    missing_oob: Literal["random", "destroyed"]
    range_conflict: Literal["cancel", "close_in"]
    hit_rounding: Literal["exact", "down"]
    destruction: Literal["more_than", "reach"]
    removal_order: Literal["weapon", "hull"]
    supply_loss_percent: int
    supply_start: Literal["next_turn", "same_turn"]
    turn_zero: bool
    turn_limit: int
    battle_detail: Literal["tally", "rounds"]
    reveal_at_end: bool

    @property
    def most_in_stock(self) -> dict[str, int]:
        """The maximum of each stock at any time, by the fields of a player."""
        return {
            "generators": max(self.max_generators, self.starting_generators),
            "spies": max(self.max_spies, self.starting_spies),
            "counter_espionage": self.starting_counter_espionage,
        }

    def base_price(self, number: int) -> int:
        """BP for self-built base no. `number`, which counts from 1 (GO-13, GO-14)."""
        return self.base_cost + self.base_cost_step * ((number - 1) // self.base_cost_tier)


@lru_cache(maxsize=64)
def game_options(given: Given) -> GameOptions:
    """The chosen options, with defaults for the others. Raises `OptionError`."""
    return options_of(INFO.options, GameOptions, given)
