"""Boarding, jumps, portal trips, landings and the announcement of bombardments (7.3, step 5 of the rules)."""

from collections.abc import Iterable

from ..orders import Bombard, Count, Land, Load, Trip, Written
from ..orders import Move as MoveFleets
from ..world.economy import has_portal, portal_range
from ..world.state import Army, Fleet, Position, capacity
from .move import Bombardment, Landing, Move, aboard, armies_on, enemy_fleets_above, fleets_above


def movement_line(move: Move, written: Written) -> None:
    """Carry out a line of movement; does nothing for other lines."""
    order, line = written
    match order:
        case Load():
            _load(move, order, line)
        case MoveFleets():
            _move(move, order, line)
        case Trip():
            _trip(move, order, line)
        case Land():
            _land(move, order.armies, order.planet, order.fleet, line)
        case Bombard():
            _bombard(move, order, line)
        case _:
            pass


# --- Which units -------------------------------------------------------------------------------------------------------


def _chosen(move: Move, line: str, count: Count, able: Iterable[str]) -> tuple[str, ...]:
    """This many of the units that can do it, lowest numbers first; a number is all or nothing (section 6.1)."""
    units = tuple(able)
    if not units or count.number > len(units):
        move.fail(line, "not_enough_units")
        return ()
    return units[: count.number] if count.number else units


def _own_fleet(move: Move, unit: str) -> Fleet | None:
    fleet = move.position.fleet(unit)
    return fleet if fleet and fleet.owner == move.state else None


def _own_army(move: Move, unit: str) -> Army | None:
    army = move.position.army(unit)
    return army if army and army.owner == move.state else None


def _has_stepped(move: Move, army: str) -> bool:
    """Whether the army has already used its one movement in this move (LC-R58)."""
    return move.position.options.army_steps == "one" and army in move.steps


def _bombards(move: Move, fleet: str) -> bool:
    return any(bombardment.fleet == fleet for bombardment in move.bombardments)


def _may_jump(move: Move, fleet: str) -> bool:
    bound = _bombards(move, fleet) or any(landing.fleet == fleet for landing in move.landings)
    return fleet not in move.origins and not bound


def _may_bombard(move: Move, fleet: str) -> bool:
    return fleet not in move.origins and not _bombards(move, fleet)


# --- Boarding ----------------------------------------------------------------------------------------------------------


def _load(move: Move, order: Load, line: str) -> None:
    if isinstance(order.armies, tuple):
        for unit in order.armies:
            if reason := _board(move, unit, order.fleet):
                move.fail(line, reason, unit)
        return
    fleets = fleets_above(move.position, order.planet, move.state)
    room = sum(_room(move.position, fleet) for fleet in fleets)
    able = [army.id for army in armies_on(move.position, order.planet, move.state) if not _has_stepped(move, army.id)]
    for unit in _chosen(move, line, order.armies, able[:room]):
        fleet = next(fleet for fleet in fleets if _room(move.position, fleet))
        if reason := _board(move, unit, fleet.id):
            move.fail(line, reason, unit)


def _room(position: Position, fleet: Fleet) -> int:
    return max(0, capacity(position, fleet.owner) - len(aboard(position, fleet.id)))


def _board(move: Move, unit: str, onto: str) -> str:
    army, fleet = _own_army(move, unit), _own_fleet(move, onto)
    if army is None or fleet is None:
        return "not_your_unit"
    if _has_stepped(move, unit):
        return "already_moved"
    if army.planet != fleet.planet:
        return "not_together"
    if not _room(move.position, fleet):
        return "no_room"
    move.put_army(army._replace(planet="", fleet=fleet.id))
    move.steps.add(unit)
    move.tell("boarded", {"state": move.state, "unit": unit, "fleet": fleet.id, "planet": fleet.planet})
    return ""


# --- Jumps and trips ---------------------------------------------------------------------------------------------------


def _move(move: Move, order: MoveFleets, line: str) -> None:
    units = order.fleets
    if isinstance(units, Count):
        above = fleets_above(move.position, order.origin, move.state)
        units = _chosen(move, line, units, (fleet.id for fleet in above if _may_jump(move, fleet.id)))
    for unit in units:
        if reason := _jump(move, unit, order):
            move.fail(line, reason, unit)


def _jump(move: Move, unit: str, order: MoveFleets) -> str:
    fleet = _own_fleet(move, unit)
    if fleet is None:
        return "not_your_unit"
    if order.origin and fleet.planet != order.origin:
        return "not_there"
    if not _may_jump(move, unit):
        return "already_moved"
    joined = order.to in move.position.galaxy.neighbours[fleet.planet]
    by_line = joined and not order.portal
    if not by_line and (reason := _portal_problem(move, fleet.planet, order.to)):
        return "not_adjacent" if reason == "no_portal" and not order.portal else reason
    if not move.position.may_be_at(move.state, order.to):
        return "no_right"
    move.put_fleet(fleet._replace(planet=order.to))
    move.origins[unit] = fleet.planet
    cargo = [army.id for army in aboard(move.position, unit)]
    _tell_moved(move, unit, fleet.planet, order.to, portal=not by_line, cargo=cargo)
    return ""


