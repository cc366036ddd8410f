"""The mails that the players' page shows are the mails that pbmd sends."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from tests.desk.world import World, body_of
from tests.docs.pages import ROOT, Block, blocks, pattern_of

PAGE = ROOT / "docs" / "players.md"


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    """The game of the page, some hours after it began; the player of Altair lives in Berlin."""
    world = World(tmp_path)
    world.start("galaxy-7", ("Altair", "Borealis", "Cygnus"), deadline="72h")
    with world.changed("Altair") as seat:
        seat.timezone = "Europe/Berlin"
    world.now += timedelta(hours=5, minutes=3, seconds=12)
    yield world
    world.close()


def block(tag: str) -> Block:
    (found,) = blocks(tag, PAGE)
    return found


def test_the_letter_is_answered_as_the_page_says(world: World) -> None:
    answer = world.send("Altair", block("mail letter").text)
    assert pattern_of(block("mail acknowledgement").text).fullmatch(answer.rstrip("\n") + "\n"), answer


def test_the_report_ends_with_the_form_that_the_page_shows(world: World) -> None:
    (report,) = world.outbox("report", "Altair")
    assert pattern_of(block("mail report").text).search(body_of(report)), body_of(report)
