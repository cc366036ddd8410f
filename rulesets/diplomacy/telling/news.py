"""What happened in each phase, in words: what became of every order, and why (DI-100)."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from pbmd.rules import Event
from pbmd.rules.words import counted, listing

from ..checking.meaning import PROBLEMS
from ..world.board import Board
from ..world.state import Phase

Data = Mapping[str, Any]
_FINE = ("holds", "moves", "supports", "convoys")


def phase_title(phase: str, year: int) -> str:
    """ "Spring 1901, moves"; "Winter 1901"."""
    season, _, kind = phase.partition(" ")
    return f"{season.capitalize()} {year}{f', {kind}' if kind else ''}"


def news(board: Board, known: Sequence[Event]) -> list[dict[str, Any]]:
    """The phases that were carried out, each with what happened in it: orders by powers, and the rest in sentences."""
    return [_told(board, phase) for phase in _phases(known)]


def _phases(known: Iterable[Event]) -> list[list[Event]]:
    """The events of each phase; the first of them says which it is."""
    found: list[list[Event]] = []
    for event in known:
        if event.kind == "phase":
            found.append([])
        if found:
            found[-1].append(event)
    return found


def _told(board: Board, events: Sequence[Event]) -> dict[str, Any]:
    phase = events[0].data
    moved = moves_in(events)
    stood = _units(moved)
    orders: dict[str, list[dict[str, Any]]] = {}
    for row in moved:
        orders.setdefault(row["power"], []).append(_order(row, stood))
    heading: Phase = phase["phase"]
    return {
        "heading": phase_title(heading, phase["year"]),
        "code": phase["code"],
        "absent": [event.data["power"] for event in events if event.kind == "absent"],
        "powers": [_power(name, orders[name]) for name in board.by_power if name in orders],
        "news": [
            *(_dislodged(row) for row in moved if row.get("dislodged_by")),
            *(say(event.data) for event in events if (say := _SENTENCES.get(event.kind))),
        ],
    }


def moves_in(events: Iterable[Event]) -> list[Data]:
    """What the moves came to, a row for each unit."""
    return [row for event in events if event.kind == "moves" for row in event.data["orders"]]


def _units(moved: Iterable[Data]) -> Mapping[str, str]:
    """The units that had orders, with their powers, by their provinces: "A MUN (Germany)"."""
    return {row["order"][2:5]: f"{_unit(row)} ({row['power']})" for row in moved}


def _unit(row: Data) -> str:
    """The unit that an order is for."""
    return " ".join(row["order"].split()[:2])


def _power(name: str, orders: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Its orders; those that just hold, all together."""
    idle = [order["text"].removesuffix(" H") for order in orders if order["text"].endswith(" H") and order["fine"]]
    busy = [order for order in orders if not (order["text"].endswith(" H") and order["fine"])]
    return {"name": name, "orders": busy, "idle": f"{listing(idle)} {'holds' if len(idle) == 1 else 'hold'}" if idle else ""}


# --- Orders ---------------------------------------------------------------------------------------------------------------


def _order(data: Data, stood: Mapping[str, str]) -> dict[str, Any]:
    """An order, and what became of it."""
    result = data["result"]
    # Who has dislodged it is told behind it.
    by = listing(stood.get(province, province) for province in data["by"] if province != data.get("dislodged_by"))
    words = _RESULTS[result](data, by)
    if data.get("dislodged_by"):
        words = f"{words}; dislodged by {stood.get(data['dislodged_by'], data['dislodged_by'])}"
    return {"text": data["order"], "result": words, "fine": result in _FINE and not data.get("dislodged_by")}


def _disrupted(data: Data, by: str) -> str:
    if data.get("paradox"):
        return "does not move: the convoy would depend on itself"
    return f"does not move: its convoy lost {by}" if by else "does not move: there is no convoy"


_RESULTS: Mapping[str, Callable[[Data, str], str]] = {
    "holds": lambda _data, _by: "holds",
    "moves": lambda _data, _by: "moves",
    "bounces": lambda _data, by: f"bounces with {by}" if by else "bounces",
    "no convoy": _disrupted,
    "supports": lambda _data, _by: "gives support",
    "cut": lambda _data, by: f"support cut by {by}" if by else "support cut",
    "void": lambda data, _by: f"void: {' '.join(data['order'].split()[3:5])} was ordered otherwise",
    "convoys": lambda _data, _by: "convoys",
    "disrupted": lambda _data, by: f"convoy disrupted by {by}" if by else "convoy disrupted",
    "in vain": lambda data, _by: f"in vain: {' '.join(data['order'].split()[3:5])} finds no whole route",
    "unused": lambda data, _by: f"not used: {' '.join(data['order'].split()[3:5])} takes another way",
    "impossible": lambda data, _by: f"holds: {PROBLEMS.get(data.get('problem', ''), 'it cannot be carried out')}",
}


# --- The rest -------------------------------------------------------------------------------------------------------------


def _dislodged(row: Data) -> str:
    words = f"{row['power']}: {_unit(row)} is dislodged by an attack from {row['dislodged_by']}"
    if not row["retreats"]:
        return f"{words} and has nowhere to go: it is disbanded."
    return f"{words} and can retreat to {listing(row['retreats'], 'or')}."


def _disbanded(data: Data) -> str:
    if data["to"] and data["met"]:
        return f"{data['power']}: {data['unit']} meets {listing(data['met'])} in {data['to']}; all of them are disbanded."
    return f"{data['power']}: {data['unit']} is disbanded."


def _removed(data: Data) -> str:
    return f"{data['power']} removes {data['unit']}{'' if data['ordered'] else ', for want of an order'}."


_SENTENCES: Mapping[str, Callable[[Data], str]] = {
    "vote": lambda data: f"{data['power']} votes: {data['vote']}.",
    "retreated": lambda data: f"{data['power']}: {data['unit']} retreats to {data['to']}.",
    "disbanded": _disbanded,
    "built": lambda data: f"{data['power']} builds {data['unit']}.",
    "waived": lambda data: f"{data['power']} leaves {counted(data['builds'], 'build')} unused.",
    "removed": _removed,
}
