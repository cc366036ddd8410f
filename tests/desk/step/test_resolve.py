"""A step is resolved: reports to all, books kept, dice committed to before and revealed after, the next step opened."""

import hashlib
import json
from datetime import datetime

import pytest

from pbmd.desk.changes import deadline_changes
from pbmd.desk.step.reporting import reports
from pbmd.ledger.tables import GameStatus, Report, StepRecord
from pbmd.rendering.render import course_of
from pbmd.rules.dice import HmacDice, commitment
from pbmd.rules.protocol import Sheet
from pbmd.rules.salts import salts_of
from pbmd.rules.sheets import bound, to_be_used
from tests.desk.due.test_advance import BEGIN, DAY, DEADLINE, HOUR, SECOND, at, eliminate
from tests.desk.world import NAMES, address_of, body_of, message_of, proof_of, text_of


def play_turn(world, **texts):
    for name in NAMES:
        world.send(name, texts.get(name, "ORDERS"))
    world.pass_time(SECOND)


class TestReports:
    """Every seat and the public gets a report, once."""

    def test_every_seat_gets_its_own_and_the_public_one_is_kept(self, running):
        play_turn(running, Altair="Add 3")
        assert [mail.recipient for mail in running.outbox("report")[3:]] == [address_of(name) for name in NAMES]
        kept = [report.reader for report in running.rows(Report, Report.step == 0)]
        assert kept == ["seat:1", "seat:2", "seat:3", "public"]

    def test_orders_used_are_named_even_if_the_seat_was_taken_for_missing_before_they_were_found(self, running):
        running.act(
            "galaxy-7", lambda work, table: deadline_changes.extend(work, table, DAY, "the GM", seat=table.seat("Borealis"))
        )
        at(running, DEADLINE + HOUR)
        assert running.seat("Altair").missed_step == 0
        running.send("Altair", "Add 3", at=DEADLINE - HOUR)
        at(running, DEADLINE + DAY + SECOND)
        report = text_of(running.outbox("report", "Altair")[-1])
        assert "Orders used: receipt" in report
        assert "You sent no orders" not in report

    def test_who_has_no_orders_to_give_is_told_of_no_deadline(self, world):
        world.start("war", ruleset="galactic_overlord", reminders=())
        eliminate(world, "war", "Altair")
        at(world, DEADLINE + SECOND)
        for seat, asked in (("Altair", False), ("Borealis", True)):
            mail = world.outbox("report", seat)[-1]
            html = message_of(mail).get_body(("html",)).get_content()
            assert [("Reply to this mail with" in " ".join(text.split())) for text in (body_of(mail), html)] == [asked, asked]
            assert ("; orders by " in message_of(mail)["Subject"]) == asked

    def test_who_is_out_of_a_game_that_goes_on_is_told_so_and_how_to_end_the_mails(self, world):
        world.start("war", ruleset="galactic_overlord", reminders=())
        eliminate(world, "war", "Altair")
        at(world, DEADLINE + SECOND)
        out = " ".join(body_of(world.outbox("report", "Altair")[-1]).split())
        assert "what happened. You were Altair. YOU You are out of the game." in out
        assert "RESIGN on a line of its own stops them. HOW THE OTHERS STAND" in out
        assert "out of the game" not in body_of(world.outbox("report", "Borealis")[-1])

    def test_what_is_secret_is_in_nobody_elses(self, running):
        play_turn(running, Altair="Add 3")
        for mail in running.outbox("report")[3:]:
            assert ("added Altair 3" in body_of(mail)) == (mail.recipient == address_of("Altair"))
        assert all("added" not in report.text for report in running.rows(Report, Report.reader == "public"))

    def test_it_says_which_orders_were_used(self, running):
        running.send("Altair", "Add 3")
        answer = running.send("Altair", "Add 4")
        receipt = next(line.split()[1].strip(",") for line in answer.splitlines() if line.startswith("Receipt"))
        play = [running.send(name, "ORDERS") for name in NAMES[1:]]
        assert all(play)
        running.pass_time(SECOND)
        report = text_of(running.outbox("report", "Altair")[-1])
        assert f"Orders used: receipt {receipt}, arrived Fri 20 Nov 2026 12:00 UTC." in report

    def test_a_later_mail_that_was_refused_is_not_named_as_the_one_used(self, running):
        running.send("Altair", "Add 3")
        good = running.submissions()[0].number
        running.send("Altair", "nonsense")
        for name in NAMES[1:]:
            running.send(name, "ORDERS")
        running.pass_time(SECOND)
        assert f"Orders used: receipt {good}," in text_of(running.outbox("report", "Altair")[-1])

    def test_with_sending_kept_secret_no_receipt_number_is_told(self, world):
        world.count(who_has_sent="nothing")
        play_turn(world)
        report = text_of(world.outbox("report", "Altair")[-1])
        assert "receipt" not in report.lower()
        assert "Orders used: digest" in report

    def test_a_seat_that_nobody_plays_gets_no_mail_but_its_report_is_kept(self, running):
        running.resign("Cygnus")
        running.send("Altair", "ORDERS")
        running.send("Borealis", "ORDERS")
        running.pass_time(SECOND)
        assert address_of("Cygnus") not in [mail.recipient for mail in running.outbox("report")[3:]]
        assert len(running.rows(Report, Report.step == 0)) == 4

    def test_the_form_in_it_takes_the_next_orders(self, running):
        play_turn(running)
        mail = running.outbox("report", "Altair")[-1]
        report, subject = body_of(mail), message_of(mail)["Subject"]
        form = report[report.index("#orders ") : report.index("#end") + 4].replace("Add", "Add 8")
        running.send("Altair", form, to="games@pbmd.test", subject=f"Re: {subject}")
        assert running.sheet("Altair") == ["Add 8"]

    def test_the_subject_names_game_turn_and_what_it_is(self, running):
        play_turn(running)
        subject = message_of(running.outbox("report", "Altair")[-1])["Subject"]
        assert subject == "[pbmd galaxy-7 t2] Turn 1: what happened; orders by Mon 23 Nov"


