"""Examples for players whose line was wrong: of the same kind, and without consequences for others."""

from collections.abc import Iterator

from ..orders import Build, BuildGenerator, Order, RaiseShields, Repair, SetOob, Stockpile, TrainSpy, Unclear
from ..tables import CLASSES, DAMAGE_OF, KIND_OF
from .draft import Draft

_OOB = "LFTLTF"


def examples(draft: Draft, order: Order | Unclear | None) -> Iterator[str]:
    """Lines of the same kind as that order; some may be invalid at this point."""
    match order:
        case Build():
            yield from (order.text, "Build 1 Laserfrigate", "Build 1 base")
        case Repair():
            yield "Repair all"
            kinds = sorted({KIND_OF[alike] for alike in draft.yard.navy if DAMAGE_OF[alike]})
            yield from (f"Repair 1 {CLASSES[kind].name}" for kind in kinds)
        case TrainSpy() | BuildGenerator() | RaiseShields() | Stockpile():
            yield order.text
        case SetOob():
            yield from (f"OOB {role}: {_OOB}" for role in ("default", "attack", "defence"))
        case _:
            return
