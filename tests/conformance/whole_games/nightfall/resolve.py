"""The resolution of a phase: what is done by night, or the vote of a day."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from pbmd.rules import Dice, Event, Resolution

from .orders import Order, read
from .position import Position, game_options, role_of

Done = tuple[str, Order]


def resolve(position: Position, dice: Dice) -> Resolution[Position]:
    """The next phase, and what happened."""
    orders = [(sheet.seat, order) for sheet in position.sheets for line in sheet.lines if (order := read(line))]
    events = [Event("slept", {"by": name, "phase": position.phase}) for name in position.missed]
    return _night(position, orders, events) if position.phase == "night" else _day(position, orders, events)


def _night(position: Position, orders: Sequence[Done], events: list[Event]) -> Resolution[Position]:
    guarded = next((order.name for _, order in orders if order.verb == "Guard"), "")
    victim = _first_of_most([order.name for _, order in orders if order.verb == "Kill"])
    for seat, order in orders:
        if order.verb == "Look at":
            seen = role_of(position, order.name)
            events.append(Event("looked", {"of": order.name, "role": seen}, (seat,)))
    if victim and victim != guarded:
        events.append(Event("killed", {"of": victim, "role": role_of(position, victim)}))
        position = _without(position, victim)
    else:
        events.append(Event("quiet", {}))
    return Resolution(replace(position, phase="day", guarded=guarded, sheets=(), missed=()), tuple(events))


def _day(position: Position, orders: Sequence[Done], events: list[Event]) -> Resolution[Position]:
    votes = [(seat, order.name) for seat, order in orders if order.verb == "Vote for"]
    events += [Event("voted", {"by": seat, "of": name}) for seat, name in sorted(votes)]
    hanged = _hanged(position, [name for _, name in votes])
    if hanged:
        events.append(Event("hanged", {"of": hanged, "role": role_of(position, hanged)}))
        position = _without(position, hanged)
    else:
        events.append(Event("spared", {}))
    after = replace(position, phase="night", turn=position.turn + 1, sheets=(), missed=())
    return Resolution(after, tuple(events))


def _first_of_most(names: Sequence[str]) -> str:
    """Who is named most; of several the one who was named first. Empty if nobody is."""
    counted = Counter(names)
    return max(counted, key=lambda name: counted[name], default="")


def _hanged(position: Position, names: Sequence[str]) -> str:
    """Who has more votes than any other, and with mercy at least half of all."""
    (first, most), (_, second) = [*Counter(names).most_common(2), ("", 0), ("", 0)][:2]
    enough = 2 * most >= len(names) or not game_options(position.given).mercy
    return first if most > second and enough else ""


def _without(position: Position, name: str) -> Position:
    villagers = tuple(replace(each, alive=False) if each.name == name else each for each in position.villagers)
    return replace(position, villagers=villagers)
