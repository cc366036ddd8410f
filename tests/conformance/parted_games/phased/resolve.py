"""The resolution of a phase: all dig, or all steal, each in the order in which their orders came."""

from dataclasses import replace

from pbmd.rules import Dice, Event, Resolution

from .orders import Dig, Steal, read
from .position import Digger, Position


def resolve(position: Position, dice: Dice) -> Resolution[Position]:
    """The next phase, and what happened. Gold that is dug is known to its digger alone, what is stolen to both."""
    gold = {digger.name: digger.gold for digger in position.diggers}
    events = [Event("slept", {"by": name, "phase": position.phase}) for name in position.missed]
    for sheet in position.sheets:
        for order in map(read, sheet.lines):
            match order:
                case Dig():
                    found = dice.roll(6)
                    gold[sheet.seat] += found
                    events.append(Event("dug", {"by": sheet.seat, "gold": found}, (sheet.seat,)))
                case Steal(victim):
                    loot = min(3, gold[victim])
                    gold[victim] -= loot
                    gold[sheet.seat] += loot
                    events.append(Event("stole", {"by": sheet.seat, "of": victim, "gold": loot}, (sheet.seat, victim)))
                case None:
                    raise AssertionError("what is on file was read before")
    diggers = tuple(Digger(name, held) for name, held in gold.items())
    after = replace(position, diggers=diggers, sheets=(), missed=())
    if position.phase == "dig":
        return Resolution(replace(after, phase="steal"), tuple(events))
    return Resolution(replace(after, phase="dig", turn=position.turn + 1), tuple(events))
