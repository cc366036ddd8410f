"""New Game: diggers dig for gold, and steal it from each other, one after the other."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files

from pbmd.rules import Dice, Event, Options, Outcome, Reader, Resolution, read_info
from pbmd.rules.documents import Count
from pbmd.rules.small_game import Order, SmallGame, SmallPosition, number_of, one_of

INFO = read_info(files(__package__ or __name__))
WORDS = {
    "moved": "Turn {turn}: {by} moved.",
    "slept": "Turn {turn}: {by} made no move.",
    "dug": "{by} dug and found {gold} gold.",
    "stole": "{by} stole {gold} gold from {of}.",
}


@dataclass(frozen=True, kw_only=True)
class Position(SmallPosition):
    """All there is to know of a game between two letters: besides what the kit keeps, what each has, and the seats that still
    have a move in this turn, the next one first."""

    gold: Mapping[str, Count]
    to_move: tuple[str, ...]


def begin(names: tuple[str, ...], options: Options, dice: Dice) -> Position:
    """The first position."""
    return Position(names=names, gold=dict.fromkeys(names, 0), to_move=names)


def others(position: Position, seat: str) -> list[str]:
    """All seats but this one."""
    return [name for name in position.names if name != seat]


def choices(position: Position, seat: str) -> list[list[str]]:
    """What the seat could write: a line of each list."""
    return [["Dig"], [f"Steal from {name}" for name in others(position, seat)]]


def understood(position: Position, seat: str, order: Order) -> str:
    """The line as it is filed. Raises `Fault` if it is wrong."""
    if order.kind == "dig":
        return "Dig"
    return f"Steal from {one_of(order.words[0], others(position, seat), 'digger')}"


def step(position: Position, orders: Sequence[tuple[str, Order]], dice: Dice) -> Resolution[Position]:
    """The move that is due, or a skip: its digger digs, then steals. The first event of a move names turn and mover."""
    mover, *later = position.to_move
    gold = dict(position.gold)
    events = [Event("slept" if position.missed else "moved", {"turn": position.turn, "by": mover})]
    for name, (kind, words) in sorted(orders, key=lambda each: each[1].kind):
        if kind == "dig":
            found = dice.roll(6)
            gold[name] += found
            events.append(Event("dug", {"by": name, "gold": found}, (name,)))
        else:
            loot = min(3, gold[words[0]])
            gold[words[0]] -= loot
            gold[name] += loot
            events.append(Event("stole", {"by": name, "of": words[0], "gold": loot}, (name, words[0])))
    turn = position.turn if later else position.turn + 1
    return Resolution(replace(position, gold=gold, to_move=tuple(later) or position.names, turn=turn), tuple(events))


def view(position: Position, events: Sequence[Event], reader: Reader) -> dict[str, object]:
    """For a seat its own gold, for the game master all; and the events, of which there are only those that it may know."""
    told = [WORDS[event.kind].format(**event.data) for event in events]
    gold = {name: position.gold[name] for name in position.names if reader.kind == "gm" or name == reader.seat}
    return {"gold": gold, "target": number_of("target", INFO, position), "told": told}


def outcome(position: Position) -> Outcome | None:
    """Who has won, and why; None as long as the game runs."""
    most = max(position.gold.values())
    if most < number_of("target", INFO, position):
        return None
    winners = tuple(name for name in position.names if position.gold[name] == most)
    return Outcome(winners, f"Won by {' and '.join(winners)}, with {most} gold.")


ruleset = SmallGame(
    info=INFO,
    position=Position,
    begin=begin,
    acting=lambda position: position.to_move[:1],
    choices=choices,
    understood=understood,
    step=step,
    view=view,
    outcome=outcome,
).ruleset
