"""What a set-up letter builds, line by line in the order written (sections 5.2 and 6.2 of the rules)."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from pbmd.rules import Line, fold, match_name
from pbmd.rules.advice import as_written
from pbmd.rules.checking import Answer, Fault
from pbmd.rules.words import counted

from ..orders import (
    ALL,
    ANY_QUESTION,
    FACTOR_WORDS,
    BuildPlanet,
    BuildSquadron,
    BuyAdmirals,
    BuyQuestions,
    BuySupply,
    FormFleet,
    Heading,
    Order,
    PlaceQuestion,
)
from ..tables import HIGHEST_LEVEL
from ..world.condition import beyond_limit, supply_room, unit_cost
from ..world.counters import Fleet, Question, Unit
from ..world.factors import Factors
from ..world.names import fleet_name_problem, map_names, name_problem
from ..world.state import Player, Position
from ..world.systems import Place, SideNumber, System
from .answers import Remarks, answers, found, from_one
from .examples import setup_examples
from .lookup import place
from .reading import read_lines

_MOST_QUESTIONS = 100_000
"""A limit for games in which they cost nothing."""


@dataclass(slots=True)
class Draft:
    """A set-up in the making. `points` are what is left; units are in the order of their lines."""

    position: Position
    player: Player
    points: int
    units: dict[str, Unit] = field(default_factory=dict[str, Unit])
    questions: list[Question] = field(default_factory=list[Question])
    fleets: list[Fleet] = field(default_factory=list[Fleet])
    remarks: Remarks = field(default_factory=Remarks)

    @property
    def tech(self) -> int:
        """The tech level of the player's side."""
        return self.position.side(self.player.side).tech

    def pay(self, cost: int) -> None:
        """Spend points. Raises `Fault` if there are too few."""
        if cost > self.points:
            raise Fault(f"this costs {counted(cost, 'point')}, and {self.points} are left")
        self.points -= cost
        self.remarks.note = f"{counted(cost, 'point')}, {self.points} left"

    def unit(self, text: str) -> Unit:
        """The unit with that name, built above. Raises `Fault`."""
        return self.units[found(match_name(text, self.units), text, "unit built above")]

    def copy(self) -> "Draft":
        """The same, for trying out a line."""
        return replace(self, units=dict(self.units), questions=[*self.questions], fleets=[*self.fleets])

    def put(self, unit: Unit) -> None:
        """A new unit, or a changed one."""
        self.units[unit.name] = unit


def points_of(position: Position, player: Player) -> int:
    """The points that a player can spend (section 5.1)."""
    return position.side(player.side).points // len(position.players_of(player.side))


def draft_of(position: Position, seat: str) -> Draft:
    """An empty set-up of that player."""
    player = position.by_player[seat]
    return Draft(position, player, points_of(position, player))


def check_setup(position: Position, seat: str, lines: Iterable[Line], *, on_file: bool = False) -> tuple[list[Answer], Draft]:
    """What becomes of each line that is not ignored, and what all of them build."""
    draft = draft_of(position, seat)
    written = read_lines(lines, on_file=on_file)
    said = (
        (line, order or Fault(as_written(_NO_LINE, line.text, _SHAPES)))
        for line, order in written
        if not isinstance(order, Heading)
    )
    return answers(draft, said, _fit, _examples), draft


def build(position: Position, seat: str, orders: Iterable[Order]) -> Draft:
    """What the checked orders of a set-up build. Raises `Fault` for others."""
    draft = draft_of(position, seat)
    for order in orders:
        _BUILDERS[type(order)](draft, order)
    return draft


_NO_LINE = "this is no line of a set-up, or something is missing in it"
_SHAPES: Mapping[str, str] = {
    **dict.fromkeys(("admiral", "admirals"), "BUY ADMIRAL <number> FOR <squadron>"),
    "supply": "BUY SUPPLY <number> FOR <squadron>",
    **dict.fromkeys(("question", "questions"), "BUY ? <number>"),
    **dict.fromkeys(("squadron", "ship"), "SQUADRON <name>: <factors> AT <system> <hex>"),
    "planet": "PLANET <name>: <factors>",
    "place": "PLACE <counter> ON <squadron>",
    "fleet": "FLEET <name>: <counters>",
}
"""How the lines of a set-up are written, by the words that tell which one is meant."""


