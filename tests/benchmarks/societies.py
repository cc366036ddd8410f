"""Twelve and twenty-four societies late in the game: taking in a sheet and resolving a turn, in memory, no mail, no ledger."""

import gc
from collections.abc import Iterator
from statistics import median
from typing import Any, NamedTuple

from pbmd.rules.dice import HmacDice, ScriptedDice
from pbmd.rules.options import complete
from pbmd.rules.protocol import Line, Mail, Signup, Status
from rulesets.societies import ruleset
from rulesets.societies.world.state import Position
from tests.benchmarks.measure import Result, cpu_seconds

FIRST = 14
"""The turn that is measured first: by then societies have many cities, spies, wars, nukes and most of the wonders."""
TURNS = 6
SHEET_MS = 3.0
RESOLVE_MS = {12: 25.0, 24: 50.0}
"""By the number of societies."""


class Played(NamedTuple):
    """A turn: the position with all orders, the seconds that a sheet took on the average, those of the resolution, and how many
    societies took part."""

    position: Position
    sheet: float
    seconds: float
    living: int


def measure(repeats: int) -> list[Result]:
    """Both numbers of players, by the processor's time."""
    return [result for players in RESOLVE_MS for result in _rows(players, repeats)]


def _rows(players: int, repeats: int) -> list[Result]:
    games = [list(late_turns(players, seed)) for seed in range(1, repeats + 1)]
    gc.collect()
    sheets = tuple(1000 * median(turn.sheet for turn in game) for game in games)
    seconds = tuple(1000 * median(turn.seconds for turn in game) for game in games)
    living = sum(turn.living for game in games for turn in game) / sum(map(len, games))
    note = f"the median of turns {FIRST} to {FIRST + TURNS - 1} of a game of random orders, another game each time"
    still = f"{note}; {living:.0f} of {players} are still in it"
    return [
        Result(f"sheet{players}", f"check a sheet of {players} societies, late", "an amount", "ms", SHEET_MS, sheets, (), note),
        Result(
            f"societies{players}",
            f"resolve a turn of {players} societies, late",
            "an amount",
            "ms",
            RESOLVE_MS[players],
            seconds,
            (),
            still,
        ),
    ]


def late_turns(players: int, seed: int) -> Iterator[Played]:
    """The late turns of a game of random players."""
    key = seed.to_bytes(32, "big")
    # Nobody wins before the turns that are measured: no ship is complete, the GM concedes to nobody, expired wonders are none.
    never = {"spaceship_parts": 1000, "domination_needs_gm": True, "obsolete_wonders_count": False}
    options = complete(ruleset.info.options, never)
    endings = ("al", "en", "ia", "om", "ur", "yl", "ath", "is")
    names = [first + second for first in ("Nor", "Sud", "Wes") for second in endings]
    position = ruleset.setup([Signup(name) for name in names[:players]], options, HmacDice(key, b"set-up"))
    for turn in range(1, FIRST + TURNS):
        players_dice = HmacDice(key, b"players %d" % turn)
        spent: list[float] = []
        seats = ruleset.awaiting(position)
        for place, seat in enumerate(seats, start=1):
            lines = ruleset.random_orders(position, seat, players_dice).splitlines()
            letter = Mail(seat, tuple(Line(n, line) for n, line in enumerate(lines, start=1) if line.strip()), (place, place))
            done: list[Any] = []
            spent.append(cpu_seconds(lambda at=position, letter=letter, done=done: done.append(ruleset.receive(at, letter))))
            assert not [verdict for verdict in done[0].verdicts if verdict.status is Status.ERROR], done[0].verdicts
            position = done[0].position
        ordered, after = position, list[Any]()
        seconds = cpu_seconds(lambda at=position, after=after: after.append(ruleset.resolve(at, ScriptedDice(()))))
        position = after[0].position
        assert ruleset.outcome(position) is None, "the game was over before it was late"
        if turn >= FIRST:
            yield Played(ordered, sum(spent) / len(spent), seconds, len(seats))
