"""Rollback: a turn is played again, nothing is lost, everybody is told, and no roll is repeated."""

import json
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlmodel import Session, col

from pbmd.archive.format.plan import plan_export
from pbmd.archive.write.export import write_archive
from pbmd.desk.changes import pauses
from pbmd.desk.changes.gm import eject
from pbmd.desk.changes.options import set_option
from pbmd.desk.changes.rollback import roll_back
from pbmd.ledger.journal import Link, verify
from pbmd.ledger.tables import GameStatus, JournalEntry, Report, SeatState, StepRecord, Submission, SubmissionState
from pbmd.post.blank import Blanker
from pbmd.rendering.render import report_text
from pbmd.rules import seat_reader
from pbmd.rules.dice import commitment
from pbmd.rules.protocol import Refused
from tests.desk.world import NAMES, address_of, body_of, last_proof, text_of
from tests.rulesets.cosmic_conquest.desk import conquest

HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def play(world, *numbers):
    """A turn in which the seats add these numbers."""
    for seat, number in zip(NAMES, numbers, strict=False):
        world.send(seat, f"Add {number}")
    assert world.pass_time(4 * DAY) == 1


def back(world, turn, reason=""):
    world.now += HOUR
    return world.act("galaxy-7", roll_back, turn, reason)


def scores(world):
    return [player["score"] for player in world.position()["players"]]


def told(world, seat):
    return " ".join(body_of(world.outbox("notice", seat)[-1]).split())


@pytest.fixture
def played(running):
    """Three turns of Count are over."""

    def three_turns():
        for numbers in ((1, 2, 3), (4, 5, 6), (7, 8, 9)):
            play(running, *numbers)

    running.as_ever("three turns of Count", three_turns)
    return running


class TestWhereItGoes:
    def test_the_game_stands_as_when_the_turn_began(self, played):
        back(played, 2)
        game = played.game()
        assert (scores(played), game.turn, game.status) == ([1, 2, 3], 2, GameStatus.RUNNING)
        assert (game.deadline, game.opened_at) == (played.now + 3 * DAY, played.now)

    def test_also_to_its_beginning(self, played):
        back(played, 1)
        assert (scores(played), played.game().turn) == ([0, 0, 0], 1)

    def test_and_again_after_that(self, played):
        back(played, 2)
        played.pass_time(4 * DAY)
        assert scores(played) == [5, 7, 9]
        back(played, 1)
        assert (scores(played), played.game().turn) == ([0, 0, 0], 1)
        played.pass_time(4 * DAY)
        assert (scores(played), played.game().turn) == ([1, 2, 3], 2)

    def test_a_finished_game_goes_on(self, world):
        world.count(target=10)
        play(world, 9, 1, 1)
        play(world, 9, 1, 1)
        assert world.game().status is GameStatus.FINISHED
        back(world, 2)
        assert (world.game().status, scores(world)) == (GameStatus.RUNNING, [9, 1, 1])

    def test_a_paused_game_stays_paused(self, played):
        played.act("galaxy-7", pauses.pause)
        back(played, 3)
        assert played.game().status is GameStatus.PAUSED
        played.now += HOUR
        played.act("galaxy-7", pauses.resume)
        assert played.game().deadline == played.now + 3 * DAY

    @pytest.mark.parametrize("turn", [0, 4, 9])
    def test_only_to_a_turn_that_is_resolved(self, played, turn):
        before = played.game().model_dump()
        with pytest.raises(Refused, match=f"turn {turn} of galaxy-7 is not resolved.*; of its turns 1 to 3 are"):
            back(played, turn)
        assert played.game().model_dump() == before

    def test_not_to_one_that_was_taken_back_already(self, played):
        back(played, 2)
        with pytest.raises(Refused, match="of its turns 1 to 1 are"):
            back(played, 2)

    def test_not_before_it_begins(self, world):
        world.open("galaxy-7", "Altair")
        with pytest.raises(Refused, match="galaxy-7 has not begun"):
            back(world, 1)

    def test_options_that_were_changed_since_stay_as_they_are(self, played):
        played.act("galaxy-7", set_option, "target", "77")
        back(played, 1)
        assert played.position()["options"]["target"] == 77

    def test_who_was_ejected_since_stays_out(self, played):
        with played.work() as work:
            table = work.table_named("galaxy-7")
            eject(work, table, table.seat("Cygnus"))
        back(played, 1)
        assert played.seat("Cygnus").state is SeatState.RESIGNED
        assert [sheet["seat"] for sheet in played.position()["sheets"]] == ["Altair", "Borealis"]
        assert played.pass_time(4 * DAY) == 1


