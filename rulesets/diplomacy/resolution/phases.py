"""The course of the game: which phase follows which, who can act in it, and how it ends (DI-01 to DI-07, DI-80 to DI-87)."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from pbmd.rules import Event

from ..world.state import End, Kind, Phase, Position, Power
from .given import Given, orders_given, sent_ahead
from .movement import move
from .retreats import retreat
from .votes import decided, sharers, vote_events, voters, votes
from .winter import adjust, take_centres, to_build

_NEXT: Mapping[Phase, Phase] = {
    "spring moves": "spring retreats",
    "spring retreats": "autumn moves",
    "autumn moves": "autumn retreats",
    "autumn retreats": "winter",
    "winter": "spring moves",
}
_RETREATS = ("spring retreats", "autumn retreats")
_DONE: Mapping[Kind, Callable[[Position, Given], tuple[tuple[Power, ...], list[Event]]]] = {
    "moves": move,
    "retreats": retreat,
    "winter": adjust,
}


def can_act(position: Position) -> tuple[str, ...]:
    """The seats that have something to say in this phase, in the order of sign-up (DI-03)."""
    powers = position.by_power
    match position.kind:
        case "moves":
            return tuple(name for name in position.active if powers[name].units)
        case "retreats":
            return tuple(name for name in position.active if powers[name].dislodged)
        case "winter":
            return tuple(name for name in position.active if to_build(position, powers[name]))
        case "over":
            return ()


def one_phase(position: Position) -> tuple[Position, list[Event]]:
    """The position at the beginning of the next phase, and what happened in this one."""
    told = [Event("phase", {"phase": position.phase, "code": position.code, "year": position.year})]
    told += [Event("absent", {"power": name}) for name in position.missed]
    given = orders_given(position)
    if position.kind == "moves":
        cast = votes(position, given)
        told += vote_events(position, cast)
        end, winners = decided(position, cast)
        if end:
            return _ended(position, end, winners), told
    powers, events = _DONE[position.kind](position, given)
    following = _NEXT[position.phase]
    if following in _RETREATS and not any(power.dislodged for power in powers):
        following = _NEXT[following]
    ahead = sent_ahead(position, given, following)
    after = replace(position, powers=powers, phase=following, sheets=(), missed=(), ahead=ahead)
    if not events and not position.missed:
        told = []
    if following == "winter":
        after, more = _autumn_ends(after)
        return after, told + events + more
    return _year_begins(after) if following == "spring moves" else after, told + events


def _autumn_ends(position: Position) -> tuple[Position, list[Event]]:
    """Centres change hands, and who has enough of them has won (DI-65, DI-80)."""
    after = take_centres(position)
    row = (after.year, *(len(power.centres) for power in after.powers))
    after = replace(after, history=(*after.history, row))
    event = Event("centres", {"year": after.year, "centres": {power.name: list(power.centres) for power in after.powers}})
    winners = tuple(power.name for power in after.powers if len(power.centres) >= after.board.victory_centres)
    return _ended(after, "victory", winners) if winners else after, [event]


def _year_begins(position: Position) -> Position:
    """The next year, if there is one: not when no power that is played has a unit left, nor after the last (DI-82, DI-87)."""
    if not voters(position):
        return _ended(position, "abandoned", ())
    if position.year == position.options.last_year:
        return _ended(position, "last year", sharers(position))
    return replace(position, turn=position.turn + 1)


def _ended(position: Position, end: End, winners: tuple[str, ...]) -> Position:
    return replace(position, phase="over", end=end, winners=winners, sheets=(), missed=(), ahead=())
