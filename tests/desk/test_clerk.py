"""Letters become orders: what is filed, what is refused, what is late, and that each letter gets exactly one answer."""

import json
from datetime import timedelta

import pytest
from sqlalchemy import event

from pbmd.desk import clerk, mailroom
from pbmd.desk.changes import deadline_changes, pauses
from pbmd.desk.deadlines.doubt_watch import look_at_clock
from pbmd.desk.letter import arrival_queue, opening
from pbmd.desk.mailroom import process_letters
from pbmd.ledger.tables import LetterState, SubmissionState
from pbmd.post.read.letter import read_letter
from tests.desk.world import ADDRESS, BEGIN, NAMES, address_of, body_of, text_of

MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)
DAY = timedelta(days=1)


def states(world):
    return [submission.state.value for submission in world.submissions()]


class TestOrders:
    """Received, valid, complete, final and used are different states."""

    def test_orders_are_filed_and_on_the_books(self, running):
        answer = running.send("Altair", "Add 3\nAdd 4")
        assert "your orders for turn 1 are in" in answer
        assert running.sheet("Altair") == ["Add 3", "Add 4"]
        assert states(running) == ["filed"]
        assert running.submissions()[0].letter_id == running.letters()[0].id

    def test_good_lines_count_beside_wrong_ones(self, running):
        running.send("Altair", "Add 3\nAdd lots")
        assert running.sheet("Altair") == ["Add 3"]

    def test_a_replacement_counts_as_a_whole_and_takes_its_later_place(self, running):
        running.send("Altair", "Add 3\nAdd 4")
        running.send("Borealis", "Add 5", at=running.now + timedelta(minutes=1))
        running.send("Altair", "Add 9", at=running.now + timedelta(minutes=2))
        assert running.sheet("Altair") == ["Add 9"]
        assert [sheet["seat"] for sheet in running.position()["sheets"]] == ["Borealis", "Altair"]

    def test_first_in_is_the_servers_stamp_whatever_the_mails_say_and_in_whatever_order_they_are_read(self, running):
        for seat, minute in (("Altair", 3), ("Borealis", 1), ("Cygnus", 2)):
            running.arrive(running.letter(seat, "Add 1"), running.now + timedelta(minutes=minute))
        process_letters(running.desk)
        assert [sheet["seat"] for sheet in running.position()["sheets"]] == ["Borealis", "Cygnus", "Altair"]

    def test_of_letters_of_the_same_second_the_first_in_the_mailbox_is_first(self, running):
        for seat in ("Cygnus", "Altair", "Borealis"):
            running.arrive(running.letter(seat, "Add 1"))
        process_letters(running.desk)
        assert [sheet["seat"] for sheet in running.position()["sheets"]] == ["Cygnus", "Altair", "Borealis"]

    @pytest.mark.parametrize("text", ["ORDERS", "ORDERS FOR TURN 1", "Orders:\n# nothing this time"])
    def test_an_empty_order_sheet_is_legal(self, running, text):
        answer = running.send("Altair", text)
        assert "(none: you do nothing this turn)" in answer
        assert running.sheet("Altair") == []
        assert states(running) == ["filed"]

    def test_empty_orders_are_no_nmr(self, running):
        for seat in ("Altair", "Borealis", "Cygnus"):
            running.send(seat, "ORDERS")
        assert running.pass_time(4 * DAY) == 1
        assert running.log("nmr") == []

    def test_a_mail_of_nonsense_does_not_wipe_out_good_orders(self, running):
        running.send("Altair", "Add 3")
        answer = running.send("Altair", "attack everybody\nwith everything")
        assert "nothing in your mail could be used as orders" in answer
        assert "Add 3" in answer
        assert running.sheet("Altair") == ["Add 3"]
        assert states(running) == ["filed", "refused"]

    def test_a_mail_of_nonsense_does_not_count_as_orders(self, running):
        running.send("Altair", "attack everybody")
        assert running.sheet("Altair") is None
        running.send("Borealis", "Add 1")
        running.send("Cygnus", "Add 1")
        assert running.pass_time(2 * DAY) == 0, "Altair is still awaited"

    def test_html_mail_is_read_too(self, running):
        html = "<html><body><p>Add&nbsp;3<br>Add <b>4</b></p></body></html>"
        running.send("Altair", "This mail needs an HTML viewer; your client cannot display it.", html=html)
        assert running.sheet("Altair") == ["Add 3", "Add 4"]

    def test_orders_typed_into_the_quoted_order_form_are_found(self, running):
        report = body_of(running.outbox("report", "Altair")[0])
        quoted = "\n".join(f"> {line}" for line in report.splitlines()).replace("> Add", "> Add 7")
        running.send("Altair", f"Here you are!\n\nOn Friday, pbmd wrote:\n{quoted}")
        assert running.sheet("Altair") == ["Add 7"]


