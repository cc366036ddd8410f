"""Counters, on boards or not, and facts about them (section 4 of the rules)."""

from dataclasses import dataclass
from typing import Annotated, Any, Literal, NamedTuple, NotRequired

from pydantic import Field

from pbmd.rules import PositionError
from pbmd.rules.codec import WrittenAs, is_empty
from pbmd.rules.documents import Count, Positive

from ..tables import HIGHEST_LEVEL
from .factors import FACTORS, Factors
from .hexes import hex_named
from .rows import UNSAID, Among, flat
from .systems import Place, SideNumber

UnitKind = Literal["squadron", "planet"]
Spot = Place | str
"""Where a counter is: on a board, in the transit group of that id, or "" in reserve."""

Level = Annotated[int, Field(ge=0, le=HIGHEST_LEVEL)]


# --- Where a counter is, as documents have it ----------------------------------------------------------------------------


def _place(system: str = "", hex_field: str = "hex", **where: str) -> Place:
    if not system:
        raise PositionError("system", "this field is missing")
    text = where.get(hex_field, "")
    if (found := hex_named(text)) is None:
        raise PositionError(hex_field, f'"{text:.60}" is no hex; hexes are written like 0506')
    return Place(system, found)


def _place_fields(place: Place) -> dict[str, str]:
    return {"system": place.system, "hex": place.hex.text}


def _target(**where: str) -> Place:
    return _place(where["to_system"], "to_hex", to_hex=where["to_hex"])


def _target_fields(place: Place) -> dict[str, str]:
    return {f"to_{field}": text for field, text in _place_fields(place).items()}


_UNFIT = {"board": ("transit",), "transit": ("system", "hex"), "reserve": ("system", "hex", "transit")}
"""Fields that belong to other places."""


def _spot(where: str = "", **given: str) -> Spot:
    """A "?" may leave out where it is."""
    where = where or ("board" if given.get("hex") else "reserve")
    for field in _UNFIT[where]:
        if given.get(field):
            raise PositionError(field, f'where is "{where}", so this field is not wanted')
    if where != "board":
        return given.get("transit", "")
    return _place(given.get("system", ""), hex=given.get("hex", ""))


def _spot_of_unit(where: str = "board", **given: str) -> Spot:
    return _spot(where, **given)


def _spot_fields(spot: Spot) -> dict[str, str]:
    if isinstance(spot, Place):
        return {"where": "board", **_place_fields(spot)}
    return {"where": "transit", "transit": spot} if spot else {"where": "reserve"}


_PLACE: dict[str, Any] = {"system": NotRequired[str], "hex": NotRequired[str]}
_ANYWHERE: dict[str, Any] = {**_PLACE, "transit": NotRequired[str]}
_UNIT_SPOT = Among({"where": NotRequired[Literal["board", "transit"]], **_ANYWHERE}, _spot_of_unit, _spot_fields)
_SPOT = Among({"where": NotRequired[Literal["board", "transit", "reserve", ""]], **_ANYWHERE}, _spot, _spot_fields)
_LEVELS = Among(dict.fromkeys(FACTORS, NotRequired[Level]), Factors, Factors._asdict)


def _id(letter: str) -> WrittenAs:
    """The id for a number: "Q3"."""

    def read(text: str) -> int:
        digits = text[1:]
        if text[:1] != letter or not (digits.isascii() and digits.isdigit()) or digits[0] == "0" or len(digits) > 9:
            raise ValueError(f'"{text:.60}" is no id; ids are written like {letter}1')
        return int(digits)

    return WrittenAs(str, read, lambda number: f"{letter}{number}")


# --- Counters ------------------------------------------------------------------------------------------------------------


class _Somewhere:
    """Something with a place."""

    __slots__ = ()
    spot: Any

    @property
    def place(self) -> Place | None:
        """The hex of a board where it is, None if it is on none."""
        return self.spot if isinstance(self.spot, Place) else None

    @property
    def system(self) -> str:
        """The system on whose board it is, "" elsewhere."""
        return self.spot.system if isinstance(self.spot, Place) else ""


