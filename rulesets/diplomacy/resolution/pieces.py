"""Units with their orders, linked by who supports and who carries whom: what the equations are made of (DI-30 to DI-44)."""

from collections.abc import Collection, Mapping

from ..world.board import Board
from ..world.commands import Convoy, Move, MoveOrder, SupportHold, SupportMove
from .legal import Problem


class Piece:
    """A unit with its order, and what is decided of it: `moved`, whether its move succeeds, `given`, whether its support is not
    cut, `open`, whether there is a way for its move. None is not decided yet.

    `legal` is the order as it can be carried out, `problem` why it cannot be. `to` is the province to which it moves, "" if it
    does not; `aim` the one for which its support counts, "" where nobody does what it supports; `helpers` give it support,
    `ferries` carry it. It is `convoyed` if it goes by sea, and `is_paradox` says that Szykman's rule has disrupted its convoy.
    `seen_…` are the rounds in which each was looked at last.
    """

    to = ""
    aim = ""
    moved: bool | None = False
    given: bool | None = False
    open: bool | None = True
    convoyed = False
    is_paradox = False
    helpers: tuple["Piece", ...] = ()
    ferries: tuple["Piece", ...] = ()
    seen_moved = seen_given = seen_open = 0

    def __init__(self, power: str, order: MoveOrder, legal: MoveOrder, problem: Problem) -> None:
        self.power = power
        self.order = order
        self.legal = legal
        self.problem: Problem = problem
        self.home = order.unit.place[:3]
        if isinstance(legal, Move):
            self.to = legal.to[:3]
            self.moved = None


_SUPPORTS = (SupportHold, SupportMove)


def faces(piece: Piece, there: Piece) -> bool:
    """Whether two units move against each other, neither of them by convoy (DI-55)."""
    return there.to == piece.home and not piece.convoyed and not there.convoyed


def join(board: Board, at: Mapping[str, Piece], by_land: Collection[str] = ()) -> None:
    """Find out who helps whom, and who goes by sea: not the armies in the provinces `by_land`, which can walk."""
    armies: list[Piece] = []
    for piece in at.values():
        order = piece.legal
        if piece.to:
            if order.unit.kind == "A" and piece.home not in by_land:
                armies.append(piece)
        elif isinstance(order, _SUPPORTS):
            _support(piece, order, at)
        elif isinstance(order, Convoy):
            army = at[order.army.place[:3]]
            if army.to and army.to == order.to[:3]:
                army.ferries += (piece,)
    for piece in armies:
        _send(board, at, piece)


def _support(piece: Piece, order: SupportHold | SupportMove, at: Mapping[str, Piece]) -> None:
    """Supports count for units that do what they name (DI-33, DI-34)."""
    if isinstance(order, SupportHold):
        helped = at[order.target.place[:3]]
        aim = helped.home
        matches = not helped.to
    else:
        helped = at[order.mover.place[:3]]
        aim = order.to[:3]
        matches = helped.to == aim and _same_coast(order.to, helped.legal)
    if matches:
        piece.aim, piece.given = aim, None
        helped.helpers += (piece,)


def _same_coast(named: str, order: MoveOrder) -> bool:
    """A support that names a coast is for a move to that coast; to armies coasts do not matter (DI-34; DATC 4.B.4)."""
    return len(named) == 3 or order.unit.kind == "A" or (isinstance(order, Move) and order.to == named)


def _send(board: Board, at: Mapping[str, Piece], piece: Piece) -> None:
    """Whether an army goes by convoy, and whether anybody carries it (DI-41 to DI-43)."""
    if piece.to in board.army_reach[piece.home]:
        by_order = isinstance(piece.legal, Move) and piece.legal.via
        if not by_order and not (piece.ferries and _is_meant(board, at, piece)):
            return
    piece.convoyed = True
    piece.open = None if board.goes_by_sea(piece.home, piece.to, [ferry.home for ferry in piece.ferries]) else False


def _is_meant(board: Board, at: Mapping[str, Piece], piece: Piece) -> bool:
    """Whether a fleet of the army's own power is ordered to carry it on a route that would not exist without it, of fleets at
    sea, whatever the others are ordered to do (DI-42; DATC 4.A.3, 6.G.6, 6.G.19)."""
    own = [ferry.home for ferry in piece.ferries if ferry.power == piece.power]
    seas = [sea for sea in board.touching if sea in at and at[sea].order.unit.kind == "F"]
    return bool(own) and _goes_through(board, piece, seas, own)


def carried_by(board: Board, piece: Piece, ferry: Piece, seas: Collection[str]) -> bool:
    """Whether that fleet is needed on one of the routes of an army by the fleets in these seas."""
    return _goes_through(board, piece, seas, (ferry.home,))


def _goes_through(board: Board, piece: Piece, seas: Collection[str], some: Collection[str]) -> bool:
    """Whether a route through these seas uses one of `some`, with no sea that could be left out."""
    touching = board.touching

    def goes_on(route: tuple[str, ...]) -> bool:
        last = route[-1]
        if piece.to in touching[last]:
            return any(sea in some for sea in route)
        return any(
            goes_on((*route, sea))
            for sea in seas
            if sea in touching[last] and piece.home not in touching[sea] and not any(sea in touching[old] for old in route[:-1])
        )

    return any(goes_on((sea,)) for sea in seas if piece.home in touching[sea])
