"""The order form: lines to fill in, for the coming turn (section 6 of the rules)."""

from textwrap import wrap

from pbmd.rules import Line
from pbmd.rules.words import counted

from .checking.examples import good_square, nearest_rival
from .checks import check_lines
from .orders import Attack, BuildCities, BuildWonder, Buy, Cut, CutItem, Give, Order, Research, SendSpies, Trade, lines_of
from .resolution.budget import technology_price, terms_of
from .tables import NEEDS, TECHNOLOGIES, WONDERS, city_cost, technology_name, wonder_base
from .world.state import Position, Society

FORM_WIDTH = 65
"""A program that wraps a longer comment when it quotes the form would turn its rest into an order."""


def order_form(position: Position, seat: str) -> str:
    """Orders that this society could give now, each after a single "# " and valid when that is removed, all of them in one
    mail; remarks begin with "## ". The unchanged form contains no order."""
    society = position.by_name[seat]
    if not society.living or position.over:
        return ""
    lines = [f"## {part}" for remark in _remarks(position, society) for part in wrap(remark, FORM_WIDTH)]
    return "\n".join([*lines, *(f"# {line}" for line in _accepted(position, seat, _suggestions(position, society)))])


def _remarks(position: Position, society: Society) -> list[str]:
    terms = terms_of(position, society.name)
    following = society.tech + 1
    price, city = technology_price(terms, following), city_cost(terms.cities + 1)
    return [
        f"You have {society.gold} gold and {counted(society.armies, 'army', 'armies')}.",
        f"Level {following} ({technology_name(following)}) costs {price}, a city {city}, an army your level.",
        "First in, first served. If you send orders again, you go to the back.",
    ]


def _suggestions(position: Position, society: Society) -> list[Order]:
    name = society.name
    rival, square = nearest_rival(position, name), good_square(position, name)
    orders: list[Order] = [] if position.at_war(name, rival) else [Trade(rival)]
    if society.tech >= NEEDS["spies"] or society.spies:
        orders.append(SendSpies(rival, "research"))
    orders.append(Research(1, society.tech + 1) if society.tech < len(TECHNOLOGIES) else Research())
    orders += [Buy("armies", 2), BuildCities(1, (square,) if square else ())]
    wonder = next((w for w in WONDERS[: society.tech] if w not in position.wonder), None)
    if wonder:
        orders += [BuildWonder(wonder, wonder_base(wonder)), Cut((CutItem("wonder", wonder),))]
    if position.adjacent(name, rival):
        orders += [Give(rival, "armies"), Attack(rival, max(1, society.armies), position.territory[rival][:2])]
    return orders


def _accepted(position: Position, seat: str, orders: list[Order]) -> list[str]:
    """The lines of those that are accepted together and are short enough for the form."""
    written = [line for order in orders if all(len(line) <= FORM_WIDTH for line in lines_of(order)) for line in lines_of(order)]
    taken, _ = check_lines(position, seat, [Line(number, text) for number, text in enumerate(written, start=1)])
    return [line for one in taken for line in lines_of(one.order)]