class TestNothingIsLost:
    def test_what_was_resolved_stays_in_the_records(self, played):
        before = [record.model_dump(exclude={"rolled_back"}) for record in played.rows(StepRecord)]
        reports = len(played.rows(Report))
        back(played, 2)
        after = played.rows(StepRecord)
        assert [record.model_dump(exclude={"rolled_back"}) for record in after] == before
        entry = played.journal("rolled-back")[-1].number
        assert [record.rolled_back for record in after] == [0, entry, entry]
        assert len(played.rows(Report)) == reports

    def test_the_chain_goes_on_and_receipts_prove_what_they_proved(self, played):
        before = [(entry.number, entry.hash) for entry in played.rows(JournalEntry)]
        back(played, 2)
        links = [
            Link(entry.number, entry.at, entry.kind, entry.public, entry.secret, entry.salt, entry.hash)
            for entry in played.rows(JournalEntry)
        ]
        assert [(link.number, link.hash) for link in links[: len(before)]] == before
        assert verify(links) == played.game().chain_head

    def test_the_entry_names_where_the_branch_begins(self, played):
        back(played, 2)
        public = json.loads(played.journal("rolled-back")[-1].public)
        parent = played.journal("resolved")[0]
        assert public["parent"] == {"number": parent.number, "hash": parent.hash}
        assert (public["turn"], public["to"], public["step"], public["taken_back"]) == (4, 2, 4, [1, 2])

    def test_steps_are_numbered_on(self, played):
        back(played, 2)
        played.pass_time(4 * DAY)
        assert [(record.step, record.turn) for record in played.rows(StepRecord)] == [(0, 1), (1, 2), (2, 3), (4, 2)]


class TestDice:
    def test_the_promised_secret_is_opened_and_another_promised(self, played):
        promised = json.loads(played.journal("resolved")[-1].public)["commitment"]
        back(played, 3)
        public = json.loads(played.journal("rolled-back")[-1].public)
        assert commitment(bytes.fromhex(public["secret"])) == promised
        assert public["commitment"] == commitment(played.game().secret) != promised

    def test_the_same_orders_are_rolled_with_another_secret(self, world):
        world.start("galaxy-7", NAMES, {"die": True, "target": 1000}, ruleset="count", reminders=())
        play(world, 1, 2, 3)
        back(world, 1)
        assert world.pass_time(4 * DAY) == 1
        first, again = world.rows(StepRecord)
        assert json.loads(first.before)["sheets"] == json.loads(again.before)["sheets"]
        assert first.secret != again.secret

    def test_the_new_promise_stands_in_the_mail(self, played):
        back(played, 2)
        assert commitment(played.game().secret) in last_proof(played, "Altair", "notice")


