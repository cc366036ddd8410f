"""Sequential play: moves carried out as their letters come, moves held until their turn comes, one mail for each."""

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from hashlib import sha256
from pathlib import Path

import pytest

from pbmd.desk.changes.gm import send_gm_token
from pbmd.desk.changes.rollback import roll_back
from pbmd.desk.mailroom import process_letters
from pbmd.desk.step.game_transaction import changing_games
from pbmd.ledger.tables import Report, StepRecord, SubmissionState
from pbmd.rendering.drawing_jobs import Picture, Wanted, draw
from pbmd.rules.dice import HmacDice
from pbmd.rules.protocol import Sheet
from pbmd.rules.salts import salts_of
from pbmd.rules.sheets import bound
from tests.desk.relay import GAME, last_id, mails_to, past_turn_0, relay
from tests.desk.world import ADDRESS, NAMES, World, address_of, body_of, message_of, proof_of

MINUTE = timedelta(minutes=1)


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    """A desk where Altair is to move in turn 1 of a game of Relay."""
    world = World(tmp_path)
    yield past_turn_0(relay(world))
    world.close()


def scores(world: World) -> list[int]:
    return [runner["score"] for runner in world.position()["runners"]]


def held(world: World) -> list[str]:
    return [sheet["seat"] for sheet in world.position()["sheets"]]


def words(text: str) -> str:
    return " ".join(text.split())


