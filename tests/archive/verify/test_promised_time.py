"""Whether `pbmd verify` sees that time was taken from players, and nothing else: every way in which a deadline moves or counts.

What a host with all keys can do to the clock is done here to the ledger between two looks of the desk.
"""

import json
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from pbmd.archive.format.audience import TO_PUBLIC, Audience
from pbmd.archive.format.entries import read_entries
from pbmd.archive.verify.event_times import ALL_IN, CLOSED, PASSED
from pbmd.desk.books.desk import mailbox_name
from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.changes import deadline_changes, pauses
from pbmd.desk.changes.deadline_changes import close_step, set_deadline
from pbmd.desk.changes.gm import abandon, eject
from pbmd.desk.changes.rollback import roll_back
from pbmd.desk.changes.seats import Holder
from pbmd.desk.due.outages import note_unreadable
from pbmd.desk.imports.game import go_on
from pbmd.desk.ingest import _note_reading
from pbmd.desk.questions.seat_offers import offer
from pbmd.desk.step.stop import stop_game
from pbmd.ledger.entries.codec import Entry
from pbmd.ledger.tables import Seat
from tests.archive.made import export, forge, verified
from tests.desk.relay import GAME, past_turn_0, relay
from tests.desk.world import NAMES, World
from tests.rules import relay as rules
from tests.rulesets.cosmic_conquest.desk import conquest

HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def found(world: World, folder: Path, game: str = "galaxy-7", audience: Audience | None = None) -> list[str]:
    """The problems in an archive of the game."""
    findings = verified(export(world, folder, game, audience) if audience else export(world, folder, game))
    return [problem.problem for problem in findings.problems]


def sound(world: World, folder: Path, game: str = "galaxy-7") -> int:
    """The archive verifies; gives of how many steps the deadlines were checked."""
    findings = verified(export(world, folder, game))
    assert [str(problem) for problem in findings.problems] == []
    assert not [said for said in findings.unchecked if "eadline" in said and "checksums" not in said]
    return findings.checked["deadlines of steps"]


def update(world: World, statement: str, **values: Any) -> None:
    """What somebody does to the ledger who has it, and who takes the digests away by which pbmd would notice."""
    with world.desk.engine.begin() as connection:
        connection.execute(text(statement), values)
        connection.execute(text("UPDATE game SET digests = '{}'"))


def cut(world: World, at: datetime) -> None:
    update(world, "UPDATE game SET deadline = :at, due_at = :at", at=at.replace(tzinfo=None).isoformat(" ", "microseconds"))


def all_send(world: World, game: str = "galaxy-7") -> None:
    for seat in NAMES:
        world.send(seat, "Add 1", game=game)


# What a host does


def test_a_deadline_that_was_cut_in_the_ledger_is_found(world: World, tmp_path: Path) -> None:
    world.count()
    world.send("Altair", "Add 1")
    cut(world, world.now + HOUR)
    assert world.pass_time(HOUR + timedelta(minutes=1)) == 1
    problems = found(world, tmp_path / "archive")
    assert [words for words in problems if "says that Borealis had missed its deadline" in words]
    assert [words for words in problems if "says that Cygnus had missed its deadline" in words]
    assert not [words for words in problems if "Altair" in words]


@pytest.mark.parametrize("view", [TO_PUBLIC, Audience("seat", "Borealis")], ids=str)
def test_players_find_it_in_their_own_archives(world: World, tmp_path: Path, view: Audience) -> None:
    world.count()
    cut(world, world.now + HOUR)
    assert world.pass_time(HOUR + timedelta(minutes=1)) == 1
    (problem,) = found(world, tmp_path / "archive", audience=view)
    assert "resolves a step because the deadline passed, which was over only at 2026-11-23 12:00:00 UTC" in problem


