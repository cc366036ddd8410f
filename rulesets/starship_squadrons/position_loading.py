"""Reading a position document (section 4 of the rules) strictly, with the place of whatever is wrong."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from pbmd.rules import OptionValue, PositionError, Sheet, fold
from pbmd.rules.documents import read_document
from pbmd.rules.options import changed
from pbmd.rules.sheets import in_arrival_order, sheet_of

from .checks import sheet_problem
from .tables import INFO, SIDE_NAMES, GameOptions, game_options
from .world.condition import supply_room, unit_cost
from .world.factors import FACTORS, Factor, Factors
from .world.hexes import Size
from .world.map_loading import load_systems, place_on
from .world.names import map_names, name_problem, player_name_problem
from .world.schema import (
    VERSION,
    DocumentTable,
    FleetTable,
    QuestionTable,
    SideTable,
    UnitTable,
)
from .world.state import (
    Counter,
    Fleet,
    Loss,
    Place,
    Player,
    Position,
    Question,
    Side,
    Sighting,
    Spot,
    Transit,
    Unit,
    name_of,
)


def load(document: Mapping[str, Any]) -> Position:
    """The position in a document. Raises `PositionError` with the place of what is wrong."""
    content = read_document(DocumentTable, document)
    if content.ruleset != INFO.slug:
        raise PositionError("ruleset", f'this is a position of "{content.ruleset:.60}", not of "{INFO.slug}"')
    if content.version != VERSION:
        raise PositionError("version", f"{VERSION} is wanted here, not {content.version}")
    given, options = _load_options(content.options)
    sides = _load_sides(content.sides)
    jump_size = Size(content.jump_map.columns, content.jump_map.rows)
    position = Position(
        day=content.day,
        phase=content.phase,
        given=given,
        options=options,
        jump_size=jump_size,
        sides=sides,
        players=_load_players(content),
        systems=load_systems(content, jump_size),
        next_transit=content.next_transit,
        winner=content.winner,
        reason=content.reason,
    )
    _check_phase(position)
    transits = _load_transits(content, position)
    # The next group gets a number that none has, also where the document was made by hand.
    free = max((transit.number + 1 for transit in transits), default=1)
    position = replace(position, transits=transits, next_transit=max(position.next_transit, free))
    position = replace(position, units=_load_units(content, position), questions=_load_questions(content, position))
    position = replace(position, fleets=_load_fleets(content, position), losses=_load_losses(content, position))
    return _with_running_step(position, content)


def _load_options(given: Mapping[str, Any]) -> tuple[tuple[tuple[str, OptionValue], ...], GameOptions]:
    try:
        options = game_options(given.items())
    except ValueError as problem:
        raise PositionError("options", str(problem)) from None
    return tuple(changed(INFO.options, given).items()), options


def _check_phase(position: Position) -> None:
    phases = {"setup", "over", *(("1a", "1b", "1f", "2a", "2b", "2f", "ops") if position.in_phases else ("day",))}
    if position.phase not in phases:
        raise PositionError("phase", f'there is no phase "{position.phase}" with turn_mode "{position.options.turn_mode}"')
    if (position.day == 0) != (position.phase == "setup") and not position.is_over:
        raise PositionError("day", "the day is 0 in set-up, and only then")
    if position.is_over != (position.winner != -1):
        raise PositionError("winner", "a game that is over has 0, 1 or 2 here, any other −1")


# --- Sides, players and their counters -----------------------------------------------------------------------------------


def _load_sides(tables: list[SideTable]) -> tuple[Side, Side]:
    for i, table in enumerate(tables):
        if table.id != i + 1:
            raise PositionError(f"sides[{i}].id", f"side {i + 1} comes here, not side {table.id}")
        if table.name and (problem := player_name_problem(table.name)):
            raise PositionError(f"sides[{i}].name", f'"{table.name:.60}": {problem}')
    one, two = (Side(t.id, t.name or SIDE_NAMES[t.id - 1], t.tech, t.points) for t in tables)
    return one, two


def _load_players(content: DocumentTable) -> tuple[Player, ...]:
    found: list[Player] = []
    for i, table in enumerate(content.players):
        if problem := player_name_problem(table.name):
            raise PositionError(f"players[{i}].name", f'"{table.name:.60}": {problem}')
        if any(fold(other.name) == fold(table.name) for other in found):
            raise PositionError(f"players[{i}].name", f"{table.name} is there twice")
        free = 1 + max((_number_of(question) for question in content.questions if question.player == table.name), default=0)
        values: dict[str, Any] = table.model_dump() | {"next_question": table.next_question or free}
        found.append(Player(**values))
    for side in (1, 2):
        if all(player.side != side for player in found):
            raise PositionError("players", f"side {side} has no player")
    return tuple(found)


def _number_of(question: QuestionTable) -> int:
    digits = question.id[1:10]
    return int(digits) if digits.isascii() and digits.isdigit() else 0


def _of_side(player: str, side: int, place: str, position: Position) -> str:
    """The player's name, the first of the side for ""; the player must be of the side."""
    if not player:
        return position.players_of(side)[0].name
    found = position.by_player.get(player)
    if found is None or found.side != side:
        raise PositionError(f"{place}.player", f'side {side} has no player "{player:.60}"')
    return player


