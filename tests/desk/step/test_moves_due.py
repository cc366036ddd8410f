"""Sequential play by the clock: whose time runs from when on, skips, empty seats, the game master's decisions."""

import json
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from pbmd.desk.changes import deadline_changes, pauses
from pbmd.desk.changes.seats import Holder
from pbmd.desk.due.advance import advance_games
from pbmd.desk.mailroom import process_letters
from pbmd.desk.questions.seat_offers import offer
from pbmd.ledger.tables import LetterState, SeatState, StepRecord, SubmissionState
from pbmd.rules import Refused
from tests.desk.relay import GAME, HOUR, last_id, mails_to, past_turn_0, relay
from tests.desk.world import ADDRESS, BEGIN, NAMES, World, body_of, message_of

MINUTE = timedelta(minutes=1)


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    """A desk where Altair is to move in turn 1 of a game of Relay, since 12:02."""
    world = World(tmp_path)
    yield past_turn_0(relay(world))
    world.close()


@pytest.fixture
def beginning(tmp_path: Path) -> Iterator[World]:
    """A desk where all are to move in turn 0, with a reminder a day before."""
    world = World(tmp_path)
    yield relay(world, reminders=("24h",))
    world.close()


def scores(world: World) -> list[int]:
    return [runner["score"] for runner in world.position()["runners"]]


def skips(world: World) -> list[int]:
    return [runner["skips"] for runner in world.position()["runners"]]


def at(world: World, moment: datetime) -> int:
    return world.pass_time(moment - world.now)


class TestTheClock:
    def test_runs_for_all_from_the_beginning_in_a_turn_where_all_are_awaited(self, beginning: World) -> None:
        deadline = beginning.game().deadline
        assert deadline == BEGIN + 72 * HOUR
        beginning.now += HOUR
        beginning.send("Borealis", "Add 2")
        assert beginning.game().deadline == deadline
        beginning.send("Altair", "Add 2")
        assert beginning.game().deadline == deadline

    def test_begins_anew_with_the_report_that_calls_for_a_move(self, world: World) -> None:
        assert world.game().deadline == BEGIN + 2 * MINUTE + 72 * HOUR
        world.now = BEGIN + 10 * HOUR
        world.send("Altair", "Add 2")
        assert world.game().deadline == BEGIN + 82 * HOUR

    def test_does_not_begin_anew_for_mails_that_make_no_move(self, world: World) -> None:
        deadline = world.game().deadline
        world.now += HOUR
        world.send("Borealis", "Offer Altair")
        world.send("Altair", "Accept Borealis")
        world.send("Borealis", "Add 5")
        world.send("Altair", "nonsense")
        assert world.game().deadline == deadline

    def test_reminds_once_though_others_move_meanwhile(self, beginning: World) -> None:
        at(beginning, BEGIN + 48 * HOUR + MINUTE)
        assert len(beginning.outbox("reminder", "Cygnus")) == 1
        beginning.send("Borealis", "Add 2")
        beginning.pass_time(MINUTE)
        assert len(beginning.outbox("reminder", "Cygnus")) == 1

    def test_reminds_only_whose_move_it_is(self, tmp_path: Path) -> None:
        world = past_turn_0(relay(World(tmp_path), reminders=("24h",)))
        world.pass_time(49 * HOUR)
        assert [line.seat for line in world.log("reminder")] == ["Altair"]
        world.close()

    def test_reminds_without_promising_what_only_the_rules_can_say(self, tmp_path: Path) -> None:
        world = past_turn_0(relay(World(tmp_path), reminders=("24h",)))
        world.pass_time(49 * HOUR)
        (reminder,) = world.outbox("reminder")
        assert "EXTEND 24h" in body_of(reminder)
        # How to pass is in the order form: an empty mail is no move in every game.
        assert "ORDERS alone" not in body_of(reminder)
        world.close()

    def test_takes_orders_of_the_last_instant(self, world: World) -> None:
        deadline = world.game().deadline
        assert deadline
        world.now = deadline + MINUTE
        assert "late" not in world.send("Altair", "Add 5", at=deadline)
        assert scores(world) == [6, 1, 1]

    def test_lasts_as_long_as_the_option_of_the_rules_says(self, tmp_path: Path) -> None:
        world = relay(World(tmp_path), move_hours=24)
        assert world.game().deadline == BEGIN + 24 * HOUR
        past_turn_0(world)
        assert world.pass_time(24 * HOUR) == 1
        assert world.game().deadline == world.now + 24 * HOUR
        world.close()

    def test_is_told_as_who_is_to_move_to_all_others(self, world: World) -> None:
        assert "To move   Altair, until Mon 23 Nov 2026 12:02 UTC" in " ".join(world.send("Cygnus", "STATUS").split("\n"))
        assert "Deadline  Mon 23 Nov 2026 12:02 UTC" in world.send("Altair", "STATUS")

    def test_of_the_current_move_alone_is_extended(self, world: World) -> None:
        world.send("Altair", "EXTEND 5h")
        assert world.game().deadline == BEGIN + 2 * MINUTE + 77 * HOUR
        world.now += HOUR
        world.send("Altair", "Add 1")
        assert world.game().deadline == world.now + 72 * HOUR

    def test_of_one_seat_among_many_stays_extended_while_others_move(self, beginning: World) -> None:
        beginning.act(
            GAME, lambda work, table: deadline_changes.extend(work, table, 10 * HOUR, "the GM", seat=table.seat("Cygnus"))
        )
        beginning.send("Borealis", "Add 2")
        assert at(beginning, BEGIN + 73 * HOUR) == 1
        assert skips(beginning) == [1, 0, 0]
        beginning.send("Cygnus", "Add 2")
        assert scores(beginning) == [0, 2, 2]

    def test_cannot_be_moved_by_who_is_not_to_move(self, world: World) -> None:
        assert "EXTEND: it is not your move" in world.send("Cygnus", "EXTEND 5h")
        with pytest.raises(Refused, match="not Cygnus's move"):
            world.act(GAME, lambda work, table: deadline_changes.extend(work, table, HOUR, "the GM", seat=table.seat("Cygnus")))


