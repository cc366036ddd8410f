"""What a side sees of the other (section 8 of the rules)."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from .condition import current
from .counters import Looks, Question, Sighting, Transit, Unit
from .hexes import Hex, distance
from .state import Position
from .systems import Place, SideNumber, enemy_of


@dataclass(frozen=True, slots=True)
class Seen:
    """What a side sees of the other on a board: its units, by hex and name, and the hexes that show a "?" instead, sorted."""

    units: tuple[Unit, ...]
    questions: tuple[Hex, ...]

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing of the enemy to be seen."""
        return not self.units and not self.questions


_NOTHING = Seen((), ())


class Sensor(NamedTuple):
    """Where a unit is on a board, and how far it sees."""

    hex: Hex
    reach: int


def sight(position: Position, side: SideNumber) -> Mapping[str, Seen]:
    """What the side sees, for all systems in map order: units that no "?" covers; with the fog of sensors only those within
    the range of a sensor, and a "?" in place of others on boards where the side has a unit (section 8.3)."""
    enemy = enemy_of(side)
    theirs: dict[str, list[Unit]] = {}
    for unit in position.units:
        if unit.side == enemy and (place := unit.place) is not None:
            theirs.setdefault(place.system, []).append(unit)
    hidden: dict[str, set[Hex]] = {}
    for question in position.questions:
        if question.side == enemy and (place := question.place) is not None:
            hidden.setdefault(place.system, set()).add(place.hex)
    if position.options.fog != "sensors":
        return {name: _seen(theirs.get(name, ()), hidden.get(name, frozenset())) for name in position.by_system}
    eyes = sensors_of(position, side)
    return {
        name: _seen(theirs.get(name, ()), hidden.get(name, frozenset()), eyes[name]) if name in eyes else _NOTHING
        for name in position.by_system
    }


def _seen(units: Iterable[Unit], hidden: Collection[Hex], eyes: Sequence[Sensor] | None = None) -> Seen:
    """What is seen of the units on a board with a "?" on the `hidden` hexes: by these sensors, or else by everybody."""
    found: list[Unit] = []
    questions = {*hidden}
    for unit in units:
        place = unit.place
        if place is None or place.hex in hidden:
            continue
        if eyes is None or is_in_range(place.hex, eyes):
            found.append(unit)
        else:
            questions.add(place.hex)
    return Seen(_in_order(found), tuple(sorted(questions)))


def open_board(system: str, units: Iterable[Unit], questions: Iterable[Question]) -> Seen:
    """All of these that are on the board of that system."""
    marks = {question.place.hex for question in questions if question.place and question.system == system}
    return Seen(_in_order(unit for unit in units if unit.system == system), tuple(sorted(marks)))


def _in_order(units: Iterable[Unit]) -> tuple[Unit, ...]:
    return tuple(sorted(units, key=lambda unit: (unit.spot, unit.name.casefold(), unit.name)))


def sensors_of(position: Position, side: SideNumber) -> dict[str, list[Sensor]]:
    """The sensors of a side, by the systems on whose boards they are."""
    found: dict[str, list[Sensor]] = {}
    for unit in position.units:
        if unit.side == side and (place := unit.place) is not None:
            found.setdefault(place.system, []).append(Sensor(place.hex, current(unit).sensor_range))
    return found


def is_in_range(where: Hex, sensors: Iterable[Sensor]) -> bool:
    """Whether one of the sensors on a board reaches that hex."""
    return any(distance(where, eye) <= reach for eye, reach in sensors)


def transits_seen(position: Position, side: SideNumber) -> list[dict[str, Any]]:
    """The other side's transit groups: their day, and their squadrons or a "?"; nothing with the fog of sensors."""
    if position.options.fog == "sensors":
        return []
    return transit_rows(position, (group for group in position.transits if group.side != side))


def transit_rows(position: Position, groups: Iterable[Transit]) -> list[dict[str, Any]]:
    """What is visible of transit groups, those that are nearly through first."""
    rows: list[dict[str, Any]] = []
    for group in groups:
        units = [unit for unit in position.units if unit.spot == group.id and not position.is_covered(unit)]
        rows.append({"day": group.day, "content": ", ".join(sorted((unit.name for unit in units), key=str.casefold)) or "?"})
    return sorted(rows, key=lambda row: (-row["day"], row["content"]))


def transit_units_seen(position: Position, side: SideNumber) -> tuple[Unit, ...]:
    """The other side's units in transit that no "?" covers; none with the fog of sensors."""
    if position.options.fog == "sensors":
        return ()
    return tuple(unit for unit in position.units if unit.side != side and unit.place is None and not position.is_covered(unit))


def shown(position: Position, side: SideNumber) -> list[dict[str, Any]]:
    """The view of a side (section 8.1), system by system, if there is something to see."""
    return sight_rows(sight(position, side))


def sight_rows(boards: Mapping[str, Seen]) -> list[dict[str, Any]]:
    """What is seen on boards, system by system."""
    return [
        {
            "system": name,
            "units": [face(unit) for unit in seen.units],
            "questions": [where.text for where in seen.questions],
        }
        for name, seen in boards.items()
        if not seen.is_empty
    ]


def face(unit: Unit) -> dict[str, Any]:
    """What an uncovered counter shows to everybody at the table: never what it carries."""
    return {
        "name": unit.name,
        "kind": unit.kind,
        "hex": unit.place.hex.text if unit.place else "",
        "factors": unit.printed._asdict(),
        "damage": unit.damage,
    }


def remembered(position: Position) -> tuple[Sighting, ...]:
    """What both sides remember after looking at the present boards: for each unit where and when it was last seen, and "?"
    where they were and are not known to be gone."""
    kept: list[Sighting] = []
    for side in (1, 2):
        seen = sight(position, side)
        fresh = [
            Sighting(side, unit.place, unit.name, position.day, Looks(unit.kind, unit.printed, unit.damage))
            for board in seen.values()
            for unit in board.units
            if unit.place is not None
        ]
        names = {sighting.name for sighting in fresh}
        fresh += [
            Sighting(side, Place(name, where), "?", position.day) for name, board in seen.items() for where in board.questions
        ]
        watched = _watched(position, side)
        old = [
            sighting
            for sighting in position.sightings
            if sighting.side == side
            and sighting.name not in names
            and not (sighting.name == "?" and sighting.place.system in watched)
        ]
        kept += sorted([*old, *fresh], key=lambda sighting: (sighting.name.casefold(), sighting.name, sighting.place))
    return tuple(kept)


def _watched(position: Position, side: SideNumber) -> set[str]:
    """The systems whose boards the side is shown."""
    if position.options.fog == "counters":
        return {*position.by_system}
    return {unit.place.system for unit in position.units if unit.side == side and unit.place is not None}
