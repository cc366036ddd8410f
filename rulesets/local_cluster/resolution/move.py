"""A move while it is carried out: the changing position, the events so far, and what the move has to remember.

A diplomatic mail is carried out by the same functions; it uses only position, mover and events.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from pbmd.rules import Event

from ..orders import Treaty, UnitKind
from ..world.state import Army, Fleet, Planet, Position, StandingOffer, State, with_state, without_offers

FAILURES_OF_A_LINE = 50
"""If a line fails for more units than this, the rest is not reported: a large number costs nothing to write."""
_LINE_CHARS = 200


class Bombardment(NamedTuple):
    """An announced bombardment and the line that announced it."""

    fleet: str
    planet: str
    line: str


class Landing(NamedTuple):
    """A contested landing (LC-R66) and the line that ordered it."""

    army: str
    fleet: str
    planet: str
    line: str


@dataclass(slots=True)
class Move:
    """See the module. `state` is the active player, or the sender of a diplomatic mail.

    `gift_budget` is what may still be given away. `origins` says for each fleet that has moved where it came from, `came_from`
    the same for each army that came by portal, `landed_from` the fleet for each that has landed. `steps` are the armies that
    have boarded, landed or travelled. `withdrawn` are the units that take no further part (LC-R76). `fresh` are the places of
    resources that are not in effect yet, by planet (LC-R31).
    """

    position: Position
    state: str
    gift_budget: int = 0
    events: list[Event] = field(default_factory=list[Event])
    failures: Counter[str] = field(default_factory=Counter[str])
    asked: set[tuple[str, Treaty]] = field(default_factory=set[tuple[str, Treaty]])
    nulled: set[str] = field(default_factory=set[str])
    origins: dict[str, str] = field(default_factory=dict[str, str])
    bombardments: list[Bombardment] = field(default_factory=list[Bombardment])
    landings: list[Landing] = field(default_factory=list[Landing])
    steps: set[str] = field(default_factory=set[str])
    came_from: dict[str, str] = field(default_factory=dict[str, str])
    landed_from: dict[str, str] = field(default_factory=dict[str, str])
    withdrawn: set[str] = field(default_factory=set[str])
    researched: int = 0
    built: Counter[tuple[str, UnitKind]] = field(default_factory=Counter[tuple[str, UnitKind]])
    fresh: dict[str, set[int]] = field(default_factory=dict[str, set[int]])

    @property
    def power(self) -> State:
        """The mover."""
        return self.position.by_name[self.state]

    # --- Events --------------------------------------------------------------------------------------------------------

    def tell(self, kind: str, data: Mapping[str, Any], audience: Iterable[str] | None = None) -> None:
        """Add an event; `audience` None means everybody. NPC States read nothing and are left out of it."""
        if audience is not None:
            audience = tuple(name for name in audience if self.position.by_name[name].kind == "player")
        self.events.append(Event(kind, data, audience))

    def tell_offer(self, kind: str, data: Mapping[str, Any], concerned: Iterable[str]) -> None:
        """Add an event about an offer: for the two concerned, or with `offers_public` for everybody."""
        self.tell(kind, data, None if self.position.options.offers_public else concerned)

    def tell_money(self, kind: str, state: str, data: Mapping[str, Any], money: Mapping[str, int]) -> None:
        """Add a public event of a State; without `credits_public` the amounts in it are for its player only."""
        told = {"state": state, **data}
        if self.position.options.credits_public:
            self.events.append(Event(kind, {**told, **money}))
        else:
            insiders = (state,) if self.position.by_name[state].kind == "player" else ()
            self.events.append(Event(kind, told, None, money, insiders))

    def fail(self, line: str, reason: str, unit: str = "") -> str:
        """A line, or a unit of it, has failed; returns the reason."""
        self.failures[line] += 1
        if self.failures[line] <= FAILURES_OF_A_LINE:
            quoted = line if len(line) <= _LINE_CHARS else f"{line[: _LINE_CHARS - 1]}…"
            data = {"state": self.state, "line": quoted, "unit": unit, "reason": reason}
            self.events.append(Event("order_failed", data, (self.state,)))
        return reason

    # --- Changing the position -----------------------------------------------------------------------------------------

    def change(self, state: str, **fields: Any) -> None:
        """Change fields of a State."""
        self.position = with_state(self.position, replace(self.position.by_name[state], **fields))

    def earn(self, state: str, amount: int) -> None:
        """Add credits to a State, or take them away."""
        self.change(state, credits=self.position.by_name[state].credits + amount)

    def pay(self, amount: int) -> bool:
        """Whether the mover could pay; if so, it is paid (LC-R19)."""
        if amount > self.power.credits:
            return False
        self.earn(self.state, -amount)
        return True

    def ascend(self) -> None:
        """The mover has researched Ascension (LC-R95)."""
        self.position = replace(self.position, ascended=(*self.position.ascended, self.state))

    def lapse(self, offers: Iterable[StandingOffer]) -> None:
        """Offers are gone without an answer."""
        for offer in tuple(offers):
            self.position = without_offers(self.position, (offer,))
            self.tell_offer("offer_lapsed", {"treaty": offer.treaty, "from": offer.by, "to": offer.to}, (offer.by, offer.to))

    def put_planet(self, planet: Planet) -> None:
        """Replace the planet with this name."""
        planets = tuple(planet if other.name == planet.name else other for other in self.position.planets)
        self.position = replace(self.position, planets=planets)

    def put_fleet(self, fleet: Fleet) -> None:
        """Replace the fleet with this id, including its cargo."""
        fleets = tuple(fleet if other.id == fleet.id else other for other in self.position.fleets)
        self.position = replace(self.position, fleets=fleets)

    def put_army(self, army: Army) -> None:
        """Replace the army with this id."""
        armies = tuple(army if other.id == army.id else other for other in self.position.armies)
        self.position = replace(self.position, armies=armies)

    def remove_fleet(self, unit: str) -> tuple[str, ...]:
        """Remove this fleet and what is aboard; returns the ids of the armies that went with it."""
        lost = tuple(army.id for army in aboard(self.position, unit))
        fleets = tuple(fleet for fleet in self.position.fleets if fleet.id != unit)
        armies = tuple(army for army in self.position.armies if army.fleet != unit)
        self.position = replace(self.position, fleets=fleets, armies=armies)
        return lost

    def remove_army(self, unit: str) -> None:
        """Remove this army."""
        self.position = replace(self.position, armies=tuple(army for army in self.position.armies if army.id != unit))

    def new_unit(self, kind: UnitKind, planet: str) -> str:
        """A new unit of the planet's owner, at it; returns its id (LC-R88)."""
        position, owner = self.position, self.position.planet(planet).owner
        if kind == "army":
            army = Army(f"A{position.next_army}", owner, planet=planet)
            self.position = replace(position, armies=(*position.armies, army), next_army=position.next_army + 1)
            return army.id
        fleet = Fleet(f"F{position.next_fleet}", owner, planet)
        self.position = replace(position, fleets=(*position.fleets, fleet), next_fleet=position.next_fleet + 1)
        return fleet.id


def aboard(position: Position, fleet: str) -> list[Army]:
    """The armies that a fleet carries, by number."""
    return [army for army in position.armies if army.fleet == fleet]


def fleets_above(position: Position, planet: str, state: str) -> list[Fleet]:
    """A State's fleets above a planet, by number."""
    return [fleet for fleet in position.fleets if fleet.planet == planet and fleet.owner == state]


def armies_on(position: Position, planet: str, state: str) -> list[Army]:
    """A State's armies on the surface of a planet, by number."""
    return [army for army in position.armies if army.planet == planet and army.owner == state]


def enemy_fleets_above(position: Position, planet: str, state: str) -> bool:
    """Whether a fleet of an enemy of the State is above the planet."""
    return any(fleet.planet == planet and position.at_war(fleet.owner, state) for fleet in position.fleets)
