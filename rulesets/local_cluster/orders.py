"""The orders of the game (section 6.2 of the rules). `text` is the canonical form (section 6.3).

An order as read from a line contains names as players write them; a checked one has full names. Units are given by their ids
("F3", "A5"), or by their number at a place (`Count`).
"""

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from pbmd.rules.words import counted

Treaty = Literal["peace", "trade", "pact"]
TREATY_WORDS: dict[Treaty, str] = {"peace": "peace", "trade": "trade treaty", "pact": "military pact"}

UnitKind = Literal["army", "fleet"]
_PLURALS: dict[UnitKind, str] = {"army": "armies", "fleet": "fleets"}


@dataclass(frozen=True, slots=True)
class Count:
    """This many of the sender's units at a place, lowest numbers first; 0 means all that can still do it."""

    number: int = 0


ALL = Count()
Chosen = tuple[str, ...] | Count
"""Units by their ids, or by number."""


def _called(chosen: Chosen, kind: UnitKind) -> str:
    if isinstance(chosen, tuple):
        return ", ".join(chosen)
    return counted(chosen.number, kind, _PLURALS[kind]) if chosen.number else f"all {_PLURALS[kind]}"


def _from(planet: str) -> str:
    return f" from {planet}" if planet else ""


# --- Move lines --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class EndMove:
    """Nothing, except that the move is made."""

    @property
    def text(self) -> str:
        """The canonical line: "End move"."""
        return "End move"


@dataclass(frozen=True, slots=True)
class Disband:
    """Units of both kinds, in the order written."""

    units: tuple[str, ...]

    @property
    def text(self) -> str:
        """The canonical line, such as "Disband F3, A5"."""
        return f"Disband {', '.join(self.units)}"


@dataclass(frozen=True, slots=True)
class DeclareWar:
    """War on a State."""

    state: str

    @property
    def text(self) -> str:
        """The canonical line, such as "Declare war on Zorg"."""
        return f"Declare war on {self.state}"


@dataclass(frozen=True, slots=True)
class Cancel:
    """The end of a trade treaty or of a military pact."""

    treaty: Literal["trade", "pact"]
    state: str

    @property
    def text(self) -> str:
        """The canonical line, such as "Cancel trade treaty with Zorg" or "Null military pact with Zorg"."""
        return f"{'Cancel' if self.treaty == 'trade' else 'Null'} {TREATY_WORDS[self.treaty]} with {self.state}"


@dataclass(frozen=True, slots=True)
class Gift:
    """Credits for a player."""

    credits: int
    state: str

    @property
    def text(self) -> str:
        """The canonical line, such as "Gift 5 credits to Zorg"."""
        return f"Gift {counted(self.credits, 'credit')} to {self.state}"


@dataclass(frozen=True, slots=True)
class Load:
    """Armies onto a fleet (then `planet` is ""), or a number of armies at a planet onto the fleets there (`fleet` is "")."""

    armies: Chosen
    fleet: str = ""
    planet: str = ""

    @property
    def text(self) -> str:
        """The canonical line, such as "Load A5 onto F3" or "Load 2 armies at Aquila"."""
        return f"Load {_called(self.armies, 'army')} " + (f"onto {self.fleet}" if self.fleet else f"at {self.planet}")


@dataclass(frozen=True, slots=True)
class Move:
    """Fleets to a planet. `origin` is the `from` planet or ""; a number of fleets always has one."""

    fleets: Chosen
    to: str
    origin: str = ""
    portal: bool = False

    @property
    def text(self) -> str:
        """The canonical line, such as "Move F3 to Aquila" or "Move 2 fleets from Bastion to Aquila by portal"."""
        return f"Move {_called(self.fleets, 'fleet')}{_from(self.origin)} to {self.to}{' by portal' * self.portal}"


@dataclass(frozen=True, slots=True)
class Trip:
    """Armies by portal to a planet. Without `origin`, an army that is aboard a fleet lands instead (section 6.3)."""

    armies: Chosen
    to: str
    origin: str = ""
    portal: bool = False

    @property
    def text(self) -> str:
        """The canonical line, such as "Move A5 from Bastion to Aquila by portal"."""
        return f"Move {_called(self.armies, 'army')}{_from(self.origin)} to {self.to}{' by portal' * self.portal}"


@dataclass(frozen=True, slots=True)
class Land:
    """Armies aboard fleets onto the planet below. `fleet` is the one that was named as carrying them, or ""."""

    armies: Chosen
    planet: str
    fleet: str = ""

    @property
    def text(self) -> str:
        """The canonical line, such as "Land A5 on Aquila" or "Move A5 from fleet F3 to Aquila"."""
        if self.fleet:
            return f"Move {_called(self.armies, 'army')} from fleet {self.fleet} to {self.planet}"
        return f"Land {_called(self.armies, 'army')} on {self.planet}"


