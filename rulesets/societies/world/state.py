"""The state of a game between inputs (section 4 of the rules)."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import Field

from pbmd.rules import Sheet
from pbmd.rules.codec import AllSheets, Given, Names, Sheets, WrittenAs, is_empty, options_field, row
from pbmd.rules.documents import Count, Positive

from ..tables import INFO, GameOptions, GovernmentName, game_options
from .layout import LARGEST_SIDE
from .squares import Square, square_labelled, steps_to, touches

VictoryKind = Literal["conquest", "spaceship", "cultural", "domination"]

_HIGHEST_LEVEL = 45
"""Beyond what any gold can buy; calculations with it still give integers that every JSON reader accepts."""


def _square(label: str) -> Square:
    square = square_labelled(label)
    if square is None:
        raise ValueError(f'"{label:.60}" is no square; squares are written like B2')
    return square


Labelled = Annotated[Square, WrittenAs(str, _square, lambda square: square.text)]
"""A square, written in documents as its label."""
LabelledIfAny = Annotated[
    Square | None, WrittenAs(str, lambda label: _square(label) if label else None, lambda square: square.text if square else "")
]
"""The same, "" for none."""


@dataclass(frozen=True, slots=True)
class Map:
    """The grid: squares from A1 on, `nuked` are those that nobody can build on any more (SO-110)."""

    side: Annotated[int, Field(ge=2, le=LARGEST_SIDE)]
    nuked: tuple[Labelled, ...] = ()


@dataclass(frozen=True, slots=True)
class Society:
    """A player's society. `eliminated_turn` is 0 while it is in the game; `engine_spend` the gold paid for its last part."""

    name: str
    title: str = ""
    government: GovernmentName = "despotism"
    tech: Annotated[int, Field(ge=1, le=_HIGHEST_LEVEL)] = 1
    gold: Count = 0
    armies: Count = 0
    spies: Count = 0
    nukes: Count = 0
    sdi: Count = 0
    spaceship_parts: Count = 0
    engine_spend: Count = 0
    eliminated_turn: Count = 0
    missed_turns: Count = 0

    @property
    def living(self) -> bool:
        """Still in the game."""
        return not self.eliminated_turn


@row
class City(NamedTuple):
    """A city; `name` is decoration, a captured one pays no tax while it is `rehabilitating` (SO-R86)."""

    square: Labelled
    owner: str
    name: str = ""
    rehabilitating: bool = False


@row
class Wonder(NamedTuple):
    """A wonder that was built: `owner` is "" and `square` None once it is destroyed; `builder` counts for culture (SO-174). A
    document without a builder, or a square, has "" and None; then `load` uses the owner as the builder."""

    name: str
    owner: str
    builder: str = ""
    square: LabelledIfAny = None
    obsolete: bool = False
    destroyed: bool = False

    @property
    def active(self) -> bool:
        """Neither obsolete nor destroyed."""
        return not self.obsolete and not self.destroyed


@row
class War(NamedTuple):
    """Two societies at war since that turn; a war of an earlier turn makes attacks declared ones (SO-R53)."""

    between: tuple[str, str]
    since: Count


@dataclass(frozen=True, slots=True)
class Counterattack:
    """`holder` may attack `against`, the owner of the Colosseum, this many times (SO-R65)."""

    holder: str
    against: str
    count: Positive


@row
class Concession(NamedTuple):
    """A standing concession (SO-R94)."""

    by: str
    to: str


@row
class Victory(NamedTuple):
    """A way in which a society has won."""

    society: str
    kind: VictoryKind


@row
class Past(NamedTuple):
    """The sheets in force in a turn that was resolved, first come first."""

    turn: Positive
    sheets: AllSheets


@dataclass(frozen=True, slots=True)
class Result:
    """Whether the game is over, and who has won in which ways."""

    over: bool = False
    winners: tuple[str, ...] = ()
    victories: tuple[Victory, ...] = ()


_FOUND_IN: Mapping[str, str] = {
    "options": "given",
    "by_name": "societies",
    "living": "societies",
    "city_at": "cities",
    "territory": "cities",
    "wonder": "wonders",
}
"""What a position remembers, and the field in which it is found; no change of the societies changes their names."""


