"""REPORT DATA and REPORT MAP: what a seat gets on request, made of its own view alone."""

import json
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from tests.desk.world import World, message_of
from tests.rulesets.diplomacy.harness import POWERS


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    world = World(tmp_path)
    world.start("galaxy-7", POWERS, ruleset="diplomacy", deadline="72h")
    yield world
    world.close()


def answer(world: World, request: str) -> tuple[str, dict[str, bytes]]:
    """The words of an answer, and the files that came with it."""
    text = world.send("Austria", request)
    mail = message_of(world.outbox("acknowledgement", "Austria")[-1])
    return text, {str(part.get_filename()): bytes(part.get_payload(decode=True)) for part in mail.iter_attachments()}


def test_report_data_brings_the_last_report_for_programs_and_its_lines(world: World) -> None:
    text, files = answer(world, "REPORT DATA")
    assert "S1901M units AUSTRIA: A BUD, F TRI, A VIE" in text
    data = json.loads(files["report.json"])
    assert (data["seat"], data["reported"], data["orders"]["awaited"]) == ("Austria", "the beginning", True)
    for power in POWERS:
        world.send(power, "SET REPORT DATA\nAll hold" if power == "Austria" else "All hold")
    assert world.pass_time(timedelta(minutes=1)) == 1
    mail = message_of(world.outbox("report", "Austria")[-1])
    (came,) = [part for part in mail.walk() if part.get_filename() == "report.json"]
    text, files = answer(world, "Report data")
    assert "F1901M units AUSTRIA: A BUD, F TRI, A VIE" in text
    assert files["report.json"] == came.get_payload(decode=True)


def test_report_map_has_all_of_the_map_in_words(world: World) -> None:
    text, files = answer(world, "REPORT MAP")
    assert "TRI* Trieste (Austria; Austria F)\n" in text
    assert "BUR  Burgundy\n" in text
    assert not [name for name in files if name.startswith("map")]


def test_report_map_where_a_ruleset_has_none_says_so(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.start("galaxy-7", ("Altair", "Borealis"), ruleset="count")
    assert "this game has no map in words" in " ".join(world.send("Altair", "REPORT MAP").split())
    world.close()
