"""Fixtures of the tests of mails."""

from datetime import timedelta

import pytest

from pbmd.desk.changes import deadline_changes
from tests.desk.world import ADDRESS, World

DAY = timedelta(days=1)


@pytest.fixture
def busy(world):
    """A desk that has sent at least one mail of every kind to Altair, and some to the GM and a stranger."""
    world.unless_patched("mails of every kind", lambda: send_of_every_kind(world))
    return world


def send_of_every_kind(world: World) -> None:
    """The letters and acts that bring them about."""
    world.count(reminders=("24h",))
    world.send("Altair", "RULES\nEXTEND 9 days")
    world.send("Borealis", "PRESS TO ALL\nhello\nEND PRESS")
    world.act("galaxy-7", deadline_changes.extend, DAY, "the game master")
    world.open("nebula-1")
    world.send("Deneb", "JOIN nebula-1", to=ADDRESS)
    world.pass_time(3 * DAY)
