"""The turn while it is resolved: the changing position, what was stopped or forfeited, and the events so far.

Societies act in the order of arrival, which is secret (section 8). So the events of a step are put in the order of sign-up
before anybody sees them, and no event shows who came first except by the result.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

from pbmd.rules import Event, Sheet

from ..checking.reading import orders_in
from ..orders import Function, Order, Phase, Revolution, Step, lines_of, phase_of
from ..tables import GameOptions
from ..world.squares import Square
from ..world.state import City, Position, Society, War, Wonder
from .budget import Budget

Kind = TypeVar("Kind")

FAILURES: Mapping[str, str] = {
    "no_spy": "there was no spy for it",
    "espionage_negated": "your Espionage was stopped by spies",
    "phase_forfeited": "forfeited by your Revolution",
    "phase_negated": "stopped by spies",
    "at_war": "you are at war",
    "caravan_limit": "over the limit of caravans",
    "out_of_range": "too far away",
    "no_nascar": "you have no active NASCAR",
    "no_gold": "the treasury could not pay for it",
    "cut": "cut, the treasury could not pay for it",
    "tech_missing": "the technology for it is missing",
    "out_of_sequence": "the technology before it is missing",
    "no_square": "there was no square for it",
    "no_free_city": "you had no city without a wonder",
    "wonder_taken": "it was built before",
    "outbid": "it went to another society",
    "ship_complete": "your spaceship has all its parts",
    "no_kgb": "you had no active KGB",
    "bad_wonder": "there is no such wonder that could be made obsolete",
    "not_adjacent": "not adjacent",
    "nothing_to_give": "there was nothing to give",
    "spy_limit": "the receiver can keep no more spies",
    "not_next_tech": "it is not the next technology of the receiver",
    "no_army": "no armies for it",
    "target_eliminated": "the target was eliminated",
    "immune": "the target has the Colosseum",
    "no_nukes": "there were no nukes",
    "no_legal_target": "none of the targets was allowed",
    "eliminated": "you were eliminated before",
}
"""The codes of section 6 for what fails in the resolution, in words."""

_IN_PART: Mapping[str, str] = {
    "nothing_to_give": "there was no more to give",
    "no_army": "there were no more armies",
    "no_nukes": "there were no more nukes",
}
"""The same if a part of the order was carried out, where the words differ."""

_BY_OTHERS = frozenset({"war", "peace", "function_negated", "field_battle", "field_numbers", "defence_numbers"})
"""What others do to a society. Their order would reveal who came first, so they are sorted by their content."""
_AFTER = frozenset({"wonder_moved", "wonder_destroyed", "eliminated", "wonder_captured", "wonder_obsolete"})
"""The same for the results; after all other events of a step."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The orders of a society, none without a sheet; `notes` has for each order's place what became of it."""

    sent: bool
    orders: tuple[Order, ...]
    notes: Mapping[int, list[str]]


class _Told(NamedTuple):
    """An event and its sort key; those with the same `what` stay in the order of the society's own list."""

    step: int
    after: bool
    who: int
    what: str
    event: Event


