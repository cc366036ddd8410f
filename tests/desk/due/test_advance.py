"""The clock: deadlines close on evidence, early resolution, waiting, grace, deadlines per seat."""

import json
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlmodel import col, update

from pbmd.desk.changes import deadline_changes, pauses
from pbmd.desk.due import advance
from pbmd.desk.due.advance import advance_games, due_games
from pbmd.desk.mailroom import process_letters
from pbmd.ledger.tables import Game, GameStatus, LetterState, Mailbox
from pbmd.rules.protocol import Refused
from tests.desk.world import ADDRESS, BEGIN, NAMES, address_of, body_of

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
SECOND = timedelta(seconds=1)
DEADLINE = BEGIN + 3 * DAY


def all_send(world, *seats):
    for seat in seats or NAMES:
        world.send(seat, "Add 1")


def at(world, when, *, reading=True):
    """It is that time: gives the number of steps resolved."""
    return world.pass_time(when - world.now, reading=reading)


def eliminate(world, game, name):
    """The faction of that name is out of its game of Galactic Overlord: it has nothing left."""
    with world.work() as work:
        table = work.table_named(game)
        document = json.loads(json.dumps(table.ruleset.dump(table.position)))
        player = next(player for player in document["players"] if player["name"] == name)
        player.update(alive=False, ships=[], bp=0, generators=0, spies=0, counter_espionage=0)
        document["bases"] = [base for base in document["bases"] if base["owner"] != name]
        work.move(table, table.ruleset.load(document))


class TestEvidence:
    """A deadline closes only after the mailbox was read successfully after the deadline."""

    def test_nothing_is_resolved_before_the_deadline(self, running):
        assert at(running, DEADLINE - SECOND) == 0
        assert running.game().turn == 1

    def test_the_step_is_resolved_after_the_deadline(self, running):
        assert at(running, DEADLINE + SECOND) == 1
        assert running.game().turn == 2

    def test_without_a_reading_of_the_mailbox_nothing_is_resolved_however_late_it_is(self, running):
        assert at(running, DEADLINE + 9 * DAY, reading=False) == 0
        assert running.log("nmr") == []

    def test_a_reading_before_the_deadline_is_no_evidence(self, running):
        at(running, DEADLINE - SECOND)
        assert at(running, DEADLINE + HOUR, reading=False) == 0
        assert at(running, DEADLINE + HOUR) == 1

    def test_a_reading_within_the_deadlines_own_second_is_no_evidence(self, running):
        # A letter may still arrive in that second, and its stamp is then that of the deadline: in time.
        assert at(running, DEADLINE + timedelta(milliseconds=900)) == 0
        running.arrive(running.letter("Altair", "Add 7"), DEADLINE)
        assert at(running, DEADLINE + SECOND) == 1
        assert [line.seat for line in running.log("nmr")] == ["Borealis", "Cygnus"]

    def test_a_letter_that_was_not_dealt_with_yet_holds_the_step(self, running):
        at(running, DEADLINE - SECOND)
        running.now = DEADLINE + HOUR
        running.read_mailbox()
        running.arrive(running.letter("Altair", "Add 7"), DEADLINE - MINUTE)
        assert advance_games(running.desk) == 0
        process_letters(running.desk)
        assert advance_games(running.desk) == 1

    def test_a_letter_that_arrived_in_time_while_pbmd_was_down_counts(self, running):
        running.now = DEADLINE + 5 * HOUR
        running.arrive(running.letter("Altair", "Add 7"), DEADLINE - MINUTE)
        running.arrive(running.letter("Borealis", "Add 8"), DEADLINE + MINUTE)
        assert at(running, running.now) == 1
        assert [line.seat for line in running.log("nmr")] == ["Borealis", "Cygnus"]
        assert running.position()["players"][0]["score"] == 7

    def test_after_a_long_downtime_only_one_step_is_resolved_and_the_next_gets_its_full_time(self, running):
        assert at(running, DEADLINE + 30 * DAY) == 1
        assert at(running, running.now) == 0
        assert running.game().deadline == running.now + 3 * DAY

    def test_only_the_mailbox_of_the_settings_gives_evidence(self, running):
        with running.work() as work:
            work.session.add(Mailbox(name="old@elsewhere/INBOX", read_through=DEADLINE - 9 * DAY))
        assert at(running, DEADLINE + HOUR) == 1

    def test_another_mailbox_cannot_stand_in_for_one_that_was_never_read(self, running):
        with running.work() as work:
            work.session.add(Mailbox(name="old@elsewhere/INBOX", read_through=DEADLINE + DAY))
        assert at(running, DEADLINE + HOUR, reading=False) == 0

    def test_a_clock_that_ran_ahead_leaves_no_evidence_for_a_time_to_come(self, running):
        running.now = DEADLINE + 300 * DAY
        running.read_mailbox()
        running.now = DEADLINE - DAY
        assert advance_games(running.desk) == 0
        assert at(running, DEADLINE - DAY) == 0

    def test_the_mailbox_must_be_read_anew_after_a_clock_that_ran_ahead(self, running):
        running.now = DEADLINE + DAY
        running.read_mailbox()
        running.now = DEADLINE - HOUR
        assert at(running, DEADLINE + SECOND, reading=False) == 0
        assert at(running, DEADLINE + 2 * SECOND) == 1

    def test_a_quarantined_letter_does_not_hold_the_step_for_ever(self, running, monkeypatch):
        def breaks(*_):
            raise ZeroDivisionError

        with monkeypatch.context() as patch:
            patch.setattr("pbmd.desk.letter.opening.identify", breaks)
            running.send("Deneb", "Add 3", to=ADDRESS)
        assert running.letters()[0].state is LetterState.QUARANTINED
        assert at(running, DEADLINE + SECOND) == 1


