"""What pbmd asks about a position: its document, its turn and seats, whom it waits for, and how the game ended.

A document is read strictly, and errors name the place (section 4 of the rules): types and ranges are in `world.state`, and here
is what they cannot express.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from pbmd.rules import Outcome, PositionError, Resolution, fold
from pbmd.rules.checking import note_missed, still_awaited
from pbmd.rules.codec import codec
from pbmd.rules.placing import ranked_places
from pbmd.rules.sound import check_on_file, must_differ
from pbmd.rules.words import listing

from .checking.names import name_problem, text_problem
from .checks import checked_on_file
from .tables import INFO, PART_PRICE, WONDER_CALLED
from .world.squares import Square
from .world.state import Position, VictoryKind


def seats(position: Position) -> tuple[str, ...]:
    """All societies in sign-up order, eliminated ones too."""
    return tuple(position.by_name)


def awaiting(position: Position) -> tuple[str, ...]:
    """Societies in the game without orders whose deadline has not passed."""
    return () if position.over else still_awaited(position, (society.name for society in position.living))


def miss(position: Position, seat: str) -> Resolution[Position]:
    """The deadline of a society passed (SO-R97): it is no longer awaited. Nothing changes for one that has sent orders."""
    return note_missed(position, seat, awaiting(position))


_WAYS: Mapping[VictoryKind, str] = {
    "conquest": "by conquest",
    "spaceship": "by a spaceship",
    "cultural": "by its wonders",
    "domination": "because all others have conceded",
}


def outcome(position: Position) -> Outcome | None:
    """None while the game is running, else who won and how (section 10); several may win together (SO-176)."""
    if not position.over:
        return None
    winners, victories = position.result.winners, position.result.victories
    if not winners:
        return Outcome((), "The game is over; nobody has won.")
    ways = {name: listing(_WAYS[v.kind] for v in victories if v.society == name) for name in winners}
    sentences = [f"{name} has won{' ' + way if way else ''}." for name, way in ways.items()]
    return Outcome(winners, " ".join(sentences))


def places(position: Position) -> Mapping[str, int]:
    """The winners are first, then those still in the game with more cities, then those who were in it for longer (SO-R100). If
    nobody has won, all who are left share the first place."""
    winners = position.result.winners
    cities = {name: len(squares) if winners else 0 for name, squares in position.territory.items()}
    return ranked_places(
        {
            society.name: (int(society.name in winners), int(society.living), cities[society.name], society.eliminated_turn)
            for society in position.societies
        }
    )


# --- Requirements for documents -------------------------------------------------------------------------------------------


def _refuse(broken: object, place: str, problem: str) -> None:
    if broken:
        raise PositionError(place, problem)


def _once(value: Hashable, seen: set[Any], place: str, problem: str) -> None:
    _refuse(value in seen, place, problem)
    seen.add(value)


def _known(name: str, place: str, names: Iterable[str], *, empty: bool = False) -> None:
    _refuse(name not in names and not (empty and not name), place, f'there is no society "{name:.60}" in the game')


def _proper(text: str, place: str, problem_of: Callable[[str], str]) -> None:
    problem = problem_of(text)
    _refuse(problem, place, f'"{text:.60}": {problem}')


def _on_map(square: Square, place: str, side: int) -> None:
    _refuse(not square.within(side), place, f"{square.text} is not on a map of side {side}")


def _societies(position: Position) -> None:
    parts = position.options.spaceship_parts
    must_differ("society", "name", (society.name for society in position.societies))
    for i, society in enumerate(position.societies):
        place = f"society[{i}]"
        _proper(society.name, f"{place}.name", name_problem)
        if society.title:
            _proper(society.title, f"{place}.title", text_problem)
        _refuse(society.spaceship_parts > parts, f"{place}.spaceship_parts", f"a spaceship has {parts} parts")
        spent = society.engine_spend
        _refuse(0 < spent < PART_PRICE, f"{place}.engine_spend", f"0 or at least {PART_PRICE} is wanted here")


def _cities(position: Position) -> None:
    for i, square in enumerate(position.nuked):
        _on_map(square, f"map.nuked[{i}]", position.side)
    living, taken = {society.name for society in position.living}, set[Square]()
    for i, city in enumerate(position.cities):
        place, label = f"city[{i}]", city.square.text
        _on_map(city.square, f"{place}.square", position.side)
        _once(city.square, taken, f"{place}.square", f"there is a city at {label} already")
        _refuse(city.square in position.nuked, f"{place}.square", f"{label} is nuked and cannot hold a city")
        _known(city.owner, f"{place}.owner", living)
        if city.name:
            _proper(city.name, f"{place}.name", text_problem)


def _wonders(position: Position) -> None:
    must_differ("wonder", "name", (wonder.name for wonder in position.wonders))
    for i, wonder in enumerate(position.wonders):
        place = f"wonder[{i}]"
        _refuse(WONDER_CALLED.get(fold(wonder.name)) != wonder.name, f"{place}.name", f'there is no wonder "{wonder.name:.60}"')
        _known(wonder.builder, f"{place}.builder", position.by_name, empty=wonder.destroyed)
        if wonder.square:
            _on_map(wonder.square, f"{place}.square", position.side)
        if wonder.destroyed:
            _refuse(wonder.owner or wonder.square, place, f"{wonder.name} is destroyed and has neither an owner nor a square")
            continue
        _known(wonder.owner, f"{place}.owner", position.by_name)
        stands = wonder.square in position.territory[wonder.owner]
        _refuse(not stands, f"{place}.square", f"a wonder stands in a city of its owner, {wonder.owner}")


def _between(position: Position) -> None:
    """Wars, rights to counterattacks, and concessions."""
    pairs, rights = set[frozenset[str]](), set[tuple[str, str]]()
    for i, war in enumerate(position.wars):
        one, other = war.between
        _pair(position, one, other, f"war[{i}].between[0]", f"war[{i}].between[1]")
        _refuse(war.since > position.turn, f"war[{i}].since", f"this is turn {position.turn}")
        _once(frozenset(war.between), pairs, f"war[{i}].between", f"the war of {one} and {other} is there twice")
    for i, right in enumerate(position.counterattacks):
        place, own = f"counterattack[{i}]", (right.holder, right.against)
        _pair(position, *own, f"{place}.holder", f"{place}.against")
        _once(own, rights, place, f"{right.holder} against {right.against} is there twice")
    must_differ("concession", "by", (given.by for given in position.concessions))
    for i, given in enumerate(position.concessions):
        _pair(position, given.by, given.to, f"concession[{i}].by", f"concession[{i}].to")


def _pair(position: Position, one: str, other: str, place: str, other_place: str) -> None:
    living = {society.name for society in position.living}
    _known(one, place, living)
    _known(other, other_place, living)
    _refuse(one == other, other_place, "another society is wanted here")


def _homes(position: Position) -> None:
    for i, society in enumerate(position.societies):
        homeless = society.living and not position.territory[society.name]
        _refuse(homeless, f"society[{i}].eliminated_turn", f"{society.name} is in the game, but has no city")
    _known(position.gm_concession, "gm_concession", position.by_name, empty=True)


def _result(position: Position) -> None:
    result = position.result
    won = result.winners or result.victories
    _refuse(won and not result.over, "result.over", "only a game that is over has winners")
    for i, name in enumerate(result.winners):
        _known(name, f"result.winners[{i}]", position.by_name)
    for i, victory in enumerate(result.victories):
        _known(victory.society, f"result.victories[{i}].society", result.winners)


def _running_turn(position: Position) -> None:
    running = position.sheets or position.missed
    place = "sheets" if position.sheets else "missed"
    _refuse(position.over and running, place, "a game that is over has no orders")
    check_on_file(position, (society.name for society in position.living), checked_on_file)
    for i, past in enumerate(position.past):
        for j, sheet in enumerate(past.sheets):
            _known(sheet.seat, f"past[{i}].sheets[{j}].player", position.by_name)


_CHECKS = (_societies, _cities, _wonders, _between, _homes, _result, _running_turn)
"""In this order: a later check may rely on an earlier one."""


def _sound(read: Position) -> Position:
    position = replace(read, wonders=tuple(wonder._replace(builder=wonder.builder or wonder.owner) for wonder in read.wonders))
    for check in _CHECKS:
        check(position)
    return position


CODEC = codec(Position, INFO, _sound)
