"""Days without mail (7.6): who waits on, and what wakes a side."""

from dataclasses import replace

from .day import Day
from .orders import Wait
from .sight import sight
from .state import Player, Position, SideNumber


def settle_waits(day: Day) -> None:
    """How many days each player still waits, with the waits of the day's mails counted."""
    sent = {sheet.seat for sheet in day.start.sheets}
    asked = {task.player: task.order.days for task in day.of(Wait) if isinstance(task.order, Wait)}
    awake = {side for side in (1, 2) if _is_woken(day, side)}

    def settled(player: Player) -> Player:
        left = asked.get(player.name, 1) - 1 if player.name in sent else max(0, player.wait - 1)
        return replace(player, wait=0 if player.side in awake or not player.active else left)

    day.now = replace(day.now, players=tuple(map(settled, day.now.players)))


def _is_woken(day: Day, side: SideNumber) -> bool:
    if day.captured or side in day.fired_at | day.sensed | day.arrived:
        return True
    before, now = sight(day.start, side), sight(day.now, side)
    return any(before[name].is_empty and not now[name].is_empty for name in _stakes(day.now, side))


def _stakes(position: Position, side: SideNumber) -> set[str]:
    """The boards where the side has a unit or a "?"."""
    counters = (*position.units, *position.questions)
    return {counter.place.system for counter in counters if counter.side == side and counter.place is not None}
