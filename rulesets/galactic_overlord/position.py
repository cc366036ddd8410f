"""The position document (section 4 of the rules): read strictly, with the place of whatever is wrong, and written exactly."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Annotated, Any, Literal

from pydantic import Field

from pbmd.rules import Document, Line, Mail, OptionError, Outcome, PositionError, Resolution, Sheet, Status, fold
from pbmd.rules.documents import Count, Positive, Table, read_document
from pbmd.rules.sheets import in_arrival_order, sheet_of

from .checking.reading import read
from .checks import receive
from .orders import Attack, Division, SetOob, Spy, Transfer, Unclear
from .tables import (
    CLASSES,
    DAMAGE_OF,
    HULL_OF,
    HULLS,
    INFO,
    KIND_OF,
    QUARTERS,
    STATES,
    WEAPON_OF,
    WEAPONS,
    GameOptions,
    game_options,
    kind_of,
    number,
)
from .world.state import AUTOMATIC_NAME_LENGTH, Base, Player, Position, Stack, faction_name_problem, name_problem, stacked


class _Ships(Table):
    hull: str
    weapon: str
    count: Positive
    damage: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 0


class _Player(Table):
    name: str
    alive: bool = True
    bp: Count
    generators: Count
    spies: Count
    counter_espionage: Count
    original_ships: Count = 0
    ships: list[_Ships] = Field(default_factory=list[_Ships])


class _Base(Table):
    name: str
    owner: str
    builder: str
    acquired: Positive


class _Sheet(Table):
    player: str
    arrival: Annotated[list[int], Field(min_length=2, max_length=2)]
    lines: list[str]


class _PastTurn(Table):
    turn: Count
    sheets: list[_Sheet]


class _Document(Table):
    ruleset: str
    turn: Count
    status: Literal["running", "finished"]
    winner: str
    options: dict[str, Any] = Field(default_factory=dict[str, Any])
    players: Annotated[list[_Player], Field(min_length=1)]
    bases: list[_Base]
    sheets: list[_Sheet] = Field(default_factory=list[_Sheet])
    missed: list[str] = Field(default_factory=list[str])
    past: list[_PastTurn] = Field(default_factory=list[_PastTurn])


def load(document: Mapping[str, Any]) -> Position:
    """The position in a document. Raises `PositionError` with the place of what is wrong."""
    content = read_document(_Document, document)
    if content.ruleset != INFO.slug:
        raise PositionError("ruleset", f'this is a position of "{content.ruleset}", not of "{INFO.slug}"')
    given = tuple(content.options.items())
    try:
        options = game_options(given)
    except OptionError as problem:
        raise PositionError("options", str(problem)) from None
    position = Position(
        turn=content.turn,
        status=content.status,
        winner=content.winner,
        given=given,
        options=options,
        players=tuple(_load_player(player, f"players[{i}]", options) for i, player in enumerate(content.players)),
        bases=tuple(Base(base.name, base.owner, base.builder, base.acquired) for base in content.bases),
        missed=tuple(content.missed),
        past=tuple((past.turn, _load_sheets(past.sheets)) for past in content.past),
    )
    _check_players(position)
    _check_bases(position)
    _check_sheets(position, content.sheets)
    _check_past(position, content.past)
    position = replace(position, sheets=_load_sheets(content.sheets))
    _check_missed(position)
    return position


def dump(position: Position) -> Document:
    """The document of a position; `load` gives the same position back."""
    document: Document = {
        "ruleset": INFO.slug,
        "turn": position.turn,
        "status": position.status,
        "winner": position.winner,
        "options": dict(position.given),
        "players": [_dump_player(player) for player in position.players],
        "bases": [
            {"name": base.name, "owner": base.owner, "builder": base.builder, "acquired": base.acquired}
            for base in position.bases
        ],
    }
    if position.sheets:
        document["sheets"] = _dump_sheets(position.sheets)
    if position.missed:
        document["missed"] = list(position.missed)
    if position.past:
        document["past"] = [{"turn": number, "sheets": _dump_sheets(sheets)} for number, sheets in position.past]
    return document


def _dump_sheets(sheets: Iterable[Sheet]) -> list[Document]:
    return [{"player": sheet.seat, "arrival": list(sheet.arrival), "lines": list(sheet.lines)} for sheet in sheets]


def _load_sheets(sheets: Iterable[_Sheet]) -> tuple[Sheet, ...]:
    return in_arrival_order(Sheet(s.player, (s.arrival[0], s.arrival[1]), tuple(s.lines)) for s in sheets)


def _dump_player(player: Player) -> Document:
    return {
        "name": player.name,
        "alive": player.alive,
        "bp": player.bp,
        "generators": player.generators,
        "spies": player.spies,
        "counter_espionage": player.counter_espionage,
        "original_ships": player.original_ships,
        "ships": [
            {
                "hull": HULLS[HULL_OF[KIND_OF[alike]]].name,
                "weapon": WEAPONS[WEAPON_OF[KIND_OF[alike]]].name,
                "count": count,
                "damage": DAMAGE_OF[alike] / QUARTERS if DAMAGE_OF[alike] else 0,
            }
            for alike, count in player.ships
        ],
    }


def _load_player(player: _Player, place: str, options: GameOptions) -> Player:
    for stock, limit in (
        ("generators", max(options.max_generators, options.starting_generators)),
        ("spies", max(options.max_spies, options.starting_spies)),
        ("counter_espionage", options.starting_counter_espionage),
    ):
        if getattr(player, stock) > limit:
            raise PositionError(f"{place}.{stock}", f"{getattr(player, stock)} is more than the {limit} there can be")
    return Player(
        name=player.name,
        alive=player.alive,
        bp=player.bp,
        generators=player.generators,
        spies=player.spies,
        counter_espionage=player.counter_espionage,
        original_ships=player.original_ships,
        ships=stacked(_load_ships(ships, f"{place}.ships[{i}]") for i, ships in enumerate(player.ships)),
    )


_HULLS, _WEAPONS = [row.name for row in HULLS], [row.name for row in WEAPONS]


def _load_ships(ships: _Ships, place: str) -> Stack:
    for column, word, names in (("hull", ships.hull, _HULLS), ("weapon", ships.weapon, _WEAPONS)):
        if word not in names:
            raise PositionError(f"{place}.{column}", f'there is no {column} "{word}"; there are {", ".join(names)}')
    ship = CLASSES[kind_of(ships.weapon, ships.hull)]
    quarters = ships.damage * QUARTERS
    if quarters >= ship.hit_points:
        most = number(ship.hit_points)
        raise PositionError(f"{place}.damage", f"{ships.damage:g} is not below {most}, the hit points of a {ship.name}")
    if quarters != int(quarters):
        raise PositionError(f"{place}.damage", f"{ships.damage} is not a multiple of 0.25")
    return ship.kind * STATES + int(quarters), ships.count


def _check_players(position: Position) -> None:
    owners = {base.owner for base in position.bases}
    met: dict[str, int] = {}
    for i, player in enumerate(position.players):
        place = f"players[{i}]"
        if problem := faction_name_problem(player.name):
            raise PositionError(f"{place}.name", f'"{player.name}": {problem}')
        if (first := met.setdefault(fold(player.name), i)) != i:
            raise PositionError(f"{place}.name", f'"{player.name}" is the name of players[{first}] already')
        if not player.alive and (player.ships or player.name in owners):
            raise PositionError(f"{place}.alive", f"{player.name} is eliminated, but has ships or bases")
    if position.winner and position.player(position.winner) is None:
        raise PositionError("winner", f'there is no player "{position.winner}"')
    if position.winner and position.status == "running":
        raise PositionError("winner", 'a running game has no winner; write winner = ""')


def _check_bases(position: Position) -> None:
    names: dict[str, int] = {}
    numbers: dict[int, int] = {}
    for i, base in enumerate(position.bases):
        place = f"bases[{i}]"
        if problem := name_problem(base.name, AUTOMATIC_NAME_LENGTH):
            raise PositionError(f"{place}.name", f'"{base.name}": {problem}')
        if (first := names.setdefault(fold(base.name), i)) != i:
            raise PositionError(f"{place}.name", f'"{base.name}" is the name of bases[{first}] already')
        if (first := numbers.setdefault(base.acquired, i)) != i:
            raise PositionError(f"{place}.acquired", f"{base.acquired} is the number of bases[{first}] already")
        for column, name in (("owner", base.owner), ("builder", base.builder)):
            if position.player(name) is None:
                raise PositionError(f"{place}.{column}", f'there is no player "{name}"')


def _check_sheets(position: Position, written: list[_Sheet]) -> None:
    """What is on file must be what a letter with these lines would put there: `position` has no sheets yet."""
    bare = replace(position, missed=(), past=())
    for i, sheet in enumerate(written):
        _check_player(position, sheet, f"sheets[{i}]")
        if any(other.player == sheet.player for other in written[:i]):
            raise PositionError(f"sheets[{i}].player", f'"{sheet.player}" has two sheets')
        if found := _wrong(bare, sheet.player, tuple(sheet.lines)):
            line, problem = found
            raise PositionError(f"sheets[{i}].lines[{line - 1}]" if line else f"sheets[{i}]", problem)


@lru_cache(maxsize=2048)
def _wrong(position: Position, player: str, lines: tuple[str, ...]) -> tuple[int, str] | None:
    """The first line, from 1, that cannot be on file, or 0 for the sheet, and why. It is remembered: a position is read again
    with each sheet that is filed, and the others are as they were."""
    for j, text in enumerate(lines, start=1):
        if problem := _line_problem(position, text):
            return j, f'"{text:.60}": {problem}'
    mail = Mail(player, tuple(Line(j, line) for j, line in enumerate(lines, start=1)), (0, 0))
    for verdict in receive(position, mail).verdicts:
        if verdict.status is Status.ERROR:
            return verdict.line, f'"{verdict.text:.60}": {verdict.message}' if verdict.line else verdict.message
        if verdict.line and verdict.canonical != verdict.text:
            return verdict.line, f'on file this order is written "{verdict.canonical:.60}"'
    return None


def _check_past(position: Position, written: list[_PastTurn]) -> None:
    """Sheets of turns gone by: form and names; whether the orders were possible then cannot be told any more."""
    for i, past in enumerate(written):
        for j, sheet in enumerate(past.sheets):
            _check_sheet(position, sheet, f"past[{i}].sheets[{j}]")


def _check_player(position: Position, sheet: _Sheet, place: str) -> None:
    if position.player(sheet.player) is None:
        raise PositionError(f"{place}.player", f'there is no player "{sheet.player}"')


def _check_sheet(position: Position, sheet: _Sheet, place: str) -> None:
    _check_player(position, sheet, place)
    for i, line in enumerate(sheet.lines):
        if problem := _line_problem(position, line):
            raise PositionError(f"{place}.lines[{i}]", f'"{line:.60}": {problem}')


def _check_missed(position: Position) -> None:
    for i, name in enumerate(position.missed):
        if position.player(name) is None or sheet_of(position.sheets, name) is not None:
            raise PositionError(f"missed[{i}]", f'"{name}" is no player without orders')


def _line_problem(position: Position, line: str) -> str:
    """Why a line cannot be on file: a sheet has canonical orders, with the full names of factions."""
    order = read(line)
    if isinstance(order, Unclear):
        return order.problem
    if order.text != line:
        return f'on file this order is written "{order.text:.60}"'
    names: tuple[str, ...] = ()
    match order:
        case Spy(target=name) | Transfer(to=name):
            names = (name,)
        case Attack():
            names = (order.target, *order.allies)
        case SetOob():
            names = (order.against,) if order.against else ()
        case Division():
            names = order.names
        case _:
            pass
    unknown = [name for name in names if position.player(name) is None]
    return f'there is no player "{unknown[0]}"' if unknown else ""


# --- What a position says -----------------------------------------------------------------------------------------------


def turn(position: Position) -> int:
    """Number of the turn that comes next."""
    return position.turn


def seats(position: Position) -> tuple[str, ...]:
    """All factions in sign-up order, eliminated ones too."""
    return tuple(player.name for player in position.players)


def sheets(position: Position) -> tuple[Sheet, ...]:
    """The order sheets on file in this turn, first come first."""
    return position.sheets


def awaiting(position: Position) -> tuple[str, ...]:
    """Living factions without orders whose deadline has not passed."""
    if position.status == "finished":
        return ()
    done = {*position.missed, *(sheet.seat for sheet in position.sheets)}
    return tuple(player.name for player in position.players if player.alive and player.name not in done)


def miss(position: Position, seat: str) -> Resolution[Position]:
    """The deadline of a faction passed (GO-R75): it is no longer awaited. Nothing changes for one that has sent orders."""
    if seat not in awaiting(position):
        return Resolution(position)
    return Resolution(replace(position, missed=(*position.missed, seat)))


def outcome(position: Position) -> Outcome | None:
    """None while the game runs; the last faction left wins (GO-03), a turn limit ends it without a winner (GO-R77)."""
    if position.status == "running":
        return None
    if position.winner:
        return Outcome((position.winner,), f"{position.winner} is the sole survivor and the Galactic Overlord.")
    return Outcome((), f"The turn limit was reached in turn {position.turn - 1}; nobody has won.")
