"""The static checks of a mail (section 6.3): everything that can be wrong with a line before its move is made."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from pbmd.rules import Line, Mail
from pbmd.rules.advice import as_written
from pbmd.rules.checking import Fault

from ..orders import (
    MAIL_ORDERS,
    Accept,
    Bombard,
    Cancel,
    DeclareWar,
    Decline,
    Disband,
    Gift,
    Land,
    Load,
    Move,
    MoveCapital,
    Offer,
    Order,
    Proclaim,
    Research,
    Trip,
    Withdraw,
    Written,
)
from ..world.names import Book, with_full_names
from ..world.state import Position, StateKind
from .reading import clean, read

_DEALINGS = (Offer, Accept, Decline, Withdraw, DeclareWar, Cancel, Gift)
_NOT_IN_TURN_0 = (Disband, Load, Move, Trip, Land, Bombard, Research, MoveCapital)
_UNIT_FIELDS = ("units", "armies", "fleets", "fleet")


@dataclass(frozen=True, slots=True)
class Frame:
    """The context in which the lines of a mail are judged: as parts of a move or not, for the Turn in which they will be
    carried out.

    `asks` says whether offers to NPC States are mistakes in it.
    """

    position: Position
    sender: str
    is_move: bool
    asks: bool

    @property
    def turn(self) -> int:
        """The Turn in which the mail is carried out: this one, or the next for a player who has already moved."""
        position = self.position
        late = self.sender not in position.waiting or self.sender in position.missed
        return position.turn + 1 if self.is_move and late else position.turn


class Judgement(NamedTuple):
    """A line of a mail: what it says, None if it cannot be read, the order with full names, and what is wrong with it."""

    line: Line
    read: Order | None
    order: Order | None
    faults: Sequence[Fault]


@dataclass(frozen=True)
class Checked:
    """A mail, checked: its lines in the order written."""

    frame: Frame
    lines: tuple[Judgement, ...]

    @cached_property
    def standing(self) -> Mapping[int, Written]:
        """The accepted orders, by their places."""
        return {
            place: Written(order, " ".join(line.text.split()))
            for place, (line, _, order, faults) in enumerate(self.lines)
            if order and not faults
        }

    @property
    def orders(self) -> tuple[Written, ...]:
        """The accepted orders."""
        return tuple(self.standing.values())

    @property
    def faulty(self) -> bool:
        """Whether a line is faulty."""
        return any(line.faults for line in self.lines)


def check_mail(position: Position, mail: Mail) -> Checked:
    """Check the lines of a mail. A mail is a move if one of its lines is; with `strict_mails` off, if an accepted one is."""
    lines = [(line, clean(line.text)) for line in mail.lines]
    read_lines = [(line, read(text)) for line, text in lines if text]
    has_move = any(order is not None and not isinstance(order, MAIL_ORDERS) for _, order in read_lines)
    # A line that cannot be read may be a move line, so nothing is said then about what only a move may have.
    unread = position.options.strict_mails and any(order is None for _, order in read_lines)
    checked = _check(Frame(position, mail.seat, has_move, asks=not has_move and not unread), read_lines)
    stands = any(not isinstance(written.order, MAIL_ORDERS) for written in checked.orders)
    if has_move and not stands and not position.options.strict_mails:
        return _check(Frame(position, mail.seat, is_move=False, asks=True), read_lines)
    return checked


def _check(frame: Frame, lines: Sequence[tuple[Line, Order | None]]) -> Checked:
    found: list[Judgement] = []
    researched: list[str] = []
    for line, said in lines:
        order, faults = judged(frame, Book(frame.position, frame.sender, tuple(researched)), said)
        if said is None:
            faults = [Fault(as_written("this is no order", clean(line.text), _SHAPES), "syntax")]
        if isinstance(order, Research) and not faults:
            researched.append(order.technology)
        found.append(Judgement(line, said, order, faults))
    return Checked(frame, tuple(found))


_SHAPES: Mapping[str, str] = {
    **dict.fromkeys(("move", "fly", "jump", "fleet", "fleets", "send"), "Move <fleet> from <planet> to <planet>"),
    **dict.fromkeys(("load", "board", "embark"), "Load <army> onto <fleet>"),
    **dict.fromkeys(("land", "unload", "invade", "attack"), "Land <army> on <planet>"),
    **dict.fromkeys(("build", "create", "buy"), "Build army at <planet>"),
    **dict.fromkeys(("redevelop", "replace"), "Redevelop <resource> into <resource> on <planet>"),
    "develop": "Develop <resource> on <planet>",
    "research": "Research <technology>",
    "bombard": "Bombard <planet> with <fleet>",
    "disband": "Disband <unit>",
    **dict.fromkeys(("offer", "propose", "make", "peace", "trade", "pact"), "Offer peace to <State>"),
    **dict.fromkeys(("accept", "decline"), "Accept trade treaty from <State>"),
    **dict.fromkeys(("gift", "give"), "Gift <number> credits to <State>"),
    **dict.fromkeys(("declare", "war"), "Declare war on <State>"),
    **dict.fromkeys(("end", "nothing", "pass"), "End move"),
}
"""How orders are written, by the words that tell which one is meant."""


def judged(frame: Frame, book: Book, order: Order | None) -> tuple[Order | None, list[Fault]]:
    """The order with full names, and what is wrong with it."""
    if order is None:
        return None, [Fault("this is no order", "syntax")]
    found, faults = with_full_names(book, order)
    faults += _unit_faults(frame, found)
    return found, faults or _other_faults(frame, found)


def _unit_faults(frame: Frame, order: Order) -> list[Fault]:
    units: list[str] = []
    for field in _UNIT_FIELDS:
        value = getattr(order, field, "")
        units += value if isinstance(value, tuple) else [value] if isinstance(value, str) and value else []
    owners = {unit: frame.position.fleet(unit) or frame.position.army(unit) for unit in units}
    strange = [unit for unit, found in owners.items() if found is None or found.owner != frame.sender]
    return [Fault(f"you have no unit {unit}", "unknown_unit") for unit in strange]


def _other_faults(frame: Frame, order: Order) -> list[Fault]:
    if isinstance(order, _DEALINGS):
        return _dealing_faults(frame, order.state, asks=frame.asks and isinstance(order, Offer))
    if frame.turn == 0 and isinstance(order, _NOT_IN_TURN_0):
        return [Fault("Turn 0 is for building, developing and diplomacy between players", "wrong_phase")]
    if isinstance(order, Proclaim) and order.state and _kind_of(frame, order.state) != "player":
        return [Fault(f"{order.state} is not a player's nation", "not_a_player")]
    return []


def _dealing_faults(frame: Frame, state: str, *, asks: bool) -> list[Fault]:
    """What is wrong with dealing with that State at all; `asks` means an offer where NPC States accept none."""
    if state == frame.sender:
        return [Fault(f"{state} is your own nation", "own_state")]
    if _kind_of(frame, state) != "npc":
        return []
    if frame.turn == 0:
        return [Fault(f"{state} is an NPC State, and Turn 0 is for diplomacy between players", "wrong_phase")]
    if asks:
        return [Fault(f"{state} is an NPC State and asked only in a move, beside a line of a move", "npc_only_in_move")]
    return []


def _kind_of(frame: Frame, state: str) -> StateKind | None:
    """None if there is no such State."""
    found = frame.position.by_name.get(state)
    return found.kind if found else None
