"""Whose orders are read, and what they mean to that power."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from pbmd.rules.checking import Fault

from ..world.commands import Order
from ..world.state import Kind, Position, Power
from ..world.units import Unit
from .reading import Section

PHASE_WORDS: Mapping[Kind, str] = {
    "moves": "the units move",
    "retreats": "units retreat",
    "winter": "it is winter",
    "over": "it is over",
}


_ABOUT: Mapping[Section, Kind] = {
    "moves": "moves", "retreats": "retreats", "builds": "winter", "removals": "winter", "winter": "winter",
    "later": "moves", "doubtful": "moves", "foreign": "moves", "alternative": "moves",
}  # fmt: skip


class Meant(NamedTuple):
    """An order, and a remark on it, if any; a `note` is only for information. `is_goal`: it is a retreat of which only the goal
    is written."""

    order: Order
    remark: str = ""
    note: str = ""
    is_goal: bool = False


@dataclass(slots=True)
class Effort:
    """How much more may be tried to find out what the badly written orders of a letter mean: so many meanings, and so many
    words of which each may be a name. Anybody can write hundreds of lines, each with hundreds of meanings."""

    meanings: int
    words: int

    @property
    def is_spent(self) -> bool:
        """Whether no further order is tried."""
        return self.meanings <= 0 or self.words <= 0


def effort_for(lines: int) -> Effort:
    """For a letter with so many lines: a multiple of what all orders of the largest power take if each is misspelt."""
    return Effort(meanings=min(400 + 200 * lines, 12_000), words=min(300 + 20 * lines, 2_000))


class Reader(NamedTuple):
    """Whose orders are read, and under which heading they are ("" for none). `about` is the kind of phase that they are about,
    if they do not say so themselves; `there` has all units, and `own` the power's, by their provinces. With `asks`, an error
    about a misspelt name says which ones may be meant. What is `on_file` already is checked less strictly. `effort` is
    shared by all lines of a letter."""

    position: Position
    seat: str
    section: Section
    power: Power
    about: Kind
    there: Mapping[str, Unit]
    own: Mapping[str, Unit]
    effort: Effort
    asks: bool = True
    on_file: bool = False

    def below(self, section: Section) -> "Reader":
        """The same, for orders below that heading."""
        if section == self.section:
            return self
        return self._replace(section=section, about=_ABOUT[section] if section else self.position.kind)


def reader_of(position: Position, seat: str, lines: int, *, on_file: bool = False) -> Reader:
    """For so many lines of orders of that power, below no heading."""
    power = position.by_power[seat]
    there = {province: unit for province, (_, unit) in position.unit_at.items()}
    own = {unit.place[:3]: unit for unit in power.units}
    return Reader(position, seat, "", power, position.kind, there, own, effort_for(lines), on_file=on_file)


def must_be_moves(reader: Reader) -> None:
    """Raises `Fault` where there are no moves now, or they are not what it is about."""
    if reader.position.kind != "moves" or reader.about != "moves":
        raise Fault(f"that is an order for moves, and now {PHASE_WORDS[reader.about]}")
