"""The Dike: villagers who win or lose together heap up a dike before each storm."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from typing import Literal

from pbmd.rules import Dice, Event, Options, Outcome, Reader, Resolution, read_info
from pbmd.rules.documents import Count, Positive
from pbmd.rules.facts import stand
from pbmd.rules.small_game import Order, SmallGame, SmallPosition, number_of, one_of
from pbmd.rules.words import counted

INFO = read_info(files(__package__ or __name__))
PLACES = ("North", "Middle", "South")
MOST_BREACHES = 3
WORDS = {
    "slept": "{by} sent no orders.",
    "heaped": "{by} heaped up the {place}.",
    "watched": "{by} watched the sea.",
    "held": "A storm of {strength} came to the {place}, and the dike held.",
    "broke": "A storm of {strength} broke the dike in the {place}.",
    "seen": "You saw from the tower: a storm of {strength} comes to the {place} next.",
}


@dataclass(frozen=True)
class Storm:
    """Where it comes, and how strong it is."""

    place: Literal["North", "Middle", "South"]
    strength: Positive


@dataclass(frozen=True, kw_only=True)
class Position(SmallPosition):
    """How high the dike is in each place, how often it broke, and the storm that comes at the end of the turn."""

    heights: tuple[Count, Count, Count] = (2, 2, 2)
    breaches: Count = 0
    coming: Storm


def storm(dice: Dice) -> Storm:
    """The next one: a die for the place, two for the strength."""
    return Storm(PLACES[dice.roll(len(PLACES)) - 1], dice.roll(4) + dice.roll(4))


def begin(names: tuple[str, ...], options: Options, dice: Dice) -> Position:
    """The first position."""
    return Position(names=names, coming=storm(dice))


def choices(position: Position, seat: str) -> list[list[str]]:
    """What a villager can do: one of these."""
    return [[*(f"Heap {place}" for place in PLACES), "Watch"]]


def understood(position: Position, seat: str, order: Order) -> str:
    """The line as it is filed."""
    return "Watch" if order.kind == "watch" else f"Heap {one_of(order.words[0], PLACES, 'place')}"


def step(position: Position, orders: Sequence[tuple[str, Order]], dice: Dice) -> Resolution[Position]:
    """All work, then the storm comes. Who watches gets to know the storm after it."""
    heights = list(position.heights)
    events = [Event("slept", {"by": name}) for name in position.missed]
    for name, (kind, words) in orders:
        if kind == "heap":
            heights[PLACES.index(words[0])] += 1
        what = {"by": name, "place": words[0]} if kind == "heap" else {"by": name}
        events.append(Event("heaped" if kind == "heap" else "watched", what))
    now, after = position.coming, storm(dice)
    struck = PLACES.index(now.place)
    broke = now.strength > heights[struck]
    events.append(Event("broke" if broke else "held", told(now)))
    heights[struck] = max(0, heights[struck] - 1)
    watchers = tuple(name for name, order in orders if order.kind == "watch")
    if watchers:
        events.append(Event("seen", told(after), watchers))
    north, middle, south = heights
    changes = replace(position, heights=(north, middle, south), breaches=position.breaches + broke, coming=after)
    return Resolution(replace(changes, turn=position.turn + 1), tuple(events))


def told(storm: Storm) -> dict[str, object]:
    """A storm, in an event."""
    return {"place": storm.place, "strength": storm.strength}


def view(position: Position, events: Sequence[Event], reader: Reader) -> Mapping[str, object]:
    """The dike is seen by all. What was seen from the tower is in the events, of those who watched alone."""
    breaches = f"It broke {counted(position.breaches, 'time')}; the third time the village is lost."
    data: dict[str, object] = {
        "told": [WORDS[event.kind].format(**event.data) for event in events],
        "heights": dict(zip(PLACES, position.heights, strict=True)),
        "count": breaches,
    }
    if outcome(position) is None:
        left = counted(number_of("storms", INFO, position) - position.turn + 1, "storm")
        data["stand"] = stand("All win who are there after the last storm.", f"To come: {left}.")
    return data


def outcome(position: Position) -> Outcome | None:
    """All have won, or nobody has."""
    if position.breaches >= MOST_BREACHES:
        return Outcome((), "The sea has taken the village.")
    if position.turn > number_of("storms", INFO, position):
        return Outcome(position.names, "The village is saved, and all have won.")
    return None


ruleset = SmallGame(
    info=INFO,
    position=Position,
    begin=begin,
    choices=choices,
    understood=understood,
    step=step,
    view=view,
    outcome=outcome,
).ruleset
