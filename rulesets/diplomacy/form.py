"""The order form: a line for each unit, or for each build and removal (DI-98)."""

from textwrap import wrap

from pbmd.rules.words import counted, listing

from .checking.examples import suggested
from .resolution.winter import sites, to_build
from .world.state import Position

FORM_WIDTH = 56
"""A program that wraps a longer comment when it quotes the form would turn its rest into an order."""


_HOW_TO_MOVE = (
    "A unit without an order holds.",
    "Move: A PAR - BUR",
    "Support: A MAR S A PAR - BUR, or A MAR S A PAR",
    "Convoy: F NTH C A LON - NWY",
)
"""Each fits on a line: an example that is cut in two is useless."""
_HOW_TO_BUILD = "Build: A PAR B, or F BRE B, or WAIVE"


def order_form(position: Position, seat: str) -> str:
    """An order for every unit, each after a single "# " and valid when that is removed; remarks begin with "## "."""
    orders = suggested(position, seat)
    if not orders and not position.by_power[seat].survives:
        return ""
    remarks = [f"## {row}" for remark in _remarks(position, seat) for row in wrap(remark, FORM_WIDTH)]
    return "\n".join([*remarks, *(f"# {order.text}" for order in orders)])


def _remarks(position: Position, seat: str) -> list[str]:
    power = position.by_power[seat]
    match position.kind:
        case "moves":
            return [*_HOW_TO_MOVE]
        case "retreats":
            return [f"{each.unit.text} can retreat to {listing(each.retreats, 'or')}, or D." for each in power.dislodged]
        case "winter":
            many = to_build(position, power)
            if many > 0:
                free = listing(sites(position, power))
                return [f"You can build {counted(many, 'unit')}; free {position.board.site_words}: {free}.", _HOW_TO_BUILD]
            return [f"You must remove {counted(-many, 'unit')}."] if many else ["You have nothing to build or to remove."]
        case "over":
            return []
