"""The local post office: real SMTP in, real IMAP out, on this machine only."""

import smtplib
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime

import pytest

from pbmd.demo import office as office_module
from pbmd.demo.office import LocalOffice, OfficeError
from pbmd.post.accounts import ImapAccount, Secret
from pbmd.post.imap.connection import LoginRefused
from pbmd.post.imap.fetched import Fetched, Watermark
from pbmd.post.imap.inbox import Inbox

RAW = b"From: anna@demo.test\r\nSubject: Orders\r\n\r\nMove 3 from Terra to Sirius\r\n..dots\r\n\xe9\r\n"
BEGINNING = Watermark(0, 0)


@pytest.fixture
def office() -> Iterator[LocalOffice]:
    with LocalOffice("demo.test", ["gm", "anna"]) as office:
        yield office


def connected(office: LocalOffice, user: str, password: str = "demo") -> Inbox:
    account = ImapAccount(
        host=office.host, port=office.imap_port, tls="none", user=user, secret=Secret.literal(password), timeout_seconds=60
    )
    inbox = Inbox(account)
    inbox.connect()
    return inbox


def letters_of(office: LocalOffice, user: str) -> list[Fetched]:
    with closing(connected(office, user)) as inbox:
        return [fetched for batch in inbox.scan(BEGINNING) for fetched in batch]


def send(office: LocalOffice, *recipients: str, sender: str = "anna@demo.test") -> None:
    with smtplib.SMTP(office.host, office.smtp_port, timeout=60) as smtp:
        smtp.sendmail(sender, list(recipients), RAW)


@pytest.mark.parametrize("host", ["0.0.0.0", "10.1.2.3", "::"])
def test_it_opens_on_this_machine_only(host: str):
    with pytest.raises(ValueError, match="loopback"):
        LocalOffice("demo.test", ["gm"], host=host)


def test_a_letter_sent_by_smtp_is_read_by_imap_byte_for_byte(office: LocalOffice):
    before = datetime.now(UTC).replace(microsecond=0)
    send(office, "gm@demo.test")
    [fetched] = letters_of(office, "gm")
    assert fetched.raw == b"Return-Path: <anna@demo.test>\r\nDelivered-To: gm@demo.test\r\n" + RAW
    assert before <= fetched.arrived_at <= datetime.now(UTC)


def test_a_plus_tag_reaches_the_mailbox_and_stays_in_delivered_to(office: LocalOffice):
    send(office, "GM+g1.token@Demo.Test")
    [fetched] = letters_of(office, "gm")
    assert b"\r\nDelivered-To: GM+g1.token@Demo.Test\r\n" in fetched.raw


def test_each_recipient_gets_his_own_copy(office: LocalOffice):
    send(office, "gm@demo.test", "anna@demo.test", sender="")
    [for_gm], [for_anna] = letters_of(office, "gm"), letters_of(office, "anna")
    assert for_gm.raw.startswith(b"Return-Path: <>\r\nDelivered-To: gm@demo.test\r\n")
    assert for_anna.raw.startswith(b"Return-Path: <>\r\nDelivered-To: anna@demo.test\r\n")


@pytest.mark.parametrize("recipient", ["nobody@demo.test", "gm@example.org", "gm"])
def test_an_address_without_a_mailbox_is_refused(office: LocalOffice, recipient: str):
    with pytest.raises(smtplib.SMTPRecipientsRefused) as caught:
        send(office, recipient)
    assert caught.value.recipients[recipient][0] == 550


def test_letters_can_be_put_in_with_the_arrival_of_choice(office: LocalOffice):
    late = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    office.deliver("gm+tag@demo.test", RAW, sender="anna@demo.test", arrived_at=late)
    [fetched] = letters_of(office, "gm")
    assert fetched.arrived_at == late
    assert fetched.raw == b"Return-Path: <anna@demo.test>\r\nDelivered-To: gm+tag@demo.test\r\n" + RAW


@pytest.mark.parametrize(
    ("recipient", "sender"), [("nobody@demo.test", ""), ("gm+a\r\nX: y@demo.test", ""), ("gm@demo.test", "a\nb@demo.test")]
)
def test_what_cannot_be_delivered_is_refused(office: LocalOffice, recipient: str, sender: str):
    with pytest.raises(ValueError, match=r"no mailbox|line break"):
        office.deliver(recipient, RAW, sender=sender)
    assert letters_of(office, "gm") == []


def test_a_wrong_password_is_refused(office: LocalOffice):
    with pytest.raises(LoginRefused):
        connected(office, "gm", "wrong")


def test_processed_letters_move_to_a_folder(office: LocalOffice):
    send(office, "gm@demo.test")
    with closing(connected(office, "gm")) as inbox:
        [[fetched]] = inbox.scan(BEGINNING)
        assert inbox.tidy([fetched.uid])
        assert list(inbox.scan(BEGINNING)) == []


def test_mail_wakes_a_waiting_inbox(office: LocalOffice):
    watched, written = socket.socketpair()
    with watched, written, closing(connected(office, "gm")) as inbox:
        assert list(inbox.scan(BEGINNING)) == []
        later = threading.Timer(0.1, send, (office, "gm@demo.test"))
        later.start()
        begun = time.monotonic()
        inbox.wait(600, watched)
        later.join()
        assert time.monotonic() - begun < 60
        assert len(list(inbox.scan(BEGINNING))) == 1


def test_two_offices_do_not_know_each_other(office: LocalOffice):
    with LocalOffice("demo.test", ["gm"]) as other:
        send(office, "gm@demo.test")
        assert letters_of(other, "gm") == []


def test_a_closed_office_answers_no_more(office: LocalOffice):
    with LocalOffice("demo.test", ["gm"]) as other:
        port = other.smtp_port
    with pytest.raises(ConnectionRefusedError):
        smtplib.SMTP("127.0.0.1", port, timeout=2)


def test_without_its_packages_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(office_module, "find_spec", lambda name: None)
    with pytest.raises(OfficeError, match=r"needs aiosmtpd and pymap: pip install 'pbmd-games\[demo\]'"):
        LocalOffice("demo.test", ["gm"]).__enter__()