class TestServersClock:
    """The mail server's clock may be behind ours, so there is evidence only when as much time is over."""

    @pytest.fixture
    def tolerant(self, running):
        settings = running.desk.settings
        imap = settings.imap.model_copy(update={"clock_tolerance_seconds": 10})
        running.desk = replace(running.desk, settings=settings.model_copy(update={"imap": imap}))
        return running

    def test_a_step_closes_by_its_deadline_when_the_tolerance_is_over(self, tolerant):
        assert at(tolerant, DEADLINE + 10 * SECOND) == 0
        assert at(tolerant, DEADLINE + 11 * SECOND) == 1

    def test_so_it_does_when_all_have_sent(self, tolerant):
        all_send(tolerant)
        assert at(tolerant, BEGIN + 10 * SECOND) == 0
        assert at(tolerant, BEGIN + 11 * SECOND) == 1

    def test_a_letter_that_the_server_stamps_before_the_deadline_counts_though_it_comes_after_it(self, tolerant):
        at(tolerant, DEADLINE + 5 * SECOND)
        tolerant.arrive(tolerant.letter("Altair", "Add 7"), DEADLINE - SECOND)
        at(tolerant, DEADLINE + 11 * SECOND)
        assert [line.seat for line in tolerant.log("nmr")] == ["Borealis", "Cygnus"]

    def test_the_clock_does_not_look_before_there_can_be_evidence(self, tolerant):
        tolerant.send("Altair", "ORDERS")
        assert tolerant.game().due_at == DEADLINE + 10 * SECOND


class TestGrace:
    """Orders still count for a while after the deadline."""

    def test_the_step_stays_open_until_the_grace_is_over(self, world):
        world.count(grace="2h")
        assert at(world, DEADLINE + 2 * HOUR) == 0
        assert at(world, DEADLINE + 2 * HOUR + SECOND) == 1

    def test_the_deadline_told_is_without_the_grace(self, world):
        world.count(grace="2h")
        assert world.game().deadline == DEADLINE
        assert "Mon 23 Nov 2026 12:00 UTC" in world.send("Altair", "Add 1")


