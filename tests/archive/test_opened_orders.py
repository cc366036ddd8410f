"""What is opened at the end of a game comes from the steps that were carried out, and not from positions: at the desk, in the
archive, and in games that began when positions still had it."""

import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from pbmd.desk.changes.rollback import roll_back
from pbmd.desk.imports.game import adopt_finished
from pbmd.ledger.tables import GameStatus, Report, StepRecord
from pbmd.rules import Dice, Event, PastStep, Resolution
from tests.archive.made import export, forge, rules_of, verified
from tests.desk.imports.test_game import entries_of
from tests.desk.world import World

GAME, SLUG = "galaxy-7", "galactic_overlord"
RULES = rules_of(SLUG)
SEATS = ("Altair", "Borealis")
TURNS = {1: ("Defence: LTFFTL", "Defence: TFLLFT"), 2: ("Defence: FTLTLF", "Defence: LFTTFL")}
OTHER = ("Defence: FFLLTT", "Defence: TTLLFF")
"""Orders of turn 2 that were rolled back."""


def _as_once(position: Any, dice: Dice) -> Resolution[Any]:
    """A step as it was when positions had the sheets of all turns."""
    came = RULES.resolve(position, dice)
    kept = [*RULES.dump(position).get("past", ()), {"turn": position.turn, "sheets": RULES.dump(position).get("sheets", [])}]
    after = RULES.load({**RULES.dump(came.position), "past": kept})
    steps = [PastStep(each.turn, each.sheets) for each in after.past]
    assert RULES.reveal is not None
    events: tuple[Event, ...] = came.events if RULES.outcome(after) is None else RULES.reveal(after, came.events, steps)
    return Resolution(after, events)


ONCE = replace(RULES, resolve=_as_once, reveal=None)


def _play(world: World, orders: tuple[str, ...]) -> None:
    for seat, text in zip(SEATS, orders, strict=True):
        world.send(seat, text, game=GAME)
        world.now += timedelta(minutes=1)
    world.pass_time(timedelta(days=30))


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    """A game of three turns."""
    world = World(tmp_path)
    world.start(GAME, SEATS, {"turn_limit": 3, "reveal_at_end": True}, ruleset=SLUG, reminders=())
    yield world
    world.close()


def _to_the_end(world: World) -> None:
    """With turn 2 played, taken back, and played again."""
    _play(world, TURNS[1])
    _play(world, OTHER)
    with world.work() as work:
        table = work.table_named(GAME)
        assert table is not None
        roll_back(work, table, 2)
    for seat in SEATS:
        world.send(seat, "CANCEL ORDERS", game=GAME)
    _play(world, TURNS[2])
    _play(world, ("Defence: LLTTFF", "Defence: FFTTLL"))
    assert world.game(GAME).status is GameStatus.FINISHED


def _positions(archive: Path) -> list[Mapping[str, Any]]:
    return [tomllib.loads(path.read_text()) for path in sorted(archive.rglob("after.toml"))]


def _told(world: World) -> str:
    return next(report.text for report in world.rows(Report)[::-1] if report.reader == "public")


def test_all_orders_but_those_taken_back_are_opened_and_no_position_has_them(world: World, tmp_path: Path) -> None:
    _to_the_end(world)
    told = _told(world)
    assert all(line in told for line in ("LTFFTL", "LFTTFL", "LLTTFF", "FFTTLL"))
    assert not any(line in told for line in ("FFLLTT", "TTLLFF"))
    archive = export(world, tmp_path / "archive", GAME)
    assert not any("past" in position for position in _positions(archive))
    assert (verified(archive).problems, verified(archive).whole) == ([], True)
    assert verified(export(world, tmp_path / "nobody", GAME, anonymised=True)).problems == []


def test_a_host_who_opens_other_orders_is_found(world: World, tmp_path: Path) -> None:
    _to_the_end(world)
    archive = export(world, tmp_path / "archive", GAME)
    (path,) = [path for path in archive.rglob("events.json") if "orders_revealed" in path.read_text()]
    path.write_text(path.read_text().replace("LTFFTL", "TTFFLL"))
    forge(archive, lambda _entries: None)
    assert "data/turns/003/events.json" in {problem.file for problem in verified(archive).problems}


def test_a_game_that_is_imported_opens_the_same(world: World, tmp_path: Path) -> None:
    _to_the_end(world)
    archive = export(world, tmp_path / "archive", GAME)
    (tmp_path / "other").mkdir()
    other = World(tmp_path / "other")
    try:
        with other.work() as work:
            adopt_finished(work, entries_of(archive))
        assert _told(other) == _told(world)
    finally:
        other.close()


class TestGamesOfFormerTimes:
    """Their positions have a field `past`, to which each turn has added its sheets."""

    def test_their_archives_verify(self, world: World, tmp_path: Path) -> None:
        world.desk = replace(world.desk, rules={SLUG: ONCE})
        _to_the_end(world)
        archive = export(world, tmp_path / "archive", GAME)
        assert [len(position.get("past", ())) for position in _positions(archive)] == [0, 1, 2, 3, 2]
        assert (verified(archive).problems, verified(archive).whole) == ([], True)
        assert verified(export(world, tmp_path / "nobody", GAME, anonymised=True)).problems == []

    def test_other_sheets_in_a_position_are_found(self, world: World, tmp_path: Path) -> None:
        world.desk = replace(world.desk, rules={SLUG: ONCE})
        _to_the_end(world)
        for anonymised in (False, True):
            archive = export(world, tmp_path / f"archive-{anonymised}", GAME, anonymised=anonymised)
            path = archive / "data" / "turns" / "001" / "after.toml"
            path.write_text(path.read_text().replace("LTFFTL", "TTFFLL"))
            forge(archive, lambda _entries: None)
            assert "data/turns/001/after.toml" in {problem.file for problem in verified(archive).problems}

    def test_they_go_on_without_growing_and_open_all_orders(self, world: World, tmp_path: Path) -> None:
        once, now = replace(world.desk, rules={SLUG: ONCE}), world.desk
        world.desk = once
        _play(world, TURNS[1])
        world.desk = now
        _play(world, TURNS[2])
        _play(world, ("Defence: LLTTFF", "Defence: FFTTLL"))
        assert [len(json.loads(record.after).get("past", ())) for record in world.rows(StepRecord)] == [1, 1, 1]
        assert all(line in _told(world) for line in ("LTFFTL", "LFTTFL", "LLTTFF"))
        found = verified(export(world, tmp_path / "archive", GAME))
        assert (found.problems, found.whole) == ([], True)
