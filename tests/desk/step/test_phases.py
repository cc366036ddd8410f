"""Phased play, by mails as players write them: each phase of a day is a step with its own seats and its own deadline."""

import json
import tomllib
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from pbmd.adjudicate import adjudicate
from pbmd.archive.format.plan import plan_export
from pbmd.archive.write.export import write_archive
from pbmd.cli.files import read_entries
from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.changes import deadline_changes, pauses
from pbmd.desk.changes.seats import Holder
from pbmd.desk.questions.seat_offers import offer
from pbmd.ledger.tables import Outbox, Report, StepRecord
from pbmd.post.blank import Blanker
from pbmd.rules import ScriptedDice
from pbmd.rules.protocol import Refused
from tests.desk.test_secrecy import bytes_for_others, ideal_seal
from tests.desk.world import ADDRESS, BEGIN, NAMES, World, address_of, body_of, last_proof, message_of, proof_of
from tests.rules import tides

HOUR = timedelta(hours=1)
MINUTE = timedelta(minutes=1)


def begin(world: World, **terms: Any) -> World:
    """A game of Tides: Altair and Cygnus march in phase 1a, Borealis in phase 1b."""
    chosen: dict[str, Any] = {"reminders": ()} | terms
    world.start(seats=NAMES, ruleset="tides", **chosen)
    return world


def set_up(world: World) -> World:
    """All have chosen a place, and an hour later phase 1a of turn 1 begins."""

    def choose() -> None:
        for seat in NAMES:
            world.send(seat, "Base 5")
        world.pass_time(HOUR)

    world.unless_patched("all have chosen a place", choose, "tides")
    return world


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    """A desk with a game in phase 1a of turn 1."""
    world = World(tmp_path)
    yield set_up(begin(world))
    world.close()


def phase(world: World) -> str:
    return f"{world.game().turn} {world.game().step_name}"


def march(world: World) -> None:
    """Phase 1a is over, early."""
    world.send("Altair", "March 3")
    world.send("Cygnus", "March 4")
    world.pass_time(HOUR)


def subjects(world: World, kind: str, seat: str) -> list[str]:
    return [str(message_of(mail)["Subject"]) for mail in world.outbox(kind, seat)]


def report(world: World, seat: str, back: int = 0) -> Outbox:
    """The last report to a seat, or one before it."""
    return world.outbox("report", seat)[-1 - back]


