"""Cosmic Conquest at the desk: reveals in the middle of a turn, deadlines that differ, mails refused as a whole."""

import json
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest
import tomli_w
from sqlmodel import Session

from pbmd.adjudicate import adjudicate
from pbmd.archive.write.orders_file import orders_document, orders_of_steps
from pbmd.cli.files import read_entries
from pbmd.desk.changes import deadline_changes, new_game, pauses
from pbmd.desk.changes.seats import Holder
from pbmd.desk.questions.seat_offers import offer
from pbmd.ledger.tables import StepRecord, SubmissionState
from pbmd.rules import Refused, ScriptedDice
from pbmd.terms.terms import Terms
from rulesets.cosmic_conquest import ruleset
from tests.desk.world import ADDRESS, BEGIN, World, body_of, message_of
from tests.rulesets.cosmic_conquest.desk import GAME, conquest

ASK = "Telepathic Insight on Red"
HOUR = timedelta(hours=1)


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    """A desk with Red, Purple (the psionic) and Green."""
    world = World(tmp_path)
    yield conquest(world)
    world.close()


def at(world: World, hour: float) -> int:
    """Let the time come to that hour of the turn."""
    return world.pass_time(BEGIN + hour * HOUR - world.now)


def reveals(world: World, seat: str = "Purple") -> list[str]:
    """The mails to a seat that show orders of others."""
    return [body_of(mail) for mail in world.outbox("notice", seat) if "orders of" in body_of(mail)]


def resolved_at(world: World) -> datetime | None:
    lines = world.log("resolved")
    return lines[-1].at if lines else None


