"""What a storm asks of itself: a run in which hardly anything was done finds nothing and proves nothing."""

import random
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from tests.acceptance.wire import Wire
from tests.torture.evidence import Sent
from tests.torture.faults import World
from tests.torture.post import Register
from tests.torture.storm import Plan, too_few


def register(letters: int) -> Register:
    sent = [Sent(number, "plain", f"<{number}@players.test>", answered=True, orders=True) for number in range(letters)]
    return Register(sent=sent)


def test_a_storm_in_which_less_than_a_tenth_of_the_planned_letters_was_sent_is_none() -> None:
    plan = Plan(seconds=120, seed=1, connections=4, per_second=2)
    assert plan.planned_letters == 960
    assert too_few(plan, register(96)) == []
    (told,) = too_few(plan, register(95))
    assert told.startswith("no storm: 95 letters were sent in, of 960 planned")
    assert too_few(plan, register(0))


def test_a_daemon_has_worked_when_it_has_handed_over_a_mail_since_one_was_ended(tmp_path: Path) -> None:
    handed = 3
    house: Any = SimpleNamespace(start=lambda: None)
    world = World(house, random.Random(1), Wire(1), Wire(1), tmp_path / "clock", small_disk=False, handed=lambda: handed)
    world.start_again(house)
    assert not world.has_worked
    handed = 4
    assert world.has_worked
    world.until_it_has_worked()
    world.start_again(house)
    assert not world.has_worked
    world.over.set()
    world.until_it_has_worked()