class TestTheTurn:
    """Orders are for the turn that runs."""

    def test_the_turn_may_be_named(self, running):
        running.send("Altair", "ORDERS FOR TURN 1\nAdd 3")
        assert running.sheet("Altair") == ["Add 3"]

    @pytest.mark.parametrize("turn", [0, 2, 99])
    def test_a_wrong_turn_number_is_refused_and_nothing_changes(self, running, turn):
        running.send("Altair", "Add 3")
        answer = running.send("Altair", f"ORDERS FOR TURN {turn}\nAdd 9")
        assert f"your orders say turn {turn}, but this is turn 1" in answer
        assert running.sheet("Altair") == ["Add 3"]

    def test_a_reply_to_an_old_report_is_refused_and_says_how_to_mend_it(self, running):
        for _ in range(2):
            running.pass_time(4 * DAY)
        answer = " ".join(running.send("Altair", "Add 9", subject="Re: [pbmd galaxy-7 t1] orders, please").split())
        assert "your mail answers one of turn 1, but the game is in turn 3" in answer
        assert "ORDERS FOR TURN 3" in answer
        assert running.sheet("Altair") is None
        assert states(running) == ["refused"]
        running.send("Altair", "ORDERS FOR TURN 3\nAdd 9", subject="Re: [pbmd galaxy-7 t1] orders, please")
        assert running.sheet("Altair") == ["Add 9"]

    def test_the_mail_that_is_answered_tells_the_turn_whatever_the_subject_is(self, running):
        old = running.outbox("report", "Altair")[-1].message_id
        for _ in range(2):
            running.pass_time(4 * DAY)
        for number, header in enumerate(("In-Reply-To", "References")):
            answer = running.send("Altair", f"Add {number}", subject="my orders", headers={header: old})
            assert "your mail answers one of turn 1, but the game is in turn 3" in " ".join(answer.split())
        new = running.outbox("report", "Altair")[-1].message_id
        answer = running.send("Altair", "Add 9", subject="Re: [pbmd galaxy-7 t1] x", headers={"References": f"{old} {new}"})
        assert "are in" in answer

    def test_a_mail_of_another_game_tells_no_turn(self, running):
        running.count("galaxy-8")
        other = running.outbox("report", "Altair")[-1].message_id
        for _ in range(2):
            running.pass_time(4 * DAY)
        assert "are in" in running.send("Altair", "Add 9", headers={"In-Reply-To": other})

    @pytest.mark.parametrize("command", ["CANCEL ORDERS", "WAIT", "READY", "EXTEND 12h"])
    def test_commands_about_orders_and_clock_are_for_the_turn_that_runs(self, running, command):
        for _ in range(2):
            running.pass_time(4 * DAY)
        running.send("Altair", "Add 1\nWAIT" if command == "READY" else "Add 1")
        before = (running.sheet("Altair"), running.seat("Altair").waits, running.game().deadline)
        answer = " ".join(running.send("Altair", command, subject="Re: [pbmd galaxy-7 t1] x").split())
        assert f"{command.split()[0]}" in answer
        assert "your mail answers one of turn 1, but the game is in turn 3; your words were not taken" in answer
        assert (running.sheet("Altair"), running.seat("Altair").waits, running.game().deadline) == before

    def test_only_orders_can_be_stale_not_questions(self, running):
        running.pass_time(4 * DAY)
        assert "turn 2" in running.send("Altair", "STATUS", subject="Re: [pbmd galaxy-7 t1] x")

    def test_orders_for_a_finished_game_are_answered(self, world):
        world.count(target=1)
        world.send("Altair", "Add 3")
        world.pass_time(4 * DAY)
        before = world.position()
        answer = world.send("Borealis", "Add 9")
        assert "the game is over" in answer
        assert world.position() == before

    def test_orders_before_the_game_begins_are_answered(self, world):
        world.open("galaxy-7", "Altair")
        assert "the game has not begun" in world.send("Altair", "Add 3")


