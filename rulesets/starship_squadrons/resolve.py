"""The resolution of a plotted day (7.2), and of the days after it on which everybody waits (7.6)."""

from dataclasses import replace

from pbmd.rules import Dice, Event, Resolution

from .orders import Impulse
from .position import awaiting
from .resolution import fire, movement, questions
from .resolution.day import Day, side_players
from .resolution.deployment import resolve_setup
from .resolution.fleets import take_orders
from .resolution.movement import Routes
from .resolution.phases import end_day, one_phase
from .resolution.waiting import settle_waits
from .world.sight import remembered, shown
from .world.state import Position
from .world.systems import SideNumber

_FIRST_MOVERS: tuple[tuple[Impulse, tuple[SideNumber, SideNumber]], ...] = ((1, (1, 2)), (2, (2, 1)))
"""The impulses, with the sides in the order in which they move (SQ-50, SQ-51)."""


def resolve(position: Position, dice: Dice) -> Resolution[Position]:
    """Resolve the step: the set-up, a day and the following days that await nobody, or a phase and those that follow at once.

    Raises `ValueError` for sheets that no game has on file.
    """
    if position.phase == "setup":
        return resolve_setup(position, dice)
    step = one_phase if position.in_phases else plotted_day
    events: list[Event] = []
    while True:
        day = step(position, dice)
        events += day.events
        position = day.now
        if position.is_over or awaiting(position):
            return Resolution(position, tuple(events))


def plotted_day(position: Position, dice: Dice) -> Day:
    """One day, with the orders on file."""
    day = Day(position, movement.rested(position))
    day.tell("day", {}, None)
    take_orders(day)
    routes = Routes()
    for impulse, sides in _FIRST_MOVERS:
        day.stage = "1" if impulse == 1 else "2"
        for side in sides:
            movement.move(day, side, impulse, routes)
        questions.nullify(day)
        _look(day)
        fire.fire(day, impulse, dice)
    sent = tuple(sheet.seat for sheet in position.sheets)
    missed = tuple(player.name for player in position.players if player.active and not player.wait and player.name not in sent)
    end_day(day, sent, missed)
    settle_waits(day)
    day.now = replace(day.now, sheets=(), missed=())
    return day


def _look(day: Day) -> None:
    """The view in the middle of an impulse, V1 or V2: shown to each side, and remembered."""
    for side in (1, 2):
        day.tell("view", {"boards": shown(day.now, side)}, side_players(day.now, side))
    day.now = replace(day.now, sightings=remembered(day.now))