@pytest.mark.parametrize("view", [TO_PUBLIC, Audience("seat", "Borealis")], ids=str)
def test_and_are_told_what_could_not_be_checked(world: World, tmp_path: Path, view: Audience) -> None:
    world.count()
    world.send("Altair", "EXTEND 3h because of rain")
    world.pass_time(4 * DAY)
    findings = verified(export(world, tmp_path / "archive", audience=view))
    assert (findings.problems, findings.checked["deadlines of steps"]) == ([], 1)
    assert any(said.startswith("Of time only the deadlines of the game as a whole") for said in findings.unchecked)


def test_grace_that_was_taken_away_is_found(world: World, tmp_path: Path) -> None:
    world.count(grace="6h")
    update(world, "UPDATE game SET terms = replace(terms, '\"6h\"', '\"0h\"')")
    cut(world, world.now + 3 * DAY)  # so that it is looked at
    assert world.pass_time(3 * DAY + HOUR) == 1
    assert any(
        "had missed its deadline, which was over only at 2026-11-23 18:00" in said for said in found(world, tmp_path / "a")
    )


def test_terms_that_were_cut_are_found_at_the_next_step(world: World, tmp_path: Path) -> None:
    world.count()
    update(world, "UPDATE game SET terms = replace(terms, '\"72h\"', '\"2h\"')")
    world.pass_time(3 * DAY + HOUR)
    assert any("opens a step with the deadline" in said and "promise" in said for said in found(world, tmp_path / "archive"))


@pytest.mark.parametrize(
    "moved",
    [
        lambda world: world.master("EXTEND 1h"),
        lambda world: world.master("QUIET Sunday"),
        lambda world: world.master("PAUSE\nRESUME"),
        lambda world: world.send("Altair", "ABSENT FROM 2026-11-21 TO 2026-11-21"),
        lambda world: lose_the_mailbox(world, 3 * HOUR),
    ],
    ids=["extended", "quiet", "resumed", "put-off", "shifted"],
)
def test_a_cut_is_found_that_hides_behind_another_change(world: World, tmp_path: Path, moved: Callable[[World], Any]) -> None:
    world.count(absences="extend")
    before = len(world.journal())
    cut(world, world.now + 20 * HOUR)
    moved(world)
    changes = {"extended", "quiet", "resumed", "put-off", "shifted"}
    assert changes & {entry.kind for entry in world.journal()[before:]}
    world.pass_time(4 * DAY)
    assert any("by the entries before it not before" in said for said in found(world, tmp_path / "archive"))


def lose_the_mailbox(world: World, length: timedelta) -> None:
    """The mailbox cannot be read for so long before the deadline."""
    world.now = world.game().deadline - length
    note_unreadable(world.desk)
    world.now += length / 2
    _note_reading(world.desk, mailbox_name(world.desk), world.now)


def test_the_deadline_of_a_seat_that_was_taken_back_is_found(world: World, tmp_path: Path) -> None:
    conquest(world)
    world.send("Red", "EXTEND 12h because of rain")
    assert world.seat("Red").deadline
    update(world, "UPDATE seat SET deadline = NULL")
    world.pass_time(3 * DAY + HOUR)
    assert any("says that Red had missed its deadline" in said for said in found(world, tmp_path / "archive"))


def test_time_that_a_seat_has_from_the_orders_of_another_is_checked(world: World, tmp_path: Path) -> None:
    """A psionic has hours from the orders on that were asked about; the entry of these says since when."""
    conquest(world)
    world.send("Purple", "Telepathic Insight on Red")
    world.send("Green", "Pass")
    world.pass_time(70 * HOUR)
    world.send("Red", "Pass")
    update(world, "UPDATE seat SET settled_at = '2026-11-20 12:00:00.000000' WHERE name = 'Red'")
    update(world, "UPDATE game SET due_at = '2026-11-20 12:00:00.000000'")
    assert world.pass_time(4 * HOUR) == 1
    assert any("says that Purple had missed its deadline" in said for said in found(world, tmp_path / "archive"))


