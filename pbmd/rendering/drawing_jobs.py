"""Maps as pictures for a mail: what is wanted, and what came of it. What draws them (`pbmd.rendering.picture`) is loaded by the
first that is drawn: every desk knows of pictures, and most commands show none."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from pbmd.rules import View
from pbmd.rules.troubles import place_of


class Wanted(NamedTuple):
    """A map, as canonical JSON, and whether a PNG is wanted beside the SVG. The same map is the same picture, whose it is. With
    `svg` it was drawn before, and no map is needed. A drawing of at most `room` bytes goes as it is, and no PNG is made."""

    map: bytes
    png: bool
    svg: str = ""
    room: int = 0


@dataclass(frozen=True, slots=True)
class Picture:
    """What was drawn. `svg` is empty and `png` None where it could not be; then `trouble` is the place where it went wrong, and
    `problem` the words about it, which may tell secrets."""

    svg: str = ""
    png: bytes | None = None
    trouble: str = ""
    problem: str = ""


Pictures = Mapping[Wanted, Picture]


def wanted_of(view: View, *, png: bool, room: int = 0) -> Wanted | None:
    """The map of a view; None if it has none. Raises `MapError` for one that is no JSON."""
    from pbmd.rendering.picture import written_map  # see the module

    written = written_map(view)
    return None if written is None else Wanted(written, png, room=room)


def draw(wanted: Wanted) -> Picture:
    """Draw a map; what cannot be drawn raises nothing."""
    from pbmd.rendering.picture import svg_of, svg_png  # see the module

    svg = wanted.svg
    try:
        svg = svg or svg_of(wanted.map)
        return Picture(svg, svg_png(svg) if wanted.png and len(svg.encode()) > wanted.room else None)
    except Exception as trouble:
        return Picture(svg, trouble=place_of(trouble), problem=str(trouble))
