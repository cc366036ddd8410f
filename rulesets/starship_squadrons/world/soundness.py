"""What a position document must satisfy beyond the types of its fields (section 4 of the rules), and what it may leave out."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, TypeVar

from pbmd.rules import PositionError, fold
from pbmd.rules.sound import must_differ

from ..tables import SIDE_NAMES
from .condition import supply_room, unit_cost
from .counters import Counter, Fleet, Spot, Unit, name_of
from .factors import Factor, Factors
from .hexes import Hex, Size
from .names import map_names, name_problem, player_name_problem
from .rows import UNSAID
from .state import Player, Position, Side
from .systems import Body, Place, System

T = TypeVar("T")


def completed(position: Position) -> Position:
    """The position with what its document left out. Raises `PositionError` with the place of the mistake."""
    position = replace(position, sides=tuple(_side(place, side) for place, side in _each("sides", position.sides)))
    position = replace(position, players=_players(position))
    _check_systems(position)
    _check_phase(position)
    _check_transits(position)
    # The next group gets an unused number, even if the document was made by hand.
    free = max((transit.number + 1 for transit in position.transits), default=1)
    position = replace(position, next_transit=max(position.next_transit, free), **_commanded(position))
    on_map = map_names(position.systems)
    units = (_unit(place, unit, position, on_map) for place, unit in _each("units", position.units))
    position = replace(position, units=tuple(units))
    _check_names_of_units(position)
    _check_questions(position)
    for number, (place, fleet) in enumerate(_each("fleets", position.fleets)):
        _check_fleet(place, fleet, position, position.fleets[:number])
    _check_memories(position)
    return position


def _each(field: str, things: Iterable[T]) -> Iterator[tuple[str, T]]:
    """The things with their places."""
    return ((f"{field}[{number}]", thing) for number, thing in enumerate(things))


def _proper(place: str, name: str, problem: str) -> None:
    if problem:
        raise PositionError(place, f'"{name:.60}": {problem}')


# --- Sides, players, map -------------------------------------------------------------------------------------------------


def _side(place: str, side: Side) -> Side:
    if place != f"sides[{side.id - 1}]":
        raise PositionError(f"{place}.id", f"side {3 - side.id} comes here, not side {side.id}")
    if side.name:
        _proper(f"{place}.name", side.name, player_name_problem(side.name))
    return replace(side, name=side.name or SIDE_NAMES[side.id - 1])


def _players(position: Position) -> tuple[Player, ...]:
    must_differ("players", "name", (player.name for player in position.players))
    found: list[Player] = []
    for place, player in _each("players", position.players):
        _proper(f"{place}.name", player.name, player_name_problem(player.name))
        free = 1 + max((question.number for question in position.questions if question.player == player.name), default=0)
        found.append(replace(player, next_question=free) if player.next_question == UNSAID else player)
    for side in (1, 2):
        if all(player.side != side for player in found):
            raise PositionError("players", f"side {side} has no player")
    return tuple(found)


def _check_phase(position: Position) -> None:
    phases = {"setup", "over", *(("1a", "1b", "1f", "2a", "2b", "2f", "ops") if position.in_phases else ("day",))}
    if position.phase not in phases:
        raise PositionError("phase", f'there is no phase "{position.phase}" with turn_mode "{position.options.turn_mode}"')
    if (position.day == 0) != (position.phase == "setup") and not position.is_over:
        raise PositionError("day", "the day is 0 in set-up, and only then")
    if position.is_over != (position.winner != -1):
        raise PositionError("winner", "a game that is over has 0, 1 or 2 here, any other −1")


def _check_systems(position: Position) -> None:
    for number, (place, system) in enumerate(_each("systems", position.systems)):
        before = position.systems[:number]
        _proper(f"{place}.name", system.name, name_problem(system.name, map_names(before)))
        _check_hex(f"{place}.hex", system.hex, position.jump_size, "the jump map")
        if any(other.hex == system.hex for other in before):
            raise PositionError(f"{place}.hex", f"there is a system at {system.hex.text} already")
        _check_board(place, system, position, before)


def _check_board(place: str, system: System, position: Position, before: tuple[System, ...]) -> None:
    for where, zone in _each(f"{place}.deploy", system.deploy):
        if not zone.first <= zone.last <= system.size.columns:
            raise PositionError(f"{where}.max_col", f"a column from {zone.first} to {system.size.columns} is wanted here")
    for k, (where, body) in enumerate(_each(f"{place}.bodies", system.bodies)):
        taken = map_names((*before, replace(system, bodies=system.bodies[:k])))
        _proper(f"{where}.name", body.name, name_problem(body.name, taken))
        _check_body(where, body, system, position)


def _check_body(place: str, body: Body, system: System, position: Position) -> None:
    if body.kind != "planet" and (body.owner or body.capital):
        raise PositionError(f"{place}.{'owner' if body.owner else 'capital'}", "only planets have an owner or a capital")
    if body.kind == "star" and body.starport:
        raise PositionError(f"{place}.starport", "stars have no starport")
    if body.stock and not body.starport:
        raise PositionError(f"{place}.stock", "only starports have a stock")
    if body.commander and body.commander not in position.by_player:
        raise PositionError(f"{place}.commander", f'there is no player "{body.commander:.60}"')
    _check_hex(f"{place}.hex", body.hex, system.size, f"the {system.name} board")


def _check_hex(place: str, where: Hex, size: Size, board: str) -> None:
    if not size.holds(where):
        raise PositionError(place, f"hex {where.text} is not on {board} ({size.text})")


def _check_place(place: str, where: Place, position: Position) -> None:
    """`place` is the prefix for the names of its two fields."""
    system = position.by_system.get(where.system)
    if system is None:
        raise PositionError(f"{place}system", f'there is no system "{where.system:.60}"')
    _check_hex(f"{place}hex", where.hex, system.size, f"the {system.name} board")


# --- Counters ------------------------------------------------------------------------------------------------------------


def _of_side(place: str, player: str, side: int, position: Position) -> str:
    """The player's name, the first of the side for ""; the player must belong to the side."""
    if not player:
        return position.players_of(side)[0].name
    found = position.by_player.get(player)
    if found is None or found.side != side:
        raise PositionError(f"{place}.player", f'side {side} has no player "{player:.60}"')
    return player