@dataclass(frozen=True, kw_only=True)
class Position:
    """Everything there is to know about a game, in the order of its document (section 4). `given` are the options that were
    chosen.

    `societies` are in sign-up order, eliminated ones too; cities, wonders and the others in any order. Beyond the specification
    there are `sheets`, the orders on file in the running turn, `missed`, the seats whose deadline passed in it, and `past`, the
    sheets of earlier turns that are stored nowhere else: only old documents have it.
    """

    turn: Positive = 1
    gm_concession: str = ""
    given: Annotated[Given, options_field(INFO, game_options), Field(alias="options")] = ()
    map: Map
    societies: Annotated[tuple[Society, ...], Field(alias="society", min_length=1)]
    cities: Annotated[tuple[City, ...], Field(alias="city")] = ()
    wonders: Annotated[tuple[Wonder, ...], Field(alias="wonder")] = ()
    wars: Annotated[tuple[War, ...], Field(alias="war")] = ()
    counterattacks: Annotated[tuple[Counterattack, ...], Field(alias="counterattack")] = ()
    concessions: Annotated[tuple[Concession, ...], Field(alias="concession")] = ()
    result: Result = Result()
    sheets: Sheets = ()
    missed: Names = ()
    past: Annotated[tuple[Past, ...], Field(exclude_if=is_empty)] = ()

    @cached_property
    def options(self) -> GameOptions:
        """All options of the game."""
        return game_options(self.given)

    @property
    def side(self) -> int:
        """The side of the map."""
        return self.map.side

    @property
    def nuked(self) -> tuple[Square, ...]:
        """The squares that nobody can build on any more."""
        return self.map.nuked

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.result.over

    @property
    def ranked_sheets(self) -> tuple[Sheet, ...]:
        """The sheets, first come first; those of the same instant in the order of sign-up (SO-R03)."""
        places = {name: place for place, name in enumerate(self.by_name)}
        return tuple(sorted(self.sheets, key=lambda sheet: (sheet.arrival, places[sheet.seat])))

    @cached_property
    def by_name(self) -> Mapping[str, Society]:
        """The societies by name, in sign-up order."""
        return {society.name: society for society in self.societies}

    @cached_property
    def living(self) -> tuple[Society, ...]:
        """The societies still in the game, in sign-up order."""
        return tuple(society for society in self.societies if society.living)

    @cached_property
    def city_at(self) -> Mapping[Square, City]:
        """The cities by their squares, in reading order."""
        return {city.square: city for city in sorted(self.cities)}

    @cached_property
    def territory(self) -> Mapping[str, tuple[Square, ...]]:
        """The squares of every society's cities in reading order (SO-R12)."""
        found: dict[str, list[Square]] = {society.name: [] for society in self.societies}
        for square, city in self.city_at.items():
            found[city.owner].append(square)
        return {name: tuple(squares) for name, squares in found.items()}

    @cached_property
    def wonder(self) -> Mapping[str, Wonder]:
        """The wonders ever built, by name."""
        return {wonder.name: wonder for wonder in self.wonders}

    def with_changed(self, **fields: Any) -> "Position":
        """The same with other fields. What was found out about the rest is kept: looking at all cities again after each change
        of a society would make a turn grow with the square of the players."""
        changed = replace(self, **fields)
        known = self.__dict__
        kept = {name: known[name] for name, field in _FOUND_IN.items() if field not in fields and name in known}
        changed.__dict__.update(kept)
        return changed

    def has_active(self, name: str, wonder: str) -> bool:
        """Whether that society owns that wonder and it is in effect."""
        found = self.wonder.get(wonder)
        return found is not None and found.active and found.owner == name

    def free_cities(self, name: str) -> list[Square]:
        """The squares of a society's cities without a wonder, in reading order (SO-R71)."""
        filled = {wonder.square for wonder in self.wonders}
        return [square for square in self.territory[name] if square not in filled]

    def reaches(self, name: str, other: str) -> bool:
        """Whether caravans of one get to the other: over as many squares as its level, or anywhere (SO-R44, SO-R49)."""
        return self.has_active(name, "Silk Road") or self.distance(name, other) <= self.by_name[name].tech

    def caravan(self, name: str, partner: str) -> tuple[int, Fraction]:
        """What a caravan costs, and yields before the bonus (SO-79, SO-80, SO-139, SO-R49, SO-R50)."""
        level, other = self.by_name[name].tech, self.by_name[partner].tech
        cost = 0 if self.has_active(name, "Silk Road") else level + other
        return cost, Fraction(level * other, 2 if partner == name else 1)

    def adjacent(self, one: str, other: str) -> bool:
        """Whether a city of one shares an edge with a city of the other (SO-R12)."""
        theirs = frozenset(self.territory[other])
        return any(touches(square, theirs, self.side) for square in self.territory[one])

    def distance(self, one: str, other: str) -> int:
        """The fewest steps between a city of one and a city of the other (SO-R44); both must have cities."""
        steps = steps_to(self.territory[one], self.side)
        return min(steps[row][column] for row, column in self.territory[other])

    def war_of(self, one: str, other: str) -> War | None:
        """The war between the two, None in peace."""
        return next((war for war in self.wars if {one, other} == set(war.between)), None)

    def at_war(self, one: str, other: str) -> bool:
        """Whether the two are at war."""
        return self.war_of(one, other) is not None
