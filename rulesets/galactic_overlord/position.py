"""The position document (section 4 of the rules), read strictly, and what can be read off a position."""

import itertools
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

from pbmd.rules import Line, Outcome, PositionError, Resolution
from pbmd.rules.checking import Checked, Wrong, note_missed, still_awaited
from pbmd.rules.codec import codec
from pbmd.rules.placing import ranked_places
from pbmd.rules.sound import check_on_file, must_differ

from .checking.reading import read
from .checks import check_lines
from .orders import Order, renamed
from .tables import INFO
from .world.state import AUTOMATIC_NAME_LENGTH, Position, faction_name_problem, name_problem


def _check_players(position: Position) -> None:
    owners = {base.owner for base in position.bases}
    for i, player in enumerate(position.players):
        place = f"players[{i}]"
        for stock, limit in position.options.most_in_stock.items():
            if getattr(player, stock) > limit:
                raise PositionError(f"{place}.{stock}", f"{getattr(player, stock)} is more than the {limit} there can be")
        if problem := faction_name_problem(player.name):
            raise PositionError(f"{place}.name", f'"{player.name}": {problem}')
        if not player.alive and (player.ships or player.name in owners):
            raise PositionError(f"{place}.alive", f"{player.name} is eliminated, but has ships or bases")
    must_differ("players", "name", (player.name for player in position.players))
    if position.winner:
        _check_known(position, position.winner, "winner")
        if position.status == "running":
            raise PositionError("winner", 'a running game has no winner; write winner = ""')


def _check_known(position: Position, name: str, place: str) -> None:
    if position.player(name) is None:
        raise PositionError(place, f'there is no player "{name}"')


def _check_bases(position: Position) -> None:
    for i, base in enumerate(position.bases):
        place = f"bases[{i}]"
        if problem := name_problem(base.name, AUTOMATIC_NAME_LENGTH):
            raise PositionError(f"{place}.name", f'"{base.name}": {problem}')
        for column, name in (("owner", base.owner), ("builder", base.builder)):
            _check_known(position, name, f"{place}.{column}")
    must_differ("bases", "name", (base.name for base in position.bases))
    must_differ("bases", "acquired", (base.acquired for base in position.bases))


@lru_cache(maxsize=1024)
def _on_file(position: Position, seat: str, lines: tuple[str, ...]) -> Checked:
    """A sheet checked as a letter, without its valid lines. The result is cached: a position is read again with each sheet that
    is filed, and the others have not changed."""
    player = position.player(seat)
    assert player is not None
    checked = check_lines(position, player, itertools.starmap(Line, enumerate(lines)))
    wrong = [answer for answer in checked.answers if isinstance(answer, Wrong)]
    return Checked(wrong, filed=checked.sheet)


@lru_cache(maxsize=256)
def _shared(position: Position) -> Position:
    """The same object for the same position: the sheets of a turn are cached with one, and not each with its own."""
    return position


def _check_past(position: Position) -> None:
    """Sheets of past turns: form and names; nobody can tell any more whether the orders were possible then."""
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


def _sound(position: Position) -> Position:
    _check_players(position)
    _check_bases(position)
    _check_past(position)
    bare = _shared(replace(position, sheets=(), missed=(), past=()))
    lines = {sheet.seat: sheet.lines for sheet in position.sheets}
    able = [player.name for player in position.players if player.alive] if position.status == "running" else []
    return check_on_file(position, able, lambda _position, seat, _lines: _on_file(bare, seat, lines[seat]))


CODEC = codec(Position, INFO, _sound)


# --- What a position says -----------------------------------------------------------------------------------------------


def seats(position: Position) -> tuple[str, ...]:
    """All factions in sign-up order, eliminated ones too."""
    return tuple(player.name for player in position.players)


def awaiting(position: Position) -> tuple[str, ...]:
    """Living factions without orders whose deadline has not passed."""
    if position.status == "finished":
        return ()
    return still_awaited(position, (player.name for player in position.players if player.alive))


def miss(position: Position, seat: str) -> Resolution[Position]:
    """The deadline of a faction passed (GO-R75): it is no longer awaited. Nothing changes for one that has sent orders."""
    return note_missed(position, seat, awaiting(position))


def outcome(position: Position) -> Outcome | None:
    """None while the game is running; the last faction left wins (GO-03), a turn limit ends it without a winner (GO-R77)."""
    if position.status == "running":
        return None
    if position.winner:
        return Outcome((position.winner,), f"{position.winner} is the sole survivor and the Galactic Overlord.")
    return Outcome((), f"The turn limit was reached in turn {position.turn - 1}; nobody has won.")


def places(position: Position) -> Mapping[str, int]:
    """The winner is before all others; at a turn limit those who are left share the first place (GO-R78)."""
    return ranked_places({player.name: (int(player.name == position.winner), int(player.alive)) for player in position.players})
