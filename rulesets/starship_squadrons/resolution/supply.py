"""Resupply and repair (7.2, step 4): starports, transfers, repairs, fuel."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from ..orders import SELF, STARPORT, NoRepair, Repair, Transfer
from ..world.condition import repair_actions, supply_room
from ..world.counters import Unit
from ..world.factors import FACTORS, OTHERS, Factor, Factors
from ..world.hexes import Hex
from ..world.state import Position
from ..world.systems import SideNumber, enemy_of
from .day import Day, Task, friends

Name = tuple[SideNumber, str]
"""A unit by its side and name."""


class Port(NamedTuple):
    """A starport by its system and hex."""

    system: str
    hex: Hex


# --- Starports -------------------------------------------------------------------------------------------------------------


def stock_starports(day: Day) -> None:
    """Every starport that a side owns gets its daily Supply counters (SQ-R52)."""
    options = day.now.options
    day.now = day.now.with_bodies(
        {
            body.name: replace(
                body, stock=min(body.stock + options.starport_supply, max(body.stock, options.starport_stock_max))
            )
            for system in day.now.systems
            for body in system.bodies
            if body.starport and body.owner
        }
    )


def _own_port(position: Position, unit: Unit) -> Port | None:
    """The starport of the unit's side in its hex."""
    if unit.place is None:
        return None
    body = position.by_system[unit.place.system].starport_at(unit.place.hex)
    return Port(*unit.place) if body is not None and body.owner == unit.side else None


def _stock(position: Position, port: Port) -> int:
    body = position.by_system[port.system].starport_at(port.hex)
    return body.stock if body is not None else 0


def _add_stock(day: Day, port: Port, count: int) -> None:
    if (body := day.now.by_system[port.system].starport_at(port.hex)) is not None:
        day.now = day.now.with_bodies({body.name: replace(body, stock=body.stock + count)})


# --- Transfers -------------------------------------------------------------------------------------------------------------


def transfer(day: Day) -> None:
    """Carry out the TRANSFER lines (SQ-R52, SQ-R58): each moves what is available and fits."""
    for task in day.of(Transfer):
        order = task.order
        assert isinstance(order, Transfer)
        moved, why = _transferred(day, task, order)
        if moved < order.count:
            to = day.now.unit_of(task.side, order.to)
            if not day.now.options.share_side and order.to != STARPORT and (to is None or to.player != task.player):
                # The reason could reveal the place of an ally who keeps to themselves.
                why = f"{'no more' if moved else 'nothing'} got from {order.source} to {order.to}"
            day.undone(task, "", f"{order.count - moved} of {order.count} not: {why}" if moved else why)
        if not moved:
            continue
        data = {"player": task.player, "count": moved, "of": order.count, "what": order.what}
        day.tell("transferred", {**data, "source": order.source, "to": order.to}, friends(day.now, task.player))


def _transferred(day: Day, task: Task, order: Transfer) -> tuple[int, str]:
    """How many counters it moves, and why not more."""
    source = day.now.unit_of(task.side, order.source) if order.source != STARPORT else None
    to = day.now.unit_of(task.side, order.to) if order.to != STARPORT else None
    if why := _not_on_a_board(order.source, source) or _not_on_a_board(order.to, to):
        return 0, why
    here = source or to
    assert here is not None
    port = _own_port(day.now, here)
    if why := _not_together(source, to, port):
        return 0, why
    if order.what == "admiral":
        assert source is not None
        assert to is not None
        return _admirals(day, order.count, source, to)
    return _supplies(day, order, source, to, port)


def _not_on_a_board(name: str, unit: Unit | None) -> str:
    """Why a unit can neither give nor take, "" if it can, or is not a unit but a starport."""
    if name == STARPORT or (unit is not None and unit.place is not None):
        return ""
    return f"{name} is gone" if unit is None else f"{name} is in jump transit"


def _not_together(source: Unit | None, to: Unit | None, port: Port | None) -> str:
    """Why nothing can pass from one to the other, "" if it can; None is a starport."""
    if source is not None and to is not None:
        if source == to:
            return "a unit has its own counters already"
        return f"{source.name} and {to.name} are not in one hex" if source.place != to.place else ""
    unit = source or to
    return f"there is no starport of your side in the hex of {unit.name}" if unit is not None and port is None else ""


