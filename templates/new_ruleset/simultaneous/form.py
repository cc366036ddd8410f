"""Orders to begin with: for players, and of random ones."""

from pbmd.rules import Dice
from pbmd.rules.randomly import one_in, pick

from .position import Position, seats


def order_form(position: Position, seat: str) -> str:
    """Orders stand behind "# ", and are good when that is taken away; remarks behind "## "."""
    return "\n".join(["## Each of these once a turn:", "# Dig", f"# Steal from {_others(position, seat)[0]}"])


def random_orders(position: Position, seat: str, dice: Dice) -> str:
    """Orders as somebody may write them: with a mistake now and then."""
    steal = f"Steal from {pick(dice, _others(position, seat))}"
    orders = pick(dice, ["Dig", steal, f"Dig\n{steal}"])
    return f"{orders}\nStael gold" if one_in(dice, 12) else orders


def _others(position: Position, seat: str) -> list[str]:
    return [name for name in seats(position) if name != seat]
