"""The equations of the rules: what makes a move succeed, cuts a support, and leaves a convoy a route (DI-43, DI-50 to DI-56).

A decision is yes, no, or None while it is open. The equations use intervals: minimum and maximum strengths, whatever becomes of
the open decisions.
"""

from collections.abc import Sequence
from typing import Literal

from ..world.board import Board
from .pieces import Piece, faces

What = Literal["moved", "given", "open"]
Decision = tuple[What, Piece]
"""A decision, and its unit."""


class Field:
    """All units of a movement phase, and the equations between them. `sweep` counts the rounds: in each a decision is looked at
    once. `asked` collects the open decisions that an equation depends on, while it is traced."""

    def __init__(self, board: Board, pieces: Sequence[Piece]) -> None:
        self.board = board
        self.pieces = pieces
        self.at = {piece.home: piece for piece in pieces}
        self.into: dict[str, list[Piece]] = {}
        self.sweep = 0
        self.asked: list[Decision] | None = None
        for piece in pieces:
            if piece.to:
                self.into.setdefault(piece.to, []).append(piece)

    def moves(self, piece: Piece) -> bool | None:
        """Whether the unit reaches the place it is ordered to."""
        if piece.moved is None:
            if piece.seen_moved != self.sweep:
                piece.seen_moved = self.sweep
                piece.moved = self._moves(piece)
            elif self.asked is not None:
                self.asked.append(("moved", piece))
        return piece.moved

    def gives(self, piece: Piece) -> bool | None:
        """Whether the support of the unit is not cut."""
        if piece.given is None:
            if piece.seen_given != self.sweep:
                piece.seen_given = self.sweep
                piece.given = self._gives(piece)
            elif self.asked is not None:
                self.asked.append(("given", piece))
        return piece.given

    def has_way(self, piece: Piece) -> bool | None:
        """Whether the army by convoy has a route; by land there always is a way."""
        if piece.open is None:
            if piece.seen_open != self.sweep:
                piece.seen_open = self.sweep
                piece.open = self.has_route(piece)
            elif self.asked is not None:
                self.asked.append(("open", piece))
        return piece.open

    def evaluate(self, decision: Decision) -> bool | None:
        """One round of this equation."""
        what, piece = decision
        if what == "moved":
            return self.moves(piece)
        return self.gives(piece) if what == "given" else self.has_way(piece)

    def strength(self, piece: Piece, without: str = "") -> tuple[int, int]:
        """One, and one more for each support that is given, except by the power `without`: minimum and maximum (DI-50)."""
        if not piece.helpers:
            return 1, 1
        least = most = 1
        for helper in piece.helpers:
            if helper.power != without:
                given = self.gives(helper)
                if given is not False:
                    most += 1
                    if given:
                        least += 1
        return least, most

    def _moves(self, piece: Piece) -> bool | None:
        """The attack is stronger than what holds the province, and than what prevents every other move into it (DI-51)."""
        way = piece.open or self.has_way(piece)
        if way is False:
            return False
        there = self.at.get(piece.to)
        if there is None:
            if len(self.into[piece.to]) == 1:
                return way
            least, most = self.strength(piece)
            held = (0, 0)
        else:
            attack = self.attack(piece, there)
            if attack is None:
                return False
            least, most = attack
            held = self.held(piece, there)
        if most <= held[0]:
            return False
        if way is None:
            least = 0
        sure = least > held[1]
        for rival in self.into[piece.to]:
            if rival is not piece:
                weakest, strongest = self.prevention(rival, there)
                if most <= weakest:
                    return False
                if least <= strongest:
                    sure = False
        return True if sure else None

    def attack(self, piece: Piece, there: Piece) -> tuple[int, int] | None:
        """The strength of an attack on whoever is there: nobody dislodges a unit of their own power, or helps to dislodge
        of theirs (DI-53). None for no attack at all."""
        leaves = self.moves(there) if there.to and not faces(piece, there) else False
        if leaves:
            return self.strength(piece)
        own = piece.power == there.power
        if leaves is False:
            return None if own else self.strength(piece, there.power)
        least = 0 if own else self.strength(piece, there.power)[0]
        return least, self.strength(piece)[1]

    def held(self, piece: Piece, there: Piece) -> tuple[int, int]:
        """What holds a province against the move (DI-52): of units that move against each other, the whole strength of the
        other; of others on the move, one if they do not get away."""
        if not there.to or faces(piece, there):
            return self.strength(there)
        leaves = self.moves(there)
        return (0, 1) if leaves is None else (0, 0) if leaves else (1, 1)

    def prevention(self, rival: Piece, there: Piece | None) -> tuple[int, int]:
        """What another move into the same province has against the move (DI-54): nothing if it has no route, or if the unit
        it moves against has pushed it back."""
        way = rival.open or self.has_way(rival)
        if way is False:
            return 0, 0
        beaten = self.moves(there) if there is not None and faces(rival, there) else False
        if beaten:
            return 0, 0
        least, most = self.strength(rival)
        return (0 if way is None or beaten is None else least), most

    def _gives(self, piece: Piece) -> bool | None:
        """A support is cut by every attack of another power, except one from the province it is aimed at: that must dislodge
        (DI-35)."""
        found: bool | None = True
        for attacker in self.into.get(piece.home, ()):
            if attacker.power != piece.power:
                cut = self.moves(attacker) if attacker.home == piece.aim else self.has_way(attacker)
                if cut:
                    return False
                if cut is None:
                    found = None
        return found

    def has_route(self, piece: Piece) -> bool | None:
        """Whether fleets that are not dislodged make a chain (DI-43)."""
        safe: list[str] = []
        perhaps: list[str] = []
        for ferry in piece.ferries:
            lost = self._dislodged(ferry)
            if lost is None:
                perhaps.append(ferry.home)
            elif not lost:
                safe.append(ferry.home)
        if self.board.goes_by_sea(piece.home, piece.to, safe):
            return True
        return None if perhaps and self.board.goes_by_sea(piece.home, piece.to, [*safe, *perhaps]) else False

    def _dislodged(self, ferry: Piece) -> bool | None:
        found: bool | None = False
        for attacker in self.into.get(ferry.home, ()):
            moved = self.moves(attacker)
            if moved:
                return True
            if moved is None:
                found = None
        return found

    # --- Results --------------------------------------------------------------------------------------------------------------

    def contested(self) -> set[str]:
        """Provinces that a bounce has left empty (DI-61). It takes two moves: nothing stops one into an empty province."""
        found: set[str] = set()
        for province, movers in self.into.items():
            if len(movers) > 1 and not any(piece.moved for piece in movers):
                there = self.at.get(province)
                if (there is None or there.moved) and any(self.prevention(piece, there)[0] for piece in movers):
                    found.add(province)
        return found

    def dislodger(self, piece: Piece) -> Piece | None:
        """Who dislodges the unit, None if nobody does."""
        if piece.home in self.into and not piece.moved:
            for attacker in self.into[piece.home]:
                if attacker.moved:
                    return attacker
        return None
