"""Who owns the planets (7.2, step 8)."""

from dataclasses import replace

from .condition import current
from .day import Day
from .state import Body, Owner, Place, Position


def take_control(day: Day) -> None:
    """Planets pass to a side that stands there alone, armed and uncovered (SQ-R73)."""
    for system in day.now.systems:
        for body in system.bodies:
            owner = _new_owner(day.now, system.name, body)
            if owner == body.owner:
                continue
            day.captured = True
            day.now = _with_owner(day.now, system.name, body, owner)
            data = {"body": body.name, "system": system.name, "side": owner, "side_name": day.now.side(owner).name}
            day.tell("captured", data, None)


def _new_owner(position: Position, system: str, body: Body) -> Owner:
    if body.kind != "planet":
        return body.owner
    place = Place(system, body.hex)
    there = [unit for unit in position.units if unit.place == place]
    able = [unit for unit in there if unit.is_squadron and current(unit).attack >= 1 and not position.is_covered(unit)]
    return able[0].side if able and all(unit.side == able[0].side for unit in there) else body.owner


def _with_owner(position: Position, name: str, taken: Body, owner: Owner) -> Position:
    systems = (
        replace(system, bodies=tuple(replace(body, owner=owner) if body == taken else body for body in system.bodies))
        if system.name == name
        else system
        for system in position.systems
    )
    return replace(position, systems=tuple(systems))