class TestLate:
    """Orders after the deadline are answered with how late they were, when it is known that no others had come before."""

    def late(self, world, by, *, read=True, **terms):
        world.count(**terms)
        world.now = BEGIN + 3 * DAY + by
        return world.reply(world.outbox("report", "Altair")[0], "Add 3", read=read)

    def test_late_orders_are_not_taken_and_told_how_late_they_were(self, world):
        answer = self.late(world, timedelta(minutes=3, seconds=12))
        assert "3 min 12 s after the deadline" in answer
        assert "Receipt" in answer
        assert world.sheet("Altair") is None
        assert states(world) == ["late"]
        assert "3 min 12 s after the deadline" in world.log("late")[0].detail
        assert [entry.kind for entry in world.journal()][-2:] == ["resolved", "orders"]

    def test_late_orders_wait_until_the_mailbox_was_read_beyond_the_deadline(self, world):
        assert self.late(world, timedelta(minutes=3, seconds=12), read=False) == ""
        assert [letter.state for letter in world.letters()] == [LetterState.NEW]
        before = len(world.journal())
        assert process_letters(world.desk) == 0
        assert len(world.journal()) == before
        assert world.pass_time(MINUTE) == 1
        assert "3 min 12 s after the deadline" in body_of(world.outbox("acknowledgement")[-1])

    def test_so_do_those_that_come_after_them_and_in_that_order(self, world):
        self.late(world, HOUR, read=False)
        for number in (1, 2):
            world.now += MINUTE
            world.send("Altair", f"ORDERS FOR TURN 2\nAdd {number}")
        world.pass_time(MINUTE)
        assert states(world) == ["late", "filed", "filed"]
        assert world.sheet("Altair") == ["Add 2"]

    def test_letters_of_other_games_do_not_wait_for_that(self, world):
        world.count("galaxy-8", seats=("Deneb", "Elnath"), deadline="240h")
        self.late(world, HOUR, read=False)
        assert "are in" in world.send("Deneb", "Add 1", game="galaxy-8")

    def test_nor_does_the_game_master_who_ends_the_turn(self, world):
        self.late(world, HOUR, read=False)
        world.act("galaxy-7", deadline_changes.resolve_now)
        assert process_letters(world.desk) == 1
        assert "1 h after the deadline" in body_of(world.outbox("acknowledgement")[-1])

    def test_orders_of_the_deadlines_own_second_are_in_time(self, world):
        assert "are in" in self.late(world, timedelta(0))

    def test_orders_within_the_grace_are_in_time(self, world):
        assert "are in" in self.late(world, HOUR, grace="2h")

    def test_after_the_grace_they_are_late_from_the_deadline_on(self, world):
        assert "3 h after the deadline" in self.late(world, 3 * HOUR, grace="2h")

    @pytest.mark.parametrize("command", ["Add 9", "CANCEL ORDERS", "WAIT", "EXTEND 12h", "EXTEND 12h\nAdd 9"])
    def test_late_orders_do_not_replace_those_in_force_and_what_moves_the_clock_is_late_too(self, world, command):
        world.count()
        world.send("Altair", "Add 1")
        world.now = BEGIN + 3 * DAY + HOUR
        assert "1 h after the deadline" in world.reply(world.outbox("report", "Altair")[0], command, read=True)
        assert world.position()["players"][0]["score"] == 1
        assert world.sheet("Altair") is None
        assert not world.seat("Altair").waits
        assert world.game().deadline == world.now + 3 * DAY

    @pytest.mark.parametrize("command", ["Add 9", "CANCEL ORDERS", "EXTEND 12h"])
    def test_so_they_do_while_the_clock_is_in_doubt_and_no_turn_ends(self, world, command):
        world.count()
        world.send("Altair", "Add 1")
        look_at_clock(world.desk)
        world.now = BEGIN + 3 * DAY + HOUR
        world.set_clock(DAY)
        assert "1 day 1 h too late" in world.send("Altair", command, read=True)
        assert world.sheet("Altair") == ["Add 1"]
        assert world.game().deadline == BEGIN + 3 * DAY

    def test_a_letter_from_before_the_step_began_is_late_too(self, world):
        world.count()
        world.pass_time(4 * DAY)
        answer = world.send("Altair", "Add 3", at=BEGIN + 3 * DAY)
        assert "arrived before turn 2 began" in answer
        assert states(world) == ["late"]

    def test_what_names_no_turn_is_for_the_one_that_runs_when_it_arrives(self, world):
        """However late pbmd comes to it, and to the resolution."""
        world.count()
        world.now = BEGIN + 4 * DAY
        assert "your orders for turn 2 are in" in world.send("Altair", "Add 3", at=BEGIN + 3 * DAY + HOUR, read=True)

    def test_nothing_is_late_while_the_clock_stands(self, world):
        world.count()
        world.act("galaxy-7", pauses.pause)
        world.now += 9 * DAY
        assert "are in" in world.send("Altair", "Add 3")

    def test_what_was_due_before_the_clock_was_stopped_stays_late_when_it_comes_later(self, world):
        world.count()
        world.now = BEGIN + 3 * DAY + HOUR
        world.act("galaxy-7", pauses.pause)
        world.now += HOUR
        assert "2 h too late" in world.send("Altair", "Add 3")
        assert world.sheet("Altair") is None

    def test_what_was_late_before_the_clock_was_stopped_stays_late(self, world):
        world.count()
        world.now = BEGIN + 3 * DAY + HOUR
        raw = world.letter("Altair", "Add 3")
        world.now += HOUR
        world.act("galaxy-7", pauses.pause)
        world.arrive(raw, BEGIN + 3 * DAY + HOUR)
        process_letters(world.desk)
        assert states(world) == ["late"]