def test_a_letter_called_late_that_was_not_is_found(world: World, tmp_path: Path) -> None:
    world.count(grace="2h")
    world.pass_time(3 * DAY + HOUR)
    world.send("Altair", "Add 1")
    world.send("Borealis", "Add 1", at=world.now + 2 * HOUR)
    world.pass_time(2 * HOUR)
    assert sound(world, tmp_path / "archive") == 1

    def call_late(entries: list[dict[str, Any]]) -> None:
        _letters_of(entries, "Altair")[0]["state"] = "late"

    forge(tmp_path / "archive", call_late)
    problems = [problem.problem for problem in verified(tmp_path / "archive").problems]
    assert any("calls late what Altair sent at 2026-11-23 13:00:00 UTC, before its deadline" in said for said in problems)


def test_a_letter_taken_that_was_late_is_found(world: World, tmp_path: Path) -> None:
    world.count()
    world.send("Altair", "Add 1")
    world.pass_time(3 * DAY + HOUR)
    assert sound(world, tmp_path / "archive") == 1

    def come_late(entries: list[dict[str, Any]]) -> None:
        _letters_of(entries, "Altair")[0]["arrival"][0] += 4 * 24 * 3600 * 1_000_000

    forge(tmp_path / "archive", come_late)
    problems = [problem.problem for problem in verified(tmp_path / "archive").problems]
    assert any("takes what Altair sent at 2026-11-24 12:00:00 UTC, after its deadline" in said for said in problems)


def _letters_of(entries: list[dict[str, Any]], seat: str) -> list[dict[str, Any]]:
    return [entry["secret"] for entry in entries if entry["kind"] == "orders" and entry["secret"]["seat"] == seat]


def test_a_step_resolved_in_spite_of_wait_is_found(world: World, tmp_path: Path) -> None:
    world.count()
    world.send("Altair", "Add 1\nWAIT")
    update(world, "UPDATE seat SET waits = 0")
    for seat in ("Borealis", "Cygnus"):
        world.send(seat, "Add 1")
    assert world.pass_time(HOUR) == 1
    assert any("it could not be over before 2026-11-23 12:00:00" in said for said in found(world, tmp_path / "archive"))


@pytest.mark.parametrize("said", [PASSED, CLOSED, "so it was"])
def test_a_cause_that_is_not_the_one_is_found(world: World, tmp_path: Path, said: str) -> None:
    world.count()
    all_send(world)
    assert world.pass_time(HOUR) == 1
    export(world, tmp_path / "archive")

    def change(entries: list[dict[str, Any]]) -> None:
        entries[-1]["public"]["cause"] = said

    forge(tmp_path / "archive", change)
    problems = [problem.problem for problem in verified(tmp_path / "archive").problems]
    assert any(
        f'because "{said}", and by the entries before it that was because "all orders were in"' in each for each in problems
    )


@pytest.mark.parametrize("kind", ["resolved", "extended"])
def test_an_entry_that_leaves_out_the_deadline_is_found(world: World, tmp_path: Path, kind: str) -> None:
    world.count()
    world.pass_time(4 * DAY)
    world.master("EXTEND 3h")
    world.pass_time(4 * DAY)
    export(world, tmp_path / "archive")

    def change(entries: list[dict[str, Any]]) -> None:
        del next(entry for entry in entries if entry["kind"] == kind)["public"]["deadline"]

    forge(tmp_path / "archive", change)
    problems = [problem.problem for problem in verified(tmp_path / "archive").problems]
    assert any("does not say the deadline that it makes" in said for said in problems)


@pytest.mark.parametrize("written", [7, None, [], "soon", "2026-11-23T12:00:00", "99999-01-01T00:00:00Z"])
def test_a_deadline_that_is_none_stops_nothing(world: World, tmp_path: Path, written: Any) -> None:
    world.count()
    world.pass_time(4 * DAY)
    export(world, tmp_path / "archive")

    def change(entries: list[dict[str, Any]]) -> None:
        next(entry for entry in entries if entry["kind"] == "started")["public"]["deadline"] = written

    forge(tmp_path / "archive", change)
    problems = [problem.problem for problem in verified(tmp_path / "archive").problems]
    assert any("makes no sense" in said or "has not what such an entry has: deadline" in said for said in problems)


