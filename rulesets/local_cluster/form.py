"""The order form: lines to fill in, for the coming move (section 6.3)."""

from collections.abc import Callable, Iterator
from itertools import islice
from textwrap import wrap
from typing import Any

from pbmd.rules import Line, Mail
from pbmd.rules.words import counted

from .checking.judging import check_mail
from .checking.possible import possible, rivals
from .orders import (
    TREATY_WORDS,
    Accept,
    Bombard,
    Build,
    DeclareWar,
    Develop,
    EndMove,
    Land,
    Load,
    Move,
    Offer,
    Order,
    Proclaim,
    Research,
)
from .position import movers
from .resolution.building import twice
from .resolution.diplomacy import impossible
from .resolution.move import aboard
from .world.economy import blockaded, slots, tax_income, trade_income, upkeep
from .world.state import Position, capacity

FORM_WIDTH = 65
"""A program that wraps a longer comment when it quotes the form would turn its rest into an order."""


def order_form(position: Position, seat: str) -> str:
    """Orders that this nation could give now, each after a single "# " and valid when that is removed, all of them in one mail;
    remarks begin with "## ". The unchanged form contains no order."""
    if seat not in movers(position):
        return ""
    lines = [f"## {part}" for remark in _remarks(position, seat) for part in wrap(remark, FORM_WIDTH)]
    return "\n".join((*lines, *(f"# {line}" for line in _accepted(position, seat))))


def _remarks(position: Position, seat: str) -> list[str]:
    purse = counted(position.by_name[seat].credits, "credit")
    remarks = [f"You have {purse}. A move is final once it is made."]
    if position.turn > 0:
        tax, trade, due = tax_income(position, seat), trade_income(position, seat), upkeep(position, seat)
        remarks.append(f"This move brings {tax} from taxes and {trade} from trade, and costs {due} for your units.")
    else:
        remarks.append("Turn 0 is for building, developing and diplomacy between players.")
    offers = [f"{TREATY_WORDS[offer.treaty]} from {offer.by}" for offer in position.offers if offer.to == seat]
    return [*remarks, f"Offers to you: {', '.join(offers)}."] if offers else remarks


def _accepted(position: Position, seat: str) -> list[str]:
    """Those that are accepted and short enough for the form."""
    texts = [order.text for order in _suggestions(position, seat)]
    lines = tuple(Line(number, text) for number, text in enumerate(texts) if len(text) <= FORM_WIDTH)
    return [written.order.text for written in check_mail(position, Mail(seat, lines, (0, 0))).orders]


def _suggestions(position: Position, seat: str) -> Iterator[Order]:
    """An answer to each offer, the first treaty that could be offered, war on the first neighbour that allows it, and the first
    of each kind of possible order."""

    def first(kind: type[Order], able: Callable[[Any], bool]) -> Iterator[Order]:
        return islice(filter(able, possible(kind, position, seat)), 1)

    known, others = position.by_name[seat].technologies, rivals(position, seat)
    yield from possible(Accept, position, seat)
    yield from first(Offer, lambda o: o.state in others and not impossible(position, o.treaty, seat, o.state))
    yield from islice(map(DeclareWar, _neighbours_to_fight(position, seat)), 1)
    yield from first(Land, lambda o: position.may_be_at(seat, o.planet))
    yield from first(Bombard, lambda o: position.at_war(seat, position.planet(o.planet).owner))
    yield from first(Load, lambda o: len(aboard(position, o.fleet)) < capacity(position, seat))
    yield from _jump(position, seat)
    yield from first(Research, lambda o: o.technology not in known)
    yield from first(Build, lambda o: o.kind == "army")
    yield from first(Build, lambda o: o.kind == "fleet" and not blockaded(position, o.planets[0]))
    yield from first(Develop, lambda o: _can_develop(position, o))
    yield from (Proclaim(seat), EndMove())


def _neighbours_to_fight(position: Position, seat: str) -> Iterator[str]:
    """The owners of planets beside its own on whom it may declare war, possibly repeated."""
    for planet in position.owned_by(seat):
        for near in position.galaxy.neighbours[planet.name]:
            relation = position.relation(seat, owner := position.planet(near).owner)
            if owner != seat and not relation.at_war and not relation.pact:
                yield owner


def _jump(position: Position, seat: str) -> Iterator[Order]:
    """The last fleet flies on, to a planet where it may be, if there is one."""
    for fleet in [fleet for fleet in position.fleets if fleet.owner == seat][-1:]:
        goals = position.galaxy.neighbours[fleet.planet]
        allowed = [name for name in goals if position.may_be_at(seat, name)] or goals
        yield from (Move((fleet.id,), goal, fleet.planet) for goal in allowed[:1])


def _can_develop(position: Position, order: Develop) -> bool:
    """Whether there is room for the first resource of the table."""
    planet, first = position.planet(order.planet), position.data.resource_rows[0].name
    room = len(planet.resources) < slots(position, planet.name)
    return order.resource == first and room and not twice(position, first, planet)
