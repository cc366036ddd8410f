"""What became of a player: losses and gains of the side, each order with the parts that were not carried out, or that it
worked, and what concerns nobody else."""

from collections.abc import Iterable, Sequence

from pbmd.rules import Document, Event
from pbmd.rules.facts import you
from pbmd.rules.words import counted, listing

from ..world.state import Player, Position
from .news import Data, orders, waits_over

_NAMED = 4


def own_turn(position: Position, player: Player, known: Sequence[Event]) -> Document | None:
    """None if nothing was resolved. The absence of orders is reported elsewhere: this only says what the rules then did."""
    days = orders(known, player.name)
    if not days and not any(event.kind in ("setup", "day", "phase") for event in known):
        return None
    headline = [*_set_up(position, player, known, sent=bool(days)), *_fought(known, player.side)]
    moves = [event for event in known if event.kind == "moved" and event.data["player"] == player.name]
    lines = [(line["text"], _result(line, moves)) for day in days for line in day["lines"]]
    renamed = [
        f"{event.data['old']} is now called {event.data['new']}: the name was taken."
        for event in known
        if event.kind == "renamed" and event.data["player"] == player.name
    ]
    return you(" ".join(headline), lines, [*renamed, *waits_over(known, player.name, position.day)])


def _result(line: Data, moves: Sequence[Event]) -> str:
    """The parts of an order that were not carried out, or that it worked; a move that needs more than this day says so."""
    if line["notes"]:
        return "; ".join(line["notes"])
    *first, goal = line["text"].split()
    is_short = any(event.detail.get("left") for event in moves) and goal not in {event.data["end"] for event in moves}
    return "not there yet" if first[:1] == ["MOVE"] and is_short else "carried out"


def _set_up(position: Position, player: Player, known: Sequence[Event], *, sent: bool) -> list[str]:
    """What the rules built for a player who had sent nothing."""
    if sent or not any(event.kind == "setup" for event in known):
        return []
    built = sum(unit.player == player.name and unit.kind != "planet" for unit in position.units)
    return [f"The rules set up your side: {counted(built, 'squadron')}." if built else "The rules set up your side."]


def _fought(known: Sequence[Event], side: int) -> list[str]:
    """What both sides lost and took, and which other units of this one were hit."""
    hits = [data for data in _of(known, "hit") if data["side"] == side]
    fallen = _of(known, "destroyed")
    lost, beaten = _lost(hits, fallen, side), _once(row for row in fallen if row["side"] != side)
    hurt = [name for name in _once(hits) if name not in lost]
    said = [
        (lost, f"Your side lost {_names(lost)}."),
        (beaten, f"The enemy lost {_names(beaten)}."),
        (hurt, f"{_names(hurt)} {'was' if len(hurt) == 1 else 'were'} hit."),
    ]
    return [*(sentence for names, sentence in said if names), *(_taken(data, side) for data in _of(known, "captured"))]


def _of(known: Sequence[Event], kind: str) -> list[Data]:
    return [event.data for event in known if event.kind == kind]


def _lost(hits: Iterable[Data], fallen: Iterable[Data], side: int) -> list[str]:
    """Losses under a "?" are only shown to their owner."""
    return _once([*(hit for hit in hits if hit["destroyed"]), *(row for row in fallen if row["side"] == side)])


def _once(rows: Iterable[Data]) -> list[str]:
    return [*dict.fromkeys(row["name"] for row in rows)]


def _taken(data: Data, side: int) -> str:
    return f"{'Your side' if data['side'] == side else 'The enemy'} took {data['body']}."


def _names(names: Sequence[str]) -> str:
    return listing(names) if len(names) <= _NAMED else counted(len(names), "squadron")
