"""The day while it is resolved: what changes, the orders that are carried out, and the events so far."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple

from pbmd.rules import Event, Sheet

from ..checking.reading import orders_in
from ..orders import ALL, DayOrder, Fire, HoldFire, Jump, Move, NoRepair, Order, Repair
from ..world.counters import Counter, Question, Unit
from ..world.state import Position
from ..world.systems import SideNumber

Stage = Literal["1", "2", "end"]
"""The first or the second impulse, or the end of the day."""

_QUESTION_ID = re.compile(r"Q\d+")


class Named(NamedTuple):
    """A counter in an order; `quiet` if it is meant by `ALL`, and nobody needs to hear that it cannot follow the order."""

    name: str
    quiet: bool


class Task(NamedTuple):
    """An order with its player, and its counters: fleets and `ALL` are replaced by what they stand for."""

    player: str
    side: SideNumber
    order: Order
    counters: tuple[Named, ...] = ()


@dataclass(slots=True)
class Day:
    """See the module. `tasks` are in the order in which orders are carried out: letter by letter as they arrived (SQ-R03).

    `fired_at`, `sensed`, `arrived` and `captured` are what wakes waiting sides (section 7.6): sides that were fired at, whose
    "?" was eliminated by sensors, whose transit group arrived, and whether a planet changed its owner.
    """

    start: Position
    now: Position
    tasks: tuple[Task, ...] = ()
    stage: Stage = "1"
    fired_at: set[int] = field(default_factory=set[int])
    sensed: set[int] = field(default_factory=set[int])
    arrived: set[int] = field(default_factory=set[int])
    captured: bool = False
    events: list[Event] = field(default_factory=list[Event])

    def tell(
        self,
        kind: str,
        data: Mapping[str, Any],
        audience: Iterable[str] | None,
        detail: Mapping[str, Any] | None = None,
        insiders: Iterable[str] = (),
    ) -> None:
        """Add an event that these seats may know; None means everybody."""
        told = {"day": self.start.day, "stage": self.stage, **data}
        self.events.append(
            Event(kind, told, None if audience is None else tuple(audience), dict(detail or {}), tuple(insiders))
        )

    def tell_orders(self, sheet: Sheet) -> None:
        """A player's lines are being carried out."""
        self.tell("orders", {"player": sheet.seat, "lines": list(sheet.lines)}, (sheet.seat,))

    def undone(self, task: Task, counter: str, why: str) -> None:
        """A part of an order, for one counter ("" for the whole order), cannot be carried out (SQ-R05)."""
        self.tell("undone", {"line": task.order.text, "counter": counter, "why": why}, (task.player,))

    def put(self, *changed: Counter) -> None:
        """These counters have changed; each replaces its former self."""
        units = {(unit.side, unit.name): unit for unit in changed if isinstance(unit, Unit)}
        questions = {(q.player, q.number): q for q in changed if isinstance(q, Question)}
        if units:
            self.now = replace(self.now, units=tuple(units.get((unit.side, unit.name), unit) for unit in self.now.units))
        if questions:
            self.now = replace(self.now, questions=tuple(questions.get((q.player, q.number), q) for q in self.now.questions))

    def drop(self, gone: Iterable[Counter]) -> None:
        """These counters are out of the game."""
        lost = {*gone}
        self.now = replace(
            self.now,
            units=tuple(unit for unit in self.now.units if unit not in lost),
            questions=tuple(question for question in self.now.questions if question not in lost),
        )

    def counter(self, task: Task, name: str) -> Counter | None:
        """The counter with that name that belongs to the task's player, if it still exists."""
        return counter_of(self.now, task.player, name)

    def of(self, *kinds: type[Order]) -> list[Task]:
        """The orders of these kinds, in the order in which they are carried out."""
        return [task for task in self.tasks if isinstance(task.order, kinds)]


def is_question_id(name: str) -> bool:
    """Whether a full name is the id of a "?"."""
    return _QUESTION_ID.fullmatch(name) is not None


def counter_of(position: Position, player: str, name: str) -> Counter | None:
    """The player's "?" with that id, or the player's unit with that name."""
    if is_question_id(name):
        return position.question_of(player, name)
    unit = position.unit_of(position.side_of(player), name)
    return unit if unit is not None and unit.player == player else None


def friends(position: Position, player: str) -> tuple[str, ...]:
    """Who may know about the player's counters: the whole side, unless its players keep to themselves."""
    if not position.options.share_side:
        return (player,)
    return side_players(position, position.side_of(player))


def side_players(position: Position, side: int) -> tuple[str, ...]:
    """The names of a side's players, in sign-up order."""
    return tuple(player.name for player in position.players_of(side))


def everyone(position: Position) -> tuple[str, ...]:
    """The names of all players: for what both sides may know, but not the public."""
    return tuple(player.name for player in position.players)


def tasks_in(position: Position, sheets: Sequence[Sheet]) -> tuple[Task, ...]:
    """The orders of the sheets, first come first, with fleets and `ALL` as they are now (SQ-R71)."""
    return tuple(
        Task(sheet.seat, position.side_of(sheet.seat), order, _counters(position, sheet.seat, order))
        for sheet in sheets
        for order in orders_in(sheet.lines)
    )


def _counters(position: Position, player: str, order: Order) -> tuple[Named, ...]:
    names, everything = _lists(order)
    if names is None:
        return ()
    fleets = {fleet.name: fleet.members for fleet in position.fleets if fleet.player == player}
    found: dict[str, Named] = {}
    for name in names:
        if name == ALL:
            for unit in position.units:
                if unit.player == player and everything(unit):
                    found.setdefault(unit.name, Named(unit.name, quiet=True))
        elif name in fleets and counter_of(position, player, name) is None:  # the unit may come from an ally
            for member in fleets[name]:
                if not isinstance(order, _UNITS_ONLY) or not is_question_id(member):
                    found.setdefault(member, Named(member, quiet=isinstance(order, _UNITS_ONLY)))
        else:
            found[name] = Named(name, quiet=False)
    return tuple(found.values())


_UNITS_ONLY = Fire | HoldFire | Repair | NoRepair


def _lists(order: Order) -> tuple[tuple[str, ...] | None, Callable[[Unit], bool]]:
    """The list of counters of an order, and which units `ALL` means in it."""
    if isinstance(order, Move | Jump):
        return order.counters, lambda unit: unit.is_squadron and unit.place is not None
    if isinstance(order, _UNITS_ONLY):
        return order.units, lambda _unit: True
    return None, lambda _unit: False


def winning(tasks: Iterable[Task], applies: Callable[[DayOrder], bool]) -> dict[tuple[str, str], Task]:
    """For each counter (its player and name) the last of the orders that apply (SQ-R04)."""
    return {
        (task.player, named.name): task
        for task in tasks
        if applies(task.order)  # pyright: ignore[reportArgumentType]
        for named in task.counters
    }