def _commanded(position: Position) -> dict[str, tuple[Any, ...]]:
    """Transit groups, units and "?", each with a player of its side."""
    return {
        field: tuple(
            replace(thing, player=_of_side(place, thing.player, thing.side, position))
            for place, thing in _each(field, getattr(position, field))
        )
        for field in ("transits", "units", "questions")
    }


def _check_transits(position: Position) -> None:
    must_differ("transits", "id", (transit.id for transit in position.transits))
    for place, transit in _each("transits", position.transits):
        if transit.origin not in position.by_system:
            raise PositionError(f"{place}.origin", f'there is no system "{transit.origin:.60}"')
        _check_place(f"{place}.to_", transit.to, position)


def _check_spot(place: str, counter: Counter, position: Position) -> None:
    spot = counter.spot
    if isinstance(spot, Place):
        _check_place(f"{place}.", spot, position)
    elif spot or isinstance(counter, Unit):
        group = position.by_transit.get(spot)
        if group is None or group.side != counter.side:
            raise PositionError(f"{place}.transit", f'side {counter.side} has no transit group "{spot:.60}"')


def _unit(place: str, unit: Unit, position: Position, on_map: frozenset[str]) -> Unit:
    _check_spot(place, unit, position)
    cost = unit_cost(unit.printed, position.side(unit.side).tech, position.options) if unit.cost == UNSAID else unit.cost
    fuel = unit.printed.jump if unit.fuel == UNSAID else unit.fuel
    unit = replace(unit, cost=cost, fuel=fuel, hits=_hits(place, unit, position))
    if not any(unit.printed):
        raise PositionError(place, "a unit has at least one factor of 1 or more")
    if unit.is_squadron:
        _proper(f"{place}.name", unit.name, name_problem(unit.name, on_map))
    else:
        _check_planet(place, unit, position)
    if unit.fuel > unit.printed.jump:
        raise PositionError(f"{place}.fuel_counters", f"there is room for {unit.printed.jump}")
    room = supply_room(unit, position.options.supply_per_factor)
    if unit.supplies > room and position.options.supply_hits != "keep":
        raise PositionError(f"{place}.supply_counters", f"there is room for {room}")
    return unit


