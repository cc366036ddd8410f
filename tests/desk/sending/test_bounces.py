"""Bounces: known by what only the recipient saw, counted, told to those concerned, and never more than that."""

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlmodel import col

from pbmd.desk.mailroom import process_letters
from pbmd.desk.sending.outbox import retry
from pbmd.desk.sending.sender import send_due
from pbmd.ledger.tables import Bounce, Outbox, OutboxState
from pbmd.post.smtp.client import Rejected
from tests.desk.sending.test_sender import FakeSmtp
from tests.desk.world import ADDRESS, World, address_of, body_of
from tests.doses import dose

DAY = timedelta(days=1)


def dsn(recipient="altair@players.test", status="5.1.1", action="failed", *, returned="", to=ADDRESS, extra=""):
    """A bounce as mail servers write it (RFC 3464)."""
    text = f"""\
Return-Path: <>
From: Mail Delivery System <MAILER-DAEMON@mx.players.test>
To: {to}
Subject: Undelivered Mail Returned to Sender
Auto-Submitted: auto-replied
Message-ID: <{abs(hash((recipient, status, returned, to, extra)))}@mx.players.test>
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="x"

--x
Content-Type: text/plain

I'm sorry to have to inform you that your message could not be delivered.
{extra}
--x
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.players.test

Final-Recipient: rfc822; {recipient}
Action: {action}
Status: {status}
Diagnostic-Code: smtp; 550 {status} said the other server

--x
Content-Type: text/rfc822-headers

From: games@pbmd.test
Message-ID: {returned}

--x--
"""
    return text.replace("\n", "\r\n").encode()


def bounce(world, mail, status="5.1.1", **more):
    """This mail of ours comes back."""
    action = "failed" if status.startswith("5") else "delayed"
    more.setdefault("returned", mail.message_id)
    world.arrive(dsn(mail.recipient, status, action, extra=f"{world.uid} {more.pop('extra', '')}", **more))
    process_letters(world.desk)


def send(world):
    """Everything queued goes out."""
    send_due(world.desk, FakeSmtp().connect)


def report(world, seat="Altair"):
    return world.outbox("report", seat)[-1]


@pytest.fixture
def sent(running):
    """A running game whose first reports have been sent."""
    send(running)
    return running


def fresh(world, mail):
    return world.rows(Outbox, col(Outbox.id) == mail.id)[0]


class TestWhichMail:
    """A bounce is matched by what only the recipient of a mail has seen."""

    def test_by_the_message_id_that_it_returns(self, sent):
        bounce(sent, report(sent))
        assert fresh(sent, report(sent)).bounced_at == sent.now
        (row,) = sent.rows(Bounce)
        assert (row.outbox_id, row.address, row.hard, row.status) == (report(sent).id, "altair@players.test", True, "5.1.1")
        assert not [line for line in sent.log() if "@" in f"{line.seat} {line.detail}"]
        (line,) = sent.log("bounce")
        assert (line.game, line.seat) == ("galaxy-7", "Altair")
        assert f"mail {report(sent).id} (report) has come back, for good (5.1.1)" in line.detail

    def test_by_the_return_path_though_it_returns_nothing(self, sent):
        bounce(sent, report(sent), returned="", to=f"games+b.{report(sent).nonce}@pbmd.test")
        assert fresh(sent, report(sent)).bounced_at == sent.now

    def test_of_who_is_delivered_to_behind_a_forward_it_is_our_recipient_that_counts(self, sent):
        world = sent
        world.arrive(dsn("somebody@else.test", returned=report(world).message_id))
        process_letters(world.desk)
        assert world.rows(Bounce)[0].address == "altair@players.test"

    @pytest.mark.parametrize(
        "returned", ["", "<report-t1.g1p1.prcnnjn76sno3vgs.abcdefghijklmno2@pbmd.test>", "<x@players.test>"]
    )
    def test_one_that_matches_no_mail_changes_nothing(self, sent, returned):
        sent.arrive(dsn(returned=returned, to="games+b.abcdefghijklmno2@pbmd.test"))
        process_letters(sent.desk)
        assert sent.rows(Bounce) == []
        assert sent.seat("Altair").unreachable_since is None
        assert "of no mail that pbmd has sent" in sent.log("letter")[-1].detail

    def test_it_is_not_answered(self, sent):
        before = len(sent.outbox())
        bounce(sent, report(sent), "4.2.2")
        assert len(sent.outbox()) == before

    def test_a_vacation_reply_is_none(self, sent):
        headers = {"Auto-Submitted": "auto-replied", "In-Reply-To": report(sent).message_id}
        sent.send("Altair", "I am away.", to=f"games+b.{report(sent).nonce}@pbmd.test", headers=headers)
        assert sent.rows(Bounce) == []

    def test_the_same_again_counts_once(self, sent):
        for _ in range(5):
            bounce(sent, report(sent), "5.2.2")
        assert len(sent.rows(Bounce)) == 5
        assert sent.seat("Altair").unreachable_since is None


