"""The orders of the game as frozen values, and the canonical line of each.

Reading a canonical line again (see `grammar`) gives the same order. Names are text here; the code that resolves or checks an
order finds the player or base that is meant.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Literal

from pbmd.rules.words import counted

from .tables import CLASSES, WEAPONS

Range = Literal["", "close in", "back off"]
Formation = Literal["", "bunch", "spread"]
Role = Literal["", "attack", "defence"]


ALL_OF, UNSAID = 0, -1
"""Counts of an order as read: all ships of a class that there are, and a plural without a number. No checked order has them."""


@dataclass(frozen=True, slots=True)
class ShipItem:
    """This many ships of a class."""

    kind: int
    count: int

    @property
    def text(self) -> str:
        """As in the order: "2 Laserfrigates"."""
        return CLASSES[self.kind].counted(self.count)


@dataclass(frozen=True, slots=True)
class BaseItem:
    """This many bases, the first of them with these names."""

    count: int
    names: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """As in the order: "2 bases named Rook"."""
        named = f" named {', '.join(self.names)}" if self.names else ""
        return counted(self.count, "base") + named


@dataclass(frozen=True, slots=True)
class Build:
    """Build ships and bases, item by item (GO-26)."""

    items: tuple[ShipItem | BaseItem, ...]

    @property
    def text(self) -> str:
        """The canonical line, such as "Build 2 Laserfrigates, 1 base"."""
        return f"Build {_listed(self.items)}"


@dataclass(frozen=True, slots=True)
class Repair:
    """Repair damaged ships (GO-29); no items means all of them."""

    items: tuple[ShipItem, ...] = ()

    @property
    def text(self) -> str:
        """The canonical line, such as "Repair 2 Laserfrigates" or "Repair all"."""
        return f"Repair {_listed(self.items) if self.items else 'all'}"


@dataclass(frozen=True, slots=True)
class Stockpile:
    """Keep the BP that are left (GO-23), which happens anyway."""

    text = "Stockpile"


@dataclass(frozen=True, slots=True)
class CounterEspionage:
    """Be immune to spies this turn (GO-07)."""

    text = "Use counter-espionage"


@dataclass(frozen=True, slots=True)
class Spy:
    """Use a spy to stop the target's special order (GO-35)."""

    target: str

    @property
    def text(self) -> str:
        """The canonical line, such as "Use spy on Cygnus"."""
        return f"Use spy on {self.target}"


@dataclass(frozen=True, slots=True)
class Force:
    """The ships that go on an attack (GO-41): those named, or all except those named."""

    ships: tuple[ShipItem, ...] = ()
    everything: bool = False

    @property
    def text(self) -> str:
        """As in the order: "2 Laserfrigates" or "all except 2 Laserfrigates"."""
        if not self.everything:
            return _listed(self.ships)
        return f"all except {_listed(self.ships)}" if self.ships else "all"

    def wanted(self, present: Mapping[int, int]) -> dict[int, int]:
        """How many ships of each kind should go, given how many there are; more than those only if they are named."""
        named: dict[int, int] = {}
        for item in self.ships:
            named[item.kind] = named.get(item.kind, 0) + item.count
        if not self.everything:
            return named
        return {kind: count - named.get(kind, 0) for kind, count in present.items() if count > named.get(kind, 0)}


@dataclass(frozen=True, slots=True)
class Attack:
    """Send a fleet against a player, perhaps with allies (GO-40, GO-51), perhaps to the death (GO-97)."""

    target: str
    force: Force
    allies: tuple[str, ...] = ()
    to_the_death: bool = False

    @property
    def text(self) -> str:
        """The canonical line, such as "Attack Cygnus with all allied with Lyra to the death"."""
        allied = f" allied with {', '.join(self.allies)}" if self.allies else ""
        return f"Attack {self.target} with {self.force.text}{allied}{' to the death' if self.to_the_death else ''}"


@dataclass(frozen=True, slots=True)
class RaiseShields:
    """Use up a generator to be safe from attacks and spies this turn (GO-42, GO-43)."""

    text = "Raise shields"


