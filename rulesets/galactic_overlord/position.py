"""The position document (section 4 of the rules), read strictly, and what a position says of itself."""

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

from pbmd.rules import Document, Line, Mail, Outcome, PositionError, Resolution, Sheet, Status, fold
from pbmd.rules.checking import note_missed, still_awaited
from pbmd.rules.codec import codec
from pbmd.rules.sheets import sheet_of

from .checking.reading import read
from .checks import receive
from .orders import Order, renamed
from .tables import INFO
from .world.state import AUTOMATIC_NAME_LENGTH, Position, faction_name_problem, name_problem

_CODEC = codec(Position, INFO)


def load(document: Mapping[str, Any]) -> Position:
    """The position in a document. Raises `PositionError` with the place of what is wrong."""
    position = _CODEC.load(document)
    _check_players(position)
    _check_bases(position)
    _check_sheets(position)
    _check_past(position)
    for i, name in enumerate(position.missed):
        if position.player(name) is None or sheet_of(position.sheets, name) is not None:
            raise PositionError(f"missed[{i}]", f'"{name}" is no player without orders')
    return position


def dump(position: Position) -> Document:
    """The document of a position; `load` gives the same position back."""
    return _CODEC.dump(position)


def _check_players(position: Position) -> None:
    owners = {base.owner for base in position.bases}
    met: dict[str, int] = {}
    for i, player in enumerate(position.players):
        place = f"players[{i}]"
        for stock, limit in position.options.most_in_stock.items():
            if getattr(player, stock) > limit:
                raise PositionError(f"{place}.{stock}", f"{getattr(player, stock)} is more than the {limit} there can be")
        if problem := faction_name_problem(player.name):
            raise PositionError(f"{place}.name", f'"{player.name}": {problem}')
        if (first := met.setdefault(fold(player.name), i)) != i:
            raise PositionError(f"{place}.name", f'"{player.name}" is the name of players[{first}] already')
        if not player.alive and (player.ships or player.name in owners):
            raise PositionError(f"{place}.alive", f"{player.name} is eliminated, but has ships or bases")
    if position.winner:
        _check_known(position, position.winner, "winner")
        if position.status == "running":
            raise PositionError("winner", 'a running game has no winner; write winner = ""')


def _check_known(position: Position, name: str, place: str) -> None:
    if position.player(name) is None:
        raise PositionError(place, f'there is no player "{name}"')


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
            _check_known(position, name, f"{place}.{column}")


def _check_sheets(position: Position) -> None:
    """What is on file must be what a letter with these lines would put there."""
    bare = replace(position, sheets=(), missed=(), past=())
    for i, sheet in enumerate(position.sheets):
        _check_known(position, sheet.seat, f"sheets[{i}].player")
        if any(other.seat == sheet.seat for other in position.sheets[:i]):
            raise PositionError(f"sheets[{i}].player", f'"{sheet.seat}" has two sheets')
        if found := _wrong(bare, sheet.seat, sheet.lines):
            line, problem = found
            raise PositionError(f"sheets[{i}].lines[{line - 1}]" if line else f"sheets[{i}]", problem)


@lru_cache(maxsize=2048)
def _wrong(position: Position, player: str, lines: tuple[str, ...]) -> tuple[int, str] | None:
    """The first line, from 1, that cannot be on file, or 0 for the sheet, and why. It is remembered: a position is read again
    with each sheet that is filed, and the others are as they were."""
    mail = Mail(player, tuple(Line(j, line) for j, line in enumerate(lines, start=1)), (0, 0))
    unread = {line.number: line.text for line in mail.lines}
    for verdict in receive(position, mail).verdicts:
        unread.pop(verdict.line, None)
        if verdict.status is Status.ERROR:
            return verdict.line, f'"{verdict.text:.60}": {verdict.message}' if verdict.line else verdict.message
        if verdict.line and verdict.canonical != verdict.text:
            return verdict.line, f'on file this order is written "{verdict.canonical:.60}"'
    return next(((j, f'"{text:.60}": this is no order') for j, text in unread.items()), None)


def _check_past(position: Position) -> None:
    """Sheets of turns gone by: form and names; whether the orders were possible then cannot be told any more."""
    for i, past in enumerate(position.past):
        for j, sheet in enumerate(past.sheets):
            place = f"past[{i}].sheets[{j}]"
            _check_known(position, sheet.seat, f"{place}.player")
            for k, line in enumerate(sheet.lines):
                if problem := _line_problem(position, line):
                    raise PositionError(f"{place}.lines[{k}]", f'"{line:.60}": {problem}')


def _line_problem(position: Position, line: str) -> str:
    """Why a line cannot have been on file: a sheet has canonical orders, with the full names of factions."""
    order = read(line)
    if not isinstance(order, Order):
        return order.problem if order else "this is no order"
    if order.text != line:
        return f'on file this order is written "{order.text:.60}"'
    unknown: list[str] = []
    renamed(order, lambda name: name if position.player(name) else unknown.append(name) or name)
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
    return still_awaited(position, (player.name for player in position.players if player.alive))


def miss(position: Position, seat: str) -> Resolution[Position]:
    """The deadline of a faction passed (GO-R75): it is no longer awaited. Nothing changes for one that has sent orders."""
    return note_missed(position, seat, awaiting(position))


def outcome(position: Position) -> Outcome | None:
    """None while the game runs; the last faction left wins (GO-03), a turn limit ends it without a winner (GO-R77)."""
    if position.status == "running":
        return None
    if position.winner:
        return Outcome((position.winner,), f"{position.winner} is the sole survivor and the Galactic Overlord.")
    return Outcome((), f"The turn limit was reached in turn {position.turn - 1}; nobody has won.")
