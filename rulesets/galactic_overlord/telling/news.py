"""What happened in a turn, in sentences: made only from events that everybody may know."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pbmd.rules import Event
from pbmd.rules.words import counted, listing

Data = Mapping[str, Any]

_ENDS: Mapping[str, str] = {
    "attacker_won": "{who} won{took}.",
    "walkover": "Nobody was at home: {who} won without a fight{took}.",
    "defender_won": "{defender} won.",
    "draw": "Nobody won.",
    "both_destroyed": "Both fleets were destroyed.",
    "ran_into_shields": "The attack ran into shields.",
}


def public_news(known: Sequence[Event]) -> list[str]:
    """What everybody may know: battles first, then what became of bases and factions."""
    told = [(event.kind, event.data) for event in known if event.audience is None]
    return [say(data) for kind, say in _SENTENCES.items() for found, data in told if found == kind]


def battle_words(battle: Data) -> str:
    """ "Altair attacked Cygnus. Altair won and captured Cygnus Base 1."."""
    who, defender = listing(battle["attackers"]), battle["defender"]
    captured = ", ".join(one["base"] for one in battle["captured"])
    end = _ENDS[battle["outcome"]].format(who=who, defender=defender, took=f" and captured {captured}" if captured else "")
    return f"{who}{' jointly' if battle['joint'] else ''} attacked {defender}. {end}"


def _lost(data: Data) -> str:
    ships = ", ".join(counted(row["count"], row["class"]) for row in data["ships"])
    return f"For lack of supply {data['player']} lost {ships}."


_SENTENCES: Mapping[str, Callable[[Data], str]] = {
    "battle": battle_words,
    "base_transferred": lambda data: f"{data['from']} gave {data['base']} to {data['to']}.",
    "became_independent": lambda data: (
        f"{data['player']} has no base left and is an independent fleet of {counted(data['ships'], 'ship')}."
    ),
    "supply_loss": _lost,
    "eliminated": lambda data: f"{data['player']} is eliminated.",
}
