"""What became of the reader's nation: what others did to it, and which lines of its move failed (LC-R102)."""

from collections.abc import Callable, Mapping, Sequence

from pbmd.rules import Document, Event
from pbmd.rules.facts import you
from pbmd.rules.words import counted

from ..orders import TREATY_WORDS, Treaty
from ..position import movers
from ..world.state import Position, State
from .news import failures, told
from .sentences import Data


def own_turn(position: Position, own: State | None, known: Sequence[Event], seat: str) -> Document | None:
    """For a seat that is in the game, or has just left it. The absence of a move is reported elsewhere: this only says what the
    rules then did."""
    facts = [(event.kind, told(event)) for event in known]
    if own is None and not any(kind in _ENDS and data["state"] == seat for kind, data in facts):
        return None
    happened = [*_said(_GRAVE, facts, seat), *_said(_ENDS, facts, seat)]
    skips = [_skipped(position, own, facts)] if own and own.skips else []
    failed = [
        (f"{row['line']} ({row['unit']})" if row["unit"] else row["line"], f"failed: {row['reason']}")
        for row in (failures(known) if own else ())
    ]
    return you(" ".join(each for each in (*skips, *happened) if each), failed, _said(_REST, facts, seat))


def _skipped(position: Position, own: State, facts: Sequence[tuple[str, Data]]) -> str:
    """What another skip would do: right after a skip, which is reported elsewhere, and again before the next move; "" at other
    times."""
    if any(kind == "skipped" and data["state"] == own.name for kind, data in facts):
        said = "If you are skipped"
    elif own.name in movers(position):
        said = "Your last move was skipped. If it happens"
    else:
        return ""
    left = position.options.skips_to_npc - own.skips
    again = "again" if left == 1 else f"{left} more times in a row"
    return f"{said} {again}, your nation is run by the game, as an NPC empire."


def _said(of: "Sayings", facts: Sequence[tuple[str, Data]], seat: str) -> list[str]:
    """Each sentence once: a battle has many rounds."""
    found = (say(data, seat) for kind, data in facts if (say := of.get(kind)))
    return [*dict.fromkeys(each for each in found if each)]


def _taken(data: Data, seat: str) -> str:
    if data["to"] == seat:
        return f"You took {data['planet']}."
    return f"{data['to']} took {data['planet']} from you." if data["from"] == seat else ""


def _fought(data: Data, seat: str) -> str:
    if data["state"] != seat and any(roll["state"] == seat and not roll["attacks"] for roll in data["rolls"]):
        return f"{data['state']} attacked you at {data['planet']}."
    return ""


def _agreed(data: Data, seat: str) -> str:
    if seat not in data["between"]:
        return ""
    other = next(name for name in data["between"] if name != seat)
    return f"You and {other} agreed on {_a(data['treaty'])}."


def _a(treaty: Treaty) -> str:
    return TREATY_WORDS[treaty] if treaty == "peace" else f"a {TREATY_WORDS[treaty]}"


Sayings = Mapping[str, Callable[[Data, str], str]]
"""What an event means to a seat, in a sentence; "" for nothing."""

_GRAVE: Sayings = {
    "war_declared": lambda data, seat: f"{data['state']} declared war on you." if data["on"] == seat else "",
    "fleet_round": _fought,
    "army_round": _fought,
    "planet_taken": _taken,
}
_ENDS: Sayings = {
    "became_npc": lambda data, seat: (
        "You were skipped too often: your nation is run by the game now, as an NPC empire." if data["state"] == seat else ""
    ),
    "eliminated": lambda data, seat: "You have no planet left and are out of the game." if data["state"] == seat else "",
}
_REST: Sayings = {
    "treaty_ended": lambda data, seat: (
        f"{data['state']} ended the {TREATY_WORDS[data['treaty']]} with you." if data["with"] == seat else ""
    ),
    "gift": lambda data, seat: f"{data['state']} gave you {counted(data['credits'], 'credit')}." if data["to"] == seat else "",
    "agreed": _agreed,
}
