"""Two daemons on one mailbox: the second sees the sign of the first, on a real Dovecot, and clocks that the test sets."""

import logging
import re
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from imapclient import IMAPClient

from pbmd.post.imap.fetch_reader import FetchItem
from pbmd.post.imap.fetched import Watermark
from pbmd.post.imap.inbox import Inbox
from pbmd.post.imap.lock import (
    FOLDER,
    LASTS,
    RENEW_SECONDS,
    Installation,
    Lock,
    MailboxTaken,
    Sign,
    read_sign,
    rival,
    word_left,
    written,
)
from pbmd.post.imap.wire import Client, Refused
from tests.mailservers import PASSWORD, Dovecot, letter

NOON = datetime(2026, 3, 1, 12, 0, 0, tzinfo=UTC)
HERE = Installation("aaaa", "apollo", "/srv/pbmd/data")
THERE = Installation("bbbb", "zeus", "/home/anna/data")


class Clock:
    """Seconds as the test wants them."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class Daemons:
    """Connections to one fresh mailbox, closed when the test ends."""

    def __init__(self, dovecot: Dovecot) -> None:
        self.dovecot = dovecot
        self.user = dovecot.new_user()
        self._open: list[Inbox] = []

    def inbox(self, folder: str = "INBOX") -> Inbox:
        """Another connection, as of another daemon."""
        inbox = Inbox(self.dovecot.account(self.user, folder=folder))
        self._open.append(inbox)
        inbox.connect()
        return inbox

    def holds(self, by: Installation, folder: str = "INBOX") -> tuple[Inbox, Lock, Clock]:
        """A daemon that has put up its sign."""
        clock = Clock()
        inbox, lock = self.inbox(folder), Lock(by, clock=clock)
        inbox.hold(lock)
        return inbox, lock, clock

    def holds_at(self, wrong: timedelta, by: Installation) -> tuple[Inbox, Lock]:
        """A daemon whose own clock is wrong by so much."""
        inbox, lock = Inbox(self.dovecot.account(self.user), now=lambda: datetime.now(UTC) + wrong), Lock(by)
        self._open.append(inbox)
        inbox.connect()
        inbox.hold(lock)
        return inbox, lock

    def client(self) -> IMAPClient:
        """A person's mail program."""
        client = IMAPClient("localhost", self.dovecot.imap_port, ssl=False)
        client.login(self.user, PASSWORD)
        return client

    def signs(self) -> list[Installation]:
        """Whose signs are in the folder."""
        with closing(self.inbox()) as inbox:
            items = inbox._client.newest_messages(FOLDER, 100, 4000)
        return [sign.by for item in items if (sign := read_sign(item))]

    def put(self, raw: bytes, age: timedelta = timedelta(0)) -> None:
        """A message in the folder, of that age by the server's clock."""
        with self.client() as client:
            if not client.folder_exists(FOLDER):
                client.create_folder(FOLDER)
            client.append(FOLDER, raw, msg_time=datetime.now(UTC) - age)

    def close(self) -> None:
        for inbox in self._open:
            inbox.close()


@pytest.fixture
def daemons(dovecot: Dovecot) -> Iterator[Daemons]:
    daemons = Daemons(dovecot)
    yield daemons
    daemons.close()