class TestOrders:
    """Those of the turn that is played again are on file again; later ones can be used when the game gets there."""

    def test_those_of_the_turn_are_on_file_with_their_arrival(self, played):
        used = json.loads(played.rows(StepRecord)[1].before)["sheets"]
        back(played, 2)
        assert played.position()["sheets"] == used
        assert "Your orders for turn 2 are in again, as they arrived: Add 4" in told(played, "Altair")

    def test_the_turn_waits_for_its_deadline_unless_all_are_content(self, played):
        back(played, 2)
        assert played.pass_time(2 * DAY) == 0
        for seat in NAMES:
            played.send(seat, "READY")
        assert played.pass_time(HOUR) == 1

    def test_each_can_be_replaced_and_taken_back(self, played):
        back(played, 2)
        played.send("Altair", "Add 9")
        played.send("Borealis", "CANCEL ORDERS")
        assert (played.sheet("Altair"), played.sheet("Borealis"), played.sheet("Cygnus")) == (["Add 9"], None, ["Add 6"])

    def test_each_has_a_receipt_of_its_own_that_names_the_old_one(self, played):
        back(played, 2)
        old, new = [each for each in played.submissions() if each.orders == '["Add 4"]']
        assert (old.state, new.state, new.letter_id) == (SubmissionState.USED, SubmissionState.FILED, old.letter_id)
        entry = played.rows(JournalEntry, col(JournalEntry.number) == new.number)[0]
        assert json.loads(entry.secret)["again"] == old.number
        played.pass_time(4 * DAY)
        assert f"Orders used: receipt {new.number}" in text_of(played.outbox("report", "Altair")[-1])

    def test_those_of_later_turns_can_be_sent_again(self, played):
        back(played, 2)
        played.pass_time(4 * DAY)
        assert played.sheet("Altair") is None
        assert "your orders for turn 3 are in" in " ".join(played.send("Altair", "USE ORDERS OF TURN 3").split()).lower()
        assert played.sheet("Altair") == ["Add 7"]

    def test_those_that_waited_for_a_turn_that_was_never_resolved_too(self, played):
        played.send("Altair", "Add 3\nAdd 5")
        back(played, 3)
        assert played.sheet("Altair") == ["Add 7"]
        (waiting,) = [each for each in played.submissions() if each.state is SubmissionState.ROLLED_BACK]
        assert waiting.orders == '["Add 3","Add 5"]'
        played.pass_time(4 * DAY)
        played.send("Altair", "USE ORDERS OF TURN 4")
        assert played.sheet("Altair") == ["Add 3", "Add 5"]

    def test_an_empty_sheet_is_used_again_as_one(self, running):
        running.send("Altair", "ORDERS")
        play(running)
        back(running, 1)
        running.send("Altair", "CANCEL ORDERS")
        running.send("Altair", "USE ORDERS OF TURN 1")
        assert running.sheet("Altair") == []

    @pytest.mark.parametrize("turn", [1, 4, 99])
    def test_there_are_none_of_a_turn_that_stands(self, played, turn):
        back(played, 2)
        answer = " ".join(played.send("Altair", f"USE ORDERS OF TURN {turn}").split())
        assert f"there are no orders of yours for turn {turn} that were rolled back" in answer

    def test_of_others_none_can_be_had(self, running):
        running.send("Altair", "Add 9")
        play(running)
        back(running, 1)
        assert "there are no orders of yours" in " ".join(running.send("Borealis", "USE ORDERS OF TURN 1").split())
        assert running.sheet("Borealis") is None

    def test_they_do_not_go_with_other_orders(self, played):
        back(played, 2)
        answer = " ".join(played.send("Altair", "USE ORDERS OF TURN 3\nAdd 1").split())
        assert "your mail has orders of its own" in answer
        assert played.sheet("Altair") == ["Add 1"]

    def test_where_orders_are_final_none_is_filed_by_itself(self, running, monkeypatch):
        rules = running.desk.ruleset("count")
        final = replace(rules, info=replace(rules.info, sheets=replace(rules.info.sheets, later="final")))
        monkeypatch.setattr(type(running.desk), "ruleset", lambda *_: final)
        play(running, 1, 2, 3)
        back(running, 1)
        assert running.position()["sheets"] == []
        assert "To send your old ones again, reply with USE ORDERS OF TURN 1" in told(running, "Altair")
        running.send("Altair", "USE ORDERS OF TURN 1")
        assert running.sheet("Altair") == ["Add 1"]

    def test_a_letter_that_answers_a_mail_of_a_turn_that_was_taken_back_does_not_count(self, played):
        report = played.outbox("report", "Altair")[-1]
        back(played, 2)
        answer = " ".join(played.reply(report, "Add 1").split())
        assert "your mail answers one of turn 4, but the game is in turn 2" in answer

    def test_one_that_answers_the_mail_by_which_that_turn_began_counts_for_it(self, played):
        """It is still the last but one in many a mailbox, and the game stands as it says."""
        report = played.outbox("report", "Altair")[1]
        back(played, 2)
        played.reply(report, "Add 9")
        assert played.sheet("Altair") == ["Add 9"]
        played.reply(report, "ORDERS FOR TURN 2\nAdd 8")
        assert played.sheet("Altair") == ["Add 8"]

    def test_one_that_quotes_later_turns_counts_for_the_newest_mail_that_it_answers(self, played):
        later = played.outbox("report", "Altair")[-1]
        back(played, 2)
        newest = played.outbox("notice", "Altair")[-1]
        headers = {"In-Reply-To": newest.message_id, "References": f"{newest.message_id} {later.message_id}"}
        played.send("Altair", "Add 9", headers=headers)
        assert played.sheet("Altair") == ["Add 9"]


