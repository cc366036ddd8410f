"""Galactic Overlord against the PyPI package `diplomacy`: checking orders and resolving, in memory, no mail, no ledger."""

import gc
import random
from collections.abc import Callable, Iterator, Sequence
from statistics import median
from typing import Any

from pbmd.rules import registry
from pbmd.rules.dice import HmacDice
from pbmd.rules.protocol import Mail, Status
from pbmd.rules.sheets import digest
from tests.benchmarks.galaxy import SEATS, middle_game, numbered, order_lines
from tests.benchmarks.measure import NotMeasured, Result, columns, cpu_seconds, in_turn

LAST_YEAR = 1930
"""When a game of `diplomacy` is begun anew. Until then it comes to the 30 orders a phase that the goals were set by."""
PHASES = 40
"""For each repeat, in one go, as the goals were measured too: one takes milliseconds only, and switching between the two
after each would measure mostly how long it takes to fetch code and data back into the processor's caches."""


def measure(repeats: int) -> list[Result]:
    """Receive and resolve, and resolve alone, both against set_orders + process of a movement phase."""
    try:
        from diplomacy import Game
    except ImportError:
        raise NotMeasured("the package diplomacy is not installed: pip install pbmd-games[bench]") from None
    galaxy, phases = _Galaxy(), _Phases(Game)
    for _ in range(3):
        galaxy.turn(), phases.one()
    rows = list(in_turn(repeats, lambda: _typical(galaxy.turn), lambda: _typical(phases.one)))
    both, theirs = columns(rows, 1000)
    alone = tuple(1000 * median(block) for block in _blocks(galaxy.resolving[3:]))
    orders = phases.orders / phases.played
    note = f"6 players, 8 lines each, new ones each time; 7 powers, {orders:.0f} random legal orders a phase"
    against = "diplomacy 1.1.2, set_orders + process"
    return [
        Result("receive", "receive six sheets and resolve", against, "ms", 0.5, both, theirs, note),
        Result("resolve", "resolve alone", against, "ms", 0.1, alone, theirs, note),
    ]


def _blocks(values: Sequence[float]) -> Iterator[Sequence[float]]:
    yield from (values[first : first + PHASES] for first in range(0, len(values), PHASES))


def _typical(job: Callable[[], float]) -> float:
    """The median of a block of phases."""
    gc.collect()
    gc.freeze()  # as the daemon does: what has been loaded costs neither of the two anything
    return median(job() for _ in range(PHASES))


class _Galaxy:
    """Turns of Galactic Overlord from one position, with other orders each time."""

    def __init__(self) -> None:
        self.ruleset = registry.get("galactic_overlord")
        self.position = self.ruleset.load(middle_game())
        self.chance = random.Random(1)
        self.resolving: list[float] = []

    def turn(self) -> float:
        """Receive and resolve; gives the seconds, and notes those of resolving."""
        rules = self.ruleset
        mails = [
            Mail(seat, numbered(order_lines(seat, self.chance)), (place, place)) for place, seat in enumerate(SEATS, start=1)
        ]
        secret = self.chance.randbytes(32)
        position, receipts = self.position, []

        def receive() -> None:
            nonlocal position
            for mail in mails:
                receipts.append(rules.receive(position, mail))
                position = receipts[-1].position

        dice: list[HmacDice] = []
        receiving = cpu_seconds(receive)
        binding = cpu_seconds(lambda: dice.append(HmacDice(secret, digest(rules.sheets(position)))))
        resolving = cpu_seconds(lambda: rules.resolve(position, dice[0]))
        refused = [verdict for receipt in receipts for verdict in receipt.verdicts if verdict.status is Status.ERROR]
        assert not refused, refused
        self.resolving.append(resolving)
        return receiving + binding + resolving


class _Phases:
    """Movement phases of `diplomacy` with random legal orders for all powers."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self.make = make
        self.game: Any = make()
        self.chance = random.Random(2)
        self.orders = self.played = 0

    def one(self) -> float:
        """Set and process the orders of the next movement phase; gives the seconds."""
        while self.game.is_game_done or self.game.phase_type != "M" or int(self.game.phase.split()[1]) > LAST_YEAR:
            if self.game.is_game_done or self.game.phase_type == "M":
                self.game = self.make()
            else:
                # Retreats and builds at random too, or there would soon be few units left to move.
                for power, orders in self._chosen().items():
                    self.game.set_orders(power, orders)
                self.game.process()
        chosen = self._chosen()
        self.orders += sum(map(len, chosen.values()))
        self.played += 1

        def phase() -> None:
            for power, orders in chosen.items():
                self.game.set_orders(power, orders)
            self.game.process()

        return cpu_seconds(phase)

    def _chosen(self) -> dict[str, list[str]]:
        possible = self.game.get_all_possible_orders()
        return {
            power: [
                self.chance.choice(possible[place]) for place in self.game.get_orderable_locations(power) if possible[place]
            ]
            for power in self.game.powers
        }