class TestAMove:
    def test_is_carried_out_when_its_letter_comes(self, world: World) -> None:
        world.send("Altair", "Add 5")
        assert scores(world) == [6, 1, 1]
        assert world.position()["waiting"] == ["Borealis", "Cygnus"]

    def test_is_answered_by_its_report_alone(self, world: World) -> None:
        before = last_id(world)
        world.send("Altair", "Add 5")
        (mail,) = [mail for mail in world.outbox("", "Altair") if (mail.id or 0) > before]
        assert mail.kind == "report"
        assert message_of(mail)["In-Reply-To"] == f"<letter{world.uid - 1}@players.test>"
        text = body_of(mail)
        assert "Altair: your move in turn 1 was carried out." in text
        number = world.journal("orders")[-1].number
        proof = proof_of(mail)
        assert f"Receipt     {number} of game galaxy-7, turn 1" in proof
        assert "Arrived     Fri 20 Nov 2026 12:03:00 UTC" in proof
        assert f"Digest\n  {world.submissions()[-1].digest}" in proof
        assert f"Chain head  at entry {world.game().chain_number}:\n  {world.game().chain_head}" in proof
        assert "YOUR MOVE, as we read it\n  Add 5\n" in text

    def test_with_a_question_besides_is_acknowledged_too(self, world: World) -> None:
        before = last_id(world)
        answer = world.send("Altair", "Add 5\nSTATUS")
        report, acknowledgement = sorted(mails_to(world, "Altair", before), key=len, reverse=True)
        assert "was carried out" in report
        assert answer in acknowledgement
        # What is asked is answered as of after the move.
        assert "To move   Borealis, until" in answer
        assert "Add 5" not in answer

    def test_has_what_was_not_read_of_its_letter_in_its_report(self, world: World) -> None:
        before = last_id(world)
        world.send("Altair", "Good morning,\n\nAdd 5\n\nI am on holiday from Friday on.\n\n-- \nAnn\nTo be is to do")
        (report,) = mails_to(world, "Altair", before)
        assert "YOUR MOVE, as we read it\n  Add 5\n\nSKIPPED, not read as orders\n" in report
        assert "Good morning," in report
        assert "I am on holiday from Friday on." in report
        assert "a signature (-- / Ann / To be is to do)" in report
        page = message_of(world.outbox("report", "Altair")[-1]).get_body(("html",))
        assert page is not None
        assert "I am on holiday from Friday on." in page.get_content()
        for seat in ("Borealis", "Cygnus"):
            assert all("holiday" not in mail for mail in mails_to(world, seat))

    def test_has_remarks_on_its_letter_in_its_report(self, world: World) -> None:
        before = last_id(world)
        world.send("Altair", "Add 5\nEND\nSee you soon")
        (report,) = mails_to(world, "Altair", before)
        assert "After END, 1 line was not read." in report
        assert "See you soon" in report

    def test_keeps_what_was_not_read_of_its_letter_out_of_the_report_that_is_kept(self, world: World) -> None:
        """What is kept gets into the archive, which anybody may read."""
        world.send("Altair", "Add 5\n\nI am on holiday from Friday on.")
        kept = [report for report in world.rows(Report) if report.reader == "seat:1"][-1]
        assert "Add 5" in kept.html
        assert "holiday" not in kept.html + kept.text
        assert "holiday" not in world.send("Altair", "REPORT")

    def test_calls_the_next_player_and_tells_the_others(self, world: World) -> None:
        before = last_id(world)
        world.send("Altair", "Add 5")
        (next_one,) = mails_to(world, "Borealis", before)
        (other,) = mails_to(world, "Cygnus", before)
        assert next_one.startswith("[pbmd galaxy-7 t1] Borealis: your move, by Mon 23 Nov 12:03 UTC\n")
        assert "NEXT: YOUR MOVE Altair has moved. Until Mon 23 Nov 2026 12:03 UTC (in 3 days), in turn 1." in words(next_one)
        assert "ORDER FORM" in next_one
        assert other.startswith("[pbmd galaxy-7 t1] Altair has moved; Borealis is to move\n")
        assert "Borealis is to move in turn 1, until Mon 23 Nov 2026 12:03 UTC, in 3 days." in words(other)
        assert "ORDER FORM" not in other

    def test_that_was_refused_leaves_the_seat_awaited(self, world: World) -> None:
        answer = world.send("Altair", "Sub 5")
        assert "nothing in your mail could be used" in answer
        assert "Orders are due Mon 23 Nov 2026 12:02 UTC" in answer
        assert scores(world) == [1, 1, 1]

    def test_for_a_turn_that_does_not_run_is_not_taken(self, world: World) -> None:
        assert "say turn 2, but this is turn 1" in world.send("Altair", "ORDERS FOR TURN 2\nAdd 5")
        assert scores(world) == [1, 1, 1]
        world.send("Altair", "ORDERS FOR TURN 1\nAdd 5")
        assert scores(world) == [6, 1, 1]

    def test_wait_is_refused(self, world: World) -> None:
        assert "WAIT: in this game each move is carried out when it comes" in " ".join(world.send("Altair", "WAIT").split())

    def test_in_a_mail_that_a_machine_sent_counts_and_is_not_answered(self, world: World) -> None:
        before = last_id(world)
        world.send("Altair", "Add 5", headers={"Auto-Submitted": "auto-generated"})
        assert scores(world) == [6, 1, 1]
        (report,) = [mail for mail in world.outbox("", "Altair") if (mail.id or 0) > before]
        assert "letter" not in str(message_of(report)["In-Reply-To"])

    def test_is_made_at_the_same_moment_as_those_that_waited_for_it(self, world: World) -> None:
        """By this anybody can see that they had one secret because it was not told between them."""

        def clock() -> datetime:
            world.now += timedelta(milliseconds=3)
            return world.now

        world.desk = replace(world.desk, now=clock)
        for seat in ("Borealis", "Altair"):
            world.arrive(world.letter(seat, "Add 2"))
        process_letters(world.desk)
        one, other = world.journal("resolved")[-2:]
        assert (one.at, json.loads(one.public)["secret"]) == (other.at, json.loads(other.public)["secret"])

    def test_in_one_batch_with_another_has_a_secret_of_its_own_that_was_promised_between_them(self, world: World) -> None:
        for seat in ("Altair", "Borealis"):
            world.arrive(world.letter(seat, "Add 2"))
        process_letters(world.desk)
        one, other = (json.loads(entry.public) for entry in world.journal("resolved")[-2:])
        assert other["secret"] != one["secret"]
        assert one["commitment"] == sha256(bytes.fromhex(other["secret"])).hexdigest()
        assert [one["commitment"] in proof_of(mail) for mail in world.outbox("report", "Cygnus")[-2:]] == [True, False]

    def test_has_a_secret_of_its_own_after_a_deed_of_the_game_master(self, world: World) -> None:
        world.act(GAME, send_gm_token, "for a reply")
        mail = world.outbox("alarm")[-1]
        world.arrive(world.letter("Altair", "Add 2"))
        to, headers = message_of(mail)["Reply-To"], {"In-Reply-To": mail.message_id}
        world.arrive(world.letter("", "ANNOUNCE\nGood luck\nEND ANNOUNCE", sender=mail.recipient, to=to, headers=headers))
        world.arrive(world.letter("Borealis", "Add 2"))
        process_letters(world.desk)
        assert [entry.kind for entry in world.journal()][-5:] == ["orders", "resolved", "announced", "orders", "resolved"]
        one, other = (json.loads(entry.public) for entry in world.journal("resolved")[-2:])
        assert other["secret"] != one["secret"]
        assert one["commitment"] == sha256(bytes.fromhex(other["secret"])).hexdigest()

    def test_of_two_in_one_batch_that_come_in_turn_both_count(self, world: World) -> None:
        before = last_id(world)
        for seat in NAMES:
            world.arrive(world.letter(seat, "Add 2"))
        process_letters(world.desk)
        assert scores(world) == [3, 3, 3]
        for place, seat in enumerate(NAMES):
            mails = mails_to(world, seat, before)
            assert f"{seat}: your move in turn 1 was carried out." in mails[place]
            assert [[name for name in NAMES if f"move 1 {name}" in mail] for mail in mails] == [[name] for name in NAMES]
            assert ["turn ended 1" in mail for mail in mails] == [False, False, True]


