"""Clocks by phase: moves on Fridays, a day for retreats and builds."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from pbmd.archive.format.audience import TO_PUBLIC
from pbmd.archive.format.entries import read_entries
from pbmd.desk.changes import new_game
from pbmd.desk.changes.rollback import roll_back
from pbmd.desk.imports.game import go_on
from pbmd.desk.step.game_transaction import changing_games
from pbmd.ledger.tables import Game, StepRecord
from pbmd.rules import HmacDice, Signup
from pbmd.terms.terms import Terms
from rulesets.diplomacy import ruleset
from tests.archive.made import export, forge, verified
from tests.desk.world import World, address_of
from tests.rulesets.diplomacy.harness import POWERS

GAME = "europe"
BERLIN = ZoneInfo("Europe/Berlin")
MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
THURSDAY = datetime(2027, 3, 4, 12, tzinfo=UTC)
FRIDAYS = {
    "deadline": "every Friday 20:00 Europe/Berlin",
    "phases": {
        "moves": {"early": False},
        "retreats": {"deadline": "24h", "reminders": ["6h"]},
        "builds": {"deadline": "24h", "reminders": ["6h"]},
    },
}


def begun(world: World, **terms: Any) -> None:
    world.now = THURSDAY
    with changing_games(world.desk) as work:
        table = new_game.create_game(work, GAME, "diplomacy", Terms.model_validate(terms), {})
        for power in POWERS:
            new_game.add_seat(work, table, Signup(power), new_game.Newcomer(address_of(power), power))
        new_game.start_game(work, table)


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    """A desk."""
    world = World(tmp_path)
    yield world
    world.close()


def all_send(world: World, letters: Mapping[str, str] | None = None) -> None:
    """Random orders of all whose orders are awaited, or these letters, and passes of the others."""
    position = ruleset.load(world.position(GAME))
    for power in ruleset.awaiting(position):
        world.now += MINUTE
        dice = HmacDice(f"{world.now}".encode(), power.encode())
        text = ruleset.random_orders(position, power, dice) if letters is None else letters.get(power, "PASS")
        world.send(power, f"ORDERS\n{text}", game=GAME)


def kind(world: World) -> str:
    return ruleset.phase(ruleset.load(world.position(GAME)))


def deadline(world: World) -> datetime:
    at = world.rows(Game)[0].deadline
    assert at is not None
    return at


def at_deadline(world: World) -> None:
    """The deadline passes."""
    assert world.pass_time(deadline(world) - world.now + MINUTE) == 1


def dislodged(world: World) -> None:
    """A spring and an autumn in which Austria is dislodged from Vienna, on two Fridays."""
    all_send(world, {"Italy": "A Ven - Tyr\nA Rom - Ven", "Germany": "A Mun - Boh"})
    at_deadline(world)
    all_send(world, {"Italy": "A Tyr - Vie", "Germany": "A Boh S A Tyr - Vie"})
    at_deadline(world)
    assert kind(world) == "retreats"


def test_moves_are_due_on_fridays_for_years_whatever_retreats_and_builds_take(world: World, tmp_path: Path) -> None:
    begun(world, **FRIDAYS)
    fridays, taken, count = [deadline(world)], {"retreats": set[bool](), "builds": set[bool]()}, 0
    while len(fridays) < 10 and world.rows(Game)[0].status == "running":
        now, opened = kind(world), world.now
        count += 1
        if now == "moves":
            all_send(world)
            assert world.pass_time(12 * HOUR) == 0, "moves wait for Friday"
            at_deadline(world)
        elif True not in taken[now]:
            all_send(world)
            assert world.pass_time(2 * HOUR) == 1
            taken[now].add(True)
        else:
            assert deadline(world) == opened + DAY
            assert world.pass_time(DAY - MINUTE) == 0
            at_deadline(world)
            taken[now].add(False)
        if kind(world) == "moves":
            fridays.append(deadline(world))
    local = [at.astimezone(BERLIN) for at in fridays]
    assert {(at.weekday(), at.hour) for at in local} == {(4, 20)}
    assert [after.date() - before.date() for before, after in pairwise(local[1:])] == [7 * DAY] * 8
    assert {at.utcoffset() for at in local} == {HOUR, 2 * HOUR}, "summer time came"
    assert taken == {"retreats": {True, False}, "builds": {True, False}}
    findings = verified(export(world, tmp_path / "archive", GAME))
    assert [str(problem) for problem in findings.problems] == []
    assert findings.checked["deadlines of steps"] == count
    of_public = verified(export(world, tmp_path / "public", GAME, TO_PUBLIC))
    assert [str(problem) for problem in of_public.problems] == []
    assert of_public.checked["deadlines of steps"] == count


def cut(archive: Path, length: timedelta) -> list[str]:
    """The problems of an archive in which the last deadline that a report told is so much earlier."""

    def change(entries: list[dict[str, Any]]) -> None:
        entry = [each for each in entries if each["kind"] == "resolved"][-1]
        entry["public"]["deadline"] = (datetime.fromisoformat(entry["public"]["deadline"]) - length).isoformat()

    forge(archive, change)
    return [problem.problem for problem in verified(archive).problems]


@pytest.mark.parametrize("early", [True, False])
def test_retreats_and_builds_of_a_weekend_leave_friday_where_it_is(world: World, tmp_path: Path, early: bool) -> None:
    begun(world, **FRIDAYS)
    dislodged(world)
    friday = deadline(world).astimezone(BERLIN).date() - DAY
    assert deadline(world) - world.now == DAY
    world.now += 12 * HOUR
    all_send(world, {"Austria": "A Vie - Gal"})
    assert world.pass_time(HOUR + MINUTE) == 1
    assert kind(world) == "builds"
    if early:  # on Sunday at eight, five and a half days before the next Friday
        world.now += 21 * HOUR
        all_send(world)
        assert world.pass_time(HOUR + MINUTE) == 1
    else:
        at_deadline(world)
    assert kind(world) == "moves"
    assert deadline(world).astimezone(BERLIN).date() == friday + 7 * DAY
    archive = export(world, tmp_path / "archive", GAME)
    assert [str(problem) for problem in verified(archive).problems] == []
    assert any("and the terms of the game promise" in problem for problem in cut(archive, MINUTE))


def test_moves_that_ended_early_leave_the_next_step_by_their_rule_all_that_is_promised(world: World, tmp_path: Path) -> None:
    begun(world, deadline=FRIDAYS["deadline"], second_thought="0m", phases={"retreats": {"deadline": "24h"}})
    all_send(world, {"Italy": "A Ven - Tyr\nA Rom - Ven", "Germany": "A Mun - Boh"})
    world.pass_time(MINUTE)
    world.now = datetime(2027, 3, 7, 9, tzinfo=UTC)
    all_send(world, {"Italy": "A Tyr - Vie", "Germany": "A Boh S A Tyr - Vie"})
    world.pass_time(MINUTE)
    assert kind(world) == "retreats"
    at_deadline(world)
    # The builds go by the rule of the moves. These ended on Sunday, so the Friday of that week is too near.
    assert kind(world) == "builds"
    assert deadline(world) == datetime(2027, 3, 19, 19, tzinfo=UTC)
    archive = export(world, tmp_path / "archive", GAME)
    assert [str(problem) for problem in verified(archive).problems] == []
    assert any("and the terms of the game promise" in problem for problem in cut(archive, 7 * DAY))


def test_steps_that_are_taken_back_do_not_count(world: World, tmp_path: Path) -> None:
    begun(world, **FRIDAYS)
    dislodged(world)
    at_deadline(world)
    world.act(GAME, roll_back, 1)
    assert deadline(world).astimezone(BERLIN).weekday() == 4
    dislodged(world)
    at_deadline(world)
    at_deadline(world)
    assert len({record.rolled_back for record in world.rows(StepRecord)}) == 2
    assert [str(problem) for problem in verified(export(world, tmp_path / "archive", GAME)).problems] == []


def test_a_game_that_goes_on_elsewhere_has_the_same_terms(world: World, tmp_path: Path) -> None:
    begun(world, **FRIDAYS)
    dislodged(world)
    archive = export(world, tmp_path / "archive", GAME)
    (tmp_path / "other").mkdir()
    other = World(tmp_path / "other")
    other.now = world.now
    with changing_games(other.desk) as work:
        go_on(work, lambda: read_entries(archive / "data" / "journal.jsonl"), 1)
    assert json.loads(other.rows(Game)[0].terms) == json.loads(world.rows(Game)[0].terms)
    assert deadline(other).astimezone(BERLIN).weekday() == 4
    assert [str(problem) for problem in verified(export(other, tmp_path / "archive-2", GAME)).problems] == []
    other.close()


def test_a_deadline_of_a_retreat_that_was_cut_is_found(world: World, tmp_path: Path) -> None:
    begun(world, **FRIDAYS)
    dislodged(world)
    problems = cut(export(world, tmp_path / "archive", GAME), HOUR)
    assert any("and the terms of the game promise" in problem for problem in problems), problems


def test_reminders_are_those_of_the_phase(world: World) -> None:
    begun(world, **FRIDAYS)
    dislodged(world)
    before = len(world.outbox("reminder"))
    world.pass_time(17 * HOUR)
    assert len(world.outbox("reminder")) == before
    world.pass_time(2 * HOUR)
    assert [mail.recipient for mail in world.outbox("reminder")[before:]] == [address_of("Austria")]


def test_no_reminder_is_promised_that_cannot_come(world: World) -> None:
    """A day before the end of a phase of a day its report has just gone out."""
    begun(
        world,
        **FRIDAYS | {"phases": {"retreats": {"deadline": "24h"}, "builds": {"reminders": ["24h", "6h"], "deadline": "24h"}}},
    )
    status = " ".join(world.send("Italy", "STATUS", game=GAME).split())
    assert "Retreats: due 1 day after the report; resolved 1 h after the last orders; no reminder." in status
    assert "Builds: due 1 day after the report; resolved 1 h after the last orders; a reminder 6 h before." in status


def test_players_are_told_of_each_kind(world: World) -> None:
    begun(world, **FRIDAYS)
    status = " ".join(world.send("Italy", "STATUS", game=GAME).split())
    assert "Phases Moves: due every Friday 20:00 Europe/Berlin; never resolved before that; a reminder 1 day before." in status
    assert "Retreats: due 1 day after the report; resolved 1 h after the last orders; a reminder 6 h before." in status
    told = " ".join(world.send("Italy", "RULES", game=GAME).split())
    assert "In this game each kind of phases has its own time. Moves: due every Friday" in told
    assert "Builds: due 1 day after the report" in world.master("STATUS", GAME).replace(" | ", " ")
