"""Boards: provinces, what borders on what for armies and for fleets, centres and powers (DI-10 to DI-16).

A board is data, a TOML file in ``maps`` or a club's own. Provinces have ids of three letters, coasts are written behind them:
``STP/NC``.
"""

import importlib.resources
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.resources.abc import Traversable
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, TypeAdapter

from pbmd.rules import fold
from pbmd.rules.documents import Positive

from .units import Unit, Written

ProvinceKind = Literal["inland", "coast", "sea"]
Season = Literal["spring", "winter"]
Sites = Literal["home", "owned"]


@dataclass(frozen=True)
class Province:
    """`army` names the provinces an army can go to, `fleet` those or their coasts a fleet can, for each coast of its own where
    there are several. `abroad` are names and abbreviations in other languages. `country` is the power in whose country a
    province lies that is no centre. `x` and `y` (down) say where it lies. With `convoys` a fleet there can convoy, as at sea,
    though it is a coast: islands with the water between them."""

    id: str
    name: str
    kind: ProvinceKind
    x: int
    y: int
    centre: bool = False
    country: str = ""
    aliases: tuple[str, ...] = ()
    abroad: tuple[str, ...] = ()
    army: tuple[str, ...] = ()
    fleet: tuple[str, ...] | Mapping[str, tuple[str, ...]] = ()
    convoys: bool = False

    @property
    def coasts(self) -> tuple[str, ...]:
        """The coasts, where there are several: ``NC``, ``SC``."""
        return tuple(self.fleet) if isinstance(self.fleet, Mapping) else ()


@dataclass(frozen=True)
class BoardPower:
    """A power of a board: its name, how it is shown, its home centres, which it owns when the game begins, and the
    units with which it begins. `fill` is the colour of its land, on boards that have outlines."""

    name: str
    adjective: str
    code: str
    colour: str
    homes: tuple[str, ...]
    units: tuple[Written, ...]
    fill: str = ""


@dataclass(frozen=True, kw_only=True)
class Board:
    """A map. A game on it begins in the year `year`, in the season `begins`, and is won with so many centres. `builds` says
    where a power builds: in its home centres, or in any that it owns. `outlines` names the file with the outlines, "" for none:
    then the map is drawn as places with their borders."""

    title: str
    year: Positive
    begins: Season = "spring"
    victory_centres: Positive
    builds: Sites = "home"
    outlines: str = ""
    powers: Annotated[tuple[BoardPower, ...], Field(alias="power")]
    provinces: Annotated[tuple[Province, ...], Field(alias="province")]

    @cached_property
    def by_id(self) -> Mapping[str, Province]:
        """The provinces by their ids, in the order of the file."""
        return {province.id: province for province in self.provinces}

    @cached_property
    def by_power(self) -> Mapping[str, BoardPower]:
        """The powers by their names, in the order of the file."""
        return {power.name: power for power in self.powers}

    @cached_property
    def by_written(self) -> Mapping[str, Province]:
        """The provinces by all their names, folded; an id has priority over a name, and a name over an alias (DI-91)."""
        found: dict[str, Province] = {}
        for province in self.provinces:
            found.setdefault(fold(province.id), province)
        for province in self.provinces:
            found.setdefault(fold(province.name.replace(".", " ").replace("-", " ")), province)
        for province in self.provinces:
            for alias in province.aliases:
                found.setdefault(fold(alias.replace("+", " ").replace(".", " ")), province)
        return found

    @cached_property
    def order(self) -> Mapping[str, int]:
        """The position of each province in the file."""
        return {province.id: place for place, province in enumerate(self.provinces)}

    @cached_property
    def centres(self) -> tuple[str, ...]:
        """All supply centres."""
        return tuple(province.id for province in self.provinces if province.centre)

    @cached_property
    def homes(self) -> Mapping[str, tuple[str, ...]]:
        """The home centres of each power."""
        return {power.name: power.homes for power in self.powers}

    @cached_property
    def sites(self) -> Mapping[str, tuple[str, ...]]:
        """The centres in which each power can build, if it owns them (DI-71)."""
        return dict.fromkeys(self.homes, self.centres) if self.builds == "owned" else self.homes

    @property
    def site_words(self) -> str:
        """What players call these centres."""
        return "centres" if self.builds == "owned" else "home centres"

    @cached_property
    def army_reach(self) -> Mapping[str, tuple[str, ...]]:
        """Where an army can go by land from each province; nowhere at sea."""
        return {province.id: province.army for province in self.provinces}

    @cached_property
    def fleet_reach(self) -> Mapping[str, tuple[str, ...]]:
        """Where a fleet can go from each place where one can be: provinces, and coasts of those that have several."""
        found: dict[str, tuple[str, ...]] = {}
        for province in self.provinces:
            if isinstance(province.fleet, Mapping):
                found |= {f"{province.id}/{coast}": reach for coast, reach in province.fleet.items()}
            elif province.fleet:
                found[province.id] = province.fleet
        return found

    @cached_property
    def reach(self) -> Mapping[str, Mapping[str, frozenset[str]]]:
        """The provinces into which an army ("A") or a fleet ("F") can act from each place, on whatever coast."""
        armies = {place: frozenset(reach) for place, reach in self.army_reach.items()}
        fleets = {place: frozenset(to[:3] for to in reach) for place, reach in self.fleet_reach.items()}
        return {"A": armies, "F": fleets}

    @cached_property
    def touching(self) -> Mapping[str, frozenset[str]]:
        """The provinces that border on each sea: those from and to which a fleet there can carry, and the seas next to it."""
        seas = (province.id for province in self.provinces if province.kind == "sea" or province.convoys)
        return {sea: self.reach["F"][sea] for sea in seas}

    @cached_property
    def _neighbours(self) -> Mapping[str, frozenset[str]]:
        found: dict[str, set[str]] = {province.id: set(province.army) for province in self.provinces}
        for place, reach in self.fleet_reach.items():
            found[place[:3]] |= {to[:3] for to in reach}
        return {name: frozenset(near) for name, near in found.items()}

    def stands(self, unit: Unit) -> bool:
        """Whether such a unit can be in its place."""
        if unit.kind == "F":
            return unit.place in self.fleet_reach
        province = self.by_id.get(unit.place)
        return province is not None and province.kind != "sea"

    def goes_by_sea(self, home: str, to: str, seas: Iterable[str]) -> bool:
        """Whether fleets in these seas make a chain from one coastal province to another (DI-40)."""
        left = set(seas)
        found = [sea for sea in left if home in self.touching[sea]]
        while found:
            sea = found.pop()
            if sea not in left:
                continue
            left.discard(sea)
            touched = self.touching[sea]
            if to in touched:
                return True
            found += left & touched
        return False

    def distances(self, origins: Iterable[str]) -> Mapping[str, int]:
        """How many provinces away each is from the nearest of these, over land and water alike (DI-76)."""
        found = dict.fromkeys(origins, 0)
        edge = list(found)
        while edge:
            reached: list[str] = []
            for province in edge:
                for near in self._neighbours[province]:
                    if near not in found:
                        found[near] = found[province] + 1
                        reached.append(near)
            edge = reached
        return found


