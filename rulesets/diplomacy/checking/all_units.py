"""Orders about all units, or all builds, that are left: "others hold", "waive the rest", "disband all" (DI-20, DI-73)."""

from collections.abc import Sequence

from pbmd.rules.checking import Fault
from pbmd.rules.words import counted, listing

from ..orders import key_of
from ..resolution.winter import to_build
from ..world.commands import Build, Disband, Hold, Waive
from .acceptance import Found
from .draft import Draft
from .meaning import meant
from .reader import Meant, Reader, must_be_moves
from .reading import Heading, Said


def without_ordered(draft: Draft, found: "Sequence[Found]", said: Sequence[Said | Heading | None]) -> "list[Found]":
    """The orders of the parts of a line; "the rest holds" is not about units that have an order in the same line, and "waive
    the rest" not about builds of the same line."""
    if len(found) > 1 and any(isinstance(each, Said) and each.verb == "waive" and not each.many for each in said):
        found = _without_built(draft, found, said)
    general = [isinstance(each, Said) and each.verb in ("nothing", "others") for each in said]
    if len(found) == 1 or not any(general):
        return [*found]
    own = {key for each, is_general in zip(found, general, strict=True) if not is_general for key in _keys(each)}
    return [_except(each, own) if is_general else each for each, is_general in zip(found, general, strict=True)]


def _without_built(draft: Draft, found: "Sequence[Found]", said: Sequence[Said | Heading | None]) -> "list[Found]":
    """The same, in which all builds that are left are waived as often as builds are left by the others."""
    rest = [isinstance(each, Said) and each.verb == "waive" and not each.many for each in said]
    used = sum(0 if is_rest or isinstance(each, Fault) else _builds(each) for each, is_rest in zip(found, rest, strict=True))
    left = max(1, left_to_waive(draft.reader, draft) - used)
    return [each[:left] if is_rest and not isinstance(each, Fault) else each for each, is_rest in zip(found, rest, strict=True)]


def _builds(found: list[Meant]) -> int:
    return sum(isinstance(each.order, Build | Waive) for each in found)


def _keys(found: Found) -> list[str]:
    return [] if isinstance(found, Fault) else [key_of(each.order) for each in found]


def _except(found: Found, keys: set[str]) -> Found:
    return found if isinstance(found, Fault) else [each for each in found if key_of(each.order) not in keys]


def _all_hold(reader: Reader, draft: Draft, said: Said) -> list[Meant]:
    """The units that have no order yet hold, or those of one kind."""
    units = sorted((unit for unit in reader.power.units if said.name in ("", unit.kind)), key=lambda unit: unit.text)
    found = [Meant(Hold(unit)) for unit in units if key_of(Hold(unit)) not in draft.by_key]
    if not found:
        raise Fault("all your units have orders already" if reader.power.units else "you have no units")
    return found


def of_all_others(reader: Reader, draft: Draft, said: Said) -> list[Meant]:
    """Applies to all units that have no order yet; if nothing is done in winter, the builds that are left are waived (DI-20,
    DI-73). Raises `Fault` if doing nothing has a word of its own."""
    if reader.position.kind == "moves" and not said.many:
        return []
    if reader.about == "moves" and reader.position.kind == "moves":
        return _all_hold(reader, draft, said)
    if said.verb == "others":
        must_be_moves(reader)
    if reader.about == "retreats":
        leaving = [Disband(each.unit).text for each in reader.power.dislodged]
        says = f"a unit that does not retreat is disbanded; to say so, write {listing(leaving, 'or')}"
        raise Fault(says if leaving else "you have nothing to do in this phase")
    many = to_build(reader.position, reader.power)
    if many < 0 and reader.position.kind == "winter":
        raise Fault(f"you must remove {counted(-many, 'unit')}; write which, as in {Disband(reader.power.units[0]).text}")
    return [meant(reader, Said("waive"))] * left_to_waive(reader, draft)


def all_disbanded(reader: Reader, draft: Draft, said: Said) -> list[Meant]:
    """All units that have to retreat are disbanded. Raises `Fault` where others may be meant: one has another order already,
    they are not so many, or it is another phase."""
    leaving = [Disband(each.unit) for each in reader.power.dislodged]
    is_sure = reader.position.kind == reader.about == "retreats" and said.many in (0, len(leaving))
    if not leaving or not is_sure or any(draft.by_key.get(key_of(each), each) != each for each in leaving):
        raise Fault("say which unit is disbanded")
    return [Meant(each) for each in leaving]


def left_to_waive(reader: Reader, draft: Draft) -> int:
    """How many builds are still available: in winter those that are not ordered yet, before it the maximum."""
    if reader.position.kind != "winter":
        return min(len(reader.position.board.sites[reader.seat]), len(reader.power.centres) + len(reader.power.units))
    return max(1, to_build(reader.position, reader.power) - sum(isinstance(order, Build | Waive) for order in draft.orders))
