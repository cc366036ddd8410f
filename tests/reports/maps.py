"""Maps for the tests: what a ruleset's view says of one."""

from itertools import pairwise
from random import Random
from typing import Any

from pbmd.rules import PUBLIC, View

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
