"""What the acknowledgement adds to the verdicts: orders of battle that are missing, and what happens where nothing is said."""

from .draft import Draft
from .oobs import Oobs, joined, wanting
from .orders import Attack, RaiseShields


def oob_warnings(draft: Draft) -> list[str]:
    """Where no order of battle would apply, so that a random one is used (GO-81, GO-R60)."""
    oobs: Oobs = draft.oobs
    attack = draft.special[1] if draft.special and isinstance(draft.special[1], Attack) else None
    destroyed = draft.position.options.missing_oob == "destroyed"
    warnings: list[str] = []
    if attack and wanting(oobs, "attack", attack.target):
        fate = "your fleet is destroyed" if destroyed else "a random one is rolled"
        unless = ", unless an ally sends one" if attack.allies else ""
        warnings.append(f"No order of battle of yours applies to your attack on {attack.target}: {fate}{unless}.")
    shielded = draft.special is not None and isinstance(draft.special[1], RaiseShields)
    covered = shielded or ("", "") in oobs or ("defence", "") in oobs
    open_to = [] if covered else [other for other in draft.others if wanting(oobs, "defence", other)]
    if open_to:
        fate = "your home fleet is destroyed" if destroyed else "a random one is rolled"
        by = "" if len(open_to) == len(draft.others) else f" by {joined(open_to)}"
        warnings.append(
            f"No order of battle of yours applies if you are attacked{by}: {fate}. OOB default: LFTLTF is one for everything."
        )
    return warnings


def defaults(draft: Draft) -> tuple[str, ...]:
    """What will be where the sheet says nothing."""
    kept = f"{draft.yard.bp} BP are kept for later turns."
    special = () if draft.special else ("No special order is given (attack, shields, generator or spy training).",)
    return (kept, *special)