# What is as it must be


def test_every_change_says_the_deadline_that_it_makes(world: World, tmp_path: Path) -> None:
    world.count(absences="extend", deadline="every day 20:00 Europe/Berlin", quiet_days=("sunday",), grace="1h")
    world.master("EXTEND 3h\nDEADLINE in 60h\nQUIET Saturday\nHOLIDAY 2026-11-25")
    world.send("Borealis", "EXTEND 1h because of rain")
    world.send("Altair", "ABSENT FROM 2026-11-22 TO 2026-11-26")
    world.master("PAUSE")
    world.now += 7 * HOUR
    world.master("RESUME")
    lose_the_mailbox(world, 4 * HOUR)
    says = {"started", "extended", "deadline", "quiet", "put-off", "resumed", "shifted"}
    entries = [entry for entry in world.journal() if entry.kind in says]
    assert {entry.kind for entry in entries} == says
    for entry in entries:
        assert datetime.fromisoformat(json.loads(entry.public)["deadline"]).tzinfo is UTC, entry
    last = datetime.fromisoformat(json.loads(entries[-1].public)["deadline"])
    assert last == world.game().deadline
    assert world.pass_time(9 * DAY) == 1
    opened = json.loads(world.journal("resolved")[-1].public)["deadline"]
    assert datetime.fromisoformat(opened) == world.game().deadline
    assert sound(world, tmp_path / "archive") == 1


def test_deadlines_that_seats_have_of_their_own(world: World, tmp_path: Path) -> None:
    conquest(world, absences="extend")
    world.send("Red", "EXTEND 12h because of rain")
    world.send("Green", "ABSENT FROM 2026-11-23 TO 2026-11-23")
    world.pass_time(3 * DAY + HOUR)  # Purple has missed it
    world.act("galaxy-7", deadline_changes.extend, 5 * HOUR, "the game master")
    world.act("galaxy-7", pauses.pause)
    world.now += 3 * HOUR
    world.act("galaxy-7", pauses.resume)
    lose_the_mailbox(world, HOUR)
    assert world.pass_time(9 * DAY) == 1
    assert sound(world, tmp_path / "archive") == 1


def test_a_seat_that_waits_for_the_orders_of_another(world: World, tmp_path: Path) -> None:
    conquest(world)
    world.send("Purple", "Telepathic Insight on Red")
    world.send("Green", "Pass")
    world.pass_time(80 * HOUR)  # Red has missed it, and Purple has time from then on
    assert world.pass_time(30 * HOUR) == 1
    world.send("Purple", "Telepathic Insight on Green")
    world.pass_time(70 * HOUR)
    world.send("Green", "Pass")
    world.act("galaxy-7", pauses.pause)
    world.now += 30 * HOUR
    world.act("galaxy-7", pauses.resume)
    world.send("Red", "Pass")
    world.pass_time(4 * HOUR)
    world.send("Purple", "Pass")
    assert world.pass_time(HOUR) == 1
    assert sound(world, tmp_path / "archive") == 2


def test_what_pbmd_came_to_late_counts_from_when_it_was(world: World, tmp_path: Path) -> None:
    """Second thoughts run from the last orders on, a pause from the game master's mail on, however late these are read."""
    world.count(second_thought="30m")
    begin, minute = world.now, timedelta(minutes=1)
    world.now += 5 * HOUR
    for seat, minutes in zip(NAMES, (1, 2, 3), strict=True):
        world.send(seat, "Add 1", at=begin + minutes * minute)
    for seat, minutes in zip(NAMES, (240, 250, 260), strict=True):
        world.send(seat, "Add 2", at=begin + minutes * minute, read=True)
    assert world.pass_time() == 1
    assert len(world.journal("resolved")) == 2
    deadline = world.game().deadline
    assert deadline is not None
    world.now = deadline + 2 * HOUR
    world.master("PAUSE", at=deadline - HOUR)
    assert "your orders for turn 3 are in" in world.send("Altair", "Add 3", at=deadline + HOUR)
    world.master("RESUME")
    assert world.pass_time(4 * DAY) == 1
    assert sound(world, tmp_path / "archive") == 3


