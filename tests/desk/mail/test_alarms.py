"""Alarms: a line in the log and one mail to the game master, and never a flood."""

import os
import shutil
import subprocess
from datetime import timedelta

import pytest
from sqlmodel import select

from pbmd.desk.due.outages import note_unreadable
from pbmd.desk.mail.alarms import AGAIN, MOST_MAILS, alarm, all_clear, watch
from pbmd.desk.mailroom import process_letters
from pbmd.ledger.tables import Alarm, Mailbox, Outbox, OutboxState
from tests.desk.world import World, body_of, message_of

HOUR, MINUTE, SECOND = timedelta(hours=1), timedelta(minutes=1), timedelta(seconds=1)


@pytest.fixture
def quiet(world):
    """A desk with nothing to do, whose mailbox was just read."""
    world.settle(alarms={"disk_megabytes": 0})
    world.read_mailbox()
    return world


def alarms(world: World) -> list[str]:
    return [line.detail.partition(":")[0] for line in world.log("alarm")]


def queue(world: World, key: str, state: OutboxState = OutboxState.QUEUED, **more) -> None:
    with world.work() as work:
        row = {"game_id": None, "seat_id": None, "recipient": "anna@players.test", "envelope_from": "", "message_id": key}
        when = {"queued_at": world.now, "next_try_at": world.now, "sent_at": None}
        rest = {"nonce": key, "answers": "", "raw": b"", "tries": 0, "error": ""}
        work.add(Outbox, key=key, kind="notice", state=state, **(row | when | rest | more))


class TestTheMailbox:
    def test_that_was_not_read_for_half_an_hour(self, quiet):
        quiet.now += 29 * MINUTE
        watch(quiet.desk)
        assert alarms(quiet) == []
        quiet.now += MINUTE
        watch(quiet.desk)
        assert alarms(quiet) == ["the mailbox is not read"]
        [mail] = quiet.outbox("alarm")
        assert mail.recipient == "gm@pbmd.test"
        assert message_of(mail)["Subject"] == "[pbmd] ALARM: the mailbox is not read"
        assert "not since Fri 20 Nov 2026 12:00 UTC" in body_of(mail)
        assert "\n  pbmd check --letters\n" in body_of(mail)

    def test_is_alarmed_of_once_and_its_end_is_in_the_log(self, quiet):
        quiet.now += HOUR
        for _ in range(3):
            quiet.now += MINUTE
            watch(quiet.desk)
        quiet.read_mailbox()
        watch(quiet.desk)
        watch(quiet.desk)
        assert (len(quiet.log("alarm")), len(quiet.log("all-clear")), len(quiet.outbox("alarm"))) == (1, 1, 1)

    def test_a_daemon_that_has_just_begun_is_given_time(self, quiet):
        quiet.now += 10 * HOUR
        watch(quiet.desk, since=quiet.now)
        assert alarms(quiet) == []
        watch(quiet.desk)
        assert alarms(quiet) == ["the mailbox is not read"]

    def test_one_of_which_nothing_was_noted_since_the_daemon_began(self, quiet):
        with quiet.work() as work:
            for box in work.session.exec(select(Mailbox)):
                box.read_through = None
                work.session.add(box)
        begun = quiet.now
        watch(quiet.desk, since=begun)
        assert alarms(quiet) == []
        quiet.now += 31 * MINUTE
        watch(quiet.desk, since=begun)
        assert alarms(quiet) == ["the mailbox is not read"]

    def test_one_that_could_never_be_read(self, world):
        watch(world.desk, kinds=["mailbox"])
        note_unreadable(world.desk)
        world.now += 31 * MINUTE
        watch(world.desk, kinds=["mailbox"])
        assert "not once so far" in world.log("alarm")[0].detail

    def test_as_the_settings_say(self, quiet):
        quiet.settle(alarms={"mailbox_minutes": 5, "disk_megabytes": 0})
        quiet.now += 5 * MINUTE
        watch(quiet.desk)
        assert alarms(quiet) == ["the mailbox is not read"]

    def test_never_if_the_settings_say_so(self, quiet):
        quiet.settle(alarms={"mailbox_minutes": 0, "disk_megabytes": 0})
        quiet.now += 500 * HOUR
        watch(quiet.desk)
        assert alarms(quiet) == []


