"""Prices, the cost of a plan, and what is cut from it when gold is short (SO-R14 to SO-R18)."""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from ..orders import (
    BuildCities,
    BuildPart,
    BuildWonder,
    Buy,
    Cut,
    CutItem,
    Item,
    Order,
    Production,
    Research,
    Step,
    step_of,
)
from ..tables import (
    CITY_PRICE,
    NUKE_PRICE,
    PART_PRICE,
    SDI_PRICE,
    TECHNOLOGY_NUMBER,
    GameOptions,
    base_price,
    rounded,
)
from ..world.state import Position


@dataclass(frozen=True, slots=True)
class Terms:
    """What a society's prices depend on; `levels` are those of the societies whose knowledge counts, including its own,
    the lowest first (SO-R17)."""

    options: GameOptions
    levels: tuple[int, ...]
    tech: int
    cities: int
    parts: int


@dataclass(frozen=True, slots=True)
class Budget:
    """What is planned and what is left of it: for each order's place its units and cost, as planned and as kept.

    `cuts` are places with the number of units cut and whether the cut list named them, in the order of the cuts.
    """

    treasury: int
    planned: Mapping[int, tuple[int, int]]
    kept: Mapping[int, tuple[int, int]]
    cuts: tuple[tuple[int, int, bool], ...]

    @property
    def planned_cost(self) -> int:
        """The cost of the plan as it was."""
        return sum(cost for _, cost in self.planned.values())

    @property
    def kept_cost(self) -> int:
        """The cost of what is left: never more than the treasury."""
        return sum(cost for _, cost in self.kept.values())


def levels_of(position: Position) -> tuple[int, ...]:
    """The levels of all societies still in the game, the lowest first."""
    return tuple(sorted(society.tech for society in position.living))


def terms_of(position: Position, seat: str) -> Terms:
    """The prices of a society at the start of the turn."""
    society = position.by_name[seat]
    levels = levels_of(position)
    return Terms(position.options, levels, society.tech, len(position.territory[seat]), society.spaceship_parts)


def technology_price(terms: Terms, level: int) -> int:
    """The price of the technology of that level."""
    players = len(terms.levels)
    knowing = players - bisect_left(terms.levels, level)
    discount = terms.options.tech_cost_formula == "discount"
    factor = players - knowing if discount else players**2 - knowing
    return rounded(Fraction(base_price(level) * factor, players), terms.options.tech_cost_rounding)


def part_price(terms: Terms, order: BuildPart) -> int:
    """What the next part costs: only the last one can be overpaid (SO-R90)."""
    last = terms.parts + 1 >= terms.options.spaceship_parts
    return max(PART_PRICE, order.spend) if last else PART_PRICE


def unit_price(item: Item, level: int) -> int:
    """What an army costs a society of that level (SO-147), or a nuke or SDI any (SO-108, SO-111)."""
    return {"armies": level, "nukes": NUKE_PRICE, "sdi": SDI_PRICE}[item]


def cities_price(owned: int, count: int) -> int:
    """What this many cities cost together for a society that owns this many (SO-95)."""
    return CITY_PRICE * (count * owned + count * (count + 1) // 2)


def units_of(order: Production) -> int:
    """The units that are cut one by one: a bid and a part are one each."""
    return order.count if isinstance(order, Research | Buy | BuildCities) else 1


def costs(terms: Terms, orders: Mapping[int, Production], units: Mapping[int, int]) -> dict[int, int]:
    """What this many units of each order cost, at face price and whether or not they will prove possible (SO-R14)."""
    found: dict[int, int] = {}
    level, cities = terms.tech, terms.cities
    for place, order in orders.items():
        if isinstance(order, Research):
            found[place] = 0
            for _ in range(units[place]):
                wanted = order.technology or level + 1
                found[place] += technology_price(terms, wanted)
                # If its predecessor was cut, a named technology does not raise the level.
                level += wanted == level + 1
    for place, order in orders.items():
        match order:
            case Buy():
                found[place] = unit_price(order.item, level) * units[place]
            case BuildCities():
                found[place] = cities_price(cities, units[place])
                cities += units[place]
            case BuildWonder():
                found[place] = order.spend * units[place]
            case BuildPart():
                found[place] = part_price(terms, order) * units[place]
            case Research():
                pass
    return found


def production_of(orders: Sequence[Order], without: frozenset[Step] = frozenset()) -> dict[int, Production]:
    """The orders that cost gold in Production by their places in the list, without those of some steps."""
    return {
        place: order for place, order in enumerate(orders) if isinstance(order, Production) and step_of(order) not in without
    }


def budget_of(terms: Terms, treasury: int, orders: Sequence[Order], negated: frozenset[Step] = frozenset()) -> Budget:
    """The budget of a society for Production; orders of negated steps cost nothing and are not in it."""
    wanted = production_of(orders, negated)
    planned = {place: units_of(order) for place, order in wanted.items()}
    units, cuts = dict(planned), list[tuple[int, int, bool]]()
    cut_list = [item for order in orders if isinstance(order, Cut) for item in order.items]
    turns = [(place, True) for item in cut_list for place in reversed(wanted) if _names(item, wanted[place])]
    for place, listed in (*turns, *((place, False) for place in reversed(wanted))):
        if _can_pay(terms, treasury, wanted, units):
            break  # mostly nothing must be cut
        before = units[place]
        units[place] = _most(terms, treasury, wanted, units, place)
        if units[place] < before:
            cuts.append((place, before - units[place], listed))
    return Budget(treasury, _with_costs(terms, wanted, planned), _with_costs(terms, wanted, units), tuple(cuts))


def _most(terms: Terms, treasury: int, orders: Mapping[int, Production], units: Mapping[int, int], place: int) -> int:
    """The largest number of units of this order with which the plan can be paid, given that all of them are too many; 0 if it
    cannot be paid at all.

    Cutting one after the other has the same result, since each cut makes the plan cheaper or no dearer.
    """
    least, most = 0, units[place]
    while most - least > 1:
        middle = (least + most) // 2
        affordable = _can_pay(terms, treasury, orders, {**units, place: middle})
        least, most = (middle, most) if affordable else (least, middle)
    return least


def _can_pay(terms: Terms, treasury: int, orders: Mapping[int, Production], units: Mapping[int, int]) -> bool:
    return sum(costs(terms, orders, units).values()) <= treasury


def _with_costs(terms: Terms, orders: Mapping[int, Production], units: Mapping[int, int]) -> dict[int, tuple[int, int]]:
    found = costs(terms, orders, units)
    return {place: (units[place], found[place]) for place in orders}


def _names(item: CutItem, order: Production) -> bool:
    """Whether the item of a cut list means this order."""
    match order:
        case Research():
            named = item.kind == "technology" and TECHNOLOGY_NUMBER.get(item.name) == order.technology
            return item.kind == "research" or (named and order.technology > 0)
        case Buy():
            return item.kind == order.item
        case BuildCities():
            return item.kind == "cities"
        case BuildPart():
            return item.kind == "part"
        case BuildWonder():
            return item.kind == "wonder" and item.name == order.wonder