@dataclass(frozen=True, slots=True)
class Bombard:
    """Fleets above a planet bombard it; all of them if none are named."""

    planet: str
    fleets: Chosen = ALL

    @property
    def text(self) -> str:
        """The canonical line, such as "Bombard Bastion with F3" or "Bombard Bastion with all fleets"."""
        return f"Bombard {self.planet} with {_called(self.fleets, 'fleet')}"


@dataclass(frozen=True, slots=True)
class Research:
    """A technology."""

    technology: str

    @property
    def text(self) -> str:
        """The canonical line, such as "Research Portal I"."""
        return f"Research {self.technology}"


@dataclass(frozen=True, slots=True)
class Build:
    """`number` new units at each of the planets."""

    kind: UnitKind
    planets: tuple[str, ...]
    number: int = 1

    @property
    def text(self) -> str:
        """The canonical line, such as "Build 2 armies at Aquila, Bastion"."""
        what = self.kind if self.number == 1 else f"{self.number} {_PLURALS[self.kind]}"
        return f"Build {what} at {', '.join(self.planets)}"


@dataclass(frozen=True, slots=True)
class Develop:
    """A new resource on a planet."""

    resource: str
    planet: str

    @property
    def text(self) -> str:
        """The canonical line, such as "Develop Mines on Aquila"."""
        return f"Develop {self.resource} on {self.planet}"


@dataclass(frozen=True, slots=True)
class Redevelop:
    """Another resource in the place of one on a planet."""

    old: str
    new: str
    planet: str

    @property
    def text(self) -> str:
        """The canonical line, such as "Redevelop Mines into Refinery on Aquila"."""
        return f"Redevelop {self.old} into {self.new} on {self.planet}"


@dataclass(frozen=True, slots=True)
class MoveCapital:
    """Another home planet."""

    planet: str

    @property
    def text(self) -> str:
        """The canonical line, such as "Move capital to Aquila"."""
        return f"Move capital to {self.planet}"


# --- Mail lines --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Offer:
    """Peace, a trade treaty or a pact, offered to a State."""

    treaty: Treaty
    state: str

    @property
    def text(self) -> str:
        """The canonical line, such as "Offer military pact to Zorg"."""
        return f"Offer {TREATY_WORDS[self.treaty]} to {self.state}"


@dataclass(frozen=True, slots=True)
class Accept:
    """Yes to a standing offer."""

    treaty: Treaty
    state: str

    @property
    def text(self) -> str:
        """The canonical line, such as "Accept peace from Zorg"."""
        return f"Accept {TREATY_WORDS[self.treaty]} from {self.state}"


@dataclass(frozen=True, slots=True)
class Decline:
    """No to a standing offer."""

    treaty: Treaty
    state: str

    @property
    def text(self) -> str:
        """The canonical line, such as "Decline trade treaty from Zorg"."""
        return f"Decline {TREATY_WORDS[self.treaty]} from {self.state}"


@dataclass(frozen=True, slots=True)
class Withdraw:
    """One's own offer is taken back."""

    treaty: Treaty
    state: str

    @property
    def text(self) -> str:
        """The canonical line, such as "Withdraw peace offer to Zorg"."""
        return f"Withdraw {TREATY_WORDS[self.treaty]} offer to {self.state}"


@dataclass(frozen=True, slots=True)
class Proclaim:
    """Who should win, a player; "" is nobody."""

    state: str

    @property
    def text(self) -> str:
        """The canonical line, such as "Proclaim Zorg winner" or "Proclaim nobody"."""
        return f"Proclaim {self.state} winner" if self.state else "Proclaim nobody"


MailOrder = Offer | Accept | Decline | Withdraw | Proclaim
MoveOrder = (
    EndMove
    | Disband
    | DeclareWar
    | Cancel
    | Gift
    | Load
    | Move
    | Trip
    | Land
    | Bombard
    | Research
    | Build
    | Develop
    | Redevelop
    | MoveCapital
)
Order = MailOrder | MoveOrder
MAIL_ORDERS: tuple[type[Any], ...] = (Offer, Accept, Decline, Withdraw, Proclaim)
"""Lines that a diplomatic mail can have (section 6.1); any other makes a mail a move."""


class Written(NamedTuple):
    """A checked order with full names, and the line as its player wrote it, blanks collapsed (what a failure quotes)."""

    order: Order
    line: str