@dataclass
class Turn:
    """See the module. `ranking` is L (SO-R03), `kept` the phase that a society in revolution keeps, `negated` what spies have
    stopped, `trained` the spies of step 1a, `budgets` those of Production, `paid` what each order has cost and gained (by
    society and place: units, gold), `finished` the societies that have completed a spaceship."""

    start: Position
    now: Position
    ranking: tuple[str, ...]
    plans: Mapping[str, Plan]
    kept: Mapping[str, Phase]
    negated: set[tuple[str, Function]] = field(default_factory=set[tuple[str, Function]])
    trained: dict[str, int] = field(default_factory=dict[str, int])
    budgets: dict[str, Budget] = field(default_factory=dict[str, Budget])
    paid: dict[tuple[str, int], tuple[int, int]] = field(default_factory=dict[tuple[str, int], tuple[int, int]])
    finished: list[str] = field(default_factory=list[str])
    step: int = 0
    told: list[_Told] = field(default_factory=list[_Told])

    @property
    def options(self) -> GameOptions:
        """The options of the game."""
        return self.start.options

    @cached_property
    def places(self) -> Mapping[str, int]:
        """The places of the societies in the order of sign-up, from 0."""
        return {society.name: place for place, society in enumerate(self.start.societies)}

    @property
    def acting(self) -> Iterator[str]:
        """The societies still in the game, first come first; one that is eliminated meanwhile is left out."""
        return (name for name in self.ranking if self.now.by_name[name].living)

    def society(self, name: str) -> Society:
        """The society in its present state."""
        return self.now.by_name[name]

    # --- Who may do what --------------------------------------------------------------------------------------------------

    def obstacle(self, name: str, function: Function) -> str:
        """Why a society does not act in a phase or step: `phase_forfeited`, `phase_negated`, or "" if it does."""
        phase = phase_of(function)
        if self.kept.get(name, phase) != phase:
            return "phase_forfeited"
        return "phase_negated" if {(name, function), (name, phase)} & self.negated else ""

    def stopped_steps(self, name: str, steps: tuple[Step, ...]) -> frozenset[Step]:
        """Those steps of Production that spies have stopped."""
        return frozenset(step for step in steps if (name, step) in self.negated)

    def orders(self, name: str, *kinds: type[Kind]) -> list[tuple[int, Kind]]:
        """The orders of these kinds with their places in the list."""
        return [(place, order) for place, order in enumerate(self.plans[name].orders) if isinstance(order, kinds)]

    def doable(self, name: str, function: Function, *kinds: type[Kind]) -> list[tuple[int, Kind]]:
        """The same if the society acts in that phase or step; if it does not, all of them fail."""
        orders = self.orders(name, *kinds)
        obstacle = self.obstacle(name, function)
        if not obstacle:
            return orders
        for place, _ in orders:
            self.fail(name, place, obstacle)
        return []

    def affordable(self, name: str, *kinds: type[Kind]) -> list[tuple[int, Kind, int]]:
        """Orders of Production that the budget pays for, with place and units; none in a step that was stopped (SO-R14)."""
        budget = self.budgets.get(name)
        if budget is None:
            return []
        units = {place: count for place, (count, _) in budget.kept.items() if count}
        return [(place, order, units[place]) for place, order in self.orders(name, *kinds) if place in units]

    # --- Changes ----------------------------------------------------------------------------------------------------------

    def change(self, name: str, **fields: Any) -> None:
        """Change fields of a society."""
        societies = [*self.now.societies]
        societies[self.places[name]] = replace(self.now.by_name[name], **fields)
        self.now = self.now.with_changed(societies=tuple(societies))

    def pay(self, name: str, place: int, cost: int, units: int = 1, **fields: Any) -> None:
        """A society pays for units of an order, and the fields that it pays for are changed."""
        bought, spent = self.paid.get((name, place), (0, 0))
        self.paid[name, place] = bought + units, spent + cost
        self.change(name, gold=self.society(name).gold - cost, **fields)

    def put_city(self, city: City) -> None:
        """A new city, or a new state for the one on that square."""
        others = self.now.cities
        if city.square in self.now.city_at:
            others = tuple(other for other in others if other.square != city.square)
        self.now = self.now.with_changed(cities=(*others, city))

    def remove_city(self, square: Square) -> None:
        """The city is gone and its square nuked (SO-110)."""
        cities = tuple(city for city in self.now.cities if city.square != square)
        land = replace(self.now.map, nuked=tuple(sorted({*self.now.nuked, square})))
        self.now = self.now.with_changed(cities=cities, map=land)

    def put_wonder(self, wonder: Wonder) -> None:
        """A new wonder, or a new state for the one with that name."""
        others = (other for other in self.now.wonders if other.name != wonder.name)
        self.now = self.now.with_changed(wonders=(*others, wonder))

    def make_war(self, one: str, other: str, cause: str) -> None:
        """The two are at war from now on, if they were not (SO-R51). `cause` is ``declared`` or ``fighting``: whether an attack
        or nukes began it would reveal who came first."""
        if self.now.at_war(one, other):
            return
        pair = self.in_sign_up_order(one, other)
        self.now = self.now.with_changed(wars=(*self.now.wars, War(pair, self.start.turn)))
        self.tell("war", pair[0], {"societies": list(pair), "cause": cause})

    def in_sign_up_order(self, one: str, other: str) -> tuple[str, str]:
        """The pair in an order that does not reveal who acted."""
        return (one, other) if self.places[one] < self.places[other] else (other, one)

    # --- Events -----------------------------------------------------------------------------------------------------------

    def tell(
        self,
        kind: str,
        who: str,
        data: Mapping[str, Any],
        audience: tuple[str, ...] | None = None,
        detail: Mapping[str, Any] | None = None,
    ) -> None:
        """Add an event about a society; `audience` None means everybody, `detail` is for that society alone."""
        event = Event(kind, {"society": who, **data}, audience, detail or {}, (who,) if detail else ())
        after = kind in _AFTER
        what = f"{kind} {event.data}" if after or kind in _BY_OTHERS else ""
        self.told.append(_Told(self.step, after, self.places[who], what, event))

    def tell_alone(self, kind: str, who: str, data: Mapping[str, Any]) -> None:
        """An event that only that society learns about."""
        self.tell(kind, who, data, (who,))

    def note(self, name: str, place: int, words: str) -> None:
        """What became of an order, for its owner."""
        self.plans[name].notes[place].append(words)

    def fail(self, name: str, place: int, code: str, count: int = 0) -> None:
        """An order, or `count` of what it asked for, could not be carried out."""
        line = self.plans[name].orders[place].text
        self.tell_alone("order_failed", name, {"line": line, "code": code, "count": count})
        self.note(name, place, f"{count} not: {_IN_PART.get(code, FAILURES[code])}" if count else FAILURES[code])

    def events(self) -> tuple[Event, ...]:
        """All events, step by step, and within a step in an order that does not reveal who came first."""
        return tuple(told.event for told in sorted(self.told, key=lambda told: told[:-1]))


def turn_of(position: Position) -> Turn:
    """The turn before anything has happened: the ranking (SO-R03), the plans, and who is in revolution."""
    sheets = {sheet.seat: sheet for sheet in position.ranked_sheets if position.by_name[sheet.seat].living}
    ranking = (*sheets, *(society.name for society in position.living if society.name not in sheets))
    plans = {name: _plan(sheets.get(name)) for name in ranking}
    kept: dict[str, Phase] = {
        name: order.keep
        for name, plan in plans.items()
        for order in plan.orders
        if isinstance(order, Revolution) and order.keep is not None
    }
    return Turn(position, position, ranking, plans, kept)


def lines_with_notes(plan: Plan) -> list[dict[str, str]]:
    """The canonical lines of a plan, each with what became of it; targets come below their order."""
    found: list[dict[str, str]] = []
    for place, order in enumerate(plan.orders):
        first, *more = lines_of(order)
        found += [{"text": first, "result": "; ".join(plan.notes[place])}, *({"text": line, "result": ""} for line in more)]
    return found


def _plan(sheet: Sheet | None) -> Plan:
    orders = orders_in(sheet.lines) if sheet else ()
    return Plan(sheet is not None, orders, {place: [] for place in range(len(orders))})
