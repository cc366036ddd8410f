"""The resolution of a phase, and of those after it for which nobody is awaited (DI-03)."""

from pbmd.rules import Dice, Event, Resolution

from .position import awaiting
from .resolution.phases import one_phase
from .world.state import Position


def resolve(position: Position, _dice: Dice) -> Resolution[Position]:
    """Resolve the phase, and those that follow as long as nobody can act in them. There are no dice in this game.

    Raises `ValueError` for sheets that no game has on file.
    """
    events: list[Event] = []
    while True:
        position, told = one_phase(position)
        events += told
        if position.is_over or awaiting(position):
            return Resolution(position, tuple(events))
