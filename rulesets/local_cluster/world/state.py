"""The state of a game between inputs (section 4 of the rules), and what can be read off it directly."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, NamedTuple

from pbmd.rules import Arrival, OptionValue, Outcome, Sheet

from ..orders import Treaty, Written
from ..tables import Data, GameOptions
from .galaxy import Galaxy

StateKind = Literal["player", "npc", "eliminated"]
Victory = Literal["", "planets", "ascension", "last_player", "none"]


@dataclass(frozen=True, slots=True)
class State:
    """A power: a player's nation, an NPC State, or one that is no more (kept for the record).

    `proclaims` is a State's name or "" for nobody; `establishment_*` is what an NPC State builds up to (LC-R57).
    """

    name: str
    kind: StateKind
    leader: str = ""
    player_name: str = ""
    color: str = ""
    home_planet: str = ""
    traits: tuple[str, ...] = ()
    technologies: tuple[str, ...] = ()
    credits: int = 0
    skips: int = 0
    proclaims: str = ""
    establishment_armies: int = 0
    establishment_fleets: int = 0


class Planet(NamedTuple):
    """A planet: its owner, always a State, and its resources in the order developed."""

    name: str
    owner: str
    resources: tuple[str, ...] = ()


class Fleet(NamedTuple):
    """A fleet above a planet; its id is "F" and its number."""

    id: str
    owner: str
    planet: str

    @property
    def number(self) -> int:
        """What units are listed by."""
        return int(self.id[1:])


class Army(NamedTuple):
    """An army, either on the surface of `planet` or aboard `fleet` (an id); the other is ""."""

    id: str
    owner: str
    planet: str = ""
    fleet: str = ""

    @property
    def number(self) -> int:
        """What units are listed by."""
        return int(self.id[1:])


class Relation(NamedTuple):
    """What is between a pair of States. `at_war` excludes the others; all False is the default: peace."""

    between: tuple[str, str]
    at_war: bool = False
    trade: bool = False
    pact: bool = False


class StandingOffer(NamedTuple):
    """An offer of `by` to `to`, made or renewed in `turn`."""

    treaty: Treaty
    by: str
    to: str
    turn: int


class Held(NamedTuple):
    """A move mail on file: of a player whose move it is, until it is resolved at once, or held until then (LC-R08)."""

    state: str
    arrival: Arrival
    lines: tuple[Written, ...]


@dataclass(frozen=True)
class Position:
    """Everything there is to know of a game.

    `given` are the options that were set, `options` all of them; `own_map` tells that the map is not the built-in one.
    `states` has the players in list order, NPC States after them; `planets` is in number order, `fleets` and `armies` by
    their numbers. `waiting` are those who still have to move in this Turn, `missed` those of them whose deadline passed,
    in `waiting` order of no account. `held` is in order of arrival.
    """

    turn: int
    phase: Literal["moves", "over"]
    galaxy: Galaxy
    own_map: bool
    data: Data
    given: tuple[tuple[str, OptionValue], ...]
    options: GameOptions
    states: tuple[State, ...]
    planets: tuple[Planet, ...]
    fleets: tuple[Fleet, ...]
    armies: tuple[Army, ...]
    relations: tuple[Relation, ...]
    offers: tuple[StandingOffer, ...]
    waiting: tuple[str, ...]
    next_fleet: int
    next_army: int
    ascended: tuple[str, ...] = ()
    winner: str = ""
    victory: Victory = ""
    held: tuple[Held, ...] = ()
    missed: tuple[str, ...] = ()

    @cached_property
    def by_name(self) -> Mapping[str, State]:
        """The States by name, eliminated ones too."""
        return {state.name: state for state in self.states}

    @cached_property
    def players(self) -> tuple[State, ...]:
        """The players still in the game, in list order."""
        return tuple(state for state in self.states if state.kind == "player")

    @cached_property
    def _relations(self) -> Mapping[frozenset[str], Relation]:
        return {frozenset(relation.between): relation for relation in self.relations}

    @cached_property
    def _fleets(self) -> Mapping[str, Fleet]:
        return {fleet.id: fleet for fleet in self.fleets}

    @cached_property
    def _armies(self) -> Mapping[str, Army]:
        return {army.id: army for army in self.armies}

    def planet(self, name: str) -> Planet:
        """The planet of exactly that name. Raises `KeyError`."""
        return self.planets[self.galaxy.place[name]]

    def owned_by(self, state: str) -> tuple[Planet, ...]:
        """A State's planets in number order."""
        return tuple(planet for planet in self.planets if planet.owner == state)

    def fleet(self, unit: str) -> Fleet | None:
        """The fleet of that id, None if there is none."""
        return self._fleets.get(unit)

    def army(self, unit: str) -> Army | None:
        """The army of that id, None if there is none."""
        return self._armies.get(unit)

    def relation(self, one: str, other: str) -> Relation:
        """What is between two States."""
        return self._relations.get(frozenset((one, other))) or Relation((one, other))

    def at_war(self, one: str, other: str) -> bool:
        """Whether the two are enemies."""
        return self.relation(one, other).at_war

    def have_pact(self, one: str, other: str) -> bool:
        """Whether the two have a military pact."""
        return self.relation(one, other).pact

    def may_be_at(self, state: str, planet: str) -> bool:
        """The right to be there (LC-R61): the planet is the State's own, an enemy's or a pact partner's."""
        owner = self.planet(planet).owner
        relation = self.relation(state, owner)
        return owner == state or relation.at_war or relation.pact