class TestASkip:
    def test_follows_a_deadline_that_passed(self, world: World) -> None:
        before = last_id(world)
        at(world, BEGIN + 72 * HOUR)
        assert world.log("nmr") == []
        assert at(world, BEGIN + 72 * HOUR + 3 * MINUTE) == 1
        assert skips(world) == [1, 0, 0]
        assert [(line.seat, line.detail) for line in world.log("nmr")] == [("Altair", "no mail with orders arrived")]
        (own,) = mails_to(world, "Altair", before)
        assert "You made no move in turn 1." in own
        assert "Altair made no move" not in own.partition("\n\n")[2]
        (next_one,) = mails_to(world, "Borealis", before)
        assert "Borealis: your move, by" in next_one
        assert "Altair made no move." in next_one

    def test_tells_its_cause(self, world: World) -> None:
        world.send("Altair", "nonsense")
        world.pass_time(73 * HOUR)
        assert world.log("nmr")[0].detail == "only mail whose orders could not be taken arrived: wrong in line 1"

    def test_is_followed_by_a_move_that_waits(self, world: World) -> None:
        world.send("Borealis", "Add 3")
        before = last_id(world)
        assert world.pass_time(73 * HOUR) == 2
        assert scores(world) == [1, 4, 1]
        (mail,) = mails_to(world, "Cygnus", before)
        assert "Altair made no move; Borealis has moved." in mail

    def test_of_several_at_once_is_one_step(self, beginning: World) -> None:
        beginning.send("Borealis", "Add 2")
        beginning.pass_time(73 * HOUR)
        assert skips(beginning) == [1, 0, 1]
        assert [record.cause for record in beginning.rows(StepRecord)] == ["Borealis has moved", "Altair, Cygnus made no move"]
        assert beginning.game().turn == 1

    def test_twice_in_a_row_puts_the_seat_out_and_its_move_that_waits_with_it(self, beginning: World) -> None:
        beginning.send("Borealis", "Add 2")
        beginning.send("Altair", "Add 2")
        beginning.pass_time(73 * HOUR)
        beginning.send("Altair", "Add 1")
        beginning.send("Borealis", "Add 1")
        assert beginning.position()["waiting"] == ["Cygnus"]
        beginning.pass_time(73 * HOUR)
        assert beginning.position()["runners"][2]["out"]
        assert beginning.position()["waiting"] == ["Altair", "Borealis"]
        assert [line.seat for line in beginning.log("nmr")] == ["Cygnus", "Cygnus"]

    def test_makes_what_answers_the_missed_turn_late_and_nothing_else(self, world: World) -> None:
        call = world.outbox("report", "Altair")[-1]
        world.pass_time(73 * HOUR)
        for seat in ("Borealis", "Cygnus"):
            world.send(seat, "Add 1")
        answer = " ".join(world.reply(call, "Add 5").split())
        assert "your orders for turn 1 came 1 h 1 min too late" in answer
        assert scores(world) == [1, 2, 2]
        assert world.submissions()[-1].state is SubmissionState.LATE
        world.send("Altair", "Add 5")
        assert scores(world) == [6, 2, 2]

    def test_tells_the_game_master_of_what_came_in_time_and_was_seen_too_late(self, world: World) -> None:
        call = world.outbox("report", "Altair")[-1]
        began = world.now
        world.pass_time(73 * HOUR)
        assert skips(world) == [1, 0, 0]
        answer = " ".join(world.send("Altair", "Add 5", at=began + HOUR, headers={"In-Reply-To": call.message_id}).split())
        assert "only after your move had been skipped" in answer
        assert "You can ask the game master to take the turn back" in answer
        assert [line.seat for line in world.log("seen-late")] == ["Altair"]

    def test_lets_what_came_after_the_deadline_wait_until_it_is_known_that_nothing_came_before(self, world: World) -> None:
        call = world.outbox("report", "Altair")[-1]
        deadline = world.game().deadline
        assert deadline
        world.now = deadline + 5 * MINUTE
        assert world.reply(call, "Add 5") == world.send("Altair", "Offer Borealis") == ""
        assert [letter.state for letter in world.letters()[-2:]] == [LetterState.NEW] * 2
        assert skips(world) == [0, 0, 0]
        world.pass_time(MINUTE)
        assert skips(world) == [1, 0, 0]
        held, offered = (body_of(mail) for mail in world.outbox("acknowledgement", "Altair")[-2:])
        assert "your move is waiting, and is made the moment your turn comes" in held
        assert "taken effect at once" in offered

    def test_undoes_a_doubtful_move_that_was_confirmed_too_late(self, world: World) -> None:
        world.send("Altair", "Add 5", to=ADDRESS)
        question = world.questions()[-1]
        world.pass_time(73 * HOUR)
        assert skips(world) == [1, 0, 0]
        answer = " ".join(world.reply(question, "YES").split())
        assert "were read, or confirmed, only after your move had been skipped" in answer
        assert world.log("seen-late") == []
        assert world.position()["sheets"] == []

    def test_comes_before_what_arrived_later_though_all_is_read_at_once(self, beginning: World) -> None:
        """The mail server was down over the deadline; Cygnus goes out by its second skip, and with it what it offers."""
        for _ in range(2):
            for seat in ("Altair", "Borealis"):
                beginning.send(seat, "Add 1")
            if not beginning.game().turn:
                beginning.pass_time(73 * HOUR)
        deadline = beginning.game().deadline
        assert deadline
        beginning.now = deadline + 10 * HOUR
        beginning.arrive(beginning.letter("Altair", "Add 4"), deadline + 2 * HOUR)
        beginning.arrive(beginning.letter("Cygnus", "Add 5"), deadline + HOUR)
        beginning.read_mailbox()
        process_letters(beginning.desk)
        assert beginning.position()["runners"][2]["out"]
        assert scores(beginning) == [6, 2, 0]
        causes = [record.cause for record in beginning.rows(StepRecord)]
        assert causes[-2:] == ["Cygnus made no move", "Altair has moved"]