@dataclass(frozen=True)
class Area:
    """The outline of a province, or of land or water that nobody enters, and where its units stand (see
    `pbmd.rendering.areas`)."""

    at: tuple[int, int]
    outline: str


@dataclass(frozen=True)
class Outlines:
    """The outlines of a whole board, on a sheet of this width and height; names that begin with _ are of land, and with ~ of
    water, that nobody enters. `spots` says where units stand on coasts. Made by ``tests/rulesets/diplomacy/coasts``."""

    sheet: tuple[int, int]
    spots: Mapping[str, tuple[int, int]]
    areas: Mapping[str, Area]


_OUTLINES = TypeAdapter(Outlines)
_FILE = TypeAdapter(list[Board], config=ConfigDict(extra="forbid"))


@lru_cache(maxsize=32)
def board(name: str) -> Board:
    """The board of the option ``map``: of that name, or written in that text, which `map_faults` has found right."""
    return read_board(tomllib.loads(name) if "\n" in name else _table(name))


def read_board(table: Mapping[str, Any]) -> Board:
    """The board that is written in a table; with ``like``, what is in that file counts besides. Raises `ValidationError` of
    pydantic, or `FileNotFoundError` if there is no file like that."""
    own = {key: value for key, value in table.items() if key != "like"}
    return _FILE.validate_python([{**_table(table["like"]), **own} if table.get("like") else own])[0]


def map_names() -> frozenset[str]:
    """The names of the maps that come with the ruleset."""
    return frozenset(name for name in _file_names() if "." not in name)


def outline_names() -> frozenset[str]:
    """The names of the outlines that come with the ruleset."""
    return frozenset(name.removesuffix(".outlines") for name in _file_names() if "." in name)


def _file_names() -> list[str]:
    return [file.name.removesuffix(".toml") for file in _maps().iterdir() if file.name.endswith(".toml")]


@lru_cache(maxsize=8)
def outlines(name: str) -> Outlines | None:
    """The outlines of that name, which a board names as its own; None for ""."""
    if not name:
        return None
    return _OUTLINES.validate_python(tomllib.loads(_maps().joinpath(f"{name}.outlines.toml").read_text(encoding="utf-8")))


def _table(name: str) -> dict[str, Any]:
    """The content of the file, and with ``like``, also what is in that other file."""
    table = tomllib.loads(_maps().joinpath(f"{name}.toml").read_text(encoding="utf-8"))
    like = table.pop("like", "")
    return {**_table(like), **table} if like else table


def _maps() -> Traversable:
    return importlib.resources.files((__package__ or "").rpartition(".")[0]).joinpath("maps")
