"""The resolution of a turn: all dig, then all steal, each in the order in which their orders came."""

from dataclasses import replace

from pbmd.rules import Dice, Event, Resolution

from .orders import Dig, Steal, read
from .position import Digger, Position


def resolve(position: Position, dice: Dice) -> Resolution[Position]:
    """The next turn, and what happened. Gold that is dug is known to its digger alone, what is stolen to both."""
    gold = {digger.name: digger.gold for digger in position.diggers}
    events = [Event("slept", {"by": name}) for name in position.missed]
    orders = [(sheet.seat, read(line)) for sheet in position.sheets for line in sheet.lines]
    for name, order in orders:
        if isinstance(order, Dig):
            found = dice.roll(6)
            gold[name] += found
            events.append(Event("dug", {"by": name, "gold": found}, (name,)))
    for name, order in orders:
        if isinstance(order, Steal):
            loot = min(3, gold[order.victim])
            gold[order.victim] -= loot
            gold[name] += loot
            events.append(Event("stole", {"by": name, "of": order.victim, "gold": loot}, (name, order.victim)))
    diggers = tuple(Digger(name, held) for name, held in gold.items())
    return Resolution(replace(position, diggers=diggers, turn=position.turn + 1, sheets=(), missed=()), tuple(events))