class TestAPhase:
    def test_is_a_step_of_its_own_in_the_same_turn(self, world: World) -> None:
        march(world)
        world.send("Borealis", "March 9")
        world.pass_time(HOUR)
        assert phase(world) == "1 phase 1f"
        records = [(record.step, record.turn, record.name, record.cause) for record in world.rows(StepRecord)]
        names = ("set-up", "phase 1a", "phase 1b")
        assert records == [(step, int(step > 0), name, "all orders were in") for step, name in enumerate(names)]
        resolved = [json.loads(entry.public) for entry in world.journal("resolved")]
        assert [(entry["turn"], entry["step"], entry["name"]) for entry in resolved] == [
            (turn, step, name) for step, turn, name, _ in records
        ]
        assert [line.detail.partition(";")[0] for line in world.log("resolved")] == [
            f"{name}: all orders were in" for name in names
        ]

    def test_ends_early_when_those_who_act_in_it_have_sent(self, world: World) -> None:
        world.send("Altair", "March 3")
        assert world.pass_time(HOUR) == 0
        assert "1 of 2 players has sent orders." in world.send("Altair", "March 4")
        world.send("Cygnus", "March 4")
        assert world.pass_time(HOUR) == 1
        assert [captain["place"] for captain in world.position()["captains"]] == [9, 5, 9]

    def test_is_told_by_name_wherever_it_is_told(self, world: World) -> None:
        mail = report(world, "Altair")
        assert message_of(mail)["Subject"] == "[pbmd galaxy-7 t1 phase 1a] Set-up: what happened; orders by 21 Nov"
        text = " ".join(body_of(mail).split())
        assert "TIDES: galaxy-7 Set-up: what happened. You are Altair." in text
        assert "NEXT: ORDERS FOR PHASE 1A OF TURN 1 Due Sat 21 Nov 2026 13:00 UTC (in 1 day). Reply to this mail" in text
        text = " ".join(proof_of(mail).split())
        assert "Dice secret of set-up of turn 0, now revealed" in text
        assert "Commitment to the dice secret of phase 1a of turn 1 (its SHA-256)" in text
        answer = world.reply(mail, "March 3\nSTATUS")
        assert "Altair: your orders for phase 1a of turn 1 are in." in answer
        assert "of game galaxy-7, phase 1a of turn 1\n" in last_proof(world, "Altair")
        assert "YOUR ORDERS FOR PHASE 1A OF TURN 1, as we read them" in answer
        assert "Game      galaxy-7 (Tides), running, phase 1a of turn 1\n" in answer
        assert "Your orders for phase 1a of turn 1 are cancelled" in world.send("Altair", "CANCEL ORDERS")

    def test_begins_with_a_report_that_says_whose_orders_it_awaits(self, world: World) -> None:
        march(world)
        acts, looks_on = report(world, "Borealis"), report(world, "Altair")
        assert "t1 phase 1b] Phase 1a: what happened; orders by 21 Nov" in message_of(acts)["Subject"]
        assert "ORDER FORM" in body_of(acts)
        assert message_of(looks_on)["Subject"] == "[pbmd galaxy-7 t1 phase 1b] nothing to do; phase 1a: what happened"
        text = body_of(looks_on)
        assert "ORDER FORM" not in text
        ends = "It ends by Sat 21 Nov 2026 14:00 UTC (in 1 day)."
        assert text.replace("\n", " ").startswith(f"You have nothing to do in phase 1b of turn 1. {ends}  TIDES:")

    def test_is_mailed_to_each_seat_once(self, world: World) -> None:
        march(world)
        world.pass_time(MINUTE)
        keys = [f"report {world.game().id} {step} {number}" for step in (-1, 0, 1) for number in (1, 2, 3)]
        assert [mail.key for mail in world.outbox("report")] == keys

    def test_names_its_map_and_mails_by_step(self, world: World) -> None:
        march(world)
        assert [mail.message_id.partition(".")[0] for mail in world.outbox("report", "Altair")] == [
            "<report-t0s0",
            "<report-t1s1",
            "<report-t1s2",
        ]


class TestTheDeadline:
    def test_is_what_the_rules_recommend_for_the_step(self, tmp_path: Path) -> None:
        world = begin(World(tmp_path))
        assert world.game().deadline == BEGIN + timedelta(hours=168)
        set_up(world)
        assert world.game().deadline == BEGIN + HOUR + timedelta(hours=24)
        march(world)
        world.send("Borealis", "March 1")
        world.pass_time(HOUR)
        assert phase(world) == "1 phase 1f"
        assert world.game().deadline == world.now + timedelta(hours=48)
        assert json.loads(world.game().terms)["deadline"] == "rules"
        world.close()

    @pytest.mark.parametrize(("ruleset", "terms", "hours"), [
        ("tides", {"deadline": "36h"}, 36),
        ("tides", {"deadline": "rules"}, 168),
        ("count", {"deadline": "rules"}, 72),
        ("count", {}, 72),
        ("relay", {"deadline": "rules"}, 72),
    ])  # fmt: skip
    def test_is_the_game_masters_if_they_say_so(self, tmp_path: Path, ruleset: str, terms: dict[str, Any], hours: int) -> None:
        world = World(tmp_path)
        world.start(ruleset=ruleset, **terms)
        assert world.game().deadline == BEGIN + timedelta(hours=hours)
        world.close()

    def test_is_that_of_the_step_for_each_seat_alone(self, world: World) -> None:
        world.act("galaxy-7", deadline_changes.extend, 12 * HOUR, "the game master", "", None)

        def extend_for_borealis(work: Transaction, table: OpenGame) -> None:
            deadline_changes.extend(work, table, HOUR, "the game master", "", table.seat("Borealis"))

        with pytest.raises(Refused, match="phase 1a of turn 1 does not wait for orders of Borealis"):
            world.act("galaxy-7", extend_for_borealis)
        assert "does not wait for orders of yours" in world.send("Borealis", "EXTEND 2h")
        assert world.pass_time(timedelta(hours=25)) == 0
        assert world.pass_time(timedelta(hours=12)) == 1
        assert world.game().deadline == world.now + timedelta(hours=24)


