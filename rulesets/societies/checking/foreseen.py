"""What may fail, as far as it can be predicted on arrival: warnings, since it may still work (section 6 of the rules).

The gold for Production is estimated with the income of the society's own caravans and without any surprise.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from pbmd.rules.words import counted, listing

from ..orders import (
    Attack,
    BuildCities,
    BuildPart,
    BuildWonder,
    Buy,
    Cut,
    DeclarePeace,
    DeclareWar,
    Defend,
    Give,
    Item,
    Launch,
    Order,
    Phase,
    Production,
    Research,
    Revolution,
    SendSpies,
    Trade,
    UseKgb,
    WithdrawConcession,
    amount,
    called,
    phase_needed,
)
from ..resolution.budget import Budget, Terms, budget_of, costs, terms_of, units_of
from ..tables import GOVERNMENTS, NEEDS, PART_PRICE, WONDER_NUMBER, rounded
from ..world.squares import labels, touches
from ..world.state import Position, Society


@dataclass(slots=True)
class Outlook:
    """The predicted results of a list of orders. `spent` and `raw` are the cost of the caravans and what they yield before the
    bonus; `treasury` the gold for Production; `budget` what that pays for, None if a Revolution forfeits Production.

    `level` is the level after the research that the budget pays for; `bought` the armies, nukes and SDI that it pays for;
    `spies` those left for the next line.
    """

    position: Position
    society: Society
    orders: Sequence[Order]
    kept: Phase | None
    terms: Terms
    face: Mapping[int, int]
    level: int
    spies: int
    bought: Counter[Item] = field(default_factory=Counter[Item])
    spent: int = 0
    raw: Fraction = Fraction(0)
    caravans: int = 0
    payout: int = 0
    treasury: int = 0
    budget: Budget | None = None
    warnings: dict[int, list[str]] = field(default_factory=dict[int, list[str]])

    @property
    def bonus(self) -> Fraction:
        """The bonus of the government that applies to this turn's trade (SO-R40)."""
        at_once = self.position.options.new_government_from == "same_turn"
        new = next((order.government for order in self.orders if isinstance(order, Revolution) and at_once), None)
        return GOVERNMENTS[new or self.society.government].bonus

    def may_have(self, wonder: str) -> bool:
        """Whether the society has the wonder, and it is active, or wants to build it this turn."""
        bids = any(isinstance(order, BuildWonder) and order.wonder == wonder for order in self.orders)
        return bids or self.position.has_active(self.society.name, wonder)

    def keeps(self, phase: Phase) -> bool:
        """Whether the phase is not forfeited by a Revolution."""
        return self.kept in (None, phase)

    def warn(self, place: int, words: str) -> None:
        """A warning for the order at that place in the list."""
        self.warnings.setdefault(place, []).append(words)


def outlook(position: Position, seat: str, orders: Sequence[Order]) -> Outlook:
    """The predicted results of a society's accepted orders, with warnings by their places in the list."""
    society, terms = position.by_name[seat], terms_of(position, seat)
    production = {place: order for place, order in enumerate(orders) if isinstance(order, Production)}
    found = Outlook(
        position=position,
        society=society,
        orders=orders,
        kept=next((order.keep for order in orders if isinstance(order, Revolution)), None),
        terms=terms,
        face=costs(terms, production, {place: units_of(order) for place, order in production.items()}),
        level=society.tech,
        spies=society.spies + (society.tech >= NEEDS["spies"]) + position.has_active(seat, "Trojan Horse"),
    )
    # The yield of caravans decides what will be cut, and that decides what there will be for everything else.
    places = range(len(orders))
    for place in places:
        if isinstance(orders[place], Trade):
            _warn(found, place, orders[place])
    _plan(found)
    for place in places:
        if not isinstance(orders[place], Trade):
            _warn(found, place, orders[place])
    return found


def _phase(phase: Phase) -> str:
    return called(phase).title()


def _warn(found: Outlook, place: int, order: Order) -> None:
    phase = phase_needed(order)
    if phase is not None and not found.keeps(phase):
        found.warn(place, f"your Revolution forfeits {_phase(phase)}")
        return
    for foresee in _FORESEEN.get(type(order), ()):
        foresee(found, place, order)


# --- Espionage and trade -------------------------------------------------------------------------------------------------


def _spies(found: Outlook, place: int, order: SendSpies | Defend) -> None:
    if order.count > found.spies:
        found.warn(place, f"only {counted(found.spies, 'spy', 'spies')} will be there for it")
    found.spies = max(0, found.spies - order.count)