@dataclass(frozen=True, slots=True)
class BuildGenerator:
    """Add a shield generator to the stock (GO-47)."""

    text = "Build generator"


@dataclass(frozen=True, slots=True)
class TrainSpy:
    """Add a spy to the stock (GO-49)."""

    text = "Train spy"


@dataclass(frozen=True, slots=True)
class Oob:
    """An order of battle (GO-82–95): six weapons (0 laser, 1 fighter, 2 torpedo), a range and a formation."""

    weapons: tuple[int, ...]
    range: Range = ""
    formation: Formation = ""

    @property
    def letters(self) -> str:
        """A letter for each weapon: "LLTT"."""
        return "".join(WEAPONS[weapon].letter for weapon in self.weapons)

    @property
    def text(self) -> str:
        """As in the order: "LLTT close in, bunch"."""
        return _oob_text(self.weapons, self.range, self.formation)


@lru_cache(maxsize=1024)
def _oob_text(weapons: tuple[int, ...], oob_range: Range, formation: Formation) -> str:
    """There are 810 of them, and each one in use is written in many places."""
    letters = "".join([WEAPONS[weapon].letter for weapon in weapons])
    tactics = ", ".join(filter(None, (oob_range, formation)))
    return f"{letters} {tactics}".rstrip()


@dataclass(frozen=True, slots=True)
class SetOob:
    """File an order of battle for a slot (GO-98–100): a role or "" for both, against one player or "" for all."""

    role: Role
    against: str
    oob: Oob
    to_the_death: bool = False

    @property
    def slot(self) -> str:
        """The slot in words: "attack vs Cygnus", "defence", "default"."""
        return " ".join(filter(None, (self.role, f"vs {self.against}" if self.against else ""))) or "default"

    @property
    def text(self) -> str:
        """The canonical line, such as "OOB attack vs Cygnus: LLTT"."""
        death = (", " if self.oob.range or self.oob.formation else " ") + "to the death" if self.to_the_death else ""
        return f"OOB {self.slot}: {self.oob.text}{death}"


@dataclass(frozen=True, slots=True)
class Transfer:
    """Give a base to another player after combat (GO-63)."""

    base: str
    to: str

    @property
    def text(self) -> str:
        """The canonical line, such as "Transfer Rook to Lyra"."""
        return f"Transfer {self.base} to {self.to}"


@dataclass(frozen=True, slots=True)
class Division:
    """Deal the bases captured by an alliance along this list (GO-R43)."""

    names: tuple[str, ...]

    @property
    def text(self) -> str:
        """The canonical line, such as "Captured bases to Lyra, Cygnus"."""
        return f"Captured bases to {', '.join(self.names)}"


Special = Attack | RaiseShields | BuildGenerator | TrainSpy
Order = Build | Repair | Stockpile | CounterEspionage | Spy | Special | SetOob | Transfer | Division
SPECIALS = (Attack, RaiseShields, BuildGenerator, TrainSpy)


@dataclass(frozen=True, slots=True)
class Unclear:
    """A line that is no order: what is wrong with it, and an order like the one that may be meant. `names` are possible
    meanings of what is `written`, if there are any."""

    problem: str
    example: str
    names: tuple[str, ...] = ()
    written: str = ""


FACTIONS: Mapping[type[Any], tuple[str, ...]] = {
    Attack: ("target", "allies"),
    Spy: ("target",),
    SetOob: ("against",),
    Transfer: ("to",),
    Division: ("names",),
}
"""The fields of orders that name factions."""


def renamed(order: Order, name_of: Callable[[str], str]) -> Order:
    """The order with each faction's name replaced by `name_of`."""
    changes: dict[str, Any] = {}
    for field in FACTIONS.get(type(order), ()):
        written: str | tuple[str, ...] = getattr(order, field)
        if not written:
            continue
        meant = tuple(map(name_of, written)) if isinstance(written, tuple) else name_of(written)
        if meant != written:
            changes[field] = meant
    return replace(order, **changes) if changes else order


def _listed(items: Iterable[ShipItem | BaseItem]) -> str:
    return ", ".join(item.text for item in items)
