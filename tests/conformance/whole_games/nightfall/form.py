"""Orders to begin with: for players, and of random ones."""

from pbmd.rules import Dice
from pbmd.rules.randomly import one_in, pick

from .position import Position, living, role_of, wolves

VERBS = {"wolf": "Kill", "seer": "Look at", "doctor": "Guard", "villager": "Rest"}


def verb_of(position: Position, seat: str) -> str:
    """What the seat can do in this phase, besides to rest."""
    return "Vote for" if position.phase == "day" else VERBS[role_of(position, seat)]


def suggestions(position: Position, seat: str) -> list[str]:
    """Orders that the seat could give in this phase."""
    verb = verb_of(position, seat)
    left_out = {"Kill": wolves(position), "Guard": (position.guarded,), "Rest": living(position)}.get(verb, (seat,))
    return [f"{verb} {name}" for name in living(position) if name not in left_out] + ["Rest"]


def order_form(position: Position, seat: str) -> str:
    """Orders stand behind "# ", and are good when that is taken away; remarks behind "## "."""
    if seat not in living(position):
        return "## You are dead."
    first, *others = suggestions(position, seat)
    return "\n".join([f"## One of these:\n# {first}"] + [f"## Or:\n# {line}" for line in others])


def random_orders(position: Position, seat: str, dice: Dice) -> str:
    """Orders as somebody may write them: with a mistake now and then."""
    order = pick(dice, suggestions(position, seat))
    return f"{order}\nHowl" if one_in(dice, 12) else order
