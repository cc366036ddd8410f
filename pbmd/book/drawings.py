"""The drawings of a book: maps as the archive has them, if they are what pbmd draws, and charts of the numbers.

A drawing may be anybody's, if the archive is: one with any other tag or attribute than ours is left out. So it can load
nothing, run nothing, and has no style that would reach beyond it.
"""

import re
import xml.etree.ElementTree as ET

from pbmd.book.clean_text import clean
from pbmd.book.elements import Cell, Picture, Run, Table
from pbmd.rendering.charts import LineChart
from pbmd.rendering.render import environment

LARGEST = 4_000_000
"""Characters of a drawing."""
_SVG = "{http://www.w3.org/2000/svg}"
_ORDER = "paint-order"
_LABEL = "aria-label"
"""What a drawing says in words, names of players among them; a book says it beside the drawing."""
_TAGS = frozenset(
    {"svg", "title", "desc", "g", "rect", "circle", "ellipse", "line", "path", "polygon", "polyline", "text", "tspan"}
)
_ATTRIBUTES = frozenset(
    {"width", "height", "viewBox", "role", "transform", "opacity", "shape-rendering", _ORDER}
    | {"font-family", "font-size", "font-weight", "font-style", "text-anchor", "dominant-baseline"}
    | {"fill", "fill-opacity", "fill-rule", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray"}
    | {"stroke-dashoffset", "stroke-linejoin", "stroke-linecap"}
    | {"x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "r", "rx", "ry", "dx", "dy", "d", "points"}
)
_VALUE = re.compile(r"[\w #%.,;:'()+/-]*", re.ASCII)
_REFERENCE = re.compile(r"url|:\s*/|expression|import", re.IGNORECASE)
_SIDE = re.compile(r"\d{1,5}(\.\d{1,3})?")


def map_picture(svg: str, words: str) -> Picture | None:
    """The map of a step, which is called `words`; None if it is no drawing of ours."""
    root = _read(svg)
    if root is None:
        return None
    told = [clean(each.text or "").strip() for each in root if each.tag in (f"{_SVG}title", f"{_SVG}desc")]
    alt = ". ".join([f"Map, {words}", *(each.rstrip(".") for each in told if each)])
    return Picture(_written(root), f"{alt}. The report has the same in words.")


def _read(svg: str) -> ET.Element | None:
    if len(svg) > LARGEST or "<!" in svg or "<?" in svg:  # a drawing of ours declares nothing
        return None
    try:
        root = ET.fromstring(svg)  # noqa: S314 – without a document type nothing can be expanded
    except ET.ParseError:
        return None
    return root if root.tag == f"{_SVG}svg" and all(map(_is_ours, root.iter())) and _has_sides(root) else None


def _is_ours(element: ET.Element) -> bool:
    tag = element.tag.removeprefix(_SVG)
    return (
        element.tag == _SVG + tag
        and tag in _TAGS
        and element.get(_ORDER, "stroke") == "stroke"
        and all(
            name in _ATTRIBUTES and _VALUE.fullmatch(value) and not _REFERENCE.search(value)
            for name, value in element.attrib.items()
            if (tag, name) != ("svg", _LABEL)
        )
    )


def _has_sides(root: ET.Element) -> bool:
    return all(_SIDE.fullmatch(root.get(side, "")) for side in ("width", "height"))


def _written(root: ET.Element) -> str:
    for element in root.iter():
        element.attrib.pop(_LABEL, None)
        element.tag = element.tag.removeprefix(_SVG)
        if order := element.attrib.pop(_ORDER, ""):  # as an attribute SVG 1.1 does not know it, by which EPUBs are checked
            element.set("style", f"{_ORDER}:{order}")
        element.text, element.tail = clean(element.text or ""), clean(element.tail or "")
    root.set("xmlns", "http://www.w3.org/2000/svg")
    return ET.tostring(root, encoding="unicode")


def chart_picture(chart: LineChart) -> Picture:
    """A chart of one of the numbers."""
    svg = environment().get_template("book/chart.svg.j2").render(chart=chart, clean=clean)
    return Picture(svg, f"Chart: {clean(chart.title)} of each seat by turn. The table below it has the same numbers.")


def chart_table(chart: LineChart) -> Table:
    """The same as a table: a row for each turn."""
    head = (Cell((Run("Turn"),), head=True), *(Cell((Run(clean(line.name)),), head=True, right=True) for line in chart.lines))
    rows = (
        (
            Cell((Run(chart.called(turn)),), head=True),
            *(Cell((Run(chart.value(line, turn)),), right=True) for line in chart.lines),
        )
        for turn in chart.turns
    )
    return Table((head, *rows), 1, f"{clean(chart.title)} of each seat by turn")