class TestUnreachable:
    """When an address is given up, who is told, and what ends it."""

    def test_no_such_address_is_enough_once(self, sent):
        bounce(sent, report(sent), "5.1.1")
        assert sent.seat("Altair").unreachable_since == sent.now
        assert sent.seat("Borealis").unreachable_since is None
        (line,) = sent.log("unreachable")
        assert (line.game, line.seat) == ("galaxy-7", "Altair")

    def three(self, world, status, apart=DAY):
        for number in range(3):
            if number:
                world.send("Altair", f"Add {number}")
                send(world)
            bounce(world, world.outbox(seat="Altair")[-1], status)
            world.now += apart
        return world.seat("Altair").unreachable_since is not None

    def test_others_have_to_come_three_times_in_a_week(self, sent):
        bounce(sent, report(sent), "5.2.2")
        assert sent.seat("Altair").unreachable_since is None
        assert self.three(sent, "5.2.2")

    def test_three_times_in_a_month_are_not_enough(self, sent):
        assert not self.three(sent, "5.2.2", 5 * DAY)

    @pytest.mark.parametrize("status", ["5.4.5", "5.7.232", "5.1.8"])
    def test_what_is_about_our_limits_does_not_count(self, sent, status):
        assert not self.three(sent, status)

    def test_for_now_is_counted_and_changes_nothing(self, sent):
        assert not self.three(sent, "4.2.2")
        assert [row.hard for row in sent.rows(Bounce)] == [False] * 3
        assert all(mail.bounced_at is None for mail in sent.outbox())

    def test_the_game_master_is_told_once_and_without_the_address(self, sent):
        bounce(sent, report(sent))
        sent.send("Borealis", "EXTEND 1h")
        send(sent)
        bounce(sent, sent.outbox("notice", "Altair")[-1])
        (alarm,) = sent.outbox("alarm")
        assert alarm.recipient == "gm@pbmd.test"
        assert "Altair in galaxy-7" in body_of(alarm)
        assert "altair@" not in body_of(alarm)

    def test_the_same_mail_may_come_back_again_when_the_address_had_been_in_use_since(self, sent):
        with sent.changed("Altair") as seat:
            seat.other_address = "altair@other.test"
        for _ in range(2):
            bounce(sent, report(sent))
            assert sent.seat("Altair").unreachable_since == sent.now
            sent.now += timedelta(hours=1)
            sent.send("Altair", "STATUS")
        assert sent.log("quarantine") == []
        assert len(sent.outbox("alarm")) == 2

    def test_the_players_other_address_is_told_and_nobody_elses(self, sent):
        with sent.changed("Altair") as seat:
            seat.other_address = "altair@other.test"
        with sent.changed("Borealis") as seat:
            seat.other_address = "borealis@other.test"
        before = len(sent.outbox())
        bounce(sent, report(sent))
        told = sent.outbox()[before:]
        assert [mail.recipient for mail in told] == ["gm@pbmd.test", "altair@other.test"]
        assert b"g1p1." not in told[1].raw

    def test_all_seats_of_the_address_are_marked(self, sent):
        sent.count("nebula-1", ("Altair", "Deneb"))
        send(sent)
        bounce(sent, sent.outbox("report", "Altair")[0])
        assert len(sent.log("unreachable")) == 2
        (alarm,) = sent.outbox("alarm")
        assert "Altair in galaxy-7" in body_of(alarm)
        assert "Altair in nebula-1" in body_of(alarm)

    def test_reports_are_still_sent(self, sent):
        bounce(sent, report(sent))
        before = len(sent.outbox("report", "Altair"))
        sent.pass_time(4 * DAY)
        assert len(sent.outbox("report", "Altair")) == before + 1

    def test_a_letter_from_there_ends_it(self, sent):
        bounce(sent, report(sent))
        sent.send("Altair", "STATUS")
        assert sent.seat("Altair").unreachable_since is None
        assert len(sent.log("reachable")) == 1

    def test_mail_that_stays_away_for_three_days_ends_it(self, sent):
        bounce(sent, report(sent))
        sent.now += timedelta(hours=1)
        sent.send("Borealis", "EXTEND 10h")
        send(sent)
        sent.now += timedelta(hours=70)
        sent.send("Borealis", "EXTEND 9h")
        assert sent.seat("Altair").unreachable_since is not None
        sent.now += timedelta(hours=2)
        sent.send("Borealis", "EXTEND 1h")
        assert sent.seat("Altair").unreachable_since is None

    @pytest.mark.parametrize("status", ["5.1.1", "4.4.7"])
    def test_mail_that_comes_back_does_not(self, sent, status):
        bounce(sent, report(sent))
        sent.now += timedelta(hours=1)
        sent.send("Borealis", "EXTEND 10h")
        send(sent)
        bounce(sent, sent.outbox("notice", "Altair")[-1], status)
        sent.now += 4 * DAY
        sent.send("Borealis", "STATUS")
        sent.pass_time()
        assert sent.seat("Altair").unreachable_since is not None


