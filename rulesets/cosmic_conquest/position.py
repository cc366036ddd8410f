"""The position document (section 4 of the rules): read strictly, with the place of whatever is wrong, and written exactly."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any, Literal

from pydantic import Field

from pbmd.rules import Document, OptionError, PositionError, Sheet, fold
from pbmd.rules.documents import Count, Positive, Table, read_document
from pbmd.rules.sheets import in_arrival_order

from .checks import orders_of, sheet_problem
from .setup import name_problem
from .tables import COLOURS, INFO, NEGATIVE, OPPOSITE, POSITIVE, GameOptions, Rank, TechName, game_options
from .world.galaxy import MAPS, Galaxy, Star, galaxy_of, map_problem
from .world.names import colour_named
from .world.state import (
    Admiral,
    Faction,
    FactionStatus,
    Insight,
    Position,
    RefusedMail,
    Result,
    ResultKind,
    System,
)


class _Star(Table):
    number: int
    name: str
    x: int | float
    y: int | float
    neighbours: list[str]


class _System(Table):
    name: str
    owner: str = ""
    output: Count = 10
    penalty: Count = 0


class _Admiral(Table):
    name: str = ""
    rank: Rank = "supreme"
    cv: int = 6
    traits: list[str] = Field(default_factory=list[str])
    turns_served: Count = 0


class _Faction(Table):
    colour: str
    name: str = ""
    tech: TechName
    status: FactionStatus = "active"
    drones: Count = 0
    lost_drones: Count = 0
    empire_turn: Count = 0
    empire_name: str = ""
    deaths: Count = 0
    fallen: list[str] = Field(default_factory=list[str])
    stalls: Count = 0
    admiral: _Admiral = _Admiral()


class _Insight(Table):
    by: str
    target: str
    answered: bool


class _Result(Table):
    kind: ResultKind
    winner: str
    turn: Positive


class _Sheet(Table):
    player: str
    arrival: Annotated[list[int], Field(min_length=2, max_length=2)]
    lines: list[str]


class _Refused(Table):
    player: str
    errors: list[str]


class _Document(Table):
    ruleset: str
    turn: Positive = 1
    phase: Literal["orders", "ended"] = "orders"
    map: str = "standard33"
    map_systems: list[_Star] = Field(default_factory=list[_Star])
    homes: dict[str, list[str]] = Field(default_factory=dict[str, list[str]])
    admiral_names: list[str] = Field(default_factory=list[str])
    options: dict[str, Any] = Field(default_factory=dict[str, Any])
    systems: list[_System] = Field(default_factory=list[_System])
    factions: Annotated[list[_Faction], Field(min_length=1)]
    insights: list[_Insight] = Field(default_factory=list[_Insight])
    result: _Result | None = None
    sheets: list[_Sheet] = Field(default_factory=list[_Sheet])
    missed: list[str] = Field(default_factory=list[str])
    resigning: list[str] = Field(default_factory=list[str])
    refused: list[_Refused] = Field(default_factory=list[_Refused])


def load(document: Mapping[str, Any]) -> Position:
    """The position in a document. Raises `PositionError` with the place of what is wrong."""
    content = read_document(_Document, document)
    if content.ruleset != INFO.slug:
        raise PositionError("ruleset", f'this is a position of "{content.ruleset}", not of "{INFO.slug}"')
    options = _load_options(content.options)
    own_stars = tuple(Star(star.number, star.name, star.x, star.y, tuple(star.neighbours)) for star in content.map_systems)
    galaxy = _load_galaxy(content.map, own_stars)
    position = Position(
        turn=content.turn,
        phase=content.phase,
        map=content.map,
        own_stars=own_stars,
        own_homes=_load_homes(content.homes, galaxy),
        own_names=tuple(content.admiral_names),
        given=tuple((key, content.options[key]) for key in content.options if _differs(key, content.options[key])),
        options=options,
        systems=_load_systems(content.systems, content.factions, galaxy),
        factions=tuple(_load_faction(faction, f"factions[{i}]") for i, faction in enumerate(content.factions)),
    )
    _check_admiral_names(position)
    _check_factions(position)
    position = _with_result(position, content.result)
    return _with_running_turn(position, content)


def dump(position: Position) -> Document:
    """The document of a position; `load` gives the same position back."""
    document: Document = {"ruleset": INFO.slug, "turn": position.turn, "phase": position.phase, "map": position.map}
    if position.own_stars:
        document["map_systems"] = [{**star._asdict(), "neighbours": list(star.neighbours)} for star in position.own_stars]
    if position.own_homes:
        document["homes"] = {count: list(homes) for count, homes in position.own_homes}
    if position.own_names:
        document["admiral_names"] = list(position.own_names)
    document |= {
        "options": dict(position.given),
        "systems": [system._asdict() for system in position.systems],
        "factions": [_dump_faction(faction) for faction in position.factions],
        "insights": [insight._asdict() for insight in position.insights],
    }
    if position.result:
        document["result"] = position.result._asdict()
    running = {
        "sheets": [{"player": s.seat, "arrival": list(s.arrival), "lines": list(s.lines)} for s in position.sheets],
        "missed": list(position.missed),
        "resigning": list(position.resigning),
        "refused": [{"player": colour, "errors": list(errors)} for colour, errors in position.refused],
    }
    return document | {key: value for key, value in running.items() if value}


def _dump_faction(faction: Faction) -> Document:
    admiral = faction.admiral
    return {
        "colour": faction.colour,
        "name": faction.name,
        "tech": faction.tech,
        "status": faction.status,
        "drones": faction.drones,
        "lost_drones": faction.lost_drones,
        "empire_turn": faction.empire_turn,
        "empire_name": faction.empire_name,
        "deaths": faction.deaths,
        "fallen": list(faction.fallen),
        "stalls": faction.stalls,
        "admiral": {
            "name": admiral.name,
            "rank": admiral.rank,
            "cv": admiral.cv,
            "traits": list(admiral.traits),
            "turns_served": admiral.turns_served,
        },
    }


# --- The map and the options ---------------------------------------------------------------------------------------------


def _load_options(given: Mapping[str, Any]) -> GameOptions:
    try:
        return game_options(given.items())
    except OptionError as problem:
        raise PositionError("options", str(problem)) from None


def _differs(key: str, value: object) -> bool:
    return value != INFO.options[key].default


def _load_galaxy(name: str, own: tuple[Star, ...]) -> Galaxy:
    if not own:
        if name not in MAPS:
            raise PositionError("map", f'there is no map "{name:.60}"; there are {", ".join(MAPS)}')
        return MAPS[name]
    if problem := map_problem(own):
        place, field, words = problem
        raise PositionError(f"map_systems[{place}].{field}", words)
    return galaxy_of(own)


def _load_homes(homes: Mapping[str, Sequence[str]], galaxy: Galaxy) -> tuple[tuple[str, tuple[str, ...]], ...]:
    for count, names in homes.items():
        place = f"homes.{count:.20}"
        if not count.isdecimal() or len(names) != int(count[:9]):
            raise PositionError(place, "a list of homes has the number of its players as its name and as many entries")
        _check_names(names, place, galaxy)
    return tuple((count, tuple(names)) for count, names in homes.items())


def _check_names(names: Iterable[str], place: str, galaxy: Galaxy) -> None:
    met: set[str] = set()
    for i, name in enumerate(names):
        if name not in galaxy.place:
            raise PositionError(f"{place}[{i}]", f'there is no system "{name:.60}"')
        if name in met:
            raise PositionError(f"{place}[{i}]", f"{name} is there twice")
        met.add(name)


def _load_systems(systems: Sequence[_System], factions: Sequence[_Faction], galaxy: Galaxy) -> tuple[System, ...]:
    colours = {faction.colour: faction for faction in factions}
    listed: dict[str, System] = {}
    for i, system in enumerate(systems):
        place = f"systems[{i}]"
        if system.name not in galaxy.place:
            raise PositionError(f"{place}.name", f'there is no system "{system.name:.60}"')
        if system.name in listed:
            raise PositionError(f"{place}.name", f"{system.name} is there twice")
        if system.owner and system.owner not in colours:
            raise PositionError(f"{place}.owner", f'there is no faction "{system.owner:.60}"')
        if system.owner and colours[system.owner].status != "active":
            raise PositionError(f"{place}.owner", f"{system.owner} is {colours[system.owner].status} and holds nothing")
        listed[system.name] = System(system.name, system.owner, system.output, system.penalty)
    return tuple(listed.get(star.name) or System(star.name, "", 10, 0) for star in galaxy.stars)


def _check_admiral_names(position: Position) -> None:
    for i, name in enumerate(position.own_names):
        if problem := name_problem(name):
            raise PositionError(f"admiral_names[{i}]", f'"{name:.60}": {problem}')
        if name in position.own_names[:i]:
            raise PositionError(f"admiral_names[{i}]", f'"{name}" is there twice')


# --- Factions ------------------------------------------------------------------------------------------------------------


def _load_faction(faction: _Faction, place: str) -> Faction:
    if faction.colour not in COLOURS:
        raise PositionError(f"{place}.colour", f'there is no colour "{faction.colour:.60}"; there are {", ".join(COLOURS)}')
    if faction.lost_drones and faction.tech != "biomech":
        raise PositionError(f"{place}.lost_drones", "only drones of a BioMech faction regenerate")
    admiral = faction.admiral
    _check_traits(admiral.traits, f"{place}.admiral.traits")
    texts = {"name": faction.name, "admiral.name": admiral.name, "empire_name": faction.empire_name}
    texts |= {f"fallen[{i}]": name for i, name in enumerate(faction.fallen)}
    for field, text in texts.items():
        if text and (problem := name_problem(text, 80 if field == "empire_name" else 40, commas=field == "empire_name")):
            raise PositionError(f"{place}.{field}", f'"{text:.60}": {problem}')
    if admiral.cv < 0:
        raise PositionError(f"{place}.admiral.cv", f"at least 0 is wanted here, not {admiral.cv}")
    return Faction(
        colour=faction.colour,
        name=faction.name or faction.colour,
        tech=faction.tech,
        status=faction.status,
        drones=faction.drones,
        lost_drones=faction.lost_drones,
        empire_turn=faction.empire_turn,
        empire_name=faction.empire_name,
        deaths=faction.deaths,
        fallen=tuple(faction.fallen),
        stalls=faction.stalls,
        admiral=Admiral(
            name=admiral.name or f"Admiral of {faction.colour}",
            rank=admiral.rank,
            cv=admiral.cv,
            traits=tuple(admiral.traits),
            turns_served=admiral.turns_served,
        ),
    )


def _check_traits(traits: Sequence[str], place: str) -> None:
    for i, trait in enumerate(traits):
        if trait not in (*POSITIVE, *NEGATIVE):
            raise PositionError(f"{place}[{i}]", f'there is no trait "{trait:.60}"')
        if trait in traits[:i]:
            raise PositionError(f"{place}[{i}]", f"{trait} is there twice")
        if OPPOSITE.get(trait) in traits[:i]:
            raise PositionError(f"{place}[{i}]", f"{trait} and {OPPOSITE[trait]} exclude each other")


def _check_factions(position: Position) -> None:
    owners = {system.owner for system in position.systems}
    names: dict[str, int] = {}
    for i, faction in enumerate(position.factions):
        place = f"factions[{i}]"
        if any(other.colour == faction.colour for other in position.factions[:i]):
            raise PositionError(f"{place}.colour", f"{faction.colour} is there twice")
        if (first := names.setdefault(fold(faction.name), i)) != i:
            raise PositionError(f"{place}.name", f'"{faction.name}" is the name of factions[{first}] already')
        if faction.name != faction.colour and colour_named(faction.name, COLOURS):
            raise PositionError(f"{place}.name", f'"{faction.name}" is a colour')
        if faction.active and faction.colour not in owners:
            raise PositionError(f"{place}.status", f"{faction.colour} is active, but holds no system")
        if not faction.active and (faction.drones or faction.lost_drones):
            raise PositionError(f"{place}.drones", f"{faction.colour} is {faction.status} and has no drones")


# --- The end, and the running turn ---------------------------------------------------------------------------------------


def _with_result(position: Position, result: _Result | None) -> Position:
    if (position.phase == "ended") != (result is not None):
        raise PositionError("result", "a game that has ended has a result, and no other has one")
    if result is None:
        return position
    wins = result.kind in ("overlord", "last_survivor")
    if wins != bool(result.winner) or (result.winner and result.winner not in position.colours):
        raise PositionError("result.winner", f'"{result.winner:.60}" cannot be the winner')
    return replace(position, result=Result(result.kind, result.winner, result.turn))


def _with_running_turn(position: Position, content: _Document) -> Position:
    if position.phase == "ended" and (content.sheets or content.missed or content.insights or content.resigning):
        raise PositionError("phase", "a game that has ended has no orders")
    sheets = _load_sheets(position, content.sheets)
    missed = _active_once(position, content.missed, "missed", [sheet.seat for sheet in sheets])
    resigning = _active_once(position, content.resigning, "resigning")
    for i, refused in enumerate(content.refused):
        _active(position, refused.player, f"refused[{i}].player")
    position = replace(
        position,
        sheets=sheets,
        missed=missed,
        resigning=resigning,
        refused=tuple(RefusedMail(refused.player, tuple(refused.errors)) for refused in content.refused),
        insights=tuple(Insight(insight.by, insight.target, insight.answered) for insight in content.insights),
    )
    for i, insight in enumerate(position.insights):
        _check_insight(position, insight, i)
    return position


def _load_sheets(position: Position, sheets: Sequence[_Sheet]) -> tuple[Sheet, ...]:
    for i, sheet in enumerate(sheets):
        faction = _active(position, sheet.player, f"sheets[{i}].player")
        if any(other.player == sheet.player for other in sheets[:i]):
            raise PositionError(f"sheets[{i}].player", f"{sheet.player} has two sheets")
        if problem := sheet_problem(position, faction, Sheet(sheet.player, (0, 0), tuple(sheet.lines))):
            line, words = problem
            raise PositionError(f"sheets[{i}]" + (f".lines[{line}]" if line is not None else ""), words)
    return in_arrival_order(Sheet(s.player, (s.arrival[0], s.arrival[1]), tuple(s.lines)) for s in sheets)


def _active_once(position: Position, colours: Sequence[str], field: str, with_sheet: Sequence[str] = ()) -> tuple[str, ...]:
    """Active factions, each named once, and none of those that have a sheet."""
    for i, colour in enumerate(colours):
        _active(position, colour, f"{field}[{i}]")
        if colour in colours[:i] or colour in with_sheet:
            raise PositionError(f"{field}[{i}]", f"{colour} is there twice, or has a sheet")
    return tuple(colours)


def _check_insight(position: Position, insight: Insight, i: int) -> None:
    by = _active(position, insight.by, f"insights[{i}].by")
    target = _active(position, insight.target, f"insights[{i}].target")
    if by.tech != "psionic" or any(other.by == insight.by for other in position.insights[:i]):
        raise PositionError(f"insights[{i}].by", f"{insight.by} cannot use this Insight")
    if target.tech == "psionic":
        raise PositionError(f"insights[{i}].target", f"{insight.target} is Psionic and immune")
    if insight.answered != (orders_of(position, target) is not None):
        raise PositionError(f"insights[{i}].answered", f"it is answered as soon as the orders of {insight.target} are final")


def _active(position: Position, colour: str, place: str) -> Faction:
    faction = position.colours.get(colour)
    if faction is None:
        raise PositionError(place, f'there is no faction "{colour:.60}"')
    if not faction.active:
        raise PositionError(place, f"{colour} is {faction.status}")
    return faction