@pytest.mark.dovecot
class TestOnARealServer:
    def test_the_second_daemon_is_told_who_reads_the_mailbox_and_leaves_no_trace(self, daemons: Daemons):
        daemons.holds(HERE)
        with pytest.raises(MailboxTaken, match=r"another pbmd reads INBOX already: on apollo, data folder /srv/pbmd/data;"):
            daemons.holds(THERE)
        assert daemons.signs() == [HERE]

    def test_the_first_goes_on_after_the_second_was_refused(self, daemons: Daemons):
        inbox, lock, _ = daemons.holds(HERE)
        with pytest.raises(MailboxTaken):
            daemons.holds(THERE)
        inbox.hold(lock)
        assert daemons.signs() == [HERE]

    def test_after_a_kill_the_same_installation_goes_on_at_once(self, daemons: Daemons):
        daemons.holds(HERE)
        daemons.holds(HERE)
        assert daemons.signs() == [HERE]

    def test_who_leaves_word_keeps_nobody_out_and_is_heard_once(self, daemons: Daemons):
        inbox, lock, _ = daemons.holds(HERE)
        inbox.release(lock, leaves_word=True)
        assert daemons.signs() == []
        second, follows, _ = daemons.holds(THERE)
        assert follows.followed is not None
        assert follows.followed.by == HERE
        assert follows.followed.put_at is not None
        second.hold(follows)
        assert follows.followed is None

    def test_nobody_follows_itself_nor_who_read_another_folder(self, daemons: Daemons):
        for by, folder in ((HERE, "INBOX"), (THERE, "Other")):
            inbox, lock, _ = daemons.holds(by, folder)
            inbox.release(lock, leaves_word=True)
        assert daemons.holds(HERE)[1].followed is None

    def test_a_word_that_was_delivered_is_none(self, daemons: Daemons):
        daemons.put(b"Received: from evil\r\n" + word_left("m1", "INBOX", HERE))
        assert daemons.holds(THERE)[1].followed is None

    def test_another_installation_may_read_when_the_sign_is_an_hour_old(self, daemons: Daemons):
        daemons.put(written("m1", "INBOX", HERE), age=LASTS + timedelta(seconds=2))
        daemons.holds(THERE)
        assert daemons.signs() == [THERE]  # and the old one is gone

    def test_another_installation_may_not_read_shortly_before(self, daemons: Daemons):
        daemons.put(written("m1", "INBOX", HERE), age=LASTS - timedelta(minutes=1))
        with pytest.raises(MailboxTaken, match="apollo"):
            daemons.holds(THERE)

    @pytest.mark.parametrize("wrong", [timedelta(days=-3), timedelta(days=3)], ids=["behind", "ahead"])
    def test_who_is_there_is_seen_whatever_the_clock_of_this_machine_says(self, daemons: Daemons, wrong: timedelta):
        daemons.holds(HERE)
        with pytest.raises(MailboxTaken):
            daemons.holds_at(wrong, THERE)
        assert daemons.signs() == [HERE]

    @pytest.mark.parametrize("wrong", [timedelta(days=-3), timedelta(days=3)], ids=["behind", "ahead"])
    def test_who_is_gone_is_seen_whatever_the_clock_of_this_machine_says(self, daemons: Daemons, wrong: timedelta):
        daemons.put(written("m1", "INBOX", HERE), age=LASTS + timedelta(seconds=2))
        daemons.holds_at(wrong, THERE)
        assert daemons.signs() == [THERE]

    @pytest.mark.parametrize(("wrong", "keeps_out"), [(timedelta(days=400), False), (timedelta(minutes=30), True)])
    def test_a_sign_from_a_time_when_the_server_was_ahead_keeps_nobody_out_for_long(
        self, daemons: Daemons, monkeypatch: pytest.MonkeyPatch, wrong: timedelta, keeps_out: bool
    ):
        """Dovecot itself stamps nothing with a time to come, so what it says of the old sign is changed here."""
        daemons.put(written("m1", "INBOX", HERE))
        newest = Client.newest_messages

        def as_stamped_then(*args: Any) -> list[FetchItem]:
            items = newest(*args)
            old = [item for item in items if b"mark: m1" in (item.body or b"")]
            stamped = [replace(item, arrived_at=item.arrived_at and item.arrived_at + wrong) for item in old]
            return [*stamped, *(item for item in items if item not in old)]

        monkeypatch.setattr(Client, "newest_messages", as_stamped_then)
        if keeps_out:
            with pytest.raises(MailboxTaken) as caught:
                daemons.holds(THERE)
            until = datetime.now(UTC) + wrong + LASTS
            told = re.findall(r"or wait until (.*) UTC by the mail server's clock", str(caught.value))
            assert abs(datetime.fromisoformat(f"{told[0]}+00:00") - until) < timedelta(minutes=2)
        else:
            daemons.holds(THERE)
            assert daemons.signs() == [THERE]

    @pytest.mark.parametrize("wrong", [timedelta(0), timedelta(minutes=15), timedelta(minutes=-15)])
    def test_by_how_much_the_clock_of_the_server_is_ahead_is_read_off_the_sign(self, daemons: Daemons, wrong: timedelta):
        inbox, lock = daemons.holds_at(wrong, HERE)
        for found in (lock.server_ahead, inbox.server_ahead()):
            assert found is not None
            assert abs(found + wrong) < timedelta(seconds=5)
            assert wrong or not found
        assert daemons.signs() == [HERE]

    def test_a_clone_of_the_whole_machine_is_kept_out_while_the_original_runs(self, daemons: Daemons):
        inbox, lock, _ = daemons.holds(HERE)
        with pytest.raises(MailboxTaken, match=r"on apollo, .* a copy of this one"):
            daemons.holds(replace(HERE, host="apollo-2"))
        inbox.hold(lock)
        assert daemons.signs() == [HERE]

    def test_the_first_goes_on_when_it_renews_its_sign_just_as_a_second_comes(self, daemons: Daemons):
        inbox, lock, _ = daemons.holds(HERE)
        other = daemons.inbox()._client
        other.put_message(FOLDER, written("m2", "INBOX", THERE))  # and has not looked yet who was there before
        inbox.hold(lock)
        assert HERE in daemons.signs()

    def test_in_a_mailbox_that_takes_no_sign_who_is_there_is_seen_all_the_same(
        self, daemons: Daemons, monkeypatch: pytest.MonkeyPatch
    ):
        daemons.holds(HERE)

        def is_full(*_: object) -> None:
            raise Refused("[OVERQUOTA] Quota exceeded")

        monkeypatch.setattr(Client, "put_message", is_full)
        with pytest.raises(MailboxTaken, match="on apollo"):
            daemons.holds(THERE)

    def test_a_clean_end_gives_the_mailbox_free(self, daemons: Daemons):
        inbox, lock, _ = daemons.holds(HERE)
        inbox.release(lock)
        assert daemons.signs() == []
        daemons.holds(THERE)

    def test_who_deletes_the_message_gives_the_mailbox_free(self, daemons: Daemons):
        daemons.holds(HERE)
        with daemons.client() as client:
            client.delete_folder(FOLDER)
        daemons.holds(THERE)
        assert daemons.signs() == [THERE]

    def test_a_daemon_whose_sign_was_deleted_puts_up_another(self, daemons: Daemons):
        inbox, lock, _ = daemons.holds(HERE)
        with daemons.client() as client:
            client.delete_folder(FOLDER)
        inbox.hold(lock)
        assert daemons.signs() == [HERE]

    def test_a_daemon_that_was_away_for_long_gives_way_to_who_came_meanwhile(self, daemons: Daemons):
        inbox, lock, _ = daemons.holds(HERE)
        with daemons.client() as client:
            client.delete_folder(FOLDER)  # as if it had become old
        daemons.holds(THERE)
        with pytest.raises(MailboxTaken, match="on zeus"):
            inbox.hold(lock)
        assert daemons.signs() == [THERE]

    def test_a_copy_of_the_data_folder_that_took_over_is_noticed(self, daemons: Daemons):
        first, lock, _ = daemons.holds(HERE)
        daemons.holds(HERE)
        with pytest.raises(MailboxTaken, match="a copy of this one"):
            first.hold(lock)

    def test_several_that_settle_it_among_themselves_keep_nobody_of_them_away_but_all_others(self, daemons: Daemons):
        first, second = Lock(HERE, of_several=True), Lock(HERE, of_several=True)
        one, two = daemons.inbox(), daemons.inbox()
        one.hold(first)  # its database is gone, and its turn; it could not take its sign away
        two.hold(second)
        one.hold(first)
        two.hold(second)
        assert daemons.signs() == [HERE]
        with pytest.raises(MailboxTaken):
            daemons.holds(THERE)
        one.release(first)
        daemons.holds(THERE)
        with pytest.raises(MailboxTaken, match="on zeus"):
            two.hold(second)

    def test_of_two_that_come_at_once_the_one_whose_message_was_first_goes_on(self, daemons: Daemons):
        first, second = Lock(HERE), Lock(THERE)
        one, two = daemons.inbox(), daemons.inbox()
        look, looked = first._look, []

        def look_and_let_the_other_in(*args):
            signs = look(*args)
            looked.append(signs)
            if len(looked) == 1:  # nobody is there; now both put their message in, this one second
                two.hold(second)
            return signs

        first._look = look_and_let_the_other_in
        with pytest.raises(MailboxTaken, match="on zeus"):
            one.hold(first)
        assert daemons.signs() == [THERE]

    def test_two_may_read_two_folders_of_one_mailbox(self, daemons: Daemons):
        with daemons.client() as client:
            client.create_folder("Orders")
        daemons.holds(HERE)
        daemons.holds(THERE, "Orders")
        assert daemons.signs() == [HERE, THERE]

    def test_a_letter_delivered_into_the_folder_is_no_sign(self, daemons: Daemons):
        daemons.dovecot.deliver(daemons.user, written("m1", "INBOX", THERE))
        with daemons.client() as client:
            client.create_folder(FOLDER)
            client.select_folder("INBOX")
            client.move([1], FOLDER)
        daemons.holds(HERE)
        assert daemons.signs() == [HERE]

    def test_holding_and_letting_go_touch_no_letter(self, daemons: Daemons):
        daemons.dovecot.deliver(daemons.user, letter("a"), letter("b"))
        with daemons.client() as client:
            client.select_folder("INBOX")
            client.add_flags([1], [r"\Deleted"])  # by a person; an expunge in the wrong folder would remove it
        inbox, lock, _ = daemons.holds(HERE)
        inbox.release(lock)
        [letters] = inbox.scan(Watermark(0, 0))
        assert len(letters) == 2

    def test_after_a_look_for_others_letters_are_tidied_and_awaited_in_their_own_folder(self, daemons: Daemons):
        daemons.dovecot.deliver(daemons.user, letter("a"))
        inbox, lock, _ = daemons.holds(HERE)
        [[fetched]] = inbox.scan(Watermark(0, 0))
        inbox.hold(lock)
        assert inbox.tidy([fetched.uid], fetched.uidvalidity)
        assert list(inbox.scan(Watermark(0, 0))) == []
        assert daemons.signs() == [HERE]

    def test_a_server_that_keeps_no_such_folder_does_not_keep_pbmd_from_reading(
        self, daemons: Daemons, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr("pbmd.post.imap.lock.FOLDER", "x" * 400)
        with caplog.at_level(logging.WARNING):
            inbox, lock, _ = daemons.holds(HERE)
            inbox.release(lock)
        assert "a second pbmd on this mailbox would not be seen" in caplog.text
        assert list(inbox.scan(Watermark(0, 0))) == []


@pytest.mark.dovecot
def test_a_sign_is_looked_after_at_first_and_every_twenty_minutes(daemons: Daemons):
    assert Lock(HERE).due
    inbox, lock, clock = daemons.holds(HERE)
    assert not lock.due
    clock.now += RENEW_SECONDS - 1
    assert not lock.due
    clock.now += 1
    assert lock.due
    inbox.hold(lock)
    assert not lock.due


def test_a_sign_says_who_reads_what():
    here = Installation("aaaa", "höst", "/srv/Spiele: é\r\nReceived: x/data")
    sign = read_sign(FetchItem(7, arrived_at=NOON, body=written("m1", "Aufträge/1", here)))
    assert sign is not None
    assert (sign.uid, sign.put_at, sign.mark, sign.folder, sign.by.name, sign.by.host) == (
        7,
        NOON,
        "m1",
        "Aufträge/1",
        "aaaa",
        "höst",
    )
    assert sign.by.data == "/srv/Spiele: é??Received: x/data"  # nothing that could trick a terminal


@pytest.mark.parametrize("field", ["Received: from x", "Return-Path: <>", "Delivered-To: gm@pbmd.test", "X-Original-To: gm"])
def test_what_was_delivered_is_no_sign(field: str):
    assert read_sign(FetchItem(7, arrived_at=NOON, body=f"{field}\r\n".encode() + written("m1", "INBOX", HERE))) is None


@pytest.mark.parametrize("body", [None, b"", b"\xff\x00", b"Subject: x\r\n\r\nhello: you\r\n", b"mark: m1\r\n" * 900])
def test_any_other_message_is_no_sign(body: bytes | None):
    assert read_sign(FetchItem(7, arrived_at=NOON, body=body)) is None


def a_sign(age: timedelta | None, by: Installation = THERE, folder: str = "INBOX") -> Sign:
    return Sign(1, None if age is None else NOON - age, "m", folder, by)


@pytest.mark.parametrize(
    ("sign", "counts"),
    [
        (a_sign(timedelta(0)), True),
        (a_sign(timedelta(minutes=-5)), True),  # from a moment after ours
        (a_sign(LASTS - timedelta(seconds=1)), True),
        (a_sign(LASTS), False),
        (a_sign(-LASTS), True),
        (a_sign(-LASTS - timedelta(seconds=1)), False),  # it would not become old for too long
        (a_sign(None), False),  # it could never become old
        (a_sign(timedelta(0), folder="inbox"), True),  # RFC 3501 section 5.1
        (a_sign(timedelta(0), folder="Orders"), False),
        (a_sign(timedelta(0), by=HERE), False),
    ],
)
def test_a_rival_is_somebody_else_who_reads_the_same_folder_now(sign: Sign, counts: bool):
    assert (rival([sign], "INBOX", lambda each: each.by == HERE, NOON) == sign) is counts