class TestInsight:
    @pytest.mark.rule("CC-102", "CC-103", "CC-R59")
    def test_is_answered_at_once_when_the_orders_are_in(self, world: World) -> None:
        world.send("Red", "Defend Sol with 7 units\nInvest 3 units in Sol")
        answer = world.send("Purple", ASK)
        assert "Purple: your request is granted." in answer
        assert "DONE AT ONCE, as we read it\n  Telepathic Insight on Red\n" in answer
        assert "You have no orders in for turn 1." in answer
        assert "REFUSED" not in answer
        assert "Receipt" not in answer
        (mail,) = reveals(world)
        assert "| Telepathic Insight, turn 1 – orders of Red (House Red):" in mail
        assert "| Defend Sol with 7 units\n| Invest 3 units in Sol\n" in mail
        assert reveals(world, "Red") == reveals(world, "Green") == []

    @pytest.mark.rule("CC-104", "CC-R59", "CC-R61")
    def test_waits_for_a_late_target_and_gives_a_day_more(self, world: World) -> None:
        answer = world.send("Purple", ASK)
        assert "Orders are due 24 h after the orders of Red are in, not before Mon 23 Nov 2026" in " ".join(answer.split())
        world.send("Green", "Pass")
        at(world, 60)
        world.send("Red", "Pass")
        (mail,) = reveals(world)
        assert "| Pass" in mail
        assert "Orders are due Tue 24 Nov 2026 00:00 UTC" in mail
        assert at(world, 83.9) == 0
        assert world.log("nmr") == []
        answer = world.send("Purple", "Defend Solaria with 5 units")
        assert "your orders for turn 1 are in" in answer
        assert at(world, 83.95) == 1

    @pytest.mark.rule("CC-104", "CC-R61", "CC-50")
    def test_of_a_target_that_stalls_shows_its_default_orders_and_gives_a_day_more(self, world: World) -> None:
        world.send("Purple", ASK)
        world.send("Green", "Pass")
        assert at(world, 71) == 0
        at(world, 72.001)
        assert [line.seat for line in world.log("nmr")] == ["Red"]
        (mail,) = reveals(world)
        assert "| Invest 10 units in Sol" in mail
        assert " too late and were not taken" in world.send("Red", "Pass")
        at(world, 95.9)
        assert [line.seat for line in world.log("nmr")] == ["Red"]
        assert at(world, 96.1) == 1
        assert [line.seat for line in world.log("nmr")] == ["Red", "Purple"]
        report = next(mail for mail in world.outbox("report", "Purple") if "game begins" in str(message_of(mail)["Subject"]))
        assert "came 5 min 56 s after the deadline" in " ".join(world.reply(report, "Pass").split())

    @pytest.mark.rule("CC-R61")
    def test_a_target_with_more_time_is_waited_for(self, world: World) -> None:
        world.send("Purple", ASK)
        world.send("Green", "Pass")
        world.act(GAME, lambda work, table: deadline_changes.extend(work, table, 24 * HOUR, "the GM", seat=table.seat("Red")))
        at(world, 90)
        assert world.log("nmr") == []
        world.send("Red", "Pass")
        assert "Orders are due Wed 25 Nov 2026 06:00 UTC" in reveals(world)[-1]

    @pytest.mark.rule("CC-104", "CC-R61")
    def test_asked_late_about_orders_that_are_in_gives_a_day_from_those(self, world: World) -> None:
        world.send("Green", "Pass")
        at(world, 60)
        world.send("Red", "Pass")
        at(world, 71)
        assert "Orders are due Tue 24 Nov 2026 00:00 UTC" in world.send("Purple", ASK)
        assert at(world, 83) == 0
        assert at(world, 84.1) == 1

    @pytest.mark.rule("CC-R61")
    def test_never_takes_time_away(self, world: World) -> None:
        world.send("Red", "Pass")
        assert "Orders are due Mon 23 Nov 2026 12:00 UTC" in world.send("Purple", ASK)

    @pytest.mark.rule("CC-R61", "CC-103")
    def test_of_a_player_whose_orders_are_in_holds_up_nobody(self, world: World) -> None:
        world.send("Purple", "Pass")
        world.send("Purple", ASK)
        world.send("Green", "Pass")
        world.send("Red", "Pass")
        assert len(reveals(world)) == 1
        assert world.pass_time(timedelta(minutes=1)) == 1

    @pytest.mark.rule("CC-R62", "CC-R84")
    def test_of_a_target_that_resigns_shows_its_default_orders(self, world: World) -> None:
        world.send("Purple", ASK)
        at(world, 60)
        world.resign("Red")
        (mail,) = reveals(world)
        assert "| Invest 10 units in Sol" in mail
        assert "Orders are due Tue 24 Nov 2026 00:00 UTC" in mail

    @pytest.mark.rule("CC-R62")
    def test_that_is_refused_is_refused_and_can_be_asked_again(self, world: World) -> None:
        answer = world.send("Green", ASK)
        assert "REFUSED" in answer
        assert "granted" not in answer
        assert world.submissions()[-1].state is SubmissionState.REFUSED

    def test_outlives_a_pause_with_the_time_that_was_left(self, world: World) -> None:
        world.send("Green", "Pass")
        world.send("Purple", ASK)
        at(world, 60)
        world.send("Red", "Pass")
        at(world, 70)
        world.act(GAME, pauses.pause)
        world.now += 30 * HOUR
        world.act(GAME, pauses.resume)
        assert at(world, 113.5) == 0
        assert at(world, 114.1) == 1

    def test_answered_while_the_clock_stands_gives_a_day_from_when_it_runs_again(self, world: World) -> None:
        world.send("Green", "Pass")
        world.send("Purple", ASK)
        at(world, 60)
        world.act(GAME, pauses.pause)
        at(world, 70)
        world.send("Red", "Pass")
        at(world, 90)
        world.act(GAME, pauses.resume)
        assert at(world, 113.9) == 0
        assert at(world, 114.1) == 1

    def test_of_a_mail_server_that_was_down_takes_no_time_from_the_psionic(self, world: World) -> None:
        world.send("Purple", ASK)
        world.send("Green", "Pass")
        world.now = BEGIN + 90 * HOUR
        world.send("Red", "Pass", at=BEGIN + 60 * HOUR)
        assert "Orders are due Wed 25 Nov 2026 06:00 UTC" in reveals(world)[0]

    def test_is_in_the_journal_when_the_turn_is_over(self, world: World) -> None:
        world.send("Purple", ASK)
        entries = len(world.journal())
        world.send("Red", "Pass")
        for seat in ("Purple", "Green"):
            world.send(seat, "Pass")
        assert len(world.journal()) == entries + 3
        assert not any("Insight" in entry.secret for entry in world.journal())
        world.pass_time(timedelta(minutes=1))
        (entry,) = world.journal("resolved")
        assert "Insight" not in entry.public
        request, told = json.loads(entry.secret)["meanwhile"]
        assert (request["seat"], request["lines"]) == ("Purple", [[1, ASK]])
        assert (told["seat"], told["told"]["audience"], told["told"]["data"]["lines"]) == ("Red", ["Purple"], ["Pass"])
        granted = [row for row in world.submissions() if row.state is SubmissionState.GRANTED]
        assert [row.number for row in granted] == [entry.number]
        assert world.game().meanwhile == "[]"

    def test_alone_is_no_mail_with_orders_when_the_deadline_passes(self, world: World) -> None:
        world.send("Red", "Pass")
        world.send("Purple", ASK)
        at(world, 73)
        details = {line.seat: line.detail for line in world.log("nmr")}
        assert details["Purple"] == details["Green"] == "no mail with orders arrived"

    def test_is_mailed_however_many_mails_the_letter_of_its_target_has_caused(self, world: World) -> None:
        world.settle(limits={"mails_per_letter": 1})
        world.send("Purple", ASK)
        world.send("Red", "PRESS TO Green\nHello\nEND PRESS\nPass\nPublish orders")
        assert len(world.outbox("press")) == 1
        # What Red has published and what Purple has asked about are one mail to Purple.
        assert (len(reveals(world)), len(reveals(world, "Green"))) == (1, 1)
        assert ("Published orders" in reveals(world)[0], "Telepathic Insight" in reveals(world)[0]) == (True, True)


