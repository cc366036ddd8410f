"""The position document (section 4 of the rules): read strictly, with the place of whatever is wrong, and written exactly.

Beyond the specification a document holds the orders of the running step and what belongs to them: see `Position`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Annotated, Any, Literal

from pydantic import Field

from pbmd.rules import Document, OptionValue, PositionError, Sheet, fold
from pbmd.rules.documents import Count, Positive, Table, read_document
from pbmd.rules.options import changed
from pbmd.rules.sheets import in_arrival_order, sheet_of

from .factors import FACTORS, Factor, Factors, supply_room
from .hexes import LARGEST, Hex, Size, hex_named
from .names import map_names, name_problem, player_name_problem
from .pricing import unit_cost
from .receive import sheet_problem
from .state import (
    Body,
    BodyKind,
    Deploy,
    Fleet,
    Loss,
    Owner,
    Phase,
    Place,
    Player,
    PlayerStatus,
    Position,
    Question,
    Side,
    SideNumber,
    Sighting,
    Spot,
    System,
    Transit,
    Unit,
    UnitKind,
)
from .tables import HIGHEST_LEVEL, INFO, SIDE_NAMES, GameOptions, game_options

_VERSION = 1
_Level = Annotated[int, Field(ge=0, le=HIGHEST_LEVEL)]
_Length = Annotated[int, Field(ge=1, le=LARGEST)]
_TransitDay = Annotated[int, Field(ge=0, le=7)]


class _Size(Table):
    columns: _Length = 9
    rows: _Length = 7


class _Side(Table):
    id: SideNumber
    name: str = ""
    tech: Annotated[int, Field(ge=11, le=15)] = 15
    points: Count = 300


class _Player(Table):
    name: str
    side: SideNumber
    status: PlayerStatus = "active"
    missed: Count = 0
    wait: Count = 0
    next_question: Positive | None = None


class _Deploy(Table):
    side: SideNumber
    min_col: _Length
    max_col: _Length


class _Body(Table):
    name: str
    kind: BodyKind
    hex: str
    limit: Count
    owner: Owner = 0
    starport: bool = False
    stock: Count = 0
    capital: bool = False
    value: Count = 0
    commander: str = ""


class _System(Table):
    name: str
    hex: str
    columns: _Length = 19
    rows: _Length = 15
    deploy: list[_Deploy] = Field(default_factory=list[_Deploy])
    bodies: list[_Body] = Field(default_factory=list[_Body])


class _Hits(Table):
    jump: Count = 0
    maneuver: Count = 0
    sensor_range: Count = 0
    attack: Count = 0
    attack_range: Count = 0
    defense: Count = 0
    supply: Count = 0


class _Unit(Table):
    name: str
    kind: UnitKind = "squadron"
    side: SideNumber
    player: str = ""
    jump: _Level = 0
    maneuver: _Level = 0
    sensor_range: _Level = 0
    attack: _Level = 0
    attack_range: _Level = 0
    defense: _Level = 0
    supply: _Level = 0
    cost: Count | None = None
    damage: Count = 0
    fuel_counters: Count | None = None
    supply_counters: Count = 0
    admiral_counters: Count = 0
    where: Literal["board", "transit"] = "board"
    system: str = ""
    hex: str = ""
    transit: str = ""
    moved: bool = False
    hits: _Hits | None = None


class _Question(Table):
    id: str
    side: SideNumber
    player: str
    where: Literal["board", "transit", "reserve", ""] = ""
    system: str = ""
    hex: str = ""
    transit: str = ""


class _Transit(Table):
    id: str
    side: SideNumber
    player: str
    day: _TransitDay
    origin: str
    to_system: str
    to_hex: str
    distance: Count


class _Fleet(Table):
    player: str
    name: str
    members: Annotated[list[str], Field(min_length=1)]


class _Loss(Table):
    side: SideNumber
    name: str
    kind: UnitKind
    cost: Count
    day: Positive
    covered: bool


class _Sheet(Table):
    player: str
    arrival: Annotated[list[int], Field(min_length=2, max_length=2)]
    lines: list[str]


class _Sighting(Table):
    side: SideNumber
    system: str
    hex: str
    name: str
    day: Count
    kind: UnitKind = "squadron"
    factors: dict[Factor, _Level] = Field(default_factory=dict[Factor, _Level])
    damage: Count = 0


class _Document(Table):
    ruleset: str
    version: int = _VERSION
    day: Count
    phase: Phase
    next_transit: Positive = 1
    options: dict[str, Any] = Field(default_factory=dict[str, Any])
    jump_map: _Size = _Size()
    winner: Literal[-1, 0, 1, 2] = -1
    reason: str = ""
    sides: Annotated[list[_Side], Field(min_length=2, max_length=2)]
    players: list[_Player]
    systems: Annotated[list[_System], Field(min_length=1)]
    units: list[_Unit] = Field(default_factory=list[_Unit])
    questions: list[_Question] = Field(default_factory=list[_Question])
    transits: list[_Transit] = Field(default_factory=list[_Transit])
    fleets: list[_Fleet] = Field(default_factory=list[_Fleet])
    losses: list[_Loss] = Field(default_factory=list[_Loss])
    sheets: list[_Sheet] = Field(default_factory=list[_Sheet])
    missed: list[str] = Field(default_factory=list[str])
    mailed: list[str] = Field(default_factory=list[str])
    overdue: list[str] = Field(default_factory=list[str])
    sightings: list[_Sighting] = Field(default_factory=list[_Sighting])


# --- Writing -------------------------------------------------------------------------------------------------------------


def dump(position: Position) -> Document:
    """The document of a position; `load` gives the same position back."""
    document: Document = {
        "ruleset": INFO.slug,
        "version": _VERSION,
        "day": position.day,
        "phase": position.phase,
        "next_transit": position.next_transit,
        "options": dict(position.given),
        "jump_map": position.jump_size._asdict(),
        "winner": position.winner,
        "reason": position.reason,
        "sides": [{"id": side.id, "name": side.name, "tech": side.tech, "points": side.points} for side in position.sides],
        "players": [
            {"name": p.name, "side": p.side, "status": p.status, "missed": p.missed, "wait": p.wait}
            | {"next_question": p.next_question}
            for p in position.players
        ],
        "systems": [_dump_system(system) for system in position.systems],
        "units": [_dump_unit(unit) for unit in position.units],
        "questions": [
            {"id": question.id, "side": question.side, "player": question.player, **_dump_spot(question.spot)}
            for question in position.questions
        ],
        "transits": [_dump_transit(transit) for transit in position.transits],
        "fleets": [{"player": f.player, "name": f.name, "members": list(f.members)} for f in position.fleets],
        "losses": [
            {"side": loss.side, "name": loss.name, "kind": loss.kind, "cost": loss.cost}
            | {"day": loss.day, "covered": loss.covered}
            for loss in position.losses
        ],
    }
    running = {
        "sheets": [{"player": s.seat, "arrival": list(s.arrival), "lines": list(s.lines)} for s in position.sheets],
        "missed": list(position.missed),
        "mailed": list(position.mailed),
        "overdue": list(position.overdue),
        "sightings": [
            {
                "side": seen.side,
                **_dump_place(seen.place),
                "name": seen.name,
                "day": seen.day,
                **({"kind": seen.kind, "factors": seen.printed._asdict(), "damage": seen.damage} if seen.name != "?" else {}),
            }
            for seen in position.sightings
        ],
    }
    return document | {key: value for key, value in running.items() if value}


def _dump_place(place: Place) -> Document:
    return {"system": place.system, "hex": place.hex.text}


def _dump_spot(spot: Spot) -> Document:
    if isinstance(spot, Place):
        return {"where": "board", **_dump_place(spot)}
    return {"where": "transit", "transit": spot} if spot else {"where": "reserve"}


def _dump_system(system: System) -> Document:
    return {
        "name": system.name,
        "hex": system.hex.text,
        **system.size._asdict(),
        "deploy": [{"side": zone.side, "min_col": zone.first, "max_col": zone.last} for zone in system.deploy],
        "bodies": [
            {"name": body.name, "kind": body.kind, "hex": body.hex.text, "limit": body.limit, "owner": body.owner}
            | {"starport": body.starport, "stock": body.stock, "capital": body.capital, "value": body.value}
            | {"commander": body.commander}
            for body in system.bodies
        ],
    }


def _dump_unit(unit: Unit) -> Document:
    document: Document = {
        "name": unit.name,
        "kind": unit.kind,
        "side": unit.side,
        "player": unit.player,
        **unit.printed._asdict(),
        "cost": unit.cost,
        "damage": unit.damage,
        "fuel_counters": unit.fuel,
        "supply_counters": unit.supplies,
        "admiral_counters": unit.admirals,
        **_dump_spot(unit.spot),
        "moved": unit.moved,
    }
    return document | ({"hits": unit.hits._asdict()} if unit.hits is not None else {})


def _dump_transit(transit: Transit) -> Document:
    return {
        "id": transit.id,
        "side": transit.side,
        "player": transit.player,
        "day": transit.day,
        "origin": transit.origin,
        "to_system": transit.to.system,
        "to_hex": transit.to.hex.text,
        "distance": transit.distance,
    }


# --- Reading -------------------------------------------------------------------------------------------------------------


def load(document: Mapping[str, Any]) -> Position:
    """The position in a document. Raises `PositionError` with the place of what is wrong."""
    content = read_document(_Document, document)
    if content.ruleset != INFO.slug:
        raise PositionError("ruleset", f'this is a position of "{content.ruleset:.60}", not of "{INFO.slug}"')
    if content.version != _VERSION:
        raise PositionError("version", f"{_VERSION} is wanted here, not {content.version}")
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
        systems=_load_systems(content, jump_size),
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
    position = replace(position, fleets=_load_fleets(content, position), losses=tuple(_losses(content)))
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


# --- The map -------------------------------------------------------------------------------------------------------------


def _hex(text: str, place: str, size: Size, board: str) -> Hex:
    where = hex_named(text)
    if where is None:
        raise PositionError(place, f'"{text:.60}" is no hex; hexes are written like 0506')
    if not size.holds(where):
        raise PositionError(place, f"hex {where.text} is not on {board} ({size.text})")
    return where


def _load_systems(content: _Document, jump_size: Size) -> tuple[System, ...]:
    found: list[System] = []
    for i, table in enumerate(content.systems):
        place = f"systems[{i}]"
        if problem := name_problem(table.name, map_names(found)):
            raise PositionError(f"{place}.name", f'"{table.name:.60}": {problem}')
        where = _hex(table.hex, f"{place}.hex", jump_size, "the jump map")
        if any(other.hex == where for other in found):
            raise PositionError(f"{place}.hex", f"there is a system at {where.text} already")
        size = Size(table.columns, table.rows)
        deploy = tuple(_load_zone(zone, f"{place}.deploy[{k}]", size) for k, zone in enumerate(table.deploy))
        system = System(table.name, where, size, deploy, ())
        found.append(system)
        for k, body in enumerate(table.bodies):
            loaded = _load_body(body, f"{place}.bodies[{k}]", system, map_names(found), content.players)
            system = replace(system, bodies=(*system.bodies, loaded))
            found[-1] = system
    return tuple(found)


def _load_zone(table: _Deploy, place: str, size: Size) -> Deploy:
    if not table.min_col <= table.max_col <= size.columns:
        raise PositionError(f"{place}.max_col", f"a column from {table.min_col} to {size.columns} is wanted here")
    return Deploy(table.side, table.min_col, table.max_col)


def _load_body(table: _Body, place: str, system: System, taken: frozenset[str], players: Iterable[_Player]) -> Body:
    if problem := name_problem(table.name, taken):
        raise PositionError(f"{place}.name", f'"{table.name:.60}": {problem}')
    if table.kind != "planet" and (table.owner or table.capital):
        raise PositionError(f"{place}.{'owner' if table.owner else 'capital'}", "only planets have an owner or a capital")
    if table.kind == "star" and table.starport:
        raise PositionError(f"{place}.starport", "stars have no starport")
    if table.stock and not table.starport:
        raise PositionError(f"{place}.stock", "only starports have a stock")
    if table.commander and all(table.commander != player.name for player in players):
        raise PositionError(f"{place}.commander", f'there is no player "{table.commander:.60}"')
    where = _hex(table.hex, f"{place}.hex", system.size, f"the {system.name} board")
    values: dict[str, Any] = {**table.model_dump(), "hex": where}
    return Body(**values)


def _place(system: str, where: str, place: str, position: Position) -> Place:
    found = position.by_system.get(system)
    if found is None:
        raise PositionError(f"{place}system", f'there is no system "{system:.60}"' if system else "this field is missing")
    return Place(system, _hex(where, f"{place}hex", found.size, f"the {system} board"))


# --- Sides, players and their counters -----------------------------------------------------------------------------------


def _load_sides(tables: list[_Side]) -> tuple[Side, Side]:
    for i, table in enumerate(tables):
        if table.id != i + 1:
            raise PositionError(f"sides[{i}].id", f"side {i + 1} comes here, not side {table.id}")
        if table.name and (problem := player_name_problem(table.name)):
            raise PositionError(f"sides[{i}].name", f'"{table.name:.60}": {problem}')
    one, two = (Side(t.id, t.name or SIDE_NAMES[t.id - 1], t.tech, t.points) for t in tables)
    return one, two


def _load_players(content: _Document) -> tuple[Player, ...]:
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


def _number_of(question: _Question) -> int:
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


def _load_transits(content: _Document, position: Position) -> tuple[Transit, ...]:
    found: dict[int, Transit] = {}
    for i, table in enumerate(content.transits):
        place = f"transits[{i}]"
        number = _numbered(table.id, "T", f"{place}.id")
        if number in found:
            raise PositionError(f"{place}.id", f"{table.id} is there twice")
        if table.origin not in position.by_system:
            raise PositionError(f"{place}.origin", f'there is no system "{table.origin:.60}"')
        to = _place(table.to_system, table.to_hex, f"{place}.to_", position)
        player = _of_side(table.player, table.side, place, position)
        found[number] = Transit(number, table.side, player, table.day, table.origin, to, table.distance)
    return tuple(found.values())


def _numbered(text: str, letter: str, place: str) -> int:
    digits = text[1:]
    if text[:1] != letter or not (digits.isascii() and digits.isdigit()) or digits[0] == "0" or len(digits) > 9:
        raise PositionError(place, f'"{text:.60}" is no id; ids are written like {letter}1')
    return int(digits)


def _load_spot(table: _Unit | _Question, where: str, place: str, position: Position) -> Spot:
    """Where a counter is; the fields for anywhere else are empty."""
    unfit = {"board": ("transit",), "transit": ("system", "hex"), "reserve": ("system", "hex", "transit")}[where]
    for field in unfit:
        if getattr(table, field):
            raise PositionError(f"{place}.{field}", f'where is "{where}", so this field is not wanted')
    if where == "board":
        return _place(table.system, table.hex, f"{place}.", position)
    if where == "transit":
        group = position.by_transit.get(table.transit)
        if group is None or group.side != table.side:
            raise PositionError(f"{place}.transit", f'side {table.side} has no transit group "{table.transit:.60}"')
        return group.id
    return ""


def _load_units(content: _Document, position: Position) -> tuple[Unit, ...]:
    found: dict[tuple[int, str], Unit] = {}
    for i, table in enumerate(content.units):
        unit = _load_unit(table, f"units[{i}]", position)
        if (unit.side, fold(unit.name)) in found:
            raise PositionError(f"units[{i}].name", f"side {unit.side} has a unit {unit.name} already")
        found[unit.side, fold(unit.name)] = unit
    return tuple(found.values())


def _load_unit(table: _Unit, place: str, position: Position) -> Unit:
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


def _cost(table: _Unit, printed: Factors, position: Position) -> int:
    return unit_cost(printed, position.side(table.side).tech, position.options) if table.cost is None else table.cost


def _load_hits(table: _Unit, place: str, options: GameOptions) -> Factors | None:
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


def _load_questions(content: _Document, position: Position) -> tuple[Question, ...]:
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


def _load_fleets(content: _Document, position: Position) -> tuple[Fleet, ...]:
    found: list[Fleet] = []
    for i, table in enumerate(content.fleets):
        place = f"fleets[{i}]"
        player = position.by_player.get(table.player)
        if player is None:
            raise PositionError(f"{place}.player", f'there is no player "{table.player:.60}"')
        units = {unit.name: unit for unit in position.units if unit.player == player.name and unit.is_squadron}
        questions = {question.id: question for question in position.questions if question.player == player.name}
        taken = map_names(position.systems) | {fold(unit.name) for unit in position.units if unit.player == player.name}
        taken |= {fold(fleet.name) for fleet in found if fleet.player == player.name}
        if problem := name_problem(table.name, taken):
            raise PositionError(f"{place}.name", f'"{table.name:.60}": {problem}')
        spots: set[Spot] = set()
        for k, name in enumerate(table.members):
            member = units.get(name) or questions.get(name)
            others = (fleet for fleet in found if fleet.player == player.name)
            if member is None or name in table.members[:k] or any(name in fleet.members for fleet in others):
                raise PositionError(f"{place}.members[{k}]", f'"{name:.60}" is no squadron or "?" without a fleet')
            spots.add(member.spot)
        if len(spots) > 1 or "" in spots:
            raise PositionError(f"{place}.members", "a fleet is in one hex or one transit group")
        found.append(Fleet(player.name, table.name, tuple(table.members)))
    return tuple(found)


def _losses(content: _Document) -> Iterable[Loss]:
    return (Loss(**table.model_dump()) for table in content.losses)


# --- The running step ----------------------------------------------------------------------------------------------------


def _with_running_step(position: Position, content: _Document) -> Position:
    for field in ("missed", "mailed", "overdue"):
        names: list[str] = getattr(content, field)
        for i, name in enumerate(names):
            if name not in position.by_player or name in names[:i]:
                raise PositionError(f"{field}[{i}]", f'"{name:.60}" is no player, or there twice')
    sightings = tuple(
        Sighting(
            table.side,
            _place(table.system, table.hex, f"sightings[{i}].", position),
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
    for i, sheet in enumerate(sheets):
        if sheet.seat not in position.by_player or sheet_of(sheets[:i], sheet.seat):
            raise PositionError(f"sheets[{i}].player", f'"{sheet.seat:.60}" is no player, or has a sheet already')
        if problem := sheet_problem(position, sheet):
            line, words = problem
            raise PositionError(f"sheets[{i}].lines" + ("" if line is None else f"[{line}]"), words)
    return replace(position, sheets=in_arrival_order(sheets))
