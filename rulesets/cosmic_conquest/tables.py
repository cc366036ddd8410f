"""The numbers and names of the game, read once from ``ruleset.toml``."""

import importlib.resources
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from pbmd.rules import RulesetInfo, SheetPolicy, read_info
from pbmd.rules.codec import Given
from pbmd.rules.options import options_of

INFO: RulesetInfo = read_info(importlib.resources.files(__package__ or __name__))

TechName = Literal["tachyon", "psionic", "biomech", "chronotech"]
Rank = Literal["supreme", "high", "low"]

DIE: int = INFO.tables["die"]
INDECISIVE_UNITS: int = INFO.tables["indecisive_units"]
RESOURCEFUL_UNITS: int = INFO.tables["resourceful_units"]
TRAIT_BONUS: int = INFO.tables["trait_bonus"]
ATTACK_BONUS_TACHYON: int = INFO.tables["attack_bonus_tachyon"]
SABOTAGE_UNITS: int = INFO.tables["sabotage_units"]
ASSAULT_STRENGTH: int = INFO.tables["assault_strength"]
TIME_SKIP_UNITS: int = INFO.tables["time_skip_units"]
PROMOTION_TURNS: int = INFO.tables["promotion_turns"]

COLOURS: tuple[str, ...] = tuple(INFO.tables["colours"])
PAINTS: Mapping[str, Mapping[str, str]] = INFO.tables["paints"]
POSITIVE: tuple[str, ...] = tuple(INFO.tables["traits"]["positive"])
NEGATIVE: tuple[str, ...] = tuple(INFO.tables["traits"]["negative"])
_PAIRS: Mapping[str, str] = INFO.tables["traits"]["opposites"]
OPPOSITE: Mapping[str, str] = {**_PAIRS, **{bad: good for good, bad in _PAIRS.items()}}
ADMIRAL_NAMES: tuple[str, ...] = tuple(INFO.tables["names"]["admirals"])


@dataclass(frozen=True, slots=True)
class Tech:
    """A technology: units for one more unit of output (CC-86, CC-113) and what a drone adds (CC-95, CC-101, CC-110)."""

    name: str
    invest: int
    attack_drone: int
    defense_drone: int


@dataclass(frozen=True, slots=True)
class RankRow:
    """A rank of admirals; `cv` is what is added to a d3 for the Command Value (CC-R42)."""

    name: str
    cv: int


TECHS: Mapping[str, Tech] = {key: Tech(**row) for key, row in INFO.tables["techs"].items()}
RANKS: Mapping[str, RankRow] = {key: RankRow(**row) for key, row in INFO.tables["ranks"].items()}


@dataclass(frozen=True, slots=True)
class GameOptions:
    """All options of a game (section 11 of the rules), checked and complete."""

    turn_hours: int
    insight_hours: int
    extension_hours: int
    extension_gap: int
    min_players: int
    max_players: int
    map: str
    home_choice: Literal["balanced", "random", "first_in"]
    start_output: int
    independent_units: int
    output_cap: int
    output_cap_biomech: int
    empire_size: int
    empire_bonus: int
    empire_bonus_tachyon: int
    empire_from: Literal["next", "now"]
    first_overlord_turn: int
    overlord_needs_empire: bool
    last_survivor_wins: bool
    defense_roll: Literal["each", "once", "none"]
    halve: Literal["down", "up"]
    halve_undefended: bool
    conquered_investment: Literal["halved", "lost"]
    drone_uses_pool: bool
    regen_delay: int
    stasis_blocks_launch: bool
    stasis_is_failure: bool
    time_skip_lifts: bool
    assault_independents: bool
    borders: Literal["players", "any"]
    stall_limit: int
    on_error: Literal["refuse", "drop"]
    bold: Literal["auto", "required", "off"]
    public_factions: bool
    battle_detail: Literal["totals", "outcome", "full"]

    @property
    def sheets(self) -> SheetPolicy:
        """What becomes of a later mail, and of one with a wrong line (CC-R35, CC-R75)."""
        return SheetPolicy("final", "refuse_mail" if self.on_error == "refuse" else "drop_line")


@lru_cache(maxsize=64)
def game_options(given: Given) -> GameOptions:
    """The chosen options, with defaults for the others. Raises `OptionError`."""
    return options_of(INFO.options, GameOptions, given)
