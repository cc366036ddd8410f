"""What a player could order, kind by kind: most of it can be done, and all of it names only what exists."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import product
from typing import Any

from ..orders import (
    Accept,
    Bombard,
    Build,
    Cancel,
    DeclareWar,
    Decline,
    Develop,
    Disband,
    EndMove,
    Gift,
    Land,
    Load,
    Move,
    MoveCapital,
    Offer,
    Order,
    Proclaim,
    Redevelop,
    Research,
    Treaty,
    Trip,
    UnitKind,
    Withdraw,
)
from ..world.economy import has_portal
from ..world.state import Army, Fleet, Position

_TREATIES: tuple[Treaty, ...] = ("peace", "trade", "pact")
_KINDS: tuple[UnitKind, ...] = ("army", "fleet")


def possible(kind: type[Any], position: Position, seat: str) -> Iterable[Any]:
    """Orders of that kind, in the order of the position's tables."""
    return _POSSIBLE[kind](position, seat)


def kind_meant(line: str) -> type[Order] | None:
    """The kind of order that an unreadable line may be, by its first word."""
    return _HEADS.get(line.partition(" ")[0].casefold())


def rivals(position: Position, seat: str) -> list[str]:
    """The other players."""
    return [player.name for player in position.players if player.name != seat]


def _others(position: Position, seat: str) -> list[str]:
    return [state.name for state in position.states if state.kind != "eliminated" and state.name != seat]


def _planets(position: Position, seat: str) -> list[str]:
    return [planet.name for planet in position.owned_by(seat)]


def _armies(position: Position, seat: str) -> list[Army]:
    return [army for army in position.armies if army.owner == seat]


def _fleets(position: Position, seat: str) -> list[Fleet]:
    return [fleet for fleet in position.fleets if fleet.owner == seat]


def _resources(position: Position) -> list[str]:
    return [resource.name for resource in position.data.resource_rows]


def _endings(position: Position, seat: str) -> Iterator[Order]:
    for state in _others(position, seat):
        relation = position.relation(seat, state)
        if relation.trade:
            yield Cancel("trade", state)
        if relation.pact:
            yield Cancel("pact", state)


def _to(kind: Callable[[Treaty, str], Order]) -> Callable[[Position, str], Iterable[Order]]:
    """Answers to standing offers."""
    return lambda position, seat: (kind(offer.treaty, offer.by) for offer in position.offers if offer.to == seat)


def _trips(position: Position, seat: str) -> Iterator[Order]:
    gates = [planet.name for planet in position.planets if has_portal(position, planet.name)]
    for army in _armies(position, seat):
        if army.planet in gates:
            yield from (Trip((army.id,), gate, army.planet, portal=True) for gate in gates if gate != army.planet)


def _redevelopments(position: Position, seat: str) -> Iterator[Order]:
    for planet in position.owned_by(seat):
        yield from (Redevelop(*pair, planet.name) for pair in product(dict.fromkeys(planet.resources), _resources(position)))


def _jumps(position: Position, seat: str) -> Iterator[Order]:
    neighbours = position.galaxy.neighbours
    return (Move((fleet.id,), to) for fleet in _fleets(position, seat) for to in neighbours[fleet.planet])


def _boardings(position: Position, seat: str) -> Iterator[Order]:
    pairs = product(_armies(position, seat), _fleets(position, seat))
    return (Load((army.id,), fleet.id) for army, fleet in pairs if army.planet == fleet.planet)


def _landings(position: Position, seat: str) -> Iterator[Order]:
    planets = {fleet.id: fleet.planet for fleet in _fleets(position, seat)}
    return (Land((army.id,), planets[army.fleet]) for army in _armies(position, seat) if army.fleet)


_POSSIBLE: Mapping[type[Any], Callable[[Position, str], Iterable[Order]]] = {
    EndMove: lambda _position, _seat: [EndMove()],
    Disband: lambda position, seat: (Disband((unit.id,)) for unit in (*_fleets(position, seat), *_armies(position, seat))),
    DeclareWar: lambda position, seat: map(DeclareWar, _others(position, seat)),
    Cancel: _endings,
    Gift: lambda position, seat: (Gift(1, state) for state in rivals(position, seat)),
    Load: _boardings,
    Land: _landings,
    Move: _jumps,
    Trip: _trips,
    Bombard: lambda position, seat: (Bombard(fleet.planet, (fleet.id,)) for fleet in _fleets(position, seat)),
    Research: lambda position, _: (Research(technology.name) for technology in position.data.technology_rows),
    Build: lambda position, seat: (Build(kind, (planet,)) for planet in _planets(position, seat) for kind in _KINDS),
    Develop: lambda position, seat: (
        Develop(resource, planet) for planet in _planets(position, seat) for resource in _resources(position)
    ),
    Redevelop: _redevelopments,
    MoveCapital: lambda position, seat: map(MoveCapital, _planets(position, seat)),
    Offer: lambda position, seat: (Offer(treaty, state) for state in _others(position, seat) for treaty in _TREATIES),
    Accept: _to(Accept),
    Decline: _to(Decline),
    Withdraw: lambda position, seat: (Withdraw(offer.treaty, offer.to) for offer in position.offers if offer.by == seat),
    Proclaim: lambda position, seat: map(Proclaim, (seat, *rivals(position, seat))),
}
_HEADS: dict[str, type[Order]] = {
    **dict.fromkeys(("disband",), Disband),
    **dict.fromkeys(("declare", "war"), DeclareWar),
    **dict.fromkeys(("cancel", "null", "nullify", "break"), Cancel),
    **dict.fromkeys(("gift", "give", "send"), Gift),
    **dict.fromkeys(("load", "board", "embark"), Load),
    **dict.fromkeys(("land", "unload", "disembark"), Land),
    **dict.fromkeys(("move", "fly", "go"), Move),
    **dict.fromkeys(("teleport",), Trip),
    **dict.fromkeys(("bombard", "bomb", "attack"), Bombard),
    **dict.fromkeys(("research", "learn"), Research),
    **dict.fromkeys(("build", "create", "make", "train", "recruit"), Build),
    **dict.fromkeys(("develop",), Develop),
    **dict.fromkeys(("redevelop", "re-develop", "replace"), Redevelop),
    **dict.fromkeys(("offer", "propose"), Offer),
    **dict.fromkeys(("accept", "agree"), Accept),
    **dict.fromkeys(("decline", "refuse", "reject"), Decline),
    **dict.fromkeys(("withdraw",), Withdraw),
    **dict.fromkeys(("proclaim", "vote"), Proclaim),
}
