"""The resolution of a move: its digger digs, then steals."""

from dataclasses import replace

from pbmd.rules import Dice, Event, Resolution
from pbmd.rules.sheets import sheet_of

from .orders import Dig, Steal, read
from .position import Digger, Position, seats


def resolve(position: Position, dice: Dice) -> Resolution[Position]:
    """What comes after the move that is due, or after a skip. The first event of a move names turn and mover."""
    mover, *later = position.to_move
    gold = {digger.name: digger.gold for digger in position.diggers}
    sheet = None if position.missed else sheet_of(position.sheets, mover)
    events = [Event("moved" if sheet else "slept", {"turn": position.turn, "by": mover})]
    orders = [read(line) for line in (sheet.lines if sheet else ())]
    if any(isinstance(order, Dig) for order in orders):
        found = dice.roll(6)
        gold[mover] += found
        events.append(Event("dug", {"by": mover, "gold": found}, (mover,)))
    for order in orders:
        if isinstance(order, Steal):
            loot = min(3, gold[order.victim])
            gold[order.victim] -= loot
            gold[mover] += loot
            events.append(Event("stole", {"by": mover, "of": order.victim, "gold": loot}, (mover, order.victim)))
    after = replace(
        position,
        diggers=tuple(Digger(name, held) for name, held in gold.items()),
        to_move=tuple(later) or seats(position),
        turn=position.turn if later else position.turn + 1,
        sheets=tuple(each for each in position.sheets if each != sheet),
        missed=(),
    )
    return Resolution(after, tuple(events))
