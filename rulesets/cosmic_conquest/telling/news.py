"""What happened in a turn, in sentences: made only from events that the reader may know."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pbmd.rules import Event
from pbmd.rules.words import counted, listing

from ..orders import ACTION_WORDS
from ..tables import RANKS

Data = Mapping[str, Any]
Sentence = Callable[[Data], str]


def of_investment(result: str) -> str:
    """The result of an order in words: events, and so archives, have that of an investment in a short form."""
    words = re.sub(r"\boutput (\d+) -> \1; ", "no change: ", result)
    words = re.sub(r"\boutput (\d+) -> (\d+)", r"output from \1 to \2", words)
    return re.sub(r"less than a step of (\d+ units)", r"\1 make a step", words)


def public_news(known: Sequence[Event], colour: str = "") -> list[str]:
    """What everybody may know, system by system and then faction by faction. The results of lone attacks of that colour are
    left out: they are with its orders."""
    public = [event for event in known if event.audience is None]
    successors = {event.data["colour"]: event.data for event in public if event.kind == "admiral_successor"}
    lines = _systems(public, colour)
    for event in public:
        if event.kind in _SENTENCES:
            lines.append(_SENTENCES[event.kind](event.data))
        if event.kind == "admiral_toss" and (data := successors.get(event.data["colour"])):
            # After the death, because its sentence does not say whose admiral it is.
            lines.append(_successor(data))
    return lines


def own_news(known: Sequence[Event]) -> list[str]:
    """What only the reader learns, apart from the results of their own sheet."""
    told = (event for event in known if event.audience is not None and event.kind in _PRIVATE)
    return [_PRIVATE[event.kind](event.data) for event in told]


# --- Systems -------------------------------------------------------------------------------------------------------------


def _systems(public: Sequence[Event], own: str) -> list[str]:
    """Combats, blocked attacks and walk-overs in map order, each system with what became of it."""
    conquests = {event.data["system"]: event.data for event in public if event.kind == "conquest"}
    tosses = {event.data["system"]: event.data for event in public if event.kind == "tie_toss"}
    combats: dict[str, list[Data]] = {}
    for event in public:
        if event.kind == "combat":
            combats.setdefault(event.data["system"], []).append(event.data)
    lines: list[str] = []
    for event in public:
        data = event.data
        if event.kind == "attack_blocked":
            lines.append(f"{data['system']}: in Temporal Stasis; the attack of {listing(data['attackers'])} was blocked.")
        elif event.kind == "undefended":
            end = _outcome(data["system"], conquests, tosses, "")
            lines.append(f"{data['system']}: undefended against {listing(data['attackers'])} – {end}")
        elif event.kind == "combat" and (found := combats.pop(data["system"], [])):
            if [each["attacker"] for each in found] == [own] and data["system"] not in conquests:
                continue
            lines += _combats(found, _outcome(data["system"], conquests, tosses, data["defender"]))
    return lines


def _combats(combats: Sequence[Data], outcome: str) -> list[str]:
    if len(combats) == 1:
        return [f"{_numbers(combats[0])} – {outcome}"]
    each = [f"{_numbers(data)} – {'broke through' if data['won'] else 'beaten back'}." for data in combats]
    return [*each, f"{combats[0]['system']}: {outcome}"]


def _numbers(data: Data) -> str:
    """ "Procyon: Red 23 against Purple 26"; without the numbers where they are nobody's business."""
    if "attack_number" not in data:
        return f"{data['system']}: {data['attacker']} against {data['defender'] or 'independents'}"
    defender = f"{data['defender']} " if data["defender"] else ""
    return f"{data['system']}: {data['attacker']} {data['attack_number']} against {defender}{data['defense_number']}"


def _outcome(system: str, conquests: Mapping[str, Data], tosses: Mapping[str, Data], defender: str) -> str:
    if system not in conquests:
        return f"held by {defender}." if defender else "stays independent."
    data, toss = conquests[system], tosses.get(system)
    by_toss = f" by toss among {listing(toss['colours'])}" if toss else ""
    return f"taken by {data['to']}{by_toss}; output from {data['before']} to {data['after']}."


# --- Factions ------------------------------------------------------------------------------------------------------------


def _toss(data: Data) -> str:
    end = "died leading" if data["died"] else "came home from"
    who = f"{data['colour']}'s {RANKS[data['rank']].name} Admiral {data['name']}"
    return f"{who} {end} the {ACTION_WORDS[data['action']]} {data['system']}."


def _successor(data: Data) -> str:
    return f"{RANKS[data['rank']].name} Admiral {data['name']} takes command ({_able(data)})."


def _promoted(data: Data) -> str:
    return f"{data['colour']}'s Admiral {data['name']} is promoted to High Admiral ({_able(data)})."


def _able(data: Data) -> str:
    return ", ".join((f"CV {data['cv']}", *(trait.capitalize() for trait in data["traits"])))


def _empire(data: Data) -> str:
    return f"{data['colour']} announces the Intergalactic Empire{' of ' if data['name'] else ''}{data['name']}."


def _parts(data: Data, whose: str) -> str:
    """ "Procyon, attack of Red: 23 = die 4 + 8 units + 1 drone (4) + CV 6 …"."""
    parts = data["parts"]
    words = [f"die {parts['die']}", counted(parts["units"], "unit")]
    if parts["drones"]:
        words.append(f"{counted(parts['drones'], 'drone')} ({parts['drone_bonus']})")
    words += [f"{name} {parts[key]}" for key, name in (("cv", "CV"), ("technology", "technology")) if parts[key]]
    total = " + ".join(words)
    for key, name in (("traits", "traits"), ("assault", "Psychic Assault")):
        if parts[key]:
            total += f" {'+' if parts[key] > 0 else '–'} {abs(parts[key])} {name}"
    return f"{data['system']}, {whose} {data['attacker']}: {parts['total']} = {total}."


def _lost(data: Data) -> str:
    return f"{data['colour']} lost {counted(data['count'], 'drone')} in the {ACTION_WORDS[data['action']]} {data['system']}."


_DETAILS: Mapping[str, Sentence] = {
    "attack_parts": lambda data: _parts(data, "attack of"),
    "defense_parts": lambda data: _parts(data, "defense against"),
    "drones_lost": _lost,
    "drones_regenerated": lambda data: f"{counted(data['count'], 'drone')} of {data['colour']} regenerated.",
}
_SENTENCES: Mapping[str, Sentence] = {
    "draw_votes": lambda data: f"{data['count']} of {data['of']} voted for a draw.",
    "admiral_toss": _toss,
    "admiral_promoted": _promoted,
    "empire": _empire,
    "eliminated": lambda data: f"{data['colour']} has lost its last system and is eliminated.",
    "resigned": lambda data: f"{data['colour']} resigns; its systems are independent.",
    # Public with the option battle_detail = "full" only.
    **_DETAILS,
}
_PRIVATE: Mapping[str, Sentence] = {
    **_DETAILS,
    "sabotaged": lambda data: f"Psychic Sabotage: {data['system']} yields {data['amount']} units less in turn {data['turn']}.",
}
