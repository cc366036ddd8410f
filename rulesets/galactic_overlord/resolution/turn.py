"""The turn while it is resolved: factions and bases that change, plans, and the events so far."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pbmd.rules import Event

from ..orders import Oob
from ..tables import GameOptions
from ..world.fleets import Navy
from ..world.state import Base, Player, Position, stocks_of
from .plans import Plan, plans_of


@dataclass(slots=True)
class Faction:
    """A living faction in the middle of a turn; `navy` is what is at home."""

    name: str
    bp: int
    generators: int
    spies: int
    counter_espionage: int
    original_ships: int
    navy: Navy
    protected: bool = False
    shielded: bool = False


@dataclass(slots=True)
class Turn:
    """See the module. `factions` are the living ones in list order, `bases` are by name in the document's order; `numbered` is
    the highest running number of bases changing hands, `alone` the audience that is one faction only."""

    options: GameOptions
    factions: dict[str, Faction]
    bases: dict[str, Base]
    plans: dict[str, Plan]
    numbered: int
    alone: dict[str, tuple[str]]
    random_oobs: dict[str, Oob] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list)

    def tell(self, kind: str, data: Mapping[str, Any]) -> None:
        """Add an event that everybody may know."""
        self.events.append(Event(kind, data))

    def tell_alone(self, seat: str, kind: str, data: Mapping[str, Any]) -> None:
        """Add an event that only this faction may know."""
        self.events.append(Event(kind, data, self.alone[seat]))

    def fail(self, plan: Plan, index: int, reason: str) -> None:
        """A line of a plan was not done, or not entirely; its owner is told why."""
        plan.results[index] = reason
        self.tell_alone(plan.seat, "order_failed", {"player": plan.seat, "order": plan.lines[index], "reason": reason})

    def note_for_gm(self, data: Mapping[str, Any]) -> None:
        """Add what no player may know (section 8)."""
        self.events.append(Event("gm_note", data, ()))

    def add_base(self, name: str, owner: str) -> None:
        """A base built by its owner."""
        self.numbered += 1
        self.bases[name] = Base(name, owner, owner, self.numbered)

    def hand_over(self, name: str, owner: str) -> None:
        """The base now belongs to `owner`, under a new number."""
        self.numbered += 1
        self.bases[name] = Base(name, owner, self.bases[name].builder, self.numbered)


def turn_of(position: Position) -> Turn:
    """The turn that is about to be resolved."""
    return Turn(
        options=position.options,
        factions={player.name: _faction(player) for player in position.players if player.alive},
        bases={base.name: base for base in position.bases},
        plans=plans_of(position.sheets),
        numbered=max([base.acquired for base in position.bases], default=0),
        alone={player.name: (player.name,) for player in position.players if player.alive},
    )


def players_after(position: Position, turn: Turn) -> tuple[Player, ...]:
    """The players as the turn leaves them."""
    return tuple(_player(player, turn.factions.get(player.name)) for player in position.players)


def _faction(player: Player) -> Faction:
    return Faction(player.name, *stocks_of(player), dict(player.ships))


def _player(player: Player, faction: Faction | None) -> Player:
    if faction is None:
        # Spies and options go with an eliminated faction (GO-R73).
        return Player(player.name, False, 0, 0, 0, 0)
    return Player(player.name, True, *stocks_of(faction), tuple(sorted(faction.navy.items())))
