"""The requirements for an order, one function for each kind (section 6.3 of the rules)."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

from pbmd.rules import fold
from pbmd.rules.checking import Fault
from pbmd.rules.words import counted, listing

from .. import orders
from ..tables import LIMITS, LONGEST_WAIT
from ..world.condition import current
from ..world.counters import Question, Unit, name_of
from ..world.hexes import distance
from ..world.names import fleet_name_problem
from ..world.state import Phase, Player, Position
from ..world.systems import Place
from .answers import Remarks, from_one
from .lookup import Named, Own, enemy_named, holder, off_board, place, side_unit
from .reading import targets_in


@dataclass(slots=True)
class Draft:
    """A sheet in the making: what the lines so far have ordered. `own` has the fleets of the whole letter."""

    position: Position
    player: Player
    own: Own
    in_view: tuple[str, ...]
    on_file: bool
    placed: int = 0
    placed_ids: set[str] = field(default_factory=set[str])
    remarks: Remarks = field(default_factory=Remarks)

    def warn(self, remark: str) -> None:
        """Add a remark to the line."""
        self.remarks.warnings.append(remark)

    def meant(self, named: Named) -> str:
        """The name, with the remarks on it."""
        if named.remark:
            self.warn(named.remark)
        return named.name

    def copy(self) -> "Draft":
        """The same, for trying out a line."""
        return replace(self, placed_ids={*self.placed_ids})

    @property
    def due(self) -> tuple[str, ...]:
        """The ids of the "?" that the player gets at the end of the day."""
        first = self.player.next_question
        return tuple(f"Q{first + more}" for more in range(self.position.questions_due(self.player.name)))

    @property
    def reserve(self) -> tuple[str, ...]:
        """The ids of the player's "?" in reserve."""
        return tuple(question.id for question in self.own.questions.values() if question.in_reserve)


# --- Movement ------------------------------------------------------------------------------------------------------------


def _on_board(counter: Unit | Question) -> Place:
    """Where a counter is that is to move or jump. Raises `Fault` if it cannot."""
    name = name_of(counter)
    if isinstance(counter, Unit) and not counter.is_squadron:
        raise Fault(f"{name} is a Planet counter and stays where it is")
    if counter.place is None:
        raise Fault(f"{name} is in jump transit" if counter.spot else f"{name} is in reserve; PLACE puts it on a board")
    return counter.place


def _movable(draft: Draft, names: Sequence[str]) -> list[tuple[Unit | Question, Place]]:
    """The counters that full names stand for, with their places; `ALL` skips those that are not on a board. Raises `Fault`."""
    found: list[tuple[Unit | Question, Place]] = []
    for name in names:
        members = draft.own.members(name)
        if name == orders.ALL:
            found += [(unit, unit.place) for unit in members if unit.place is not None]
        else:
            found += [(counter, _on_board(counter)) for counter in members]
    if not found:
        raise Fault("you have no squadron on a board")
    return found


def _move(draft: Draft, order: orders.Move) -> orders.Order:
    names = draft.own.several(order.counters)
    movable = _movable(draft, names)
    if order.start is not None and order.impulse != 2:
        for counter, where in movable:
            if where.hex != order.start:
                raise Fault(f"{name_of(counter)} is in {where.hex.text} and not in {order.start.text}")
    for name in dict.fromkeys(where.system for _, where in movable):
        system = draft.position.by_system[name]
        for waypoint in order.waypoints:
            if not system.size.holds(waypoint):
                raise Fault(off_board(system, Place(name, waypoint)))
    if order.impulse != 2:
        _warn_of_distance(draft, order, movable)
    return replace(order, counters=names, start=None)


def _warn_of_distance(draft: Draft, order: orders.Move, movable: Iterable[tuple[Unit | Question, Place]]) -> None:
    """Name the groups (SQ-R46) that cannot reach the last waypoint at their present speed."""
    groups: dict[Place, list[Unit | Question]] = {}
    for counter, where in movable:
        groups.setdefault(where, []).append(counter)
    phases = 2 if order.impulse == 0 and not draft.position.in_phases else 1
    for where, group in groups.items():
        way = (where.hex, *order.waypoints)
        steps = sum(distance(one, other) for one, other in pairwise(way))
        speeds = [current(unit).maneuver for unit in group if isinstance(unit, Unit)]
        speed = min((each for each in speeds if each), default=0) if speeds else draft.position.options.dummy_maneuver
        who = listing(map(name_of, group))
        if not speed:
            draft.warn(f"{who} cannot move now")
        elif steps > speed * phases:
            draft.warn(f"{who}: {counted(steps, 'hex', 'hexes')} to go, at present {speed * phases} can be made")


# --- Fire ----------------------------------------------------------------------------------------------------------------