class TestTheTurnBefore:
    """A turn is resolved some seconds after its deadline; what comes after that for it is late like what came before."""

    LATE = BEGIN + 3 * DAY + timedelta(minutes=3, seconds=12)

    @pytest.fixture
    def resolved(self, world):
        """Turn 1 was resolved two seconds after its deadline, and three minutes have passed."""
        world.count(grace="1m")
        world.now = BEGIN + 3 * DAY + timedelta(seconds=61)
        assert world.pass_time() == 1
        world.now = self.LATE
        return world

    @pytest.mark.parametrize("text", ["Add 3", "ORDERS FOR TURN 1\nAdd 3"])
    def test_orders_for_it_are_told_how_late_they_are(self, resolved, text):
        first = resolved.outbox("report", "Altair")[0]
        headers = {} if "TURN" in text else {"In-Reply-To": first.message_id}
        answer = " ".join(resolved.send("Altair", text, headers=headers).split())
        assert (
            "your orders for turn 1 came 3 min 12 s after the deadline: turn 1 was played Mon 23 Nov 2026 12:01:01 UTC"
            in answer
        )
        assert "below the line ORDERS FOR TURN 2" in answer
        assert resolved.sheet("Altair") is None
        assert [(one.state.value, one.step) for one in resolved.submissions()] == [("late", 0)]
        assert json.loads(resolved.journal("orders")[0].public) == {"turn": 1, "step": 0}
        assert "3 min 12 s after the deadline" in resolved.log("late")[0].detail

    def test_of_those_that_came_in_time_and_were_seen_too_late_the_game_master_is_told_once(self, resolved):
        answers = [
            " ".join(resolved.send("Altair", f"ORDERS FOR TURN 1\nAdd {number}", at=BEGIN + HOUR).split()) for number in (3, 4)
        ]
        for answer in answers:
            assert "your orders for turn 1 came in time, but were seen only when it was over: turn 1 was played" in answer
            assert "You can ask the game master to take the turn back" in answer
        (alarm,) = resolved.outbox("alarm")
        assert alarm.recipient == resolved.desk.settings.server.gm
        told = " ".join(body_of(alarm).split())
        assert "Altair missed turn 1, but their orders had come in time" in told
        assert "they arrived on Fri 20 Nov 2026 13:00:00 UTC" in told
        assert "ROLLBACK TO TURN 1" in told
        assert [line.seat for line in resolved.log("seen-late")] == ["Altair", "Altair"]

    def test_nor_is_it_told_where_nobody_may_know_who_has_sent(self, world):
        world.count(who_has_sent="nothing")
        world.pass_time(3 * DAY + HOUR)
        assert "came in time" in world.send("Altair", "ORDERS FOR TURN 1\nAdd 3", at=BEGIN)
        assert world.outbox("alarm") == []

    def test_neither_late_ones_nor_those_that_were_confirmed_too_late_came_in_time(self, world):
        world.count()
        world.send("Altair", "ORDERS FOR TURN 1\nAdd 3", to=ADDRESS)
        question = world.questions()[-1]
        world.pass_time(3 * DAY + HOUR)
        assert world.game().turn == 2
        assert "your orders for turn 1 were confirmed too late" in " ".join(world.reply(question, "YES").split())
        assert " after the deadline" in " ".join(world.send("Borealis", "ORDERS FOR TURN 1\nAdd 3").split())
        assert world.log("seen-late") == []
        assert world.outbox("alarm") == []

    def test_older_ones_than_those_that_were_used_are_no_reason_to_take_the_turn_back(self, world):
        world.count()
        world.send("Altair", "Add 5", at=BEGIN + 2 * HOUR)
        world.pass_time(3 * DAY + HOUR)
        assert world.game().turn == 2
        assert "were read too late" in " ".join(world.send("Altair", "ORDERS FOR TURN 1\nAdd 3", at=BEGIN + HOUR).split())
        assert world.log("seen-late") == []

    def test_they_are_no_cause_of_missing_the_turn_that_runs(self, resolved):
        resolved.send("Altair", "ORDERS FOR TURN 1\nAdd 3")
        resolved.pass_time(4 * DAY)
        assert [line.detail for line in resolved.log("nmr") if line.seat == "Altair"][-1] == "no mail with orders arrived"

    def test_commands_for_it_are_late_too_and_never_lead_to_empty_orders(self, resolved):
        answer = " ".join(resolved.send("Altair", "WAIT", subject="Re: [pbmd galaxy-7 t1] x").split())
        assert "WAIT: your words for turn 1 came 3 min 12 s after the deadline" in answer
        assert "ORDERS FOR TURN" not in answer
        assert not resolved.seat("Altair").waits

    def test_a_seats_own_deadline_counts(self, world):
        world.count()
        world.act(
            "galaxy-7", lambda work, table: deadline_changes.extend(work, table, DAY, "the GM", seat=table.seat("Altair"))
        )
        world.pass_time(4 * DAY + HOUR)
        assert "came 1 h after the deadline:" in " ".join(world.send("Altair", "ORDERS FOR TURN 1\nAdd 3").split())
        assert "came 1 day 1 h after the deadline:" in " ".join(world.send("Borealis", "ORDERS FOR TURN 1\nAdd 3").split())

    def test_orders_after_an_early_resolution_are_told_of_it(self, world):
        world.count()
        for seat in NAMES:
            world.send(seat, "Add 1")
        world.pass_time(HOUR)
        answer = " ".join(world.send("Altair", "ORDERS FOR TURN 1\nAdd 3").split())
        assert "your orders for turn 1 came too late: turn 1 was played Fri 20 Nov 2026 13:00:00 UTC" in answer
        assert "because all orders were in" in answer
        assert states(world)[-1] == "late"

    def test_orders_that_were_unread_when_the_game_master_resolved_the_turn_are_told_of_it(self, world):
        world.count()
        world.now += HOUR
        world.act("galaxy-7", deadline_changes.resolve_now)
        answer = " ".join(world.send("Altair", "ORDERS FOR TURN 1\nAdd 3", at=BEGIN).split())
        assert "your orders for turn 1 were read too late: turn 1 was played" in answer
        assert "because the game master decided so" in answer
        assert world.log("seen-late") == []

    def test_what_answers_the_turn_that_runs_is_for_it_whatever_its_stamp(self, resolved):
        report = resolved.outbox("report", "Altair")[-1].message_id
        headers = {"In-Reply-To": report}
        assert "are in" in resolved.send("Altair", "Add 3", at=BEGIN + 3 * DAY, headers=headers)


