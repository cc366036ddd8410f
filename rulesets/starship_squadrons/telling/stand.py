"""How to win, and where the two sides stand: for a player as their side can calculate it, for all others by the planets."""

from collections.abc import Sequence

from pbmd.rules import Document
from pbmd.rules.facts import stand
from pbmd.rules.words import counted

from ..resolution.victory import planet_value
from ..world.state import Player, Position
from ..world.systems import SIDES, enemy_of
from .status import standing as reckoned

_FEWEST_CAPITALS = 2


def standing(position: Position, player: Player | None, mine: Sequence[str]) -> Document | None:
    """For a player, who knows what these players lost under a "?", or for somebody who does not play; None once the game is
    over."""
    if position.is_over:
        return None
    last, day = position.options.last_day, position.day
    capitals = sum(body.capital for system in position.systems for body in system.bodies)
    at_once = "all capitals, or no enemy squadron left, wins" if capitals >= _FEWEST_CAPITALS else "no enemy squadron left wins"
    when = f"It is day {day} of {last}." if day else f"{counted(last, 'day')} will be played."
    return stand(f"After day {last} the higher score wins; {at_once} at once.", f"{_score(position, player, mine)} {when}")


def _score(position: Position, player: Player | None, mine: Sequence[str]) -> str:
    if player is None:
        (one, value), (other, less) = ((position.side(side).name, planet_value(position, side)) for side in SIDES)
        return f"{one} has {counted(value, 'point')} for planets, {other} {less}; what was destroyed only the sides know."
    told = reckoned(position, player.side, mine)
    own, enemy = told["planets"] + told["destroyed"], told["enemy_planets"] + told["lost"]
    scores = f"Your side has {counted(own, 'point')} ({told['planets']} for planets, {told['destroyed']} for what it destroyed)"
    return f"{scores}, {position.side(enemy_of(player.side)).name} {enemy}, as far as you know."
