"""The state of a game between inputs (section 4 of the rules)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, NamedTuple

from pbmd.rules import OptionValue, Outcome, Refused, Resolution, Sheet
from pbmd.rules.sheets import withdrawn
from rulesets.societies.tables import INFO, GameOptions, GovernmentName, listing

from .squares import Square, distance, touches

VictoryKind = Literal["conquest", "spaceship", "cultural", "domination"]


@dataclass(frozen=True, slots=True)
class Society:
    """A player's society. `eliminated_turn` is 0 while it is in the game; `engine_spend` the gold paid for its last part."""

    name: str
    title: str = ""
    government: GovernmentName = "despotism"
    tech: int = 1
    gold: int = 0
    armies: int = 0
    spies: int = 0
    nukes: int = 0
    sdi: int = 0
    spaceship_parts: int = 0
    engine_spend: int = 0
    eliminated_turn: int = 0
    missed_turns: int = 0

    @property
    def living(self) -> bool:
        """Still in the game."""
        return not self.eliminated_turn


class City(NamedTuple):
    """A city; `name` is decoration, a captured one pays no tax while it is `rehabilitating` (SO-R86)."""

    square: Square
    owner: str
    name: str = ""
    rehabilitating: bool = False


class Wonder(NamedTuple):
    """A wonder that was built: `owner` is "" and `square` None once it is destroyed; `builder` counts for culture (SO-174)."""

    name: str
    owner: str
    builder: str
    square: Square | None
    obsolete: bool = False
    destroyed: bool = False

    @property
    def active(self) -> bool:
        """Neither obsolete nor destroyed."""
        return not self.obsolete and not self.destroyed


class War(NamedTuple):
    """Two societies at war since that turn; a war of an earlier turn makes attacks declared ones (SO-R53)."""

    between: tuple[str, str]
    since: int


@dataclass(frozen=True, slots=True)
class Counterattack:
    """`holder` may attack `against`, the owner of the Colosseum, so many times (SO-R65)."""

    holder: str
    against: str
    count: int


class Concession(NamedTuple):
    """A standing concession (SO-R94)."""

    by: str
    to: str


class Victory(NamedTuple):
    """A way in which a society has won."""

    society: str
    kind: VictoryKind


class Past(NamedTuple):
    """The sheets in force in a turn that was resolved, first come first."""

    turn: int
    sheets: tuple[Sheet, ...]


@dataclass(frozen=True)
class Position:
    """Everything there is to know of a game. `given` are the options that were set, `options` all of them.

    `societies` are in sign-up order, eliminated ones too; cities, wonders and the others in any order. `sheets` are the orders
    on file in the running turn, first come first; `missed` the seats whose deadline passed in it. `past` are the sheets of the
    turns before, kept only where they are published at the end (option `reveal_at_end`).
    """

    turn: int
    given: tuple[tuple[str, OptionValue], ...]
    options: GameOptions
    side: int
    societies: tuple[Society, ...]
    cities: tuple[City, ...]
    wonders: tuple[Wonder, ...] = ()
    wars: tuple[War, ...] = ()
    counterattacks: tuple[Counterattack, ...] = ()
    concessions: tuple[Concession, ...] = ()
    nuked: tuple[Square, ...] = ()
    gm_concession: str = ""
    over: bool = False
    winners: tuple[str, ...] = ()
    victories: tuple[Victory, ...] = ()
    sheets: tuple[Sheet, ...] = ()
    missed: tuple[str, ...] = ()
    past: tuple[Past, ...] = ()

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

    def has_active(self, name: str, wonder: str) -> bool:
        """Whether that society owns that wonder and it has its effect."""
        found = self.wonder.get(wonder)
        return found is not None and found.active and found.owner == name

    def adjacent(self, one: str, other: str) -> bool:
        """Whether a city of one shares an edge with a city of the other (SO-R12)."""
        theirs = frozenset(self.territory[other])
        return any(touches(square, theirs, self.side) for square in self.territory[one])

    def distance(self, one: str, other: str) -> int:
        """The fewest steps between a city of one and a city of the other (SO-R44); both must have cities."""
        return min(distance(here, there) for here in self.territory[one] for there in self.territory[other])

    def war_of(self, one: str, other: str) -> War | None:
        """The war between the two, None in peace."""
        return next((war for war in self.wars if {one, other} == set(war.between)), None)

    def at_war(self, one: str, other: str) -> bool:
        """Whether the two are at war."""
        return self.war_of(one, other) is not None


def turn(position: Position) -> int:
    """Number of the turn that will be resolved next."""
    return position.turn


def seats(position: Position) -> tuple[str, ...]:
    """All societies in sign-up order, eliminated ones too."""
    return tuple(society.name for society in position.societies)


def sheets(position: Position) -> tuple[Sheet, ...]:
    """The order sheets on file in this turn, first come first."""
    return position.sheets


def ranked(position: Position, on_file: Iterable[Sheet]) -> tuple[Sheet, ...]:
    """The sheets, first come first; those of the same instant in the order of sign-up (SO-R03)."""
    places = {name: place for place, name in enumerate(position.by_name)}
    return tuple(sorted(on_file, key=lambda sheet: (sheet.arrival, places[sheet.seat])))


def awaiting(position: Position) -> tuple[str, ...]:
    """Societies in the game without orders whose deadline has not passed."""
    if position.over:
        return ()
    done = {*position.missed, *(sheet.seat for sheet in position.sheets)}
    return tuple(society.name for society in position.living if society.name not in done)


def miss(position: Position, seat: str) -> Resolution[Position]:
    """The deadline of a society passed (SO-R97): it is no longer awaited. Nothing changes for one that has sent orders."""
    if seat not in awaiting(position):
        return Resolution(position)
    return Resolution(replace(position, missed=(*position.missed, seat)))


def withdraw(position: Position, seat: str) -> Position:
    """Take the society's sheet back. Raises `Refused` when there is none."""
    if position.over:
        raise Refused("the game is over")
    return replace(position, sheets=withdrawn(INFO.sheets, position.sheets, seat))


_WAYS: Mapping[VictoryKind, str] = {
    "conquest": "by conquest",
    "spaceship": "by a spaceship",
    "cultural": "by its wonders",
    "domination": "because all others have conceded",
}


def outcome(position: Position) -> Outcome | None:
    """None while the game runs, else who won and how (section 10); several may win together (SO-176)."""
    if not position.over:
        return None
    if not position.winners:
        return Outcome((), "The game is over; nobody has won.")
    ways = {name: listing(_WAYS[v.kind] for v in position.victories if v.society == name) for name in position.winners}
    sentences = [f"{name} has won{' ' + way if way else ''}." for name, way in ways.items()]
    return Outcome(position.winners, " ".join(sentences))