class TestAMoveSentAhead:
    def test_is_held_and_acknowledged(self, world: World) -> None:
        answer = world.send("Borealis", "Add 3")
        assert answer.startswith("Borealis: your move is waiting, and is made the moment your turn comes.\n")
        assert "YOUR MOVE, as we read it\n  Add 3\n" in answer
        assert "Receipt" not in answer
        assert "Deadline" not in answer
        assert "Altair is to move, until" in answer
        assert "sent orders" not in answer
        assert scores(world) == [1, 1, 1]

    def test_is_carried_out_the_moment_it_begins(self, world: World) -> None:
        world.send("Borealis", "Add 3")
        world.send("Cygnus", "Add 4")
        before, steps = last_id(world), len(world.rows(StepRecord))
        world.send("Altair", "Add 2")
        assert scores(world) == [3, 4, 5]
        assert [record.cause for record in world.rows(StepRecord)[steps:]] == [f"{seat} has moved" for seat in NAMES]
        assert len(world.journal("resolved")) == len(world.rows(StepRecord))
        for seat in NAMES:
            (mail,) = mails_to(world, seat, before)
            assert "Altair has moved; Borealis has moved; Cygnus has moved." in mail
        (mail,) = mails_to(world, "Borealis", before)
        last = world.journal("resolved")[-2]
        assert f"  Your move came Fri 20 Nov 2026 12:03 UTC (receipt {last.number}).\n  As understood:\n    Add 3\n" in mail
        (mail,) = mails_to(world, "Altair", before)
        assert mail.startswith("[pbmd galaxy-7 t2] Altair: your move, by")

    def test_is_replaced_by_a_newer_one(self, world: World) -> None:
        world.send("Borealis", "Add 3")
        world.now += MINUTE
        world.send("Borealis", "Add 4")
        world.send("Altair", "Add 1")
        assert scores(world) == [2, 5, 1]
        states = [row.state for row in world.submissions() if row.seat_id == world.seat("Borealis").id]
        assert states == [SubmissionState.USED, SubmissionState.REPLACED, SubmissionState.USED]

    def test_is_not_taken_back_by_what_was_written_before_it(self, world: World) -> None:
        old = world.now
        world.now += MINUTE
        world.send("Borealis", "Add 4")
        assert "a later mail of yours is in force" in world.send("Borealis", "CANCEL ORDERS", at=old)
        assert held(world) == ["Borealis"]

    def test_that_comes_to_light_after_a_newer_one_is_not_taken(self, world: World) -> None:
        old = world.now
        world.now += MINUTE
        world.send("Borealis", "Add 4")
        assert "a later mail of yours" in world.send("Borealis", "Add 3", at=old)
        world.send("Altair", "Add 1")
        assert scores(world) == [2, 5, 1]
        world.now += MINUTE
        # Not for the move after it, either.
        assert "a later mail of yours" in world.send("Borealis", "Add 9", at=old)
        assert held(world) == []

    def test_can_be_taken_back(self, world: World) -> None:
        world.send("Borealis", "Add 3")
        world.now += MINUTE
        assert "Your move is cancelled." in world.send("Borealis", "CANCEL ORDERS")
        assert held(world) == []
        world.send("Altair", "Add 1")
        assert scores(world) == [2, 1, 1]
        assert "CANCEL ORDERS: you have no orders in" in world.send("Borealis", "CANCEL ORDERS")

    def test_may_have_been_written_in_answer_to_any_mail_of_the_game(self, world: World) -> None:
        first = world.outbox("report", "Borealis")[0]
        world.reply(first, "Add 3")
        assert held(world) == ["Borealis"]

    def test_is_none_if_it_is_the_same_mail_again_after_its_move_was_made(self, world: World) -> None:
        world.send("Altair", "Add 1")
        asked = world.outbox("report", "Borealis")[-1]
        world.reply(asked, "Add 3")
        assert scores(world) == [2, 4, 1]
        answer = words(world.reply(asked, "Add 3"))
        assert (
            "this is the move that you made in turn 1, and your mail answers one from before it, so it was not taken" in answer
        )
        assert "SKIPPED, not read as orders Your lines: Add 3" in answer
        assert held(world) == []
        assert "NOT TAKEN: made before" in message_of(world.outbox("acknowledgement", "Borealis")[-1])["Subject"]

    @pytest.mark.parametrize("text", ["Add 4", "ORDERS FOR TURN 2\nAdd 3"])
    def test_is_one_if_it_is_another_or_says_for_which_turn_it_is(self, world: World, text: str) -> None:
        world.send("Altair", "Add 1")
        asked = world.outbox("report", "Borealis")[-1]
        world.reply(asked, "Add 3")
        world.send("Cygnus", "Add 1")
        world.reply(asked, text)
        assert held(world) == ["Borealis"]

    def test_is_one_if_it_answers_the_report_of_the_same_move(self, world: World) -> None:
        world.send("Altair", "Add 1")
        world.reply(world.outbox("report", "Borealis")[-1], "Add 3")
        world.reply(world.outbox("report", "Borealis")[-1], "Add 3")
        assert held(world) == ["Borealis"]

    def test_that_was_held_is_not_taken_again_either(self, world: World) -> None:
        asked = world.outbox("report", "Borealis")[-1]
        world.reply(asked, "Add 3")
        world.send("Altair", "Add 1")
        assert "not taken again" in words(world.reply(asked, "Add 3"))
        assert held(world) == []

    def test_that_was_held_was_made_in_the_turn_in_which_it_was_carried_out(self, world: World) -> None:
        world.send("Altair", "Add 1")
        world.reply(world.outbox("report", "Altair")[-1], "Add 2")
        world.send("Borealis", "Add 1")
        world.send("Cygnus", "Add 1")
        assert scores(world) == [4, 2, 2]
        from_between = world.outbox("report", "Altair")[-2]
        assert "the move that you made in turn 2," in words(world.reply(from_between, "Add 2"))
        assert held(world) == []

    def test_is_known_for_the_same_mail_by_its_order_form_if_its_program_says_nothing_of_what_it_answers(
        self, world: World
    ) -> None:
        world.send("Altair", "Add 1")
        text = body_of(world.outbox("report", "Borealis")[-1])
        form = text[text.index("#orders ") : text.index("#end")]
        world.send("Borealis", f"{form}\nAdd 3\n#end")
        assert scores(world) == [2, 4, 1]
        assert "not taken again" in words(world.send("Borealis", f"{form}\nAdd 3\n#end"))
        assert held(world) == []

    def test_is_known_for_the_same_mail_by_the_turn_in_its_subject(self, world: World) -> None:
        world.send("Altair", "Add 1")
        world.send("Borealis", "Add 3", subject="Re: [pbmd galaxy-7 t1] your move")
        assert "not taken again" in words(world.send("Borealis", "Add 3", subject="Re: [pbmd galaxy-7 t1] your move"))
        assert held(world) == []

    def test_is_taken_again_after_the_turn_was_taken_back(self, world: World) -> None:
        world.send("Altair", "Add 1")
        asked = world.outbox("report", "Borealis")[-1]
        world.reply(asked, "Add 3")
        world.act(GAME, roll_back, 1, "a mistake")
        world.send("Altair", "Add 1")
        world.reply(asked, "Add 3")
        assert scores(world) == [2, 4, 1]

    def test_gets_into_the_journal_with_its_resolution(self, world: World) -> None:
        world.send("Cygnus", "Add 3")
        world.send("Altair", "Add 1")
        assert "Add 3" not in "".join(entry.secret for entry in world.journal())
        world.send("Borealis", "Add 1")
        entry = world.journal("resolved")[-1]
        (kept,) = json.loads(entry.secret)["meanwhile"]
        assert kept["seat"] == "Cygnus"
        assert kept["lines"] == [[1, "Add 3"]]
        assert world.submissions()[-3].number == entry.number


