"""What happened in each phase, in words: the result of every order, and why (DI-100)."""

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


def news(board: Board, known: Sequence[Event], seat: str = "") -> list[dict[str, Any]]:
    """The phases that were resolved, each with what happened in it: orders by powers, and the rest in sentences. What concerns
    `seat` is left out: it has a place of its own."""
    told = (_told(board, phase, seat) for phase in phases(known))
    return [phase for phase in told if any(phase[key] for key in ("silent", "powers", "idle", "news"))]


def in_sentences(told: Sequence[Mapping[str, Any]]) -> list[str]:
    """The result of `news`, a sentence for each power and one for everything else."""
    return [
        sentence
        for phase in told
        for sentence in (*phase["news"], *map(_in_a_line, phase["powers"]), phase["idle"], phase["silent"])
    ]


def _in_a_line(power: Mapping[str, Any]) -> str:
    told = [f"{order['text']} {order['result']}" for order in power["orders"]]
    held = [f"{power['holds']} held"] if power["holds"] else []
    return f"{power['name']}: {'; '.join([*told, *held])}."


def phases(known: Iterable[Event]) -> list[list[Event]]:
    """The events of each phase; the first of them says which it is."""
    found: list[list[Event]] = []
    for event in known:
        if event.kind == "phase":
            found.append([])
        if found:
            found[-1].append(event)
    return found


def _told(board: Board, events: Sequence[Event], seat: str) -> dict[str, Any]:
    phase = events[0].data
    moved = moves_in(events)
    heading: Phase = phase["phase"]
    others = [event for event in events if event.data.get("power") != seat or event.kind == "vote"]
    powers = _powers(board, moved, seat)
    return {
        "heading": phase_title(heading, phase["year"]),
        "code": phase["code"],
        "silent": _silent([event.data["power"] for event in others if event.kind == "absent"]),
        "powers": [power for power in powers if power["orders"]],
        "idle": _idle(powers, "All other units held." if seat else "All units held."),
        "news": [*_beaten(moved, seat), *(say(event.data) for event in others if (say := _SENTENCES.get(event.kind)))],
    }


def _powers(board: Board, moved: Sequence[Data], seat: str) -> list[dict[str, Any]]:
    """The powers, except that of the seat, with their orders."""
    stood, orders = units_in(moved), dict[str, list[dict[str, Any]]]()
    for row in moved:
        orders.setdefault(row["power"], []).append(order_told(row, stood))
    return [_power(name, orders[name]) for name in board.by_power if name in orders and name != seat]


def _beaten(moved: Sequence[Data], seat: str) -> list[str]:
    """Which units of others were dislodged."""
    return [_dislodged(row) for row in moved if row.get("dislodged_by") and row["power"] != seat]


def _silent(powers: Sequence[str]) -> str:
    return f"{listing(powers)} sent no orders." if powers else ""


def moves_in(events: Iterable[Event]) -> list[Data]:
    """The results of the moves, a row for each unit."""
    return [row for event in events if event.kind == "moves" for row in event.data["orders"]]


def units_in(moved: Iterable[Data]) -> Mapping[str, str]:
    """The units that had orders, with their powers, by their provinces: "A MUN (Germany)"."""
    return {row["order"][2:5]: f"{unit_of(row)} ({row['power']})" for row in moved}


def unit_of(row: Data) -> str:
    """The unit that an order is for."""
    return " ".join(row["order"].split()[:2])


def _power(name: str, orders: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Its orders; those that just hold the units together in one."""
    holds = [order["text"].removesuffix(" H") for order in orders if order["text"].endswith(" H") and order["fine"]]
    busy = [order for order in orders if not (order["text"].endswith(" H") and order["fine"])]
    return {"name": name, "orders": busy, "holds": ", ".join(holds)}


def _idle(powers: Sequence[Data], if_all: str) -> str:
    """The powers whose units all held."""
    names = [power["name"] for power in powers if not power["orders"]]
    if not names:
        return ""
    return f"All units of {listing(names)} held." if len(names) < len(powers) else if_all


# --- Orders ---------------------------------------------------------------------------------------------------------------


def order_told(data: Data, stood: Mapping[str, str]) -> dict[str, Any]:
    """An order, and what became of it."""
    result = data["result"]
    # The dislodging unit comes after it.
    by = listing(stood.get(province, province) for province in data["by"] if province != data.get("dislodged_by"))
    words = _RESULTS[result](data, by)
    if data.get("dislodged_by"):
        words = f"{words}; dislodged by {stood.get(data['dislodged_by'], data['dislodged_by'])}"
    return {"text": data["order"], "result": words, "fine": result in _FINE and not data.get("dislodged_by")}


def _bounced(data: Data, by: str) -> str:
    if not by:
        return "bounced"
    goal = data["order"].split(" - ")[1][:3]
    return f"bounced: {by} stayed" if [*data["by"]] == [goal] else f"bounced with {by}"


def _disrupted(data: Data, by: str) -> str:
    if data.get("paradox"):
        return "did not move: the convoy would depend on itself"
    return f"did not move: its convoy lost {by}" if by else "did not move: there was no convoy"


_RESULTS: Mapping[str, Callable[[Data, str], str]] = {
    "holds": lambda _data, _by: "held",
    "moves": lambda _data, _by: "moved",
    "bounces": _bounced,
    "no convoy": _disrupted,
    "supports": lambda _data, _by: "supported",
    "cut": lambda _data, by: f"support cut by {by}" if by else "support cut",
    "void": lambda data, _by: f"void: {' '.join(data['order'].split()[3:5])} was ordered otherwise",
    "convoys": lambda _data, _by: "convoyed",
    "disrupted": lambda _data, by: f"convoy disrupted by {by}" if by else "convoy disrupted",
    "in vain": lambda data, _by: f"in vain: {' '.join(data['order'].split()[3:5])} found no whole route",
    "unused": lambda data, _by: f"not used: {' '.join(data['order'].split()[3:5])} took another way",
    "impossible": lambda data, _by: f"held: {PROBLEMS.get(data.get('problem', ''), 'that could not be done')}",
}


# --- The rest -------------------------------------------------------------------------------------------------------------


def _dislodged(row: Data) -> str:
    words = f"{row['power']}: {unit_of(row)} was dislodged by an attack from {row['dislodged_by']}"
    if not row["retreats"]:
        return f"{words}, had nowhere to go and was disbanded."
    return f"{words} and can retreat to {listing(row['retreats'], 'or')}."


def _disbanded(data: Data) -> str:
    if data["to"] and data["met"]:
        return f"{data['power']}: {data['unit']} met {listing(data['met'])} in {data['to']}; all of them were disbanded."
    return f"{data['power']}: {data['unit']} was disbanded."


def _removed(data: Data) -> str:
    return f"{data['power']} removed {data['unit']}{'' if data['ordered'] else ', for want of an order'}."


_SENTENCES: Mapping[str, Callable[[Data], str]] = {
    "vote": lambda data: f"{data['power']} voted: {data['vote']}.",
    "retreated": lambda data: f"{data['power']}: {data['unit']} retreated to {data['to']}.",
    "disbanded": _disbanded,
    "built": lambda data: f"{data['power']} built {data['unit']}.",
    "waived": lambda data: f"{data['power']} left {counted(data['builds'], 'build')} unused.",
    "removed": _removed,
}
