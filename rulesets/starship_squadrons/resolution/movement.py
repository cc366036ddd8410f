"""Movement in an impulse (7.2, step 2.1): the orders of one side, in order, each group along its way."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ..orders import Impulse, Move
from ..world.condition import current
from ..world.counters import Counter, Unit, name_of
from ..world.hexes import Hex, walk
from ..world.state import Position
from ..world.systems import Place, SideNumber
from .day import Day, Task, friends, winning
from .fleets import together

Route = tuple[str, str]
"""A player and the name of a counter."""


@dataclass(slots=True)
class Routes:
    """The waypoints that counters did not reach in the first impulse, from orders for both (SQ-R37)."""

    left: dict[tuple[int, Route], tuple[Hex, ...]] = field(default_factory=dict[tuple[int, Route], tuple[Hex, ...]])


def move(day: Day, side: SideNumber, impulse: Impulse, routes: Routes) -> None:
    """Carry out the side's MOVE orders for that impulse; 0 takes all of them, whatever impulse they name."""
    orders = [task for task in day.of(Move) if task.side == side]
    wins = winning(orders, lambda order: isinstance(order, Move) and (not impulse or order.impulse in (0, impulse)))
    for number, task in enumerate(orders):
        for waypoints, counters in _groups(day, task, number, wins, routes):
            _move_group(day, task, number, waypoints, counters, routes)
    day.now = together(day.now)


def _groups(
    day: Day, task: Task, number: int, wins: dict[Route, Task], routes: Routes
) -> list[tuple[tuple[Hex, ...], list[Counter]]]:
    """The counters that this order applies to, by hex and by the rest of their way (SQ-R46)."""
    order = task.order
    assert isinstance(order, Move)
    groups: dict[tuple[Place, tuple[Hex, ...]], list[Counter]] = {}
    for named in task.counters:
        route = (task.player, named.name)
        if wins.get(route) is not task:
            continue
        counter = day.counter(task, named.name)
        waypoints = routes.left.get((number, route), order.waypoints)
        if counter is None or counter.place is None:
            if not named.quiet:
                day.undone(task, named.name, "it is gone" if counter is None else "it is not on a board")
        elif isinstance(counter, Unit) and not counter.is_squadron:
            if not named.quiet:
                day.undone(task, named.name, "planets do not move")
        elif waypoints:
            groups.setdefault((counter.place, waypoints), []).append(counter)
    return [(waypoints, counters) for (_, waypoints), counters in groups.items()]


def _move_group(
    day: Day, task: Task, number: int, waypoints: tuple[Hex, ...], counters: Sequence[Counter], routes: Routes
) -> None:
    place = counters[0].place
    assert place is not None
    size = day.now.by_system[place.system].size
    if not all(map(size.holds, waypoints)):
        day.undone(task, "", f"it names a hex that is not on the {place.system} board")
        return
    goers, speed = _able(day, task, counters)
    if not goers:
        return
    way = walk(place.hex, waypoints, speed, size)
    for counter in goers:
        routes.left[number, (task.player, name_of(counter))] = way.left
    if not way.steps:
        return
    end = Place(place.system, way.steps[-1])
    day.put(*(_moved(counter, end) for counter in goers))
    data = {
        "player": task.player,
        "counters": [name_of(counter) for counter in goers],
        "system": place.system,
        "start": place.hex.text,
        "end": end.hex.text,
    }
    path = [step.text for step in way.steps]
    day.tell("moved", data, friends(day.now, task.player), {"path": path, "left": len(way.left)}, (task.player,))


def _able(day: Day, task: Task, counters: Sequence[Counter]) -> tuple[list[Counter], int]:
    """Those in a group that go, and how fast: at the speed of its slowest unit that can move; none if no unit in it can."""
    speeds = {unit.name: current(unit).maneuver for unit in counters if isinstance(unit, Unit)}
    for name in (name for name, speed in speeds.items() if speed == 0):
        day.undone(task, name, "it has no maneuver left")
    able = [speed for speed in speeds.values() if speed]
    if speeds and not able:
        return [], 0
    goers = [counter for counter in counters if not isinstance(counter, Unit) or speeds[counter.name]]
    return goers, min(able, default=day.now.options.dummy_maneuver)


def _moved(counter: Counter, end: Place) -> Counter:
    return replace(counter, spot=end, moved=True) if isinstance(counter, Unit) else replace(counter, spot=end)


def rested(position: Position) -> Position:
    """The position at the start of a day: nothing has moved yet."""
    return replace(position, units=tuple(replace(unit, moved=False) if unit.moved else unit for unit in position.units))