def _load_transits(content: DocumentTable, position: Position) -> tuple[Transit, ...]:
    found: dict[int, Transit] = {}
    for i, table in enumerate(content.transits):
        place = f"transits[{i}]"
        number = _numbered(table.id, "T", f"{place}.id")
        if number in found:
            raise PositionError(f"{place}.id", f"{table.id} is there twice")
        if table.origin not in position.by_system:
            raise PositionError(f"{place}.origin", f'there is no system "{table.origin:.60}"')
        to = place_on(table.to_system, table.to_hex, f"{place}.to_", position)
        player = _of_side(table.player, table.side, place, position)
        found[number] = Transit(number, table.side, player, table.day, table.origin, to, table.distance)
    return tuple(found.values())


def _numbered(text: str, letter: str, place: str) -> int:
    digits = text[1:]
    if text[:1] != letter or not (digits.isascii() and digits.isdigit()) or digits[0] == "0" or len(digits) > 9:
        raise PositionError(place, f'"{text:.60}" is no id; ids are written like {letter}1')
    return int(digits)


def _load_spot(table: UnitTable | QuestionTable, where: str, place: str, position: Position) -> Spot:
    """Where a counter is; the fields for anywhere else are empty."""
    unfit = {"board": ("transit",), "transit": ("system", "hex"), "reserve": ("system", "hex", "transit")}[where]
    for field in unfit:
        if getattr(table, field):
            raise PositionError(f"{place}.{field}", f'where is "{where}", so this field is not wanted')
    if where == "board":
        return place_on(table.system, table.hex, f"{place}.", position)
    if where == "transit":
        group = position.by_transit.get(table.transit)
        if group is None or group.side != table.side:
            raise PositionError(f"{place}.transit", f'side {table.side} has no transit group "{table.transit:.60}"')
        return group.id
    return ""


def _load_units(content: DocumentTable, position: Position) -> tuple[Unit, ...]:
    found: dict[tuple[int, str], Unit] = {}
    for i, table in enumerate(content.units):
        unit = _load_unit(table, f"units[{i}]", position)
        if (unit.side, fold(unit.name)) in found:
            raise PositionError(f"units[{i}].name", f"side {unit.side} has a unit {unit.name} already")
        found[unit.side, fold(unit.name)] = unit
    return tuple(found.values())


def _load_unit(table: UnitTable, place: str, position: Position) -> Unit:
    spot = _load_spot(table, table.where, place, position)
    printed = Factors(*(getattr(table, factor) for factor in FACTORS))
    unit = Unit(
        name=table.name,
        kind=table.kind,
        side=table.side,
        player=_of_side(table.player, table.side, place, position),
        printed=printed,
        cost=_cost(table, printed, position),
        place=spot if isinstance(spot, Place) else None,
        transit=spot if isinstance(spot, str) else "",
        damage=table.damage,
        fuel=table.jump if table.fuel_counters is None else table.fuel_counters,
        supplies=table.supply_counters,
        admirals=table.admiral_counters,
        moved=table.moved,
        hits=_load_hits(table, place, position.options),
    )
    if not any(printed):
        raise PositionError(place, "a unit has at least one factor of 1 or more")
    if unit.is_squadron and (problem := name_problem(unit.name, map_names(position.systems))):
        raise PositionError(f"{place}.name", f'"{unit.name:.60}": {problem}')
    if not unit.is_squadron:
        _check_planet(unit, place, position)
    if unit.fuel > printed.jump:
        raise PositionError(f"{place}.fuel_counters", f"there is room for {printed.jump}")
    room = supply_room(unit, position.options.supply_per_factor)
    if unit.supplies > room and position.options.supply_hits != "keep":
        raise PositionError(f"{place}.supply_counters", f"there is room for {room}")
    return unit


def _cost(table: UnitTable, printed: Factors, position: Position) -> int:
    return unit_cost(printed, position.side(table.side).tech, position.options) if table.cost is None else table.cost


def _load_hits(table: UnitTable, place: str, options: GameOptions) -> Factors | None:
    if options.damage_model == "even":
        if table.hits is not None:
            raise PositionError(f"{place}.hits", 'hits are labelled only with damage_model "labelled"')
        return None
    hits = Factors(**table.hits.model_dump()) if table.hits else Factors()
    if sum(hits) != table.damage:
        raise PositionError(f"{place}.damage", f"the labelled hits are {sum(hits)}, not {table.damage}")
    return hits