def _admirals(day: Day, count: int, source: Unit, to: Unit) -> tuple[int, str]:
    moved = min(count, source.admirals)
    day.put(replace(source, admirals=source.admirals - moved), replace(to, admirals=to.admirals + moved))
    return moved, f"{source.name} has no {'further ' if moved else ''}Admiral"


def _supplies(day: Day, order: Transfer, source: Unit | None, to: Unit | None, port: Port | None) -> tuple[int, str]:
    there = source.supplies if source is not None else _stock(day.now, port) if port else 0
    room = order.count
    if to is not None:
        room = max(0, supply_room(to, day.now.options.supply_per_factor) - to.supplies)
    moved = min(order.count, there, room)
    giver = "the starport" if source is None else source.name
    why = f"{giver} has none left" if there == moved else f"{order.to} has no {'further ' if moved else ''}room"
    if not moved:
        return 0, why
    if source is not None:
        day.put(replace(source, supplies=source.supplies - moved))
    elif port is not None:
        _add_stock(day, port, -moved)
    if to is not None:
        day.put(replace(to, supplies=to.supplies + moved))
    elif port is not None:
        _add_stock(day, port, moved)
    return moved, why


# --- Repairs ---------------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Work:
    """Repairs of the day: actions used by each unit."""

    used: dict[Name, int] = field(default_factory=dict[Name, int])

    def left(self, unit: Unit) -> int:
        return repair_actions(unit) - self.used.get((unit.side, unit.name), 0)


def repair(day: Day) -> None:
    """Carry out the REPAIR lines, then the repairs that nobody ordered or forbade (SQ-R54 to SQ-R57)."""
    work = _Work()
    spoken_for = _ordered_repairs(day, work)
    if day.now.options.auto_repair:
        for unit in [unit for unit in day.now.units if unit.damage]:
            if (unit.side, unit.name) not in spoken_for:
                _repair_by_itself(day, (unit.side, unit.name), work)


def _ordered_repairs(day: Day, work: _Work) -> set[Name]:
    """Carry out the REPAIR lines; returns the units that any line about repair names."""
    lines = [(number, task) for number, task in enumerate(day.of(Repair, NoRepair))]
    named: set[Name] = {(task.side, one.name) for _, task in lines for one in task.counters}
    # A line of the opposite kind cancels earlier ones of the same player (SQ-R04).
    since: dict[Name, int] = {}
    for number, task in lines:
        if isinstance(task.order, NoRepair):
            since |= {(task.side, one.name): number for one in task.counters}
    for number, task in lines:
        order = task.order
        if not isinstance(order, Repair):
            continue
        for one in task.counters:
            if number > since.get((task.side, one.name), -1):
                why = _repair_unit(day, task, order, one.name, work)
                if why and not one.quiet:
                    day.undone(task, one.name, why)
    return named


def _repair_unit(day: Day, task: Task, order: Repair, name: str, work: _Work) -> str:
    """Repair as ordered; returns why nothing, or less than ordered, was repaired, if so."""
    unit = day.counter(task, name)
    if not isinstance(unit, Unit):
        return "it is gone"
    if not unit.damage:
        return "it is not damaged"
    wanted = min(work.left(unit), unit.damage, order.count if order.count is not None else unit.damage)
    if not wanted:
        return "it has made all its repairs of the day"
    left = work.left(unit)
    done = _repair(day, unit, _sources(day.now, unit, order.source), wanted, work)
    asked = order.count or wanted
    if done == asked:
        return ""
    if not done:
        return "there was no Supply counter for it"
    why = "there was no further Supply counter for it" if done < wanted else "it has made all its repairs of the day"
    why = "it is not damaged any more" if done == unit.damage and done <= left else why
    return f"{asked - done} of {asked} not: {why}"


