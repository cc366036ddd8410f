"""A faction's sheet, read for its resolution: its orders by kind, and the groups that attacks form (steps 1 and 5)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from pbmd.rules import Arrival, Sheet

from ..checking.reading import read
from ..orders import (
    SPECIALS,
    Attack,
    Build,
    CounterEspionage,
    Division,
    Oob,
    Order,
    Repair,
    SetOob,
    Special,
    Spy,
    Transfer,
)
from ..tables import GameOptions
from .oobs import agreed


@dataclass(slots=True)
class Orders:
    """The orders of a sheet by kind; where the line is needed its index comes first.

    `attack` is the attack as sent, stopped or not; `division` the requested division of spoils (GO-R43).
    """

    work: tuple[tuple[int, Build | Repair], ...] = ()
    counter_espionage: bool = False
    spies: tuple[tuple[int, Spy], ...] = ()
    special: Special | None = None
    special_index: int = -1
    attack: Attack | None = None
    oobs: dict[tuple[str, str], SetOob] = field(default_factory=dict)
    transfers: tuple[tuple[int, Transfer], ...] = ()
    division: tuple[str, ...] | None = None


@dataclass(slots=True)
class Plan:
    """What a faction ordered. `results` says what became of each line, "" if it simply worked."""

    seat: str
    arrival: Arrival
    lines: tuple[str, ...]
    orders: Orders
    results: list[str]
    stopped: bool = False


class Group(NamedTuple):
    """Allies, or one attacker, against one defender. `members` are in order of arrival, including those stopped by spies;
    `arrived` are those whose fleets come, `seats` their names.

    `agreed` is the joint order of battle; a lone attacker (`joint` false) uses its own.
    """

    target: str
    members: Sequence[Plan]
    arrived: Sequence[Plan]
    seats: list[str]
    joint: bool = False
    agreed: Oob | None = None

    @property
    def posted(self) -> Arrival:
        """The posting time of the group: its latest member's (GO-R31)."""
        return self.arrived[-1].arrival


_known: dict[tuple[str, ...], Orders] = {}
_MOST_KNOWN = 1024


def remember(lines: tuple[str, ...], orders: Iterable[Order]) -> Orders:
    """Cache what the lines of a sheet say: it is known when the sheet is filed, and the turn is hardly ever resolved much
    later."""
    if len(_known) >= _MOST_KNOWN:
        _known.clear()
    known = _known[lines] = _by_kind(orders)
    return known


def plan_of(sheet: Sheet) -> Plan:
    """Read a sheet; its lines are canonical, so each is an order."""
    known = _known.get(sheet.lines)
    if known is None:
        orders: list[Order] = []
        for line in sheet.lines:
            order = read(line)
            assert isinstance(order, Order), line
            orders.append(order)
        known = remember(sheet.lines, orders)
    return Plan(sheet.seat, sheet.arrival, sheet.lines, known, [""] * len(sheet.lines))


_WORK = (Build, Repair)


def _by_kind(orders: Iterable[Order]) -> Orders:
    found = Orders()
    for index, order in enumerate(orders):
        if isinstance(order, SetOob):
            found.oobs[order.role, order.against] = order
        elif isinstance(order, _WORK):
            found.work += ((index, order),)
        elif isinstance(order, SPECIALS):
            found.special, found.special_index = order, index
            found.attack = order if isinstance(order, Attack) else None
        elif isinstance(order, CounterEspionage):
            found.counter_espionage = True
        elif isinstance(order, Spy):
            found.spies += ((index, order),)
        elif isinstance(order, Transfer):
            found.transfers += ((index, order),)
        elif isinstance(order, Division):
            found.division = order.names
    return found


def plans_of(sheets: Iterable[Sheet]) -> dict[str, Plan]:
    """The plans by faction, in the order of the sheets, which is that of arrival."""
    return {sheet.seat: plan_of(sheet) for sheet in sheets}


def groups_against(target: str, attackers: Sequence[Plan], options: GameOptions) -> list[Group]:
    """The groups that the attackers of one faction, in order of arrival, form as sent (GO-R37–R40, GO-R42), without those of
    which nobody comes: all spies have stopped what they stop by now."""
    groups: list[Group] = []
    for members in _connected(attackers):
        if len(members) > 1:
            unanimous, oob = agreed((member.orders.oobs for member in members), target)
            if unanimous or options.joint_oob_conflict == "first_in":
                arrived = [member for member in members if not member.stopped]
                if arrived:
                    seats = [member.seat for member in arrived]
                    groups.append(Group(target, members, arrived, seats, joint=True, agreed=oob))
                continue
        for member in members:
            if not member.stopped:
                alone = [member]
                groups.append(Group(target, alone, alone, [member.seat]))
    return groups


def _connected(attackers: Sequence[Plan]) -> list[list[Plan]]:
    """Attackers of one faction connected by naming each other (GO-R38), each set in order of arrival."""
    if len(attackers) == 1 or not any(map(_allies, attackers)):
        return [[plan] for plan in attackers]

    def linked(one: Plan, other: Plan) -> bool:
        return one.seat in _allies(other) and other.seat in _allies(one)

    left = list(attackers)
    sets: list[list[Plan]] = []
    while left:
        members, new = [left[0]], [left.pop(0)]
        while new:
            one = new.pop()
            found = [other for other in left if linked(one, other)]
            left = [other for other in left if other not in found]
            members += found
            new += found
        sets.append(sorted(members, key=lambda plan: plan.arrival))
    return sets


def _allies(plan: Plan) -> tuple[str, ...]:
    return plan.orders.attack.allies if plan.orders.attack else ()
