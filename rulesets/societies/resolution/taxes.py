"""Phase 6: taxes, less army support (SO-37 to SO-52, SO-167 to SO-169, SO-R85 to SO-R88)."""

from bisect import bisect_right
from fractions import Fraction
from typing import NamedTuple

from ..tables import CITY_INCOME, GOVERNMENTS, rounded
from ..world.state import Position
from .turn import Turn


class Tax(NamedTuple):
    """What a society collects and pays: cities that pay, sum before and after the bonus, support, armies that it can keep."""

    cities: int
    gross: int
    income: int
    support: int
    armies: int


def collect(turn: Turn) -> None:
    """Everybody in the game, except those whose Revolution keeps another phase (SO-R39)."""
    for name in turn.acting:
        if turn.obstacle(name, "tax") and not turn.options.revolution_collects_tax:
            continue
        society, tax = turn.society(name), tax_of(turn.now, name)
        disbanded = society.armies - tax.armies
        turn.change(name, gold=society.gold + tax.income - tax.support, armies=tax.armies)
        turn.tell_alone("tax", name, {**tax._asdict(), "disbanded": disbanded})


def tax_of(position: Position, name: str) -> Tax:
    """Taxes and support in the present state."""
    society, government = position.by_name[name], GOVERNMENTS[position.by_name[name].government]
    own = [city for city in position.cities if city.owner == name]
    paying = sum(not city.rehabilitating for city in own)
    taxed = paying if government.cities is None else min(government.cities, paying)
    gross = taxed * society.tech * CITY_INCOME
    if position.has_active(name, "Tower of Babel"):
        gross += society.tech**2
    if position.has_active(name, "Mafia"):
        gross += len(position.cities)
    income = rounded(gross * government.bonus)
    share = _support_share(position, name, len(own))
    how = position.options.support_rounding

    def support(armies: int) -> int:
        return rounded(armies * share, how)

    # The most armies whose support the income covers (SO-52).
    armies = bisect_right(range(society.armies + 1), income, key=support) - 1
    return Tax(taxed, gross, income, support(armies), armies)


def _support_share(position: Position, name: str, cities: int) -> Fraction:
    """Gold for each army: none, one, or one for as many as there are cities (SO-44, SO-48, SO-50, SO-137)."""
    government = position.by_name[name].government
    if government == "despotism":
        return Fraction(0)
    as_monarchy = government == "monarchy" or position.has_active(name, "National Rifle Association")
    return Fraction(1, cities) if as_monarchy else Fraction(1)