def test_who_was_given_more_time_keeps_the_step_open_until_they_have_ordered(world: World, tmp_path: Path) -> None:
    world.count(second_thought="1m")
    all_send(world)
    world.send("Altair", "EXTEND 2h")
    assert world.pass_time(HOUR) == 0
    world.send("Altair", "Add 2")
    assert world.pass_time(HOUR) == 1
    assert sound(world, tmp_path / "first") == 1
    all_send(world)
    world.send("Borealis", "WAIT")
    world.send("Borealis", "EXTEND 2h")
    world.send("Borealis", "Add 2")  # who has said WAIT still waits
    assert world.pass_time(HOUR) == 0
    world.send("Borealis", "READY")
    assert world.pass_time(HOUR) == 1
    assert sound(world, tmp_path / "second") == 2


def test_an_archive_in_which_the_step_did_not_wait_for_them_is_found_out(world: World, tmp_path: Path) -> None:
    world.count(second_thought="1m")
    all_send(world)
    world.send("Altair", "EXTEND 2h")
    update(world, "UPDATE seat SET waits = :no", no=False)
    update(world, "UPDATE game SET due_at = opened_at")
    assert world.pass_time(HOUR) == 1
    assert found(world, tmp_path / "archive")


def test_where_what_moved_a_deadline_is_withheld_a_clock_that_goes_on_is_not_called_cut(world: World, tmp_path: Path) -> None:
    """Only the position tells that in Turn 0 all have the same time; where it is not shown, nothing is held against it."""
    relay(world)
    world.send("Cygnus", "EXTEND 3h because of rain")
    world.now += DAY
    world.send("Altair", "Add 1")
    assert len(world.journal("resolved")) == 1
    assert [str(problem) for problem in verified(export(world, tmp_path / "archive", anonymised=True)).problems] == []


@pytest.mark.in_turn(3)
@pytest.mark.parametrize(
    "begin",
    [datetime(2026, 3, 20, 12, tzinfo=UTC), datetime(2026, 10, 16, 12, tzinfo=UTC), datetime(2026, 3, 28, 23, 30, tzinfo=UTC)],
    ids=str,
)
@pytest.mark.parametrize("rule", ["every day 02:30 Europe/Berlin", "every Sunday 02:30 America/New_York", "24h"])
def test_summer_time_begins_and_ends(world: World, tmp_path: Path, begin: datetime, rule: str) -> None:
    world.now = begin
    world.count(deadline=rule, quiet_days=("monday",), minimum_time="2h", second_thought="30m")
    for count in range(4):
        if count % 2:
            all_send(world)
            world.pass_time(HOUR / 2)
            world.pass_time(2 * HOUR)
        else:
            world.send("Altair", "Add 1")
            world.pass_time(15 * DAY)
    assert sound(world, tmp_path / "archive") == 4


def test_steps_that_the_game_master_closes(world: World, tmp_path: Path) -> None:
    world.count()
    world.send("Altair", "Add 1")
    world.act("galaxy-7", deadline_changes.resolve_now)
    world.act("galaxy-7", close_step)
    assert world.pass_time(HOUR) == 1
    world.act("galaxy-7", close_step)
    world.act("galaxy-7", deadline_changes.extend, HOUR, "the game master")  # that opens it again
    all_send(world)
    assert world.pass_time(HOUR) == 1
    world.act("galaxy-7", close_step)
    world.act("galaxy-7", stop_game, "a ruleset")
    world.now += HOUR
    world.act("galaxy-7", pauses.resume)
    assert world.pass_time(HOUR) == 1
    assert [json.loads(entry.public)["cause"] for entry in world.journal("resolved")] == [CLOSED, CLOSED, ALL_IN, CLOSED]
    assert sound(world, tmp_path / "archive") == 4


