"""The inbox against a real Dovecot."""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta
from itertools import chain
from subprocess import CalledProcessError
from typing import Any

import pytest

from pbmd.post.accounts import Secret
from pbmd.post.imap import fetched as fetched_module
from pbmd.post.imap import inbox as inbox_module
from pbmd.post.imap.connection import InboxLost, LoginRefused
from pbmd.post.imap.fetched import Fetched, Look, Watermark
from pbmd.post.imap.inbox import Inbox
from pbmd.post.imap.lock import Installation, Lock
from pbmd.post.imap.wire import Client
from tests.mailservers import DOMAIN, Dovecot, Postfix, letter, running_dovecot

pytestmark = pytest.mark.dovecot
BEGINNING = Watermark(0, 0)
LONG = 600.0
"""So long, or for a renewal of IDLE, lasts a wait that nothing ends."""
SOON = 60.0
"""So soon ends one that something does end, however slow the machine is."""


class Mailbox:
    """A fresh user of the Dovecot and inboxes on it, closed when the test ends."""

    def __init__(self, dovecot: Dovecot) -> None:
        self.dovecot = dovecot
        self.user = dovecot.new_user()
        self._open: list[Inbox] = []

    def receives(self, *subjects: str, body: str = "Move 3 from Terra to Sirius\n") -> None:
        self.dovecot.deliver(self.user, *(letter(subject, body) for subject in subjects))

    def inbox(self, **changes: Any) -> Inbox:
        inbox = Inbox(self.dovecot.account(self.user, **changes))
        self._open.append(inbox)
        inbox.connect()
        return inbox

    def close(self) -> None:
        for inbox in self._open:
            inbox.close()

    def folder(self, name: str) -> list[str]:
        """The subjects in a folder, as Dovecot's own tool sees them."""
        told = self.dovecot.doveadm("fetch", "-u", self.user, "hdr.subject", "mailbox", name, "all")
        return [line.removeprefix("hdr.subject: ") for line in told.splitlines() if line.startswith("hdr.subject")]

    def flags(self) -> list[str]:
        told = self.dovecot.doveadm("fetch", "-u", self.user, "flags", "mailbox", "INBOX", "all")
        return [line.removeprefix("flags:").strip() for line in told.splitlines() if line.startswith("flags")]


@pytest.fixture
def mailbox(dovecot: Dovecot) -> Iterator[Mailbox]:
    mailbox = Mailbox(dovecot)
    yield mailbox
    mailbox.close()


@pytest.fixture
def stop() -> Iterator[tuple[socket.socket, socket.socket]]:
    """(what the inbox watches, what a test writes to)"""
    watched, written = socket.socketpair()
    with watched, written:
        yield watched, written


def subject(fetched: Fetched) -> str:
    return next(line for line in fetched.raw.decode().splitlines() if line.startswith("Subject: ")).removeprefix("Subject: ")


def subjects(inbox: Inbox, watermark: Watermark = BEGINNING) -> list[list[str]]:
    return [[subject(fetched) for fetched in batch] for batch in inbox.scan(watermark)]


def watermark_of(fetched: Fetched) -> Watermark:
    return Watermark(fetched.uidvalidity, fetched.uid)


# Scanning


def test_an_empty_mailbox_has_no_letters(mailbox: Mailbox):
    assert list(mailbox.inbox().scan(BEGINNING)) == []


def test_a_letter_comes_with_its_bytes_and_its_arrival(mailbox: Mailbox):
    before = datetime.now(UTC) - timedelta(seconds=1)
    raw = letter("Orders", "Grüße, café\n..dots\n")
    mailbox.dovecot.deliver(mailbox.user + "+tag", raw)
    [[fetched]] = mailbox.inbox().scan(BEGINNING)
    assert fetched.raw.endswith(raw)
    assert f"Delivered-To: {mailbox.user}+tag@{DOMAIN}".encode() in fetched.raw
    assert fetched.size == len(fetched.raw)
    assert not fetched.truncated
    assert before <= fetched.arrived_at <= datetime.now(UTC)
    assert not fetched.arrival_is_of_scan