def test_all_reports_of_a_turn_are_sent_again(world: World) -> None:
    for seat in NAMES:
        world.send(seat, "Add 2")
        world.now += MINUTE
    answer = world.send("Cygnus", "REPORT 1")
    assert [answer.count(f"move 1 {seat}") for seat in NAMES] == [1, 1, 1]
    assert "move 1 Cygnus" in world.send("Borealis", "REPORT")


class TestTheEnd:
    def test_comes_with_the_move_that_wins_and_leaves_what_waits(self, tmp_path: Path) -> None:
        world = past_turn_0(relay(World(tmp_path), target=8))
        world.send("Borealis", "Add 3")
        before = last_id(world)
        world.send("Altair", "Add 7")
        assert scores(world) == [8, 1, 1]
        assert world.game().status.value == "finished"
        for seat in NAMES:
            (mail,) = mails_to(world, seat, before)
            assert mail.startswith("[pbmd galaxy-7 t1] Turn 1: Altair has won, the game is over\n")
            assert "NEXT" not in mail
        (entry,) = world.journal("finished")
        assert json.loads(entry.secret)["meanwhile"][0]["lines"] == [[1, "Add 3"]]
        waited = [row for row in world.submissions() if row.seat_id == world.seat("Borealis").id][-1]
        assert (waited.state, waited.number) == (SubmissionState.CANCELLED, entry.number)
        world.now += MINUTE
        assert "the game is over" in world.send("Borealis", "Add 4")
        world.close()


