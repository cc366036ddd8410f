"""The orders of the game (section 6 of the rules). `text` is the canonical form of an order's line.

Lists of counters contain the names of units and fleets, ids of "?" ("Q3"), and `ALL`. In an order as read from a line they are
as players write them; in a checked one they are full names. A place without system is on the only board of the map; once
checked, it names the system. Impulse 0 means both. A number that is too large to be meant is read as `TOO_LARGE`, and the check
refuses it.
"""

from dataclasses import dataclass
from typing import Literal, NamedTuple

from pbmd.rules.words import counted

from .world.factors import FACTORS, Factor, Factors
from .world.hexes import Hex
from .world.systems import Place

Impulse = Literal[0, 1, 2]
ALL = "ALL"
STARPORT = "STARPORT"
SELF = "SELF"
ANY_QUESTION = "?"
"""The lowest-numbered "?" in reserve."""
TOO_LARGE = 10**9

FACTOR_WORDS: dict[Factor, str] = {
    "jump": "JUMP",
    "maneuver": "MANEUVER",
    "sensor_range": "SENSOR",
    "attack": "ATTACK",
    "attack_range": "RANGE",
    "defense": "DEFENSE",
    "supply": "SUPPLY",
}
"""The names of the factors in canonical lines."""


def _list(names: tuple[str, ...]) -> str:
    return ", ".join(names)


def _with_impulse(words: str, impulse: Impulse) -> str:
    return f"{words} {impulse}" if impulse else words


def _levels(factors: Factors, leave_out: tuple[Factor, ...] = ()) -> str:
    return " ".join(f"{FACTOR_WORDS[factor]} {factors.of(factor)}" for factor in FACTORS if factor not in leave_out)


# --- Set-up --------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class BuildSquadron:
    """A squadron; without `at` it is placed on its side's default hex."""

    name: str
    factors: Factors
    at: Place | None = None

    @property
    def text(self) -> str:
        """The canonical line, such as "SQUADRON Hawk: JUMP 4 MANEUVER 6", all seven factors, perhaps "AT Aldane 0606"."""
        return f"SQUADRON {self.name}: {_levels(self.factors)}" + (f" AT {self.at.text}" if self.at else "")


@dataclass(frozen=True, slots=True)
class BuildPlanet:
    """A Planet counter on the body with that name."""

    body: str
    factors: Factors

    @property
    def text(self) -> str:
        """The canonical line, such as "PLANET Aldane Prime: SENSOR 5 ATTACK 9 RANGE 5 DEFENSE 20 SUPPLY 4"."""
        movement: tuple[Factor, ...] = ("jump", "maneuver")
        moving = any(self.factors.of(factor) for factor in movement)
        return f"PLANET {self.body}: {_levels(self.factors, () if moving else movement)}"


@dataclass(frozen=True, slots=True)
class BuyAdmirals:
    """Admirals for a unit built above."""

    count: int
    unit: str

    @property
    def text(self) -> str:
        """The canonical line, such as "BUY ADMIRAL 1 FOR Hawk"."""
        return f"BUY ADMIRAL {self.count} FOR {self.unit}"


@dataclass(frozen=True, slots=True)
class BuySupply:
    """Supply counters aboard a unit built above."""

    count: int
    unit: str

    @property
    def text(self) -> str:
        """The canonical line, such as "BUY SUPPLY 3 FOR Hawk"."""
        return f"BUY SUPPLY {self.count} FOR {self.unit}"


@dataclass(frozen=True, slots=True)
class BuyQuestions:
    """ "?" counters."""

    count: int

    @property
    def text(self) -> str:
        """The canonical line, such as "BUY ? 5"."""
        return f"BUY ? {self.count}"


# --- The day -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Heading:
    """A line that says which impulse the lines below it are for; 0 ends that. Never one of a sheet's orders."""

    impulse: Impulse

    @property
    def text(self) -> str:
        """The canonical line, such as "IMPULSE 1" or "END OF DAY"."""
        return f"IMPULSE {self.impulse}" if self.impulse else "END OF DAY"


@dataclass(frozen=True, slots=True)
class Move:
    """Counters along waypoints; `start` is the hex that a player says they come from, and None once that is checked."""

    impulse: Impulse
    counters: tuple[str, ...]
    waypoints: tuple[Hex, ...]
    start: Hex | None = None

    @property
    def text(self) -> str:
        """The canonical line, such as "MOVE 1 Hawk, Q3 TO 0606 THEN 0808"."""
        way = " THEN ".join(waypoint.text for waypoint in self.waypoints)
        return f"{_with_impulse('MOVE', self.impulse)} {_list(self.counters)} TO {way}"


TargetKind = Literal["name", "nearest", "strongest", "weakest", "planet", "squadron", "hex", "question"]


class Target(NamedTuple):
    """An entry of a list of targets: `name` for a name, `hex` for a hex, and perhaps for a "?"."""

    kind: TargetKind
    name: str = ""
    hex: Hex | None = None

    @property
    def text(self) -> str:
        """As in the order: "Hawk", "NEAREST" or "? 0606"."""
        if self.kind == "name":
            return self.name
        word = {"hex": "", "question": "?"}.get(self.kind, self.kind.upper())
        return f"{word} {self.hex.text if self.hex else ''}".strip()


