"""How to win, and where everybody stands: the board is open to all."""

from pbmd.rules import Document
from pbmd.rules.facts import Has, placed, stand

from ..world.state import Position


def standing(position: Position, seat: str) -> Document | None:
    """For a seat, or "" for those who do not play; None once the game is over."""
    if position.is_over:
        return None
    centres = {power.name: len(power.centres) for power in position.powers if power.survives}
    has = Has(thing="centre")
    mine = f"{has.many(centres[seat])}{_before(position, seat)}" if seat in centres else ""
    last = position.options.last_year
    draw = f" After {last} the game is a draw of all that are left." if last else ""
    aim = f"{position.board.victory_centres} supply centres win.{draw}"
    return stand(aim, placed(centres, seat, mine, has))


def _before(position: Position, seat: str) -> str:
    """How it was when the last year ended: ", as in 1901", ", 1 more than in 1901"."""
    if not position.history:
        return ""
    year, *counts = position.history[-1]
    before = counts[[*position.by_power].index(seat)]
    more = len(position.by_power[seat].centres) - before
    return f", as in {year}" if not more else f", {abs(more)} {'more' if more > 0 else 'fewer'} than in {year}"