class TestRefusedAtOnce:
    """The mail server itself says that there is no such address."""

    @pytest.mark.parametrize(
        ("answer", "marked"),
        [
            (Rejected(550, "5.1.1 no such user"), True),
            (Rejected(550, "5.7.1 we do not like you"), False),
            (Rejected(554, "no"), False),
            (Rejected(552, "5.2.2 mailbox full"), False),
        ],
    )
    def test_it_counts_like_a_bounce(self, running, answer, marked):
        send_due(running.desk, FakeSmtp(altair=answer).connect)
        assert (running.seat("Altair").unreachable_since is not None) == marked
        assert len(running.outbox("alarm")) == marked

    def test_a_mail_that_is_tried_again_may_be_refused_again(self, running):
        for _ in range(2):
            send_due(running.desk, FakeSmtp(altair=Rejected(550, "5.1.1 no such user")).connect)
            assert running.seat("Altair").unreachable_since == running.now
            running.now += timedelta(hours=1)
            running.send("Altair", "STATUS")
            with running.work() as work:
                retry(work, report(running).id)

    def test_three_times_in_a_week(self, running):
        for number in range(1, 4):
            send_due(running.desk, FakeSmtp(altair=Rejected(552, "5.2.2 mailbox full")).connect)
            assert (running.seat("Altair").unreachable_since is not None) == (number == 3)
            running.now += DAY / 2
            running.send("Altair" if number < 3 else "Borealis", f"Add {number}")

    @pytest.mark.parametrize("code", ["5.1.7", "5.1.8", "5.1.90", "5.1.11", "5.2.252", "5.2.3", "5.2.4"])
    def test_a_code_about_us_or_the_mail_never_does(self, running, code):
        for number in range(1, 5):
            send_due(running.desk, FakeSmtp(altair=Rejected(550, f"{code} no")).connect)
            running.now += DAY / 2
            running.send("Altair", f"Add {number}")
        assert running.seat("Altair").unreachable_since is None


@given(
    status=st.sampled_from(["5.1.1", "5.2.2", "4.2.2", "", "junk"]),
    kind=st.sampled_from(["report", "acknowledgement", "alarm"]),
    extra=st.text(alphabet="\n aA9#.:=", max_size=40),
    orders=st.sampled_from(["Add 9", "CANCEL ORDERS", "RESIGN", "#orders TAG\nAdd 9\n#end", "EXTEND 9h"]),
    matched=st.booleans(),
)
@settings(max_examples=dose(12, 40), deadline=None)
def test_no_bounce_ever_changes_orders(tmp_path_factory, status, kind, extra, orders, matched):
    """Whatever a bounce says, and though it has the seat's token in it."""
    world = World(tmp_path_factory.mktemp("bounces"))
    try:
        world.count()
        world.send("Altair", "Add 3\nEXTEND 9 days")
        send(world)
        mail = world.outbox(kind)[0]
        before = (
            world.game().position,
            world.game().deadline,
            world.submissions(),
            len(world.journal()),
            world.seat("Altair").state,
        )
        tag = world.reply_address("Altair").partition("+")[2].partition("@")[0]
        text = f"{extra}\n{orders.replace('TAG', tag)}\n"
        to = f"games+b.{mail.nonce}@pbmd.test" if matched else world.reply_address("Altair")
        raw = dsn(address_of("Altair"), status, returned=mail.message_id if matched else "", to=to, extra=text)
        world.arrive(raw.replace(b"From: Mail Delivery System <MAILER-DAEMON@mx.players.test>", b"From: altair@players.test"))
        world.arrive(raw)
        process_letters(world.desk)
        after = (
            world.game().position,
            world.game().deadline,
            world.submissions(),
            len(world.journal()),
            world.seat("Altair").state,
        )
        assert repr(after) == repr(before)
        assert len(world.rows(Bounce)) == (2 if matched else 0)
        assert all(row.state is OutboxState.SENT for row in world.outbox() if row.id == mail.id)
    finally:
        world.close()


def test_settings_of_the_return_path_do_not_matter_for_matching(world):
    settings_ = world.desk.settings
    world.desk = replace(
        world.desk, settings=settings_.model_copy(update={"smtp": settings_.smtp.model_copy(update={"bounce_address": True})})
    )
    world.count()
    send(world)
    mail = report(world)
    assert mail.envelope_from == f"games+b.{mail.nonce}@pbmd.test"
    bounce(world, mail, returned="", to=mail.envelope_from)
    assert fresh(world, mail).bounced_at == world.now