class TestTheOutbox:
    @pytest.fixture(autouse=True)
    def only_the_outbox(self, quiet):
        quiet.settle(alarms={"mailbox_minutes": 0, "disk_megabytes": 0})

    def test_in_which_mail_waits_for_an_hour_and_none_goes_out(self, quiet):
        queue(quiet, "one")
        quiet.now += 59 * MINUTE
        watch(quiet.desk)
        assert alarms(quiet) == []
        quiet.now += MINUTE
        watch(quiet.desk)
        assert (
            quiet.log("alarm")[0].detail
            == "no mail goes out: mail 1 waits since Fri 20 Nov 2026 12:00 UTC, and none has gone out for 1 h"
        )

    def test_is_not_stuck_if_a_newer_mail_has_gone_out(self, quiet):
        queue(quiet, "one")
        quiet.now += 2 * HOUR
        queue(quiet, "two", OutboxState.SENT, sent_at=quiet.now)
        watch(quiet.desk)
        assert alarms(quiet) == []

    def test_is_not_stuck_if_a_server_wants_a_mail_later(self, quiet):
        queue(quiet, "one", next_try_at=quiet.now + 4 * HOUR, tries=5)
        quiet.now += 2 * HOUR
        watch(quiet.desk)
        assert alarms(quiet) == []

    @pytest.mark.parametrize("state", [OutboxState.HELD, OutboxState.FAILED])
    def test_is_not_stuck_for_what_is_not_to_go_out(self, quiet, state):
        queue(quiet, "one", state)
        quiet.now += 2 * HOUR
        watch(quiet.desk)
        assert alarms(quiet) == []

    def test_is_clear_when_mail_goes_out_again(self, quiet):
        queue(quiet, "one")
        quiet.now += HOUR
        watch(quiet.desk)
        with quiet.work() as work:
            mail = work.session.get(Outbox, 1)
            mail.state, mail.sent_at = OutboxState.SENT, quiet.now
        watch(quiet.desk)
        assert len(quiet.log("all-clear")) == 1


class TestTheDisk:
    def test_with_less_room_than_the_settings_say(self, quiet):
        quiet.settle(alarms={"disk_megabytes": 10**9})
        watch(quiet.desk)
        assert alarms(quiet) == ["the disk is nearly full"]
        quiet.settle(alarms={"disk_megabytes": 0})
        watch(quiet.desk)
        assert len(quiet.log("all-clear")) == 1

    @pytest.mark.skipif(os.geteuid() != 0, reason="a small disk takes a mount, and that takes root")
    def test_that_really_fills(self, tmp_path):
        small = tmp_path / "small"
        small.mkdir()
        mounted = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", str(small)], capture_output=True, check=False
        )
        if mounted.returncode:
            pytest.skip("this machine lets nobody mount a small disk")
        world = World(small)
        try:
            world.settle(alarms={"disk_megabytes": 10})
            watch(world.desk)
            assert alarms(world) == []
            (small / "filler").write_bytes(b"x" * (shutil.disk_usage(small).free - 9_000_000))
            watch(world.desk)
            assert "8 MB are free" in world.log("alarm")[0].detail
            assert len(world.outbox("alarm")) == 1
            (small / "filler").unlink()
            watch(world.desk)
            assert len(world.log("all-clear")) == 1
        finally:
            world.close()
            subprocess.run(["umount", str(small)], check=True)


