"""Whose orders are read, and what they mean to that power."""

from collections.abc import Mapping
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
}  # fmt: skip


class Meant(NamedTuple):
    """An order, and a remark on it, if any; a `note` is only for information."""

    order: Order
    remark: str = ""
    note: str = ""


class Reader(NamedTuple):
    """Whose orders are read, and under which heading they are ("" for none). `about` is the kind of phase that they are about,
    if they do not say so themselves; `there` has all units, and `own` the power's, by their provinces. With `asks`, an error
    about a misspelt name says which ones may be meant. What is `on_file` already is checked less strictly."""

    position: Position
    seat: str
    section: Section
    power: Power
    about: Kind
    there: Mapping[str, Unit]
    own: Mapping[str, Unit]
    asks: bool = True
    on_file: bool = False

    def below(self, section: Section) -> "Reader":
        """The same, for orders below that heading."""
        if section == self.section:
            return self
        return self._replace(section=section, about=_ABOUT[section] if section else self.position.kind)


def reader_of(position: Position, seat: str, *, on_file: bool = False) -> Reader:
    """For orders of that power, below no heading."""
    power = position.by_power[seat]
    there = {province: unit for province, (_, unit) in position.unit_at.items()}
    own = {unit.place[:3]: unit for unit in power.units}
    return Reader(position, seat, "", power, position.kind, there, own, on_file=on_file)


def must_be_moves(reader: Reader) -> None:
    """Raises `Fault` where there are no moves now, or they are not what it is about."""
    if reader.position.kind != "moves" or reader.about != "moves":
        raise Fault(f"that is an order for moves, and now {PHASE_WORDS[reader.about]}")