def test_letters_come_by_rising_uid_in_batches_of_limited_count(mailbox: Mailbox, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(fetched_module, "BATCH_LETTERS", 2)
    mailbox.receives("a", "b", "c", "d", "e")
    assert subjects(mailbox.inbox()) == [["a", "b"], ["c", "d"], ["e"]]


def test_batches_are_limited_in_bytes(mailbox: Mailbox, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(inbox_module, "BATCH_BYTES", 3000)
    mailbox.receives("a", "b", "c")
    mailbox.receives("long", body="x" * 5000 + "\n")
    mailbox.receives("d", "e")
    assert subjects(mailbox.inbox()) == [["a", "b", "c"], ["long"], ["d", "e"]]


def test_a_large_range_of_uids_is_searched_in_spans(mailbox: Mailbox, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(inbox_module, "SEARCH_SPAN", 2)
    mailbox.receives("a", "b", "c", "d", "e")
    assert list(chain(*subjects(mailbox.inbox()))) == ["a", "b", "c", "d", "e"]


def test_uids_of_billions_are_found_at_once_and_so_are_those_after_a_great_gap(
    mailbox: Mailbox, monkeypatch: pytest.MonkeyPatch
):
    searches: list[str] = []
    search = Client.search

    def counted(client: Client, criteria: str) -> list[int]:
        searches.append(criteria)
        return search(client, criteria)

    monkeypatch.setattr(Client, "search", counted)
    mailbox.receives("a")
    mailbox.dovecot.doveadm("mailbox", "update", "-u", mailbox.user, "--min-next-uid", "3000000000", "INBOX")
    mailbox.receives("b", "c", "d")
    assert list(chain(*subjects(mailbox.inbox()))) == ["a", "b", "c", "d"]
    assert len(searches) == 1
    monkeypatch.setattr(inbox_module, "SEARCH_SPAN", 2)
    searches.clear()
    assert list(chain(*subjects(mailbox.inbox()))) == ["a", "b", "c", "d"]
    assert len(searches) == 4
    third = list(chain(*mailbox.inbox().scan(BEGINNING)))[2]
    assert third.uid > 3_000_000_000
    assert list(chain(*subjects(mailbox.inbox(), watermark_of(third)))) == ["d"]


def test_only_what_is_above_the_watermark_is_read(mailbox: Mailbox):
    mailbox.receives("a", "b")
    inbox = mailbox.inbox()
    [[_, second]] = inbox.scan(BEGINNING)
    assert list(inbox.scan(watermark_of(second))) == []
    mailbox.receives("c")
    assert subjects(inbox, watermark_of(second)) == [["c"]]


def test_a_new_uidvalidity_makes_all_letters_new(mailbox: Mailbox):
    mailbox.receives("a", "b")
    [[_, second]] = mailbox.inbox().scan(BEGINNING)
    mailbox.dovecot.set_uidvalidity(mailbox.user, second.uidvalidity + 1)
    [[first, again]] = mailbox.inbox().scan(watermark_of(second))
    assert (subject(first), subject(again)) == ("a", "b")
    assert first.uidvalidity == second.uidvalidity + 1


def test_flags_neither_hide_a_letter_nor_change_by_reading(mailbox: Mailbox):
    mailbox.receives("read by a person", "unread")
    mailbox.dovecot.doveadm("flags", "add", "-u", mailbox.user, r"\Seen", "mailbox", "INBOX", "1")
    assert subjects(mailbox.inbox()) == [["read by a person", "unread"]]
    assert ["Seen" in flags for flags in mailbox.flags()] == [True, False]


def test_of_a_letter_that_is_too_long_only_the_beginning_is_fetched(mailbox: Mailbox):
    mailbox.receives("short")
    mailbox.receives("long", body="x" * 20_000 + "\n")
    mailbox.receives("last")
    [[short, long, last]] = mailbox.inbox(max_letter_bytes=2000).scan(BEGINNING)
    assert (short.truncated, long.truncated, last.truncated) == (False, True, False)
    assert len(long.raw) == 2000
    assert long.size > 20_000
    assert subject(long) == "long"


def test_a_letter_that_vanishes_during_the_scan_is_left_out(mailbox: Mailbox, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(inbox_module, "BATCH_BYTES", 1)
    mailbox.receives("a", "b", "c")
    batches = mailbox.inbox().scan(BEGINNING)
    seen = [subject(fetched) for fetched in next(batches)]
    mailbox.dovecot.doveadm("expunge", "-u", mailbox.user, "mailbox", "INBOX", "header", "subject", "b")
    seen += [subject(fetched) for batch in batches for fetched in batch]
    assert seen == ["a", "c"]


def test_a_letter_that_vanishes_between_its_size_and_its_text_is_left_out(mailbox: Mailbox):
    mailbox.receives("a", "b", "c")
    inbox = mailbox.inbox()
    sizes = inbox._sizes

    def sizes_and_then_gone(uids: Any, **how: Any) -> dict[int, int]:
        found = sizes(uids, **how)
        mailbox.dovecot.doveadm("expunge", "-u", mailbox.user, "mailbox", "INBOX", "header", "subject", "b")
        return found

    inbox._sizes = sizes_and_then_gone
    assert subjects(inbox) == [["a", "c"]]


def read_on(mailbox: Mailbox, inbox: Inbox, watermark: Watermark) -> list[Fetched]:
    """What the daemon does: scan, and connect again when the connection is lost."""
    for _ in range(3):
        try:
            return list(chain(*inbox.scan(watermark)))
        except InboxLost:
            inbox.connect()
    raise AssertionError("lost again and again")


def make_anew(mailbox: Mailbox, folder: str, uidvalidity: int) -> None:
    """A folder that was deleted, with the UIDVALIDITY that it would have seconds later: Dovecot's is the time. A session that
    is still in the deleted one may, as it ends, take away the new one, too; then it is made once more."""
    for _ in range(10):
        mailbox.dovecot.doveadm("mailbox", "create", "-u", mailbox.user, folder)
        with suppress(CalledProcessError):
            mailbox.dovecot.doveadm("mailbox", "update", "-u", mailbox.user, "--uid-validity", str(uidvalidity), folder)
            return
    raise AssertionError(f"{folder} was taken away again and again")


@pytest.mark.parametrize("waits", [False, True], ids=["between two scans", "in IDLE"])
@pytest.mark.parametrize("change", ["renumbered", "made anew"])
def test_a_folder_that_is_changed_under_the_connection_is_read_anew(
    mailbox: Mailbox, stop: tuple[socket.socket, socket.socket], waits: bool, change: str
):
    doveadm, user = mailbox.dovecot.doveadm, mailbox.user
    doveadm("mailbox", "create", "-u", user, "Orders")
    mailbox.receives("old")
    doveadm("copy", "-u", user, "Orders", "mailbox", "INBOX", "all")
    inbox = mailbox.inbox(folder="Orders")
    [[old]] = inbox.scan(BEGINNING)

    def changes() -> None:
        mailbox.receives("new")
        if change == "renumbered":
            doveadm("mailbox", "update", "-u", user, "--uid-validity", str(old.uidvalidity + 7), "Orders")
            doveadm("copy", "-u", user, "Orders", "mailbox", "INBOX", "header", "subject", "new")
        else:
            doveadm("mailbox", "delete", "-u", user, "Orders")
            make_anew(mailbox, "Orders", old.uidvalidity + 7)
            doveadm("copy", "-u", user, "Orders", "mailbox", "INBOX", "all")

    if waits:
        later = threading.Timer(0.1, changes)
        later.start()
        with suppress(InboxLost):  # Dovecot ends the session; another server may tell of mail
            inbox.wait(4, stop[0])
        later.join()
    else:
        changes()
    again = read_on(mailbox, inbox, watermark_of(old))
    assert [subject(fetched) for fetched in again] == ["old", "new"]
    assert all(fetched.uidvalidity != old.uidvalidity for fetched in again)


def test_a_folder_renumbered_in_the_middle_of_a_scan_is_read_by_the_next(mailbox: Mailbox, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(fetched_module, "BATCH_LETTERS", 1)
    mailbox.receives("a", "b", "c")
    inbox = mailbox.inbox()
    scan = inbox.scan(BEGINNING)
    [first] = next(scan)
    mailbox.dovecot.set_uidvalidity(mailbox.user, first.uidvalidity + 7)
    with suppress(InboxLost):
        assert all(fetched.uidvalidity == first.uidvalidity for batch in scan for fetched in batch)
    again = read_on(mailbox, inbox, watermark_of(first))
    assert [(subject(fetched), fetched.uidvalidity) for fetched in again] == [
        (name, first.uidvalidity + 7) for name in ("a", "b", "c")
    ]


def test_a_folder_restored_under_its_old_uidvalidity_is_read_anew(mailbox: Mailbox):
    mailbox.receives("a", "b")
    inbox = mailbox.inbox()
    [[first, _]] = inbox.scan(BEGINNING)
    far = Watermark(first.uidvalidity, 500)  # as before the restore
    assert subjects(inbox, far) == [["a", "b"]]
    assert inbox.untidied(far) == []
    assert subjects(inbox, Watermark(first.uidvalidity, 2)) == []


def test_letters_may_be_tidied_away_while_the_scan_goes_on(mailbox: Mailbox, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(fetched_module, "BATCH_LETTERS", 1)
    mailbox.receives("a", "b", "c")
    inbox = mailbox.inbox()
    seen: list[str] = []
    for [fetched] in inbox.scan(BEGINNING):
        seen.append(subject(fetched))
        assert inbox.tidy([fetched.uid])
    assert seen == mailbox.folder("pbmd-processed") == ["a", "b", "c"]


def test_a_folder_that_does_not_exist_is_named(mailbox: Mailbox):
    with pytest.raises(InboxLost, match="opening Orders"):
        list(mailbox.inbox(folder="Orders").scan(BEGINNING))


def test_a_look_tells_about_the_folder_and_changes_nothing(mailbox: Mailbox):
    mailbox.receives("a", "b")
    inbox = mailbox.inbox()
    assert inbox.look() == Look(letters=2, announces=True, moves=True)
    assert subjects(inbox) == [["a", "b"]]


# Tidying


def test_processed_letters_move_to_a_folder_that_is_made(mailbox: Mailbox):
    mailbox.receives("a", "b", "c")
    inbox = mailbox.inbox(processed_folder="Grüße/done")
    [[first, second, _]] = inbox.scan(BEGINNING)
    assert inbox.tidy([first.uid])
    assert inbox.tidy([second.uid], second.uidvalidity)
    assert mailbox.folder("INBOX") == ["c"]
    assert mailbox.folder("Grüße/done") == ["a", "b"]


def test_processed_letters_can_be_marked_in_place(mailbox: Mailbox):
    mailbox.receives("a", "b")
    inbox = mailbox.inbox(processed="flag")
    [[first, _]] = inbox.scan(BEGINNING)
    assert inbox.tidy([first.uid])
    assert ["$PbmdDone" in flags for flags in mailbox.flags()] == [True, False]


def test_processed_letters_can_be_left_alone(mailbox: Mailbox):
    mailbox.receives("a")
    inbox = mailbox.inbox(processed="leave")
    [[first]] = inbox.scan(BEGINNING)
    assert inbox.tidy([first.uid])
    assert mailbox.folder("INBOX") == ["a"]
    assert "$PbmdDone" not in mailbox.flags()[0]


def test_uids_of_another_uidvalidity_are_not_touched(mailbox: Mailbox):
    mailbox.receives("a")
    inbox = mailbox.inbox()
    [[first]] = inbox.scan(BEGINNING)
    assert not inbox.tidy([first.uid], first.uidvalidity - 1)
    assert mailbox.folder("INBOX") == ["a"]


def test_tidying_what_is_gone_does_no_harm(mailbox: Mailbox):
    mailbox.receives("a")
    inbox = mailbox.inbox()
    assert inbox.tidy([1, 77])
    assert inbox.tidy([1, 77])
    assert mailbox.folder("pbmd-processed") == ["a"]


def test_a_folder_that_cannot_be_made_leaves_the_letters_where_they_are(mailbox: Mailbox, caplog: pytest.LogCaptureFixture):
    mailbox.receives("a")
    inbox = mailbox.inbox(processed_folder="x" * 400)
    [[first]] = inbox.scan(BEGINNING)
    assert not inbox.tidy([first.uid])
    assert "processed letters stay where they are" in caplog.text
    assert subjects(inbox) == [["a"]]


@pytest.mark.parametrize(("processed", "left"), [("move", [1, 3]), ("flag", [1, 3]), ("leave", [])])
def test_letters_up_to_the_watermark_that_were_not_tidied_are_found(mailbox: Mailbox, processed: Any, left: list[int]):
    mailbox.receives("a", "b", "c", "d")
    inbox = mailbox.inbox(processed=processed)
    [letters] = inbox.scan(BEGINNING)
    validity = letters[0].uidvalidity
    inbox.tidy([2], validity)
    assert inbox.untidied(Watermark(validity, 3)) == left
    inbox.tidy(left, validity)
    assert inbox.untidied(Watermark(validity, 3)) == []


def test_no_letter_of_a_renumbered_mailbox_counts_as_left_behind(mailbox: Mailbox):
    mailbox.receives("a")
    inbox = mailbox.inbox()
    [[fetched]] = inbox.scan(BEGINNING)
    assert inbox.untidied(Watermark(fetched.uidvalidity + 1, 1)) == []
    assert inbox.untidied(BEGINNING) == []


@pytest.fixture(scope="module")
def below_the_inbox() -> Iterator[Dovecot]:
    """A server on which all folders are below the INBOX, as Courier and Cyrus have it."""
    with running_dovecot(prefix="INBOX.", separator=".") as server:
        yield server


@pytest.mark.parametrize(
    ("asked", "made"),
    [
        ("pbmd-processed", "INBOX.pbmd-processed"),
        ("INBOX.pbmd-processed", "INBOX.pbmd-processed"),
        ("Games/Grüße", "INBOX.Games.Grüße"),
    ],
)
def test_processed_letters_move_to_where_the_server_wants_folders_to_be(below_the_inbox: Dovecot, asked: str, made: str):
    with closing(Mailbox(below_the_inbox)) as mailbox:
        mailbox.receives("a")
        inbox = mailbox.inbox(processed_folder=asked)
        inbox.hold(Lock(Installation("aaaa", "apollo", "/data")))
        [[first]] = inbox.scan(BEGINNING)
        assert inbox.tidy([first.uid])
        assert mailbox.folder("INBOX") == []
        assert mailbox.folder(made) == ["a"]
        assert len(mailbox.folder("INBOX.pbmd-lock")) == 1


def test_letters_are_never_moved_into_the_folder_that_is_read(below_the_inbox: Dovecot, caplog: pytest.LogCaptureFixture):
    with closing(Mailbox(below_the_inbox)) as mailbox:
        below_the_inbox.doveadm("mailbox", "create", "-u", mailbox.user, "INBOX.Orders")
        mailbox.receives("a")
        below_the_inbox.doveadm("copy", "-u", mailbox.user, "INBOX.Orders", "mailbox", "INBOX", "all")
        inbox = mailbox.inbox(folder="INBOX.Orders", processed_folder="Orders")
        [[first]] = inbox.scan(BEGINNING)
        assert not inbox.tidy([first.uid])
        assert mailbox.folder("INBOX.Orders") == ["a"]
    assert "INBOX.Orders is the folder that is read" in caplog.text


def test_a_folder_that_takes_no_more_leaves_the_letters_where_they_are(mailbox: Mailbox, caplog: pytest.LogCaptureFixture):
    mailbox.receives("a")
    inbox = mailbox.inbox()
    [[first]] = inbox.scan(BEGINNING)
    mailbox.dovecot.doveadm("mailbox", "create", "-u", mailbox.user, "pbmd-processed")
    inbox._processed_folder = "pbmd-processed"
    mailbox.dovecot.doveadm("mailbox", "delete", "-u", mailbox.user, "pbmd-processed")  # behind our back
    assert not inbox.tidy([first.uid])
    assert "processed letters stay where they are" in caplog.text
    assert subjects(inbox) == [["a"]]


# Waiting


def test_waiting_ends_soon_after_mail_arrives(mailbox: Mailbox, stop: tuple[socket.socket, socket.socket]):
    inbox = mailbox.inbox()
    assert list(inbox.scan(BEGINNING)) == []
    later = threading.Timer(0.1, mailbox.receives, ["a"])
    later.start()
    begun = time.monotonic()
    inbox.wait(LONG, stop[0])
    waited = time.monotonic() - begun
    later.join()
    assert waited < SOON
    assert subjects(inbox) == [["a"]]


def test_waiting_ends_over_tls_too(mailbox: Mailbox, stop: tuple[socket.socket, socket.socket]):
    inbox = mailbox.inbox(tls="tls")
    assert list(inbox.scan(BEGINNING)) == []
    later = threading.Timer(0.1, mailbox.receives, ["a"])
    later.start()
    begun = time.monotonic()
    inbox.wait(LONG, stop[0])
    later.join()
    assert time.monotonic() - begun < SOON
    assert subjects(inbox) == [["a"]]


def test_waiting_ends_when_nothing_happens(mailbox: Mailbox, stop: tuple[socket.socket, socket.socket]):
    inbox = mailbox.inbox()
    begun = time.monotonic()
    inbox.wait(0.2, stop[0])
    assert 0.2 <= time.monotonic() - begun < SOON
    assert list(inbox.scan(BEGINNING)) == []


@pytest.mark.parametrize("idle", [True, False])
def test_the_stop_socket_ends_the_wait_at_once(mailbox: Mailbox, stop: tuple[socket.socket, socket.socket], idle: bool):
    inbox = mailbox.inbox(idle=idle)
    watched, written = stop
    written.send(b"x")
    begun = time.monotonic()
    inbox.wait(LONG, watched)
    assert time.monotonic() - begun < SOON
    assert watched.recv(1) == b"x"  # left for the caller


def test_without_idle_the_wait_is_the_polling_interval(mailbox: Mailbox, stop: tuple[socket.socket, socket.socket]):
    inbox = mailbox.inbox(idle=False, poll_seconds=0.1)
    begun = time.monotonic()
    inbox.wait(LONG, stop[0])
    assert 0.1 <= time.monotonic() - begun < SOON


def test_after_the_short_first_round_idling_goes_on(
    mailbox: Mailbox, stop: tuple[socket.socket, socket.socket], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(inbox_module, "FIRST_ROUND_SECONDS", 0.05)
    inbox = mailbox.inbox()
    assert list(inbox.scan(BEGINNING)) == []
    begun = time.monotonic()
    later = threading.Timer(0.3, mailbox.receives, ["a"])
    later.start()
    inbox.wait(LONG, stop[0])
    later.join()
    assert 0.3 <= time.monotonic() - begun < SOON
    assert subjects(inbox) == [["a"]]


def test_idle_is_ended_for_a_scan_when_it_is_time_to_renew_it(
    mailbox: Mailbox, stop: tuple[socket.socket, socket.socket], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(inbox_module, "RENEWAL_SECONDS", 0.3)
    inbox = mailbox.inbox()
    begun = time.monotonic()
    inbox.wait(LONG, stop[0])
    assert 0.3 <= time.monotonic() - begun < SOON


# Logging in


def test_a_wrong_password_is_refused_and_not_repeated_in_the_message(mailbox: Mailbox):
    with pytest.raises(LoginRefused, match=f"refused the login of {mailbox.user}") as caught:
        mailbox.inbox(secret=Secret.literal("wr0ng"))
    assert "wr0ng" not in str(caught.value)


def test_a_password_that_cannot_be_had_is_a_refused_login(mailbox: Mailbox):
    with pytest.raises(LoginRefused, match="exit code 1"):
        mailbox.inbox(secret=Secret.from_command("false"))


@pytest.mark.parametrize("tls", ["tls", "starttls"])
def test_letters_come_over_an_encrypted_connection(mailbox: Mailbox, tls: str):
    mailbox.receives("a")
    assert subjects(mailbox.inbox(tls=tls)) == [["a"]]


@pytest.mark.parametrize("tls", ["tls", "starttls"])
def test_a_certificate_that_nobody_vouches_for_is_refused(mailbox: Mailbox, tls: str):
    with pytest.raises(InboxLost, match="certificate is not trusted"):
        mailbox.inbox(tls=tls, ca_file=None)


def test_a_certificate_for_another_name_is_refused(mailbox: Mailbox):
    with pytest.raises(InboxLost, match=r"certificate is not trusted: .*127\.0\.0\.1"):
        mailbox.inbox(tls="tls", host="127.0.0.1")


def test_connecting_again_replaces_the_connection(mailbox: Mailbox):
    mailbox.receives("a")
    inbox = mailbox.inbox()
    inbox.connect()
    assert subjects(inbox) == [["a"]]


def test_a_closed_inbox_says_so(mailbox: Mailbox):
    inbox = mailbox.inbox()
    inbox.close()
    inbox.close()
    with pytest.raises(InboxLost, match="not connected"):
        next(inbox.scan(BEGINNING))


@pytest.mark.postfix
def test_a_letter_sent_over_smtp_arrives_with_its_tag(postfix: Postfix, stop: tuple[socket.socket, socket.socket]):
    user = postfix.dovecot.new_user()
    postfix.send(f"{user}+tag", letter("Orders"))
    inbox = Inbox(postfix.dovecot.account(user))
    inbox.connect()
    try:
        while not (found := list(inbox.scan(BEGINNING))):
            inbox.wait(SOON, stop[0])
    finally:
        inbox.close()
    [[fetched]] = found
    assert f"Delivered-To: {user}+tag@{DOMAIN}".encode() in fetched.raw
