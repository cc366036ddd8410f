"""Twelve players of Local Cluster among 22 NPC States: a full Turn, move by move and with its end, in memory."""

from functools import partial
from statistics import median
from typing import Any

from pbmd.rules.dice import HmacDice
from pbmd.rules.options import complete
from pbmd.rules.protocol import Line, Mail, Receipt, Resolution, Signup, Status
from pbmd.rules.sheets import digest, to_be_used
from rulesets.local_cluster import ruleset
from tests.benchmarks.measure import Result, cpu_seconds

PLAYERS = 12
NPC_STATES = 22
GAMES = 5
"""For each repeat: only the first Turn after Turn 0 surely has all players and all NPC States."""
TURN_MS = 24.0
"""2 ms a move."""


def turn(repeats: int) -> list[Result]:
    """Receiving and resolving the moves of twelve players one after the other, by the processor's time."""
    _turn_1(0)
    seeds = (range(GAMES * repeat, GAMES * (repeat + 1)) for repeat in range(repeats))
    values = tuple(1000 * median(map(_turn_1, games)) for games in seeds)
    what = f"a Turn of Local Cluster: {PLAYERS} players, {NPC_STATES} NPC States"
    note = f"the median of Turn 1 of {GAMES} games of random orders, other ones each time; {PLAYERS} moves and the NPC phase"
    return [Result("cluster", what, "an amount", "ms", TURN_MS, values, (), note)]


def _turn_1(seed: int) -> float:
    """What Turn 1 of a game of random players takes, in seconds."""
    options = complete(ruleset.info.options, {})
    signups: list[Signup] = []
    for _ in range(PLAYERS):
        assert ruleset.sample_signup is not None
        signups.append(ruleset.sample_signup(signups, options))
    key = seed.to_bytes(32, "big")
    position = ruleset.setup(signups, options, HmacDice(key, b"set-up"))
    for _ in range(PLAYERS):
        _, position = _move(position, key)
    assert len(position.waiting) == PLAYERS
    assert sum(state.kind == "npc" for state in position.states) == NPC_STATES
    seconds = 0.0
    for _ in range(PLAYERS):
        assert ruleset.turn(position) == 1
        spent, position = _move(position, key)
        seconds += spent
    assert ruleset.turn(position) == 2
    return seconds


def _move(position: Any, key: bytes) -> tuple[float, Any]:
    """The move of the first who is awaited, carried out: what it took, in seconds, and the position after it."""
    seat = ruleset.awaiting(position)[0]
    place = PLAYERS * (ruleset.turn(position) + 1) - len(position.waiting) + 1
    lines = ruleset.random_orders(position, seat, HmacDice(key, b"players %d" % place)).splitlines()
    mail = Mail(seat, tuple(Line(n, line) for n, line in enumerate(lines, start=1) if line.strip()), (place, place))
    done: list[Resolution[Any]] = []
    seconds = cpu_seconds(partial(_carry_out, position, mail, key, done))
    return seconds, done[0].position


def _carry_out(position: Any, mail: Mail, key: bytes, done: list[Resolution[Any]]) -> None:
    receipt: Receipt[Any] = ruleset.receive(position, mail)
    assert not [verdict for verdict in receipt.verdicts if verdict.status is Status.ERROR], receipt.verdicts
    dice = HmacDice(key, digest(to_be_used(ruleset, receipt.position)))
    done.append(ruleset.resolve(receipt.position, dice))
