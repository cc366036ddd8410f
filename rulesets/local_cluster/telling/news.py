"""What happened, in sentences: made only from events that the reader may know."""

from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from typing import Any

from pbmd.rules import Event
from pbmd.rules.words import listing

from .sentences import MERGED, REASONS, SENTENCES, Data, coin_side

Block = dict[str, Any]
"""A sentence, or a battle with its rounds: `text`, `rounds`."""


def told(event: Event) -> Data:
    """Everything that a reader may know about an event, by name."""
    return {**event.data, **event.detail}


def sections(known: Sequence[Event]) -> list[dict[str, Any]]:
    """One section for each move, skip and end of a Turn, in order: `kind`, `state` and `turn` of the nation concerned (no
    nation for the end of a Turn), `title`, `parts`, each with a `label` and `blocks`, and `quiet`, the words for a section
    without parts. What happened between the moves has sections of its own."""
    found: list[tuple[str, list[Event]]] = []
    for event in known:
        if event.kind in _TITLES:
            found.append((_TITLES[event.kind](event.data), [event]))
        elif event.kind == "move_ended":
            found.append(("", []))
        elif found:
            found[-1][1].append(event)
        else:
            found.append(("", [event]))
    made = (_section(title, events) for title, events in found)
    return [section for section in made if section["kind"] or section["parts"]]


def _section(title: str, events: Sequence[Event]) -> dict[str, Any]:
    first = events[0] if title else None
    return {
        "kind": first.kind if first else "",
        "state": first.data.get("state", "") if first else "",
        "turn": first.data["turn"] if first else 0,
        "title": title or "Between the moves",
        "parts": _parts(events),
        "quiet": _QUIET.get(first.kind, "") if first else "",
    }


def in_sentences(told_in: Sequence[Mapping[str, Any]]) -> list[str]:
    """The same, in sentences that say in whose move it was; what a move cost and earned is left out."""
    return [
        f"{section['title']}: {block['text']}"
        for section in told_in
        for part in section["parts"]
        if part["label"] != "Credits"
        for block in part["blocks"]
    ]


def failures(known: Sequence[Event]) -> list[dict[str, str]]:
    """The lines of the reader that failed, in order: `line`, `unit`, `reason`."""
    failed = [event.data for event in known if event.kind == "order_failed"]
    refusals = iter([event.data for event in known if event.kind == "npc_refused"])
    rows: list[dict[str, str]] = []
    for data in failed:
        words = REASONS[data["reason"]]
        if data["reason"] == "npc_refused" and (refusal := next(refusals, None)):
            words = f"{refusal['to']} tossed a coin ({coin_side(refusal['coin'])}) and refused"
        rows.append({"line": data["line"], "unit": data["unit"], "reason": words})
    return rows


# --- Sections ----------------------------------------------------------------------------------------------------------


def _skipped(data: Data) -> str:
    return f"Turn {data['turn']}, {data['state']}: skipped"


_TITLES: dict[str, Callable[[Data], str]] = {
    "move_begun": lambda data: f"Turn {data['turn']}, {data['state']}",
    "skipped": _skipped,
    "turn_ended": lambda data: f"The end of Turn {data['turn']}",
}

_QUIET = {"move_begun": "Nothing was done.", "turn_ended": "Nothing was rebuilt."}

_PARTS = {
    "Credits": ("income", "upkeep", "disbanded"),
    "Diplomacy": (
        *("offer_made", "offer_declined", "offer_withdrawn", "offer_lapsed", "agreed"),
        *("war_declared", "treaty_ended", "gift", "proclaimed"),
    ),
    "Movements": ("boarded", "moved", "landed"),
    "Battles": ("fleet_round", "bombarded", "army_round"),
    "Research and building": ("researched", "built", "developed", "redeveloped", "capital_moved", "npc_built"),
    "Changes": ("planet_taken", "eliminated", "evicted", "surrendered", "became_npc", "skipped", "game_over"),
}
_LABEL = {kind: label for label, kinds in _PARTS.items() for kind in kinds}


def _parts(events: Sequence[Event]) -> list[dict[str, Any]]:
    """The events under labels, in order."""
    shown = [event for event in events if event.kind in _LABEL]
    parts: list[dict[str, Any]] = []
    for label, run in groupby(shown, key=_label):
        blocks = _blocks(list(run))
        if blocks and parts and parts[-1]["label"] == label:
            parts[-1]["blocks"] += blocks
        elif blocks:
            parts.append({"label": label, "blocks": blocks})
    return parts


def _label(event: Event) -> str:
    return "Battles" if event.data.get("contested") else _LABEL[event.kind]


def _blocks(events: Sequence[Event]) -> list[Block]:
    blocks: list[Block] = []
    for (kind, _), run in groupby(events, key=lambda event: (event.kind, _together(event))):
        datas = [told(event) for event in run]
        if kind in ("fleet_round", "army_round"):
            blocks.append(_battle(kind, datas))
        elif kind in MERGED:
            blocks.append({"text": MERGED[kind](datas), "rounds": []})
        else:
            blocks += [{"text": line, "rounds": []} for data in datas for line in SENTENCES[kind](data)]
    return blocks


def _together(event: Event) -> tuple[Any, ...]:
    """What consecutive events of a kind must have in common to share a sentence."""
    data = told(event)
    keys = {
        "moved": ("from", "to", "portal"),
        "boarded": ("planet",),
        "landed": ("planet", "contested"),
        "built": ("planet", "cost"),
        "fleet_round": ("planet",),
        "army_round": ("planet",),
    }
    return tuple(data.get(key) for key in keys.get(event.kind, ()))


# --- Battles -----------------------------------------------------------------------------------------------------------


def _battle(kind: str, rounds: Sequence[Data]) -> Block:
    first = rounds[0]
    defenders = listing(dict.fromkeys(roll["state"] for roll in first["rolls"] if not roll["attacks"]))
    what = "Fleet battle at" if kind == "fleet_round" else "Army battle on"
    return {
        "text": f"{what} {first['planet']}: {first['state']} against {defenders}",
        "rounds": [
            {
                "number": data["round"],
                "attack": _rolls(data, attacks=True),
                "defense": _rolls(data, attacks=False),
                "result": _result(data),
            }
            for data in rounds
        ],
    }


def _rolls(data: Data, *, attacks: bool) -> str:
    """ "F33 9+1=10, F34 3+1=4"; without a modifier only the die."""
    return ", ".join(_roll(roll) for roll in data["rolls"] if roll["attacks"] == attacks)


def _roll(roll: Data) -> str:
    sum_up = f"{roll['die']:d}{roll['modifier']:+d}={roll['total']:d}" if roll["modifier"] else f"{roll['die']:d}"
    return f"{roll['unit']} {sum_up}"


def _result(data: Data) -> str:
    tie = "tie, " if data["tie"] else ""
    cargo = f" with {listing(data['cargo'])}" if data["cargo"] else ""
    if not data["withdrew"]:
        return f"{tie}{data['unit']} destroyed{cargo}"
    if data["to"] == data["planet"]:
        return f"{tie}{data['unit']} withdraws and stays apart"
    return f"{tie}{data['unit']} withdraws to {data['to']}{cargo}"