def _hits(place: str, unit: Unit, position: Position) -> Factors | None:
    if position.options.damage_model == "even":
        if unit.hits is not None:
            raise PositionError(f"{place}.hits", 'hits are labelled only with damage_model "labelled"')
        return None
    hits = unit.hits or Factors()
    if sum(hits) != unit.damage:
        raise PositionError(f"{place}.damage", f"the labelled hits are {sum(hits)}, not {unit.damage}")
    return hits


def _check_planet(place: str, unit: Unit, position: Position) -> None:
    movement: tuple[Factor, ...] = ("jump", "maneuver")
    for factor in movement:
        if unit.printed.of(factor):
            raise PositionError(f"{place}.{factor}", "a Planet counter does not move or jump")
    bodies = position.by_system[unit.place.system].bodies if unit.place else ()
    here = [body for body in bodies if body.kind == "planet" and unit.place and body.hex == unit.place.hex]
    if not here:
        raise PositionError(f"{place}.hex", "a Planet counter stands on a planet")
    if all(body.name != unit.name for body in here):
        raise PositionError(f"{place}.name", f"a Planet counter has the name of its planet, {here[0].name}")


def _check_names_of_units(position: Position) -> None:
    found: set[tuple[int, str]] = set()
    for place, unit in _each("units", position.units):
        if (unit.side, fold(unit.name)) in found:
            raise PositionError(f"{place}.name", f"side {unit.side} has a unit {unit.name} already")
        found.add((unit.side, fold(unit.name)))


def _check_questions(position: Position) -> None:
    found: set[tuple[str, int]] = set()
    for place, question in _each("questions", position.questions):
        player = question.player
        if (player, question.number) in found:
            raise PositionError(f"{place}.id", f"{player} has a {question.id} already")
        found.add((player, question.number))
        if question.number >= position.by_player[player].next_question:
            next_question = f"players[{[*position.by_player].index(player)}].next_question"
            raise PositionError(next_question, f"{player} has a {question.id} already")
        _check_spot(place, question, position)


# --- Fleets, and what is remembered --------------------------------------------------------------------------------------


def _check_fleet(place: str, fleet: Fleet, position: Position, before: Iterable[Fleet]) -> None:
    if fleet.player not in position.by_player:
        raise PositionError(f"{place}.player", f'there is no player "{fleet.player:.60}"')
    others = [other for other in before if other.player == fleet.player]
    taken = map_names(position.systems) | {fold(other.name) for other in others}
    _proper(f"{place}.name", fleet.name, name_problem(fleet.name, taken))
    counters = _counters_for_fleets(position, fleet.player)
    in_others = {member for other in others for member in other.members}
    spots: set[Spot] = set()
    for number, (where, name) in enumerate(_each(f"{place}.members", fleet.members)):
        if name not in counters or name in fleet.members[:number] or name in in_others:
            raise PositionError(where, f'"{name:.60}" is no squadron or "?" without a fleet')
        spots.add(counters[name].spot)
    if len(spots) > 1 or "" in spots:
        raise PositionError(f"{place}.members", "a fleet is in one hex or one transit group")


def _counters_for_fleets(position: Position, player: str) -> dict[str, Counter]:
    """The player's squadrons and "?", by name."""
    squadrons = (unit for unit in position.units if unit.player == player and unit.is_squadron)
    questions = (question for question in position.questions if question.player == player)
    return {name_of(counter): counter for counter in (*squadrons, *questions)}


def _check_memories(position: Position) -> None:
    """Losses, sightings, and who has missed or sent what."""
    for place, loss in _each("losses", position.losses):
        _of_side(place, loss.player, loss.side, position)
    for field in ("mailed", "overdue"):
        names: tuple[str, ...] = getattr(position, field)
        for number, (place, name) in enumerate(_each(field, names)):
            if name not in position.by_player or name in names[:number]:
                raise PositionError(place, f'"{name:.60}" is no player, or there twice')
    for place, sighting in _each("sightings", position.sightings):
        _check_place(f"{place}.", sighting.place, position)