def test_steps_that_are_taken_back_also_while_the_clock_stands(world: World, tmp_path: Path) -> None:
    world.count(deadline="every day 20:00")
    for _ in range(2):
        world.send("Altair", "Add 1")
        world.pass_time(2 * DAY)
    world.act("galaxy-7", roll_back, 1)
    world.send("Altair", "READY")
    assert world.pass_time(HOUR) == 0
    assert world.pass_time(2 * DAY) == 1
    world.act("galaxy-7", pauses.pause)
    world.now += HOUR
    world.act("galaxy-7", roll_back, 1)
    world.now += 3 * HOUR
    world.act("galaxy-7", pauses.resume)
    all_send(world)
    for seat in NAMES:
        world.send(seat, "READY")
    assert world.pass_time(HOUR) == 1
    world.act("galaxy-7", abandon)
    world.act("galaxy-7", roll_back, 1)
    for _ in range(3):
        assert world.pass_time(2 * DAY) == 1
    world.act("galaxy-7", abandon)
    assert sound(world, tmp_path / "archive") == 7


def test_seats_that_are_given_up_and_taken_over(world: World, tmp_path: Path) -> None:
    world.count()
    world.resign("Cygnus")
    world.send("Altair", "Add 1")
    world.send("Borealis", "Add 1")
    assert world.pass_time(HOUR) == 1
    world.act("galaxy-7", lambda work, table: eject(work, table, table.seat("Borealis")))
    world.send("Altair", "Add 1\nWAIT")
    assert world.pass_time(HOUR) == 0
    with world.work() as work:
        table = work.table_named("galaxy-7")
        assert table is not None
        offer(work, table, "Cygnus", "new@players.test", Holder("Newcomer", "UTC"))
    world.reply(world.questions("new@players.test")[-1], "YES")
    assert world.pass_time(4 * DAY) == 1
    assert sound(world, tmp_path / "archive") == 2


def test_moves_one_by_one(world: World, tmp_path: Path) -> None:
    past_turn_0(relay(world))
    world.send("Altair", "Add 1")
    world.pass_time(4 * DAY)
    world.send("Borealis", "Add 3", at=world.now - HOUR)  # too late: it was skipped
    world.send("Cygnus", "Add 2")
    world.act(GAME, deadline_changes.extend, HOUR, "the game master", "", seat_of(world, world.position(GAME)))
    world.act(GAME, deadline_changes.resolve_now)
    world.resign("Cygnus")
    world.pass_time(4 * DAY)
    world.act(GAME, roll_back, 1)
    world.pass_time(4 * DAY)
    world.send("Altair", "Add 2")
    world.act(GAME, abandon)
    assert sound(world, tmp_path / "archive", GAME) == len(world.journal("resolved"))


def seat_of(world: World, position: Any) -> Seat:
    """A seat that is to move."""
    return world.seat(rules.ruleset.awaiting(rules.ruleset.load(position))[0])


def test_a_move_that_was_skipped_before_its_deadline_is_found(world: World, tmp_path: Path) -> None:
    past_turn_0(relay(world))
    cut(world, world.now + HOUR)
    world.pass_time(2 * HOUR)
    assert any("had missed its deadline" in said for said in found(world, tmp_path / "archive", GAME))


