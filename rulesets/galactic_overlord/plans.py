"""A faction's sheet, read for carrying it out: its orders by kind, and the groups that attacks form (steps 1 and 5)."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from pbmd.rules import Arrival, Sheet
from pbmd.rules.sheets import in_arrival_order

from .grammar import read
from .oobs import Oobs, agreed
from .orders import SPECIALS, Attack, CounterEspionage, Division, Oob, Order, SetOob, Special, Spy, Unclear
from .tables import GameOptions


@dataclass(slots=True)
class Plan:
    """What a faction ordered. `results` says what became of each line that did not simply happen, by line index."""

    seat: str
    arrival: Arrival
    lines: tuple[str, ...]
    orders: tuple[Order, ...]
    special: Special | None
    oobs: Oobs
    results: dict[int, str] = field(default_factory=dict[int, str])
    stopped: bool = False

    @property
    def attack(self) -> Attack | None:
        """The attack as sent, stopped or not."""
        return self.special if isinstance(self.special, Attack) else None

    @property
    def special_index(self) -> int:
        """The line of the special order."""
        return next(index for index, order in enumerate(self.orders) if isinstance(order, SPECIALS))

    @property
    def uses_counter_espionage(self) -> bool:
        return any(isinstance(order, CounterEspionage) for order in self.orders)

    @property
    def spies(self) -> Iterator[tuple[int, Spy]]:
        """The spy lines with their indexes."""
        return ((index, order) for index, order in enumerate(self.orders) if isinstance(order, Spy))

    @property
    def division(self) -> tuple[str, ...] | None:
        """The division of spoils asked for (GO-R43)."""
        return next((order.names for order in self.orders if isinstance(order, Division)), None)


@dataclass(slots=True)
class Group:
    """Allies, or one attacker, against one defender. `members` are in order of arrival, those stopped by spies too.

    `agreed` is the joint order of battle; a lone attacker (`joint` false) looks up his own.
    """

    target: str
    members: list[Plan]
    joint: bool
    agreed: Oob | None = None

    @property
    def arrived(self) -> list[Plan]:
        """The members whose fleets come, first poster first."""
        return [member for member in self.members if not member.stopped]

    @property
    def posted(self) -> Arrival:
        """The posting time of the group: its latest member's (GO-R31)."""
        return max(member.arrival for member in self.arrived)


def plan_of(sheet: Sheet) -> Plan:
    """Read a sheet; its lines are canonical, so each is an order."""
    orders: list[Order] = []
    for line in sheet.lines:
        order = read(line)
        assert not isinstance(order, Unclear), line
        orders.append(order)
    return Plan(
        seat=sheet.seat,
        arrival=sheet.arrival,
        lines=sheet.lines,
        orders=tuple(orders),
        special=next((order for order in orders if isinstance(order, SPECIALS)), None),
        oobs={(order.role, order.against): order for order in orders if isinstance(order, SetOob)},
    )


def plans_of(sheets: Iterable[Sheet]) -> dict[str, Plan]:
    """The plans by faction, in order of arrival."""
    return {sheet.seat: plan_of(sheet) for sheet in in_arrival_order(sheets)}


def groups_against(target: str, plans: Iterable[Plan], options: GameOptions) -> list[Group]:
    """The groups that the attacks on one faction form as sent, whatever spies do later (GO-R37–R40, GO-R42)."""
    attackers = [plan for plan in plans if plan.attack and plan.attack.target == target]
    groups: list[Group] = []
    for members in _connected(attackers):
        if len(members) == 1:
            groups.append(Group(target, members, joint=False))
            continue
        unanimous, oob = agreed((member.oobs for member in members), target)
        if unanimous or options.joint_oob_conflict == "first_in":
            groups.append(Group(target, members, joint=True, agreed=oob))
        else:
            groups += [Group(target, [member], joint=False) for member in members]
    return groups


def _connected(attackers: list[Plan]) -> list[list[Plan]]:
    """Attackers of one faction connected by naming each other (GO-R38), each set in order of arrival."""

    def linked(one: Plan, other: Plan) -> bool:
        assert one.attack is not None
        assert other.attack is not None
        return other.seat in one.attack.allies and one.seat in other.attack.allies

    left, sets = list(attackers), list[list[Plan]]()
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
