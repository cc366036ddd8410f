"""What became of a faction in a turn: attacks on it, its orders with their results, and what was rolled for it."""

from collections.abc import Mapping, Sequence
from typing import Any

from pbmd.rules import Document
from pbmd.rules.facts import you
from pbmd.rules.words import listing


def own_turn(own: Mapping[str, Any], battles: Sequence[Mapping[str, Any]]) -> Document | None:
    """None if no turn was resolved. The absence of orders is reported elsewhere: this only says what the rules then did."""
    if own["received"] is None:
        return None
    attacks = [_attacked(battle) for battle in battles if battle["defender"] == own["name"]]
    idle = [] if own["received"] else ["Nothing was built, and your fleet stayed at home."]
    rolled = [
        f"You had no order of battle for this fight, so one was rolled: {each['oob']} ({each['roll']} on d90)."
        for each in own["oob_rolled"]
    ]
    orders = [(line["text"], line["result"]) for line in own["orders"]]
    return you(" ".join((*attacks, *idle)), orders, rolled)


def _attacked(battle: Mapping[str, Any]) -> str:
    taken = listing(each["base"] for each in battle["captured"])
    took = f" and took {taken}" if taken else ""
    match battle["outcome"]:
        case "attacker_won":
            return f"{battle['who']} attacked you, won{took}."
        case "walkover":
            return f"{battle['who']} attacked you while nobody was at home{took}."
        case "defender_won":
            return f"{battle['who']} attacked you, and you won."
        case "draw":
            return f"{battle['who']} attacked you; nobody won."
        case "both_destroyed":
            return f"{battle['who']} attacked you; both fleets were destroyed."
        case _:
            return f"{battle['who']} attacked you and ran into your shields."