class TestAMissedPhase:
    def test_counts_for_those_who_act_in_it_alone(self, world: World) -> None:
        world.send("Altair", "March 3")
        assert world.pass_time(timedelta(hours=25)) == 1
        (missed,) = world.journal("missed")
        assert json.loads(missed.public) == {"turn": 1, "step": 1}
        assert json.loads(missed.secret)["seat"] == "Cygnus"
        assert [(line.turn, line.seat, line.detail) for line in world.log("nmr")] == [
            ("t1", "Cygnus", "phase 1a: no mail with orders arrived")
        ]
        assert world.log("resolved")[-1].detail.startswith("phase 1a: the deadline passed")
        assert [captain["missed"] for captain in world.position()["captains"]] == [0, 0, 1]
        assert "You sent no orders for phase 1a of turn 1." in body_of(report(world, "Cygnus"))
        assert "You sent no orders" not in body_of(report(world, "Borealis"))

    def test_counts_once_and_the_next_one_anew(self, world: World) -> None:
        assert world.pass_time(timedelta(hours=25)) == 1
        assert world.pass_time(timedelta(hours=25)) == 1
        assert world.pass_time(timedelta(hours=49)) == 1
        assert phase(world) == "2 phase 1a"
        assert [captain["missed"] for captain in world.position()["captains"]] == [2, 2, 2]
        assert [json.loads(entry.public)["step"] for entry in world.journal("missed")] == [1, 1, 2, 3, 3, 3]

    def test_is_reminded_of_before_and_nobody_else_is(self, tmp_path: Path) -> None:
        world = set_up(begin(World(tmp_path), reminders=("6h",)))
        world.pass_time(timedelta(hours=19))
        world.pass_time(timedelta(hours=6))
        world.pass_time(timedelta(hours=19))
        reminders = [(mail.recipient, str(message_of(mail)["Subject"])) for mail in world.outbox("reminder")]
        tag = "[pbmd galaxy-7 t1 phase 1"
        assert reminders == [
            (address_of("Altair"), f"{tag}a] Altair: no orders yet, 5 h left"),
            (address_of("Cygnus"), f"{tag}a] Cygnus: no orders yet, 5 h left"),
            (address_of("Borealis"), f"{tag}b] Borealis: no orders yet, 5 h left"),
        ]
        assert "no orders of yours have come yet for phase 1b of turn 1" in body_of(world.outbox("reminder")[-1]).replace(
            "\n", " "
        )
        assert world.log("reminder")[-1].detail == "phase 1b: 5 h before the deadline"
        world.close()

    def test_nobody_is_reminded_as_the_step_begins(self, tmp_path: Path) -> None:
        world = set_up(begin(World(tmp_path), reminders=("24h",)))
        world.pass_time(timedelta(hours=2))
        assert world.outbox("reminder") == []
        world.close()

    def test_is_held_by_wait_for_that_phase_only(self, world: World) -> None:
        assert "Noted: phase 1a of turn 1 will wait for its deadline" in world.send("Altair", "March 3\nWAIT")
        assert "does not wait for orders of yours" in world.send("Borealis", "WAIT")
        world.send("Cygnus", "March 4")
        assert world.pass_time(HOUR) == 0
        assert world.pass_time(timedelta(hours=24)) == 1
        assert [json.loads(entry.public) for entry in world.journal("wait")] == [{"turn": 1, "step": 1}]
        world.send("Borealis", "March 1")
        assert world.pass_time(MINUTE) == 1