def test_a_game_that_goes_on_from_an_archive(world: World, tmp_path: Path) -> None:
    """With the deadline that its terms promise, quiet days included, and a seat that was given up elsewhere."""
    world.count(quiet_days=("friday", "saturday"))
    world.resign("Cygnus")
    world.pass_time(9 * DAY)
    archive = export(world, tmp_path / "archive")
    (tmp_path / "there").mkdir()
    with closing(World(tmp_path / "there")) as there:
        there.now = datetime(2027, 1, 5, 12, tzinfo=UTC)  # a Tuesday
        with there.work() as work:
            go_on(work, lambda: read_entries(archive / "data" / "journal.jsonl"), 2)
        assert there.game().deadline == datetime(2027, 1, 10, 12, tzinfo=UTC)
        there.send("Altair", "Add 1")
        assert there.pass_time(9 * DAY) == 1
        missed = [json.loads(entry.secret) for entry in there.journal("missed")]
        assert {"seat": "Cygnus", "cause": "the seat is empty"} in missed
        assert sound(there, tmp_path / "again") == 1


def test_deadlines_that_the_rules_recommend(world: World, tmp_path: Path) -> None:
    world.start(seats=NAMES[:2], ruleset="tides", reminders=())
    for texts in (("Base 1", "Base 2"), ("March 3", ""), ("", "")):
        for seat, said in zip(NAMES, texts, strict=False):
            if said:
                world.send(seat, said)
        world.pass_time(8 * DAY)
    assert sound(world, tmp_path / "archive") == len(world.journal("resolved"))


def test_a_game_set_up_with_options_of_its_clock(world: World, tmp_path: Path) -> None:
    conquest(world)
    world.pass_time(4 * DAY)
    world.master("SET turn_hours 5")
    world.reply(world.questions("gm@pbmd.test")[-1], "YES")
    world.pass_time(4 * DAY)
    assert world.pass_time(6 * HOUR) == 1
    assert sound(world, tmp_path / "archive") == 3


# Journals of before


@pytest.fixture
def older(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """The desk of a pbmd that did not write deadlines into the journal; calling it is the way to one that does."""
    enter = Transaction.journal

    def without(work: Transaction, table: OpenGame, said: Entry, *more: Any, **named: Any) -> int:
        says = said.kind in ("put-off", "deadline", "shifted", "quiet") or not hasattr(said, "deadline")
        return enter(work, table, said if says else replace(said, deadline=None), *more, **named)

    monkeypatch.setattr(Transaction, "journal", without)
    monkeypatch.setattr("tests.desk.world._PLAYED", {})  # a game that has begun before is of the pbmd of now
    return lambda: monkeypatch.setattr(Transaction, "journal", enter)


def change_time(world: World, game: str = "galaxy-7") -> None:
    """All that moves deadlines."""
    world.act(game, deadline_changes.extend, HOUR, "the game master")
    world.act(game, set_deadline, world.now + 2 * DAY)
    world.act(game, pauses.pause)
    world.now += HOUR
    world.act(game, pauses.resume)
    lose_the_mailbox(world, HOUR)


def test_a_journal_of_before_is_said_to_be_unchecked_and_not_wrong(
    world: World, tmp_path: Path, older: Callable[[], None]
) -> None:
    world.count()
    change_time(world)
    world.pass_time(4 * DAY)
    all_send(world)
    world.pass_time(HOUR)
    findings = verified(export(world, tmp_path / "archive"))
    assert [str(problem) for problem in findings.problems] == []
    why = "The deadlines of 2 steps were not checked: the journal does not say them"
    assert [said for said in findings.unchecked if said.startswith(why)]
    assert "deadlines of steps" not in findings.checked


@pytest.mark.parametrize("moves", [False, True])
def test_a_game_that_began_before_is_checked_from_the_first_step_that_says_its_deadline(
    world: World, tmp_path: Path, older: Callable[[], None], moves: bool
) -> None:
    if moves:
        past_turn_0(relay(world))
        world.send("Altair", "Offer Borealis")
    else:
        world.count(deadline="every Friday 20:00")
    change_time(world)
    older()
    change_time(world)
    for _ in range(4):
        world.pass_time(8 * DAY)
    findings = verified(export(world, tmp_path / "archive"))
    assert [str(problem) for problem in findings.problems] == []
    assert 1 <= findings.checked["deadlines of steps"] < len(world.journal("resolved"))