@dataclass(frozen=True, slots=True)
class Fire:
    """Units at the first of these targets within range; `within` None is the attack range."""

    impulse: Impulse
    units: tuple[str, ...]
    targets: tuple[Target, ...]
    within: int | None = None
    if_seen: bool = False

    @property
    def text(self) -> str:
        """The canonical line, such as "FIRE 1 Hawk AT NEAREST WITHIN 5"."""
        within = "" if self.within is None else f" WITHIN {self.within}"
        targets = ", ".join(target.text for target in self.targets)
        fire = f"{_with_impulse('FIRE', self.impulse)} {_list(self.units)} AT {targets}"
        return f"{fire}{within}{' IF SEEN' if self.if_seen else ''}"


@dataclass(frozen=True, slots=True)
class HoldFire:
    """Units that do not fire."""

    impulse: Impulse
    units: tuple[str, ...] = (ALL,)

    @property
    def text(self) -> str:
        """The canonical line, such as "HOLD FIRE Hawk"."""
        return f"{_with_impulse('HOLD FIRE', self.impulse)} {_list(self.units)}"


@dataclass(frozen=True, slots=True)
class Transfer:
    """Supply counters or Admirals from one to the other; either can be `STARPORT` for supply, but not both at once."""

    count: int
    what: Literal["supply", "admiral"]
    source: str
    to: str

    @property
    def text(self) -> str:
        """The canonical line, such as "TRANSFER 2 SUPPLY FROM STARPORT TO Hawk"."""
        return f"TRANSFER {self.count} {self.what.upper()} FROM {self.source} TO {self.to}"


@dataclass(frozen=True, slots=True)
class Repair:
    """Repairs; `count` None is as many as there are actions. `source` is a unit, `STARPORT`, `SELF`, or "" for any."""

    units: tuple[str, ...]
    count: int | None = None
    source: str = ""

    @property
    def text(self) -> str:
        """The canonical line, such as "REPAIR 3 HITS ON Hawk FROM STARPORT"."""
        hits = "" if self.count is None else f"{counted(self.count, 'HIT', 'HITS')} ON "
        return f"REPAIR {hits}{_list(self.units)}" + (f" FROM {self.source}" if self.source else "")


@dataclass(frozen=True, slots=True)
class NoRepair:
    """No repair, not even by itself."""

    units: tuple[str, ...]

    @property
    def text(self) -> str:
        """The canonical line, such as "NO REPAIR Hawk"."""
        return f"NO REPAIR {_list(self.units)}"


@dataclass(frozen=True, slots=True)
class Jump:
    """A jump to a hex of another system."""

    counters: tuple[str, ...]
    to: Place

    @property
    def text(self) -> str:
        """The canonical line, such as "JUMP Hawk, Q3 TO Brisk 0710"."""
        return f"JUMP {_list(self.counters)} TO {self.to.text}"


@dataclass(frozen=True, slots=True)
class PlaceQuestion:
    """A "?" from the reserve ("Q3", or `ANY_QUESTION`) into a hex, or onto a unit if `at` is None."""

    question: str
    at: Place | None = None
    unit: str = ""

    @property
    def text(self) -> str:
        """The canonical line, such as "PLACE Q3 AT Aldane 0606" or "PLACE ? ON Hawk"."""
        return f"PLACE {self.question} " + (f"AT {self.at.text}" if self.at else f"ON {self.unit}")


@dataclass(frozen=True, slots=True)
class FormFleet:
    """A fleet of these counters; when checked, `members` are squadrons and "?" only."""

    name: str
    members: tuple[str, ...]

    @property
    def text(self) -> str:
        """The canonical line, such as "FLEET Strike: Hawk, Q3"."""
        return f"FLEET {self.name}: {_list(self.members)}"


@dataclass(frozen=True, slots=True)
class Disband:
    """The end of a fleet."""

    name: str

    @property
    def text(self) -> str:
        """The canonical line, such as "DISBAND Strike"."""
        return f"DISBAND {self.name}"


@dataclass(frozen=True, slots=True)
class Wait:
    """These orders for today, default orders for the following days."""

    days: int

    @property
    def text(self) -> str:
        """The canonical line, such as "WAIT 3"."""
        return f"WAIT {self.days}"


@dataclass(frozen=True, slots=True)
class Pass:
    """A mail with default orders."""

    @property
    def text(self) -> str:
        """The canonical line: "PASS"."""
        return "PASS"


SetupOrder = BuildSquadron | BuildPlanet | BuyAdmirals | BuySupply | BuyQuestions | PlaceQuestion | FormFleet
DayOrder = Move | Fire | HoldFire | Transfer | Repair | NoRepair | Jump | PlaceQuestion | FormFleet | Disband | Wait | Pass
Order = SetupOrder | DayOrder | Heading
