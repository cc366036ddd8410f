"""The rules once more, as plainly as they can be said: what follows from who moves. Slow, and nothing of it is shared.

Given for each move whether it succeeds, everything else follows: who is dislodged, which convoys have a route, which supports
are cut, and so for each move again whether it succeeds. An outcome is a solution if the two agree.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from rulesets.diplomacy.resolution.adjudication import Order
from rulesets.diplomacy.world.board import Board
from rulesets.diplomacy.world.commands import Convoy, Move, SupportHold, SupportMove
from rulesets.diplomacy.world.units import Unit

Moved = frozenset[str]
"""The provinces whose units get where they are ordered to go."""


@dataclass
class Actor:
    """A unit, and what it really does."""

    power: str
    unit: Unit
    goal: str = ""
    coast: str = ""
    by_sea: bool = False
    carriers: tuple[str, ...] = ()
    backs: tuple[str, str] | None = None
    """The province whose unit it supports, and for which province."""


class Rules:
    """The orders of one phase."""

    def __init__(self, board: Board, orders: Sequence[Order]) -> None:
        self.board = board
        self.actors = {each.order.unit.province: Actor(each.power, each.order.unit) for each in orders}
        self.seas = [p for p, actor in self.actors.items() if board.by_id[p].kind == "sea"]
        for _, order in orders:
            if isinstance(order, Move):
                self._moves(self.actors[order.unit.province], order)
        for _, order in orders:
            if isinstance(order, Convoy):
                self._carries(order)
        for actor in self.actors.values():
            if actor.goal and actor.unit.kind == "A" and not actor.by_sea:
                actor.by_sea = self._shows_intent(actor)
        for _, order in orders:
            if isinstance(order, SupportHold | SupportMove):
                self._backs(order)

    def _chain(self, home: str, to: str, seas: Iterable[str]) -> bool:
        """Whether these seas join the two coasts."""
        left, edge = set(seas), {home}
        while edge:
            edge = {sea for sea in left if any(self._next_to(near, sea) for near in edge)}
            if any(to in self.board.touching[sea] for sea in edge):
                return True
            left -= edge
        return False

    def _next_to(self, near: str, sea: str) -> bool:
        return near in self.board.touching[sea]

    def _moves(self, actor: Actor, order: Move) -> None:
        home, to = order.unit.province, order.to[:3]
        if home == to:
            return
        if order.unit.kind == "F":
            reach = [place for place in self.board.fleet_reach[order.unit.place] if place[:3] == to]
            named = [place for place in reach if place == order.to] or (reach if order.to == to and len(reach) == 1 else [])
            if named:
                actor.goal, actor.coast = to, named[0]
            return
        beside = to in self.board.by_id[home].army
        coastal = self.board.by_id[home].kind == self.board.by_id[to].kind == "coast"
        if beside and not order.via:
            actor.goal = actor.coast = to
        elif coastal and self._chain(home, to, self.seas):
            actor.goal = actor.coast = to
            actor.by_sea = True

    def _carries(self, order: Convoy) -> None:
        army = self.actors.get(order.army.province)
        if army and army.unit.kind == "A" and army.goal == order.to[:3] and order.unit.place in self.seas:
            army.carriers += (order.unit.place,)

    def _shows_intent(self, actor: Actor) -> bool:
        """Some smallest set of fleets at sea that would do has a carrier of the army's own power, ordered to carry it or
        not."""
        own = [sea for sea in actor.carriers if self.actors[sea].power == actor.power]
        if not own:
            return False
        home, to = actor.unit.province, actor.goal
        routes = [route for route in self._routes(home, ()) if to in self.board.touching[route[-1]]]
        smallest = [
            route for route in routes if not any(self._chain(home, to, [sea for sea in route if sea != left]) for left in route)
        ]
        return any(sea in route for route in smallest for sea in own)

    def _routes(self, home: str, route: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        """All ways by sea from there, on which no sea comes twice."""
        for sea in self.seas:
            if sea not in route and self._next_to(route[-1] if route else home, sea):
                yield (*route, sea)
                yield from self._routes(home, (*route, sea))

    def _backs(self, order: SupportHold | SupportMove) -> None:
        actor = self.actors[order.unit.province]
        target = order.target if isinstance(order, SupportHold) else order.mover
        goal = target.province if isinstance(order, SupportHold) else order.to[:3]
        reach = self.board.army_reach if order.unit.kind == "A" else self.board.fleet_reach
        helped = self.actors.get(target.province)
        if helped is None or goal not in [place[:3] for place in reach[order.unit.place]]:
            return
        if isinstance(order, SupportHold):
            if not helped.goal:
                actor.backs = target.province, goal
        elif helped.goal == goal and (helped.unit.kind == "A" or order.to in (goal, helped.coast)):
            actor.backs = target.province, goal

    # --- What follows ----------------------------------------------------------------------------------------------------

    @property
    def movers(self) -> list[str]:
        """The provinces whose units move."""
        return [home for home, actor in self.actors.items() if actor.goal]

    def into(self, province: str) -> Iterator[str]:
        """Whence units move there."""
        return (home for home in self.movers if self.actors[home].goal == province)

    def follows(self, moved: Moved, stopped: Iterable[str] = ()) -> tuple[Moved, frozenset[str], frozenset[str]]:
        """Whose move succeeds, whose support is given, and who has a way, if those moves succeed; `stopped` have none."""
        lost = {home for home in self.actors if home not in moved and any(other in moved for other in self.into(home))}
        ways = frozenset(home for home in self.movers if home not in stopped and self._has_way(home, lost))
        backed = frozenset(home for home, actor in self.actors.items() if actor.backs and self._is_given(home, moved, ways))
        return frozenset(home for home in ways if self._succeeds(home, moved, backed, ways)), backed, ways

    def _has_way(self, home: str, lost: Iterable[str]) -> bool:
        actor = self.actors[home]
        return not actor.by_sea or self._chain(home, actor.goal, set(actor.carriers) - set(lost))

    def _is_given(self, home: str, moved: Moved, ways: frozenset[str]) -> bool:
        backs = self.actors[home].backs
        assert backs is not None
        attackers = [other for other in self.into(home) if self.actors[other].power != self.actors[home].power]
        return not any(other in moved or (other in ways and other != backs[1]) for other in attackers)

    def _strength(self, home: str, backed: frozenset[str], but: str = "") -> int:
        own = self.actors[home].goal or home
        helpers = [other for other in backed if self.actors[other].backs == (home, own)]
        return 1 + sum(self.actors[other].power != but for other in helpers)

    def _faces(self, one: str, other: str) -> bool:
        first, second = self.actors[one], self.actors.get(other)
        return second is not None and first.goal == other and second.goal == one and not first.by_sea and not second.by_sea

    def _succeeds(self, home: str, moved: Moved, backed: frozenset[str], ways: frozenset[str]) -> bool:
        actor = self.actors[home]
        there = self.actors.get(actor.goal)
        attack, hold = self._strength(home, backed), 0
        if there is not None and (actor.goal not in moved or self._faces(home, actor.goal)):
            if there.power == actor.power:
                return False
            attack = self._strength(home, backed, but=there.power)
            stays = not there.goal or self._faces(home, actor.goal)
            hold = self._strength(actor.goal, backed) if stays else 1
        rivals = [other for other in self.into(actor.goal) if other != home and other in ways]
        prevented = [
            self._strength(other, backed) for other in rivals if not (self._faces(other, actor.goal) and actor.goal in moved)
        ]
        return attack > max([hold, *prevented])

    def solutions(self) -> list[Moved]:
        """All outcomes that follow from themselves."""
        movers = self.movers
        found: list[Moved] = []
        for chosen in product((False, True), repeat=len(movers)):
            moved = frozenset(home for home, succeeds in zip(movers, chosen, strict=True) if succeeds)
            if self.follows(moved)[0] == moved:
                found.append(moved)
        return found