class TestEarly:
    """A step is resolved when nobody is awaited any more."""

    def test_it_is_over_as_soon_as_all_have_sent(self, running):
        all_send(running, "Altair", "Borealis")
        assert at(running, BEGIN + HOUR) == 0
        running.send("Cygnus", "Add 1")
        assert at(running, BEGIN + HOUR + SECOND) == 1
        assert running.game().turn == 2
        assert running.log("nmr") == []

    def test_not_in_a_game_that_keeps_to_its_deadlines(self, world):
        world.count(early=False)
        all_send(world)
        assert at(world, DEADLINE) == 0
        assert at(world, DEADLINE + SECOND) == 1

    def test_the_minimum_time_is_kept(self, world):
        world.count(minimum_time="24h")
        all_send(world)
        assert at(world, BEGIN + DAY) == 0
        assert at(world, BEGIN + DAY + SECOND) == 1

    def test_second_thoughts_have_their_time_after_the_last_orders(self, world):
        world.count(second_thought="30m")
        all_send(world, "Altair", "Borealis")
        world.now += HOUR
        all_send(world, "Cygnus")
        assert at(world, BEGIN + HOUR + 30 * MINUTE) == 0
        world.send("Altair", "Add 2", at=BEGIN + HOUR + 30 * MINUTE)
        assert at(world, BEGIN + HOUR + 31 * MINUTE) == 0, "a replacement is a last order too"
        assert at(world, BEGIN + HOUR + 60 * MINUTE + SECOND) == 1
        assert world.position()["players"][0]["score"] == 2

    @pytest.mark.parametrize("terms", [{"second_thought": "6h"}, {"minimum_time": "100h"}])
    def test_neither_outlasts_the_deadline(self, world, terms):
        world.count(**terms)
        world.now = DEADLINE - MINUTE
        all_send(world)
        assert at(world, DEADLINE) == 0
        assert at(world, DEADLINE + SECOND) == 1

    def test_a_wait_holds_it_until_the_deadline(self, running):
        running.send("Altair", "WAIT")
        all_send(running)
        assert at(running, DEADLINE) == 0
        assert at(running, DEADLINE + SECOND) == 1

    def test_ready_takes_the_wait_back(self, running):
        running.send("Altair", "WAIT")
        all_send(running)
        assert at(running, BEGIN + HOUR) == 0
        running.send("Altair", "READY")
        assert at(running, BEGIN + HOUR + SECOND) == 1

    def test_a_wait_is_for_one_turn(self, running):
        running.send("Altair", "WAIT")
        at(running, DEADLINE + SECOND)
        all_send(running)
        assert at(running, running.now + SECOND) == 1

    def test_a_wait_of_one_who_has_resigned_holds_nothing(self, running):
        running.send("Altair", "WAIT")
        running.resign("Altair")
        all_send(running, "Borealis", "Cygnus")
        assert at(running, BEGIN + HOUR) == 1

    def test_who_has_cancelled_is_awaited_again(self, running):
        all_send(running, "Altair", "Borealis")
        running.send("Altair", "CANCEL ORDERS")
        running.send("Cygnus", "Add 1")
        assert at(running, BEGIN + HOUR) == 0

    @pytest.mark.parametrize("text", ["CANCEL ORDERS", "WAIT", "Add 9", "EXTEND 12h", "RESIGN"])
    def test_what_comes_after_the_last_orders_comes_after_the_turn(self, running, text):
        report = running.outbox("report", "Altair")[0]
        all_send(running)
        assert running.reply(report, text) == ""
        assert at(running, BEGIN + HOUR) == 1
        assert [player["score"] for player in running.position()["players"]] == [1, 1, 1]
        process_letters(running.desk)
        assert running.letters()[-1].state is LetterState.DONE
        assert [player["score"] for player in running.position()["players"]] == [1, 1, 1]
        assert (running.sheet("Altair"), running.seat("Altair").waits) == (None, False)

    def test_nobody_waits_for_one_who_has_resigned(self, running):
        running.resign("Cygnus")
        all_send(running, "Altair", "Borealis")
        assert at(running, BEGIN + HOUR) == 1

    def test_one_who_has_resigned_misses_the_turn_with_the_last_orders_and_not_when_others_are_reminded(self, world):
        world.count(reminders=("24h",))
        world.resign("Cygnus")
        at(world, DEADLINE - 23 * HOUR)
        assert [mail.recipient for mail in world.outbox("reminder")] == [address_of("Altair"), address_of("Borealis")]
        all_send(world, "Altair", "Borealis")
        assert at(world, world.now + SECOND) == 1
        assert [entry.kind for entry in world.journal()][-4:] == ["orders", "orders", "missed", "resolved"]

    def test_a_game_that_nobody_plays_any_more_keeps_to_its_deadlines(self, running):
        for seat in NAMES:
            running.resign(seat)
        assert at(running, BEGIN + HOUR) == 0
        assert at(running, DEADLINE + SECOND) == 1
        assert at(running, DEADLINE + HOUR) == 0


