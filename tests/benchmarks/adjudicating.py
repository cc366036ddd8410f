"""Diplomacy against the PyPI package `diplomacy`: the same positions, the same orders; in memory, no mail, no ledger."""

import gc
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import count
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from pbmd.archive.replay.replay import replay
from pbmd.rules import Mail
from pbmd.rules.dice import ScriptedDice
from pbmd.rules.lines import order_lines
from pbmd.rules.registry import get
from rulesets.diplomacy import ruleset
from rulesets.diplomacy.resolution.adjudication import Order, adjudicate
from rulesets.diplomacy.world.board import board
from rulesets.diplomacy.world.state import Position, Power
from rulesets.diplomacy.world.units import read_unit
from tests.archive.samples import FOLDER, unpack
from tests.benchmarks.measure import NotMeasured, Result, columns, cpu_seconds, in_turn
from tests.rulesets.diplomacy.chance import random_phase

PHASES = 40
"""For each repeat, in one go: switching between the two after each phase would measure the processor's caches."""
WARMING = 8
"""Rounds before those that count. Most order lines that people write have been written before, and are remembered as read."""
FEWEST, MOST = 22, 34
"""Units in a phase that is measured."""


def measure(repeats: int) -> list[Result]:
    """Resolve against process, and receive and resolve against set_orders and process."""
    try:
        from diplomacy import Game
    except ImportError:
        raise NotMeasured("the package diplomacy is not installed: pip install pbmd-games[bench]") from None
    phases, block = _phases(Game), list[_Phase]()
    both: list[tuple[float, float]] = []
    alone: list[tuple[float, float]] = []

    def begin() -> float:
        block[:] = [next(phases) for _ in range(PHASES)]
        gc.collect()
        gc.freeze()
        return 0.0

    def timed(job: Callable[[_Phase], tuple[float, float]], into: list[tuple[float, float]]) -> float:
        taken = [job(phase) for phase in block]
        into.append((median(map(sum, taken)), median(second for _, second in taken)))
        return 0.0

    for _ in range(WARMING + repeats):
        begin()
        list(in_turn(1, lambda: timed(_ours, both), lambda: timed(lambda phase: _theirs(Game, phase), alone)))
    rows = [(*ours, *theirs) for ours, theirs in zip(both[WARMING:], alone[WARMING:], strict=True)]
    our_all, our_part, their_all, their_part = columns(rows, 1000)
    note = f"7 powers, {FEWEST} to {MOST} units, random legal orders, the same for both"
    return [
        Result("adjudicate", "resolve a movement phase", "diplomacy 1.1.2, process", "ms", 0.36, our_part, their_part, note),
        Result(
            "adjudicate letters", "receive seven sheets and resolve", "diplomacy 1.1.2, set_orders + process", "ms", 0.35,
            our_all, their_all, note,
        ),
    ]  # fmt: skip


def again(repeats: int) -> list[Result]:
    """A whole game from its archive: each letter checked again, each phase resolved, and the public reports written."""
    with TemporaryDirectory() as folder:
        archive = unpack(FOLDER / "diplomacy.tar.xz", Path(folder))
        steps = len([*(archive / "data" / "turns").iterdir()])
        took = tuple(1000 * cpu_seconds(lambda: list(replay(archive, get, None))) / steps for _ in range(repeats + 1))
    note = f"the sample archive, {steps} phases of seven powers"
    return [Result("adjudicate again", "replay a game, a phase", "an amount: a goal of our own", "ms", 10, took[1:], note=note)]


def growth(repeats: int) -> list[Result]:
    """Tangled phases with many units against such with half as many: convoys and supports of all kinds."""
    few, many = (_tangled(fewest) for fewest in (16, 32))

    def typical(phases: list[list[Order]]) -> float:
        return median(cpu_seconds(partial(adjudicate, board("standard"), orders)) for orders in phases)

    rows = list(in_turn(repeats, lambda: typical(many), lambda: typical(few)))
    ours, theirs = columns(rows, 1000)
    return [Result("adjudicate growth", "adjudicate 32 or 33 units", "16 or 17 units", "ms", 2.5, ours, theirs)]


def _tangled(fewest: int) -> list[list[Order]]:
    seeds = count(1)
    found: list[list[Order]] = []
    while len(found) < 5 * PHASES:
        orders = random_phase(random.Random(next(seeds)), board("standard"))
        if fewest <= len(orders) <= fewest + 1:
            found.append(orders)
    return found


@dataclass(frozen=True)
class _Phase:
    """A movement phase: the position, and the orders of each power in the notation that both read."""

    position: Position
    orders: dict[str, list[str]]


def _phases(make: Callable[[], Any]) -> Iterator[_Phase]:
    """Games of random legal orders, one after the other."""
    chance = random.Random(2)
    while True:
        game = make()
        while not game.is_game_done and int(game.get_current_phase()[1:5]) <= 1930:
            possible = game.get_all_possible_orders()
            orders = {
                power: [chance.choice(possible[place]) for place in game.get_orderable_locations(power) if possible[place]]
                for power in game.powers
            }
            units = sum(len(power.units) for power in game.powers.values())
            if game.phase_type == "M" and FEWEST <= units <= MOST:
                yield _Phase(_position(game), orders)
            for power, lines in orders.items():
                game.set_orders(power, lines)
            game.process()


def _position(game: Any) -> Position:
    code = game.get_current_phase()
    powers = tuple(
        Power(
            name.title(),
            tuple(sorted(map(read_unit, power.units), key=lambda unit: unit.place)),
            tuple(sorted(power.centers)),
        )
        for name, power in game.powers.items()
    )
    phase = "spring moves" if code.startswith("S") else "autumn moves"
    return Position(turn=int(code[1:5]) - 1900, phase=phase, seats=tuple(power.name for power in powers), powers=powers)


def _ours(phase: _Phase) -> tuple[float, float]:
    """The seconds of receiving and of resolving."""
    mails = [
        Mail(power.title(), order_lines("\n".join(lines)), (place, 0))
        for place, (power, lines) in enumerate(phase.orders.items())
        if lines
    ]
    position = phase.position

    def receive() -> None:
        nonlocal position
        for mail in mails:
            position = ruleset.receive(position, mail).position

    return cpu_seconds(receive), cpu_seconds(lambda: ruleset.resolve(position, ScriptedDice([])))


def _theirs(make: Callable[[], Any], phase: _Phase) -> tuple[float, float]:
    """The seconds of set_orders and of process."""
    game = make()
    game.clear_units()
    game.clear_centers()
    game.set_current_phase(phase.position.code)
    for power in phase.position.powers:
        game.set_units(power.name.upper(), [unit.text for unit in power.units])
        game.set_centers(power.name.upper(), list(power.centres))

    def set_orders() -> None:
        for power, lines in phase.orders.items():
            game.set_orders(power, lines)

    return cpu_seconds(set_orders), cpu_seconds(game.process)
