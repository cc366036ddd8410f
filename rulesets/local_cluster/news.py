"""What happened, in sentences: made only from events that the reader may know."""

from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from typing import Any

from pbmd.rules import Event

from .orders import TREATY_WORDS
from .reasons import REASONS
from .tables import listing

Data = Mapping[str, Any]
Block = dict[str, Any]
"""A sentence, or a battle with its rounds: `text`, `rounds`."""


def told(event: Event) -> Data:
    """All that a reader may know of an event, by name."""
    return {**event.data, **event.detail}


def sections(known: Sequence[Event]) -> list[dict[str, Any]]:
    """One section for each move, skip and end of a Turn, in the order they happened: `title` and `parts`, each with a
    `label` and `blocks`. What happened between the moves has sections of its own."""
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
    made = ((title, _parts(events)) for title, events in found)
    return [{"title": title or "Between the moves", "parts": parts} for title, parts in made if title or parts]


def failures(known: Sequence[Event]) -> list[dict[str, str]]:
    """The lines of the reader that failed, in the order they did: `line`, `unit`, `reason`."""
    failed = [event.data for event in known if event.kind == "order_failed"]
    refusals = iter([event.data for event in known if event.kind == "npc_refused"])
    rows: list[dict[str, str]] = []
    for data in failed:
        words = REASONS[data["reason"]]
        if data["reason"] == "npc_refused" and (refusal := next(refusals, None)):
            words = f"{refusal['to']} tossed a coin ({_coin(refusal['coin'])}) and refused"
        rows.append({"line": data["line"], "unit": data["unit"], "reason": words})
    return rows


def tell(event: Event) -> str:
    """The words of an event outside of any move, for a mail to its audience: a heading, then what happened."""
    data, heading = told(event), _HEADINGS.get(event.kind, "News of the Local Cluster")
    lines = [line for line in _SENTENCES.get(event.kind, _nothing)(data) if line]
    if event.kind == "offer_made":
        treaty, sender = TREATY_WORDS[data["treaty"]], data["from"]
        lines += [f"To answer: Accept {treaty} from {sender}", f"       or: Decline {treaty} from {sender}"]
    return "\n".join((heading, *lines))


_HEADINGS = {
    "offer_made": "An offer",
    "offer_declined": "An offer is declined",
    "offer_withdrawn": "An offer is withdrawn",
    "offer_lapsed": "An offer has lapsed",
    "agreed": "A treaty",
    "proclaimed": "A proclamation",
    "order_failed": "A line that failed",
}


# --- Sections ----------------------------------------------------------------------------------------------------------


def _skipped(data: Data) -> str:
    return f"Turn {data['turn']}, {data['state']}: skipped"


_TITLES: dict[str, Callable[[Data], str]] = {
    "move_begun": lambda data: f"Turn {data['turn']}, {data['state']}",
    "skipped": _skipped,
    "turn_ended": lambda data: f"The end of Turn {data['turn']}",
}

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
    """The events under labels, in the order they happened."""
    shown = [event for event in events if event.kind in _LABEL]
    parts: list[dict[str, Any]] = []
    for label, run in groupby(shown, key=lambda event: _LABEL[event.kind]):
        blocks = _blocks(list(run))
        if blocks and parts and parts[-1]["label"] == label:
            parts[-1]["blocks"] += blocks
        elif blocks:
            parts.append({"label": label, "blocks": blocks})
    return parts


def _blocks(events: Sequence[Event]) -> list[Block]:
    blocks: list[Block] = []
    for (kind, _), run in groupby(events, key=lambda event: (event.kind, _together(event))):
        datas = [told(event) for event in run]
        if kind in ("fleet_round", "army_round"):
            blocks.append(_battle(kind, datas))
        elif kind in _MERGED:
            blocks.append({"text": _MERGED[kind](datas), "rounds": []})
        else:
            blocks += [{"text": line, "rounds": []} for data in datas for line in _SENTENCES[kind](data)]
    return blocks


def _together(event: Event) -> tuple[Any, ...]:
    """What events of a kind that follow one another must have in common to be told as one."""
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
    sum_up = f"{roll['die']:d}{roll['bonus']:+d}={roll['total']:d}" if roll["bonus"] else f"{roll['die']:d}"
    return f"{roll['unit']} {sum_up}"


def _result(data: Data) -> str:
    tie = "tie, " if data["tie"] else ""
    cargo = f" with {listing(data['cargo'])}" if data["cargo"] else ""
    if not data["withdrew"]:
        return f"{tie}{data['unit']} destroyed{cargo}"
    if data["to"] == data["planet"]:
        return f"{tie}{data['unit']} withdraws and stays apart"
    return f"{tie}{data['unit']} withdraws to {data['to']}{cargo}"