class TestDiceOfOneTick:
    def test_have_one_secret_that_was_committed_to_before_and_no_two_rolls_alike(self, tmp_path: Path) -> None:
        world = past_turn_0(relay(World(tmp_path), die=True))
        world.send("Borealis", "Add 3")
        world.send("Cygnus", "Add 3")
        before, steps = last_id(world), len(world.rows(StepRecord))
        published = json.loads(world.journal("resolved")[-1].public)["commitment"]
        world.send("Altair", "Add 3")
        records = world.rows(StepRecord)[steps:]
        (secret,) = {record.secret for record in records}
        assert sha256(secret).hexdigest() == published
        (salting,) = {record.salts for record in records}
        salts = salts_of(salting, enumerate(NAMES, start=1))
        context, number = b"", 0
        for seat, record in zip(NAMES, records, strict=True):
            context = bound([Sheet(seat, (0, 0), ("Add 3",))], salts, context)
            number = HmacDice(secret, context).roll(6)
            assert json.loads(record.dice) == [[6, number]]
        for entry in world.journal("resolved")[-3:]:
            assert json.loads(entry.public)["commitment"] == sha256(world.game().secret).hexdigest() != published
        assert len(mails_to(world, "Altair", before)) == 1
        proof = proof_of(world.outbox("report", "Altair")[-1])
        assert secret.hex() in proof
        assert sha256(world.game().secret).hexdigest() in proof
        world.close()


