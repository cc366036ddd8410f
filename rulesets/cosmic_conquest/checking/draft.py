"""A sheet in the making: what its orders so far leave to the next."""

from dataclasses import dataclass, field, replace

from pbmd.rules.checking import Fault
from pbmd.rules.words import counted

from ..orders import Act, Assault, Kind, Lead, Order, Plan, Sabotage
from ..tables import TIME_SKIP_UNITS
from ..world.state import Faction, Position
from ..world.values import empire_bonus, launching, resource_units, targets


@dataclass(slots=True)
class Draft:
    """A sheet in the making. `pool` are the units of the turn (CC-R28), `units_left` and `drones_left` what is not assigned
    yet. `alone` if its mail has a single line, as one that asks for an Insight must."""

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
        """Where attacks can be launched from with the abilities of this sheet."""
        return launching(self.position, self.faction.colour, self.plan.stasis, self.plan.skip)

    @property
    def targets(self) -> list[str]:
        """What can be attacked, in map order."""
        return targets(self.position, self.faction.colour, self.launch_systems)

    @property
    def rivals(self) -> list[Faction]:
        """The other factions in the game, in sign-up order."""
        return [other for other in self.position.active if other is not self.faction]

    @property
    def open_minds(self) -> list[Faction]:
        """Those of them that are not immune to Telepathic Insight (CC-R62)."""
        return [other for other in self.rivals if other.tech != "psionic"]

    def systems_for(self, order: Order) -> list[str]:
        """The systems that such an order can be about at this point."""
        own, systems = self.faction.colour, self.position.systems
        match order:
            case Act("conquer") | Lead("conquer"):
                return self.targets
            case Sabotage() | Assault(_, ""):
                both = isinstance(order, Assault) and self.position.options.assault_independents
                free = [system.name for system in systems if not system.owner] if both else []
                return [system.name for system in systems if system.owner not in ("", own)] + free
            case Assault():  # an attack on any, most likely on one's own
                return [system.name for system in sorted(systems, key=lambda system: system.owner != own)]
            case _:
                return [system.name for system in self.position.held_by(own)]

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
        """The same, for trying out an order."""
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
