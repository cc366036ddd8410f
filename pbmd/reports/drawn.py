"""Maps as pictures for a mail: what is wanted, and what came of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from pbmd.reports.picture import svg_of, svg_png
from pbmd.rules import View, canonical_json
from pbmd.rules.troubles import place_of


class Wanted(NamedTuple):
    """A map, as canonical JSON, and whether a PNG is wanted beside the SVG. The same map is the same picture, whose it is."""

    map: bytes
    png: bool


@dataclass(frozen=True, slots=True)
class Picture:
    """What was drawn. `svg` is empty and `png` None where it could not be, and then `trouble` says what was wrong with it."""

    svg: str = ""
    png: bytes | None = None
    trouble: str = ""


Pictures = Mapping[Wanted, Picture]


def wanted_of(view: View, *, png: bool) -> Wanted | None:
    """The map of a view; None if it has none."""
    data = view.data.get("map")
    return None if data is None else Wanted(canonical_json(data), png)


def draw(wanted: Wanted) -> Picture:
    """Draw a map; what cannot be drawn raises nothing."""
    svg = ""
    try:
        svg = svg_of(wanted.map)
        return Picture(svg, svg_png(svg) if wanted.png else None)
    except Exception as trouble:
        return Picture(svg, trouble=place_of(trouble))
