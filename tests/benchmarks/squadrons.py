"""Two fleets of 60 squadrons on five boards of Starship Squadrons: a day, and the reports with the pictures of the boards."""

import random
from statistics import median
from typing import Any, NamedTuple

from pbmd.rendering.picture import map_svg, svg_png
from pbmd.rendering.render import report_html, report_text
from pbmd.rules.dice import HmacDice
from pbmd.rules.protocol import Document, Line, Mail, Resolution, Status, seat_reader
from pbmd.rules.sheets import digest
from rulesets.starship_squadrons import ruleset
from tests.benchmarks.measure import Result, cpu_seconds

SQUADRONS = 60
BOARDS = ("Aldane", "Brisk", "Halfway", "Xanthe", "Zenith")
SEATS = ("Anna", "Ben")
DAYS = 3
"""For each repeat, one after the other."""
DAY_MS = 150.0
REPORT_MS = 1500.0


class _Spent(NamedTuple):
    day: float
    report: float
    size: int


def measure(repeats: int) -> list[Result]:
    """Both rows, by the processor's time."""
    _days(0)
    games = [_days(seed) for seed in range(1, repeats + 1)]
    day = tuple(1000 * median(spent.day for spent in game) for game in games)
    report = tuple(1000 * median(spent.report for spent in game) for game in games)
    size = max(spent.size for game in games for spent in game) // 1000
    fleets = f"2 × {SQUADRONS} squadrons"
    note = f'{fleets} and 60 "?" on {len(BOARDS)} boards; the median of {DAYS} days of random orders, other ones each time'
    drawn = f"{note}; text, HTML and a picture for each of the two players; the PNG has up to {size} kB"
    what = "one report of such a day, with the picture of the boards"
    return [
        Result("squadrons", f"check and resolve a day of {fleets}", "an amount", "ms", DAY_MS, day, (), note),
        Result("boards", what, "an amount", "ms", REPORT_MS, report, (), drawn),
    ]


def _days(seed: int) -> list[_Spent]:
    """Some days of a game of random players."""
    position = ruleset.load(_battle(seed))
    return [spent for spent, position in _course(position, seed)]


def _course(position: Any, seed: int) -> Any:
    for number in range(DAYS):
        key = (seed * DAYS + number + 1).to_bytes(32, "big")
        letters: list[Mail] = []
        for place, seat in enumerate(SEATS, start=1):
            lines = ruleset.random_orders(position, seat, HmacDice(key, seat.encode())).splitlines()
            # Nobody waits: a day is measured, not a week.
            said = [Line(n, line) for n, line in enumerate(lines, start=1) if line.strip() and not line.startswith("WAIT")]
            letters.append(Mail(seat, tuple(said), (place, place)))
        done: list[Resolution[Any]] = []
        day = cpu_seconds(lambda at=position, letters=letters, key=key, done=done: done.append(_day(at, letters, key)))
        position = done[0].position
        assert ruleset.outcome(position) is None
        sizes: list[int] = []
        report = cpu_seconds(lambda done=done, sizes=sizes: sizes.extend(_report(done[0], seat) for seat in SEATS))
        yield _Spent(day, report / len(SEATS), max(sizes)), position


def _day(position: Any, letters: list[Mail], key: bytes) -> Resolution[Any]:
    for letter in letters:
        receipt = ruleset.receive(position, letter)
        assert not [verdict for verdict in receipt.verdicts if verdict.status is Status.ERROR], receipt.verdicts
        position = receipt.position
    return ruleset.resolve(position, HmacDice(key, digest(ruleset.sheets(position))))


def _report(resolution: Resolution[Any], seat: str) -> int:
    """All of one player's report; gives the bytes of the picture."""
    view = ruleset.view(resolution.position, resolution.events, seat_reader(seat))
    assert report_text(ruleset, view)
    assert report_html(ruleset, view)
    svg = map_svg(view)
    assert svg is not None
    return len(svg_png(svg))


def _battle(seed: int) -> Document:
    """The fleets in the middle of the boards, tough enough to be there for some days."""
    chance = random.Random(seed)
    hexes = [f"{column:02}{row:02}" for column in range(5, 15) for row in range(4, 13)]
    units: list[dict[str, Any]] = []
    questions: list[dict[str, Any]] = []
    for side, seat in enumerate(SEATS, start=1):
        for number in range(SQUADRONS):
            places = {"system": BOARDS[number % len(BOARDS)], "hex": chance.choice(hexes)}
            factors = {"jump": 4, "maneuver": 6, "sensor_range": 3, "attack": chance.randint(1, 9), "attack_range": 5}
            carried = {"defense": 60, "supply": 4, "supply_counters": 4, "admiral_counters": number % 7 == 0}
            names = {"name": f"Cruiser {number + 1}", "side": side, "player": seat}
            units.append(names | factors | {key: int(value) for key, value in carried.items()} | places)
            if number % 2:
                questions.append({"id": f"Q{number // 2 + 1}", "side": side, "player": seat, **places})
    systems = [
        {
            "name": name,
            "hex": f"{2 * place + 1:02}04",
            "bodies": [
                {"name": f"{name} Star", "kind": "star", "hex": "1008", "limit": 3},
                {"name": f"{name} Prime", "kind": "planet", "hex": "0605", "limit": 1, "starport": True, "value": 20},
                {"name": f"{name} Giant", "kind": "gas_giant", "hex": "1405", "limit": 2},
            ],
        }
        for place, name in enumerate(BOARDS)
    ]
    return {
        "ruleset": "starship_squadrons", "version": 1, "day": 5, "phase": "day", "options": {"map": "custom", "day_limit": 99},
        "jump_map": {"columns": 9, "rows": 7}, "sides": [{"id": 1, "name": "Side One"}, {"id": 2, "name": "Side Two"}],
        "players": [{"name": seat, "side": side} for side, seat in enumerate(SEATS, start=1)], "systems": systems,
        "units": units, "questions": questions,
    }  # fmt: skip
