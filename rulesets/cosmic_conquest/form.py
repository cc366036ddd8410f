"""The order form: lines to fill in, for the coming turn (section 6)."""

from textwrap import wrap

from pbmd.rules import Line
from pbmd.rules.checking import Right
from pbmd.rules.words import counted

from .checking.bold import marked
from .checking.draft import Draft
from .checking.sheets import EMPIRE_NAME_LENGTH, check_sheet
from .orders import Act, AskInsight, Empire, Invest, Order, Raise, Sabotage, TimeSkip
from .world.state import Faction, Position
from .world.values import launching, resource_units, targets

FORM_WIDTH = 65
"""A program that wraps a longer comment when it quotes the form would turn its rest into an order."""


def order_form(position: Position, seat: str) -> str:
    """Orders that this faction could give now, each after a single "# " and valid when that is removed, all of them in one
    mail; remarks begin with "## ". The unchanged form contains no order."""
    faction = position.colours[seat]
    if not faction.active:
        return ""
    reachable = targets(position, seat, launching(position, seat))
    remarks = [
        f"You have {counted(resource_units(position, faction), 'unit')} and {counted(faction.drones, 'drone')}.",
        f"You can attack {', '.join(reachable)}." if reachable else "You can attack nothing.",
        "Orders are final once accepted. What you do not assign is lost.",
    ]
    lines = [f"## {part}" for remark in remarks for part in wrap(remark, FORM_WIDTH)]
    orders = _accepted(position, faction, _suggestions(position, faction, reachable))
    lines += [f"# {marked(order, position.options.bold)}" for order in orders]
    if faction.tech == "psionic" and (asked := Draft(position, faction).open_minds):
        lines += ["## In a mail of its own:", f"# {marked(AskInsight(asked[0].colour).text, position.options.bold)}"]
    return "\n".join(lines)


def _suggestions(position: Position, faction: Faction, reachable: list[str]) -> list[Order]:
    own = [system.name for system in position.held_by(faction.colour)]
    third = max(1, resource_units(position, faction) // 3)
    drones = 1 if faction.drones else 0
    enemies = [system.name for system in position.systems if system.owner not in ("", faction.colour)]
    orders: list[Order] = []
    if faction.tech == "chronotech":
        orders.append(TimeSkip(own[0]))
    if faction.tech == "psionic" and enemies:
        orders.append(Sabotage(enemies[0]))
    orders.append(Empire(f"the {faction.name}"[:EMPIRE_NAME_LENGTH]))
    orders += [Act("conquer", name, third, drones, led=True) for name in reachable[:1]]
    orders += [Act("defend", own[0], third), Invest(own[0], third), Raise((own[0],))]
    return orders


def _accepted(position: Position, faction: Faction, orders: list[Order]) -> list[str]:
    """Those that are accepted together and are short enough for the form."""
    short = [order for order in orders if len(marked(order.text, position.options.bold)) <= FORM_WIDTH]
    lines = [Line(number, order.text) for number, order in enumerate(short)]
    return [answer.canonical for answer in check_sheet(position, faction, lines)[0] if isinstance(answer, Right)]
