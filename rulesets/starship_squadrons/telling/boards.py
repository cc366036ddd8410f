"""The map of a reader: the jump board, and the boards with something to see, as pbmd draws them.

Counters of the reader's own and of the enemy have different shapes, and letters; colour only helps.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from pbmd.rules.words import listing

from ..world.condition import current
from ..world.counters import Question, Sighting, Unit
from ..world.hexes import Hex
from ..world.sight import Seen
from ..world.state import Position
from ..world.systems import Body, Deploy, Place, System
from .strokes import Strokes

_MOST_HEXES = 640
"""For all boards of a picture together, so that it fits into a mail; the others are only in the tables."""

_BODY_KINDS = (
    ("star", "star", "#b45309", False, "star"),
    ("giant", "ringed", "#9c6b4a", False, "gas giant"),
)
_OWN, _ENEMY, _FREE = "#1d3fa0", "#c2410c", ""
_COUNTER_FILL, _ENEMY_FILL, _MOVED = "#e9f1ff", "#ff9b7d", "#6a7486"

_Mark = tuple[Hex, str, str]
"""What is drawn for counters in a hex: the hex, their kind, and letters."""


@dataclass(frozen=True, slots=True)
class Known:
    """What a reader may know about the counters: `own` in full, `allied` of players who keep to themselves, and the enemy as
    seen.

    `own_name` and `enemy_name` are their names in the legend; `owner` is the side of the own ones, 0 for no side. `happened`
    are the strokes on the boards, and `resolved` the time that they show; with `sensing` the range of the reader's own sensors
    is shown.
    """

    owner: int
    own: Sequence[Unit]
    own_questions: Sequence[Question]
    allied: Mapping[str, Seen] = field(default_factory=dict[str, Seen])
    seen: Mapping[str, Seen] = field(default_factory=dict[str, Seen])
    remembered: Sequence[Sighting] = ()
    own_name: str = "yours"
    enemy_name: str = "enemy"
    happened: Mapping[str, Strokes] = field(default_factory=dict[str, Strokes])
    resolved: str = ""
    sensing: bool = False


def picture(position: Position, known: Known) -> dict[str, Any]:
    """The map, in the shape that `pbmd.rendering.hexes` draws."""
    systems = _wanted(position, known)
    jump_board = _jump_board(position, known)
    there = [jump_board] if _says_anything(jump_board) or not systems else []
    drawn = _fitting(position, known, systems, _MOST_HEXES - sum(map(_hexes, there)))
    boards: list[dict[str, Any]] = [*drawn.values(), *(board | {"inset": bool(drawn)} for board in there)] or [jump_board]
    left = [system.name for system in systems if system.name not in drawn]
    return {
        "title": _title(position, known),
        "caption": "; ".join([f"Drawn: {listing(board['name'] for board in boards)}", *_caption(known)]),
        "boards": boards,
        "kinds": _kinds(known),
        "strokes": _line_kinds(known),
        "legend": {"shaded": "100 diameters", "reach": "your sensors", "burst": "destroyed"},
        "notes": [
            "A number is how many counters stand there, letters begin a name.",
            *([f"Not drawn, for want of room: {listing(left)}."] if left else []),
        ],
    }


_WIDEST = 40


def _title(position: Position, known: Known) -> str:
    if known.resolved:
        return f"{known.resolved}: what happened"
    return f"Before day {position.day}" if position.day else "Set-up"


def _caption(known: Known) -> Iterator[str]:
    """What happened on each board, in a few words."""
    words = {kind["name"]: kind["words"] for kind in _line_kinds(known)}
    for name, strokes in known.happened.items():
        fired = [words[kind] for kind in dict.fromkeys(line[0] for line in strokes.lines) if kind != "moved"]
        lost = [f"losses in {listing(strokes.bursts)}"] if strokes.bursts else []
        if fired or lost:
            yield f"{name}: {listing([*fired, *lost])}"


def _line_kinds(known: Known) -> list[dict[str, Any]]:
    own, enemy = known.own_name, known.enemy_name
    rows = (
        ("fired", _OWN, False, "you fired" if own == "yours" else f"{own} fired"),
        ("fired upon", _ENEMY, True, f"{enemy} fired"),
        ("moved", _MOVED, False, "moved"),
    )
    return [{"name": name, "colour": colour, "broken": broken, "words": words} for name, colour, broken, words in rows]


def _wanted(position: Position, known: Known) -> list[System]:
    """The systems whose boards the reader wants to see: in set-up those where deployment is allowed."""
    in_setup = position.phase == "setup"
    return [system for system in position.systems if (_zones(system, known) if in_setup else _is_of_interest(system, known))]


def _fitting(position: Position, known: Known, systems: Iterable[System], room: int) -> dict[str, dict[str, Any]]:
    """As many of the boards as there is room for, most important first."""
    drawn: dict[str, dict[str, Any]] = {}
    for system in sorted(systems, key=lambda system: -_interest(system, known)):
        board = _board(system, known, setup=position.phase == "setup")
        if _hexes(board) <= room and board["columns"] <= _WIDEST:
            room -= _hexes(board)
            drawn[system.name] = board
    return drawn


def _says_anything(jump_board: Mapping[str, Any]) -> bool:
    """Whether it shows anything beyond systems that belong to nobody."""
    return any(one["counters"] or one["ground"][0] not in ("system", "planet free") for one in jump_board["hexes"])


def _hexes(board: Mapping[str, Any]) -> int:
    return board["columns"] * board["rows"]


def _interest(system: System, known: Known) -> int:
    """How much there is to see on a board: most where both sides are, then where the reader has something."""
    seen = known.seen.get(system.name)
    own = sum(unit.system == system.name for unit in known.own)
    enemies = len(seen.units) + len(seen.questions) if seen else 0
    marks = sum(question.system == system.name for question in known.own_questions)
    fought = system.name in known.happened and bool(known.happened[system.name].bursts)
    return 1000 * (fought or min(own, 1) * min(enemies, 1)) + 20 * own + 10 * enemies + marks


def _zones(system: System, known: Known) -> list[Deploy]:
    """Where the reader may deploy on a board."""
    return [zone for zone in system.deploy if zone.side == known.owner]


def _kinds(known: Known) -> list[dict[str, Any]]:
    own, enemy = known.own_name, known.enemy_name
    rows = (
        *_BODY_KINDS,
        ("planet own", "disc", _OWN, False, f"planet, {own}"),
        ("planet enemy", "ring", _ENEMY, False, f"planet, {enemy}"),
        ("planet free", "disc", _FREE, False, "free planet"),
        ("system", "point", "", False, ""),
        ("zone", "point", "#4e7f13", False, "you may deploy"),
        ("own", "box", _COUNTER_FILL, False, own),
        ("covered", "box", _COUNTER_FILL, True, f'{own}, under "?"'),
        ("decoy", "box", "", True, f'{own}, "?" alone'),
        ("ally", "ring", "#4e7f13", False, "allied"),
        ("seen", "diamond", _ENEMY_FILL, False, enemy),
        ("question", "disc", _ENEMY_FILL, False, f'{enemy}, "?"'),
        ("remembered", "diamond", "", True, f"{enemy}, seen before"),
        ("old question", "disc", "", True, f'{enemy}, "?" seen before'),
    )
    return [
        {"name": name, "shape": shape, "fill": fill, "broken": broken, "words": words}
        for name, shape, fill, broken, words in rows
    ]


# --- The jump board --------------------------------------------------------------------------------------------------------


def _jump_board(position: Position, known: Known) -> dict[str, Any]:
    return {
        "name": "Jump board",
        "note": "",
        "columns": position.jump_size.columns,
        "rows": position.jump_size.rows,
        "shaded": [],
        "hexes": [_system(system, known) for system in position.systems],
    }


def _system(system: System, known: Known) -> dict[str, Any]:
    """A system with how many counters of each kind are on its board; for those who see none, its planets."""
    counters = _totals(system.name, known)
    return {"at": system.hex.text, "label": system.name, "ground": _holder(system, known), "counters": counters}


def _totals(name: str, known: Known) -> list[list[str]]:
    own = sum(unit.system == name for unit in known.own)
    seen = known.seen.get(name)
    counters: list[list[str]] = []
    if own:
        counters.append(["own", str(own)])
    elif any(question.system == name for question in known.own_questions):
        counters.append(["decoy", "?"])
    if seen and seen.units:
        counters.append(["seen", str(len(seen.units))])
    if seen and seen.questions:
        counters.append(["question", "?"])
    return counters


def _holder(system: System, known: Known) -> list[str]:
    """The owner of the system: the only owner in it."""
    kinds = {_planet_kind(body, known) for body in system.bodies if body.kind == "planet"}
    if not kinds:
        return ["system", ""]
    held = kinds - {"planet free"}
    return [held.pop() if len(held) == 1 else "planet free", ""]


def _planet_kind(body: Body, known: Known) -> str:
    if not body.owner:
        return "planet free"
    return "planet own" if body.owner == (known.owner or 1) else "planet enemy"


# --- Boards ----------------------------------------------------------------------------------------------------------------


def _is_of_interest(system: System, known: Known) -> bool:
    """Whether the reader has, sees or remembers any counter on its board, or something happened there."""
    name = system.name
    return (
        name in known.happened
        or any(counter.system == name for counter in (*known.own, *known.own_questions))
        or any(seen.place.system == name for seen in known.remembered)
        or any(name in sights and not sights[name].is_empty for sights in (known.allied, known.seen))
    )


def _board(system: System, known: Known, *, setup: bool = False) -> dict[str, Any]:
    zone, where_to = _zone_of(system, known) if setup else ({}, "")
    grounds = zone | {body.hex: _body(body, known) for body in reversed(system.bodies)}
    counters, strokes = _counters(system.name, known), known.happened.get(system.name, Strokes())
    return {
        "name": system.name,
        "note": f"jump hex {system.hex.text}{where_to}",
        "columns": system.size.columns,
        "rows": system.size.rows,
        "shaded": [where.text for where in _within_limits(system)],
        "hexes": [
            {"at": where.text, "label": "", "ground": grounds.get(where), "counters": counters.get(where, [])[:3]}
            for where in sorted({*grounds, *counters})
        ],
        "lines": [list(line) for line in strokes.lines],
        "bursts": list(strokes.bursts),
        "reach": _reach(system.name, known) if known.sensing else [],
    }


_MOST_SENSORS = 60


def _reach(name: str, known: Known) -> list[list[Any]]:
    """The hexes with the reader's own sensors on a board, each with the longest range there."""
    farthest: dict[Hex, int] = {}
    for unit in known.own:
        if unit.place is not None and unit.system == name:
            farthest[unit.place.hex] = max(farthest.get(unit.place.hex, 0), current(unit).sensor_range)
    return [[where.text, reach] for where, reach in sorted(farthest.items()) if reach][:_MOST_SENSORS]