def _tell_moved(move: Move, unit: str, start: str, end: str, *, portal: bool, cargo: list[str]) -> None:
    move.tell("moved", {"state": move.state, "unit": unit, "from": start, "to": end, "portal": portal, "cargo": cargo})


def _portal_problem(move: Move, start: str, end: str) -> str:
    """Why a portal does not lead from one planet to the other (LC-80, LC-81, LC-R64); "" if it does."""
    position = move.position
    if start == end:
        return "not_adjacent"
    for planet in (start, end):
        owner = position.planet(planet).owner
        friendly = owner == move.state or position.have_pact(owner, move.state)
        if not friendly or not has_portal(position, planet):
            return "no_portal"
    reach = portal_range(position, move.state)
    distance = position.galaxy.distances(start).get(end, _UNLIMITED)
    return "" if distance <= reach or reach >= _UNLIMITED else "out_of_range"


_UNLIMITED = 99
"""A range that covers everything (appendix A)."""


def _trip(move: Move, order: Trip, line: str) -> None:
    units = order.armies
    if isinstance(units, Count):
        surface = armies_on(move.position, order.origin, move.state)
        units = _chosen(move, line, units, (army.id for army in surface if not _has_stepped(move, army.id)))
    for unit in units:
        army = _own_army(move, unit)
        if army and army.fleet and not order.origin:
            _land(move, (unit,), order.to, "", line)
        elif reason := _travel(move, unit, army, order):
            move.fail(line, reason, unit)


def _travel(move: Move, unit: str, army: Army | None, order: Trip) -> str:
    if army is None:
        return "not_your_unit"
    if not army.planet or (order.origin and army.planet != order.origin):
        return "not_there"
    if _has_stepped(move, unit):
        return "already_moved"
    if reason := _portal_problem(move, army.planet, order.to):
        return reason
    move.put_army(army._replace(planet=order.to))
    move.steps.add(unit)
    move.came_from[unit] = army.planet
    # An army that landed before, where armies may do both in one move, is no longer below its fleet.
    move.landed_from.pop(unit, None)
    _tell_moved(move, unit, army.planet, order.to, portal=True, cargo=[])
    return ""


# --- Landings and bombardments -----------------------------------------------------------------------------------------


def _land(move: Move, armies: tuple[str, ...] | Count, planet: str, named: str, line: str) -> None:
    units = armies
    if isinstance(units, Count):
        fleets = {fleet.id for fleet in fleets_above(move.position, planet, move.state)}
        waiting = {landing.army for landing in move.landings}
        able = (
            army.id
            for army in move.position.armies
            if army.fleet in fleets and not _has_stepped(move, army.id) and army.id not in waiting
        )
        units = _chosen(move, line, units, able)
    for unit in units:
        if reason := _disembark(move, unit, planet, named, line):
            move.fail(line, reason, unit)


def _disembark(move: Move, unit: str, planet: str, named: str, line: str) -> str:
    army = _own_army(move, unit)
    if army is None:
        return "not_your_unit"
    fleet = move.position.fleet(army.fleet)
    if fleet is None or (named and fleet.id != named):
        return "not_aboard"
    if fleet.planet != planet:
        return "not_there"
    # A landing that waits for the fleet battle is not ordered twice, even where armies move freely.
    if _has_stepped(move, unit) or any(landing.army == unit for landing in move.landings):
        return "already_moved"
    if not move.position.may_be_at(move.state, planet):
        return "no_right"
    move.steps.add(unit)
    if enemy_fleets_above(move.position, planet, move.state):
        move.landings.append(Landing(unit, fleet.id, planet, line))
        return ""
    put_on_surface(move, army, fleet)
    return ""


def put_on_surface(move: Move, army: Army, fleet: Fleet, *, contested: bool = False) -> None:
    """An army goes from its fleet onto the planet below; `contested` if the fleets had to fight first."""
    move.put_army(army._replace(planet=fleet.planet, fleet=""))
    move.landed_from[army.id] = fleet.id
    move.came_from.pop(army.id, None)
    data = {"state": move.state, "unit": army.id, "fleet": fleet.id, "planet": fleet.planet, "contested": contested}
    move.tell("landed", data)


def _bombard(move: Move, order: Bombard, line: str) -> None:
    units = order.fleets
    if isinstance(units, Count):
        above = fleets_above(move.position, order.planet, move.state)
        units = _chosen(move, line, units, (fleet.id for fleet in above if _may_bombard(move, fleet.id)))
    for unit in units:
        if reason := _announce(move, unit, order.planet, line):
            move.fail(line, reason, unit)


def _announce(move: Move, unit: str, planet: str, line: str) -> str:
    fleet = _own_fleet(move, unit)
    if fleet is None:
        return "not_your_unit"
    if fleet.planet != planet:
        return "not_there"
    if not _may_bombard(move, unit):
        return "already_moved"
    if not move.position.at_war(move.state, move.position.planet(planet).owner):
        return "not_at_war"
    move.bombardments.append(Bombardment(unit, planet, line))
    return ""
