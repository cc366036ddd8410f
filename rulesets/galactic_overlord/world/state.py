"""The state of a game between inputs."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, NamedTuple

from pbmd.rules import OptionValue, Sheet, fold

from ..tables import GameOptions

Stack = tuple[int, int]
"""Ships that are alike: their number (see `tables.STATES`), and how many there are."""


class Player(NamedTuple):
    """A faction. `original_ships` is 0 unless it is an independent fleet; `ships` are in canonical order."""

    name: str
    alive: bool
    bp: int
    generators: int
    spies: int
    counter_espionage: int
    original_ships: int
    ships: tuple[Stack, ...]


class Base(NamedTuple):
    """A base; `acquired` is the running number of its last change of hands."""

    name: str
    owner: str
    builder: str
    acquired: int

    @property
    def is_home(self) -> bool:
        """Held by its builder (GO-R04)."""
        return self.owner == self.builder


@dataclass(frozen=True, slots=True)
class Position:
    """Everything there is to know of a game. `given` are the options that were set, `options` all of them.

    `sheets` are the orders on file in the running step, first come first; `missed` are the seats whose deadline passed.
    `past` are the sheets of the turns before, kept only where they are published at the end (option `reveal_at_end`).
    """

    turn: int
    status: Literal["running", "finished"]
    winner: str
    given: tuple[tuple[str, OptionValue], ...]
    options: GameOptions
    players: tuple[Player, ...]
    bases: tuple[Base, ...]
    sheets: tuple[Sheet, ...] = ()
    missed: tuple[str, ...] = ()
    past: tuple[tuple[int, tuple[Sheet, ...]], ...] = ()

    @property
    def first_turn(self) -> int:
        """Number of the turn that the game began with."""
        return 0 if self.options.turn_zero else 1

    def player(self, name: str) -> Player | None:
        """The faction of exactly that name."""
        return next((player for player in self.players if player.name == name), None)

    def home_bases(self, name: str) -> int:
        """How many home bases the faction holds."""
        return sum(base.owner == name == base.builder for base in self.bases)


# --- Names -------------------------------------------------------------------------------------------------------------

RESERVED = ("with", "to", "vs", "versus", "against", "allied", "and", "named", "except", "all")
"""Words that orders are taken apart at: no name may have one as a word of its own."""

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
    """What is improper about the name of a faction, "" if nothing: reports are kept by it, one of them for the public."""
    return name_problem(name) or ("reports for everybody go by this name" if fold(name) == "public" else "")


def stacked(ships: Iterable[Stack]) -> tuple[Stack, ...]:
    """Ships in canonical order (weapon, hull, damage), those alike in one stack."""
    counts: dict[int, int] = {}
    for alike, count in ships:
        counts[alike] = counts.get(alike, 0) + count
    return tuple(sorted(counts.items()))
