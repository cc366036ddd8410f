"""Orders to begin with: for players, and of random ones."""

from pbmd.rules import Dice
from pbmd.rules.randomly import one_in, pick

from .position import GEMS, Position, dealer_of, seats


def order_form(position: Position, seat: str) -> str:
    """Orders stand behind "# ", and are good when that is taken away; remarks behind "## "."""
    dealer, other = dealer_of(position, seat), next(name for name in seats(position) if name != seat)
    lines = ["## Your bid, and trades; to buy or sell nothing, leave them out:"]
    if dealer.money:
        lines += ["# Bid 1", f"# Buy {GEMS[0]} from {other} for 1"]
    if dealer.hand:
        lines.append(f"# Sell {dealer.hand[0]} to {other} for 2")
    return "\n".join(lines)


def random_orders(position: Position, seat: str, dice: Dice) -> str:
    """Orders as somebody may write them: with a mistake now and then."""
    dealer = dealer_of(position, seat)
    other, price = pick(dice, [name for name in seats(position) if name != seat]), dice.roll(6)
    lines = [f"Bid {dice.roll(min(9, dealer.money))}"] if dealer.money else []
    if dealer.hand and one_in(dice, 2):
        lines.append(f"Sell {pick(dice, dealer.hand)} to {other} for {price}")
    if dealer.money >= price and one_in(dice, 2):
        lines.append(f"Buy {pick(dice, GEMS)} from {other} for {price}")
    return "\n".join([*lines, "Bid everything"] if one_in(dice, 12) else lines)
