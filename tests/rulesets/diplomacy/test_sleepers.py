"""A power whose player sleeps is in civil disorder, and holds up neither phases nor a draw, until they are back."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from pbmd.archive.format.entries import read_entries
from pbmd.desk.changes.rollback import roll_back
from pbmd.desk.imports.game import go_on
from rulesets.diplomacy import ruleset
from tests.archive.made import export, verified
from tests.desk.world import World, body_of
from tests.rulesets.diplomacy.harness import POWERS
from tests.rulesets.diplomacy.letters import begun, sent

GAME, LONG = "europe", timedelta(hours=80)
AUSTRIA, *OTHERS = POWERS


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    """A desk at which seven powers play, and Austria, which has missed spring and autumn 1901, is asleep."""
    (tmp_path / "home").mkdir()
    world = World(tmp_path / "home")
    world.start(GAME, POWERS, ruleset="diplomacy", reminders=(), missed_in_a_row=2, sleeper="disorder", deadline="72h")
    for _ in range(2):
        others_hold(world)
    assert world.seat(AUSTRIA).is_asleep
    yield world
    world.close()


def others_hold(world: World, text: str = "all hold") -> timedelta:
    """All others send orders; gives how long the phase lasted from then on."""
    for power in OTHERS:
        world.send(power, text, game=GAME)
    began = world.now
    assert world.pass_time(timedelta(minutes=1)) or world.pass_time(LONG)
    return world.now - began


def problems(world: World, folder: Path) -> list[str]:
    return [problem.problem for problem in verified(export(world, folder, GAME)).problems]


def test_phases_do_not_wait_for_it(world: World, tmp_path: Path) -> None:
    assert world.position(GAME)["asleep"] == [AUSTRIA]
    assert others_hold(world) < timedelta(hours=1)
    assert "Austria is in civil disorder." in body_of(world.outbox("report", "France")[-1])
    assert problems(world, tmp_path / "archive") == []


def test_a_draw_is_agreed_to_without_it(world: World, tmp_path: Path) -> None:
    others_hold(world, "all hold\nDRAW")
    assert world.position(GAME)["phase"] == "over"
    assert problems(world, tmp_path / "archive") == []


def test_who_sends_orders_plays_on(world: World, tmp_path: Path) -> None:
    answer = " ".join(world.send(AUSTRIA, "A Vie - Tyr", game=GAME).split())
    assert "Welcome back." in answer
    assert "your orders for spring 1902 are in" in answer
    assert "asleep" not in world.position(GAME)
    others_hold(world)
    assert "A TYR" in next(row["units"] for row in world.position(GAME)["powers"] if row["name"] == AUSTRIA)
    assert problems(world, tmp_path / "archive") == []


def test_a_rollback_that_leaves_what_it_missed_leaves_it_asleep(world: World, tmp_path: Path) -> None:
    others_hold(world)
    world.act(GAME, roll_back, 2)
    assert world.position(GAME)["asleep"] == [AUSTRIA]
    assert others_hold(world) < timedelta(hours=1) or world.game(GAME).turn == 2
    world.act(GAME, roll_back, 1)
    assert "asleep" not in world.position(GAME)
    assert not world.seat(AUSTRIA).is_asleep
    assert problems(world, tmp_path / "archive") == []


def test_who_was_back_when_a_turn_is_played_again_is_not_asleep_in_it(world: World, tmp_path: Path) -> None:
    world.send(AUSTRIA, "I'm back", game=GAME)
    world.send(AUSTRIA, "all hold", game=GAME)
    others_hold(world)
    world.act(GAME, roll_back, 2)
    assert "asleep" not in world.position(GAME)
    assert problems(world, tmp_path / "archive") == []


def test_who_takes_it_over_plays_it(world: World, tmp_path: Path) -> None:
    world.sure(f"REPLACE {AUSTRIA} BY dora@players.test", GAME)
    world.reply(world.questions("dora@players.test")[-1], "YES")
    assert "asleep" not in world.position(GAME)
    assert problems(world, tmp_path / "archive") == []


def test_where_the_game_goes_on_elsewhere_nobody_sleeps(world: World, tmp_path: Path) -> None:
    others_hold(world)
    archive = export(world, tmp_path / "archive", GAME)
    (tmp_path / "there").mkdir()
    there = World(tmp_path / "there")
    with there.work() as work:
        go_on(work, lambda: read_entries(archive / "data" / "journal.jsonl"), 2)
    assert "asleep" not in there.position(GAME)
    assert not there.seat(AUSTRIA).is_asleep
    assert problems(there, tmp_path / "archive-there") == []
    there.close()


@pytest.mark.rule("DI-04", "DI-05")
def test_its_orders_are_dropped_and_those_of_others_stay() -> None:
    assert ruleset.disorder is not None
    position = sent(sent(begun(), "Austria", "A Vie - Tyr").position, "France", "A Par - Bur", 2).position
    asleep = ruleset.disorder(position, "Austria", True)
    assert [sheet.seat for sheet in ruleset.sheets(asleep)] == ["France"]
    assert "Austria" not in ruleset.awaiting(asleep)
    assert ruleset.disorder(asleep, "Austria", True) == asleep
    awake = ruleset.disorder(asleep, "Austria", False)
    assert "Austria" in ruleset.awaiting(awake)
    assert "asleep" not in ruleset.dump(awake)
    assert ruleset.resign is not None
    assert ruleset.resign(asleep, "Austria").position == ruleset.resign(position, "Austria").position
