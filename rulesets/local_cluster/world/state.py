"""The state of a game between inputs (section 4 of the rules). Its fields are those of the position document."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated, Literal, NamedTuple

from pydantic import Field

from pbmd.rules import Arrival, PositionError, Sheet
from pbmd.rules.codec import Given, Names, WrittenAs, is_empty, options_field, row
from pbmd.rules.documents import Count, Positive

from ..checking.reading import clean, read
from ..orders import Treaty, Written
from ..tables import DATA, INFO, Data, GameOptions, game_options
from .galaxy import LOCAL_CLUSTER, Galaxy, Line, galaxy_of

StateKind = Literal["player", "npc", "eliminated"]
Victory = Literal["", "planets", "ascension", "last_player", "none"]
_Place = Annotated[str, Field(exclude_if=is_empty)]


@dataclass(frozen=True, slots=True)
class State:
    """A power: a player's nation, an NPC State, or one that is no more (kept for the record).

    `proclaims` is a State's name or "" for nobody; `establishment_*` is what an NPC State builds up to (LC-R57).
    """

    name: str
    kind: StateKind = "player"
    leader: str = ""
    player_name: str = ""
    color: str = ""
    home_planet: str = ""
    traits: tuple[str, ...] = ()
    technologies: tuple[str, ...] = ()
    credits: Count = 0
    skips: Count = 0
    proclaims: str = ""
    establishment_armies: Count = 0
    establishment_fleets: Count = 0


@row
class Planet(NamedTuple):
    """A planet: its place on the map, `x` 0 to 100 rightwards, `y` 0 to 80 downwards; its owner, always a State; and its
    resources in the order developed. The other fields have defaults for documents that leave them out."""

    name: str
    x: Annotated[int, Field(ge=0, le=100)] = -1
    y: Annotated[int, Field(ge=0, le=80)] = -1
    owner: Annotated[str, Field(min_length=1)] = ""
    resources: tuple[str, ...] = ()


SITES: tuple[Planet, ...] = tuple(Planet(**site) for site in INFO.tables["map"]["planets"])
"""The planets of the built-in map, with their places."""


@row
class Fleet(NamedTuple):
    """A fleet above a planet; its id is "F" and its number."""

    id: str
    owner: str
    planet: str

    @property
    def number(self) -> int:
        """Units are listed in this order."""
        return int(self.id[1:])


@row
class Army(NamedTuple):
    """An army, either on the surface of `planet` or aboard `fleet` (an id); the other is ""."""

    id: str
    owner: str
    planet: _Place = ""
    fleet: _Place = ""

    @property
    def number(self) -> int:
        """Units are listed in this order."""
        return int(self.id[1:])


@row
class Relation(NamedTuple):
    """The relation between a pair of States. War excludes treaties; the default is peace without any."""

    between: tuple[str, str]
    status: Literal["peace", "war"] = "peace"
    trade: bool = False
    pact: bool = False

    @property
    def at_war(self) -> bool:
        """Whether the two are enemies."""
        return self.status == "war"

    @property
    def is_default(self) -> bool:
        """Whether it is the default relation."""
        return not (self.at_war or self.trade or self.pact)


@row
class StandingOffer(NamedTuple):
    """An offer of `by` to `to`, made or renewed in `turn`."""

    treaty: Annotated[Treaty, Field(alias="kind")]
    by: Annotated[str, Field(alias="from")]
    to: str
    turn: Count


class Held(NamedTuple):
    """A move mail on file: either it is about to be resolved, because it is its player's move, or it is held until then
    (LC-R08)."""

    state: str
    arrival: Arrival
    lines: tuple[Written, ...]

    @property
    def texts(self) -> tuple[str, ...]:
        """The orders in canonical form."""
        return tuple(line.order.text for line in self.lines)

    @property
    def written(self) -> tuple[str, ...]:
        """The lines as their player wrote them."""
        return tuple(line.line for line in self.lines)


def _is_none(value: object) -> bool:
    return value is None


@dataclass(frozen=True)
class _HeldRow:
    """A move mail in a document. `written` are the lines as the player wrote them, where `lines` differs; `arrival` gives their
    order of arrival."""

    state: str
    lines: tuple[str, ...]
    arrival: Arrival | None = None
    written: Annotated[tuple[str, ...] | None, Field(exclude_if=_is_none)] = None


def _held(rows: list[_HeldRow]) -> tuple[Held, ...]:
    return tuple(Held(each.state, each.arrival or (0, i), _lines(each, f"[{i}]")) for i, each in enumerate(rows))


def _lines(row: _HeldRow, place: str) -> tuple[Written, ...]:
    """The orders, with names as written in the document."""
    written = row.lines if row.written is None else row.written
    if len(written) != len(row.lines):
        raise PositionError(f"{place}.written", f"{len(row.lines)} lines are here, but {len(written)} as written")
    found: list[Written] = []
    for i, (line, text) in enumerate(zip(row.lines, written, strict=True)):
        order = read(clean(line))
        if order is None:
            raise PositionError(f"{place}.lines[{i}]", f'"{line:.60}" is not an order')
        found.append(Written(order, " ".join(text.split())))
    return tuple(found)


def _held_rows(mails: tuple[Held, ...]) -> list[_HeldRow]:
    return [
        _HeldRow(held.state, held.texts, held.arrival, None if held.written == held.texts else held.written) for held in mails
    ]


@dataclass(frozen=True)
class Position:
    """Everything there is to know about a game.

    `lines` are those of a map that is not the built-in one; `given` are the options that were chosen. `states` has the players
    in list order, NPC States after them; `planets` is in number order, `fleets` and `armies` by their numbers. `waiting` are
    those who still have to move in this Turn, `missed` those of them whose deadline passed, where the order does not matter.
    `held` is in order of arrival.
    """

    map: Literal["local_cluster", "custom"] = "local_cluster"
    lines: Annotated[tuple[Line, ...] | None, Field(exclude_if=_is_none)] = None
    turn: Count = 1
    phase: Literal["moves", "over"] = "moves"
    waiting: tuple[str, ...] = ()
    winner: str = ""
    victory: Victory = ""
    ascended: tuple[str, ...] = ()
    next_fleet: Positive = 0
    next_army: Positive = 0
    given: Annotated[Given, options_field(INFO, game_options), Field(alias="options")] = ()
    data: Data = DATA
    states: tuple[State, ...] = ()
    planets: tuple[Planet, ...] = ()
    fleets: tuple[Fleet, ...] = ()
    armies: tuple[Army, ...] = ()
    relations: tuple[Relation, ...] = ()
    offers: tuple[StandingOffer, ...] = ()
    held: Annotated[tuple[Held, ...], WrittenAs(list[_HeldRow], _held, _held_rows)] = ()
    missed: Names = ()

    @property
    def options(self) -> GameOptions:
        """All options."""
        return game_options(self.given)

    @property
    def galaxy(self) -> Galaxy:
        """The map."""
        return LOCAL_CLUSTER if self.lines is None else self._own_galaxy

    @cached_property
    def _own_galaxy(self) -> Galaxy:
        return galaxy_of(tuple(planet.name for planet in self.planets), self.lines or ())

    @property
    def sheets(self) -> tuple[Sheet, ...]:
        """The move mails on file, including held ones, first come first."""
        return tuple(Sheet(held.state, held.arrival, held.texts) for held in self.held)

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
        """The planet with exactly that name. Raises `KeyError`."""
        return self.planets[self.galaxy.place[name]]

    def owned_by(self, state: str) -> tuple[Planet, ...]:
        """A State's planets in number order."""
        return tuple(planet for planet in self.planets if planet.owner == state)

    def fleet(self, unit: str) -> Fleet | None:
        """The fleet with that id, None if there is none."""
        return self._fleets.get(unit)

    def army(self, unit: str) -> Army | None:
        """The army with that id, None if there is none."""
        return self._armies.get(unit)

    def relation(self, one: str, other: str) -> Relation:
        """The relation between two States."""
        return self._relations.get(frozenset((one, other))) or Relation((one, other))

    def at_war(self, one: str, other: str) -> bool:
        """Whether the two are enemies."""
        found = self._relations.get(frozenset((one, other)))
        return found is not None and found.at_war

    def have_pact(self, one: str, other: str) -> bool:
        """Whether the two have a military pact."""
        found = self._relations.get(frozenset((one, other)))
        return found is not None and found.pact

    def may_be_at(self, state: str, planet: str) -> bool:
        """The right to be there (LC-R61): the planet is the State's own, an enemy's or a pact partner's."""
        owner = self.planet(planet).owner
        return owner == state or self.at_war(state, owner) or self.have_pact(state, owner)


