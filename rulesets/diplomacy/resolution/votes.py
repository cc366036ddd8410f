"""Votes for an end: a draw of all who are left, or the victory of one to whom all others concede (DI-83 to DI-86)."""

from collections.abc import Mapping

from pbmd.rules import Event

from ..world.commands import VOTES, Concede, Draw, Vote
from ..world.state import End, Position
from .given import Given, orders_given


def votes(position: Position, given: Given) -> Mapping[str, Vote]:
    """The last vote of each power that has one in its orders for these moves."""
    cast = {name: order for name, orders in given.items() for order in orders if isinstance(order, VOTES)}
    return {name: cast[name] for name in voters(position) if name in cast} if cast else {}


def ends_by_votes(position: Position) -> bool:
    """Whether the votes on file end the game, whatever else is sent for these moves (DI-85)."""
    return position.kind == "moves" and decided(position, votes(position, orders_given(position)))[0] != ""


def voters(position: Position) -> tuple[str, ...]:
    """The powers whose agreement is needed: all that are played and have units, in the order of sign-up."""
    return tuple(name for name in position.active if position.by_power[name].units)


def decided(position: Position, cast: Mapping[str, Vote]) -> tuple[End, tuple[str, ...]]:
    """How the game ends by these votes, and who has won or shares the draw; ("", ()) if it goes on."""
    if not cast:
        return "", ()
    able = voters(position)
    if all(isinstance(cast.get(name), Draw) for name in able):
        return "draw", sharers(position)
    for winner in able:
        others = [name for name in able if name != winner]
        if others and all(cast.get(name) == Concede(winner) for name in others):
            return "concession", (winner,)
    return "", ()


def sharers(position: Position) -> tuple[str, ...]:
    """Who shares a draw: all that are played and left on the map (DI-83)."""
    return tuple(name for name in position.active if position.by_power[name].survives)


def vote_events(position: Position, cast: Mapping[str, Vote]) -> list[Event]:
    """Who has voted for what, for all to read where votes are open (DI-86)."""
    if position.options.votes == "secret":
        return []
    return [Event("vote", {"power": name, "vote": vote.text}) for name, vote in cast.items()]
