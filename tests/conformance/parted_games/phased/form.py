"""Orders to begin with: for players, and of random ones."""

from pbmd.rules import Dice
from pbmd.rules.randomly import one_in, pick

from .position import Position, seats


def suggestions(position: Position, seat: str) -> list[str]:
    """Orders that the seat could give in this phase."""
    if position.phase == "dig":
        return ["Dig"]
    return [f"Steal from {name}" for name in seats(position) if name != seat]


def order_form(position: Position, seat: str) -> str:
    """Orders stand behind "# ", and are good when that is taken away; remarks behind "## "."""
    return f"## Once in this phase:\n# {suggestions(position, seat)[0]}"


def random_orders(position: Position, seat: str, dice: Dice) -> str:
    """Orders as somebody may write them: with a mistake now and then."""
    order = pick(dice, suggestions(position, seat))
    return f"{order}\nStael gold" if one_in(dice, 12) else order