class TestPublishedOrders:
    @pytest.mark.rule("CC-42", "CC-R76")
    def test_go_to_all_players_as_soon_as_they_are_accepted(self, world: World) -> None:
        world.send("Red", "Defend Sol with 7 units\nPublish orders")
        for seat in ("Red", "Purple", "Green"):
            (mail,) = reveals(world, seat)
            assert "| Published orders, turn 1 – orders of Red (House Red):\n\n| Defend Sol with 7 units\n" in mail
        (line,) = world.log("told")
        assert (line.seat, line.detail) == ("Red", "to everybody: published")
        (entry,) = world.journal("told")
        assert json.loads(entry.public)["data"]["lines"] == ["Defend Sol with 7 units", "Publish orders"]

    def test_are_no_orders_of_who_quotes_them(self, world: World) -> None:
        world.send("Red", "Defend Sol with 7 units\nPublish orders")
        (mail,) = (mail for mail in world.outbox("notice", "Green"))
        quoted = "\n".join(f"> {line}" for line in body_of(mail).splitlines())
        answer = world.reply(mail, f"Pass\n\nOn Friday pbmd wrote:\n{quoted}\n")
        assert "your orders for turn 1 are in" in answer
        assert "Defend Sol" not in answer.partition("NOT READ")[0]


