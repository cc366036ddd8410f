"""Days without mail (7.6): who goes on waiting, and what wakes a side."""

from collections.abc import Collection
from dataclasses import replace

from pbmd.rules import seat_reader, seen_by

from ..orders import Wait
from ..world.sight import sight
from ..world.state import Player, Position
from ..world.systems import SideNumber
from .day import Day, friends, side_players

_TOLD = ("exposed", "arrived", "captured")
"""Events that wake a side; those who may know of them get the reason from them."""


def settle_waits(day: Day) -> None:
    """How many days each player still waits, counting the WAITs in the day's mails; a player whose wait is over is told so."""
    sent = {sheet.seat for sheet in day.start.sheets}
    asked = {task.player: task.order.days for task in day.of(Wait) if isinstance(task.order, Wait)}
    awake = {side for side in (1, 2) if _is_woken(day, side)}

    def settled(player: Player) -> Player:
        left = asked.get(player.name, 1) - 1 if player.name in sent else max(0, player.wait - 1)
        wait = 0 if player.side in awake or not player.active else left
        waited = player.name in asked or (player.wait > 0 and player.name not in sent)
        if waited and player.active and not wait and not day.now.is_over:
            _tell_awake(day, player, left)
        return replace(player, wait=wait)

    day.now = replace(day.now, players=tuple(map(settled, day.now.players)))


def _tell_awake(day: Day, player: Player, left: int) -> None:
    """The player's wait is over, with this many days of it left, and what has ended it as far as the player knows: if allies
    keep to themselves, what concerns only them is reported as no more than what everybody sees, that the side is awake."""
    known = {event.kind for event in seen_by(day.events, seat_reader(player.name))}
    boards = _newcomers(day, player.side) & _stakes(day.now, friends(day.now, player.name))
    why = [*(["fired_at"] if player.side in day.fired_at else []), *(kind for kind in _TOLD if kind in known)]
    data = {"player": player.name, "left": left, "why": why if left else [], "boards": sorted(boards) if left else []}
    day.tell("wait_over", data, (player.name,))


def _is_woken(day: Day, side: SideNumber) -> bool:
    if day.captured or side in day.fired_at | day.sensed | day.arrived:
        return True
    return bool(_newcomers(day, side) & _stakes(day.now, side_players(day.now, side)))


def _newcomers(day: Day, side: SideNumber) -> set[str]:
    """The boards on which the side sees something of the enemy, and saw nothing the day before."""
    before, now = sight(day.start, side), sight(day.now, side)
    return {name for name in now if before[name].is_empty and not now[name].is_empty}


def _stakes(position: Position, players: Collection[str]) -> set[str]:
    """The boards where one of the players has a unit or a "?"."""
    counters = (*position.units, *position.questions)
    return {counter.place.system for counter in counters if counter.player in players and counter.place is not None}