class TestDice:
    """Committed to before, revealed after, bound to the sheets in force."""

    @pytest.fixture
    def rolled(self, world):
        world.start(options={"target": 1000, "die": True}, ruleset="count", reminders=())
        world.committed = commitment(world.game().secret)
        world.secret = world.game().secret
        play_turn(world, Altair="Add 3")
        return world

    def test_the_commitment_before_fits_the_secret_after(self, rolled):
        before, after = (proof_of(mail) for mail in rolled.outbox("report", "Borealis"))
        assert rolled.committed in before
        assert rolled.secret.hex() not in before
        assert rolled.secret.hex() in after
        assert commitment(rolled.secret) == rolled.committed

    def test_each_step_has_a_secret_of_its_own(self, rolled):
        assert rolled.game().secret != rolled.secret
        assert commitment(rolled.game().secret) in proof_of(rolled.outbox("report", "Borealis")[-1])
        assert rolled.game().secret.hex() not in "".join(text_of(mail) for mail in rolled.outbox())

    def test_whoever_has_the_salts_can_roll_them_again_from_the_secret_and_the_sheets(self, rolled):
        (record,) = rolled.rows(StepRecord)
        sheets = [Sheet(one["seat"], tuple(one["arrival"]), tuple(one["lines"])) for one in json.loads(record.before)["sheets"]]
        dice = HmacDice(rolled.secret, bound(sheets, salts_of(record.salts, enumerate(NAMES, start=1))))
        assert [[6, dice.roll(6)] for _ in range(3)] == json.loads(record.dice)

    def test_each_player_is_told_the_salt_of_their_own_seat_before_and_nobody_is_told_another(self, rolled):
        (record,) = rolled.rows(StepRecord)
        mails = {name: [text_of(mail) for mail in rolled.outbox("report", name)] for name in NAMES}
        for secret, place in ((record.salts, 0), (rolled.game().salts, 1)):
            salts = {name: salt.hex() for name, salt in salts_of(secret, enumerate(NAMES, start=1))}
            for name, texts in mails.items():
                assert [other for other in NAMES if salts[other] in texts[place]] == [name]
                assert f"known to you alone:\n  {salts[name]}\n" in texts[place]
                assert secret.hex() not in "".join(texts)

    def test_they_are_in_the_file_beside_the_mail_and_in_no_page_that_is_kept(self, rolled):
        salt = salts_of(rolled.game().salts, enumerate(NAMES, start=1))[1][1].hex()
        mail = rolled.outbox("report", "Borealis")[-1]
        assert f"known to you alone:\n  {salt}\n" in proof_of(mail)
        assert salt not in message_of(mail).get_body(("html",)).get_content()
        assert [row for row in rolled.rows(Report) if salt in row.html or salt in row.text] == []

    def test_secret_and_next_commitment_are_in_the_public_journal(self, rolled):
        public = json.loads(rolled.journal("resolved")[0].public)
        assert public["secret"] == rolled.secret.hex()
        assert public["commitment"] == commitment(rolled.game().secret)

    def test_the_secret_of_the_salts_is_promised_when_a_step_opens_and_sealed_when_it_is_over(self, rolled):
        started, resolved = (rolled.journal(kind)[0] for kind in ("started", "resolved"))
        (record,) = rolled.rows(StepRecord)
        assert json.loads(started.public)["salts_commitment"] == commitment(record.salts)
        assert json.loads(resolved.public)["salts_commitment"] == commitment(rolled.game().salts)
        assert json.loads(resolved.secret)["salts"] == record.salts.hex()
        assert [entry for entry in rolled.journal() if record.salts.hex() in entry.public] == []
        assert [entry for entry in rolled.journal() if rolled.game().salts.hex() in entry.secret] == []

    def test_dice_and_position_are_only_in_the_sealed_part(self, rolled):
        assert "dice" not in json.loads(rolled.journal("resolved")[0].public)
        assert "dice" in json.loads(rolled.journal("resolved")[0].secret)


