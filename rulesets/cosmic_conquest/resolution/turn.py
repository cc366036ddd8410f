"""The turn while it is resolved: what changes, what has failed, and the events so far."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from pbmd.rules import Event, Line
from pbmd.rules.checking import Right

from ..checking.on_file import default_orders
from ..checking.sheets import check_sheet
from ..orders import Assault, Kind, Plan
from ..tables import GameOptions
from ..world.galaxy import Galaxy
from ..world.state import Faction, Position, System


@dataclass(slots=True)
class Turn:
    """See the module. Plans are in arrival order, stalled factions last (CC-R80).

    `start` is the position at the start of the turn: its owners and values apply for the whole turn (CC-R06). `owners` and
    `outputs` are the changing ones. `assaults` says for each Psychic Assault whether it affected anything.
    """

    start: Position
    plans: dict[str, Plan]
    stalled: tuple[str, ...]
    factions: dict[str, Faction]
    owners: dict[str, str]
    outputs: dict[str, int]
    gains: dict[str, int] = field(default_factory=dict[str, int])
    taken_undefended: set[str] = field(default_factory=set[str])
    taken: dict[str, str] = field(default_factory=dict[str, str])
    failed: list[tuple[str, Kind, str]] = field(default_factory=list[tuple[str, Kind, str]])
    assaults: dict[str, bool] = field(default_factory=dict[str, bool])
    results: dict[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])
    events: list[Event] = field(default_factory=list[Event])

    @property
    def options(self) -> GameOptions:
        """The options of the game."""
        return self.start.options

    @property
    def galaxy(self) -> Galaxy:
        """The map."""
        return self.start.galaxy

    @property
    def remaining(self) -> list[str]:
        """Factions still in the game, in arrival order."""
        return [colour for colour in self.plans if self.factions[colour].active]

    @property
    def stasis(self) -> set[str]:
        """The systems in Temporal Stasis."""
        return {plan.stasis for plan in self.plans.values() if plan.stasis}

    def held_now(self, colour: str) -> list[str]:
        """The systems that a faction has at this point, in map order."""
        return [star.name for star in self.galaxy.stars if self.owners[star.name] == colour]

    def attackers(self, system: str) -> list[str]:
        """Who attacks the system, in arrival order."""
        return [colour for colour, plan in self.plans.items() if system in plan.conquer]

    def assaults_on(self, target: Assault) -> list[str]:
        """The factions that use a Psychic Assault on this."""
        return [colour for colour, plan in self.plans.items() if plan.assault == target]

    def change(self, colour: str, **fields: Any) -> None:
        """Change fields of a faction."""
        self.factions[colour] = replace(self.factions[colour], **fields)

    def fail(self, colour: str, kind: Kind, system: str) -> None:
        """An attack or a defense has failed."""
        self.failed.append((colour, kind, system))

    def tell(self, kind: str, data: Mapping[str, Any], audience: Iterable[str] | None = None) -> None:
        """Add an event; `audience` None means everybody."""
        self.events.append(Event(kind, data, None if audience is None else tuple(audience)))

    def note(self, colour: str, line: str, words: str) -> None:
        """What became of a line in a sheet, for its owner."""
        before = self.results.get((colour, line))
        self.results[colour, line] = f"{before}; {words}" if before else words


def turn_of(position: Position) -> Turn:
    """Intake (7.0): plans from the sheets on file, first come first, and default orders for all others."""
    plans: dict[str, Plan] = {}
    for sheet in position.sheets:
        lines = tuple(Line(place, line) for place, line in enumerate(sheet.lines, start=1))
        answers, draft = check_sheet(position, position.colours[sheet.seat], lines)
        # A sheet that cannot be resolved counts as none (section 6.5); `receive` and `load` accept none.
        if all(isinstance(answer, Right) for answer in answers):
            plans[sheet.seat] = draft.plan
    stalled = tuple(faction.colour for faction in position.active if faction.colour not in plans)
    plans |= {colour: default_orders(position, position.colours[colour]) for colour in stalled}
    return Turn(
        start=position,
        plans=plans,
        stalled=stalled,
        factions=dict(position.colours),
        owners={system.name: system.owner for system in position.systems},
        outputs={system.name: system.output for system in position.systems},
    )


def systems_after(turn: Turn, penalties: Mapping[str, int]) -> tuple[System, ...]:
    """The systems as they are now, with the sabotage of the coming turn."""
    return tuple(
        System(star.name, turn.owners[star.name], turn.outputs[star.name], penalties.get(star.name, 0))
        for star in turn.galaxy.stars
    )
