"""A right line for a player whose line was wrong: one that would be carried out for this player, in the place of the wrong one.

Each candidate is tried: put among the lines of the mail that stand, and the mail carried out as if its time were now. Nothing
goes into that which the player may not know: mails of others, and who has missed a deadline, are left out.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from difflib import get_close_matches
from itertools import islice, product
from typing import Any

from pbmd.rules import Dice, Status, fold
from pbmd.rules.checking import Fault

from ..orders import (
    MAIL_ORDERS,
    Accept,
    Bombard,
    Build,
    Cancel,
    DeclareWar,
    Decline,
    Develop,
    Disband,
    EndMove,
    Gift,
    Land,
    Load,
    Move,
    MoveCapital,
    Offer,
    Order,
    Proclaim,
    Redevelop,
    Research,
    Treaty,
    Trip,
    UnitKind,
    Withdraw,
    Written,
)
from ..resolution.diplomacy import diplomatic_mail
from ..resolve import resolve
from ..world.economy import has_portal
from ..world.names import NAME_FIELDS, Book
from ..world.state import Held, Position
from .judging import Checked, Frame, judged
from .reading import clean, read

_MOST_EXAMPLES = 100
"""Faulty lines of a mail that get a right example each: who wrote more of them reads no further."""
_MOST_TRIALS = 400
"""In all, for a mail: half a second, and enough for any that was written by hand."""
_TRIALS_OF_A_LINE = 60
_MOST_BESIDE = 60
"""Lines of a mail that a candidate is tried among; in a longer one it is tried alone."""
_NEAR = 3
"""Names that one may be meant to be."""
_MARK = "the line that is tried"
_TREATIES: tuple[Treaty, ...] = ("peace", "trade", "pact")
_KINDS: tuple[UnitKind, ...] = ("army", "fleet")
_HEADS: dict[str, type[Order]] = {
    **dict.fromkeys(("disband",), Disband),
    **dict.fromkeys(("declare", "war"), DeclareWar),
    **dict.fromkeys(("cancel", "null", "nullify", "break"), Cancel),
    **dict.fromkeys(("gift", "give", "send"), Gift),
    **dict.fromkeys(("load", "board", "embark"), Load),
    **dict.fromkeys(("land", "unload", "disembark"), Land),
    **dict.fromkeys(("move", "fly", "go"), Move),
    **dict.fromkeys(("teleport",), Trip),
    **dict.fromkeys(("bombard", "bomb", "attack"), Bombard),
    **dict.fromkeys(("research", "learn"), Research),
    **dict.fromkeys(("build", "create", "make", "train", "recruit"), Build),
    **dict.fromkeys(("develop",), Develop),
    **dict.fromkeys(("redevelop", "re-develop", "replace"), Redevelop),
    **dict.fromkeys(("offer", "propose"), Offer),
    **dict.fromkeys(("accept", "agree"), Accept),
    **dict.fromkeys(("decline", "refuse", "reject"), Decline),
    **dict.fromkeys(("withdraw",), Withdraw),
    **dict.fromkeys(("proclaim", "vote"), Proclaim),
}


class _BadLuck(Dice):
    """Dice that show the highest face: coins fall tails, so that nothing is proposed that needs luck (LC-R54)."""

    def _next(self, sides: int) -> int:
        return sides


@dataclass(slots=True)
class _Mail:
    """The mail whose lines are mended: the lines that stand by their places in it, and how many trials are left."""

    frame: Frame
    standing: dict[int, Written]
    trials: int = _MOST_TRIALS

    @property
    def beside(self) -> dict[int, Written]:
        """The lines that a candidate is tried among."""
        return self.standing if len(self.standing) <= _MOST_BESIDE else {}


def with_examples(checked: Checked) -> Checked:
    """The same, and behind what is wrong with a line a right one of its kind, or any."""
    orders = iter(checked.orders)
    right = [place for place, verdict in enumerate(checked.verdicts) if verdict.status is not Status.ERROR]
    mail = _Mail(checked.frame, dict(zip(right, orders, strict=True)))
    verdicts, examples = list(checked.verdicts), 0
    for place, verdict in enumerate(checked.verdicts):
        if verdict.status is Status.ERROR and examples < _MOST_EXAMPLES:
            examples += 1
            line = _right_line(mail, place, checked.read[place], verdict.text)
            verdicts[place] = verdict._replace(message=f"{verdict.message} Example: {line}")
    return replace(checked, verdicts=tuple(verdicts))


def _right_line(mail: _Mail, place: int, order: Order | None, text: str) -> str:
    for candidate in islice(_candidates(mail.frame, order, text), _TRIALS_OF_A_LINE):
        if mail.trials and _is_right(mail, place, candidate):
            return candidate.text
    return EndMove().text if mail.frame.is_move or not mail.standing else Proclaim(mail.frame.sender).text


def _is_right(mail: _Mail, place: int, order: Order) -> bool:
    """Whether the line, written there, has no fault and would be carried out."""
    known = tuple(w.order.technology for at, w in mail.standing.items() if at < place and isinstance(w.order, Research))
    found, faults = judged(mail.frame, Book(mail.frame.position, mail.frame.sender, known), read(clean(order.text)))
    if found != order or faults:
        return False
    mail.trials -= 1
    lines = {**mail.beside, place: Written(order, _MARK)}
    return _works(mail.frame, [lines[at] for at in sorted(lines)])


def _works(frame: Frame, lines: Sequence[Written]) -> bool:
    """Whether a mail is carried out without the marked line failing, for any unit."""
    position, sender = frame.position, frame.sender
    if all(isinstance(written.order, MAIL_ORDERS) for written in lines):
        reasons = diplomatic_mail(position, sender, lines).reasons
        return not any(reason for reason, written in zip(reasons, lines, strict=True) if written.line == _MARK)
    others = (player.name for player in position.players if player.name != sender)
    held = (Held(sender, (0, 0), tuple(lines)),)
    trial = replace(position, turn=frame.turn, waiting=(sender, *others), missed=(), held=held)
    return not any(
        event.kind == "order_failed" and event.data["line"] == _MARK for event in resolve(trial, _BadLuck()).events
    )  # fmt: skip


# --- Candidates ---------------------------------------------------------------------------------------------------------


def _candidates(frame: Frame, order: Order | None, text: str) -> Iterator[Order]:
    """What may be meant, the likeliest first: the same with its names mended, others of its kind, then what nearly always
    can be done."""
    meant: list[Order] = []
    if order is not None:
        meant = list(islice(_mended(frame, order), 12))
        yield from meant
    kind = type(order) if order is not None else _HEADS.get(clean(text).partition(" ")[0].casefold())
    if kind is not None:
        likest = meant[0] if meant else None
        yield from sorted(_POSSIBLE[kind](frame), key=lambda possible: -_alike(possible, likest))
    yield from _POSSIBLE[Build](frame)


def _alike(one: Order, other: Order | None) -> int:
    """In how much of what they say two orders of a kind are the same."""
    return sum(getattr(one, field.name) == getattr(other, field.name, None) for field in fields(one))


def _mended(frame: Frame, order: Order) -> Iterator[Order]:
    """The order with full names; for each that is not found, those that begin so, or are spelt most alike."""
    book = Book(frame.position, frame.sender)
    choices: list[list[Any]] = []
    names = [field.name for field in fields(order) if field.name in NAME_FIELDS and getattr(order, field.name)]
    for name in names:
        find, value = Book.proclaimed if isinstance(order, Proclaim) else NAME_FIELDS[name], getattr(order, name)
        if isinstance(value, tuple):
            several: Sequence[str] = value  # pyright: ignore[reportUnknownVariableType]
            choices.append(list(islice(product(*(_meant(book, find, one) for one in several)), 4)))
        else:
            choices.append(_meant(book, find, value))
    for chosen in product(*choices):
        yield replace(order, **dict(zip(names, chosen, strict=True))) if names else order


def _meant(book: Book, find: Callable[[Book, str], str], text: str) -> list[str]:
    """The full name, or what could be meant by it, the likest first."""
    try:
        return [find(book, text)]
    except Fault as fault:
        if fault.code == "ambiguous_name":
            return list(fault.names)
        folded = {fold(name): name for name in fault.names}
        return [folded[near] for near in get_close_matches(fold(text), folded, n=_NEAR)]


def _planets(frame: Frame) -> list[str]:
    return [planet.name for planet in frame.position.owned_by(frame.sender)]


def _others(frame: Frame) -> list[str]:
    return [state.name for state in frame.position.states if state.kind != "eliminated" and state.name != frame.sender]


def _rivals(frame: Frame) -> list[str]:
    return [player.name for player in frame.position.players if player.name != frame.sender]


def _armies(frame: Frame) -> Iterator[tuple[str, str, str]]:
    return ((army.id, army.planet, army.fleet) for army in frame.position.armies if army.owner == frame.sender)


def _fleets(frame: Frame) -> dict[str, str]:
    return {fleet.id: fleet.planet for fleet in frame.position.fleets if fleet.owner == frame.sender}


def _dealings(frame: Frame) -> Iterator[Order]:
    for state in _others(frame):
        relation = frame.position.relation(frame.sender, state)
        if relation.trade:
            yield Cancel("trade", state)
        if relation.pact:
            yield Cancel("pact", state)


def _offers(frame: Frame, *, own: bool) -> Iterator[tuple[Treaty, str]]:
    for offer in frame.position.offers:
        if frame.sender == (offer.by if own else offer.to):
            yield offer.treaty, offer.to if own else offer.by


def _trips(frame: Frame) -> Iterator[Order]:
    position: Position = frame.position
    gates = [planet.name for planet in position.planets if has_portal(position, planet.name)]
    for army, planet, _ in _armies(frame):
        if planet in gates:
            yield from (Trip((army,), gate, planet, portal=True) for gate in gates if gate != planet)


def _developments(frame: Frame) -> Iterator[Order]:
    resources = [row.name for row in frame.position.data.resource_rows]
    return (Develop(resource, planet) for planet in _planets(frame) for resource in resources)


def _redevelopments(frame: Frame) -> Iterator[Order]:
    resources = [row.name for row in frame.position.data.resource_rows]
    for planet in frame.position.owned_by(frame.sender):
        yield from (Redevelop(old, new, planet.name) for old in dict.fromkeys(planet.resources) for new in resources)


def _jumps(frame: Frame) -> Iterator[Order]:
    neighbours = frame.position.galaxy.neighbours
    return (Move((fleet,), to) for fleet, planet in _fleets(frame).items() for to in neighbours[planet])


def _boardings(frame: Frame) -> Iterator[Order]:
    fleets = _fleets(frame)
    return (Load((army,), fleet) for army, planet, _ in _armies(frame) for fleet, at in fleets.items() if at == planet)


def _landings(frame: Frame) -> Iterator[Order]:
    fleets = _fleets(frame)
    return (Land((army,), fleets[fleet]) for army, _, fleet in _armies(frame) if fleet)


def _disbandings(frame: Frame) -> Iterator[Order]:
    return (Disband((unit,)) for unit in (*_fleets(frame), *(army for army, _, _ in _armies(frame))))


_POSSIBLE: Mapping[type[Any], Callable[[Frame], Iterable[Order]]] = {
    EndMove: lambda _: [EndMove()],
    Disband: _disbandings,
    DeclareWar: lambda frame: map(DeclareWar, _others(frame)),
    Cancel: _dealings,
    Gift: lambda frame: (Gift(1, state) for state in _rivals(frame)),
    Load: _boardings,
    Land: _landings,
    Move: _jumps,
    Trip: _trips,
    Bombard: lambda frame: (Bombard(planet, (fleet,)) for fleet, planet in _fleets(frame).items()),
    Research: lambda frame: (Research(row.name) for row in frame.position.data.technology_rows),
    Build: lambda frame: (Build(kind, (planet,)) for planet in _planets(frame) for kind in _KINDS),
    Develop: _developments,
    Redevelop: _redevelopments,
    MoveCapital: lambda frame: map(MoveCapital, _planets(frame)),
    Offer: lambda frame: (Offer(treaty, state) for state in _others(frame) for treaty in _TREATIES),
    Accept: lambda frame: (Accept(*offer) for offer in _offers(frame, own=False)),
    Decline: lambda frame: (Decline(*offer) for offer in _offers(frame, own=False)),
    Withdraw: lambda frame: (Withdraw(*offer) for offer in _offers(frame, own=True)),
    Proclaim: lambda frame: map(Proclaim, (frame.sender, *_rivals(frame))),
}
