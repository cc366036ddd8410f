"""Phase 1: spies are trained, posted and sent (SO-64 to SO-75, SO-R27 to SO-R37)."""

from collections import Counter
from dataclasses import dataclass, field
from typing import NamedTuple

from ..orders import Defend, Function, SendSpies, Step, phase_of, step_of
from ..tables import NEEDS
from .turn import Turn

_STEPS_ORDERED: tuple[Step, ...] = ("research", "military", "cities", "wonders")


class _Post(NamedTuple):
    """The function that a society defends, or that is stopped."""

    society: str
    function: Function


@dataclass(slots=True)
class _Spy:
    """A spy on its way: its owner, the place of its order, and whether it has still to act."""

    owner: str
    place: int
    order: SendSpies
    live: bool = True


@dataclass(slots=True)
class _Board:
    """The spies in the order in which they act, defenders posted and left, spies stopped by them, and those who got through
    or did not, by owner and place of the order."""

    spies: list[_Spy] = field(default_factory=list[_Spy])
    posted: Counter[_Post] = field(default_factory=Counter[_Post])
    left: Counter[_Post] = field(default_factory=Counter[_Post])
    stopped: Counter[_Post] = field(default_factory=Counter[_Post])
    through: Counter[tuple[str, int]] = field(default_factory=Counter[tuple[str, int]])
    not_through: Counter[tuple[str, int]] = field(default_factory=Counter[tuple[str, int]])


def train(turn: Turn) -> None:
    """Step 1a. With `on_training` a spy over the limit is not trained at all."""
    for name in turn.acting:
        if turn.obstacle(name, "espionage"):
            continue
        society = turn.society(name)
        count = int(society.tech >= NEEDS["spies"]) + int(turn.now.has_active(name, "Trojan Horse"))
        if turn.options.spy_cap_when == "on_training":
            count = max(0, min(count, turn.options.spy_stock_max - society.spies))
        if count:
            turn.trained[name] = count
            turn.change(name, spies=society.spies + count)
            turn.tell_alone("spies_trained", name, {"count": count})


def spy(turn: Turn) -> None:
    """Step 1b: all defenders are posted, then spies act one by one (SO-R29); finally the stocks are capped (SO-R27)."""
    board = _Board()
    for name in turn.acting:
        _allot(turn, board, name)
    board.left = board.posted.copy()
    for agent in board.spies:
        if agent.live:
            _act(turn, board, agent)
    _tell(turn, board)
    for name in turn.acting:
        surplus = turn.society(name).spies - turn.options.spy_stock_max
        if surplus > 0:
            turn.change(name, spies=turn.options.spy_stock_max)
            turn.tell_alone("spies_lost", name, {"count": surplus})


def _allot(turn: Turn, board: _Board, name: str) -> None:
    """Spies for the lines in order, as far as they go (SO-R28). Defenders are used up by being posted (SO-73)."""
    left = turn.society(name).spies
    for place, order in turn.doable(name, "espionage", SendSpies, Defend):
        count = min(order.count, left)
        left -= count
        if count < order.count:
            turn.fail(name, place, "no_spy", order.count - count)
        if isinstance(order, SendSpies):
            board.spies += [_Spy(name, place, order) for _ in range(count)]
        elif count:
            board.posted[_Post(name, order.function)] += count
            turn.change(name, spies=turn.society(name).spies - count)


def _act(turn: Turn, board: _Board, agent: _Spy) -> None:
    """The tests for one spy in their order (SO-R31)."""
    agent.live = False
    if _negated(turn, agent.owner):
        turn.fail(agent.owner, agent.place, "espionage_negated", 1)
        return
    met = _mutual(turn, board, agent)
    for used in (agent, *met):
        used.live = False
        turn.change(used.owner, spies=turn.society(used.owner).spies - 1)
    for stopped in (agent, *met) if met else ():
        board.not_through[stopped.owner, stopped.place] += 1
    if not met:
        tally = board.through if _gets_through(turn, board, agent.order) else board.not_through
        tally[agent.owner, agent.place] += 1


def _mutual(turn: Turn, board: _Board, agent: _Spy) -> list[_Spy]:
    """The spies that are lost together with this one: the first that comes the other way, or all between the two (SO-R30)."""
    target = agent.order.target
    if _negated(turn, target):
        return []
    live = [spy for spy in board.spies if spy.live]
    coming = [spy for spy in live if (spy.owner, spy.order.target) == (target, agent.owner)]
    if turn.options.mutual_spies == "pairwise" or not coming:
        return coming[:1]
    return [*coming, *(spy for spy in live if (spy.owner, spy.order.target) == (agent.owner, target))]


def _gets_through(turn: Turn, board: _Board, order: SendSpies) -> bool:
    """Tests 3 to 5 of SO-R31: revolution, defenders, and the function is negated."""
    target = order.target
    function = _step_meant(turn, target) if order.function == "production" else order.function
    if turn.kept.get(target, phase_of(function)) != phase_of(function):
        return False
    post = _Post(target, function)
    if board.left[post] and not _negated(turn, target):
        if turn.options.spy_defence == "one_for_one":
            board.left[post] -= 1
        board.stopped[post] += 1
        return False
    if post not in turn.negated:
        turn.negated.add(post)
        turn.tell_alone("function_negated", target, {"function": function})
        if function == "espionage" and turn.options.espionage_negates_training:
            turn.change(target, spies=max(0, turn.society(target).spies - turn.trained.get(target, 0)))
    return True


def _step_meant(turn: Turn, target: str) -> Step:
    """What a spy on plain Production affects (SO-R33)."""
    if turn.options.plain_production == "first_ordered":
        ordered = {step_of(order) for order in turn.plans[target].orders}
        for step in _STEPS_ORDERED:
            if step in ordered:
                return step
    return "research"


def _negated(turn: Turn, name: str) -> bool:
    return (name, "espionage") in turn.negated


def _tell(turn: Turn, board: _Board) -> None:
    """Tell each society how many spies of each line got through, and how many each function's defenders stopped."""
    for name in turn.acting:
        for place, order in turn.orders(name, SendSpies):
            through, stopped = board.through[name, place], board.not_through[name, place]
            if through or stopped:
                data = {"target": order.target, "function": order.function, "through": through, "not_through": stopped}
                turn.tell_alone("spy_result", name, data)
                turn.note(name, place, _result(through, stopped))
        for place, order in turn.orders(name, Defend):
            post = _Post(name, order.function)
            if board.posted[post]:
                turn.note(name, place, f"stopped {board.stopped[post] or 'nobody'}")
    for post, count in board.posted.items():
        data = {"function": post.function, "posted": count, "stopped": board.stopped[post]}
        turn.tell_alone("defence_result", post.society, data)


def _result(through: int, stopped: int) -> str:
    if not stopped:
        return "got through" if through == 1 else f"all {through} got through"
    if not through:
        return "did not get through" if stopped == 1 else "none got through"
    return f"{through} got through, {stopped} did not"
