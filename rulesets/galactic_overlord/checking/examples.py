"""Right lines for players whose own was wrong: of the same kind where that can be, with names and ships that there are."""

from collections.abc import Iterator, Sequence

from ..orders import Attack, Build, Division, Order, Repair, SetOob, Spy, Transfer, Unclear
from ..tables import CLASSES

SURE = "Stockpile"
"""What can be ordered at any time."""
_OOB = "LFTLTF"
_MOST_NAMED = 4


def candidates(order: Order | Unclear, own: str, rivals: Sequence[str], bases: Sequence[str]) -> Iterator[str]:
    """Lines of the same kind, the plainest first; some are no right line as things stand.

    `rivals` are the living ones, `bases` those that the faction `own` holds.
    """
    named = rivals[:_MOST_NAMED]
    match order:
        case Build():
            yield "Build 1 Laserfrigate"
        case Repair():
            yield "Repair all"
            yield from (f"Repair 1 {ship.name}" for ship in CLASSES)
        case Attack():
            yield from (f"Attack {name} with all" for name in named)
        case Spy():
            yield from (f"Use spy on {name}" for name in named)
        case SetOob():
            yield from _oobs(order, named)
        case Transfer():
            yield from (f"Transfer {base} to {name}" for base in bases[:_MOST_NAMED] for name in named)
        case Division():
            yield f"Captured bases to {own}"
        case _:
            yield from ("Use counter-espionage", "Build generator", "Raise shields", "Train spy")


def _oobs(order: SetOob, rivals: Sequence[str]) -> tuple[str, ...]:
    plain = (f"OOB {role}: {_OOB}" for role in ("default", "attack", "defence"))
    against = (f"OOB {role} vs {name}: {_OOB}" for role in ("attack", "defence") for name in rivals)
    return (*against, *plain) if order.against else (*plain, *against)
