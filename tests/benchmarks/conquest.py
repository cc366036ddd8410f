"""Twelve players of Cosmic Conquest: resolving a turn, and the map in the report of each, in memory, no mail, no ledger."""

import gc
from collections.abc import Iterator, Sequence
from statistics import median
from typing import Any, NamedTuple

from pbmd.rendering import picture
from pbmd.rendering.labels import place_labels
from pbmd.rendering.picture import map_svg, svg_png
from pbmd.rules.dice import HmacDice
from pbmd.rules.options import complete
from pbmd.rules.protocol import Event, Line, Mail, Signup, Status, seat_reader
from pbmd.rules.sheets import digest
from rulesets.cosmic_conquest import ruleset
from tests.benchmarks.measure import Result, cpu_seconds

PLAYERS = 12
TURNS = 8
"""Of one game for each repeat: later turns have fewer factions."""
RESOLVE_MS = 5.0
MAP_MS = 200.0
CACHED_MS = 1.0


class Played(NamedTuple):
    """A turn: what it took to resolve, in seconds, and what came of it."""

    seconds: float
    position: Any
    events: Sequence[Event]


def resolve(repeats: int) -> list[Result]:
    """Resolving a turn of twelve players, by the processor's time."""
    list(_game(0))
    values = tuple(1000 * median(turn.seconds for turn in _game(seed)) for seed in range(1, repeats + 1))
    note = f"the median of the first {TURNS} turns of a game of random orders, another game each time"
    return [
        Result(
            "resolve12",
            f"resolve a turn of {PLAYERS} players of Cosmic Conquest",
            "an amount",
            "ms",
            RESOLVE_MS,
            values,
            (),
            note,
        )
    ]


def maps(repeats: int) -> list[Result]:
    """The map of a report, SVG and PNG: drawn for the first time, and for a reader who has the same."""
    first: list[float] = []
    again: list[float] = []
    size = 0
    for seed in range(1, repeats + 1):
        turn = list(_game(seed))[TURNS // 2]
        views = [ruleset.view(turn.position, turn.events, seat_reader(seat)) for seat in ruleset.seats(turn.position)]
        for remembered in (picture.svg_of, svg_png, place_labels):
            remembered.cache_clear()

        def draw(views: Sequence[Any] = views) -> None:
            nonlocal size
            for view in views:
                svg = map_svg(view)
                assert svg is not None
                size = len(svg_png(svg))

        gc.collect()
        first.append(1000 * cpu_seconds(draw) / len(views))
        assert svg_png.cache_info().misses >= 2, "all readers had the same map"
        again.append(1000 * cpu_seconds(draw) / len(views))
    note = f"33 systems, a map for each of {PLAYERS} players in the middle of a game; the PNG has {size // 1000} kB"
    return [
        Result("map", "draw the map of a report, SVG and PNG", "an amount", "ms", MAP_MS, tuple(first), (), note),
        Result("map again", "the same map once more", "an amount", "ms", CACHED_MS, tuple(again), (), note),
    ]


def _game(seed: int) -> Iterator[Played]:
    """The first turns of a game of random players."""
    options = complete(ruleset.info.options, {})
    signups: list[Signup] = []
    for _ in range(PLAYERS):
        assert ruleset.sample_signup is not None
        signups.append(ruleset.sample_signup(signups, options))
    key = seed.to_bytes(32, "big")
    position = ruleset.setup(signups, options, HmacDice(key, b"set-up"))
    for turn in range(TURNS):
        players = HmacDice(key, b"players %d" % turn)
        for place, seat in enumerate(ruleset.awaiting(position) * 2, start=1):
            # A psionic may ask first and order then; who has ordered is awaited no more.
            if seat in ruleset.awaiting(position):
                lines = ruleset.random_orders(position, seat, players).splitlines()
                numbered = tuple(Line(number, line) for number, line in enumerate(lines, start=1) if line.strip())
                receipt = ruleset.receive(position, Mail(seat, numbered, (place, place)))
                assert not [verdict for verdict in receipt.verdicts if verdict.status is Status.ERROR], receipt.verdicts
                position = receipt.position
        assert not ruleset.awaiting(position)
        dice = HmacDice(key, digest(ruleset.sheets(position)))
        done: list[Any] = []
        seconds = cpu_seconds(lambda at=position: done.append(ruleset.resolve(at, dice)))  # noqa: B023 – called at once
        position = done[0].position
        yield Played(seconds, position, done[0].events)
        if ruleset.outcome(position) is not None:
            return