def _zone_of(system: System, known: Known) -> tuple[dict[Hex, list[str]], str]:
    """Marks for the hexes in which the reader may deploy, if these are not all, and words about it."""
    zones = _zones(system, known)
    if any(zone.first == 1 and zone.last == system.size.columns for zone in zones):
        return {}, "; deploy anywhere here"
    columns = listing(f"{zone.first:02} to {zone.last:02}" for zone in zones)
    inside = (where for where in system.size.hexes if any(zone.first <= where.column <= zone.last for zone in zones))
    return {where: ["zone", ""] for where in inside}, f"; deploy in columns {columns}"


def _within_limits(system: System) -> list[Hex]:
    size = system.size
    if size.columns * size.rows > _MOST_HEXES:
        return []
    return [where for where in size.hexes if system.is_within_limit(where)]


def _body(body: Body, known: Known) -> list[str]:
    if body.kind != "planet":
        return ["star" if body.kind == "star" else "giant", ""]
    return [_planet_kind(body, known), initials(body.name)]


def _counters(name: str, known: Known) -> dict[Hex, list[list[str]]]:
    """The marks in each hex: own, allied, enemy, and remembered enemy counters."""
    marks = chain(
        _own_marks(name, known),
        _sight_marks(name, known.allied, "ally", "ally"),
        _sight_marks(name, known.seen, "seen", "question"),
        _memory_marks(name, known),
    )
    found: dict[Hex, list[list[str]]] = {}
    for where, kind, letters in marks:
        found.setdefault(where, []).append([kind, letters])
    return found