class TestSeatsOwnDeadlines:
    """A deadline may be one seat's own."""

    def extended(self, world, hours=24, **terms):
        world.count(**terms)
        with world.work() as work:
            table = work.table_named("galaxy-7")
            deadline_changes.extend(work, table, timedelta(hours=hours), "the GM", seat=table.seat("Altair"))
        return world

    def test_the_others_miss_theirs_at_the_games_deadline(self, world):
        self.extended(world)
        assert at(world, DEADLINE + SECOND) == 0
        assert [line.seat for line in world.log("nmr")] == ["Borealis", "Cygnus"]
        assert at(world, DEADLINE + DAY + SECOND) == 1
        assert [line.seat for line in world.log("nmr")] == ["Borealis", "Cygnus", "Altair"]

    def test_the_seat_may_send_until_its_own(self, world):
        self.extended(world)
        at(world, DEADLINE + HOUR)
        assert "are in" in world.send("Altair", "Add 4")
        assert at(world, DEADLINE + 2 * HOUR) == 1
        assert world.position()["players"][0]["score"] == 4

    def test_without_early_resolution_the_seat_may_change_its_mind_until_its_own(self, world):
        self.extended(world, early=False)
        world.send("Altair", "Add 4")
        assert at(world, DEADLINE + SECOND) == 0
        assert "are in" in world.send("Altair", "Add 5")
        assert at(world, DEADLINE + DAY + SECOND) == 1
        assert world.position()["players"][0]["score"] == 5

    def test_who_has_missed_it_gets_no_extension(self, world):
        self.extended(world)
        at(world, DEADLINE + SECOND)
        mails = len(world.outbox("notice"))
        with world.work() as work:
            table = work.table_named("galaxy-7")
            with pytest.raises(Refused, match="Borealis has missed the deadline of turn 1 already"):
                deadline_changes.extend(work, table, DAY, "the GM", seat=table.seat("Borealis"))
        assert world.seat("Borealis").deadline is None
        assert len(world.outbox("notice")) == mails

    def test_an_extension_for_all_is_not_for_those_who_have_missed_it(self, world):
        self.extended(world)
        at(world, DEADLINE + SECOND)
        mails = len(world.outbox("notice"))
        assert "12 h later" in world.send("Altair", "EXTEND 12h")
        assert [mail.recipient for mail in world.outbox("notice")[mails:]] == [address_of("Altair")]
        assert "1 h too late" in (at(world, DEADLINE + HOUR), world.send("Borealis", "Add 1"))[1]
        assert at(world, DEADLINE + 36 * HOUR) == 0
        assert at(world, DEADLINE + 36 * HOUR + SECOND) == 1

    def test_others_deadline_that_passed_without_evidence_stays_due(self, world):
        self.extended(world)
        assert at(world, DEADLINE + SECOND, reading=False) == 0
        assert world.game().due_at <= world.now
        at(world, DEADLINE + HOUR)
        assert len(world.log("nmr")) == 2


class TestEliminated:
    """Whoever the rules no longer await holds up nobody."""

    @pytest.fixture
    def war(self, world):
        world.start("war", ruleset="galactic_overlord", reminders=())
        eliminate(world, "war", "Altair")
        return world

    def test_its_wait_from_before_does_not_hold_the_turn(self, war):
        with war.changed("Altair") as seat:
            seat.waits = True
        for seat in NAMES[1:]:
            war.send(seat, "ORDERS", game="war")
        assert at(war, BEGIN + SECOND) == 1

    def test_its_own_deadline_does_not_hold_the_turn(self, world):
        world.start("war", ruleset="galactic_overlord", reminders=(), early=False)
        eliminate(world, "war", "Altair")
        with world.changed("Altair") as seat:
            seat.deadline = DEADLINE + DAY
        for seat in NAMES[1:]:
            world.send(seat, "ORDERS", game="war")
        assert at(world, DEADLINE + SECOND) == 1

    @pytest.mark.parametrize("command", ["WAIT", "READY", "EXTEND 12h", "EXTEND 99h"])
    def test_its_wishes_about_the_clock_are_refused(self, war, command):
        answer = " ".join(war.send("Altair", command, game="war").split())
        assert "turn 1 does not wait for orders of yours" in answer
        assert (war.game("war").deadline, war.seat("Altair").waits, war.outbox("alarm")) == (DEADLINE, False, [])

    def test_whoever_has_sent_may_still_wait(self, war):
        war.send("Cygnus", "ORDERS", game="war")
        assert "Noted: this turn will wait" in war.send("Cygnus", "WAIT", game="war")
        war.send("Borealis", "ORDERS", game="war")
        assert at(war, BEGIN + HOUR) == 0