class TestAnEmptySeat:
    def test_is_skipped_as_soon_as_its_move_begins(self, world: World) -> None:
        world.resign("Borealis")
        before = last_id(world)
        world.send("Altair", "Add 1")
        assert skips(world) == [0, 1, 0]
        assert world.position()["waiting"] == ["Cygnus"]
        (mail,) = mails_to(world, "Cygnus", before)
        assert "Altair has moved; Borealis made no move." in mail
        assert world.log("nmr")[0].detail == "the seat is empty"

    def test_whose_move_it_is_is_skipped_when_it_is_given_up(self, world: World) -> None:
        world.resign("Altair")
        assert skips(world) == [1, 0, 0]
        assert world.position()["waiting"] == ["Borealis", "Cygnus"]

    def test_does_not_hurry_a_game_that_nobody_plays(self, beginning: World) -> None:
        for seat in NAMES:
            beginning.resign(seat)
        steps = len(beginning.rows(StepRecord))
        for _ in range(10):
            beginning.pass_time(MINUTE)
        assert len(beginning.rows(StepRecord)) == steps

    def test_is_skipped_once_only_where_all_others_are_empty_too(self, world: World) -> None:
        world.resign("Borealis")
        world.resign("Cygnus")
        world.send("Altair", "Add 1")
        assert skips(world) == [0, 1, 1]
        world.resign("Altair")
        # The others go out by their second skip; the next move of Altair waits for its deadline.
        assert (skips(world), world.position()["waiting"]) == ([1, 2, 2], ["Altair"])

    def test_given_up_while_the_clock_stood_is_skipped_when_it_goes_on(self, world: World) -> None:
        world.act(GAME, pauses.pause)
        world.resign("Altair")
        assert skips(world) == [0, 0, 0]
        world.act(GAME, pauses.resume)
        assert skips(world) == [1, 0, 0]


