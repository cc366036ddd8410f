"""What the acknowledgement adds to the verdicts: orders of battle that are missing, and what happens where nothing is said."""

from pbmd.rules.words import listing

from ..orders import Attack, RaiseShields, Special
from ..resolution.oobs import Oobs, wanting
from .draft import Draft


def oob_warnings(draft: Draft) -> list[str]:
    """Where no order of battle would apply, so that a random one is used (GO-81, GO-R60)."""
    special = draft.special[1] if draft.special else None
    return [warning for warning in (_attacking(draft, special), _attacked(draft, special)) if warning]


def _attacking(draft: Draft, special: Special | None) -> str:
    if not isinstance(special, Attack) or not wanting(draft.oobs, "attack", special.target):
        return ""
    unless = ", unless an ally sends one" if special.allies else ""
    fate = _fate(draft, "fleet")
    return f"No order of battle of yours applies to your attack on {special.target}: {fate}{unless}."


def _attacked(draft: Draft, special: Special | None) -> str:
    oobs: Oobs = draft.oobs
    covered = isinstance(special, RaiseShields) or ("", "") in oobs or ("defence", "") in oobs
    open_to = [] if covered else [other for other in draft.others if wanting(oobs, "defence", other)]
    if not open_to:
        return ""
    by = "" if len(open_to) == len(draft.others) else f" by {listing(open_to, 'or')}"
    fate = _fate(draft, "home fleet")
    return f"No order of battle of yours applies if you are attacked{by}: {fate}. OOB default: LFTLTF is one for everything."


def _fate(draft: Draft, fleet: str) -> str:
    destroyed = draft.position.options.missing_oob == "destroyed"
    return f"your {fleet} is destroyed" if destroyed else "a random one is rolled"


def defaults(draft: Draft) -> tuple[str, ...]:
    """What will be where the sheet says nothing."""
    kept = f"{draft.yard.bp} BP are kept for later turns."
    special = () if draft.special else ("No special order is given (attack, shields, generator or spy training).",)
    return (kept, *special)