class TestOrdersForAWrongPhase:
    def test_are_refused_by_the_rules_line_by_line(self, world: World) -> None:
        answer = world.send("Altair", "Fire Borealis")
        assert "REFUSED" in answer
        assert "nothing for phase 1a, or not for you" in answer
        assert "You have no orders in for phase 1a of turn 1." in answer
        assert world.submissions()[-1].step == 1

    def test_from_a_seat_that_has_no_part_change_nothing(self, world: World) -> None:
        assert "nothing for phase 1a, or not for you" in world.send("Borealis", "March 3")
        answer = world.send("Borealis", "STATUS")
        assert "you have nothing to do in phase 1a of turn 1" in answer
        assert "Deadline  Sat 21 Nov 2026 13:00 UTC" in answer

    def test_answering_a_report_of_an_earlier_phase_are_not_taken(self, world: World) -> None:
        march(world)
        world.send("Borealis", "March 1")
        world.pass_time(HOUR)
        old = world.outbox("report", "Borealis")[1]  # it asked for nothing: phase 1a began
        answer = world.reply(old, "Fire Altair").replace("\n", " ")
        assert "your mail answers one of phase 1a of turn 1, but the game is in phase 1f of turn 1" in answer
        assert "If you want them for phase 1f of turn 1, send them again in reply to the last report" in answer
        assert "or below the line ORDERS FOR TURN 1 PHASE 1F" in answer
        assert world.log("refused")[-1].seat == "Borealis"
        assert "your orders for phase 1f of turn 1 are in" in world.reply(report(world, "Borealis"), "Fire Altair")

    def test_answering_the_phase_just_over_are_late_for_it(self, world: World) -> None:
        call = report(world, "Cygnus")
        world.send("Altair", "March 3")
        world.pass_time(timedelta(hours=26))
        answer = world.reply(call, "March 4").replace("\n", " ")
        assert "your orders for phase 1a of turn 1 came 2 h after the deadline: phase 1a of turn 1 was played" in answer
        late = world.submissions()[-1]
        assert (late.step, late.state) == (1, "late")
        (entry,) = [entry for entry in map(json.loads, [e.public for e in world.journal("orders")]) if entry["step"] == 1][1:]
        assert entry == {"turn": 1, "step": 1}

    def test_after_an_early_end_are_told_why(self, world: World) -> None:
        call = report(world, "Altair")
        march(world)
        answer = world.reply(call, "March 9").replace("\n", " ")
        assert "your orders for phase 1a of turn 1 came too late: phase 1a of turn 1 was played" in answer
        assert "because all orders were in" in answer

    def test_are_known_by_the_subject_if_a_program_drops_all_else(self, world: World) -> None:
        call = report(world, "Altair")
        march(world)
        header = message_of(call)
        answer = world.send("Altair", "March 9", to=header["Reply-To"], subject=f"Re: {header['Subject']}").replace("\n", " ")
        assert "your orders for phase 1a of turn 1 came too late" in answer

    @pytest.mark.parametrize(("head", "taken"), [
        ("ORDERS FOR TURN 1 PHASE 1B", True),
        ("orders for turn 1, phase 1b:", True),
        ("ORDERS FOR TURN 1 PHASE 1A", False),
        ("ORDERS FOR TURN 1 PHASE 9", False),
        ("ORDERS FOR TURN 0 PHASE SET-UP", False),
        ("ORDERS FOR TURN 1", True),
    ])  # fmt: skip
    def test_say_themselves_for_which_phase_they_are(self, world: World, head: str, taken: bool) -> None:
        march(world)
        answer = world.send("Borealis", f"{head}\nMarch 3").replace("\n", " ")
        assert ("your orders for phase 1b of turn 1 are in" in answer) is taken
        assert (world.sheet("Borealis") == ["March 3"]) is taken

    def test_that_name_the_phase_may_answer_any_mail(self, world: World) -> None:
        old = report(world, "Borealis")
        march(world)
        assert "your mail answers one of phase 1a" not in world.reply(old, "ORDERS FOR TURN 1 PHASE 1B\nMarch 3")
        assert world.sheet("Borealis") == ["March 3"]

    def test_that_name_the_turn_alone_are_for_the_phase_of_the_mail_answered(self, world: World) -> None:
        old = report(world, "Borealis")
        march(world)
        world.reply(old, "ORDERS FOR TURN 1\nMarch 3")
        assert world.sheet("Borealis") is None

    def test_that_came_before_the_phase_began_are_not_for_it(self, world: World) -> None:
        sent = world.now
        march(world)
        answer = world.send("Borealis", "ORDERS FOR TURN 1\nMarch 3", at=sent - MINUTE).replace("\n", " ")
        assert "your orders arrived before phase 1b of turn 1 began and were not taken" in answer

    def test_that_were_confirmed_too_late_belong_to_the_phase_they_came_in(self, world: World) -> None:
        world.arrive(world.letter("Altair", "March 3", to=ADDRESS))
        world.pass_time(timedelta(hours=25))
        assert world.game().step == 2
        answer = world.reply(world.questions(address_of("Altair"))[-1], "YES").replace("\n", " ")
        assert "came in time for phase 1a of turn 1, but were confirmed only after that was resolved" in answer
        assert world.submissions()[-1].step == 1

    def test_explain_a_missed_phase(self, world: World) -> None:
        old = report(world, "Borealis")
        march(world)
        world.reply(old, "March 3")
        world.pass_time(timedelta(hours=25))
        assert world.log("nmr")[-1].detail.startswith("phase 1b: only mail with orders for another phase or turn arrived")


