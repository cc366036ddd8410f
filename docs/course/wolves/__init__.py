"""Wolves: by night wolves come, by day the village drives somebody out."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from typing import Literal

from pbmd.rules import Dice, Event, Options, Outcome, Reader, Resolution, read_info
from pbmd.rules.checking import Fault
from pbmd.rules.facts import stand
from pbmd.rules.randomly import shuffled
from pbmd.rules.small_game import Order, SmallGame, SmallPosition, one_of
from pbmd.rules.words import listing

INFO = read_info(files(__package__ or __name__))
Role = Literal["wolf", "seer", "villager"]
KINDS = {"night": "visit", "day": "accuse"}
WORDS = {
    "slept": "{by} did nothing by {phase}.",
    "killed": "By morning {who} was dead. The tracks are of a wolf. {who} was a {role}.",
    "quiet": "The night was quiet.",
    "seen": "You have seen by night: {who} is a {role}.",
    "accused": "{by} accused {who}.",
    "driven": "{who} was driven out, and was a {role}.",
    "nobody": "Nobody was driven out.",
}


@dataclass(frozen=True, kw_only=True)
class Position(SmallPosition):
    """Who is what, who is still there, and whether it is night or day."""

    roles: Mapping[str, Role]
    alive: tuple[str, ...]
    phase: Literal["night", "day"] = "night"


def begin(names: tuple[str, ...], options: Options, dice: Dice) -> Position:
    """One in four is a wolf; dice say who."""
    wolves: list[Role] = ["wolf"] * (len(names) // 4)
    seers: list[Role] = ["seer"] if options["seer"] else []
    villagers: list[Role] = ["villager"] * (len(names) - len(wolves) - len(seers))
    roles = dict(zip(names, shuffled(dice, wolves + seers + villagers), strict=True))
    return Position(names=names, alive=names, roles=roles)


def others(position: Position, seat: str) -> list[str]:
    """All who are alive but this one."""
    return [name for name in position.alive if name != seat]


def choices(position: Position, seat: str) -> list[list[str]]:
    """By night all visit somebody, so that nobody can tell a wolf by their letters; by day all accuse."""
    verb = KINDS[position.phase].capitalize()
    return [[f"{verb} {name}" for name in others(position, seat)]] if seat in position.alive else []


def understood(position: Position, seat: str, order: Order) -> str:
    """The line as it is filed. Raises `Fault` if it is wrong."""
    if order.kind != KINDS[position.phase]:
        raise Fault("visit by night, and accuse by day")
    return f"{order.kind.capitalize()} {one_of(order.words[0], others(position, seat), 'villager')}"


def step(position: Position, orders: Sequence[tuple[str, Order]], dice: Dice) -> Resolution[Position]:
    """A night, or a day."""
    named = {name: order.words[0] for name, order in orders}
    slept = [Event("slept", {"by": name, "phase": position.phase}) for name in position.missed]
    if position.phase == "night":
        return night(position, named, slept)
    accused = [Event("accused", {"by": name, "who": who}) for name, who in named.items()]
    gone = most_named(named.values(), ties=False)
    after = replace(without(position, gone), phase="night", turn=position.turn + 1)
    return Resolution(after, (*slept, *accused, loss("driven", position, gone) if gone else Event("nobody", {})))


def night(position: Position, visits: Mapping[str, str], slept: Iterable[Event]) -> Resolution[Position]:
    """Wolves kill whom most of them visit; a seer gets to know what somebody is. Others only walk about."""
    wolves = {name for name in position.alive if position.roles[name] == "wolf"}
    gone = most_named([who for name, who in visits.items() if name in wolves and who not in wolves], ties=True)
    seen = [
        Event("seen", {"who": who, "role": position.roles[who]}, (name,))
        for name, who in visits.items()
        if position.roles[name] == "seer"
    ]
    after = replace(without(position, gone), phase="day")
    return Resolution(after, (*slept, *seen, loss("killed", position, gone) if gone else Event("quiet", {})))


def most_named(names: Iterable[str], *, ties: bool) -> str:
    """Who was named most often, of several the first if `ties` count, else nobody."""
    ranked = [*Counter(names).most_common(2), ("", 0), ("", 0)]
    return ranked[0][0] if ties or ranked[0][1] > ranked[1][1] else ""


def without(position: Position, gone: str) -> Position:
    """The village after a loss."""
    return replace(position, alive=tuple(name for name in position.alive if name != gone))


def loss(kind: str, position: Position, who: str) -> Event:
    """Somebody is gone, and all get to know what they were."""
    return Event(kind, {"who": who, "role": position.roles[who]})


def press(position: Position, seat: str) -> Mapping[str, tuple[str, ...]]:
    """By day the living talk, and all hear it. By night wolves talk with wolves. The dead talk with the dead."""
    dead = tuple(name for name in position.names if name not in position.alive)
    pack = tuple(name for name in position.alive if position.roles[name] == "wolf")
    if seat in dead:
        return {"dead": dead}
    if position.phase == "day":
        return {"all": position.names}
    return {"wolves": pack} if seat in pack else {}


def view(position: Position, events: Sequence[Event], reader: Reader) -> Mapping[str, object]:
    """A villager sees their own role; a wolf the other wolves, too."""
    data: dict[str, object] = {
        "told": [WORDS[event.kind].format(**event.data) for event in events],
        "village": [[name, "alive" if name in position.alive else "gone"] for name in position.names],
        "role": secret(position, reader),
    }
    if outcome(position) is None:
        data["stand"] = stand(
            "The village wins when no wolf is left, wolves when they are as many as the others.",
            f"{len(position.alive)} of {len(position.names)} are alive.",
        )
        if reader.kind == "seat" and reader.seat not in position.alive:
            data["out"] = True
    return data


def secret(position: Position, reader: Reader) -> str:
    """What a reader may know of roles."""
    if reader.kind == "gm":
        return listing(f"{name} is a {position.roles[name]}" for name in position.names) + "."
    role = position.roles.get(reader.seat)
    pack = [name for name in position.names if position.roles[name] == "wolf" and name != reader.seat]
    more = f" So is {listing(pack)}." if role == "wolf" and pack else ""
    return f"You are a {role}.{more}" if role else ""


def outcome(position: Position) -> Outcome | None:
    """Who has won: the wolves, or all others."""
    wolves = [name for name in position.alive if position.roles[name] == "wolf"]
    if wolves and 2 * len(wolves) < len(position.alive):
        return None
    winners = tuple(name for name in position.names if (position.roles[name] == "wolf") == bool(wolves))
    return Outcome(winners, "The wolves rule the village." if wolves else "The village is rid of wolves.")


def phase(position: Position) -> str:
    """Night or day, for the name of a step, too."""
    return position.phase


ruleset = replace(
    SmallGame(
        info=INFO,
        position=Position,
        begin=begin,
        acting=lambda position: position.alive,
        choices=choices,
        understood=understood,
        step=step,
        view=view,
        outcome=outcome,
    ).ruleset,
    press=press,
    phase=phase,
    step_name=phase,
)