class TestRefusedMail:
    @pytest.mark.rule("CC-R35", "CC-45")
    def test_is_answered_at_once_with_every_error_and_that_nothing_was_accepted(self, world: World) -> None:
        answer = world.send("Red", "Defend Sol with 5 units\nConquer Polaris with 5 units\nInvest 90 units in Sol")
        words = " ".join(answer.split())
        assert "your mail was refused as a whole, and nothing in it was accepted" in words
        assert "NOT USED line 1 Defend Sol with 5 units" in words
        assert "line 2 Conquer Polaris with 5 units" in words
        assert "line 3 Invest 90 units in Sol" in words
        assert "Nothing was accepted." in answer
        assert "You have no orders in for turn 1." in answer

    def test_after_good_orders_says_what_is_in_force(self, world: World) -> None:
        world.send("Red", "Defend Sol with 5 units")
        answer = world.send("Red", "Pass")
        assert "your orders for turn 1 are in and final" in answer
        assert "YOUR ORDERS FOR TURN 1, as we read them\n  Defend Sol with 5 units" in answer

    def test_is_repeated_by_the_reminder(self, tmp_path: Path) -> None:
        (tmp_path / "it").mkdir()
        world = conquest(World(tmp_path / "it"), reminders=("24h",))
        world.send("Red", "Defend Sol with 5 units\nConquer Polaris with 5 units")
        at(world, 48.1)
        (red,) = world.outbox("reminder", "Red")
        (green,) = world.outbox("reminder", "Green")
        assert "Nothing in your last mail could be used:" in body_of(red)
        assert "Conquer Polaris with 5 units" in body_of(red)
        assert "not adjacent" in " ".join(body_of(red).replace("|", "").split())
        assert "NOTHING" not in body_of(green)
        world.close()

    @pytest.mark.rule("CC-48", "CC-R75")
    def test_is_named_when_the_deadline_passes_with_nothing_else(self, world: World) -> None:
        world.send("Red", "Defend Sol with 5 units\nConquer Polaris with 5 units")
        for seat in ("Purple", "Green"):
            world.send(seat, "Pass")
        assert at(world, 72.1) == 1
        (line,) = world.log("nmr")
        assert line.detail.startswith("only mail whose orders could not be taken arrived (receipt ")
        assert line.detail.endswith("): wrong in line 2")
        (entry,) = world.journal("missed")
        assert "not adjacent" in " ".join(json.loads(entry.secret)["errors"])
        report = " ".join(body_of(world.outbox("report", "Red")[-1]).split())
        assert "none of its orders could be taken" in report
        assert report.count('"Conquer Polaris with 5 units": Polaris is not adjacent') == 1
        assert "send all of them again" not in report, "it is too late for that"
        assert "Polaris is not adjacent" not in body_of(world.outbox("report", "Green")[-1])

    @pytest.mark.rule("CC-R35")
    def test_with_the_option_drop_leaves_what_was_right_in_force(self, tmp_path: Path) -> None:
        (tmp_path / "it").mkdir()
        world = conquest(World(tmp_path / "it"), {"on_error": "drop"})
        answer = world.send("Red", "Defend Sol with 5 units\nConquer Polaris with 5 units")
        assert "your orders for turn 1 are in" in answer
        assert "  Defend Sol with 5 units" in answer.partition("YOUR ORDERS FOR")[2]
        world.close()


class TestExtension:
    @pytest.mark.rule("CC-46", "CC-R82", "CC-48")
    def test_is_the_seats_alone_and_at_once(self, world: World) -> None:
        answer = " ".join(world.send("Red", "EXTEND 24h because of travel").split())
        assert "You have 1 day more: your deadline is Tue 24 Nov 2026 12:00 UTC. The others keep theirs." in answer
        assert world.game().deadline == BEGIN + 72 * HOUR
        assert world.seat("Red").deadline == BEGIN + 96 * HOUR
        assert world.outbox("notice", "Green") == []
        at(world, 72.1)
        assert {line.seat for line in world.log("nmr")} == {"Purple", "Green"}
        assert at(world, 96.1) == 1

    @pytest.mark.rule("CC-47")
    def test_is_asked_of_the_gm_when_there_was_one_within_the_gap(self, world: World) -> None:
        world.send("Red", "EXTEND 10h")
        assert world.outbox("alarm") == []
        world.send("Red", "EXTEND 1h")
        assert len(world.outbox("alarm")) == 1
        for turn in range(1, 5):
            for seat in ("Red", "Purple", "Green"):
                world.send(seat, "Pass")
            assert world.pass_time(timedelta(minutes=1)) == 1
            deadline = world.game().deadline
            world.send("Red", f"EXTEND 10h because of turn {turn + 1}")
            extended = world.seat("Red").deadline is not None
            assert extended == (turn + 1 > 1 + 3), turn
        assert world.seat("Red").deadline == deadline + 10 * HOUR

    def test_beyond_the_hours_of_the_option_is_asked_of_the_gm(self, tmp_path: Path) -> None:
        (tmp_path / "it").mkdir()
        world = conquest(World(tmp_path / "it"), {"extension_hours": 6})
        world.send("Red", "EXTEND 7h")
        assert (len(world.outbox("alarm")), world.seat("Red").deadline) == (1, None)
        world.send("Red", "EXTEND 6h")
        assert world.seat("Red").deadline == BEGIN + 78 * HOUR
        world.close()

    def test_the_hours_of_a_turn_are_an_option(self, tmp_path: Path) -> None:
        (tmp_path / "it").mkdir()
        world = conquest(World(tmp_path / "it"), {"turn_hours": 48}, deadline="every Friday 20:00")
        assert world.game().deadline == BEGIN + 48 * HOUR
        world.close()


