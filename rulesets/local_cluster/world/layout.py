"""The tables and fields of a position document (section 4 of the rules)."""

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field

from pbmd.rules.documents import Count, Positive, Table

from ..orders import Treaty
from .state import StateKind, Victory

Names = Annotated[list[str], Field(default_factory=list[str])]
_Effects = Annotated[dict[str, int | bool], Field(default_factory=dict[str, int | bool])]
_Pair = Annotated[list[str], Field(min_length=2, max_length=2)]


class TraitRow(Table):
    """A row of A.2."""

    name: str
    effects: _Effects


class ResourceRow(Table):
    """A row of A.3."""

    name: str
    cost: Count
    tax: Count = 0
    weight: Count = 0
    unique: bool = False
    effects: _Effects


class TechnologyRow(Table):
    """A row of A.4."""

    name: str
    cost: Count
    requires: Names
    effects: _Effects


class DataTable(Table):
    """The tables that replace those of appendix A."""

    traits: list[TraitRow] | None = None
    resources: Annotated[list[ResourceRow], Field(min_length=1)] | None = None
    technologies: list[TechnologyRow] | None = None


class StateRow(Table):
    """A State. Players proclaim themselves unless something else is said, others nobody."""

    name: str
    kind: StateKind = "player"
    leader: str = ""
    player_name: str = ""
    color: str = ""
    home_planet: str = ""
    traits: Names
    technologies: Names
    credits: Count = 0
    skips: Count = 0
    proclaims: str | None = None
    establishment_armies: Count = 0
    establishment_fleets: Count = 0


class PlanetRow(Table):
    """A planet. Without an owner it is the NPC State's of its name."""

    name: str
    x: Annotated[int, Field(ge=0, le=100)] | None = None
    y: Annotated[int, Field(ge=0, le=80)] | None = None
    owner: str | None = None
    resources: Names


class FleetRow(Table):
    """A fleet above a planet."""

    id: str
    owner: str
    planet: str


class ArmyRow(Table):
    """An army on a planet or aboard a fleet."""

    id: str
    owner: str
    planet: str = ""
    fleet: str = ""


class RelationRow(Table):
    """What is between two States."""

    between: _Pair
    status: Literal["peace", "war"] = "peace"
    trade: bool = False
    pact: bool = False


class OfferRow(Table):
    """A standing offer."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, populate_by_name=False)

    kind: Treaty
    by: Annotated[str, Field(alias="from")]
    to: str
    turn: Count


class HeldRow(Table):
    """A move mail on file. `written` are the lines as the player wrote them, where that is not what `lines` says;
    `arrival` tells which of several came first."""

    state: str
    lines: list[str]
    written: list[str] | None = None
    arrival: Annotated[list[int], Field(min_length=2, max_length=2)] | None = None


class PositionTable(Table):
    """A whole document."""

    ruleset: str = "local_cluster"
    map: Literal["local_cluster", "custom"] = "local_cluster"
    lines: list[_Pair] | None = None
    turn: Count = 1
    phase: Literal["moves", "over"] = "moves"
    waiting: list[str] | None = None
    winner: str = ""
    victory: Victory = ""
    ascended: Names
    next_fleet: Positive | None = None
    next_army: Positive | None = None
    options: Annotated[dict[str, Any], Field(default_factory=dict[str, Any])]
    data: DataTable = DataTable()
    states: Annotated[list[StateRow], Field(default_factory=list[StateRow])]
    planets: Annotated[list[PlanetRow], Field(default_factory=list[PlanetRow])]
    fleets: Annotated[list[FleetRow], Field(default_factory=list[FleetRow])]
    armies: Annotated[list[ArmyRow], Field(default_factory=list[ArmyRow])]
    relations: Annotated[list[RelationRow], Field(default_factory=list[RelationRow])]
    offers: Annotated[list[OfferRow], Field(default_factory=list[OfferRow])]
    held: Annotated[list[HeldRow], Field(default_factory=list[HeldRow])]
    missed: Names