def _fire(draft: Draft, order: orders.Fire) -> orders.Order:
    names = draft.own.several(order.units, questions=False)
    boards: dict[str, None] = {}
    for name in names:
        for unit in draft.own.units.values() if name == orders.ALL else draft.own.members(name):
            if isinstance(unit, Unit) and name == unit.name and unit.printed.attack + unit.admirals < 1:
                raise Fault(f"{name} is not armed")
            if unit.place is not None:
                boards[unit.place.system] = None
    if order.within is not None and order.within >= orders.TOO_LARGE:
        raise Fault("no range is as long as this")
    # Each once: two names can become one when spelt as the enemy does.
    named = (each for target in order.targets for each in _targets(draft, target))
    targets = tuple(dict.fromkeys(_target(draft, target, boards) for target in named))
    return replace(order, units=names, targets=targets)


def _targets(draft: Draft, target: orders.Target) -> tuple[orders.Target, ...]:
    """What a player means by a target: several with "or" between them, unless an enemy in view is called so."""
    if target.kind != "name" or draft.on_file or any(fold(name) == fold(target.name) for name in draft.in_view):
        return (target,)
    return targets_in(target)


_DASH = " - "
_NO_TARGET = re.compile(r"nothing$|(?:^|.*\s)(?:(?:not|except|but|unless|without|if|nor)\s|impulse\b)", re.IGNORECASE)
"""What is no name, but says what is not fired at, or when."""


def _target(draft: Draft, target: orders.Target, boards: Iterable[str]) -> orders.Target:
    if target.hex is not None:
        systems = [draft.position.by_system[name] for name in boards]
        if systems and not any(system.size.holds(target.hex) for system in systems):
            raise Fault(off_board(systems[0], Place("", target.hex)))
    if target.kind != "name":
        return target
    if fold(target.name) in (fold(orders.ALL), fold(orders.STARPORT), fold(orders.SELF)):
        raise Fault(f"{target.name} is no target")
    meant = enemy_named(target.name, draft.in_view)
    if meant.remark and (_DASH in target.name or _NO_TARGET.match(target.name)) and not draft.on_file:
        raise Fault(f'"{target.name:.60}" is no enemy in view; a target is a name and nothing else')
    return target._replace(name=draft.meant(meant))


def _hold(draft: Draft, order: orders.HoldFire) -> orders.Order:
    return replace(order, units=draft.own.several(order.units, questions=False))


# --- Supply and repair ---------------------------------------------------------------------------------------------------


def _transfer(draft: Draft, order: orders.Transfer) -> orders.Order:
    from_one(order.count)
    if orders.SELF in (order.source, order.to):
        raise Fault("name the unit; SELF is for repairs only")
    if order.source == order.to == orders.STARPORT:
        raise Fault("one of the two must be a unit")
    if order.what == "admiral" and orders.STARPORT in (order.source, order.to):
        raise Fault("Admirals are aboard units only")
    source = holder(draft.position, draft.player.name, order.source, own=True)
    to = holder(draft.position, draft.player.name, order.to)
    if source.name == to.name:
        raise Fault(f"{to.name} has them already")
    return replace(order, source=source.name, to=draft.meant(to))


def _repair(draft: Draft, order: orders.Repair) -> orders.Order:
    names = draft.own.several(order.units, questions=False)
    if order.count is not None:
        from_one(order.count)
        for name in names:
            unit = draft.own.units.get(name)
            if unit is not None and order.count > 1 + unit.admirals:
                draft.warn(f"{name} makes {counted(1 + unit.admirals, 'repair')} a day")
    source = holder(draft.position, draft.player.name, order.source) if order.source else None
    if source and source.name == orders.STARPORT and not draft.position.options.starport_repair:
        raise Fault("starports repair nothing in this game")
    return replace(order, units=names, source=draft.meant(source) if source else "")


def _no_repair(draft: Draft, order: orders.NoRepair) -> orders.Order:
    return replace(order, units=draft.own.several(order.units, questions=False))


# --- Jump ----------------------------------------------------------------------------------------------------------------


def _jump(draft: Draft, order: orders.Jump) -> orders.Order:
    names = draft.own.several(order.counters)
    to = place(draft.position, order.to)
    if draft.position.by_system[to.system].is_within_limit(to.hex):
        raise Fault(f"hex {to.hex.text} is within a 100-diameter limit of {to.system}")
    movable = _movable(draft, names)
    everything = orders.ALL in names
    chosen = {unit.name for name in names if name != orders.ALL for unit in draft.own.members(name) if isinstance(unit, Unit)}
    decoys = not any(isinstance(counter, Unit) for counter, _ in movable)
    able = False
    for counter, where in movable:
        problem = _jump_problem(draft, counter, where, to, decoys)
        if problem and isinstance(counter, Unit) and everything and counter.name not in chosen:
            continue
        if problem:
            raise Fault(problem)
        able = True
        if isinstance(counter, Unit):
            _warn_of_jump(draft, counter, where, to)
    if not able:
        raise Fault(f"no squadron of yours can jump to {to.system}")
    return replace(order, counters=names, to=to)


