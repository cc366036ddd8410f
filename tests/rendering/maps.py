"""Maps for the tests: what a ruleset's view says of one, and what must hold for every picture."""

import re
import xml.etree.ElementTree as ET
from itertools import pairwise
from random import Random
from typing import Any

from pbmd.rendering.labels import WIDTH
from pbmd.rendering.picture import inline_svg, map_svg
from pbmd.rules import PUBLIC, View
from tests.colours import contrast

SVG = "{http://www.w3.org/2000/svg}"
EVIL = '"><script>alert(1)</script>&x;<image href="http://e.test/x.png"/>'
_TAGS = {*("svg", "title", "desc", "rect", "text", "g", "line", "path", "polygon", "circle", "ellipse")}
_TELEPHONE = 358
"""Pixels that are left of 390 for a picture."""

OWNERS = [
    {"name": "Red", "colour": "#e5383b", "code": "R", "note": "1"},
    {"name": "White", "colour": "#ffffff", "code": "W", "note": "0"},
]


def node(name: str, x: float, y: float, owner: str = "", **more: Any) -> dict[str, Any]:
    """A node; `more` are its other fields."""
    return {"name": name, "x": x, "y": y, "owner": owner, "value": "7", "own": False, "ringed": False, **more}


def chart(*nodes: dict[str, Any], **more: Any) -> dict[str, Any]:
    """The map of these nodes, or of three."""
    return {
        "title": "A map",
        "nodes": list(nodes) or [node("Sol", 0, 0, "Red", own=True), node("Vega", 50, 80, ringed=True), node("Mira", 100, 20)],
        "links": [] if nodes else [["Sol", "Vega"], ["Vega", "Mira"]],
        "owners": OWNERS,
        "legend": {"own": "yours", "ringed": "taken", "free": "independent"},
        "notes": ["Numbers are numbers."],
        **more,
    }


def crowd(count: int, seed: int = 1) -> dict[str, Any]:
    """A map of so many nodes anywhere, with long names, each linked to the next."""
    chance = Random(seed)
    names = [f"{chance.choice(('Groombridge', 'Alpha Centauri', 'Sol', 'Betelgeuse'))} {place}" for place in range(count)]
    nodes = [node(name, chance.uniform(0, 100), chance.uniform(0, 100), chance.choice(("Red", "White", ""))) for name in names]
    return chart(*nodes, links=[[one, other] for one, other in pairwise(names)])


def view_of(data: dict[str, Any] | None) -> View:
    """A view that has this map."""
    return View(PUBLIC, 5, {"map": data} if data is not None else {})


def svg_of(data: dict[str, Any]) -> str:
    """The picture of this map."""
    svg = map_svg(view_of(data))
    assert svg is not None
    return svg


def words(svg: str) -> list[str]:
    """All that is written in it."""
    return [element.text or "" for element in ET.fromstring(svg).iter(f"{SVG}text")]


def told(svg: str) -> str:
    """What it says to those who do not see it."""
    return ET.fromstring(svg).findtext(f"{SVG}desc") or ""


def assert_text_and_nothing_else(svg: str) -> None:
    """Whatever a ruleset says is text: nothing that a program would fetch, follow or run."""
    elements = [*ET.fromstring(svg).iter()]
    assert {element.tag.removeprefix(SVG) for element in elements} <= _TAGS
    names = {name for element in elements for name in element.attrib}
    assert not {name for name in names if name.startswith("on") or "href" in name or name in ("style", "class", "id")}
    assert not any("http" in value for element in elements for name, value in element.attrib.items() if name != "aria-label")
    assert not re.search(r"url\(|<!|<\?", svg)
    assert "<script" not in inline_svg(svg)


def smallest_letters(svg: str) -> float:
    """How large the smallest letters are on a telephone, in pixels."""
    across = float(re.findall(r'<svg [^>]*width="(\d+)"', svg)[0])
    return min(float(size) for size in re.findall(r'font-size="([\d.]+)"', svg)) * _TELEPHONE / max(across, WIDTH)


def faint(svg: str) -> set[str]:
    """The colours of its strokes and signs that do not stand out from paper."""
    used = {*re.findall(r'(?:fill|stroke)="(#[0-9a-f]{6})"', svg)} - {"#ffffff"}
    return {colour for colour in used if contrast(colour, "#ffffff") < 3}
