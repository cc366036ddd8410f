"""New Game: diggers dig for gold, and steal it from each other."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from typing import Literal

from pbmd.rules import Dice, Event, Options, Outcome, Reader, Resolution, read_info
from pbmd.rules.checking import Fault
from pbmd.rules.documents import Count
from pbmd.rules.small_game import Order, SmallGame, SmallPosition, number_of, one_of

INFO = read_info(files(__package__ or __name__))
WORDS = {
    "slept": "{by} sent no orders in the phase {phase}.",
    "dug": "{by} dug and found {gold} gold.",
    "stole": "{by} stole {gold} gold from {of}.",
}


@dataclass(frozen=True, kw_only=True)
class Position(SmallPosition):
    """All there is to know of a game between two letters: besides what the kit keeps, what each has."""

    gold: Mapping[str, Count]
    phase: Literal["dig", "steal"] = "dig"


def begin(names: tuple[str, ...], options: Options, dice: Dice) -> Position:
    """The first position."""
    return Position(names=names, gold=dict.fromkeys(names, 0))


def others(position: Position, seat: str) -> list[str]:
    """All seats but this one."""
    return [name for name in position.names if name != seat]


def choices(position: Position, seat: str) -> list[list[str]]:
    """What the seat could write in this phase: a line of each list."""
    return [["Dig"] if position.phase == "dig" else [f"Steal from {name}" for name in others(position, seat)]]


def understood(position: Position, seat: str, order: Order) -> str:
    """The line as it is filed. Raises `Fault` if it is wrong."""
    if order.kind != position.phase:
        raise Fault(f"that is for the phase {order.kind}")
    return "Dig" if order.kind == "dig" else f"Steal from {one_of(order.words[0], others(position, seat), 'digger')}"


def step(position: Position, orders: Sequence[tuple[str, Order]], dice: Dice) -> Resolution[Position]:
    """All dig, or all steal. Gold that is dug is known to its digger alone, what is stolen to both."""
    gold = dict(position.gold)
    events = [Event("slept", {"by": name, "phase": position.phase}) for name in position.missed]
    for name, (kind, words) in orders:
        if kind == "dig":
            found = dice.roll(6)
            gold[name] += found
            events.append(Event("dug", {"by": name, "gold": found}, (name,)))
        else:
            loot = min(3, gold[words[0]])
            gold[words[0]] -= loot
            gold[name] += loot
            events.append(Event("stole", {"by": name, "of": words[0], "gold": loot}, (name, words[0])))
    phase, turn = ("steal", position.turn) if position.phase == "dig" else ("dig", position.turn + 1)
    return Resolution(replace(position, gold=gold, phase=phase, turn=turn), tuple(events))


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


ruleset = replace(
    SmallGame(
        info=INFO,
        position=Position,
        begin=begin,
        choices=choices,
        understood=understood,
        step=step,
        view=view,
        outcome=outcome,
    ).ruleset,
    step_name=lambda position: position.phase,
)
