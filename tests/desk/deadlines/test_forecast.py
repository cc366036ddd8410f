"""What will happen in a game by its terms, in words and with dates."""

import re
from datetime import timedelta
from typing import Any

import pytest

from pbmd.desk.deadlines.forecast import outlook
from tests.desk.world import BEGIN, NAMES, World

HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def told(world: World, name: str = "galaxy-7", zone: str = "UTC") -> str:
    with world.work() as work:
        table = work.table_named(name)
        assert table is not None
        text = outlook(table, world.now, zone)
    assert max(map(len, text.splitlines())) <= 68
    return " ".join(text.split())


def test_dates_of_a_game_that_would_begin_now(world: World) -> None:
    world.open("galaxy-7", second_thought="pace")
    words = told(world)
    assert "First deadline Mon 23 Nov 2026 12:00 UTC, if it began now" in words
    assert "Reminders Sun 22 Nov 2026 12:00 UTC, to players without usable orders by then" in words
    assert "the turn is resolved 3 h after the last have come" in words
    assert "the last come Sun 22 Nov 2026 00:00 UTC, the turn ends Sun 22 Nov 2026 03:00 UTC" in words
    assert "the next deadline is Wed 25 Nov 2026 03:00 UTC. It ends with its deadline at the latest." in words
    assert "Orders count until Mon 23 Nov 2026 12:00 UTC. Players without usable orders by then miss the turn" in words
    assert "Next deadline Thu 26 Nov 2026 12:00 UTC, if the first turn ends at its deadline" in words


def test_they_are_those_of_the_game_when_it_has_begun(world: World) -> None:
    world.count()
    world.now = BEGIN + timedelta(hours=5)
    assert "First deadline Mon 23 Nov 2026 12:00 UTC Reminders" in told(world)


def test_what_it_foresees_comes_to_pass(world: World) -> None:
    world.count(second_thought="pace", deadline="every Fri, Mon 20:00 Europe/Berlin", grace="15m")
    words = told(world)
    last = BEGIN + (BEGIN.replace(day=23, hour=19) - BEGIN) / 2
    assert "the last come Sun 22 Nov 2026 03:30 UTC, the turn ends Sun 22 Nov 2026 06:30 UTC" in words
    for seat in ("Altair", "Borealis", "Cygnus"):
        world.send(seat, "Add 1", at=last)
    assert world.pass_time(BEGIN.replace(day=22, hour=6, minute=30) - world.now) == 0
    assert world.pass_time(timedelta(seconds=1)) == 1
    assert "and the next deadline is Fri 27 Nov 2026 19:00 UTC" in words
    assert world.game().deadline == BEGIN.replace(day=27, hour=19)


def test_a_zone_without_summer_time_is_remarked_on_in_whichever_phase_it_counts(world: World) -> None:
    world.open("friday", ruleset="diplomacy", deadline="weekly", phases={"builds": {"deadline": "every day 20:00 est"}})
    words = told(world, "friday")
    assert "Moves due 7 days after the report" in words
    assert (
        words.count("Time zone EST is the same all year; where the clocks change, the deadline is an hour later in summer.")
        == 1
    )


def test_no_date_is_told_where_the_rules_may_want_another_time_for_the_next_step(world: World) -> None:
    """Tides: a week for the set-up, and a day for the phase after it."""
    world.start(ruleset="tides", deadline="rules", second_thought="1h")
    words = told(world)
    assert "First deadline Fri 27 Nov 2026 12:00 UTC Reminders" in words
    assert "the next deadline is what the rules recommend for the step that comes then." in words
    assert "Next deadline what the rules recommend for the step that comes then, if the first turn ends" in words
    for seat, place in zip(NAMES, "123", strict=True):
        world.send(seat, f"Base {place}")
    world.pass_time(2 * HOUR)
    assert world.game().deadline == world.now + DAY


def test_no_line_ends_between_a_number_and_what_it_counts(world: World) -> None:
    for number in range(1, 12):
        world.open(f"game{'-x' * number}", second_thought=f"{number}h", minimum_time=f"{number}d", min_met=number)
        with world.work() as work:
            table = work.table_named(f"game{'-x' * number}")
            assert table is not None
            text = outlook(table, world.now, "Europe/Berlin")
        assert re.findall(r"\d\n +(?:h|days?|%|Nov)(?!\w)", text) == []
        assert max(map(len, text.splitlines())) <= 68


@pytest.mark.parametrize(
    ("ruleset", "terms", "words"),
    [
        ("count", {"early": False}, "All orders in A turn is resolved at its deadline, and not before"),
        ("count", {"reminders": ()}, "Reminders none A"),
        ("count", {"reminders": ("96h",)}, "Reminders none in a turn as short as that"),
        ("count", {"minimum_time": "24h"}, "at once, but not in its first 1 day"),
        ("relay", {}, "A move counts as soon as it is there"),
        ("relay", {}, "miss the move, and the next one is to move"),
        ("tides", {"deadline": "rules"}, "Deadlines The time for each step is what the rules recommend"),
        ("count", {"quiet_days": ("monday",)}, "First deadline Tue 24 Nov 2026 12:00 UTC"),
        ("count", {"substitute_days": 14}, "Substitutes Whoever is away can have a substitute for up to 14 days at a time"),
        ("count", {"min_met": 80, "min_met_after": 12}, "at least 80 % of their turns here so far; those with fewer than 12"),
    ],
)
def test_terms_of_other_kinds(world: World, ruleset: str, terms: dict[str, Any], words: str) -> None:
    world.open("galaxy-7", ruleset=ruleset, **terms)
    assert words in told(world)


def test_nothing_is_told_of_substitutes_where_there_are_none(world: World) -> None:
    world.open("galaxy-7", substitute_days=0)
    assert "ubstitute" not in told(world)


def test_times_in_another_zone(world: World) -> None:
    world.open("galaxy-7")
    assert "Mon 23 Nov 2026 12:00 UTC (13:00 Europe/Berlin), if it began now" in told(world, zone="Europe/Berlin")
