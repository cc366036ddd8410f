"""Drawings that may be anybody's, as those of an archive are: what is let into pages of ours, and what is read off them.

One that declares anything is not read at all. One with any other tag or attribute than those that pbmd draws with is none of
ours; what is left can load nothing, run nothing, and has no style that would reach beyond it.
"""

import re
import xml.etree.ElementTree as ET

LARGEST_SVG = 4_000_000
"""Characters of a drawing."""
SVG = "{http://www.w3.org/2000/svg}"
"""What stands before each tag of a drawing that was read."""
PAINT_ORDER = "paint-order"
LABEL = "aria-label"
"""What a drawing says in words, names of players among them."""
_TAGS = frozenset(
    {"svg", "title", "desc", "g", "rect", "circle", "ellipse", "line", "path", "polygon", "polyline", "text", "tspan"}
)
_ATTRIBUTES = frozenset(
    {"width", "height", "viewBox", "role", "transform", "opacity", "shape-rendering", PAINT_ORDER}
    | {"font-family", "font-size", "font-weight", "font-style", "text-anchor", "dominant-baseline"}
    | {"fill", "fill-opacity", "fill-rule", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray"}
    | {"stroke-dashoffset", "stroke-linejoin", "stroke-linecap"}
    | {"x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "r", "rx", "ry", "dx", "dy", "d", "points"}
)
_VALUE = re.compile(r"[\w #%.,;:'()+/-]*", re.ASCII)
_REFERENCE = re.compile(r"url|:\s*/|expression|import", re.IGNORECASE)
_SIDE = re.compile(r"\d{1,5}(\.\d{1,3})?")


def parsed_svg(svg: str) -> ET.Element | None:
    """The root of a drawing that can be read without harm, whatever it shows; None for any other."""
    if len(svg) > LARGEST_SVG or "<!" in svg or "<?" in svg:  # a drawing of ours declares nothing
        return None
    try:
        return ET.fromstring(svg)  # noqa: S314 – without a document type nothing can be expanded
    except ET.ParseError:
        return None


def own_drawing(svg: str) -> ET.Element | None:
    """The root of a drawing that has nothing in it but what pbmd draws; None for any other."""
    root = parsed_svg(svg)
    if root is None or root.tag != f"{SVG}svg" or not all(map(_is_ours, root.iter())):
        return None
    return root if all(_SIDE.fullmatch(root.get(side, "")) for side in ("width", "height")) else None


def _is_ours(element: ET.Element) -> bool:
    tag = element.tag.removeprefix(SVG)
    return (
        element.tag == SVG + tag
        and tag in _TAGS
        and element.get(PAINT_ORDER, "stroke") == "stroke"
        and all(
            name in _ATTRIBUTES and _VALUE.fullmatch(value) and not _REFERENCE.search(value)
            for name, value in element.attrib.items()
            if (tag, name) != ("svg", LABEL)
        )
    )
