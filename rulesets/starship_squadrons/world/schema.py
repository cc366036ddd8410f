"""The tables of a position document, with their fields, types and defaults (section 4 of the rules)."""

from typing import Annotated, Any, Literal

from pydantic import Field

from pbmd.rules.documents import Count, Positive, Table

from ..tables import HIGHEST_LEVEL
from .factors import Factor
from .hexes import LARGEST
from .state import BodyKind, Owner, Phase, PlayerStatus, SideNumber, UnitKind

VERSION = 1
Level = Annotated[int, Field(ge=0, le=HIGHEST_LEVEL)]
Length = Annotated[int, Field(ge=1, le=LARGEST)]
TransitDay = Annotated[int, Field(ge=0, le=7)]


class SizeTable(Table):
    columns: Length = 9
    rows: Length = 7


class SideTable(Table):
    id: SideNumber
    name: str = ""
    tech: Annotated[int, Field(ge=11, le=15)] = 15
    points: Count = 300


class PlayerTable(Table):
    name: str
    side: SideNumber
    status: PlayerStatus = "active"
    missed: Count = 0
    wait: Count = 0
    next_question: Positive | None = None


class DeployTable(Table):
    side: SideNumber
    min_col: Length
    max_col: Length


class BodyTable(Table):
    name: str
    kind: BodyKind
    hex: str
    limit: Count
    owner: Owner = 0
    starport: bool = False
    stock: Count = 0
    capital: bool = False
    value: Count = 0
    commander: str = ""


class SystemTable(Table):
    name: str
    hex: str
    columns: Length = 19
    rows: Length = 15
    deploy: list[DeployTable] = Field(default_factory=list[DeployTable])
    bodies: list[BodyTable] = Field(default_factory=list[BodyTable])


class HitsTable(Table):
    jump: Count = 0
    maneuver: Count = 0
    sensor_range: Count = 0
    attack: Count = 0
    attack_range: Count = 0
    defense: Count = 0
    supply: Count = 0


class UnitTable(Table):
    name: str
    kind: UnitKind = "squadron"
    side: SideNumber
    player: str = ""
    jump: Level = 0
    maneuver: Level = 0
    sensor_range: Level = 0
    attack: Level = 0
    attack_range: Level = 0
    defense: Level = 0
    supply: Level = 0
    cost: Count | None = None
    damage: Count = 0
    fuel_counters: Count | None = None
    supply_counters: Count = 0
    admiral_counters: Count = 0
    where: Literal["board", "transit"] = "board"
    system: str = ""
    hex: str = ""
    transit: str = ""
    moved: bool = False
    hits: HitsTable | None = None


class QuestionTable(Table):
    id: str
    side: SideNumber
    player: str
    where: Literal["board", "transit", "reserve", ""] = ""
    system: str = ""
    hex: str = ""
    transit: str = ""


class TransitTable(Table):
    id: str
    side: SideNumber
    player: str
    day: TransitDay
    origin: str
    to_system: str
    to_hex: str
    distance: Count


class FleetTable(Table):
    player: str
    name: str
    members: Annotated[list[str], Field(min_length=1)]


class LossTable(Table):
    side: SideNumber
    name: str
    kind: UnitKind
    cost: Count
    day: Positive
    covered: bool
    player: str = ""


class SheetTable(Table):
    player: str
    arrival: Annotated[list[int], Field(min_length=2, max_length=2)]
    lines: list[str]


class SightingTable(Table):
    side: SideNumber
    system: str
    hex: str
    name: str
    day: Count
    kind: UnitKind = "squadron"
    factors: dict[Factor, Level] = Field(default_factory=dict[Factor, Level])
    damage: Count = 0


class DocumentTable(Table):
    ruleset: str
    version: int = VERSION
    day: Count
    phase: Phase
    next_transit: Positive = 1
    options: dict[str, Any] = Field(default_factory=dict[str, Any])
    jump_map: SizeTable = SizeTable()
    winner: Literal[-1, 0, 1, 2] = -1
    reason: str = ""
    sides: Annotated[list[SideTable], Field(min_length=2, max_length=2)]
    players: list[PlayerTable]
    systems: Annotated[list[SystemTable], Field(min_length=1)]
    units: list[UnitTable] = Field(default_factory=list[UnitTable])
    questions: list[QuestionTable] = Field(default_factory=list[QuestionTable])
    transits: list[TransitTable] = Field(default_factory=list[TransitTable])
    fleets: list[FleetTable] = Field(default_factory=list[FleetTable])
    losses: list[LossTable] = Field(default_factory=list[LossTable])
    sheets: list[SheetTable] = Field(default_factory=list[SheetTable])
    missed: list[str] = Field(default_factory=list[str])
    mailed: list[str] = Field(default_factory=list[str])
    overdue: list[str] = Field(default_factory=list[str])
    sightings: list[SightingTable] = Field(default_factory=list[SightingTable])
