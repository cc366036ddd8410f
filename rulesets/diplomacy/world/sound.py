"""What a document must satisfy beyond its types: units where such units can be, centres that exist, powers of the map."""

from collections.abc import Callable, Iterable
from dataclasses import replace

from pbmd.rules import PositionError

from .state import Position, Power
from .units import Unit


def sound(read: Position) -> Position:
    """The position, with units and centres in their order. Raises `PositionError` with the place of what is wrong."""
    for check in (_powers, _seats, _units, _centres, _history, _dislodged, _ending):
        check(read)
    return replace(read, powers=tuple(_in_order(power) for power in read.powers))


def _in_order(power: Power) -> Power:
    return replace(
        power,
        units=tuple(sorted(power.units, key=lambda unit: unit.place)),
        centres=tuple(sorted(power.centres)),
        dislodged=tuple(sorted(power.dislodged, key=lambda each: each.unit.place)),
    )


def _refuse(broken: object, place: str, problem: str) -> None:
    if broken:
        raise PositionError(place, problem)


def _powers(position: Position) -> None:
    wanted = tuple(position.board.by_power)
    found = tuple(power.name for power in position.powers)
    _refuse(found != wanted, "powers", f"the map has {', '.join(wanted)}, in this order")


def _seats(position: Position) -> None:
    _among(position.seats, position.board.by_power, "seats")
    _refuse(not position.seats, "seats", "nobody plays")
    _among(position.left, position.seats, "left")
    _among(position.asleep, [seat for seat in position.seats if seat not in position.left], "asleep")
    _among(position.winners, position.seats if position.end != "victory" else position.board.by_power, "winners")


def _among(names: Iterable[str], allowed: Iterable[str], place: str) -> None:
    allowed, seen = list(allowed), set[str]()
    for i, name in enumerate(names):
        _refuse(name not in allowed, f"{place}[{i}]", f'there is no power "{name:.60}" here')
        _refuse(name in seen, f"{place}[{i}]", f"{name} is there twice")
        seen.add(name)


def _once() -> Callable[[str, str], None]:
    seen: set[str] = set()

    def check(name: str, place: str) -> None:
        _refuse(name in seen, place, f"{name} is there twice")
        seen.add(name)

    return check


def _stands(position: Position, unit: Unit, place: str) -> None:
    _refuse(not position.board.stands(unit), place, f"there can be no {unit.text}")


def _units(position: Position) -> None:
    once = _once()
    for i, power in enumerate(position.powers):
        for j, unit in enumerate(power.units):
            place = f"powers[{i}].units[{j}]"
            _stands(position, unit, place)
            once(unit.province, place)


def _centres(position: Position) -> None:
    once = _once()
    for i, power in enumerate(position.powers):
        for j, centre in enumerate(power.centres):
            place = f"powers[{i}].centres[{j}]"
            _refuse(centre not in position.board.centres, place, f'there is no centre "{centre:.20}"')
            once(centre, place)


def _history(position: Position) -> None:
    before = 0
    for i, row in enumerate(position.history):
        _refuse(len(row) != len(position.powers) + 1, f"history[{i}]", "a row has the year, and a number for each power")
        _refuse(not before < row[0] <= position.year, f"history[{i}]", "years come one after the other, until this one")
        _refuse(min(row) < 0 or sum(row[1:]) > len(position.board.centres), f"history[{i}]", "there are not so many centres")
        before = row[0]


def _dislodged(position: Position) -> None:
    once = _once()
    for i, power in enumerate(position.powers):
        for j, each in enumerate(power.dislodged):
            place = f"powers[{i}].dislodged[{j}]"
            _refuse(position.kind != "retreats", place, "only in a phase of retreats units have to retreat")
            _stands(position, each.unit, f"{place}.unit")
            once(each.unit.province, f"{place}.unit")
            _refuse(each.by not in position.board.by_id, f"{place}.by", f'there is no province "{each.by:.20}"')
            reach = position.board.army_reach if each.unit.kind == "A" else position.board.fleet_reach
            for k, to in enumerate(each.retreats):
                out = to not in reach[each.unit.place] or to[:3] in position.unit_at
                _refuse(out, f"{place}.retreats[{k}]", f'{each.unit.text} cannot retreat to "{to:.20}"')


def _ending(position: Position) -> None:
    _refuse(position.is_over != bool(position.end), "end", "a game that is over says how it ended, and no other does")
    _refuse(position.winners and not position.is_over, "winners", "only a game that is over has winners")
    rest = position.sheets or position.missed or position.ahead
    _refuse(position.is_over and rest, "sheets", "a game that is over has no orders")
