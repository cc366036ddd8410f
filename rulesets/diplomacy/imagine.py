"""The position as a player may imagine it for PREVIEW: everything is known but the orders of others, which the player gives by
``AS <power>`` (DI-99). Made from the view alone."""

from collections.abc import Sequence

from pbmd.rules import Line, Options, Refused, View

from .position import CODEC
from .world.state import Position


def imagine(view: View, _options: Options, lines: Sequence[Line]) -> Position:
    """See the module. Raises `Refused` for assumptions, since nothing but orders is hidden."""
    if lines:
        raise Refused(f"line {lines[0].number}: nothing but orders is hidden; write AS, a power, and below it its orders")
    if view.data["end"]:
        raise Refused("the game is over")
    return CODEC.load(view.data["document"])