def _jump_problem(draft: Draft, counter: Unit | Question, where: Place, to: Place, decoys: bool) -> str:
    """Why the counter can never make that jump, "" if it can."""
    position = draft.position
    away = position.jump_distance(where.system, to.system)
    name = name_of(counter)
    if where.system == to.system and not position.options.micro_jump:
        return f"{name} is in the {to.system} system already"
    if isinstance(counter, Unit):
        least = max(away, 1)
        return f"{name} has jump {counter.printed.jump}, and {to.system} is {away} away" if counter.printed.jump < least else ""
    if not decoys:
        return ""
    if not position.options.dummy_jump:
        return '"?" counters jump only with a squadron'
    most = LIMITS[position.side(draft.player.side).tech].jump
    return f'"?" counters jump {counted(most, "hex", "hexes")}, and {to.system} is {away} away' if away > most else ""


def _warn_of_jump(draft: Draft, unit: Unit, where: Place, to: Place) -> None:
    away = draft.position.jump_distance(where.system, to.system)
    if unit.fuel < away:
        draft.warn(f"{unit.name} has {counted(unit.fuel, 'Fuel counter')} now and needs {away}")
    if current(unit).jump < max(away, 1):
        draft.warn(f"{unit.name} has jump {current(unit).jump} now and needs {max(away, 1)}")


# --- "?", fleets, waiting ------------------------------------------------------------------------------------------------


def _place_question(draft: Draft, order: orders.PlaceQuestion) -> orders.Order:
    if order.question != orders.ANY_QUESTION and not draft.on_file:
        if order.question not in (*draft.reserve, *draft.due):
            raise Fault(f"{order.question} is not in your reserve")
        if order.question in draft.placed_ids:
            raise Fault(f"{order.question} is placed by a line above")
    room = len(draft.reserve) + len(draft.due)
    if draft.placed == room and not draft.on_file:
        raise Fault(f'{counted(room, "such line is", "such lines are")} all that you have "?" counters for')
    if order.at is not None:
        checked = replace(order, at=place(draft.position, order.at))
    else:
        checked = replace(order, unit=draft.meant(side_unit(draft.position, draft.player.name, order.unit)))
    draft.placed += 1
    draft.placed_ids.add(order.question)
    return checked


def _fleet(draft: Draft, order: orders.FormFleet) -> orders.Order:
    own = draft.own
    if problem := fleet_name_problem(order.name, draft.position.systems, own.units):
        raise Fault(problem)
    named = [counter for name in own.several(order.members) for counter in own.members(name)]
    places = {_on_board(counter) for counter in named}
    if len(places) != 1:
        raise Fault('a fleet is formed of squadrons and "?" in one hex' + ("" if places else ", and there is none"))
    called = next((name for name in own.fleets if fold(name) == fold(order.name)), order.name)
    members = tuple(dict.fromkeys(map(name_of, named)))
    draft.own = own.with_fleet(called, members)
    return replace(order, name=called, members=members)


def _disband(draft: Draft, order: orders.Disband) -> orders.Order:
    fleets = draft.own.fleets
    name = Own({}, {}, fleets).one(order.name)
    draft.own = replace(draft.own, fleets={other: members for other, members in fleets.items() if other != name})
    return replace(order, name=name)


def _wait(draft: Draft, order: orders.Wait) -> orders.Order:
    if not draft.position.options.allow_wait:
        raise Fault("waiting is not allowed in this game")
    if not 2 <= order.days <= LONGEST_WAIT:
        raise Fault(f"a number of days from 2 to {LONGEST_WAIT} is wanted here")
    return order


def _pass(_draft: Draft, order: orders.Pass) -> orders.Order:
    return order


_MOVEMENT = ("day", "1a", "1b", "2a", "2b")
_FIRE = ("day", "1f", "2f")
_END = ("day", "ops")

CHECKS: Mapping[type[orders.Order], tuple[Collection[Phase], Callable[[Draft, Any], orders.Order]]] = {
    orders.Move: (_MOVEMENT, _move),
    orders.Fire: (_FIRE, _fire),
    orders.HoldFire: (_FIRE, _hold),
    orders.Transfer: (_END, _transfer),
    orders.Repair: (_END, _repair),
    orders.NoRepair: (_END, _no_repair),
    orders.Jump: (_END, _jump),
    orders.PlaceQuestion: (_END, _place_question),
    orders.FormFleet: (_MOVEMENT + _END, _fleet),
    orders.Disband: (_MOVEMENT + _END, _disband),
    orders.Wait: (("day",), _wait),
    orders.Pass: (_MOVEMENT + _FIRE + _END, _pass),
}
"""For each kind the phases in which it is a valid order (section 7.5), and its check."""