class TestOlderLetters:
    """A letter that is found late, moved back from the junk folder for example, is as old as its stamp."""

    @pytest.fixture
    def newer(self, running):
        running.send("Altair", "Add 9", at=BEGIN + 2 * HOUR)
        return running

    def test_it_does_not_replace_newer_orders(self, newer):
        answer = newer.send("Altair", "Add 1", at=BEGIN + HOUR)
        assert "a later mail of yours is in force" in answer
        assert "Add 9" in answer
        assert newer.sheet("Altair") == ["Add 9"]
        assert states(newer) == ["filed", "replaced"]
        assert "a mail that arrived later is in force" in newer.log("refused")[0].detail

    def test_the_newer_ones_are_reported_as_used(self, newer):
        newer.send("Altair", "Add 1", at=BEGIN + HOUR)
        newer.pass_time(4 * DAY)
        assert states(newer) == ["used", "replaced"]
        assert f"receipt {newer.submissions()[0].number}," in text_of(newer.outbox("report", "Altair")[-1])

    def test_it_does_not_cancel_newer_orders(self, newer):
        assert "a later mail of yours is in force" in newer.send("Altair", "CANCEL ORDERS", at=BEGIN + HOUR)
        assert newer.sheet("Altair") == ["Add 9"]
        assert states(newer) == ["filed"]

    def test_it_does_not_bring_back_what_a_newer_letter_cancelled(self, newer):
        newer.send("Altair", "CANCEL ORDERS", at=BEGIN + 3 * HOUR)
        answer = newer.send("Altair", "Add 1", at=BEGIN + HOUR)
        assert "a later mail of yours cancelled your orders" in " ".join(answer.split())
        assert newer.sheet("Altair") is None
        assert states(newer) == ["cancelled", "replaced"]
        newer.send("Altair", "Add 2", at=BEGIN + 4 * HOUR)
        assert newer.sheet("Altair") == ["Add 2"]

    def test_it_is_no_cause_of_missing_orders(self, newer):
        newer.send("Altair", "Add 1", at=BEGIN + HOUR)
        newer.send("Altair", "CANCEL ORDERS", at=BEGIN + 3 * HOUR)
        newer.pass_time(4 * DAY)
        assert "orders were cancelled" in next(line.detail for line in newer.log("nmr") if line.seat == "Altair")

    def test_the_rules_of_a_real_game_have_it_too(self, world):
        world.start("war", ruleset="galactic_overlord")
        world.send("Altair", "Stockpile", game="war", at=BEGIN + 2 * HOUR)
        assert "a later mail of yours is in force" in world.send("Altair", "Raise shields", game="war", at=BEGIN + HOUR)
        assert [sheet["lines"] for sheet in world.position("war")["sheets"]] == [["Stockpile"]]