class TestSignUp:
    def test_by_mail_takes_the_lines_of_a_faction_and_begins_when_all_are_there(self, tmp_path: Path) -> None:
        (tmp_path / "it").mkdir()
        world = conquest(World(tmp_path / "it"))
        with world.work() as work:
            new_game.create_game(work, "nova", "cosmic_conquest", Terms(seats=2), {})
        asked = {"to": ADDRESS, "subject": "Hello"}
        wrong = "JOIN nova AS red\nFaction: Reds\nColour: Red\nAdmiral: Ann\nTraits: Defender, Defender\nTechnology: Magic"
        world.send("", wrong, sender="ann@players.test", **asked)
        (refusal,) = world.outbox("refusal")
        assert "Traits: Defender, Defender" in body_of(refusal)
        # Words that the handbook does not have are not carried to what may be a forged sender.
        assert "Technology: …" in body_of(refusal)
        right = wrong.replace("Defender, Defender", "Defender, Diplomat").replace("Magic", "Psionic")
        world.send("", right, sender="ann@players.test", **asked)
        world.confirm("ann@players.test")
        blue = right.replace("red", "blue").replace("Red", "Blue").replace("Ann", "Bob")
        world.send("", blue, sender="bob@players.test", **asked)
        world.confirm("bob@players.test")
        assert [faction["tech"] for faction in world.position("nova")["factions"]] == ["psionic", "psionic"]
        assert world.game("nova").status == "running"
        world.close()


class TestResignation:
    @pytest.mark.rule("CC-R84")
    def test_fixes_default_orders_and_the_faction_is_gone_after_the_turn(self, world: World) -> None:
        world.resign("Red")
        assert world.position()["resigning"] == ["Red"]
        for seat in ("Purple", "Green"):
            world.send(seat, "Pass")
        assert world.pass_time(timedelta(minutes=1)) == 1
        assert [faction["status"] for faction in world.position()["factions"]] == ["resigned", "active", "active"]
        assert world.log("nmr") == []

    def test_is_for_good(self, world: World) -> None:
        world.resign("Red")
        with pytest.raises(Refused, match="out of it for good"):
            world.act(GAME, offer, "Red", "new@players.test", Holder("New", "UTC"))

    def test_so_that_an_offer_made_before_is_worth_nothing(self, world: World) -> None:
        world.act(GAME, offer, "Red", "new@players.test", Holder("New", "UTC"))
        (question,) = world.questions("new@players.test")
        world.resign("Red")
        assert "a seat that was given up is out of it for good" in " ".join(world.reply(question, "YES").split())
        assert world.seat("Red").address == "red@players.test"


class TestArchive:
    def test_of_a_turn_with_a_request_a_stall_a_refusal_and_a_resignation_comes_out_the_same(self, world: World) -> None:
        first = world.position()
        world.send("Purple", ASK)
        world.send("Red", "Conquer Polaris with 5 units")
        world.resign("Green")
        at(world, 72.1)
        world.send("Red", "Pass")
        world.send("Purple", "Conquer Wolf with 9 units")
        assert at(world, 73) == 1
        (record,) = world.rows(StepRecord)
        with Session(world.desk.engine) as session:
            steps = dict(orders_of_steps(session, world.game().id or 0, world.game().chain_number))
        written = tomli_w.dumps(orders_document(steps[0], marks_deadlines=False))
        file = world.folder / "orders.toml"
        file.write_text(written)
        entries = read_entries(file, ["Red", "Purple", "Green"], "colour")
        rolls = [roll for _, roll in json.loads(record.dice)]
        again = adjudicate(ruleset, first, entries, lambda _step, _sheets: ScriptedDice(rolls))
        assert again.document == json.loads(record.after)
        assert [faction["status"] for faction in again.document["factions"]] == ["active", "active", "resigned"]
        assert "Telepathic" in written
