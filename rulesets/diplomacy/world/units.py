"""Units, as the judge's notation writes them: ``A PAR``, ``F STP/SC``."""

import re
from typing import Annotated, Literal, NamedTuple

from pbmd.rules.codec import WrittenAs

UnitKind = Literal["A", "F"]

PLACE = r"[A-Z]{3}(?:/[NSEW]C)?"
"""How a place is written: a province, or a coast of one."""
_UNIT = re.compile(rf"([AF]) ({PLACE})")


def province_of(place: str) -> str:
    """The province of a place, which may be a coast: ``STP`` of ``STP/SC``."""
    return place[:3]


class Unit(NamedTuple):
    """An army or a fleet in its place, which is a coast where the province has several and the unit is a fleet."""

    kind: UnitKind
    place: str

    @property
    def province(self) -> str:
        """The province in which it stands."""
        return self.place[:3]

    @property
    def text(self) -> str:
        """As it is written: ``F STP/SC``."""
        return f"{self.kind} {self.place}"


def read_unit(text: str) -> Unit:
    """The unit that is written like this. Raises `ValueError`."""
    found = _UNIT.fullmatch(text)
    if found is None:
        raise ValueError(f'"{text:.20}" is no unit; one is written like "A PAR" or "F STP/SC"')
    return Unit("A" if found[1] == "A" else "F", found[2])


Written = Annotated[Unit, WrittenAs(str, read_unit, lambda unit: unit.text)]
"""A unit that is written in a document as its text."""