class TestAnswers:
    """Every letter is answered once, or the log has the reason why not."""

    @pytest.mark.parametrize(
        "text",
        [
            "Add 3",
            "STATUS",
            "nonsense",
            "",
            "ORDERS",
            "HELP\nSTATUS\nAdd 1\nWAIT\nREPORT",
            "END\nAdd 3",
            "> Add 3",
            "RESIGN\nRESIGN",
            "RULES\nRULES",
        ],
    )
    def test_exactly_one_answer_for_each_letter(self, running, text):
        running.send("Altair", text)
        (answer,) = running.outbox("acknowledgement")
        assert answer.recipient == address_of("Altair")
        assert running.letters()[0].state is LetterState.DONE

    def test_a_letter_that_came_twice_is_answered_once(self, running):
        raw = running.letter("Altair", "Add 3")
        running.arrive(raw)
        running.arrive(raw)
        process_letters(running.desk)
        running.arrive(raw)
        process_letters(running.desk)
        assert len(running.outbox("acknowledgement")) == 1
        assert states(running) == ["filed"]
        assert len(running.log("duplicate")) == 2

    def test_an_empty_mail_changes_nothing_and_says_how_to_send_empty_orders(self, running):
        running.send("Altair", "Add 3")
        answer = running.send("Altair", "\n\n")
        assert "send the single line ORDERS" in answer.replace("\n", " ")
        assert running.sheet("Altair") == ["Add 3"]

    def test_a_mail_that_is_too_large_is_answered_and_not_read(self, running):
        answer = running.send("Altair", "Add 3\n" + "# padding to fill the mail\n" * 200_000)
        assert "not read" in answer.replace("\n", " ")
        assert running.sheet("Altair") is None
        assert running.submissions() == []

    def test_a_mail_that_was_not_even_fetched_whole_is_answered(self, running):
        running.arrive(running.letter("Altair", "Add 3"), truncated=True)
        process_letters(running.desk)
        assert "too large" in body_of(running.outbox("acknowledgement")[0])
        assert running.sheet("Altair") is None

    @pytest.mark.parametrize(
        ("header", "value"),
        [
            ("Auto-Submitted", "auto-replied"),
            ("Precedence", "bulk"),
            ("Return-Path", "<>"),
            ("X-Loop", ADDRESS),
            ("X-Autoreply", "yes"),
        ],
    )
    @pytest.mark.parametrize("text", ["Add 3", "STATUS", "JOIN galaxy-7 AS Deneb"])
    def test_automatic_mail_is_never_answered(self, running, header, value, text):
        sent = len(running.outbox())
        for to in (None, ADDRESS):
            running.send("Altair", text, to=to, headers={header: value})
        assert len(running.outbox()) == sent
        assert all("not answered" in line.detail for line in running.log("letter"))
        assert len(running.log("letter")) == 2

    def test_a_vacation_reply_that_quotes_the_report_gives_no_orders(self, running):
        report = body_of(running.outbox("report", "Altair")[0]).replace("Add", "Add 9")
        running.send("Altair", report, headers={"Auto-Submitted": "auto-replied"})
        assert running.sheet("Altair") is None
        assert running.submissions() == []

    def test_a_stranger_without_a_sign_up_gets_no_answer(self, running):
        sent = len(running.outbox())
        running.send("Mallory", "STATUS", to=ADDRESS)
        assert len(running.outbox()) == sent
        assert running.log("letter")[0].detail.endswith("not answered: no token")

    def test_a_letter_that_answers_itself_over_and_over_is_cut_off(self, running):
        answer = running.send("Altair", "REPORT\n" * 1000 + "HELP\n" * 1000)
        assert len(answer) < 20_000
        assert answer.count("REPORT OF THE BEGINNING") == 1

    def test_what_was_left_unread_is_named(self, running):
        answer = running.send("Altair", "Add 3\nEND\nAdd 4\nAdd 5")
        assert "After END, 2 lines were not read" in answer
        assert running.sheet("Altair") == ["Add 3"]
        assert "After END, 1 line was not read" in running.send("Altair", "Add 6\nEND\nAdd 4")


