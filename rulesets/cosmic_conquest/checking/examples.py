"""A right line for a player whose line was wrong: of the same kind where that can be, with what is left to assign."""

import re

from pbmd.rules.words import counted

from ..orders import PASS, Act, AskInsight, Assault, Invest, Kind, Lead, Order, Raise, Sabotage, Stasis, TimeSkip
from ..tables import INDECISIVE_UNITS
from ..world.state import Position
from .draft import Draft

_HEADS: tuple[tuple[str, Order], ...] = (
    (r"\b(telepathic|insight)\b", AskInsight("")),
    (r"\bpsychic assault\b", Assault("")),
    (r"\bsabotage\b", Sabotage("")),
    (r"\bskip\b", TimeSkip("")),
    (r"\bstasis\b", Stasis("")),
    (r"\binvest", Invest("", 1)),
    (r"\b(conquer|conquest|attack)\b", Act("conquer", "", 1)),
    (r"\b(raise|build|create)\b", Raise(("",))),
)
_FORUM = {"conquer": "Conquest of", "defend": "Defense of"}


def right_line(draft: Draft, order: Order | None, text: str) -> str:
    """An order that would be accepted, in the player's own manner of writing."""
    if order is None:
        order = next((order for head, order in _HEADS if re.search(head, text, re.IGNORECASE)), Act("defend", "", 1))
    suggested = _suggested(draft, order) or _act(draft, Act("defend", "", 1)) or PASS
    return _as_posted(suggested) if re.match(r"\s*\d", text) else suggested.text


def _as_posted(order: Order) -> str:
    """The form of the game's own sample turn (CC-44), for the orders that have one."""
    match order:
        case Act():
            drones = f" and {counted(order.drones, 'Drone')}" if order.drones else ""
            units = counted(order.units, "Resource Unit")
            return f"{units}{drones} for {_FORUM[order.kind]} {order.system}."
        case Invest():
            return f"{counted(order.units, 'Resource Unit')} to Invest in {order.system}."
        case _:
            return order.text


def _suggested(draft: Draft, order: Order) -> Order | None:
    match order:
        case Act():
            return _act(draft, order)
        case Lead():
            return next((Lead(kind, name) for kind, name in _actions(draft)), None)
        case Invest():
            return _invest(draft, order)
        case Raise():
            return _raise(draft)
        case TimeSkip() | Stasis():
            return _of_chronotech(draft, order)
        case Sabotage() | Assault():
            return _of_psionic(draft, order)
        case AskInsight() if draft.faction.tech == "psionic" and draft.alone:
            return insight_example(draft.position)
        case _:
            return None


def _own(draft: Draft) -> list[str]:
    return [system.name for system in draft.position.held_by(draft.faction.colour)]


def _raise(draft: Draft) -> Raise | None:
    """A drone from a system that yields something and neither raises one yet nor is in stasis."""
    if draft.faction.has("inefficient") or draft.units_left < draft.position.options.drone_uses_pool:
        return None
    busy = (*draft.plan.raises, draft.plan.stasis)
    own = draft.position.held_by(draft.faction.colour)
    return next((Raise((system.name,)) for system in own if system.effective and system.name not in busy), None)


def _of_chronotech(draft: Draft, order: TimeSkip | Stasis) -> TimeSkip | Stasis | None:
    """One of each a turn, and not both in the same system."""
    skip, stasis = draft.plan.skip, draft.plan.stasis
    used, other = (skip, stasis) if isinstance(order, TimeSkip) else (stasis, skip)
    if draft.faction.tech != "chronotech" or used:
        return None
    return next((type(order)(name) for name in _own(draft) if name != other), None)


def _of_psionic(draft: Draft, order: Sabotage | Assault) -> Sabotage | Assault | None:
    """One of each a turn, against a system of somebody else."""
    used = draft.plan.sabotage if isinstance(order, Sabotage) else draft.plan.assault
    if draft.faction.tech != "psionic" or used:
        return None
    nobody_or_self = ("", draft.faction.colour)
    return next((type(order)(system.name) for system in draft.position.systems if system.owner not in nobody_or_self), None)


def insight_example(position: Position) -> AskInsight | None:
    """An Insight into somebody who is not immune to it (CC-R62), None if all are."""
    return next((AskInsight(faction.colour) for faction in position.active if faction.tech != "psionic"), None)


def _actions(draft: Draft) -> list[tuple[Kind, str]]:
    kinds: tuple[Kind, ...] = ("conquer", "defend")
    return [(kind, name) for kind in kinds for name in draft.plan.actions(kind) if draft.leads in (None, (kind, name))]


def _act(draft: Draft, order: Act) -> Act | None:
    systems = draft.targets if order.kind == "conquer" else _own(draft)
    if not systems:
        return None
    system = _chosen(order.system, systems)
    before = draft.plan.actions(order.kind).get(system)
    units = _units(draft, order.units or 1, before.units if before else 0)
    return Act(order.kind, system, units, min(order.drones, draft.drones_left)) if units else None


def _invest(draft: Draft, order: Invest) -> Invest | None:
    own = _own(draft)
    system = _chosen(order.system, own) if own else ""
    units = _units(draft, order.units, draft.plan.invest.get(system, 0))
    return Invest(system, units) if own and units else None


def _units(draft: Draft, wanted: int, before: int = 0) -> int:
    """As many units as wanted, as far as they are left and an Indecisive admiral lets them go."""
    most = INDECISIVE_UNITS - before if draft.faction.has("indecisive") else wanted
    return max(0, min(wanted, draft.units_left, most))


def _chosen(name: str, systems: list[str]) -> str:
    return name if name in systems else systems[0]
