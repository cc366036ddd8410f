"""Which orders the lines of a letter have, and in which section each stands: headings apply to what is below them (DI-96)."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from pbmd.rules import Line, fold
from pbmd.rules.lines import line_cache

from ..world.board import board
from ..world.state import Kind, Position
from .names import own_words, power_words, without_hyphens, without_powers
from .reading import Heading, Said, Section, Verb, clean, parts_of, read
from .sentences import section_of, without_ok
from .words import Times


class Part(NamedTuple):
    """An order as it is written, and what it says; None for what is no order."""

    text: str
    said: Said | Heading | None


Written = list[tuple[Part, Section]]
"""The orders of a line, each with the section in which it stands."""


MOST_ORDERS = 500
"""Below so many orders in a letter a line is read if it has one only: it can have hundreds."""


def in_sections(position: Position, seat: str, lines: Iterable[Line]) -> list[tuple[Line, Written]]:
    """The lines with orders; headings are applied to them (DI-96). A line that is not read has none."""
    section: Section = ""
    found: list[tuple[Line, Written]] = []
    many = 0
    times, own = times_of(position), own_words(position.options.map, seat)
    for line in lines:
        if (headed := section_of(line.text, own, times)) is not None:
            section = headed
            continue
        written: Written = []
        if many >= MOST_ORDERS and len(parts_of(clean(line.text))) > 1:
            found.append((line, written))
            continue
        here = section
        beside: Part | None = None
        for part in _parts(position, line.text):
            if isinstance(part.said, Heading):
                here = times.section_below(part.said, part.said.words)
                beside = written[-1][0] if written and here == "retreats" else None
                continue
            if beside and (goal := _of_unit(part, beside)):
                written.append((goal, here))
                here, beside = section, None
                continue
            goes_on = _goes_on(written[0][0], part, position.kind) if written else ""
            written.append((part, goes_on or here))
        many += len(written)
        if written:
            found.append((line, written))
        else:
            section = here
    return found


_GOAL_ALONE = ("away", "bare", "disband")


def _of_unit(part: Part, unit: Part) -> Part | None:
    """A goal alone as that of the unit whose order stands before it: ``A Bud H, if dislodged to Ser``. None if it is none."""
    said, of = part.said, unit.said
    if not isinstance(of, Said) or of.unit is None or isinstance(said, Heading):
        return None
    if said is not None and (said.verb not in _GOAL_ALONE or (said.unit is not None and said.unit.kind)):
        return None
    name = f"{of.unit.kind} {of.unit.place.name}".strip()
    texts = [f"{name} {part.text}", f"{name} R {part.text}"]
    found = [Part(text, each) for text in texts if isinstance(each := read(text), Said) and each.verb in ("retreat", "disband")]
    return found[0] if found else Part(texts[1], None)


def times_of(position: Position) -> Times:
    """The phase that orders are for now."""
    return Times(position.phase, position.year, position.turn)


_GO_ON: Mapping[str, tuple[Section, Verb]] = {
    "retreat": ("retreats", "move"),
    "build": ("builds", "bare"),
    "remove": ("removals", "bare"),
    "disband": ("removals", "bare"),
}


def _goes_on(first: Part, part: Part, kind: Kind) -> Section:
    """The section named by a word with more after it in the same line: ``Retreat A Vie - Tyr, F Tri - Alb``; "" if there is
    none."""
    section, verb = _GO_ON.get(first.text.partition(" ")[0].lower(), ("", "hold"))
    return section if isinstance(part.said, Said) and part.said.verb == verb and kind != "retreats" else ""


_IF_DISLODGED = re.compile(
    r"[,;.(]*\s*\b(?:if|when|in case) (?:(?:it|they|this|the unit)(?:'s| is| are| gets| get) )?dislodged\b"
    r"[\s,:-]*(?:then )?(?:(?:it|they)(?:'ll| will| should)? )?(?=\w)(?P<to>[^();,]*)\)?",
    re.IGNORECASE,
)
_IF_UNIT_DISLODGED = re.compile(
    r"[,;.(]*\s*\b(?:if|when|in case) (?:my |the )?(?P<unit>[^\s,;:.]+(?: [^\s,;:.]+){0,3}) (?:is|are|gets|get) dislodged\b"
    r"[\s,:-]*(?:then )?(?:(?:it|they)(?:'ll| will| should)? )?retreats?\b",
    re.IGNORECASE,
)


def _with_headings(text: str) -> str:
    """A line in which what a unit does "if dislodged" stands behind commas, as below a heading."""
    if "dislodged" not in text.casefold():  # nearly always so
        return text
    own = _IF_DISLODGED.sub(r", if dislodged, \g<to>", text)
    return _IF_UNIT_DISLODGED.sub(r", retreat \g<unit>", own).lstrip(" ,")


def _parts(position: Position, text: str) -> Sequence[Part]:
    """The orders in a line. The lines of a step are read several times, and those of a game are much alike."""
    return _read(position.options.map, text)


@line_cache(8192)
def _read(map_name: str, text: str) -> Sequence[Part]:
    written = without_powers(map_name, without_hyphens(board(map_name), clean(_with_headings(without_ok(text)))))
    label, _, rest = (part.strip() for part in written.partition(":"))
    if fold(label) in power_words(map_name):
        written = rest
        label, _, rest = (part.strip() for part in written.partition(":"))
    heading = read(label) if rest else None
    if isinstance(heading, Heading):
        return (Part(label, heading), *(Part(part, read(part)) for part in parts_of(rest)))
    return tuple(Part(part, read(part)) for part in parts_of(written))
