"""What the terms say of seats that miss turn after turn, in words."""

from collections.abc import Mapping
from typing import Literal

from pbmd.terms.terms import Terms

Step = Literal["turn", "phase", "move"]
"""What players call what can be missed."""
BACK = "I'M BACK"
"""What wakes a seat, on a line of its own."""


def sleeper_rule(terms: Terms, step: Step) -> str:
    """When a seat falls asleep, what that means, and what ends it; empty if none ever does."""
    if not terms.have_sleepers:
        return ""
    row, total = terms.missed_in_a_row, terms.missed_in_all
    words = [f"{row} {step}s in a row" if row > 1 else f"a {step}"] if row else []
    words += [f"{total} {step}s in all" if total > 1 else f"a {step}"] if total else []
    return (
        f"Whoever misses {' or '.join(words)} is asleep: the game waits for them no longer, and {_MEANS[terms.sleeper]}, until "
        f"they send orders or write {BACK}."
    )


_MEANS = {
    "default": "the rules act for their seat",
    "offer": "their seat is offered to those who stand by",
    "disorder": "their seat is in civil disorder",
}
_STEPS: Mapping[str, Step] = {"sequential": "move", "phased": "phase"}


def step_of(timing: str) -> Step:
    """What players of such a game call what can be missed."""
    return _STEPS.get(timing, "turn")