class TestBooks:
    """All that is needed to resolve the step again is kept."""

    def test_the_position_before_and_after_are_kept(self, running):
        play_turn(running, Altair="Add 3")
        (record,) = running.rows(StepRecord)
        assert (record.step, record.turn, record.cause) == (0, 1, "all orders were in")
        assert [sheet["lines"] for sheet in json.loads(record.before)["sheets"]] == [["Add 3"], [], []]
        assert json.loads(record.after) == running.position()

    def test_resolving_the_kept_position_again_gives_the_same(self, running):
        play_turn(running, Altair="Add 3", Borealis="Add 4")
        (record,) = running.rows(StepRecord)
        rules = running.desk.ruleset("count")
        before = rules.load(json.loads(record.before))
        salts = salts_of(record.salts, enumerate(NAMES, start=1))
        words = json.loads(record.words)
        again = rules.resolve(before, HmacDice(record.secret, bound(to_be_used(rules, before), salts, words=words)))
        assert rules.dump(again.position) == json.loads(record.after)

    def test_the_sealed_journal_has_the_digest_of_the_new_position(self, running):
        play_turn(running)
        canonical = json.dumps(running.position(), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        assert json.loads(running.journal("resolved")[0].secret)["position"] == hashlib.sha256(canonical.encode()).hexdigest()

    def test_the_deadline_of_each_seat_is_kept(self, running):
        running.act(
            "galaxy-7", lambda work, table: deadline_changes.extend(work, table, DAY, "the GM", seat=table.seat("Borealis"))
        )
        play_turn(running)
        (record,) = running.rows(StepRecord)
        kept = {number: datetime.fromisoformat(at) for number, at in json.loads(record.deadlines).items()}
        assert kept == {"1": DEADLINE, "2": DEADLINE + DAY, "3": DEADLINE}

    def test_the_last_orders_of_a_seat_were_used_and_those_before_replaced(self, running):
        running.send("Altair", "Add 1")
        running.send("Altair", "Add 2")
        running.send("Altair", "nonsense")
        running.send("Borealis", "Add 3\nCANCEL ORDERS")
        at(running, DEADLINE + SECOND)
        assert [one.state.value for one in running.submissions()] == ["replaced", "used", "refused", "cancelled"]

    def test_orders_of_another_turn_are_not_touched(self, running):
        play_turn(running)
        running.send("Altair", "Add 1")
        assert [one.state.value for one in running.submissions()] == ["used"] * 3 + ["filed"]

    def test_the_log_has_the_resolution_under_the_turn_that_was_resolved(self, running):
        play_turn(running)
        (line,) = running.log("resolved")
        assert line.turn == "t1"
        assert "all orders were in; next deadline Mon 23 Nov 2026 12:00 UTC" in line.detail

    def test_a_step_closed_by_its_deadline_says_so(self, running):
        at(running, DEADLINE + SECOND)
        assert running.rows(StepRecord)[0].cause == "the deadline passed"


class TestNextStep:
    """The next deadline is by the rule, and what was for one step is over."""

    def test_an_interval_counts_from_the_resolution(self, running):
        running.now += DAY
        play_turn(running)
        assert running.game().deadline == running.now + 3 * DAY
        assert running.game().opened_at == running.now

    def test_by_the_calendar_an_early_resolution_leaves_no_less_time_than_promised(self, world):
        world.count(deadline="every Friday 20:00 UTC")
        first = BEGIN + 7 * DAY + 8 * HOUR
        assert world.game().deadline == first, "eight hours would be less than a week"
        play_turn(world)
        assert world.game().deadline == first
        world.now += 2 * DAY
        play_turn(world)
        assert world.game().deadline == first + 7 * DAY

    def test_by_the_calendar_a_downtime_skips_deadlines_that_have_passed(self, world):
        world.count(deadline="every Friday 20:00 UTC")
        at(world, BEGIN + 17 * DAY)
        assert world.game().deadline == BEGIN + 21 * DAY + 8 * HOUR

    def test_extensions_of_one_seat_are_for_one_step(self, running):
        with running.changed("Altair") as seat:
            seat.deadline = DEADLINE + DAY
        at(running, DEADLINE + DAY + SECOND)
        assert running.seat("Altair").deadline is None


class TestEnd:
    """A finished game."""

    @pytest.fixture
    def finished(self, world):
        world.count(target=5)
        play_turn(world, Altair="Add 9")
        return world

    def test_it_is_over_and_nothing_is_due(self, finished):
        game = finished.game()
        assert (game.status, game.deadline, game.due_at, game.secret) == (GameStatus.FINISHED, None, None, b"")
        assert at(finished, DEADLINE + 30 * DAY) == 0

    def test_everybody_learns_how_it_ended_and_gets_no_form(self, finished):
        for mail in finished.outbox("report")[3:]:
            text = body_of(mail)
            assert "the target was reached. Winner: Altair." in text
            assert "ORDER FORM" not in text
            assert "are due" not in text
            assert "the game is over" in message_of(mail)["Subject"]
            assert "WHAT COMES NOW" in text
            assert "Thank you for playing." in text

    def test_the_last_report_shows_how_it_went_if_something_was_counted(self, world, monkeypatch):
        counted = {"Sum": {"Altair": 3, "Borealis": 9, "Cygnus": 0}}
        world.count(target=5)
        monkeypatch.setattr(reports, "course_of", lambda told: course_of([(when, counted) for when, _ in told]))
        play_turn(world, Altair="Add 9")
        last = world.outbox("report")[-1]
        assert "HOW IT WENT\n  Sum      start    t1\n  Borealis     9     9\n  Altair       3     3\n" in body_of(last)
        assert not any("How it went" in row.html for row in world.rows(Report))

    def test_a_row_of_long_ago_that_cannot_be_read_does_not_keep_it_from_ending(self, world, caplog):
        world.count(target=5)
        play_turn(world)
        with world.desk.engine.begin() as ledger:
            ledger.exec_driver_sql("UPDATE steprecord SET after = 'torn' WHERE step = 0")
        play_turn(world, Altair="Add 9")
        assert world.game().status is GameStatus.FINISHED
        assert len(world.outbox("report")) == 9
        assert "how galaxy-7 went is told without t1" in caplog.text

    def test_winners_are_in_log_and_journal(self, finished):
        assert json.loads(finished.journal("finished")[0].public) == {"reason": "the target was reached", "winners": ["Altair"]}
        assert finished.log("finished")[0].detail == "the target was reached. Winner: Altair."

    def test_questions_are_still_answered(self, finished):
        assert "finished" in finished.send("Altair", "STATUS")
        assert "added Altair 9" in finished.send("Altair", "REPORT 1")

    @pytest.mark.parametrize(
        "command",
        ["CANCEL ORDERS", "WAIT", "READY", "EXTEND 2h", "EXTEND 99h", "RESIGN", "NEW TOKEN", "ADDRESS a@b.test"],
    )
    def test_commands_that_would_change_it_are_refused(self, finished, command):
        before = (finished.game().model_dump(), finished.seat("Altair").model_dump(), len(finished.outbox("alarm")))
        assert "over" in finished.send("Altair", command)
        assert (finished.game().model_dump(), finished.seat("Altair").model_dump(), len(finished.outbox("alarm"))) == before
