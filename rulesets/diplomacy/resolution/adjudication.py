"""The adjudication of a movement phase: the orders as they can be carried out, the equations solved, and what became of each
order.

How it is solved, and why that ends, is explained in `knots`; the equations are in `equations`.
"""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from ..world.board import Board
from ..world.commands import Convoy, Hold, MoveOrder
from .equations import Field
from .knots import settle
from .legal import possible
from .pieces import Piece, carried_by, join

Result = Literal[
    "holds",
    "moves",
    "bounces",
    "no convoy",
    "supports",
    "cut",
    "void",
    "convoys",
    "disrupted",
    "unused",
    "in vain",
    "impossible",
]


class Order(NamedTuple):
    """A unit of a power, and what it is ordered to do."""

    power: str
    order: MoveOrder


class Adjudication(NamedTuple):
    """All units with what is decided, in the order of their orders, and the provinces left empty by a bounce."""

    field: Field
    contested: frozenset[str]

    @property
    def pieces(self) -> Sequence[Piece]:
        """The units."""
        return self.field.pieces

    def dislodger(self, piece: Piece) -> Piece | None:
        """Who dislodges the unit, None if nobody does."""
        return self.field.dislodger(piece)


def adjudicate(board: Board, orders: Sequence[tuple[str, MoveOrder]], *, land_fallback: bool = False) -> Adjudication:
    """Carry out the orders of a movement phase, one for each unit, with the powers that give them.

    With `land_fallback`, an army ordered by convoy to a province next to it goes by land if the convoy fails (DI-44): all is
    adjudicated again with those that were stranded going by land. There are no more rounds than armies.
    """
    there = {order.unit.place[:3]: order.unit for _, order in orders}
    by_land: set[str] = set()
    while True:
        pieces: list[Piece] = []
        for power, order in orders:
            found = possible(board, there, order, land_fallback)
            if isinstance(found, str):
                pieces.append(Piece(power, order, Hold(order.unit), found))
            else:
                pieces.append(Piece(power, order, found, ""))
        field = Field(board, pieces)
        join(board, field.at, by_land)
        settle(field)
        stranded = _stranded(board, pieces) if land_fallback else None
        if not stranded:
            return Adjudication(field, frozenset(field.contested()))
        by_land |= stranded


def _stranded(board: Board, pieces: Sequence[Piece]) -> set[str]:
    """The armies that found no route over sea, and could have gone by land."""
    return {piece.home for piece in pieces if not piece.open and piece.to in board.army_reach[piece.home]}


def result_of(field: Field, piece: Piece) -> tuple[Result, list[str]]:
    """What became of an order, and the provinces of those who caused it: who bounced the unit, cut its support, or dislodged
    the fleets of its convoy."""
    if piece.to:
        return ("moves", []) if piece.moved else _failed(field, piece)
    if piece.problem:
        return "impossible", []
    if piece.aim:
        return ("supports", []) if piece.given else ("cut", _cutters(field, piece))
    order = piece.legal
    if isinstance(order, Hold):
        return "holds", []
    if isinstance(order, Convoy) and piece in field.at[order.army.place[:3]].ferries:
        return _carried(field, piece, field.at[order.army.place[:3]])
    return "void", []


def _carried(field: Field, ferry: Piece, army: Piece) -> tuple[Result, list[str]]:
    """What became of a convoy for an army whose order goes there: the army may have gone by land, by other fleets, or have
    found no complete route."""
    if not army.convoyed:
        return "unused", []
    winner = field.dislodger(ferry)
    if winner:
        return "disrupted", [winner.home]
    if not army.open:
        return "in vain", []
    seas = [each.home for each in army.ferries if not field.dislodger(each)]
    return ("convoys" if carried_by(field.board, army, ferry, seas) else "unused"), []


def _cutters(field: Field, piece: Piece) -> list[str]:
    attackers = (attacker for attacker in field.into[piece.home] if attacker.power != piece.power)
    return sorted(each.home for each in attackers if (each.moved if each.home == piece.aim else each.open))


def _failed(field: Field, piece: Piece) -> tuple[Result, list[str]]:
    """Who stopped a move: an equally strong unit, in the goal or on its way there."""
    if not piece.open:
        return "no convoy", sorted(ferry.home for ferry in piece.ferries if field.dislodger(ferry))
    there = field.at.get(piece.to)
    attack = field.strength(piece) if there is None else field.attack(piece, there) or (0, 0)
    by = [other.home for other in field.into[piece.to] if other is not piece and field.prevention(other, there) >= attack]
    if there is not None and field.held(piece, there) >= attack:
        by.append(there.home)
    return "bounces", sorted(by)