def _fit(draft: Draft, order: Order | None) -> Order:
    if order is None:
        raise Fault(_NO_LINE)
    if type(order) not in _BUILDERS:
        raise Fault("this is an order for a day; now squadrons are chosen")
    return _BUILDERS[type(order)](draft, order)


def _examples(draft: Draft, text: str) -> Iterable[str]:
    return setup_examples(draft.position, draft.player.name, draft.units.values(), text)


# --- Units ---------------------------------------------------------------------------------------------------------------


def default_place(position: Position, side: SideNumber) -> Place | None:
    """Where a side's squadrons are placed without AT: on its first capital, else on its first planet (section 5.2)."""
    owned = [(system, body) for system in position.systems for body in system.bodies if body.owner == side]
    for system, body in sorted(owned, key=lambda pair: not pair[1].capital):
        return Place(system.name, body.hex)
    return None


def new_unit(draft: Draft, name: str, factors: Factors, where: Place, *, planet: bool = False) -> Unit:
    """A unit fresh from the yards: undamaged, with full fuel (SQ-R59)."""
    labelled = draft.position.options.damage_model == "labelled"
    return Unit(
        name=name,
        kind="planet" if planet else "squadron",
        side=draft.player.side,
        player=draft.player.name,
        printed=factors,
        cost=unit_cost(factors, draft.tech, draft.position.options),
        spot=where,
        fuel=factors.jump,
        hits=Factors() if labelled else None,
    )


def _affordable(draft: Draft, unit: Unit) -> None:
    """Add the unit, if it is within the limits and can be paid for. Raises `Fault`."""
    if not any(unit.printed):
        raise Fault("a unit has at least one factor of 1 or more")
    if any(level > HIGHEST_LEVEL for level in unit.printed):
        raise Fault(f"{HIGHEST_LEVEL} is the highest level there is")
    if limit := beyond_limit(unit.printed, draft.tech):
        factor, most = limit
        raise Fault(f"at tech level {draft.tech}, {FACTOR_WORDS[factor]} goes up to {most}")
    draft.pay(unit.cost)
    draft.put(unit)


def _zone_problem(system: System, where: Place, side: SideNumber) -> str:
    """Why a side cannot deploy there, "" if it can."""
    zones = [zone for zone in system.deploy if zone.side == side]
    if not zones:
        return f"side {side} cannot deploy in the {system.name} system"
    if any(zone.first <= where.hex.column <= zone.last for zone in zones):
        return ""
    columns = " or ".join(f"{zone.first:02} to {zone.last:02}" for zone in zones)
    return f"in the {system.name} system, side {side} deploys in columns {columns}"


def _deployed(draft: Draft, written: Place) -> Place:
    where = place(draft.position, written)
    if problem := _zone_problem(draft.position.by_system[where.system], where, draft.player.side):
        raise Fault(problem)
    return where


def _squadron(draft: Draft, order: BuildSquadron) -> Order:
    if problem := name_problem(order.name, map_names(draft.position.systems)):
        raise Fault(f'"{order.name:.60}": {problem}')
    if any(fold(order.name) == fold(name) for name in (*draft.units, *(fleet.name for fleet in draft.fleets))):
        raise Fault(f"{order.name} is there already")
    where = _deployed(draft, order.at) if order.at else default_place(draft.position, draft.player.side)
    if where is None:
        raise Fault("say with AT where it stands")
    _affordable(draft, new_unit(draft, order.name, order.factors, where))
    return replace(order, at=where) if order.at else order


def _planet(draft: Draft, order: BuildPlanet) -> Order:
    planets = draft.position.planets_of(draft.player.name)
    name = found(match_name(order.body, planets), order.body, "planet of yours")
    if name in draft.units:
        raise Fault(f"{name} has a Planet counter already")
    if order.factors.jump or order.factors.maneuver:
        raise Fault("a Planet counter does not move or jump")
    _affordable(draft, new_unit(draft, name, order.factors, planets[name], planet=True))
    return replace(order, body=name)


