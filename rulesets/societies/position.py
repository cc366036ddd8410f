"""The position document (section 4 of the rules): read strictly, with the place of whatever is wrong, and written exactly.

Beyond the specification a document holds the orders of the running turn, and those of turns past where they will be published.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Annotated, Any

from pydantic import Field

from pbmd.rules import Document, OptionValue, PositionError, Sheet, fold
from pbmd.rules.documents import Count, Positive, Table, read_document
from pbmd.rules.options import changed
from pbmd.rules.sheets import in_arrival_order, sheet_of

from .checking.names import name_problem, text_problem
from .checks import sheet_problem
from .tables import INFO, PART_PRICE, WONDER_CALLED, GameOptions, GovernmentName, game_options
from .world.layout import LARGEST_SIDE
from .world.squares import Square, square_labelled
from .world.state import City, Concession, Counterattack, Past, Position, Society, Victory, VictoryKind, War, Wonder, ranked

_HIGHEST_LEVEL = 45
"""Beyond what any gold can buy, and with all that can be ordered on it still in whole numbers that every reader takes."""


class _Map(Table):
    side: Annotated[int, Field(ge=2, le=LARGEST_SIDE)]
    nuked: list[str] = Field(default_factory=list[str])


class _Society(Table):
    name: str
    title: str = ""
    government: GovernmentName = "despotism"
    tech: Annotated[int, Field(ge=1, le=_HIGHEST_LEVEL)] = 1
    gold: Count = 0
    armies: Count = 0
    spies: Count = 0
    nukes: Count = 0
    sdi: Count = 0
    spaceship_parts: Count = 0
    engine_spend: Count = 0
    eliminated_turn: Count = 0
    missed_turns: Count = 0


class _City(Table):
    square: str
    owner: str
    name: str = ""
    rehabilitating: bool = False


class _Wonder(Table):
    name: str
    owner: str
    builder: str | None = None
    square: str
    obsolete: bool = False
    destroyed: bool = False


class _War(Table):
    between: Annotated[list[str], Field(min_length=2, max_length=2)]
    since: Count


class _Counterattack(Table):
    holder: str
    against: str
    count: Positive


class _Concession(Table):
    by: str
    to: str


class _Victory(Table):
    society: str
    kind: VictoryKind


class _Result(Table):
    over: bool = False
    winners: list[str] = Field(default_factory=list[str])
    victories: list[_Victory] = Field(default_factory=list[_Victory])


class _Sheet(Table):
    player: str
    arrival: Annotated[list[int], Field(min_length=2, max_length=2)]
    lines: list[str]


class _Past(Table):
    turn: Positive
    sheets: list[_Sheet]


class _Document(Table):
    ruleset: str
    turn: Positive = 1
    gm_concession: str = ""
    options: dict[str, Any] = Field(default_factory=dict[str, Any])
    map: _Map
    society: Annotated[list[_Society], Field(min_length=1)]
    city: list[_City] = Field(default_factory=list[_City])
    wonder: list[_Wonder] = Field(default_factory=list[_Wonder])
    war: list[_War] = Field(default_factory=list[_War])
    counterattack: list[_Counterattack] = Field(default_factory=list[_Counterattack])
    concession: list[_Concession] = Field(default_factory=list[_Concession])
    result: _Result = _Result()
    sheets: list[_Sheet] = Field(default_factory=list[_Sheet])
    missed: list[str] = Field(default_factory=list[str])
    past: list[_Past] = Field(default_factory=list[_Past])


def dump(position: Position) -> Document:
    """The document of a position; `load` gives the same position back."""
    document: Document = {
        "ruleset": INFO.slug,
        "turn": position.turn,
        "gm_concession": position.gm_concession,
        "options": dict(position.given),
        "map": {"side": position.side, "nuked": [square.text for square in position.nuked]},
        "society": [asdict(society) for society in position.societies],
        "city": [{**city._asdict(), "square": city.square.text} for city in position.cities],
        "wonder": [{**w._asdict(), "square": w.square.text if w.square else ""} for w in position.wonders],
        "war": [{"between": list(war.between), "since": war.since} for war in position.wars],
        "counterattack": [asdict(right) for right in position.counterattacks],
        "concession": [concession._asdict() for concession in position.concessions],
        "result": {
            "over": position.over,
            "winners": list(position.winners),
            "victories": [victory._asdict() for victory in position.victories],
        },
    }
    running = {
        "sheets": _dump_sheets(position.sheets),
        "missed": list(position.missed),
        "past": [{"turn": past.turn, "sheets": _dump_sheets(past.sheets)} for past in position.past],
    }
    return document | {key: value for key, value in running.items() if value}


def _dump_sheets(sheets: Iterable[Sheet]) -> list[Document]:
    return [{"player": sheet.seat, "arrival": list(sheet.arrival), "lines": list(sheet.lines)} for sheet in sheets]


def load(document: Mapping[str, Any]) -> Position:
    """The position in a document. Raises `PositionError` with the place of what is wrong."""
    content = read_document(_Document, document)
    if content.ruleset != INFO.slug:
        raise PositionError("ruleset", f'this is a position of "{content.ruleset:.60}", not of "{INFO.slug}"')
    given, options = _load_options(content.options)
    societies = _load_societies(content, options)
    living = {society.name for society in societies if society.living}
    nuked = tuple(_square(label, f"map.nuked[{i}]", content.map.side) for i, label in enumerate(content.map.nuked))
    cities = _load_cities(content, living, frozenset(nuked))
    position = Position(
        turn=content.turn,
        given=given,
        options=options,
        side=content.map.side,
        societies=societies,
        cities=cities,
        nuked=nuked,
        wonders=_load_wonders(content, cities, societies),
        wars=_load_wars(content, living),
        counterattacks=_load_counterattacks(content, living),
        concessions=_load_concessions(content, living),
        gm_concession=content.gm_concession,
    )
    for i, society in enumerate(societies):
        if society.living and not position.territory[society.name]:
            raise PositionError(f"society[{i}].eliminated_turn", f"{society.name} is in the game, but has no city")
    _known(content.gm_concession, "gm_concession", position.by_name, empty=True)
    return _with_running_turn(_with_result(position, content.result), content)


# --- The options, the societies and the map ------------------------------------------------------------------------------


def _load_options(given: Mapping[str, Any]) -> tuple[tuple[tuple[str, OptionValue], ...], GameOptions]:
    """The options that differ from their defaults, lists as text, and all of them."""
    texts = {key: _as_text(value) for key, value in given.items()}
    try:
        options = game_options(texts.items())
    except ValueError as problem:
        raise PositionError("options", str(problem)) from None
    return tuple(changed(INFO.options, texts).items()), options


def _as_text(value: Any) -> Any:
    """Section 11 of the rules writes some options as lists; kept is their text with commas between."""
    return ", ".join(map(str, value)) if isinstance(value, list) else value


def _load_societies(content: _Document, options: GameOptions) -> tuple[Society, ...]:
    found: list[Society] = []
    for i, table in enumerate(content.society):
        place = f"society[{i}]"
        if problem := name_problem(table.name):
            raise PositionError(f"{place}.name", f'"{table.name:.60}": {problem}')
        if any(fold(other.name) == fold(table.name) for other in found):
            raise PositionError(f"{place}.name", f"{table.name} is there twice")
        if table.title and (problem := text_problem(table.title)):
            raise PositionError(f"{place}.title", f'"{table.title:.60}": {problem}')
        if table.spaceship_parts > options.spaceship_parts:
            raise PositionError(f"{place}.spaceship_parts", f"a spaceship has {options.spaceship_parts} parts")
        if 0 < table.engine_spend < PART_PRICE:
            raise PositionError(f"{place}.engine_spend", f"0 or at least {PART_PRICE} is wanted here")
        found.append(Society(**table.model_dump()))
    return tuple(found)


def _square(label: str, place: str, side: int) -> Square:
    square = square_labelled(label)
    if square is None:
        raise PositionError(place, f'"{label:.60}" is no square; squares are written like B2')
    if not square.within(side):
        raise PositionError(place, f"{square.text} is not on a map of side {side}")
    return square


def _load_cities(content: _Document, living: set[str], nuked: frozenset[Square]) -> tuple[City, ...]:
    found: dict[Square, City] = {}
    for i, table in enumerate(content.city):
        place = f"city[{i}]"
        square = _square(table.square, f"{place}.square", content.map.side)
        if square in found:
            raise PositionError(f"{place}.square", f"there is a city at {square.text} already")
        if square in nuked:
            raise PositionError(f"{place}.square", f"{square.text} is nuked and cannot hold a city")
        _known(table.owner, f"{place}.owner", living)
        if table.name and (problem := text_problem(table.name)):
            raise PositionError(f"{place}.name", f'"{table.name:.60}": {problem}')
        found[square] = City(square, table.owner, table.name, table.rehabilitating)
    return tuple(found.values())


def _load_wonders(content: _Document, cities: Iterable[City], societies: Sequence[Society]) -> tuple[Wonder, ...]:
    owners = {city.square: city.owner for city in cities}
    names = [society.name for society in societies]
    found: list[Wonder] = []
    for i, table in enumerate(content.wonder):
        place = f"wonder[{i}]"
        if WONDER_CALLED.get(fold(table.name)) != table.name:
            raise PositionError(f"{place}.name", f'there is no wonder "{table.name:.60}"')
        if any(other.name == table.name for other in found):
            raise PositionError(f"{place}.name", f"{table.name} is there twice")
        builder = table.owner if table.builder is None else table.builder
        _known(builder, f"{place}.builder", names, empty=table.destroyed)
        square = _square(table.square, f"{place}.square", content.map.side) if table.square else None
        if table.destroyed and (table.owner or square):
            raise PositionError(place, f"{table.name} is destroyed and has neither an owner nor a square")
        if not table.destroyed:
            _known(table.owner, f"{place}.owner", names)
            if square is None or owners.get(square) != table.owner:
                raise PositionError(f"{place}.square", f"a wonder stands in a city of its owner, {table.owner}")
        found.append(Wonder(table.name, table.owner, builder, square, table.obsolete, table.destroyed))
    return tuple(found)


def _known(name: str, place: str, names: Iterable[str], *, empty: bool = False) -> None:
    if name not in names and not (empty and not name):
        raise PositionError(place, f'there is no society "{name:.60}" in the game')


# --- Between societies ---------------------------------------------------------------------------------------------------


def _load_wars(content: _Document, living: set[str]) -> tuple[War, ...]:
    pairs: set[frozenset[str]] = set()
    for i, table in enumerate(content.war):
        _pair(table.between[0], table.between[1], f"war[{i}].between[0]", f"war[{i}].between[1]", living)
        if table.since > content.turn:
            raise PositionError(f"war[{i}].since", f"this is turn {content.turn}")
        if frozenset(table.between) in pairs:
            raise PositionError(f"war[{i}].between", f"the war of {table.between[0]} and {table.between[1]} is there twice")
        pairs.add(frozenset(table.between))
    return tuple(War((table.between[0], table.between[1]), table.since) for table in content.war)


def _load_counterattacks(content: _Document, living: set[str]) -> tuple[Counterattack, ...]:
    for i, table in enumerate(content.counterattack):
        _pair(table.holder, table.against, f"counterattack[{i}].holder", f"counterattack[{i}].against", living)
        if any((other.holder, other.against) == (table.holder, table.against) for other in content.counterattack[:i]):
            raise PositionError(f"counterattack[{i}]", f"{table.holder} against {table.against} is there twice")
    return tuple(Counterattack(table.holder, table.against, table.count) for table in content.counterattack)


def _load_concessions(content: _Document, living: set[str]) -> tuple[Concession, ...]:
    for i, table in enumerate(content.concession):
        _pair(table.by, table.to, f"concession[{i}].by", f"concession[{i}].to", living)
        if any(other.by == table.by for other in content.concession[:i]):
            raise PositionError(f"concession[{i}].by", f"{table.by} concedes twice")
    return tuple(Concession(table.by, table.to) for table in content.concession)


def _pair(one: str, other: str, place: str, other_place: str, living: set[str]) -> None:
    _known(one, place, living)
    _known(other, other_place, living)
    if one == other:
        raise PositionError(other_place, "another society is wanted here")


# --- The end, and the running turn ---------------------------------------------------------------------------------------


def _with_result(position: Position, result: _Result) -> Position:
    if not result.over and (result.winners or result.victories):
        raise PositionError("result.over", "only a game that is over has winners")
    for i, name in enumerate(result.winners):
        _known(name, f"result.winners[{i}]", position.by_name)
    for i, victory in enumerate(result.victories):
        _known(victory.society, f"result.victories[{i}].society", result.winners)
    victories = tuple(Victory(victory.society, victory.kind) for victory in result.victories)
    return replace(position, over=result.over, winners=tuple(result.winners), victories=victories)


def _with_running_turn(position: Position, content: _Document) -> Position:
    if position.over and (content.sheets or content.missed):
        raise PositionError("sheets" if content.sheets else "missed", "a game that is over has no orders")
    living = {society.name for society in position.living}
    _check_sheets(position, content.sheets, living)
    sheets = _load_sheets(content.sheets)
    for i, name in enumerate(content.missed):
        _known(name, f"missed[{i}]", living)
        if name in content.missed[:i] or sheet_of(sheets, name):
            raise PositionError(f"missed[{i}]", f"{name} is there twice, or has a sheet")
    for i, past in enumerate(content.past):
        for j, table in enumerate(past.sheets):
            _known(table.player, f"past[{i}].sheets[{j}].player", position.by_name)
    past = tuple(Past(past.turn, _load_sheets(past.sheets)) for past in content.past)
    return replace(position, sheets=ranked(position, sheets), missed=tuple(content.missed), past=past)


def _check_sheets(position: Position, sheets: Sequence[_Sheet], living: set[str]) -> None:
    for i, table in enumerate(sheets):
        _known(table.player, f"sheets[{i}].player", living)
        if any(other.player == table.player for other in sheets[:i]):
            raise PositionError(f"sheets[{i}].player", f"{table.player} has two sheets")
        if problem := sheet_problem(position, Sheet(table.player, (0, 0), tuple(table.lines))):
            line, words = problem
            raise PositionError(f"sheets[{i}]" + (f".lines[{line}]" if line is not None else ""), words)


def _load_sheets(sheets: Iterable[_Sheet]) -> tuple[Sheet, ...]:
    return in_arrival_order(Sheet(s.player, (s.arrival[0], s.arrival[1]), tuple(s.lines)) for s in sheets)
