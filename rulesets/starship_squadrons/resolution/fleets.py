"""Fleets: names for lists of counters in one hex (SQ-47, SQ-48, SQ-R71)."""

from dataclasses import replace

from ..checking.reading import orders_in
from ..orders import Disband, FormFleet
from ..world.counters import Fleet
from ..world.state import Position
from .day import Day, counter_of, tasks_in


def take_orders(day: Day) -> None:
    """Form and disband fleets, then read all other orders, with the present fleets. Everybody gets their own lines."""
    for sheet in day.now.sheets:
        for order in orders_in(sheet.lines):
            if isinstance(order, FormFleet):
                day.now = _formed(day.now, sheet.seat, order)
            elif isinstance(order, Disband):
                kept = (fleet for fleet in day.now.fleets if (fleet.player, fleet.name) != (sheet.seat, order.name))
                day.now = replace(day.now, fleets=tuple(kept))
    day.tasks = tasks_in(day.now, day.now.sheets)
    for sheet in day.now.sheets:
        day.tell_orders(sheet)


def _formed(position: Position, player: str, order: FormFleet) -> Position:
    """The new fleet after the others; a counter is in at most one fleet, and empty fleets are removed."""
    kept = [
        replace(fleet, members=tuple(member for member in fleet.members if member not in order.members))
        if fleet.player == player
        else fleet
        for fleet in position.fleets
        if (fleet.player, fleet.name) != (player, order.name)
    ]
    fleets = (*(fleet for fleet in kept if fleet.members), Fleet(player, order.name, order.members))
    return together(replace(position, fleets=fleets))


def together(position: Position) -> Position:
    """Members that are not in the hex of the first surviving one have left their fleet."""
    fleets: list[Fleet] = []
    for fleet in position.fleets:
        spots = {member: counter_of(position, fleet.player, member) for member in fleet.members}
        alive = [(member, counter.spot) for member, counter in spots.items() if counter is not None]
        members = tuple(member for member, spot in alive if spot == alive[0][1])
        if members:
            fleets.append(replace(fleet, members=members))
    return position if tuple(fleets) == position.fleets else replace(position, fleets=tuple(fleets))