class TestTheGameMaster:
    def test_can_skip_whose_move_it_is(self, world: World) -> None:
        world.send("Borealis", "Add 3")
        world.act(GAME, deadline_changes.resolve_now)
        assert skips(world) == [1, 0, 0]
        assert scores(world) == [1, 4, 1]
        assert "before the game master resolved" in world.log("nmr")[0].detail
        (mail,) = [
            mail for mail in world.outbox("report", "Cygnus") if "t1] Cygnus: your move" in str(message_of(mail)["Subject"])
        ]
        assert mail

    def test_stops_the_clock_and_moves_wait_meanwhile(self, world: World) -> None:
        world.act(GAME, pauses.pause)
        answer = world.send("Altair", "Add 2")
        assert "your move is waiting, and is made when the game resumes" in " ".join(answer.split())
        world.send("Borealis", "Add 3")
        world.now += 100 * HOUR
        assert world.pass_time(HOUR) == 0
        before = last_id(world)
        world.act(GAME, pauses.resume)
        assert scores(world) == [3, 4, 1]
        assert world.game().deadline == world.now + 72 * HOUR
        reports = [mail for mail in world.outbox("report", "Cygnus") if (mail.id or 0) > before]
        assert len(reports) == 1

    def test_moves_the_deadline_by_the_time_that_the_clock_stood(self, world: World) -> None:
        world.act(GAME, pauses.pause)
        world.now += 10 * HOUR
        world.act(GAME, pauses.resume)
        assert world.game().deadline == BEGIN + 2 * MINUTE + 82 * HOUR

    def test_gives_a_seat_that_is_out_to_somebody_who_plays_it_again(self, beginning: World) -> None:
        for _ in range(2):
            for seat in ("Altair", "Borealis"):
                beginning.send(seat, "Add 1")
            beginning.pass_time(73 * HOUR)
        assert beginning.position()["runners"][2]["out"]
        beginning.act(GAME, offer, "Cygnus", "dora@players.test", Holder("Dora", "UTC"))
        before = last_id(beginning)
        beginning.reply(beginning.questions("dora@players.test")[-1], "YES")
        assert not beginning.position()["runners"][2]["out"]
        assert [json.loads(entry.public) for entry in beginning.journal("holder")] == [{"seat": "Cygnus"}]
        for seat in ("Altair", "Borealis"):
            (mail,) = mails_to(beginning, seat, before)
            assert "Cygnus has a new player" in mail
        for seat in ("Altair", "Borealis"):
            beginning.send(seat, "Add 1")
        assert beginning.position()["waiting"] == ["Altair", "Borealis", "Cygnus"]

    def test_cannot_give_away_a_seat_that_the_rules_do_not_give(self, world: World) -> None:
        def eliminated(work, table) -> None:
            runners = json.loads(table.game.position)
            runners["runners"][2]["score"] = -1
            work.move(table, table.ruleset.load(runners))

        world.act(GAME, eliminated)
        with pytest.raises(Refused, match="eliminated"):
            world.act(GAME, offer, "Cygnus", "dora@players.test", Holder("Dora", "UTC"))


def test_a_seat_that_was_given_up_can_be_taken_over(world: World) -> None:
    world.resign("Cygnus")
    world.act(GAME, offer, "Cygnus", "dora@players.test", Holder("Dora", "UTC"))
    world.reply(world.questions("dora@players.test")[-1], "YES")
    assert world.seat("Cygnus").state is SeatState.ACTIVE


def test_what_was_due_before_a_crash_is_due_after_it(world: World) -> None:
    world.send("Borealis", "Add 3")
    world.now += 73 * HOUR
    world.read_mailbox()
    # Killed here: nothing was written; a new start finds the same.
    process_letters(world.desk)
    assert advance_games(world.desk) == 2
    assert advance_games(world.desk) == 0
    assert scores(world) == [1, 4, 1]