class TestNeverAFlood:
    def test_what_comes_and_goes_makes_lines_and_one_mail_in_six_hours(self, quiet):
        for _ in range(10):
            with quiet.work() as work:
                alarm(work, "outbox", "it is stuck")
            with quiet.work() as work:
                all_clear(work, "outbox", "it is not")
            quiet.now += 10 * MINUTE
        assert (len(quiet.log("alarm")), len(quiet.outbox("alarm"))) == (10, 1)
        quiet.now += AGAIN
        with quiet.work() as work:
            alarm(work, "outbox", "it is stuck")
        assert len(quiet.outbox("alarm")) == 2

    def test_one_kind_does_not_keep_another_quiet(self, quiet):
        with quiet.work() as work:
            alarm(work, "outbox", "it is stuck")
            alarm(work, "disk", "it is full")
        assert len(quiet.outbox("alarm")) == 2

    def test_nothing_is_written_where_nothing_has_changed(self, quiet):
        quiet.now += HOUR
        watch(quiet.desk)
        before = [row.model_dump() for row in quiet.rows(Alarm)]
        quiet.now += MINUTE
        watch(quiet.desk)
        assert [row.model_dump() for row in quiet.rows(Alarm)] == before


class TestALetterThatCrashesTheParser:
    @pytest.fixture
    def crashing(self, running, monkeypatch):
        """A desk on which the reading of some letters breaks, so that nobody knows whose they are."""
        from pbmd.desk.letter import opening

        real = opening.read_letter

        def breaks(raw, *more):
            if b"crash" in raw:
                raise RecursionError("the letter says crash, and a secret")
            return real(raw, *more)

        monkeypatch.setattr(opening, "read_letter", breaks)
        return running

    def test_is_kept_and_all_others_are_dealt_with(self, crashing):
        crashing.arrive(crashing.letter("Altair", "crash"))
        crashing.arrive(crashing.letter("Borealis", "Add 2"))
        process_letters(crashing.desk)
        assert [letter.state.value for letter in crashing.letters()] == ["quarantined", "done"]
        assert crashing.sheet("Borealis") == ["Add 2"]

    def test_is_told_to_the_game_master_with_its_number_and_none_of_its_words(self, crashing):
        crashing.arrive(crashing.letter("Altair", "crash"))
        process_letters(crashing.desk)
        [mail] = crashing.outbox("alarm")
        assert "letter 1: RecursionError in" in " ".join(body_of(mail).split())
        assert "a secret" not in body_of(mail)
        assert "a secret" not in "".join(line.detail for line in crashing.log())
        assert "pbmd letters --quarantined" in body_of(mail)

    def test_a_hundred_of_them_are_a_hundred_lines_and_some_mails(self, crashing):
        for number in range(100):
            crashing.arrive(crashing.letter("", f"crash {number}", sender="mallory@evil.test", to="games@pbmd.test"))
        process_letters(crashing.desk)
        assert (len(crashing.log("quarantine")), len(crashing.log("alarm"))) == (100, MOST_MAILS)
        mails = [" ".join(body_of(mail).split()) for mail in crashing.outbox("alarm")]
        assert [f"letter {number}: RecursionError" in mail for number, mail in enumerate(mails, start=1)] == [True] * MOST_MAILS
        assert ["If there are more, a mail will say then how many." in mail for mail in mails] == [False] * 4 + [True]

    def test_how_many_more_there_were_is_told_when_mails_may_go_out_again(self, crashing):
        for number in range(100):
            crashing.arrive(crashing.letter("", f"crash {number}", sender="mallory@evil.test", to="games@pbmd.test"))
        process_letters(crashing.desk)
        began = crashing.now
        for _ in range(3):
            crashing.now += AGAIN / 2 + MINUTE
            crashing.read_mailbox()
            watch(crashing.desk, kinds=["mailbox"])
        told = [mail for mail in crashing.outbox("alarm") if mail.queued_at > began]
        assert [mail.queued_at - began for mail in told] == [AGAIN + 2 * MINUTE], "once"
        words = " ".join(body_of(told[0]).split())
        assert "A letter could not be dealt with: 95 more since Fri 20 Nov 2026 12:00 UTC: letter 6, letter 7," in words
        assert "letter 15, and others" in words
        assert "\n  pbmd letters --quarantined\n" in body_of(told[0])
