"""A right line for a player whose line was wrong: of the same kind where that can be, with what is left to assign."""

import re

from .draft import Draft
from .orders import PASS, Act, AskInsight, Assault, Invest, Kind, Lead, Order, Raise, Sabotage, Stasis, TimeSkip
from .position import Position
from .tables import INDECISIVE_UNITS, counted

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
    position, own = draft.position, draft.position.held_by(draft.faction.colour)
    others = [system.name for system in position.systems if system.owner not in ("", draft.faction.colour)]
    psionic, chronotech = draft.faction.tech == "psionic", draft.faction.tech == "chronotech"
    match order:
        case Act():
            return _act(draft, order)
        case Lead():
            return next((Lead(kind, name) for kind, name in _actions(draft)), None)
        case Invest():
            return _invest(draft, order, [system.name for system in own])
        case Raise():
            free = [s.name for s in own if s.effective and s.name not in (*draft.plan.raises, draft.plan.stasis)]
            able = not draft.faction.has("inefficient") and draft.units_left >= position.options.drone_uses_pool
            return Raise((free[0],)) if free and able else None
        case TimeSkip() if chronotech and not draft.plan.skip:
            return next((TimeSkip(system.name) for system in own if system.name != draft.plan.stasis), None)
        case Stasis() if chronotech and not draft.plan.stasis:
            return next((Stasis(system.name) for system in own if system.name != draft.plan.skip), None)
        case Sabotage() if psionic and others and not draft.plan.sabotage:
            return Sabotage(others[0])
        case Assault() if psionic and others and not draft.plan.assault:
            return Assault(others[0])
        case AskInsight() if psionic and draft.alone:
            return insight_example(position)
        case _:
            return None


def insight_example(position: Position) -> AskInsight | None:
    """An Insight into somebody who is not immune to it (CC-R62), None if all are."""
    return next((AskInsight(faction.colour) for faction in position.active if faction.tech != "psionic"), None)


def _actions(draft: Draft) -> list[tuple[Kind, str]]:
    kinds: tuple[Kind, ...] = ("conquer", "defend")
    return [(kind, name) for kind in kinds for name in draft.plan.actions(kind) if draft.leads in (None, (kind, name))]


def _act(draft: Draft, order: Act) -> Act | None:
    systems = draft.targets if order.kind == "conquer" else [s.name for s in draft.position.held_by(draft.faction.colour)]
    if not systems:
        return None
    system = _chosen(order.system, systems)
    before = draft.plan.actions(order.kind).get(system)
    units = _units(draft, order.units or 1, before.units if before else 0)
    return Act(order.kind, system, units, min(order.drones, draft.drones_left)) if units else None


def _invest(draft: Draft, order: Invest, own: list[str]) -> Invest | None:
    system = _chosen(order.system, own) if own else ""
    units = _units(draft, order.units, draft.plan.invest.get(system, 0))
    return Invest(system, units) if own and units else None


def _units(draft: Draft, wanted: int, before: int = 0) -> int:
    """As many units as wanted, as far as they are left and an Indecisive admiral lets them go."""
    most = INDECISIVE_UNITS - before if draft.faction.has("indecisive") else wanted
    return max(0, min(wanted, draft.units_left, most))


def _chosen(name: str, systems: list[str]) -> str:
    return name if name in systems else systems[0]