# --- Effects (appendix A) ----------------------------------------------------------------------------------------------


def effect(position: Position, state: str, name: str) -> int:
    """The sum of an effect over a State's traits and technologies, without its resources."""
    data, power = position.data, position.by_name[state]
    return sum(data.traits[trait].effects.get(name, 0) for trait in power.traits) + sum(
        data.technologies[technology].effects.get(name, 0) for technology in power.technologies
    )


def capacity(position: Position, state: str) -> int:
    """How many armies each of a State's fleets can carry (LC-R59)."""
    return position.options.fleet_capacity + effect(position, state, "fleet_capacity")


# --- The same position with changes -----------------------------------------------------------------------------------


def with_state(position: Position, state: State) -> Position:
    """With this State in place of the one with its name."""
    return replace(position, states=tuple(state if other.name == state.name else other for other in position.states))


def with_relation(position: Position, relation: Relation) -> Position:
    """With this relation between the pair instead of any other; the default one is not listed."""
    pair = frozenset(relation.between)
    old = position.relation(*relation.between)
    new = relation._replace(between=old.between)
    rest = tuple(other for other in position.relations if frozenset(other.between) != pair)
    if new.is_default:
        return replace(position, relations=rest)
    if old not in position.relations:
        return replace(position, relations=(*rest, new))
    return replace(position, relations=tuple(new if other is old else other for other in position.relations))


def without_offers(position: Position, gone: Iterable[StandingOffer]) -> Position:
    """Without these offers."""
    lapsed = set(gone)
    return replace(position, offers=tuple(offer for offer in position.offers if offer not in lapsed))
