"""The order form: lines to fill in, for the move that comes (section 6.3)."""

from collections.abc import Iterator
from itertools import islice
from textwrap import wrap

from pbmd.rules import Line, Mail
from pbmd.rules.words import counted

from .checking.judging import check_mail
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
    Treaty,
)
from .position import movers
from .resolution.building import twice
from .resolution.diplomacy import impossible
from .resolution.move import aboard
from .world.economy import blockaded, slots, tax_income, trade_income, upkeep
from .world.state import Army, Fleet, Position, capacity

FORM_WIDTH = 65
"""A program that wraps a longer comment when it quotes the form would make an order of the rest."""


def order_form(position: Position, seat: str) -> str:
    """Orders that this nation could give now, each behind a single "# " and good when that is taken away, all of them in one
    mail; remarks begin with "## ". Nothing in the form is an order as it stands."""
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
    """Those that stand and are short enough for the form."""
    texts = [order.text for order in _suggestions(position, seat)]
    lines = tuple(Line(number, text) for number, text in enumerate(texts) if len(text) <= FORM_WIDTH)
    return [verdict.canonical for verdict in check_mail(position, Mail(seat, lines, (0, 0))).verdicts if verdict.canonical]


def _suggestions(position: Position, seat: str) -> list[Order]:
    orders = [*_dealings(position, seat), *_actions(position, seat), *_spending(position, seat)]
    return [*orders, Proclaim(seat), EndMove()]


def _dealings(position: Position, seat: str) -> list[Order]:
    """An answer to each offer, the first treaty that could be offered, and war on the first neighbour that allows it."""
    answers = [Accept(offer.treaty, offer.by) for offer in position.offers if offer.to == seat]
    rivals = [player.name for player in position.players if player.name != seat]
    treaties: tuple[Treaty, ...] = ("peace", "trade", "pact")
    offers = (Offer(kind, name) for name in rivals for kind in treaties if not impossible(position, kind, seat, name))
    wars = (DeclareWar(state) for state in _neighbours(position, seat) if _may_declare_war(position, seat, state))
    return [*answers, *islice(offers, 1), *islice(wars, 1)]


def _neighbours(position: Position, seat: str) -> Iterator[str]:
    """The owners of planets beside its own, some of them more than once."""
    for planet in position.owned_by(seat):
        for near in position.galaxy.neighbours[planet.name]:
            if (owner := position.planet(near).owner) != seat:
                yield owner


def _may_declare_war(position: Position, seat: str, state: str) -> bool:
    relation = position.relation(seat, state)
    return not relation.at_war and not relation.pact


def _spending(position: Position, seat: str) -> list[Order]:
    """The first of each kind that there is to research, to build and to develop."""
    planets, known = position.owned_by(seat), position.by_name[seat].technologies
    researched = (Research(row.name) for row in position.data.technology_rows if row.name not in known)
    armies = (Build("army", (planet.name,)) for planet in planets)
    fleets = (Build("fleet", (planet.name,)) for planet in planets if not blockaded(position, planet.name))
    first = position.data.resource_rows[0].name
    room = (planet for planet in planets if len(planet.resources) < slots(position, planet.name))
    developed = (Develop(first, planet.name) for planet in room if not twice(position, first, planet))
    return [order for orders in (researched, armies, fleets, developed) for order in islice(orders, 1)]


def _actions(position: Position, seat: str) -> list[Order]:
    """What the first units could do: land, bombard, board, and fly on."""
    fleets = [fleet for fleet in position.fleets if fleet.owner == seat]
    armies = [army for army in position.armies if army.owner == seat]
    actions = [_landing(position, fleets, armies), _bombardment(position, fleets), _boarding(position, fleets, armies)]
    actions += [_jump(position, fleets)]
    return [order for order in actions if order]


def _landing(position: Position, fleets: list[Fleet], armies: list[Army]) -> Order | None:
    planets = {fleet.id: fleet.planet for fleet in fleets}
    aboard = ((army, planets[army.fleet]) for army in armies if army.fleet)
    return next((Land((army.id,), planet) for army, planet in aboard if position.may_be_at(army.owner, planet)), None)


def _bombardment(position: Position, fleets: list[Fleet]) -> Order | None:
    able = (fleet for fleet in fleets if position.at_war(fleet.owner, position.planet(fleet.planet).owner))
    return next((Bombard(fleet.planet, (fleet.id,)) for fleet in able), None)


def _boarding(position: Position, fleets: list[Fleet], armies: list[Army]) -> Order | None:
    room = [fleet for fleet in fleets if len(aboard(position, fleet.id)) < capacity(position, fleet.owner)]
    pairs = ((army, fleet) for army in armies for fleet in room if army.planet == fleet.planet)
    return next((Load((army.id,), fleet.id) for army, fleet in pairs), None)


def _jump(position: Position, fleets: list[Fleet]) -> Order | None:
    for fleet in fleets[-1:]:
        goals = position.galaxy.neighbours[fleet.planet]
        allowed = [name for name in goals if position.may_be_at(fleet.owner, name)] or list(goals)
        return Move((fleet.id,), allowed[0], fleet.planet) if allowed else None
    return None