class TestMissed:
    """NMR carries its cause and stands in report, log and journal."""

    @pytest.mark.parametrize(
        ("texts", "cause", "told"),
        [
            ([], "no mail with orders arrived", ""),
            (["STATUS"], "no mail with orders arrived", ""),
            (
                ["nonsense"],
                "only mail whose orders could not be taken arrived (receipt ",
                " (A mail of yours came, but none of its orders could be taken: receipt ",
            ),
            (
                ["ORDERS FOR TURN 3\nAdd 3"],
                "only mail with orders for another turn arrived (receipt ",
                " (A mail of yours came, but its orders were for another turn: receipt ",
            ),
            (
                ["Add 3", "CANCEL ORDERS"],
                "orders were cancelled (receipt ",
                " (You cancelled those that you had sent: receipt ",
            ),
        ],
    )
    def test_the_cause_is_what_happened(self, running, texts, cause, told):
        for words in texts:
            running.send("Altair", words)
        all_send(running, "Borealis", "Cygnus")
        assert at(running, DEADLINE + SECOND) == 1
        (line,) = running.log("nmr")
        assert (line.seat, line.turn) == ("Altair", "t1")
        assert cause in line.detail
        (entry,) = running.journal("missed")
        assert cause in entry.secret
        report = body_of(running.outbox("report", "Altair")[-1])
        assert f"YOU You sent no orders for turn 1.{told}" in " ".join(report.split())

    def test_late_orders_that_came_while_the_clock_stood_are_a_cause_of_their_own(self, running):
        running.now = DEADLINE + MINUTE
        running.act("galaxy-7", pauses.pause)
        running.now = DEADLINE + timedelta(minutes=3, seconds=12)
        running.send("Altair", "Add 3")
        running.act("galaxy-7", pauses.resume)
        at(running, running.now + HOUR)
        line = next(line for line in running.log("nmr") if line.seat == "Altair")
        # The clock has stood for two of these minutes.
        assert "orders arrived late by 1 min (receipt " in line.detail

    @pytest.mark.parametrize("texts", [["nonsense"], ["Add 3", "CANCEL ORDERS"]])
    def test_with_sending_kept_secret_no_receipt_number_is_in_it(self, world, texts):
        world.count(who_has_sent="nothing", reminders=("24h",))
        for words in texts:
            world.send("Altair", words)
        at(world, DEADLINE - DAY)
        at(world, DEADLINE + SECOND)
        for kind in ("reminder", "report"):
            assert "receipt" not in body_of(world.outbox(kind, "Altair")[-1]).lower()

    def test_the_rules_are_told(self, running):
        at(running, DEADLINE + SECOND)
        assert "missed Altair" in body_of(running.outbox("report", "Borealis")[-1])

    def test_the_receipt_of_good_orders_is_no_cause(self, running):
        all_send(running)
        at(running, DEADLINE + SECOND)
        assert running.log("nmr") == []
        assert "You sent no orders" not in body_of(running.outbox("report", "Altair")[-1])


