"""What happened on the boards in the last day, as lines and bursts on the map: made only from events that the reader may know.

A shot names its target but not its place; the player who was hit is told where, and the player who fired had the target in view
before.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from pbmd.rules import Event

from .news import Data

Line = tuple[str, ...]
"""A kind of line, and the hexes from its beginning to its end."""
_MOST_LINES = 60
_MOST_HEXES = 40
_Names = dict[str, tuple[str, str]]
"""Enemy name → its board and hex."""


@dataclass(frozen=True, slots=True)
class Strokes:
    """What is drawn on a board: lines, shots before moves, and hexes in which something was destroyed."""

    lines: Sequence[Line] = ()
    bursts: Sequence[str] = ()


@dataclass(slots=True)
class _Found:
    """What is found on a board; mappings keep the order."""

    shots: dict[Line, None] = field(default_factory=dict[Line, None])
    moves: dict[Line, frozenset[str]] = field(default_factory=dict[Line, frozenset[str]])
    bursts: dict[str, None] = field(default_factory=dict[str, None])


def happened(known: Sequence[Event], side: int) -> dict[str, Strokes]:
    """The strokes on each board on which something happened, as that side knows it; side 1 for readers who know everything."""
    today = _today(known)
    hits = {_target(event.data, event.data["side"], event.data["name"]): event for event in today if event.kind == "hit"}
    found: dict[str, _Found] = {}
    seen: _Names = {}
    for event in today:
        if event.kind == "view":
            seen = _in_view(event.data)
        elif event.kind == "moved":
            _move(found.setdefault(event.data["system"], _Found()), event)
        elif event.kind == "shot" and (line := _shot(event.data, side, hits, seen)):
            found.setdefault(event.data["system"], _Found()).shots[line] = None
        for board, where in _lost(event, side, seen):
            found.setdefault(board, _Found()).bursts[where] = None
    return {board: _strokes(drawn) for board, drawn in found.items()}


def _today(known: Sequence[Event]) -> list[Event]:
    days = [event.data["day"] for event in known if event.kind in ("day", "phase")]
    return [event for event in known if days and event.data.get("day") == days[-1]]


def _in_view(data: Data) -> _Names:
    return {unit["name"]: (board["system"], unit["hex"]) for board in data["boards"] for unit in board["units"]}


def _shot(data: Data, side: int, hits: Mapping[tuple[str, int, str], Event], seen: _Names) -> Line | None:
    """None if the place of the target is not known, or is the hex of the shooter."""
    own = data["side"] == side
    end = data["at"] or _struck(data, hits, seen if own else {})
    return ("fired" if own else "fired upon", data["from"], end) if end and end != data["from"] else None


def _move(found: _Found, event: Event) -> None:
    """A move, or the continuation of one that some of these counters had begun."""
    start, counters = event.data["start"], frozenset(event.data["counters"])
    path = tuple(event.detail.get("path", (event.data["end"],)))
    for line, goers in found.moves.items():
        if line[-1] == start and counters <= goers and not {*line} & {*path}:
            del found.moves[line]
            found.moves[*line, *path] = counters
            return
    found.moves["moved", start, *path] = counters


def _target(data: Data, side: int, name: str) -> tuple[str, int, str]:
    return data["stage"], side, name


def _struck(shot: Data, hits: Mapping[tuple[str, int, str], Event], seen: _Names) -> str:
    """The hex of the target; "" if it is not known."""
    if hit := hits.get(_target(shot, 3 - shot["side"], shot["target"])):
        return hit.data["place"].rsplit(" ", 1)[1]
    board, where = seen.get(shot["target"], ("", ""))
    return where if board == shot["system"] else ""


def _lost(event: Event, side: int, seen: _Names) -> Iterator[tuple[str, str]]:
    """Where something was destroyed: a board and a hex."""
    if event.kind == "hit" and event.data["destroyed"]:
        board, where = event.data["place"].rsplit(" ", 1)
        yield board, where
    elif event.kind == "destroyed" and event.data["side"] != side and event.data["name"] in seen:
        yield seen[event.data["name"]]


def _strokes(found: _Found) -> Strokes:
    lines = [line for line in (*found.shots, *found.moves) if len(line) <= _MOST_HEXES]
    return Strokes(lines[:_MOST_LINES], [*found.bursts])
