"""The colours of seats on the maps of an archive, read from the legends of the maps, so that charts beside them use the
same."""

import re
from collections.abc import Iterable

from pbmd.rendering.foreign_svg import SVG, parsed_svg

_COLOUR = re.compile(r"#[0-9a-f]{6}")
_TEXT = f"{SVG}text"
_DISC = (f"{SVG}circle", f"{SVG}rect")


def colours_on(svg: str, seats: Iterable[str]) -> dict[str, str]:
    """Seat → "#rrggbb", for those in the legend of a map; none if it is not one of pbmd's maps."""
    drawn = parsed_svg(svg)
    if drawn is None:
        return {}
    # The longest first: one name may be the beginning of another.
    names, found, colour = sorted(seats, key=len, reverse=True), dict[str, str](), ""
    for each in drawn:  # the legend is not inside a group
        if each.tag in _DISC:
            colour = each.get("fill", "") if _COLOUR.fullmatch(each.get("fill", "")) else colour
        elif each.tag != _TEXT:
            colour = ""
        elif each.get("font-weight") != "bold":  # bold are the letters on the disc
            name = next((name for name in names if colour and f"{each.text} ".startswith(f"{name} ")), "")
            found |= {name: colour} if name else {}
            colour = ""
    return found