class TestDue:
    """What is due is found by its time, with an index over running games only."""

    def test_a_game_is_due_at_its_deadline(self, running):
        assert running.game().due_at == DEADLINE
        assert due_games(running.desk) == []
        running.now = DEADLINE
        assert due_games(running.desk) == []
        running.read_mailbox()
        assert due_games(running.desk) == [(DEADLINE, 1, "count")]

    def test_a_game_is_due_at_once_when_all_have_sent(self, running):
        all_send(running)
        assert running.game().due_at <= running.now

    def test_paused_and_finished_games_are_never_due(self, world):
        world.count(target=1)
        world.count("paused")
        world.act("paused", pauses.pause)
        all_send(world)
        world.pass_time(4 * DAY)
        assert [world.game(name).due_at for name in ("galaxy-7", "paused")] == [None, None]
        assert world.game().status is GameStatus.FINISHED

    def test_the_most_overdue_game_comes_first(self, world):
        world.count("slow", deadline="72h")
        world.count("fast", deadline="24h")
        world.now += 9 * DAY
        world.read_mailbox()
        assert [game.id for game in due_games(world.desk)] == [2, 1]

    def test_none_is_looked_at_as_long_as_nothing_can_be_known_of_what_it_is_due_for(self, running):
        running.read_mailbox()
        running.now = DEADLINE + DAY
        assert due_games(running.desk) == []

    def test_none_is_looked_at_in_vain_because_of_a_letter_that_nobody_has_looked_at(self, running):
        letters = [running.letter(seat, "Add 1") for seat in ("Altair", "Borealis")]
        running.arrive(letters[0], DEADLINE - timedelta(minutes=1))
        running.now = DEADLINE + DAY
        running.read_mailbox()
        assert due_games(running.desk) == []
        process_letters(running.desk)
        running.arrive(letters[1], DEADLINE + timedelta(minutes=1))
        assert [game.id for game in due_games(running.desk)] == [1]
        assert advance_games(running.desk) == 1

    def test_all_have_their_turn_however_many_there_are(self, world, monkeypatch):
        monkeypatch.setattr(advance, "_DUE", advance._DUE.limit(2))
        for number in range(5):
            world.count(f"game-{number}")
        world.now += 4 * DAY
        world.read_mailbox()
        assert advance_games(world.desk) == 5

    def test_the_rest_is_left_for_the_next_time_when_letters_wait(self, world):
        for number in range(3):
            world.count(f"game-{number}")
        world.now += 4 * DAY
        world.read_mailbox()
        assert [advance_games(world.desk, lambda: True) for _ in range(4)] == [1, 1, 1, 0]


class TestTrouble:
    """A game whose resolution fails is put aside, and no other game waits for it."""

    @pytest.fixture
    def broken(self, world):
        world.start("broken", options={"crash_turn": 1, "target": 1000, "die": False}, ruleset="count", reminders=())
        world.count("sound", deadline="73h")
        assert at(world, DEADLINE + 2 * HOUR) == 1
        return world

    def test_the_other_game_goes_on(self, broken):
        assert broken.game("sound").turn == 2

    def test_it_is_paused_and_otherwise_as_it_was(self, broken):
        game = broken.game("broken")
        assert (game.status, game.turn, game.step) == (GameStatus.PAUSED, 1, 0)
        assert broken.position("broken")["missed"] == []

    def test_log_and_game_master_are_told_what_failed_where(self, broken):
        (line,) = broken.log("defect")
        (mail,) = broken.outbox("alarm")
        assert line.game == "broken"
        for told in (line.detail, body_of(mail)):
            assert "ZeroDivisionError" in told
            assert "asked to fail" not in told, "the exception's words may tell secrets"

    def test_it_is_told_once(self, broken):
        at(broken, broken.now + DAY)
        assert len(broken.log("defect")) == 1

    def test_so_is_a_game_whose_position_cannot_be_read(self, world):
        world.count("damaged")
        world.count("sound")
        with world.work() as work:
            work.session.exec(update(Game).where(col(Game.name) == "damaged").values(position="{}", digests="{}"))
        assert at(world, DEADLINE + 2 * HOUR) == 1
        assert world.game("damaged").status is GameStatus.PAUSED
        assert world.game("sound").turn == 2

    def test_it_goes_on_when_the_game_master_says_so(self, broken):
        with broken.work() as work:
            table = work.table_named("broken")
            work.move(table, table.ruleset.load(table.ruleset.dump(table.position) | {"options": {"target": 1000}}))
            pauses.resume(work, table)
        assert at(broken, broken.now + SECOND) == 1
        assert broken.game("broken").turn == 2