def _sources(position: Position, unit: Unit, wanted: str) -> list[Name | Port]:
    """Whose Supply counters the unit may use, in order of preference (SQ-R56)."""
    if wanted == SELF or unit.place is None:
        return [(unit.side, unit.name)] if wanted in (SELF, "", unit.name) else []
    port = _own_port(position, unit) if position.options.starport_repair else None
    ports: list[Name | Port] = [port] if port else []
    if wanted == STARPORT:
        return ports
    others = [other for other in position.units if other.side == unit.side and other.place == unit.place]
    if wanted:
        return [(other.side, other.name) for other in others if other.name == wanted]
    return [(unit.side, unit.name), *((other.side, other.name) for other in others if other != unit), *ports]


def _repair_by_itself(day: Day, name: Name, work: _Work) -> None:
    """What a unit does without orders: it uses its own counters, its player's, the starport's; never an ally's (SQ-R57)."""
    unit = day.now.unit_of(*name)
    assert unit is not None
    mine = {(other.side, other.name) for other in day.now.units if other.player == unit.player}
    sources = [source for source in _sources(day.now, unit, "") if isinstance(source, Port) or source in mine]
    _repair(day, unit, sources, min(work.left(unit), unit.damage), work)


def _repair(day: Day, unit: Unit, sources: Iterable[Name | Port], wanted: int, work: _Work) -> int:
    """Make this many repairs, one Supply counter each, as long as there are any; returns how many."""
    done = 0
    spent: list[tuple[Name | Port, int]] = []
    for source in sources:
        there = _taken(day, source, wanted - done)
        if there:
            spent.append((source, there))
        done += there
    if not done:
        return 0
    mended = day.now.unit_of(unit.side, unit.name)
    assert mended is not None
    for _ in range(done):
        mended = _mended(mended)
    day.put(mended)
    key = (unit.side, unit.name)
    work.used[key] = work.used.get(key, 0) + done
    told = [["" if isinstance(source, Port) else source[1], count] for source, count in spent]
    data = {"name": unit.name, "count": done, "damage": mended.damage, "from": told}
    knowing = friends(day.now, unit.player)
    day.tell("repaired", data, knowing)
    for source, count in spent:
        lender = None if isinstance(source, Port) else day.now.unit_of(*source)
        if lender is not None and lender.player not in knowing:
            day.tell("lent", {"name": lender.name, "count": count, "to": unit.name}, (lender.player,))
    return done


def _taken(day: Day, source: Name | Port, wanted: int) -> int:
    """Take at most this many Supply counters; returns how many there were."""
    if isinstance(source, Port):
        count = min(wanted, _stock(day.now, source))
        _add_stock(day, source, -count)
        return count
    unit = day.now.unit_of(*source)
    assert unit is not None
    count = min(wanted, unit.supplies)
    day.put(replace(unit, supplies=unit.supplies - count))
    return count


def _mended(unit: Unit) -> Unit:
    """One point of damage less: the last thing lost is restored (SQ-R55); with labelled hits, one on the factor with most."""
    if unit.hits is None:
        return replace(unit, damage=unit.damage - 1)
    order: tuple[Factor, ...] = (*OTHERS, "defense")
    worst = max(order, key=unit.hits.of)
    hits = Factors(*(count - (factor == worst) for factor, count in zip(FACTORS, unit.hits, strict=True)))
    return replace(unit, hits=hits, damage=unit.damage - 1)


# --- Fuel ------------------------------------------------------------------------------------------------------------------


def refuel(day: Day) -> None:
    """Fill squadrons that have spent the day at a source of fuel (SQ-42, SQ-R60, SQ-R61)."""
    for unit in day.now.units:
        room = unit.printed.jump - unit.fuel
        if not unit.is_squadron or unit.moved or room <= 0 or not _is_at_source(day.now, unit):
            continue
        count = room if day.now.options.refuel == "full" else 1
        day.put(replace(unit, fuel=unit.fuel + count))
        data = {"name": unit.name, "count": count, "fuel": unit.fuel + count}
        day.tell("refuelled", data, friends(day.now, unit.player))


def _is_at_source(position: Position, unit: Unit) -> bool:
    """A gas giant, or a starport that is not the enemy's."""
    if unit.place is None:
        return False
    here = [body for body in position.by_system[unit.place.system].bodies if body.hex == unit.place.hex]
    return any(body.kind == "gas_giant" or (body.starport and body.owner != enemy_of(unit.side)) for body in here)