class TestTelling:
    def test_every_player_is_told_with_the_reason_and_the_report_that_stands(self, played):
        back(played, 2, "a lost mail")
        for seat in NAMES:
            text = told(played, seat)
            assert "taken galaxy-7 back from turn 4 to the beginning of turn 2" in text
            assert "The game master gives this reason: | a lost mail " in text
            assert "Total 6 after turn 1 of Count" in text

    def test_nobody_is_told_the_orders_of_another(self, played):
        back(played, 2)
        assert "Add 5" not in body_of(played.outbox("notice", "Altair")[-1])

    def test_report_gives_no_report_that_was_taken_back(self, played):
        back(played, 2)
        assert "Total 6 after turn 1" in played.send("Altair", "REPORT")
        assert "There is no report of turn 3" in " ".join(played.send("Altair", "REPORT 3").split())

    def test_it_stands_in_the_log(self, played):
        back(played, 2)
        assert played.log("rolled-back")[-1].detail == "from turn 4 to the beginning of turn 2"


class TestSequential:
    @pytest.fixture
    def relay(self, world):
        world.start("galaxy-7", NAMES, {"die": False}, ruleset="relay", reminders=())
        for seat in NAMES:
            world.send(seat, "Add 1")
        return world

    def test_moves_of_a_turn_are_taken_back_together(self, relay):
        turn = relay.game().turn
        mover = relay.desk.ruleset("relay").awaiting(relay.desk.ruleset("relay").load(relay.position()))[0]
        relay.send(mover, "Add 5")
        assert [record.rolled_back for record in relay.rows(StepRecord)][-1] == 0
        back(relay, turn)
        rules = relay.desk.ruleset("relay")
        assert rules.awaiting(rules.load(relay.position())) == (mover,)
        assert relay.game().turn == turn

    def test_moves_that_were_sent_ahead_are_not_carried_out_by_themselves(self, relay):
        rules = relay.desk.ruleset("relay")
        (mover,) = rules.awaiting(rules.load(relay.position()))
        ahead = next(seat for seat in NAMES if seat != mover)
        relay.send(ahead, "Add 7")
        back(relay, 0)
        assert rules.sheets(rules.load(relay.position())) == ()
        assert relay.pass_time(HOUR) == 0
        (kept,) = [each for each in relay.submissions() if each.state is SubmissionState.ROLLED_BACK]
        assert kept.orders == '["Add 7"]'

    def test_a_turn_that_began_in_the_middle_of_a_go_is_told_as_it_stood(self, relay):
        """With the move of Cygnus that of Altair was carried out, and only the latter has a report."""
        for seat in ("Altair", "Borealis"):
            relay.send(seat, "Add 2")
        relay.send("Altair", "Add 7")
        relay.send("Cygnus", "Add 3")
        first = next(record for record in relay.rows(StepRecord) if record.turn == 2)
        assert first.step - 1 not in {report.step for report in relay.rows(Report)}
        back(relay, 2)
        body = body_of(relay.outbox("notice", "Borealis")[-1])
        rules = relay.desk.ruleset("relay")
        view = rules.view(rules.load(relay.position()), (), seat_reader("Borealis"))
        assert f"HOW THE GAME STANDS\n\n{report_text(rules, view).strip()}\n" in body

    def test_they_can_be_used_again(self, relay):
        back(relay, 0)
        rules = relay.desk.ruleset("relay")
        before = rules.awaiting(rules.load(relay.position()))
        relay.send("Altair", "USE ORDERS OF TURN 0")
        assert rules.awaiting(rules.load(relay.position())) != before


