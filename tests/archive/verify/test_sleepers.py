"""Archives of games in which seats sleep: they play again from their journals, and whoever says falsely that a seat sleeps, so
that nobody waits for it, is found out."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from pbmd.archive.format.audience import TO_PUBLIC, Audience
from pbmd.desk.changes.gm import abandon
from pbmd.desk.changes.pauses import pause, resume
from pbmd.desk.changes.rollback import roll_back
from tests.archive.made import export, forge, verified
from tests.desk.relay import past_turn_0
from tests.desk.world import World

MINUTE, TURN = timedelta(minutes=1), timedelta(hours=73)


def play(world: World, *seats: str) -> None:
    """A turn in which these send orders, up to its deadline if others are awaited."""
    for seat in seats:
        world.send(seat, "Add 1")
    assert world.pass_time(MINUTE) or world.pass_time(TURN)


def asleep(world: World, **terms: Any) -> None:
    """A game of Count in which Altair sleeps, and a turn ended early without it."""
    world.count(**({"missed_in_a_row": 2} | terms))
    for _ in range(3):
        play(world, "Borealis", "Cygnus")
    assert world.seat("Altair").is_asleep


def problems(world: World, folder: Path) -> list[str]:
    return [problem.problem for problem in verified(export(world, folder)).problems]


@pytest.mark.parametrize("terms", [{}, {"missed_in_a_row": 0, "missed_in_all": 2}, {"who_has_sent": "nothing"}], ids=str)
def test_a_step_that_ended_early_without_a_sleeper_is_as_it_should_be(world: World, tmp_path: Path, terms: Any) -> None:
    asleep(world, **terms)
    assert problems(world, tmp_path / "archive") == []


@pytest.mark.in_turn(3)
@pytest.mark.parametrize("view", [TO_PUBLIC, Audience("seat", "Borealis"), Audience("seat", "Altair")], ids=str)
@pytest.mark.parametrize("who_has_sent", ["count", "nothing"])
def test_also_in_the_archives_of_players(world: World, tmp_path: Path, view: Audience, who_has_sent: str) -> None:
    asleep(world, who_has_sent=who_has_sent)
    world.act("galaxy-7", abandon)
    assert verified(export(world, tmp_path / "archive", audience=view)).problems == []


def test_orders_of_somebody_who_woke_up_count(world: World, tmp_path: Path) -> None:
    asleep(world)
    world.send("Altair", "Add 5")
    play(world, "Borealis", "Cygnus")
    play(world, "Borealis", "Cygnus")
    world.master("WAKE Altair")
    assert problems(world, tmp_path / "archive") == []


def test_absences_pauses_new_holders_and_rollbacks_between_are_no_riddles(world: World, tmp_path: Path) -> None:
    asleep(world, missed_in_all=4)
    world.sure("REPLACE Altair BY dora@players.test")
    world.reply(world.questions("dora@players.test")[-1], "YES")
    for _ in range(2):
        play(world, "Borealis", "Cygnus")
    assert world.seat("Altair").is_asleep
    world.act("galaxy-7", roll_back, 4)
    assert not world.seat("Altair").is_asleep
    world.act("galaxy-7", pause)
    world.pass_time(TURN)
    world.act("galaxy-7", resume)
    world.send("Cygnus", f"ABSENT FROM {world.now:%Y-%m-%d} TO {world.now + timedelta(days=7):%Y-%m-%d}")
    world.send("Altair", "READY", sender="dora@players.test")
    for _ in range(2):
        play(world, "Borealis")
    assert world.seat("Altair").is_asleep
    assert not world.seat("Cygnus").is_asleep
    assert problems(world, tmp_path / "archive") == []


def test_who_sleeps_is_skipped_at_once_where_one_moves_after_the_other(world: World, tmp_path: Path) -> None:
    world.start("galaxy-7", options={"die": False}, ruleset="relay", reminders=(), missed_in_a_row=1)
    past_turn_0(world)
    world.pass_time(TURN)
    assert world.seat("Altair").is_asleep
    for _ in range(2):
        world.send("Borealis", "Add 1")
        world.send("Cygnus", "Add 1")
    assert world.position()["waiting"] == ["Borealis", "Cygnus"], "Altair was skipped at once"
    assert problems(world, tmp_path / "archive") == []


def test_a_seat_that_is_said_to_sleep_too_early_is_found(world: World, tmp_path: Path) -> None:
    asleep(world)
    export(world, tmp_path / "archive")

    def change(entries: list[dict[str, Any]]) -> None:
        entries[0]["public"]["terms"]["missed_in_a_row"] = 3

    forge(tmp_path / "archive", change)
    found = [problem.problem for problem in verified(tmp_path / "archive").problems]
    assert any(
        "lets Altair fall asleep, which by the terms of the game has not missed enough for that" in each for each in found
    )


def test_a_step_that_did_not_wait_for_a_seat_that_never_slept_is_found(world: World, tmp_path: Path) -> None:
    asleep(world)
    export(world, tmp_path / "archive")

    def change(entries: list[dict[str, Any]]) -> None:
        entries[:] = [entry for entry in entries if entry["kind"] != "asleep"]

    forge(tmp_path / "archive", change)
    found = [problem.problem for problem in verified(tmp_path / "archive").problems]
    assert any("says that Altair had missed its deadline" in each for each in found)