@flat
@dataclass(frozen=True, slots=True, kw_only=True)
class Unit(_Somewhere):
    """A Squadron or Planet counter, on a board or in transit.

    `hits` is None unless hits are labelled (section 7.4); then `damage` is their sum.
    """

    name: str
    kind: UnitKind = "squadron"
    side: SideNumber
    player: str = ""
    printed: Annotated[Factors, _LEVELS]
    cost: Count = UNSAID
    damage: Count = 0
    fuel: Annotated[Count, Field(alias="fuel_counters")] = UNSAID
    supplies: Annotated[Count, Field(alias="supply_counters")] = 0
    admirals: Annotated[Count, Field(alias="admiral_counters")] = 0
    spot: Annotated[Spot, _UNIT_SPOT]
    moved: bool = False
    hits: Annotated[Factors | None, Field(exclude_if=lambda hits: hits is None)] = None

    @property
    def is_squadron(self) -> bool:
        """Whether it is a squadron, and not a Planet counter."""
        return self.kind == "squadron"


@flat
@dataclass(frozen=True, slots=True)
class Question(_Somewhere):
    """A "?" counter."""

    number: Annotated[int, _id("Q"), Field(alias="id")]
    side: SideNumber
    player: str
    spot: Annotated[Spot, _SPOT] = ""

    @property
    def id(self) -> str:
        """As in orders: "Q3"."""
        return f"Q{self.number}"

    @property
    def in_reserve(self) -> bool:
        """Whether it is neither on a board nor in transit."""
        return not self.spot


Counter = Unit | Question


def name_of(counter: Counter) -> str:
    """As in orders: a unit's name, or the id of a "?"."""
    return counter.name if isinstance(counter, Unit) else counter.id


@flat
@dataclass(frozen=True, slots=True)
class Transit:
    """A group in jump transit; `day` is how many spaces it has advanced."""

    number: Annotated[int, _id("T"), Field(alias="id")]
    side: SideNumber
    player: str
    day: Annotated[int, Field(ge=0, le=7)]
    origin: str
    to: Annotated[Place, Among({"to_system": str, "to_hex": str}, _target, _target_fields)]
    distance: Count

    @property
    def id(self) -> str:
        """As in the document: "T1"."""
        return f"T{self.number}"


@dataclass(frozen=True, slots=True)
class Fleet:
    """A player's name for counters in one hex: unit names and ids of "?" in their order (SQ-R71)."""

    player: str
    name: str
    members: Annotated[tuple[str, ...], Field(min_length=1)]


# --- Memories of counters ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Loss:
    """A unit that was destroyed; `covered` when it happened. `player` commanded it, "" if its whole side may know."""

    side: SideNumber
    name: str
    kind: UnitKind
    cost: Count
    day: Positive
    covered: bool
    player: Annotated[str, Field(exclude_if=is_empty)] = ""


class Looks(NamedTuple):
    """What everybody sees of an open unit."""

    kind: UnitKind = "squadron"
    printed: Factors = Factors()
    damage: int = 0


_NOTHING = Looks()


def _looks(kind: UnitKind = "squadron", factors: Factors = _NOTHING.printed, damage: int = 0) -> Looks:
    return Looks(kind, factors, damage)


def _looks_fields(looks: Looks) -> dict[str, Any]:
    return {} if looks == _NOTHING else {"kind": looks.kind, "factors": looks.printed, "damage": looks.damage}


_LOOKS = Among(
    {"kind": NotRequired[UnitKind], "factors": NotRequired[Factors], "damage": NotRequired[Count]}, _looks, _looks_fields
)


@flat
class Sighting(NamedTuple):
    """What a side last saw in a hex, on that day: the name of an enemy unit, or "?" (ours, for the reports), and what the unit
    looked like then."""

    side: SideNumber
    place: Annotated[Place, Among({"system": str, "hex": str}, _place, _place_fields)]
    name: str
    day: Count
    looks: Annotated[Looks, _LOOKS] = _NOTHING