class TestRulesets:
    """The rules that there are: what they make of a game at its beginning is found again, and it goes on from there."""

    @pytest.fixture(params=["galactic_overlord", "societies", "cosmic_conquest"])
    def begun(self, world, request):
        if request.param == "cosmic_conquest":
            conquest(world, reminders=())
        else:
            world.start("galaxy-7", NAMES, ruleset=request.param, reminders=())
        return world

    def test_the_beginning_is_found_again(self, begun):
        first = begun.position()
        for _ in range(2):
            assert begun.pass_time(4 * DAY) == 1
        assert begun.position() != first
        back(begun, first["turn"])
        again = begun.position()
        rules = begun.desk.ruleset(begun.game().ruleset)
        for sheet in rules.sheets(rules.load(again)):
            again = rules.dump(rules.withdraw(rules.load(again), sheet.seat))
        assert again == first
        assert begun.pass_time(4 * DAY) == 1

    def test_in_games_whose_orders_are_final_they_are_sent_again(self, world):
        conquest(world, reminders=())
        world.send("Red", "Defend Sol with 5 units")
        assert world.pass_time(4 * DAY) == 1
        back(world, 1)
        assert "USE ORDERS OF TURN 1" in told(world, "Red")
        assert "Defend Sol with 5 units" in " ".join(world.send("Red", "USE ORDERS OF TURN 1").split())


class TestArchive:
    """What was taken back is in the archive, apart, and every turn in it can be resolved again."""

    @pytest.fixture
    def archive(self, played, tmp_path):
        back(played, 2)
        play(played, 9)
        for _turn_to_be_played_again in (3, 4):
            play(played, 1)
        with Session(played.desk.engine) as session:
            plan = plan_export(session, played.game(), played.desk.ruleset("count"))
            write_archive(session, plan, tmp_path / "archive", Blanker(()), lambda: None)
        return tmp_path / "archive" / "data"

    def test_turns_that_were_taken_back_have_a_folder_of_their_own(self, archive, played):
        entry = played.journal("rolled-back")[0].number
        turns = archive / "turns"
        assert sorted(path.name for path in turns.iterdir()) == ["000", "001", "002", "003", "004", "rolled-back"]
        assert sorted(path.name for path in (turns / "rolled-back" / str(entry)).iterdir()) == ["002", "003"]

    def test_the_turn_that_was_played_again_begins_as_the_first_did(self, archive, played):
        entry = played.journal("rolled-back")[0].number
        position = (archive / "turns/002/position.toml").read_text()
        assert position == (archive / f"turns/rolled-back/{entry}/002/position.toml").read_text()
        again = (archive / "turns/002/orders.toml").read_text()
        assert all(f"Add {number}" in again for number in (4, 9, 5, 6))

    def test_a_turn_after_one_that_was_taken_back_begins_as_it_did(self, archive, played):
        entry = played.journal("rolled-back")[0].number
        folder = archive / f"turns/rolled-back/{entry}"
        assert (folder / "003/position.toml").read_text() == (folder / "002/after.toml").read_text()


def test_addresses_are_in_none_of_it(played):
    back(played, 2, "a lost mail")
    mails = [body_of(mail) for mail in played.outbox("notice")]
    assert not [text for text in mails for seat in NAMES if address_of(seat) in text]
    assert len(played.rows(Submission)) == 12
