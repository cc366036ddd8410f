"""Orders of battle below a heading: "OOB attack:", and the six weapons on the next line. Six weapons alone are the order of
battle for everything, so a heading above them must not be passed over."""

import re
from collections.abc import Iterable

from pbmd.rules import Line

from ..orders import Order, SetOob, Unclear
from .reading import clean, read

Said = tuple[Line, Order | Unclear]
"""A line and what it says."""
_LABELLED = re.compile(r"\boob\b|\border of battle\b|[:=]|\s-\s", re.IGNORECASE)
_OF_ALL = re.compile(r"(?:(?:my|the) )?(?:oobs?|orders? of battle)\W*", re.IGNORECASE)
"""A heading that says no more than what stands below it."""
_MISSPELT = re.compile(r"(?:oob|order of battle)[\W_]+[lft]+", re.IGNORECASE)
"""A wrong order of battle for everything: it names no situation."""
_UNCLEAR = "it is not clear for what this order of battle is; write that in its line"
_EXAMPLE = "OOB attack: LFTLTF"


def below_headings(said: Iterable[Said]) -> list[Said]:
    """The lines, those with six weapons alone read with the heading right above them, which is no line of its own then. Below
    one that is not understood they are refused, and so is a second line of them."""
    found: list[Said] = []
    is_below = False
    for line, order in said:
        meant = None
        heading = clean(found[-1][0].text) if found and isinstance(found[-1][1], Unclear) else ""
        if isinstance(order, SetOob) and _OF_ALL.fullmatch(heading):
            found[-1] = line, order
        elif is_below and _is_bare(line, order):
            found.append((line, Unclear(_UNCLEAR, _EXAMPLE)))
        elif not heading or _MISSPELT.fullmatch(heading) or not _is_bare(line, order):
            found.append((line, order))
        elif meant := _together(heading, clean(line.text)):
            found[-1] = line, meant
        else:
            found.append((line, Unclear(_UNCLEAR, _EXAMPLE) if _LABELLED.search(heading) else order))
        is_below = bool(meant)
    return found


def _is_bare(line: Line, order: Order | Unclear) -> bool:
    """Whether six weapons stand in a line, and not for what they are."""
    return isinstance(order, SetOob) and order.slot == "default" and not _LABELLED.search(clean(line.text))


def _together(heading: str, weapons: str) -> SetOob | None:
    label = heading.rstrip(":= -")
    read_so = (read(f"{before}{label}: {weapons}") for before in ("", "OOB "))
    return next((order for order in read_so if isinstance(order, SetOob)), None)