def _trade(found: Outlook, place: int, order: Trade) -> None:
    position, society, partner = found.position, found.society, found.position.by_name[order.partner]
    own = partner.name == society.name
    cost, product = position.caravan(society.name, partner.name)
    if order.stated is not None and order.stated != cost * order.count:
        found.warn(place, f"the cost is {cost * order.count}, not {order.stated}")
    if order.payout is not None and order.payout not in (product * order.count, rounded(product * order.count * found.bonus)):
        found.warn(place, f"the income is {rounded(product * order.count * found.bonus)}, not {order.payout}")
    if not own and position.at_war(society.name, partner.name):
        found.warn(place, f"you are at war with {partner.name}; there is no trade unless both of you declare peace this turn")
        return
    limit = min(society.tech, position.options.max_caravans)
    room = min(order.count, limit - found.caravans)
    if room < order.count:
        found.warn(place, f"you can send {counted(limit, 'caravan')} a turn, so {room} of these")
    paid = min(room, (society.gold - found.spent) // cost) if cost else room
    if paid < room:
        found.warn(place, f"your gold pays for {paid} of these")
    found.caravans += paid
    found.spent += paid * cost
    found.raw += paid * product


# --- Production ----------------------------------------------------------------------------------------------------------


def _stated(found: Outlook, place: int, order: Research | Buy | BuildCities) -> None:
    """Whether the cost is as written; that of armies may be as before this turn's research."""
    present = order.count * found.society.tech if isinstance(order, Buy) and order.item == "armies" else None
    if order.stated not in (None, present, found.face[place]):
        found.warn(place, f"the cost is {found.face[place]}, not {order.stated}")


def _overpaid(found: Outlook, place: int, order: BuildPart) -> None:
    if order.spend and order.spend != found.face[place]:
        only = "" if order.spend < PART_PRICE else "; only the last part can be overpaid"
        found.warn(place, f"the cost is {found.face[place]}, not {order.spend}{only}")


def _kgb(found: Outlook, place: int, order: UseKgb) -> None:
    if not found.may_have("KGB"):
        found.warn(place, "you have no active KGB")
    if order.wonder not in found.position.wonder:
        found.warn(place, f"{order.wonder} is not built yet")


def _level(found: Outlook, place: int, order: Buy | BuildWonder | BuildPart) -> None:
    """Whether the level is high enough, or the University of California provides what somebody else can do (SO-138)."""
    match order:
        case Buy():
            needed = NEEDS.get(order.item, 0)
        case BuildWonder():
            needed = WONDER_NUMBER[order.wonder]
        case BuildPart():
            needed = NEEDS["part"]
    name, position = found.society.name, found.position
    others = any(other.tech >= needed for other in position.living if other.name != name)
    if found.level < needed and not (others and found.may_have("University of California")):
        found.warn(place, f"it needs technology level {needed}, and you will have {found.level}")


def _city(found: Outlook, place: int, order: BuildCities) -> None:
    position, name = found.position, found.society.name
    own = position.territory[name]
    bad = [s for s in order.squares if not s.within(position.side) or s in position.nuked or s in position.city_at]
    if bad:
        found.warn(place, f"{labels(bad)} cannot be used")
        return
    anywhere = position.has_active(name, "Trans-Siberian Railroad")
    others = any(
        isinstance(o, BuildCities) or (isinstance(o, BuildWonder) and WONDER_NUMBER[o.wonder] == 8)
        for o in found.orders[:place]
    )
    if order.squares and not anywhere and not others and not any(touches(s, own, position.side) for s in order.squares):
        found.warn(place, "none of these squares is next to a city of yours")


def _home(found: Outlook, place: int, order: BuildWonder) -> None:
    position, name = found.position, found.society.name
    free = position.free_cities(name)
    builds = any(isinstance(other, BuildCities) for other in found.orders)
    if order.square and any(wonder.square == order.square for wonder in position.wonders):
        found.warn(place, f"there is a wonder at {order.square.text} already")
    elif order.square and order.square not in position.territory[name] and not builds:
        found.warn(place, f"{order.square.text} is no city of yours")
    elif not builds and not free:
        found.warn(place, "all your cities have a wonder")


# --- Foreign aid and war -------------------------------------------------------------------------------------------------


def _give(found: Outlook, place: int, order: Give) -> None:
    position, society = found.position, found.society
    held = {
        "armies": society.armies + found.bought["armies"],
        "nukes": society.nukes + found.bought["nukes"],
        "sdi": society.sdi + found.bought["sdi"],
        "spies": found.spies,
        "gold": found.treasury - (found.budget.kept_cost if found.budget else 0),
    }
    if order.gift in held and order.count > held[order.gift]:
        found.warn(place, f"only {amount(held[order.gift], order.gift)} will be there for it")
    receiver = position.by_name[order.to].tech
    if order.technology and (order.technology > found.level or order.technology != receiver + 1):
        found.warn(place, f"you must have it, and {order.to} everything before it and not it")
    if order.gift == "tech" and not order.technology and receiver + order.count > found.level:
        found.warn(place, f"{order.to} cannot be raised above your own level")
    if order.gift in position.options.aid_needs_adjacency and not position.adjacent(society.name, order.to):
        found.warn(place, f"{order.to} is not adjacent to you now")


def _attack(found: Outlook, place: int, order: Attack) -> None:
    position, society = found.position, found.society
    armies = society.armies + found.bought["armies"]
    if (order.force or 1) > armies:
        found.warn(place, f"you have {amount(armies, 'armies')}")
    if not position.adjacent(society.name, order.target):
        found.warn(place, f"{order.target} is not adjacent to you now")
    if position.has_active(order.target, "Colosseum"):
        rights = any(c.holder == society.name and c.against == order.target for c in position.counterattacks)
        if not rights:
            found.warn(place, f"{order.target} has the Colosseum, and you have no right to a counterattack")


def _launch(found: Outlook, place: int, order: Launch) -> None:
    nukes = found.society.nukes + found.bought["nukes"]
    if order.count > nukes:
        found.warn(place, f"you have {amount(nukes, 'nukes')}")


def _targets(found: Outlook, place: int, order: Attack | Launch) -> None:
    theirs = found.position.territory[order.target]
    if strange := [square for square in order.targets if square not in theirs]:
        found.warn(place, f"{order.target} has no city at {labels(strange)} now")


# --- Messages -------------------------------------------------------------------------------------------------------------


def _talk(found: Outlook, place: int, order: DeclareWar | DeclarePeace | WithdrawConcession) -> None:
    position, name = found.position, found.society.name
    match order:
        case DeclareWar() if position.at_war(name, order.on):
            found.warn(place, f"you are at war with {order.on} already")
        case DeclarePeace() if not position.at_war(name, order.to):
            found.warn(place, f"you are not at war with {order.to}")
        case WithdrawConcession() if not any(given.by == name for given in position.concessions):
            found.warn(place, "you have conceded to nobody")
        case _:
            pass


_FORESEEN: Mapping[type[Order], tuple[Callable[[Outlook, int, Any], None], ...]] = {
    **dict.fromkeys((SendSpies, Defend), (_spies,)),
    Trade: (_trade,),
    Research: (_stated,),
    Buy: (_stated, _level),
    BuildCities: (_stated, _city),
    BuildWonder: (_level, _home),
    BuildPart: (_level, _overpaid),
    UseKgb: (_kgb,),
    Give: (_give,),
    Attack: (_attack, _targets),
    Launch: (_launch, _targets),
    **dict.fromkeys((DeclareWar, DeclarePeace, WithdrawConcession), (_talk,)),
}
"""What is checked, by the kind of order."""


# --- The plan ------------------------------------------------------------------------------------------------------------


def _plan(found: Outlook) -> None:
    """Works out the budget, what it pays for, and warns of what will be cut."""
    if found.keeps("trade"):
        found.payout = rounded(found.raw * found.bonus)
    found.treasury = found.society.gold - found.spent + found.payout
    if not found.keeps("production"):
        return
    found.budget = budget_of(found.terms, found.treasury, found.orders)
    for place, (units, _) in found.budget.planned.items():
        missing = units - found.budget.kept[place][0]
        if missing:
            which = "it will be" if units == 1 else f"{missing} of {units} will be"
            cost, gold = found.budget.planned_cost, found.treasury
            found.warn(place, f"your plan costs about {cost} gold and you will have {gold}, so {which} cut")
    for place, (units, _) in found.budget.kept.items():
        match found.orders[place]:
            case Research():
                found.level += units
            case Buy(item=item):
                found.bought[item] += units
            case _:
                pass


def sentences(found: Outlook) -> tuple[str, ...]:
    """What the acknowledgement says about the list as a whole: the price of the plan, and what happens by default."""
    return (*_on_caravans(found), *_on_the_plan(found), *_on_spies(found), *_on_war(found))


def _on_caravans(found: Outlook) -> list[str]:
    if not found.caravans:
        return []
    return [f"{counted(found.caravans, 'caravan')} will cost {found.spent} gold and bring {found.payout} at once."]


def _on_the_plan(found: Outlook) -> list[str]:
    budget = found.budget
    if budget is None or not budget.planned:
        return []
    said = [f"Your production plan costs {budget.planned_cost} gold; you will have {found.treasury} for it."]
    without = budget_of(found.terms, found.society.gold - found.spent, found.orders)
    if found.payout and without.cuts and not budget.cuts:
        lines = listing(dict.fromkeys(f'"{found.orders[place].text}"' for place, _, _ in without.cuts))
        said.append(f"If your trade brought nothing, this would be cut for lack of gold: {lines}.")
    if len(budget.planned) > 1 and not any(isinstance(order, Cut) for order in found.orders):
        said.append("If gold runs short, your last production orders are dropped first.")
    return said


def _on_spies(found: Outlook) -> list[str]:
    if not found.spies or not found.keeps("espionage"):
        return []
    most = found.position.options.spy_stock_max
    over = f"; {found.spies - most} of them will be lost" if found.spies > most else ""
    return [f"{counted(found.spies, 'spy is', 'spies are')} not used{over}."]


def _on_war(found: Outlook) -> list[str]:
    attack = next((order for order in found.orders if isinstance(order, Attack)), None)
    if attack is None or not found.keeps("war"):
        return []
    name = found.society.name
    war = found.position.war_of(name, attack.target)
    said: list[str] = []
    if (war is None or war.since >= found.position.turn) and not found.position.has_active(name, "Jihad"):
        said.append(
            f"You are not at war with {attack.target}: this is a sneak attack, which takes only cities adjacent to yours."
        )
    if not attack.targets:
        said.append("You name no targets, so cities are taken where that keeps your border shortest.")
    return said
