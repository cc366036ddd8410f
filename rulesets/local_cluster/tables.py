"""The numbers and names of the game, read once from ``ruleset.toml`` (section 11 and appendix A of the rules)."""

import importlib.resources
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import Field

from pbmd.rules import PositionError, RulesetInfo, read_info
from pbmd.rules.codec import Given, WrittenAs, row
from pbmd.rules.documents import Count
from pbmd.rules.options import options_of

INFO: RulesetInfo = read_info(importlib.resources.files(__package__ or __name__))

PALETTE: Mapping[str, str] = INFO.tables["palette"]
"""The colours offered at sign-up, in order, with their ``#rrggbb``."""

EFFECTS: tuple[str, ...] = (
    *("fleet_attack", "fleet_defense", "army_attack", "army_defense", "tax_income", "tax_per_planet", "trade_income"),
    *("army_cost", "fleet_cost", "resource_cost", "portal_cost", "army_upkeep", "fleet_upkeep", "armies_per_turn"),
    *("fleets_per_turn", "fleet_capacity", "slots", "home_slots", "research_percent", "research_cost", "portal"),
    *("portal_range", "portal_range_bonus", "absorbs_bombardment", "npc_always_accept", "start_credits", "victory"),
)


def _known(effects: Mapping[str, int | bool]) -> Mapping[str, int]:
    for name in effects:
        if name not in EFFECTS:
            raise PositionError(f"{name:.40}", f"there is no such effect; there are {', '.join(EFFECTS)}")
    return {name: int(value) for name, value in effects.items()}


Effects = Annotated[Mapping[str, int], WrittenAs(dict[str, int | bool], _known, dict)]
"""What a trait, a resource or a technology does, by the names of appendix A; flags have the value 1."""
_NONE: Effects = MappingProxyType({})


@row
class Trait(NamedTuple):
    """A race trait (A.2)."""

    name: str
    effects: Effects = _NONE


@row
class Resource(NamedTuple):
    """A resource (A.3): what it costs to develop, the Tax Income it yields, and its weight in the draw for NPC States."""

    name: str
    cost: Count
    tax: Count = 0
    weight: Count = 0
    unique: bool = False
    effects: Effects = _NONE


@row
class Technology(NamedTuple):
    """A technology (A.4) and those that must be known before it."""

    name: str
    cost: Count
    requires: tuple[str, ...] = ()
    effects: Effects = _NONE


_BUILT_IN: Mapping[str, Sequence[Mapping[str, Any]]] = INFO.tables["data"]
_TRAITS = tuple(Trait(**each) for each in _BUILT_IN["traits"])
_RESOURCES = tuple(Resource(**each) for each in _BUILT_IN["resources"])
_TECHNOLOGIES = tuple(
    Technology(each["name"], each["cost"], tuple(each["requires"]), each["effects"]) for each in _BUILT_IN["technologies"]
)


@dataclass(frozen=True)
class Data:
    """Traits, resources and technologies in table order, those of appendix A unless a game has its own; the mappings look them
    up by name."""

    # With factories: pydantic would copy the rows for each position that is read.
    trait_rows: Annotated[tuple[Trait, ...], Field(alias="traits", exclude_if=_TRAITS.__eq__)] = field(
        default_factory=lambda: _TRAITS
    )
    resource_rows: Annotated[tuple[Resource, ...], Field(alias="resources", min_length=1, exclude_if=_RESOURCES.__eq__)] = (
        field(default_factory=lambda: _RESOURCES)
    )
    technology_rows: Annotated[tuple[Technology, ...], Field(alias="technologies", exclude_if=_TECHNOLOGIES.__eq__)] = field(
        default_factory=lambda: _TECHNOLOGIES
    )

    @cached_property
    def traits(self) -> Mapping[str, Trait]:
        """The race traits by name."""
        return {each.name: each for each in self.trait_rows}

    @cached_property
    def resources(self) -> Mapping[str, Resource]:
        """The resources by name."""
        return {each.name: each for each in self.resource_rows}

    @cached_property
    def technologies(self) -> Mapping[str, Technology]:
        """The technologies by name."""
        return {each.name: each for each in self.technology_rows}


DATA = Data()


@dataclass(frozen=True, slots=True)
class GameOptions:
    """All options of a game (section 11 of the rules), checked and complete."""

    start_credits: int
    victory_planets: int
    move_hours: int
    skips_to_npc: int
    min_players: int
    max_players: int
    planet_tax: int
    home_tax: int
    home_defense: int
    capital_cost: int
    slots: int
    trade_income: int
    trade_limit: int
    army_cost: int
    army_upkeep: int
    fleet_cost: int
    fleet_upkeep: int
    fleet_capacity: int
    die_sides: int
    portal_base_range: int
    research_per_move: int
    turn0_order: Literal["any", "list"]
    early_orders: Literal["hold", "return"]
    strict_mails: bool
    army_steps: Literal["one", "free"]
    casualty: Literal["lowest", "newest"]
    pact_joins_defense: bool
    surrender: Literal["removed", "captured"]
    skip_income: bool
    gift_limit: Literal["tax", "tax_and_trade"]
    offer_turns: int
    npc_home_bonus: bool
    npc_pays_upkeep: bool
    victory_check: Literal["turn", "move"]
    victory_order: Literal["planets_first", "ascension_first"]
    last_player_wins: bool
    credits_public: bool
    offers_public: bool


@lru_cache(maxsize=256)
def game_options(given: Given) -> GameOptions:
    """The chosen options, with defaults for the others. Raises `OptionError`."""
    return options_of(INFO.options, GameOptions, given)
