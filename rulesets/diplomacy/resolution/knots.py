"""Everything is decided: round by round, and what depends on itself by the rules for it (DI-56, DI-57).

What is decided while other decisions are open is right however those come out. So a round can only turn open decisions into
decided ones, and what comes of all rounds is the same in whatever order decisions are looked at: the least fixed point of the
equations. There are no more rounds than decisions.

What is then still open depends on itself. Of the decisions that depend on each other, those sets are taken that depend on
nothing else that is open, the knots:

- without a convoy in it, a knot is a ring of units that follow each other: all move (DI-56)
- in one with convoys, every way in which their routes can come out is tried. If just one satisfies the equations, this is no
  paradox, and the result; otherwise all these convoys are disrupted: Szykman's rule (DI-57; DATC 4.A.2)

In either case something is decided, and so it ends. All this follows chapter 5 of the Diplomacy Adjudicator Test Cases by L. B.
Kruijswijk, with the search for a single solution as in his "The Math of Adjudication".
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import product

from .equations import Decision, Field, What
from .pieces import Piece


def settle(field: Field) -> None:
    """Decide everything in the field. Mostly the first round is enough."""
    field.sweep += 1
    left: list[Piece] = []
    for piece in field.pieces:
        if piece.to:
            if field.moves(piece) is None or field.has_way(piece) is None:
                left.append(piece)
        elif piece.aim and field.gives(piece) is None:
            left.append(piece)
    if left:
        _settle(field, _still_open((what, piece) for what in _DECISIONS for piece in left))


_DECISIONS: tuple[What, ...] = ("moved", "given", "open")


def _settle(field: Field, left: Sequence[Decision]) -> None:
    while left:
        field.sweep += 1
        for decision in left:
            field.evaluate(decision)
        after = _still_open(left)
        if len(after) == len(left):
            for knot in _knots(field, left):
                _cut(field, knot)
            after = _still_open(left)
        left = after


def _still_open(decisions: Iterable[Decision]) -> list[Decision]:
    return [decision for decision in decisions if getattr(decision[1], decision[0]) is None]


def _knots(field: Field, left: Sequence[Decision]) -> list[list[Decision]]:
    """The sets of decisions that depend on each other, and on nothing else that is open."""
    asks = {decision: _asked_by(field, decision) for decision in left}
    reached = {decision: _reached_from(decision, asks) for decision in left}
    found: list[list[Decision]] = []
    done: set[Decision] = set()
    for decision in left:
        if decision not in done and all(decision in reached[other] for other in reached[decision]):
            knot = [other for other in left if other in reached[decision]]
            done.update(knot)
            found.append(knot)
    return found


def _asked_by(field: Field, decision: Decision) -> list[Decision]:
    """The open decisions that the equation of this one depends on."""
    field.sweep += 1
    for piece in field.pieces:
        piece.seen_moved = piece.seen_given = piece.seen_open = field.sweep
    what, piece = decision
    setattr(piece, f"seen_{what}", 0)
    field.asked = found = []
    field.evaluate(decision)
    field.asked = None
    return found


def _reached_from(start: Decision, asks: Mapping[Decision, Iterable[Decision]]) -> set[Decision]:
    found: set[Decision] = set()
    edge = [start]
    while edge:
        for other in asks[edge.pop()]:
            if other not in found:
                found.add(other)
                edge.append(other)
    return found


def _cut(field: Field, knot: Sequence[Decision]) -> None:
    """A ring moves; convoys come out in the only way they can, or are disrupted."""
    convoyed = [piece for what, piece in knot if what == "open"]
    if not convoyed:
        for what, piece in knot:
            if what == "moved":
                piece.moved = True
        return
    ways = [way for way in product((False, True), repeat=len(convoyed)) if _is_solution(field, knot, convoyed, way)]
    if len(ways) == 1:
        _put(convoyed, ways[0])
        return
    _put(convoyed, (False,) * len(convoyed))
    for piece in convoyed:
        piece.is_paradox = True


def _is_solution(field: Field, knot: Sequence[Decision], convoyed: Sequence[Piece], way: Sequence[bool]) -> bool:
    """Whether the equations yield the assumed routes. Afterwards everything is open again."""
    _put(convoyed, way)
    _settle(field, [decision for decision in knot if decision[0] != "open"])
    is_solution = all(field.has_route(piece) is has_way for piece, has_way in zip(convoyed, way, strict=True))
    for what, piece in knot:
        setattr(piece, what, None)
    return is_solution


def _put(convoyed: Sequence[Piece], way: Sequence[bool]) -> None:
    for piece, has_way in zip(convoyed, way, strict=True):
        piece.open = has_way