class TestReports:
    def test_of_a_turn_are_all_of_its_phases(self, world: World) -> None:
        march(world)
        world.send("Borealis", "March 1")
        world.pass_time(HOUR)
        answer = world.send("Altair", "REPORT 1")
        assert "REPORT OF TURN 1\n\nPHASE 1A\n\nTides for Altair\norder Altair March 3\n" in answer
        assert "\n\nPHASE 1B\n\nTides for Altair\norder Borealis March 1\n" in answer
        assert "REPORT OF SET-UP OF TURN 0\n" in world.send("Altair", "REPORT 0")
        assert "REPORT OF PHASE 1B OF TURN 1\n" in world.send("Altair", "REPORT")

    def test_are_kept_for_each_step_and_reader(self, world: World) -> None:
        march(world)
        kept = [(row.step, row.turn, row.reader) for row in world.rows(Report)]
        readers = ("seat:1", "seat:2", "seat:3", "public")
        assert kept == [(step, step, reader) for step in (-1, 0, 1) for reader in readers]


class TestADayAtTheDesk:
    def test_leaves_out_a_phase_in_which_nobody_could_act(self, world: World) -> None:
        march(world)
        world.send("Borealis", "March 1")
        world.pass_time(HOUR)
        world.send("Altair", "Fire Cygnus")
        world.send("Borealis", "Leave")
        world.send("Cygnus", "")
        world.send("Cygnus", "ORDERS")
        world.pass_time(HOUR)
        assert phase(world) == "2 phase 1a"
        march(world)
        assert phase(world) == "2 phase 1f"
        assert [record.name for record in world.rows(StepRecord)][-1] == "phase 1a"
        answer = world.send("Borealis", "STATUS")
        assert "you have nothing to do in phase 1f of turn 2" in answer

    def test_goes_on_after_a_pause(self, world: World) -> None:
        world.act("galaxy-7", pauses.pause)
        world.now += timedelta(hours=30)
        world.act("galaxy-7", pauses.resume)
        assert world.pass_time(timedelta(hours=23)) == 0
        assert world.pass_time(timedelta(hours=2)) == 1
        assert phase(world) == "1 phase 1b"

    def test_goes_on_by_the_game_masters_word(self, world: World) -> None:
        world.send("Altair", "March 3")
        world.act("galaxy-7", deadline_changes.resolve_now)
        assert phase(world) == "1 phase 1b"
        (line,) = world.log("nmr")
        assert line.seat == "Cygnus"
        assert line.detail == (
            "phase 1a: no mail with orders arrived before the game master resolved phase 1a, which was before the deadline"
        )

    def test_does_not_wait_for_a_seat_that_was_given_up(self, world: World) -> None:
        world.resign("Cygnus")
        world.send("Altair", "March 3")
        assert world.pass_time(MINUTE) == 1
        assert phase(world) == "1 phase 1b"
        assert [captain["missed"] for captain in world.position()["captains"]] == [0, 0, 1]

    def test_gives_a_new_holder_a_form_only_for_a_phase_with_a_part_of_theirs(self, world: World) -> None:
        for seat, address, has_form in (("Altair", "dora@players.test", True), ("Borealis", "emil@players.test", False)):
            world.act("galaxy-7", offer, seat, address, Holder("", "UTC"))
            world.reply(world.questions(address)[-1], "YES")
            text = body_of([mail for mail in world.outbox("notice") if mail.recipient == address][-1])
            assert "Orders for phase 1a of turn 1 are due" in text
            assert ("# phase 1a" in text) is has_form


