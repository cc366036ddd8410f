"""Units that lose the right to be where they are (7.7 of the rules), and States that lose their last planet (LC-R91)."""

from dataclasses import replace

from ..world.state import Position
from .move import Move, aboard


def closest_planet(position: Position, owner: str, start: str) -> str:
    """The owner's planet, other than `start`, that is the fewest lines from it, among equals the one with the lowest number; ""
    if there is none (LC-R46). A planet to which no line leads is farther than any other."""
    distances = position.galaxy.distances(start)
    farthest = len(position.planets)
    own = [planet.name for planet in position.owned_by(owner) if planet.name != start]
    return min(own, key=lambda name: distances.get(name, farthest), default="")


def evict(move: Move) -> None:
    """Fleets by number go to the closest planet of their owner, or are lost; then armies on surfaces by number surrender."""
    for fleet in move.position.fleets:
        if move.position.may_be_at(fleet.owner, fleet.planet):
            continue
        cargo = [army.id for army in aboard(move.position, fleet.id)]
        refuge = closest_planet(move.position, fleet.owner, fleet.planet)
        if refuge:
            move.put_fleet(fleet._replace(planet=refuge))
        else:
            move.remove_fleet(fleet.id)
        data = {"unit": fleet.id, "state": fleet.owner, "from": fleet.planet, "to": refuge, "cargo": cargo}
        move.tell("evicted", data)
    for army in move.position.armies:
        if not army.planet or move.position.may_be_at(army.owner, army.planet):
            continue
        captor = move.position.planet(army.planet).owner if move.position.options.surrender == "captured" else ""
        if captor:
            move.put_army(army._replace(owner=captor))
        else:
            move.remove_army(army.id)
        move.tell("surrendered", {"unit": army.id, "state": army.owner, "planet": army.planet, "to": captor})


def eliminate(move: Move) -> None:
    """States without a planet are out of the game with all they have (LC-R91)."""
    owners = {planet.owner for planet in move.position.planets}
    for state in move.position.states:
        if state.kind == "eliminated" or state.name in owners:
            continue
        move.tell("eliminated", {"state": state.name, "npc": state.kind == "npc"})
        position = move.position
        move.position = replace(
            position,
            fleets=tuple(fleet for fleet in position.fleets if fleet.owner != state.name),
            armies=tuple(army for army in position.armies if army.owner != state.name),
            relations=tuple(relation for relation in position.relations if state.name not in relation.between),
        )
        move.change(state.name, kind="eliminated", proclaims="")
        leave_list(move, state.name)


def leave_list(move: Move, state: str) -> None:
    """A State is no longer a player's: offers from and to it, its held mail, its turn and proclamations of it are removed."""
    move.lapse(offer for offer in move.position.offers if state in (offer.by, offer.to))
    position = move.position
    move.position = replace(
        position,
        waiting=tuple(name for name in position.waiting if name != state),
        missed=tuple(name for name in position.missed if name != state),
        held=tuple(held for held in position.held if held.state != state),
        states=tuple(
            replace(other, proclaims=other.name) if other.proclaims == state and other.kind == "player" else other
            for other in position.states
        ),
    )
