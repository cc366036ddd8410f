"""A map that takes too long, or ends its process, costs a worker one picture; and it waits for those that are drawn."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from pbmd.daemon import worker
from pbmd.ledger.tables import StepRecord
from pbmd.rendering import drawing_pool
from pbmd.rendering.drawing_jobs import Picture, Wanted
from tests.desk.world import BEGIN, World
from tests.rendering.test_drawing_pool import end_this_process, never_end
from tests.rulesets.cosmic_conquest.desk import conquest

DEADLINE = timedelta(hours=72)


@pytest.fixture
def world(new_desk: Callable[[], World], monkeypatch: pytest.MonkeyPatch) -> World:
    """A desk whose worker is woken once for a game whose first turn is over."""
    world = conquest(new_desk())
    world.now = BEGIN + DEADLINE + timedelta(minutes=1)
    world.read_mailbox()

    async def listen(_url: str, deal: Callable[[int], object], *_: object) -> bool:
        deal(world.game().id or 0)
        return True

    monkeypatch.setattr(worker, "listen", listen)
    return world


def test_it_waits_until_the_maps_of_a_turn_are_drawn(world: World) -> None:
    worker.work(world.desk)
    assert len(world.rows(StepRecord)) == 1
    assert all(b"image/png" in mail.raw for mail in world.outbox("report"))
    assert world.log("no-map") == []


@pytest.mark.parametrize(("what", "told"), [(end_this_process, "ProcessExpired"), (never_end, "TimeoutError")])
def test_a_map_that_cannot_be_drawn_does_not_hold_up_the_turn(
    world: World, monkeypatch: pytest.MonkeyPatch, what: Callable[[Wanted], Picture], told: str
) -> None:
    monkeypatch.setattr(drawing_pool, "draw", what)
    monkeypatch.setattr(drawing_pool, "SILENT_SECONDS", 1.0)
    worker.work(world.desk)
    assert len(world.rows(StepRecord)) == 1
    assert all(told in line.detail for line in world.log("no-map"))
    assert world.log("no-map")