class TestMailsThatNeedNoMove:
    def test_take_effect_at_once_for_anybody(self, world: World) -> None:
        before = last_id(world)
        answer = world.send("Cygnus", "Offer Borealis")
        assert answer.startswith("Cygnus: your mail has taken effect at once.")
        assert "WHAT CAME OF IT\n\n| offer Cygnus Borealis" in answer
        (mail,) = mails_to(world, "Borealis", before)
        assert "| offer Cygnus Borealis" in mail
        assert mails_to(world, "Altair", before) == []
        assert len(mails_to(world, "Cygnus", before)) == 1
        assert world.position()["waiting"] == ["Altair", "Borealis", "Cygnus"]

    def test_can_be_answered_by_a_reply_to_the_mail_about_them(self, world: World) -> None:
        world.send("Cygnus", "Offer Borealis")
        offered = world.outbox("notice", "Borealis")[-1]
        quoted = "\n".join(f"> {line}" for line in body_of(offered).splitlines())
        before = last_id(world)
        answer = world.reply(offered, f"Accept Cygnus\n\nOn Friday, {ADDRESS} wrote:\n{quoted}\n")
        assert "your mail has taken effect at once" in answer
        assert "REFUSED" not in answer
        assert scores(world) == [1, 2, 2]
        (mail,) = mails_to(world, "Altair", before)
        assert "agreed Borealis Cygnus" in mail
        assert [line.detail for line in world.log("told")] == ["to everybody: agreed"]

    def test_are_not_trusted_from_another_address(self, world: World) -> None:
        world.send("Cygnus", "Offer Borealis")
        offered = world.outbox("notice", "Borealis")[-1]
        world.reply(offered, "Accept Cygnus", sender="stranger@elsewhere.test")
        assert scores(world) == [1, 1, 1]

    def test_come_to_each_reader_in_one_mail_for_each_letter(self, world: World) -> None:
        world.send("Cygnus", "Offer Borealis")
        world.send("Altair", "Offer Borealis")
        before = last_id(world)
        world.send("Borealis", "Accept Cygnus\nAccept Altair\nOffer Cygnus")
        (to_cygnus,) = mails_to(world, "Cygnus", before)
        (to_altair,) = mails_to(world, "Altair", before)
        assert "offer Borealis Cygnus" in to_cygnus
        assert "offer Borealis Cygnus" not in to_altair
        assert to_altair.count("agreed") >= 2

    def test_have_no_deadline(self, world: World) -> None:
        world.now += timedelta(hours=73)
        world.read_mailbox()
        answer = world.send("Altair", "Offer Borealis")
        assert "taken effect at once" in answer
        assert "is late by" not in answer


def test_maps_are_drawn_while_others_can_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    world = past_turn_0(relay(World(tmp_path), map=True))
    drawn: list[int] = []

    def look_and_draw(wanted: Wanted) -> Picture:
        with changing_games(world.desk) as work:  # waits in vain if the letters' transaction has not ended
            work.log("map-test")
        drawn.append(len(wanted.map))
        return draw(wanted)

    monkeypatch.setattr("pbmd.rendering.drawing_pool.draw", look_and_draw)
    before = last_id(world)
    world.send("Altair", "Add 7")
    assert len(drawn) == 2  # all have the same map, and the public has no mail
    assert scores(world) == [8, 1, 1]
    for seat in NAMES:
        (mail,) = [mail for mail in world.outbox("report", seat) if (mail.id or 0) > before]
        assert b"image/png" in mail.raw
    world.close()


def test_nothing_is_half_done_when_pbmd_is_killed_between(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """A letter that settles several moves is wholly in or wholly out, reports included."""
    world.send("Borealis", "Add 3")
    mails, entries = len(world.outbox()), len(world.journal())
    world.arrive(world.letter("Altair", "Add 2"))
    with monkeypatch.context() as patched:

        def killed(*_: object) -> None:
            raise KeyboardInterrupt

        patched.setattr("pbmd.desk.step.reporting.reports._keep", killed)
        with pytest.raises(KeyboardInterrupt):
            process_letters(world.desk)
    assert scores(world) == [1, 1, 1]
    assert (len(world.outbox()), len(world.journal())) == (mails, entries)
    assert process_letters(world.desk) == 1
    assert scores(world) == [3, 4, 1]
    assert len(world.outbox("report", "Cygnus")) == len({mail.key for mail in world.outbox("report", "Cygnus")})


def test_a_move_that_cannot_be_resolved_puts_its_letter_aside_and_stops_the_game(tmp_path: Path) -> None:
    world = past_turn_0(relay(World(tmp_path), crash_turn=1))
    world.send("Altair", "Add 2")
    assert world.game().status.value == "paused"
    assert [line.what for line in world.log("quarantine")] == ["quarantine"]
    assert address_of("Altair") in [mail.recipient for mail in world.outbox("notice")]
    world.close()