def _own_marks(name: str, known: Known) -> Iterator[_Mark]:
    covers = {question.place.hex for question in known.own_questions if question.place and question.system == name}
    mine = _by_hex(name, known.own, lambda unit: unit.place)
    for where in sorted({*mine, *covers}):
        if where in mine:
            yield where, "covered" if where in covers else "own", _letters(mine[where])
        else:
            yield where, "decoy", "?"


def _sight_marks(name: str, sights: Mapping[str, Seen], unit_kind: str, question_kind: str) -> Iterator[_Mark]:
    if (seen := sights.get(name)) is None:
        return
    for where, units in _by_hex(name, seen.units, lambda unit: unit.place).items():
        yield where, unit_kind, _letters(units)
    for where in seen.questions:
        yield where, question_kind, "?"


def _memory_marks(name: str, known: Known) -> Iterator[_Mark]:
    for where, sightings in _by_hex(name, known.remembered, lambda sighting: sighting.place).items():
        names = [sighting.name for sighting in sightings if sighting.name != "?"]
        yield (where, "remembered", _letters_of(names)) if names else (where, "old question", "?")


def _by_hex(name: str, things: Iterable[Any], place_of: Callable[[Any], Place | None]) -> dict[Hex, list[Any]]:
    found: dict[Hex, list[Any]] = {}
    for thing in things:
        place = place_of(thing)
        if place is not None and place.system == name:
            found.setdefault(place.hex, []).append(thing)
    return found


def _letters(units: Sequence[Unit]) -> str:
    return _letters_of([unit.name for unit in units])


def _letters_of(names: Sequence[str]) -> str:
    return str(len(names)) if len(names) > 1 else initials(names[0])


def initials(name: str) -> str:
    """Two letters for a name: "ID" for "Iron Duke", "Sw" for "Swift"."""
    words = [word for word in name.replace("-", " ").split() if word[0].isalnum()] or [name]
    return words[0][:2] if len(words) == 1 else (words[0][0] + words[-1][0]).upper()
