"""What happened in a turn, in sentences: made only from events that the reader may know."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pbmd.rules import Event
from pbmd.rules.words import counted, listing

from ..orders import called
from ..tables import GOVERNMENTS

Data = Mapping[str, Any]


_OWN_RESULTS: Mapping[str, Callable[[Data], str]] = {
    "research": lambda data: f"level {data['level']} reached",
    "wonder_built": lambda data: f"built at {data['square']}",
    "city_built": lambda data: data["square"],
}
"""What the result of an order says about these events."""


def public_news(known: Sequence[Event], name: str = "", results: Sequence[str] = ()) -> list[str]:
    """What everybody may know, in the order of the turn; what the results of that society's orders say is left out, since they
    are shown elsewhere."""
    public = [event for event in known if event.audience is None and not _is_told(event, name, results)]
    lines: list[str] = []
    for event in public:
        if event.kind in _TOGETHER:
            key, say = _TOGETHER[event.kind]
            alike = [other.data for other in public if other.kind == event.kind and other.data[key] == event.data[key]]
            # One sentence for all, in the place of the first.
            lines += [say(alike)] if alike[0] is event.data else []
        elif event.kind in _PUBLIC:
            lines.append(_PUBLIC[event.kind](event.data))
    return lines


def _is_told(event: Event, name: str, results: Sequence[str]) -> bool:
    if event.kind not in _OWN_RESULTS or _who(event) != name:
        return False
    return any(re.search(rf"\b{re.escape(_OWN_RESULTS[event.kind](event.data))}\b", result) for result in results)


def own_news(known: Sequence[Event], name: str) -> list[str]:
    """What only this society learns, apart from the results of its lines, its budget, its wars and its taxes."""
    private = [event for event in known if event.audience is not None and name in event.audience]
    return [_PRIVATE[event.kind]({**event.data, **event.detail}, name) for event in private if event.kind in _PRIVATE]


def wars(known: Sequence[Event], name: str) -> list[str]:
    """The numbers of a society's battles, as far as they are its own."""
    private = [event for event in known if event.audience is not None and name in event.audience]
    return [_WARS[event.kind](event.data) for event in private if event.kind in _WARS]


def taxes(known: Sequence[Event], name: str) -> str:
    """How a society's taxes came about, "" if none were collected."""
    data = next((event.data for event in known if event.kind == "tax" and event.audience == (name,)), None)
    if data is None:
        return ""
    bonus = f" ({data['gross']} before the bonus)" if data["gross"] != data["income"] else ""
    support = f"Your armies cost {data['support']}." if data["support"] else "Your armies cost nothing."
    gone = data["disbanded"]
    disbanded = f" {_armies(gone)} {'was' if gone == 1 else 'were'} disbanded, since you could not pay." if gone else ""
    return f"Taxes: {data['income']} gold from {counted(data['cities'], 'city', 'cities')}{bonus}. {support}{disbanded}"


def _who(event: Event) -> str:
    return event.data["society"]


def _armies(count: int) -> str:
    return counted(count, "army", "armies")


# --- Everybody -------------------------------------------------------------------------------------------------------------


def _founded(built: Sequence[Data]) -> str:
    what = "a city" if len(built) == 1 else f"{len(built)} cities"
    return f"{built[0]['society']} has founded {what} at {listing(data['square'] for data in built)}."


def _reached(alike: Sequence[Data]) -> str:
    who, data = [each["society"] for each in alike], alike[0]
    return f"{listing(who)} {'has' if len(who) == 1 else 'have'} reached level {data['level']} ({data['name']})."


def _war(data: Data) -> str:
    one, other = data["societies"]
    return f"{one} and {other} are at war{'; it was declared' if data['cause'] == 'declared' else ''}."


def _battle(data: Data) -> str:
    one, other = data["societies"]
    outcome = f"{data['winner']} won" if data["winner"] else "both were destroyed"
    return f"The armies of {one} and {other} met on the way; {outcome}."


def _attack(data: Data) -> str:
    return f"{data['society']} has attacked {data['target']} and captured {listing(data['squares']) or 'nothing'}."


def _nukes(data: Data) -> str:
    stopped = f", {data['intercepted']} intercepted" if data["intercepted"] else ""
    fell = f"{listing(data['squares'])} destroyed" if data["squares"] else "no city was destroyed"
    return f"{data['society']} launched {counted(data['launched'], 'nuke')} at {data['target']}{stopped}: {fell}."


def _obsolete(data: Data) -> str:
    why = {"expired": "has expired", "kgb": "was made obsolete by the KGB", "used": "has been used and is obsolete"}
    return f"{data['wonder']} ({data['society']}) {why[data['cause']]}."


_TOGETHER: Mapping[str, tuple[str, Callable[[Sequence[Data]], str]]] = {
    "research": ("level", _reached),
    "city_built": ("society", _founded),
}
"""Fields whose equal values put all events of a kind into one sentence."""
_WAYS = {
    "conquest": "{society} is the last society left and has won.",
    "spaceship": "{society} has completed its spaceship and has won.",
    "cultural": "{society} has won by its wonders.",
    "domination": "All others have conceded to {society}, who has won.",
}

