"""A right line for a player whose line was wrong: of the same kind where that can be, with what is left to assign."""

import re
from collections.abc import Callable, Iterator

from pbmd.rules import Line
from pbmd.rules.checking import Fault, Wrong, mended
from pbmd.rules.names import likest_first
from pbmd.rules.words import counted

from ..orders import PASS, Act, AskInsight, Assault, Invest, Kind, Lead, Order, Raise, Sabotage, Stasis, TimeSkip, clean, read
from ..tables import INDECISIVE_UNITS
from ..world.state import Faction
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
_DEFEND = Act("defend", "", 1)
_FORUM = {"conquer": "Conquest of", "defend": "Defense of"}


def refusal(draft: Draft, line: Line, order: Order | None, fault: Fault, stands: Callable[[Draft, Order], bool]) -> Wrong:
    """What is wrong with a line, and an order in its place, in the player's own manner of writing. `stands` tells whether one
    would be accepted after those of the draft."""
    if order is None:
        order = next((order for head, order in _HEADS if re.search(head, line.text, re.IGNORECASE)), _DEFEND)
    posted = re.match(r"\s*\d", line.text) is not None
    candidates = (_as_posted(each) if posted else each.text for kind in (order, _DEFEND) for each in alike(draft, kind))

    def remark_on(text: str) -> str | None:
        found = read(text)
        return "" if found and stands(draft, found) else None

    return mended(line, clean(line.text), (fault,), candidates, remark_on, otherwise=PASS.text)


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


def alike(draft: Draft, order: Order) -> Iterator[Order]:
    """Orders of the same kind, with the systems first whose names are most like what was written; not all would stand."""
    systems = draft.systems_for(order)
    match order:
        case Act() | Invest():
            yield from _with_units(draft, order, systems)
        case Lead(_, system):
            kinds: tuple[Kind, ...] = ("conquer", "defend")
            yield from (Lead(kind, name) for kind in kinds for name in likest_first(system, draft.plan.actions(kind)))
        case Raise((*_, system)):
            yield from (Raise((name,)) for name in likest_first(system, systems))
        case Assault(system, player) if player:
            (name, *_) = likest_first(system, systems)
            yield from (Assault(name, colour) for colour in _called(draft.rivals, player))
        case TimeSkip(system) | Stasis(system) | Sabotage(system) | Assault(system):
            yield from (type(order)(name) for name in likest_first(system, systems))
        case AskInsight(player) if draft.alone:
            yield from (AskInsight(colour) for colour in _called(draft.open_minds, player))
        case _:
            return


def _with_units(draft: Draft, order: Act | Invest, systems: list[str]) -> Iterator[Order]:
    """With as many units and drones as were written, as far as they are left and an Indecisive admiral lets them go."""
    plan = draft.plan
    for system in likest_first(order.system, systems):
        before = plan.actions(order.kind).get(system, (0,))[0] if isinstance(order, Act) else plan.invest.get(system, 0)
        most = INDECISIVE_UNITS - before if draft.faction.has("indecisive") else draft.units_left
        units = min(max(1, order.units), draft.units_left, most)
        if units < 1:
            continue
        if isinstance(order, Act):
            yield Act(order.kind, system, units, min(order.drones, draft.drones_left))
        else:
            yield Invest(system, units)


def _called(factions: list[Faction], name: str) -> list[str]:
    """The colours of factions, first of the one whose colour or name is most like this."""
    called = {each: faction.colour for faction in factions for each in (faction.colour, faction.name)}
    return list(dict.fromkeys(called[each] for each in likest_first(name, called)))
