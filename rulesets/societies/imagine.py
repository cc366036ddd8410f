"""The position as one society may imagine it: its view, and what it assumes about the stocks of others.

Made from the view alone. What a view does not show is set by the handbook under PREVIEW: rivals have no more than their map
shows, none of their cities is being rehabilitated, every wonder was built by its owner, and nobody else has conceded or may
strike back.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from pbmd.rules import Document, Line, Options, Refused, View, assumed
from pbmd.rules.options import changed

from .position import CODEC
from .tables import GOVERNMENTS, INFO
from .world.state import Position

_GOVERNMENTS = {government.name: key for key, government in GOVERNMENTS.items()}
_MOST = {"gold": 999_999, "armies": 9999, "spies": 99, "nukes": 999, "sdi": 999}
_WONDER = re.compile(r"(?P<name>.+) \((?P<square>[A-Z]+\d+)(?P<obsolete>, obsolete)?\)")
_RIGHT = re.compile(r"(?P<against>.+?)(?: \((?P<count>\d+) times\))?")


def imagine(view: View, options: Options, lines: Sequence[Line]) -> Position:
    """See the module. Raises `Refused` for a society that is out of the game and for what cannot be assumed."""
    data, own = view.data, view.data["own"]
    if own is None or not own["living"] or data["over"]:
        raise Refused("you are not in the game any more")
    chart = data["chart"]
    said = assumed(lines, [row["name"] for row in chart], own["name"], _MOST)
    document: Document = {
        "ruleset": INFO.slug,
        "turn": view.turn,
        "options": changed(INFO.options, options),
        "map": {"side": len(data["map"]["columns"]), "nuked": _labels(data["nuked"])},
        "society": [_society(row, own, said.get(row["name"], {})) for row in chart],
        "city": [city for row in chart for city in _cities(row, own)],
        "wonder": [wonder for row in chart for wonder in _wonders(row)],
        "war": _wars(chart, view.turn),
        "counterattack": [_right(own["name"], text) for text in own["rights"]],
        "concession": [{"by": own["name"], "to": own["concedes"]}] if own["concedes"] else [],
    }
    gone = {"owner": "", "builder": "", "square": "", "destroyed": True}
    document["wonder"] += [{"name": name, **gone} for name in data["destroyed"]]
    return CODEC.load(document)


def _society(row: Mapping[str, Any], own: Mapping[str, Any], said: Mapping[str, int]) -> Document:
    shown = {column: int(number) for column, _, number in (text.rpartition(" ") for text in row["more"])}
    stock = own["stock"] if row["name"] == own["name"] else {**dict.fromkeys(_MOST, 0), **shown, **said}
    return {
        "name": row["name"],
        "title": row["title"],
        "government": _GOVERNMENTS[row["government"]],
        "tech": row["tech"],
        "spaceship_parts": row["parts"],
        "eliminated_turn": row["eliminated"],
        **{key: stock[key] for key in _MOST},
    }


def _cities(row: Mapping[str, Any], own: Mapping[str, Any]) -> list[Document]:
    mine = row["name"] == own["name"]
    named = dict(text.split(" ", 1) for text in own["names"]) if mine else {}
    rehabilitating = _labels(own["rehabilitating"]) if mine else []
    return [
        {"square": label, "owner": row["name"], "name": named.get(label, ""), "rehabilitating": label in rehabilitating}
        for label in _labels(row["squares"])
    ]


def _wonders(row: Mapping[str, Any]) -> list[Document]:
    found = [match for text in row["wonders"] if (match := _WONDER.fullmatch(text))]
    return [
        {"name": match["name"], "owner": row["name"], "square": match["square"], "obsolete": bool(match["obsolete"])}
        for match in found
    ]


def _wars(chart: Sequence[Mapping[str, Any]], turn: int) -> list[Document]:
    """Each war once; all were declared in an earlier turn."""
    pairs = {tuple(sorted((row["name"], other))) for row in chart for other in row["wars"]}
    return [{"between": list(pair), "since": max(0, turn - 1)} for pair in sorted(pairs)]


def _right(holder: str, text: str) -> Document:
    match = _RIGHT.fullmatch(text)
    assert match is not None, "a right names a society"
    return {"holder": holder, "against": match["against"], "count": int(match["count"] or 1)}


def _labels(text: str) -> list[str]:
    return text.split(", ") if text else []