# --- Sentences ---------------------------------------------------------------------------------------------------------


def _nothing(_data: Data) -> list[str]:
    return []


def _cost(data: Data, each: str = "") -> str:
    return f" ({data['cost']}{each})" if "cost" in data else ""


def _coin(side: int) -> str:
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


def _declined(data: Data) -> list[str]:
    return _offer(data, "is declined")


def _withdrawn(data: Data) -> list[str]:
    return _offer(data, "is withdrawn")


def _lapsed(data: Data) -> list[str]:
    return _offer(data, "has lapsed")


def _agreed(data: Data) -> list[str]:
    coin = f" (coin: {_coin(data['coin'])})" if data["coin"] else ""
    treaty = _treaty(data)
    return [f"{listing(data['between'])} agree on {treaty}{coin}."]


def _war(data: Data) -> list[str]:
    return [f"{data['state']} declares war on {data['on']}."]


def _treaty_ended(data: Data) -> list[str]:
    return [f"The {TREATY_WORDS[data['treaty']]} of {data['state']} and {data['with']} is ended."]


def _gift(data: Data) -> list[str]:
    return [f"{data['state']} gives {data['credits']} credits to {data['to']}."]


def _proclaimed(data: Data) -> list[str]:
    return [f"{data['state']} proclaims {data['whom'] or 'nobody'}."]


def _bombarded(data: Data) -> list[str]:
    die = f" (d{data['sides']}: {data['die']})" if data["die"] else ""
    owner = f" of {data['owner']}" if data["owner"] else ""
    return [f"{data['unit']} bombards {data['planet']}{die}: {data['hit']}{owner} destroyed."]


def _researched(data: Data) -> list[str]:
    return [f"{data['technology']} researched{_cost(data)}."]


def _developed(data: Data) -> list[str]:
    return [f"{data['resource']} developed on {data['planet']}{_cost(data)}."]


def _redeveloped(data: Data) -> list[str]:
    return [f"{data['old']} on {data['planet']} re-developed into {data['resource']}{_cost(data)}."]


def _capital_moved(data: Data) -> list[str]:
    return [f"The capital moves from {data['from'] or 'nowhere'} to {data['to']}{_cost(data)}."]


def _planet_taken(data: Data) -> list[str]:
    return [f"{data['to']} takes {data['planet']} from {data['from']}."]


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


def _became_npc(data: Data) -> list[str]:
    return [f"{data['state']} was skipped too often and is an NPC empire now."]


def _npc_built(data: Data) -> list[str]:
    return [f"{data['state']} (NPC) builds {data['unit']} at {data['planet']}{_cost(data)}."]


def _failed(data: Data) -> list[str]:
    unit = f" ({data['unit']})" if data["unit"] else ""
    return [f'"{data["line"]}"{unit} failed: {REASONS[data["reason"]]}.']


def _refused(data: Data) -> list[str]:
    return [f"{data['to']} refuses {_treaty(data)} (coin: {_coin(data['coin'])})."]


def _game_over(data: Data) -> list[str]:
    if data["victory"] == "planets":
        return [f"The owners of {data['planets']} planets agree: {data['winner']} wins."]
    if data["victory"] == "ascension":
        return [f"{data['winner']} has ascended and wins."]
    if data["victory"] == "last_player":
        return [f"{data['winner']} is the last player left and wins."]
    return ["No player is left; nobody has won."]


_SENTENCES: dict[str, Callable[[Data], list[str]]] = {
    "income": _income,
    "upkeep": _upkeep,
    "disbanded": _disbanded,
    "offer_made": _offer_made,
    "offer_declined": _declined,
    "offer_withdrawn": _withdrawn,
    "offer_lapsed": _lapsed,
    "npc_refused": _refused,
    "agreed": _agreed,
    "war_declared": _war,
    "treaty_ended": _treaty_ended,
    "gift": _gift,
    "proclaimed": _proclaimed,
    "bombarded": _bombarded,
    "researched": _researched,
    "developed": _developed,
    "redeveloped": _redeveloped,
    "capital_moved": _capital_moved,
    "planet_taken": _planet_taken,
    "eliminated": _eliminated,
    "evicted": _evicted,
    "surrendered": _surrendered,
    "became_npc": _became_npc,
    "skipped": _nothing,
    "npc_built": _npc_built,
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


_MERGED: dict[str, Callable[[Sequence[Data]], str]] = {
    "moved": _moved,
    "boarded": _boarded,
    "landed": _landed,
    "built": _built,
}