# --- Other purchases -----------------------------------------------------------------------------------------------------


def _admirals(draft: Draft, order: BuyAdmirals) -> Order:
    from_one(order.count)
    unit = draft.unit(order.unit)
    draft.pay(order.count * draft.position.options.admiral_cost)
    draft.put(replace(unit, admirals=unit.admirals + order.count))
    return replace(order, unit=unit.name)


def _supply(draft: Draft, order: BuySupply) -> Order:
    from_one(order.count)
    unit = draft.unit(order.unit)
    room = supply_room(unit, draft.position.options.supply_per_factor)
    if unit.supplies + order.count > room:
        aboard = f", and {unit.supplies} are aboard" if unit.supplies else ""
        raise Fault(f"{unit.name} has room for {counted(room, 'Supply counter')}{aboard}")
    draft.pay(order.count * draft.position.options.supply_cost)
    draft.put(replace(unit, supplies=unit.supplies + order.count))
    return replace(order, unit=unit.name)


def _buy_questions(draft: Draft, order: BuyQuestions) -> Order:
    from_one(order.count)
    if len(draft.questions) + order.count > _MOST_QUESTIONS:
        raise Fault(f'{_MOST_QUESTIONS} "?" counters are the most')
    draft.pay(order.count * draft.position.options.question_cost)
    first = len(draft.questions) + 1
    draft.questions += [Question(number, draft.player.side, draft.player.name) for number in range(first, first + order.count)]
    return order


def _place_question(draft: Draft, order: PlaceQuestion) -> Order:
    free = [question for question in draft.questions if question.in_reserve]
    chosen = [question for question in free if order.question in (ANY_QUESTION, question.id)]
    if not chosen:
        bought = [question.id for question in draft.questions]
        why = (
            "is placed already" if order.question in bought or (bought and order.question == ANY_QUESTION) else "is not bought"
        )
        raise Fault(f"{order.question} {why}")
    question = chosen[0]
    if order.at is not None:
        where = _deployed(draft, order.at)
        checked = PlaceQuestion(question.id, where)
    else:
        unit = draft.unit(order.unit)
        assert unit.place is not None
        where, checked = unit.place, PlaceQuestion(question.id, None, unit.name)
    draft.questions[draft.questions.index(question)] = replace(question, spot=where)
    return checked


def _fleet(draft: Draft, order: FormFleet) -> Order:
    if problem := fleet_name_problem(order.name, draft.position.systems, draft.units):
        raise Fault(problem)
    members = _members(draft, order.members)
    places = {*members.values()}
    if len(places) != 1 or None in places:
        raise Fault("the members of a fleet stand in one hex")
    others = [
        replace(fleet, members=tuple(member for member in fleet.members if member not in members))
        for fleet in draft.fleets
        if fold(fleet.name) != fold(order.name)
    ]
    chosen = tuple(members)
    draft.fleets = [*(fleet for fleet in others if fleet.members), Fleet(draft.player.name, order.name, chosen)]
    return replace(order, members=chosen)


def _members(draft: Draft, names: Iterable[str]) -> dict[str, Place | None]:
    """The squadrons and "?" that are meant, by their full names, with their places. Raises `Fault`."""
    questions = {question.id: question.place for question in draft.questions}
    squadrons = {unit.name: unit.place for unit in draft.units.values() if unit.is_squadron}
    found: dict[str, Place | None] = {}
    for name in names:
        if name == ALL:
            found |= squadrons
        elif name in questions:
            found[name] = questions[name]
        else:
            unit = draft.unit(name)
            found[unit.name] = unit.place
    if planets := [name for name in found if name in draft.units and name not in squadrons]:
        raise Fault(f"{planets[0]} is a Planet counter and joins no fleet")
    return found


_BUILDERS: Mapping[type[Order], Callable[[Draft, Any], Order]] = {
    BuildSquadron: _squadron,
    BuildPlanet: _planet,
    BuyAdmirals: _admirals,
    BuySupply: _supply,
    BuyQuestions: _buy_questions,
    PlaceQuestion: _place_question,
    FormFleet: _fleet,
}