_PUBLIC: Mapping[str, Callable[[Data], str]] = {
    "peace": lambda data: f"{listing(data['societies'])} have made peace.",
    "revolution": lambda data: f"There was a Revolution in {data['society']}.",
    "government": lambda data: f"{data['society']} is now a {GOVERNMENTS[data['government']].name}.",
    "wonder_built": lambda data: f"{data['society']} has built {data['wonder']} at {data['square']}.",
    "wonder_obsolete": _obsolete,
    "wonder_moved": lambda data: f"{data['wonder']} ({data['society']}) has moved to {data['square']}.",
    "wonder_captured": lambda data: f"{data['wonder']} of {data['from']} has fallen to {data['society']}.",
    "wonder_destroyed": lambda data: f"{data['wonder']} ({data['society']}) was destroyed.",
    "part_built": lambda data: f"{data['society']} has built part {data['parts']} of {data['of']} of its spaceship.",
    "war": _war,
    "field_battle": _battle,
    "attack": _attack,
    "nuke_strike": _nukes,
    "eliminated": lambda data: f"{data['society']} was eliminated by {data['by']}.",
    "victory": lambda data: _WAYS[data["kind"]].format(**data),
}


# --- One society -----------------------------------------------------------------------------------------------------------


def _spies(data: Data, _name: str) -> str:
    through, stopped = data["through"], data["not_through"]
    whose = f"{data['target']}'s {called(data['function'])}"
    if not stopped:
        return f"Your {'spy' if through == 1 else f'{through} spies'} got through: {whose} was negated."
    if not through:
        return f"Your {'spy' if stopped == 1 else f'{stopped} spies'} on {whose} did not get through."
    return f"{through} of your spies on {whose} got through, {stopped} did not: it was negated."


def _defence(data: Data, _name: str) -> str:
    posted = counted(data["posted"], "spy", "spies")
    return f"{posted} of yours defended {called(data['function'])} and stopped {data['stopped'] or 'nobody'}."


def _caravans(data: Data, name: str) -> str:
    count = counted(data["count"], "caravan")
    if data["society"] != name:
        return f"{data['society']} sent you {count}, worth {data['payout']} gold."
    return f"You sent {count} to {data['partner']}: cost {data['cost']}, worth {data['payout']} gold."


def _income(data: Data, _name: str) -> str:
    bonus = "" if data["bonus"] == "1" else f"{data['raw']} × {data['bonus']} = "
    return f"Caravans brought you {bonus}{data['gold']} gold."


def _aid(data: Data, name: str) -> str:
    giver = data["society"]
    return f"You gave {data['to']} {data['what']}." if giver == name else f"{giver} gave you {data['what']}."


def _offer(data: Data, name: str) -> str:
    sender, to = data["society"], data["to"]
    return f"{to} made no offer of peace, as you did." if sender == name else f"{sender} offered you peace."


def _concession(data: Data, name: str) -> str:
    if data["society"] == name:
        return f"You {'concede' if data['stands'] else 'do not concede any more'} to {data['to']}."
    return f"{data['society']} {'concedes' if data['stands'] else 'does not concede any more'} to you."


def _productive(data: Data, _name: str) -> str:
    squares = data["squares"]
    return f"{listing(squares)}, captured before, {'pays' if len(squares) == 1 else 'pay'} taxes from now on."


_PRIVATE: Mapping[str, Callable[[Data, str], str]] = {
    "spies_trained": lambda data, _name: f"You trained {counted(data['count'], 'spy', 'spies')}.",
    "spies_lost": lambda data, _name: f"{counted(data['count'], 'spy', 'spies')} over the limit left you.",
    "spy_result": _spies,
    "function_negated": lambda data, _name: f"Spies negated your {called(data['function'])}.",
    "defence_result": _defence,
    "caravan": _caravans,
    "trade_income": _income,
    "rehabilitated": _productive,
    "aid": _aid,
    "peace_offer": _offer,
    "concession": _concession,
}


# --- Wars ------------------------------------------------------------------------------------------------------------------


def _field(data: Data) -> str:
    end = "you won" if data["won"] else "they were destroyed"
    return f"On the way to {data['enemy']} your {_armies(data['sent'])} met theirs: {end}; {data['lost']} lost."


def _attacked(data: Data) -> str:
    took = f"took {listing(data['squares'])}" if data["squares"] else "took no city"
    return f"You attacked {data['target']} with {_armies(data['sent'])}, lost {data['lost']} and {took}."


def _defended(data: Data) -> str:
    squares = data["squares"]
    fell = f" and the {'city' if len(squares) == 1 else 'cities'} {listing(squares)}" if squares else ""
    return f"{data['attacker']} attacked: {_armies(data['home'])} defended, you lost {data['lost']}{fell}."


_WARS: Mapping[str, Callable[[Data], str]] = {
    "field_numbers": _field,
    "attack_numbers": _attacked,
    "defence_numbers": _defended,
}
