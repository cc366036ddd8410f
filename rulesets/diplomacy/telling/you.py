"""What became of a power: each of its orders with the result, and first of all the units that were dislodged (DI-100)."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from pbmd.rules import Document, Event
from pbmd.rules.facts import you
from pbmd.rules.words import counted, listing

from .news import Data, moves_in, order_told, phases, unit_of, units_in


def own_turn(known: Sequence[Event], seat: str) -> Document | None:
    """None if nothing became of it. The absence of orders is reported elsewhere: this only says what its units then did."""
    headlines, orders = list[str](), list[tuple[str, str]]()
    for events in phases(known):
        told, rest = _phase(events, seat)
        headlines += told
        orders += rest
    return you(" ".join(headlines), orders) if headlines or orders else None


def _phase(events: Sequence[Event], seat: str) -> tuple[list[str], list[tuple[str, str]]]:
    moved = moves_in(events)
    rows = [row for row in moved if row["power"] == seat]
    own = [event for event in events if event.data.get("power") == seat]
    if any(event.kind == "absent" for event in own) and _all_held(rows):
        return [f"Your {'units' if len(rows) > 1 else 'unit'} held: {listing(map(unit_of, rows))}."], []
    stood = units_in(moved)
    told = [(order["text"], order["result"]) for order in (order_told(row, stood) for row in rows)]
    return _dislodged(rows), [*told, *(say(event.data) for event in own if (say := _RESULTS.get(event.kind)))]


def _all_held(rows: Sequence[Data]) -> bool:
    """Whether there are units, and nothing happened to any."""
    return bool(rows) and all(row["result"] == "holds" and not row.get("dislodged_by") for row in rows)


def _dislodged(rows: Iterable[Data]) -> list[str]:
    beaten = [row for row in rows if row.get("dislodged_by")]
    stuck = [unit_of(row) for row in beaten if not row["retreats"]]
    found = []
    if beaten:
        found.append(f"{listing(map(unit_of, beaten))} {'was' if len(beaten) == 1 else 'were'} dislodged.")
    if stuck:
        found.append(f"{listing(stuck)} had nowhere to go and {'was' if len(stuck) == 1 else 'were'} disbanded.")
    return found


def _disbanded(data: Data) -> tuple[str, str]:
    if data["to"] and data["met"]:
        return data["unit"], f"met {listing(data['met'])} in {data['to']}: disbanded"
    return data["unit"], "disbanded"


_RESULTS: Mapping[str, Callable[[Data], tuple[str, str]]] = {
    "retreated": lambda data: (data["unit"], f"retreated to {data['to']}"),
    "disbanded": _disbanded,
    "built": lambda data: (data["unit"], "built"),
    "waived": lambda data: (counted(data["builds"], "build"), "not used"),
    "removed": lambda data: (data["unit"], "removed" if data["ordered"] else "removed by the rules"),
}