class TestTrouble:
    """A letter that cannot be dealt with stops nobody else's."""

    @pytest.fixture
    def broken(self, running, monkeypatch):
        """A desk at which every letter of Borealis raises, in a batch of three seats' letters."""
        serve = clerk.serve

        def fails(work, arrived, sender):
            answer = serve(work, arrived, sender)
            if sender.seat.name == "Borealis":
                raise ZeroDivisionError("secret words of the letter")
            return answer

        monkeypatch.setattr(clerk, "serve", fails)
        for seat in ("Altair", "Borealis", "Cygnus"):
            running.arrive(running.letter(seat, "Add 3\nPRESS TO ALL\nhello\nEND PRESS"))
        assert process_letters(running.desk) == 3
        return running

    def test_it_alone_is_put_aside(self, broken):
        assert [letter.state.value for letter in broken.letters()] == ["done", "quarantined", "done"]
        assert [sheet["seat"] for sheet in broken.position()["sheets"]] == ["Altair", "Cygnus"]

    def test_nothing_that_it_began_is_left(self, broken):
        assert broken.sheet("Borealis") is None
        assert [entry.number for entry in broken.journal()] == list(range(1, len(broken.journal()) + 1))
        assert len(broken.outbox("press")) == 4, "two messages, of two other seats, to two readers each"
        assert [mail.recipient for mail in broken.outbox("acknowledgement")] == [address_of("Altair"), address_of("Cygnus")]

    def test_it_is_in_the_log_with_its_kind_but_without_its_words(self, broken):
        (line,) = broken.log("quarantine")
        assert "ZeroDivisionError" in line.detail
        assert all("secret words" not in text for text in (line.detail, broken.letters()[1].note))

    def test_it_is_not_tried_again_by_itself(self, broken):
        assert process_letters(broken.desk) == 0

    def test_it_is_kept_whole(self, broken):
        assert b"Add 3" in broken.letters()[1].raw
        assert broken.submissions()[-1].state is SubmissionState.FILED


