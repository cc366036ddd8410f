"""The state of a game between inputs. Its fields are those of the position document (section 4 of the rules)."""

import re
from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain, count
from operator import attrgetter
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import AfterValidator, Field, PlainSerializer

from pbmd.rules import PositionError, fold
from pbmd.rules.codec import AllSheets, Given, Names, Sheets, WrittenAs, is_empty, options_field, row
from pbmd.rules.documents import Count, Positive

from ..tables import (
    CLASSES,
    DAMAGE_OF,
    HULL_PLACE,
    HULLS,
    INFO,
    KIND_OF,
    QUARTERS,
    STATES,
    WEAPON_PLACE,
    WEAPONS,
    GameOptions,
    game_options,
    kind_of,
    number,
)

# --- Ships -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Ships:
    hull: str
    weapon: str
    count: Positive
    damage: Annotated[float, Field(ge=0, allow_inf_nan=False), PlainSerializer(lambda damage: damage or 0)] = 0


def _read_ships(written: _Ships) -> tuple[int, int]:
    for column, word, names in (("hull", written.hull, HULL_PLACE), ("weapon", written.weapon, WEAPON_PLACE)):
        if word not in names:
            raise PositionError(column, f'there is no {column} "{word}"; there are {", ".join(names)}')
    ship = CLASSES[kind_of(written.weapon, written.hull)]
    quarters = written.damage * QUARTERS
    if quarters >= ship.hit_points:
        most = number(ship.hit_points)
        raise PositionError("damage", f"{written.damage:g} is not below {most}, the hit points of a {ship.name}")
    if quarters != int(quarters):
        raise PositionError("damage", f"{written.damage} is not a multiple of 0.25")
    return ship.kind * STATES + int(quarters), written.count


def _write_ships(stack: tuple[int, int]) -> _Ships:
    alike, count = stack
    ship = CLASSES[KIND_OF[alike]]
    return _Ships(HULLS[ship.hull].name, WEAPONS[ship.weapon].name, count, DAMAGE_OF[alike] / QUARTERS)


def stacked(ships: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Ships in canonical order (weapon, hull, damage), identical ones in one stack."""
    counts: dict[int, int] = {}
    for alike, more in ships:
        counts[alike] = counts.get(alike, 0) + more
    return tuple(sorted(counts.items()))


Stack = Annotated[tuple[int, int], WrittenAs(_Ships, _read_ships, _write_ships)]
"""Identical ships: their number (see `tables.STATES`), and how many there are."""

# --- Positions ---------------------------------------------------------------------------------------------------------


@row
class Player(NamedTuple):
    """A faction. `original_ships` is 0 unless it is an independent fleet; `ships` are in canonical order."""

    name: str
    alive: Annotated[bool, Field(default=True)]
    bp: Count
    generators: Count
    spies: Count
    counter_espionage: Count
    original_ships: Count = 0
    ships: Annotated[tuple[Stack, ...], AfterValidator(stacked)] = ()


STOCKS = ("bp", "generators", "spies", "counter_espionage", "original_ships")
"""The fields of a player that are numbers, in their order."""
stocks_of: Callable[[Any], tuple[int, int, int, int, int]] = attrgetter(*STOCKS)
"""The numbers of a player, or of a `Faction`."""


@row
class Base(NamedTuple):
    """A base; `acquired` is the running number of its last change of hands."""

    name: str
    owner: str
    builder: str
    acquired: Positive

    @property
    def is_home(self) -> bool:
        """Held by its builder (GO-R04)."""
        return self.owner == self.builder


@row
class PastTurn(NamedTuple):
    """The sheets of a past turn."""

    turn: Count
    sheets: AllSheets


@dataclass(frozen=True, slots=True)
class Position:
    """Everything there is to know about a game. `given` are the options that were chosen.

    `sheets` are the orders on file in the running step, first come first; `missed` are the seats whose deadline passed. `past`
    are the sheets of earlier turns that are stored nowhere else: only old documents have it.
    """

    turn: Count
    status: Literal["running", "finished"]
    winner: str
    given: Annotated[Given, options_field(INFO, game_options), Field(alias="options")] = field(default=(), kw_only=True)
    players: Annotated[tuple[Player, ...], Field(min_length=1)]
    bases: tuple[Base, ...]
    sheets: Sheets = ()
    missed: Names = ()
    past: Annotated[tuple[PastTurn, ...], Field(exclude_if=is_empty)] = ()

    @property
    def options(self) -> GameOptions:
        """All options of the game."""
        return game_options(self.given)

    def player(self, name: str) -> Player | None:
        """The faction with exactly that name."""
        return next((player for player in self.players if player.name == name), None)

    def home_bases(self, name: str) -> int:
        """How many home bases the faction holds."""
        return sum(base.owner == name == base.builder for base in self.bases)


# --- Names -------------------------------------------------------------------------------------------------------------

RESERVED = ("with", "to", "vs", "versus", "against", "allied", "and", "named", "except", "all")
"""Words at which orders are split: no name may have one as a word of its own."""

NAME_LENGTH = 30
AUTOMATIC_NAME_LENGTH = 60
_LETTERS = re.compile(r"[.'-]*[^\W_](?:[^\W_]|[ .'-])*")


def name_problem(name: str, longest: int = NAME_LENGTH) -> str:
    """What is improper about the name of a faction or base, "" if nothing (section 5)."""
    if not name:
        return "the name is empty"
    if len(name) > longest:
        return f"the name has {len(name)} characters; {longest} is the most"
    if not _LETTERS.fullmatch(name) or "  " in name or name.endswith(" "):
        return "a name has letters, digits, single blanks, hyphens, apostrophes and full stops, and not only marks"
    if reserved := [word for word in fold(name).split() if word in RESERVED]:
        return f'the word "{reserved[0]}" is used in orders and cannot be part of a name'
    return ""


def faction_name_problem(name: str) -> str:
    """What is improper about the name of a faction, "" if nothing: reports are filed under it, one of them for the public."""
    return name_problem(name) or ("reports for everybody go by this name" if fold(name) == "public" else "")


_STARS = ("Rigel", "Vega", "Mira", "Spica", "Kraz", "Atria", "St. Elmo", "Port-Royal", "O'Neill", "New Terra")


def free_names(taken: Container[str]) -> Iterator[str]:
    """Names for bases without end, except taken ones, which are folded."""
    names = chain(_STARS, (f"{star} {lap}" for lap in count(2) for star in _STARS))
    return (name for name in names if fold(name) not in taken)


def automatic_name(faction: str, built_ever: int, taken: set[str]) -> str:
    """ "<faction> Base <n>", the first free one from n = 1 + the bases that the faction built (GO-R13)."""
    place = built_ever + 1
    while fold(name := f"{faction} Base {place}") in taken:
        place += 1
    return name