# --- Effects (appendix A) ----------------------------------------------------------------------------------------------


def effect(position: Position, state: str, name: str) -> int:
    """The sum of an effect over a State's traits and technologies, without that of resources."""
    data, power = position.data, position.by_name[state]
    return sum(data.traits[trait].effects.get(name, 0) for trait in power.traits) + sum(
        data.technologies[technology].effects.get(name, 0) for technology in power.technologies
    )


def capacity(position: Position, state: str) -> int:
    """How many armies each of a State's fleets can carry (LC-R59)."""
    return position.options.fleet_capacity + effect(position, state, "fleet_capacity")


# --- The running Turn --------------------------------------------------------------------------------------------------


def turn(position: Position) -> int:
    """The current Turn."""
    return position.turn


def seats(position: Position) -> tuple[str, ...]:
    """All nations that are or were players', in list order: all States that are not called after a planet."""
    return tuple(state.name for state in position.states if state.name not in position.galaxy.place)


def sheets(position: Position) -> tuple[Sheet, ...]:
    """The move mails on file, held ones too, first come first."""
    return tuple(Sheet(held.state, held.arrival, tuple(line.order.text for line in held.lines)) for held in position.held)


def movers(position: Position) -> tuple[str, ...]:
    """Who may make a move now (section 9): in Turn 0 in any order all who have not, else the first of them."""
    if position.phase == "over":
        return ()
    if position.turn == 0 and position.options.turn0_order == "any":
        return position.waiting
    return position.waiting[:1]


def due(position: Position) -> Held | None:
    """The mail to be carried out next: the first to arrive of those that may move now and have not missed their time."""
    able = awaiting(position)
    return next((held for held in position.held if held.state in able), None)


def awaiting(position: Position) -> tuple[str, ...]:
    """Those who may move now and whose deadline has not passed; one whose mail is on file moves in the next step."""
    return tuple(name for name in movers(position) if name not in position.missed)


def ready(position: Position) -> bool:
    """Whether a step is due: somebody is to be skipped, or a mail to be carried out."""
    return position.phase != "over" and (bool(position.missed) or due(position) is not None)


# --- The same position, but -------------------------------------------------------------------------------------------


def with_state(position: Position, state: State) -> Position:
    """With this State in place of the one of its name."""
    return replace(position, states=tuple(state if other.name == state.name else other for other in position.states))


def with_relation(position: Position, relation: Relation) -> Position:
    """With this relation between the pair, which then has no other; the default one is not listed."""
    pair = frozenset(relation.between)
    old = position.relation(*relation.between)
    new = relation._replace(between=old.between)
    rest = tuple(other for other in position.relations if frozenset(other.between) != pair)
    if not (new.at_war or new.trade or new.pact):
        return replace(position, relations=rest)
    if old not in position.relations:
        return replace(position, relations=(*rest, new))
    return replace(position, relations=tuple(new if other is old else other for other in position.relations))


def without_offers(position: Position, gone: Iterable[StandingOffer]) -> Position:
    """Without these offers."""
    lapsed = set(gone)
    return replace(position, offers=tuple(offer for offer in position.offers if offer not in lapsed))


# --- The end ----------------------------------------------------------------------------------------------------------

_ENDS = {
    "planets": "{} wins: the owners of {} planets agree on it.",
    "ascension": "{} wins by Ascension.",
    "last_player": "{} wins as the last nation of a player.",
}


def outcome(position: Position) -> Outcome | None:
    """None while the game runs, else who won and how (section 10)."""
    if position.phase != "over":
        return None
    if not position.winner:
        return Outcome((), "No nation is played by a player any more; nobody has won.")
    backers = {state.name for state in position.players if state.proclaims == position.winner}
    planets = sum(planet.owner in backers for planet in position.planets)
    return Outcome((position.winner,), _ENDS[position.victory].format(position.winner, planets))