class TestALetterThatCannotEvenBeRead:
    """Reading it is what raises: the last way out must not go by there again."""

    @pytest.fixture
    def stumbles(self, running, monkeypatch):
        """A desk that stumbles over the letters with the subject "poison"; gives what deals with three letters, one of them."""
        monkeypatch.setattr(opening, "read_letter", lambda raw, *rest: self.fails_at_poison(raw, *rest))

        def deal_with(*poison: str):
            running.arrive(running.letter("Altair", "Add 3"))
            running.arrive("\n".join(poison).encode())
            running.arrive(running.letter("Cygnus", "Add 3"))
            assert process_letters(running.desk) == 3
            return running.letters()[1]

        running.deal_with = deal_with
        return running

    @staticmethod
    def fails_at_poison(raw, *rest):
        if b"poison" in raw:
            raise RecursionError("secret words of the letter")
        return read_letter(raw, *rest)

    def test_it_is_put_aside_and_holds_up_nobody(self, stumbles):
        stumbles.deal_with("From: x@y.test", "Subject: poison", "Message-ID: <p@y>", "", "Add 3")
        assert [letter.state.value for letter in stumbles.letters()] == ["done", "quarantined", "done"]
        assert "RecursionError" in stumbles.log("quarantine")[0].detail
        assert process_letters(stumbles.desk) == 0


def test_nothing_to_do_is_nothing_done(running):
    before = len(running.journal())
    assert process_letters(running.desk) == 0
    assert len(running.journal()) == before


def test_more_letters_than_fit_in_a_transaction(running, monkeypatch):
    monkeypatch.setattr(arrival_queue, "BATCH", 2)
    for number in range(1, 6):
        running.arrive(running.letter("Altair", f"Add {number}"))
    transactions: list[None] = []
    assert process_letters(running.desk, lambda: transactions.append(None)) == 5
    assert len(transactions) == 3
    assert running.sheet("Altair") == ["Add 5"]
    assert len(running.outbox("acknowledgement")) == 5


def test_what_many_letters_cause_is_not_all_held_in_memory_until_the_end(running, monkeypatch):
    monkeypatch.setattr(mailroom, "_AT_ONCE", 2)
    for number in range(1, 6):
        running.arrive(running.letter("Altair", f"Add {number}"))
    written: list[int] = []

    def note(_connection, _cursor, statement, parameters, _context, is_many):
        if statement.startswith("INSERT INTO outbox"):
            written.append(len(parameters) if is_many else 1)

    event.listen(running.desk.engine, "before_cursor_execute", note)
    assert process_letters(running.desk) == 5
    assert written == [2, 2, 1]


class TestKept:
    """What is left of a letter in the ledger: it may have to be read again, as one that is held or put aside is."""

    def test_a_letter_is_kept_as_it_came(self, running):
        raw = running.letter("Altair", "Add 3")
        running.arrive(raw)
        process_letters(running.desk)
        assert running.letters()[0].raw == raw
