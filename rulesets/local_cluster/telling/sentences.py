"""Words for each kind of event: `SENTENCES` one by one, `MERGED` for several that have much in common; and `REASONS`."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pbmd.rules.words import counted, listing

from ..orders import TREATY_WORDS

Data = Mapping[str, Any]

REASONS: Mapping[str, str] = {
    "already_agreed": "you have this treaty with them already",
    "already_asked": "they have answered this question in this move already",
    "already_capital": "it is your capital already",
    "already_known": "you know it already",
    "already_moved": "it has moved or is bound in this move already",
    "at_war": "you are at war with them",
    "blockaded": "an enemy's fleet is above the planet",
    "fleet_lost": "the fleet was destroyed",
    "fleet_withdrew": "the fleet withdrew from the battle",
    "gift_limit": "the gifts of a move must not exceed your Tax Income",
    "limit_reached": "the planet can build no more of these in this move",
    "no_credits": "there were not enough credits",
    "no_portal": "both planets must have a portal and belong to you or a pact partner",
    "no_right": "you may go only to planets of your own, of enemies and of pact partners",
    "no_room": "the fleet has no room",
    "no_slot": "the planet has no room for it",
    "no_such_offer": "there is no such offer",
    "no_such_resource": "the planet has no such resource",
    "no_such_treaty": "you have no such treaty with them",
    "no_target": "there was nothing to hit",
    "not_a_player": "they are not a player's nation",
    "not_aboard": "it is not aboard that fleet",
    "not_adjacent": "no line joins the two planets",
    "not_at_war": "you are not at war with them",
    "not_enough_units": "there are not so many units that could do it",
    "not_in_game": "they are out of the game",
    "not_owner": "the planet was not yours when building took place",
    "not_there": "it is not there",
    "not_together": "army and fleet are not at the same planet, the army on its surface",
    "not_your_unit": "you have no such unit any more",
    "npc_no_gift": "NPC States take no gifts",
    "npc_only_in_move": "NPC States are asked in a move only",
    "npc_refused": "they tossed a coin and refused",
    "only_one": "the planet can have only one of these",
    "orbit_contested": "enemy fleets are still above the planet",
    "out_of_range": "the portals are too far apart for your technology",
    "pact_in_force": "there is a military pact between you",
    "pact_nulled_now": "the pact was ended in this very move; war is possible in your next",
    "prerequisite": "you do not know what it requires",
    "research_limit": "you have researched what one move allows",
    "treaty_limit": "you or they have as many trade treaties as a State can have",
    "wrong_phase": "it is not possible in Turn 0",
}
"""Why a line could not be carried out (section 6.3 of the rules): the codes and what they mean, for the player."""


def nothing(_data: Data) -> list[str]:
    """No words, for events that the title of a section already covers."""
    return []


def _cost(data: Data, each: str = "") -> str:
    return f" ({data['cost']}{each})" if "cost" in data else ""


def coin_side(side: int) -> str:
    """The side of a coin: 1 is heads."""
    return "heads" if side == 1 else "tails"


def _income(data: Data) -> list[str]:
    if "tax" not in data:
        return ["Income is booked."]
    income = data["tax"] + data["trade"]
    return [f"Income {income} (tax {data['tax']}, trade {data['trade']}); credits {data['credits']}."]


def _upkeep(data: Data) -> list[str]:
    if "amount" not in data:
        return ["Upkeep is paid."]
    return [f"Upkeep {data['amount']}; credits {data['credits']}."]


def _disbanded(data: Data) -> list[str]:
    ashore = f"; {listing(data['ashore'])} ashore" if data["ashore"] else ""
    cargo = f" with {listing(data['cargo'])}" if data["cargo"] else ""
    return [f"{data['unit']}{cargo} disbanded{' for want of upkeep' if data['forced'] else ''}{ashore}."]


def _offer_made(data: Data) -> list[str]:
    verb = "renews the offer of" if data["renewed"] else "offers"
    offer = f"{data['from']} {verb} {_treaty(data)} to {data['to']}"
    return [f"{offer}; it stands until the end of Turn {data['until']}."]


def _treaty(data: Data) -> str:
    return TREATY_WORDS[data["treaty"]] if data["treaty"] == "peace" else f"a {TREATY_WORDS[data['treaty']]}"


def _offer(data: Data, verb: str) -> list[str]:
    return [f"The offer of {_treaty(data)} from {data['from']} to {data['to']} {verb}."]


def _agreed(data: Data) -> list[str]:
    coin = f" (coin: {coin_side(data['coin'])})" if data["coin"] else ""
    treaty = _treaty(data)
    return [f"{listing(data['between'])} agree on {treaty}{coin}."]


def _bombarded(data: Data) -> list[str]:
    die = f" (d{data['sides']}: {data['die']})" if data["die"] else ""
    owner = f" of {data['owner']}" if data["owner"] else ""
    return [f"{data['unit']} bombards {data['planet']}{die}: {data['hit']}{owner} destroyed."]


def _capital_moved(data: Data) -> list[str]:
    return [f"The capital moves from {data['from'] or 'nowhere'} to {data['to']}{_cost(data)}."]


def _planet_taken(data: Data) -> list[str]:
    source = "its NPC State" if data["from"] == data["planet"] else data["from"]
    return [f"{data['to']} takes {data['planet']} from {source}."]


def _eliminated(data: Data) -> list[str]:
    return [f"{data['state']}{' (NPC)' if data['npc'] else ''} has no planet left and is eliminated."]


def _evicted(data: Data) -> list[str]:
    cargo = f" with {listing(data['cargo'])}" if data["cargo"] else ""
    if not data["to"]:
        return [f"{data['unit']} of {data['state']}{cargo} has to leave {data['from']}, finds no refuge and is lost."]
    return [f"{data['unit']} of {data['state']}{cargo} has to leave {data['from']} for {data['to']}."]


def _surrendered(data: Data) -> list[str]:
    end = f"now serves {data['to']}" if data["to"] else "is gone"
    return [f"{data['unit']} of {data['state']} surrenders on {data['planet']} and {end}."]


def _failed(data: Data) -> list[str]:
    unit = f" ({data['unit']})" if data["unit"] else ""
    return [f'"{data["line"]}"{unit} failed: {REASONS[data["reason"]]}.']


def _game_over(data: Data) -> list[str]:
    if data["victory"] == "planets":
        return [f"The owners of {data['planets']} planets agree: {data['winner']} wins."]
    if data["victory"] == "ascension":
        return [f"{data['winner']} has ascended and wins."]
    if data["victory"] == "last_player":
        return [f"{data['winner']} is the last player left and wins."]
    return ["No player is left; nobody has won."]


SENTENCES: dict[str, Callable[[Data], list[str]]] = {
    "income": _income,
    "upkeep": _upkeep,
    "disbanded": _disbanded,
    "offer_made": _offer_made,
    "offer_declined": lambda data: _offer(data, "is declined"),
    "offer_withdrawn": lambda data: _offer(data, "is withdrawn"),
    "offer_lapsed": lambda data: _offer(data, "has lapsed"),
    "npc_refused": lambda data: [f"{data['to']} refuses {_treaty(data)} (coin: {coin_side(data['coin'])})."],
    "agreed": _agreed,
    "war_declared": lambda data: [f"{data['state']} declares war on {data['on']}."],
    "treaty_ended": lambda data: [f"The {TREATY_WORDS[data['treaty']]} of {data['state']} and {data['with']} is ended."],
    "gift": lambda data: [f"{data['state']} gives {counted(data['credits'], 'credit')} to {data['to']}."],
    "proclaimed": lambda data: [f"{data['state']} proclaims {data['whom'] or 'nobody'}."],
    "bombarded": _bombarded,
    "researched": lambda data: [f"{data['technology']} researched{_cost(data)}."],
    "developed": lambda data: [f"{data['resource']} developed on {data['planet']}{_cost(data)}."],
    "redeveloped": lambda data: [f"{data['old']} on {data['planet']} re-developed into {data['resource']}{_cost(data)}."],
    "capital_moved": _capital_moved,
    "planet_taken": _planet_taken,
    "eliminated": _eliminated,
    "evicted": _evicted,
    "surrendered": _surrendered,
    "became_npc": lambda data: [f"{data['state']} was skipped too often and is an NPC empire now."],
    "skipped": nothing,
    "npc_built": lambda data: [f"{data['state']} (NPC) builds {data['unit']} at {data['planet']}{_cost(data)}."],
    "order_failed": _failed,
    "game_over": _game_over,
}


# --- Sentences for several events --------------------------------------------------------------------------------------


def _units(datas: Sequence[Data]) -> str:
    return listing(data["unit"] for data in datas)


def _moved(datas: Sequence[Data]) -> str:
    cargo = [army for data in datas for army in data["cargo"]]
    aboard = f", {listing(cargo)} aboard" if cargo else ""
    by_portal = " by portal" if datas[0]["portal"] else ""
    return f"{_units(datas)} from {datas[0]['from']} to {datas[0]['to']}{by_portal}{aboard}."


def _boarded(datas: Sequence[Data]) -> str:
    boardings = listing(f"{data['unit']} boards {data['fleet']}" for data in datas)
    return f"{boardings} at {datas[0]['planet']}."


def _landed(datas: Sequence[Data]) -> str:
    after = " after the fleet battle" if datas[0]["contested"] else ""
    return f"{_units(datas)} land{'s' if len(datas) == 1 else ''} on {datas[0]['planet']}{after}."


def _built(datas: Sequence[Data]) -> str:
    return f"{_units(datas)} built at {datas[0]['planet']}{_cost(datas[0], ' each' if len(datas) > 1 else '')}."


MERGED: dict[str, Callable[[Sequence[Data]], str]] = {
    "moved": _moved,
    "boarded": _boarded,
    "landed": _landed,
    "built": _built,
}