class TestTheArchive:
    def test_has_a_folder_for_each_step_that_can_be_carried_out_again(self, world: World, tmp_path: Path) -> None:
        march(world)
        world.send("Borealis", "March 1")
        world.send("Borealis", "March 2")
        world.pass_time(HOUR)
        world.send("Altair", "Fire Cygnus")
        world.pass_time(timedelta(hours=49))
        with Transaction(world.desk, reads=True) as work:
            table = work.table_named("galaxy-7")
            assert table is not None
            plan = plan_export(work.session, table.game, table.ruleset)
            write_archive(work.session, plan, tmp_path / "archive", Blanker(()), lambda: None)
        folders = sorted(path.name for path in (tmp_path / "archive/data/turns").iterdir())
        assert folders == ["000", "000.2", "001", "001.2", "001.3"]
        names: list[str] = []
        for folder in folders[1:]:
            place = tmp_path / "archive/data/turns" / folder
            step = tomllib.loads((place / "resolution.toml").read_text("utf-8"))
            names.append(step["name"])
            document = tomllib.loads((place / "position.toml").read_text("utf-8"))
            entries = read_entries(place / "orders.toml", NAMES, "captain")
            dice = ScriptedDice([int(roll) for roll in step["dice"].split()])
            again = adjudicate(tides.ruleset, document, entries, lambda _step, _sheets, dice=dice: dice)
            assert again.document == tomllib.loads((place / "after.toml").read_text("utf-8"))
        assert names == ["set-up", "phase 1a", "phase 1b", "phase 1f"]


def test_nobody_can_tell_from_a_phase_that_runs_what_was_ordered_in_it(tmp_path: Path) -> None:
    told: list[dict[str, Any]] = []
    for name, order in (("one", "March 3"), ("two", "March 8")):
        (tmp_path / name).mkdir()
        world = set_up(begin(World(tmp_path / name, sealing=ideal_seal)))
        world.send("Altair", order)
        for seat in ("Borealis", "Cygnus"):
            world.send(seat, "STATUS\nREPORT 0")
        world.pass_time(timedelta(hours=20))
        told.append(bytes_for_others(world))
        world.close()
    assert told[0] == told[1]