def _check_planet(unit: Unit, place: str, position: Position) -> None:
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


def _load_questions(content: DocumentTable, position: Position) -> tuple[Question, ...]:
    found: dict[tuple[str, int], Question] = {}
    for i, table in enumerate(content.questions):
        place = f"questions[{i}]"
        number = _numbered(table.id, "Q", f"{place}.id")
        player = _of_side(table.player, table.side, place, position)
        if (player, number) in found:
            raise PositionError(f"{place}.id", f"{player} has a {table.id} already")
        if number >= position.by_player[player].next_question:
            place = f"players[{[*position.by_player].index(player)}].next_question"
            raise PositionError(place, f"{player} has a {table.id} already")
        spot = _load_spot(table, table.where or ("board" if table.hex else "reserve"), place, position)
        on_board = spot if isinstance(spot, Place) else None
        found[player, number] = Question(number, table.side, player, on_board, spot if isinstance(spot, str) else "")
    return tuple(found.values())


def _load_fleets(content: DocumentTable, position: Position) -> tuple[Fleet, ...]:
    found: list[Fleet] = []
    for i, table in enumerate(content.fleets):
        found.append(_load_fleet(table, f"fleets[{i}]", position, found))
    return tuple(found)


def _load_fleet(table: FleetTable, place: str, position: Position, before: Iterable[Fleet]) -> Fleet:
    if table.player not in position.by_player:
        raise PositionError(f"{place}.player", f'there is no player "{table.player:.60}"')
    others = [fleet for fleet in before if fleet.player == table.player]
    if problem := name_problem(table.name, map_names(position.systems) | {fold(fleet.name) for fleet in others}):
        raise PositionError(f"{place}.name", f'"{table.name:.60}": {problem}')
    counters = _fleet_counters(position, table.player)
    in_others = {member for fleet in others for member in fleet.members}
    spots: set[Spot] = set()
    for k, name in enumerate(table.members):
        if name not in counters or name in table.members[:k] or name in in_others:
            raise PositionError(f"{place}.members[{k}]", f'"{name:.60}" is no squadron or "?" without a fleet')
        spots.add(counters[name].spot)
    if len(spots) > 1 or "" in spots:
        raise PositionError(f"{place}.members", "a fleet is in one hex or one transit group")
    return Fleet(table.player, table.name, tuple(table.members))


def _fleet_counters(position: Position, player: str) -> dict[str, Counter]:
    """The player's counters that can be in a fleet, by name."""
    squadrons = (unit for unit in position.units if unit.player == player and unit.is_squadron)
    questions = (question for question in position.questions if question.player == player)
    return {name_of(counter): counter for counter in (*squadrons, *questions)}


def _load_losses(content: DocumentTable, position: Position) -> tuple[Loss, ...]:
    for i, table in enumerate(content.losses):
        if table.player:
            _of_side(table.player, table.side, f"losses[{i}]", position)
    return tuple(Loss(**table.model_dump()) for table in content.losses)


# --- The running step ----------------------------------------------------------------------------------------------------


def _with_running_step(position: Position, content: DocumentTable) -> Position:
    for field in ("missed", "mailed", "overdue"):
        names: list[str] = getattr(content, field)
        for i, name in enumerate(names):
            if name not in position.by_player or name in names[:i]:
                raise PositionError(f"{field}[{i}]", f'"{name:.60}" is no player, or there twice')
    sightings = tuple(
        Sighting(
            table.side,
            place_on(table.system, table.hex, f"sightings[{i}].", position),
            table.name,
            table.day,
            table.kind,
            Factors(**table.factors),
            table.damage,
        )
        for i, table in enumerate(content.sightings)
    )
    position = replace(
        position,
        missed=tuple(content.missed),
        mailed=tuple(content.mailed),
        overdue=tuple(content.overdue),
        sightings=sightings,
    )
    sheets = [Sheet(table.player, (table.arrival[0], table.arrival[1]), tuple(table.lines)) for table in content.sheets]
    if sheets and position.is_over:
        raise PositionError("sheets", "the game is over")
    for i, sheet in enumerate(sheets):
        if sheet.seat not in position.by_player or sheet_of(sheets[:i], sheet.seat):
            raise PositionError(f"sheets[{i}].player", f'"{sheet.seat:.60}" is no player, or has a sheet already')
        if problem := sheet_problem(position, sheet):
            line, words = problem
            raise PositionError(f"sheets[{i}].lines" + ("" if line is None else f"[{line}]"), words)
    return replace(position, sheets=in_arrival_order(sheets))
