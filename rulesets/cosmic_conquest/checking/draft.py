"""A sheet in the making: what its orders so far leave to the next."""

from dataclasses import dataclass, field, replace

from pbmd.rules.checking import Fault
from pbmd.rules.words import counted

from ..orders import (
    Kind,
    Plan,
)
from ..tables import TIME_SKIP_UNITS
from ..world.state import Faction, Position
from ..world.values import empire_bonus, launching, resource_units, targets


@dataclass(slots=True)
class Draft:
    """A sheet in the making. `pool` are the units of the turn (CC-R28), `units_left` and `drones_left` what is not assigned.
    `alone` if its mail has a single line, as one that asks for an Insight must.
    """

    position: Position
    faction: Faction
    plan: Plan = field(default_factory=Plan)
    leads: tuple[Kind, str] | None = None
    alone: bool = False
    pool: int = 0
    units_left: int = 0
    drones_left: int = 0

    @property
    def launch_systems(self) -> frozenset[str]:
        """From where attacks can be launched under the abilities of this sheet."""
        return launching(self.position, self.faction.colour, self.plan.stasis, self.plan.skip)

    @property
    def targets(self) -> list[str]:
        """What can be attacked, in map order."""
        return targets(self.position, self.faction.colour, self.launch_systems)

    def open_pool(self) -> None:
        """Count the units of the turn, once the abilities that change them are known."""
        position, plan = self.position, self.plan
        self.pool = resource_units(position, self.faction)
        if plan.stasis:
            self.pool -= position.system(plan.stasis).effective
        if plan.skip:
            self.pool += TIME_SKIP_UNITS
        if plan.empire and position.options.empire_from == "now":
            self.pool += empire_bonus(position, self.faction)
        self.units_left, self.drones_left = self.pool, self.faction.drones

    def copy(self) -> "Draft":
        """The same, to try an order on."""
        plan = self.plan
        copied = replace(plan, conquer={**plan.conquer}, defend={**plan.defend}, invest={**plan.invest}, raises=[*plan.raises])
        return replace(self, plan=copied)

    def spend(self, units: int, drones: int = 0) -> None:
        """Assign units and drones. Raises `Fault` if they are not there."""
        if units > self.units_left:
            problem = f"needs {counted(units, 'unit')}, {self.units_left} of {self.pool} are left"
            raise Fault(problem, "too_few_units")
        if drones > self.drones_left:
            raise Fault(f"needs {counted(drones, 'drone')}, you have {self.drones_left} left", "too_few_drones")
        self.units_left -= units
        self.drones_left -= drones
