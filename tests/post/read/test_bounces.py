"""Bounces: whom they are about, whether there is hope, and which mail of ours they return."""

import pytest

from pbmd.post.read.bounces import Bounce, read_bounce
from pbmd.post.read.limits import Limits
from tests.processor_time import takes_at_most

FIELDS = "Reporting-MTA: dns; mx.example.org\n\n"
OURS = "<report.12.nonce@pbmd.test>"


def bounce(*parts: str, words: str = "Your mail could not be delivered.", head: str = "") -> bytes:
    """A report in the form of RFC 3464: words, then these parts."""
    inner = "".join(f"--b\n{part}\n" for part in (f"Content-Type: text/plain\n\n{words}\n", *parts))
    return (
        "From: MAILER-DAEMON@example.org\nTo: gm@pbmd.test\nSubject: Undelivered Mail Returned to Sender\n"
        f'{head}Content-Type: multipart/report; report-type=delivery-status; boundary="b"\n\n{inner}--b--\n'
    ).encode()


def report(fields: str, kind: str = "message/delivery-status") -> str:
    return f"Content-Type: {kind}\n\n{FIELDS}{fields}\n"


def plain(text: str, *fields: str) -> bytes:
    """A bounce without MIME, as small and old servers write it."""
    return "\n".join(["From: MAILER-DAEMON <>", "To: gm@pbmd.test", "Subject: failure notice", *fields, "", text]).encode()


FAILED = (
    "Final-Recipient: rfc822; Ada@example.org\nAction: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550 5.1.1 User unknown\n"
)
RETURNED = f"Message-ID: {OURS}\nFrom: gm@pbmd.test\nTo: ada@example.org\n"


@pytest.mark.parametrize("kind", ["message/rfc822", "text/rfc822-headers"])
def test_a_report_by_the_book(kind):
    raw = bounce(report(FAILED), f"Content-Type: {kind}\n\n{RETURNED}")
    assert read_bounce(raw) == Bounce(("ada@example.org",), True, "5.1.1", "550 5.1.1 User unknown", (OURS,))
    assert read_bounce(raw.replace(b"\n", b"\r\n")) == read_bounce(raw)


def test_a_delay_is_not_hard():
    found = read_bounce(bounce(report(FAILED.replace("failed", "delayed").replace("5.1.1", "4.4.1").replace("550", "450"))))
    assert found is not None
    assert (found.recipients, found.hard, found.status) == (("ada@example.org",), False, "4.4.1")


def test_who_gave_up_after_days_of_trying_is_not_hard_either():
    found = read_bounce(bounce(report("Final-Recipient: rfc822; a@b.org\nAction: failed\nStatus: 4.4.7\n")))
    assert found is not None
    assert (found.hard, found.status) == (False, "4.4.7")


@pytest.mark.parametrize("action", ["delivered", "relayed", "expanded"])
def test_news_of_a_success_is_no_bounce(action):
    assert read_bounce(bounce(report(FAILED.replace("failed", action).replace("5.1.1", "2.0.0")))) is None


def test_the_address_written_to_comes_before_the_one_it_was_forwarded_to():
    found = read_bounce(bounce(report("Original-Recipient: rfc822;ada@example.org\n" + FAILED.replace("Ada", "al"))))
    assert found is not None
    assert found.recipients == ("ada@example.org", "al@example.org")


def test_of_several_recipients_those_that_failed_are_named():
    other = "Final-Recipient: rfc822; bob@b.org\nAction: delayed\nStatus: 4.0.0\n"
    found = read_bounce(bounce(report(f"{other}\n{FAILED}")))
    assert found is not None
    assert (found.recipients, found.hard) == (("ada@example.org",), True)


def test_a_bare_class_is_made_exact_by_the_diagnostic():
    found = read_bounce(bounce(report(FAILED.replace("Status: 5.1.1", "Status: 5.0.0"))))
    assert found is not None
    assert found.status == "5.1.1"


@pytest.mark.parametrize(
    ("text", "status", "hard"),
    [
        ("<ada@example.org>:\nRemote host said: 550 5.1.1 No such user\n", "5.1.1", True),
        ("<ada@example.org>:\nRemote host said: 554 Go away\n", "5.0.0", True),
        ("<ada@example.org>:\n192.0.2.1 failed: 451 try later\n", "4.0.0", False),
        ("<ada@example.org>: user unknown (#5.1.1)\n", "5.1.1", True),
        ("ada@example.org\n    User unknown\n", "5.1.1", True),
        ("ada@example.org: mailbox is full\n", "5.2.2", True),
        ("ada@example.org did not take it, we will keep trying.\n", "4.4.7", False),
        ("ada@example.org did not want it.\n", "", False),
    ],
)
def test_a_bounce_in_plain_words(text, status, hard):
    raw = plain(f"Your mail could not be delivered to\n{text}\n--- Below this line is a copy of the message.\n\n{RETURNED}")
    found = read_bounce(raw)
    assert found is not None
    assert (found.recipients, found.status, found.hard, found.message_ids) == (("ada@example.org",), status, hard, (OURS,))


def test_a_bounce_that_names_only_the_mail_it_returns():
    found = read_bounce(plain(f"This mail could not be delivered.\n\nReceived: by mx\nMessage-ID: {OURS}\n"))
    assert found is not None
    assert (found.recipients, found.message_ids) == ((), (OURS,))


def test_the_returned_mail_may_be_quoted_or_folded():
    raw = plain(f"ada@example.org could not be delivered.\n\n> Received: by mx\n> Message-ID:\n>   {OURS}\n")
    found = read_bounce(raw)
    assert found is not None
    assert found.message_ids == (OURS,)


def test_the_field_for_failed_recipients_is_believed_before_words():
    found = read_bounce(plain("bob@b.org told us that delivery failed: 550 no", "X-Failed-Recipients: ada@example.org"))
    assert found is not None
    assert found.recipients == ("ada@example.org",)


def test_a_report_hidden_in_the_text_is_read():
    found = read_bounce(plain(f"Undelivered.\n\n{FAILED}\nReceived: by mx\n{RETURNED}"))
    assert found is not None
    assert (found.recipients, found.status) == (("ada@example.org",), "5.1.1")


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"\0" * 1000,
        plain("I am on holiday until 5.1.27, write to bob@b.org instead.").replace(b"failure notice", b"Re: Turn 5"),
        bounce(report(FAILED)).replace(b"report-type=delivery-status", b"report-type=feedback-report"),
        bounce(report(FAILED)).replace(b"report-type=delivery-status", b"report-type=disposition-notification"),
    ],
)
def test_what_is_no_bounce(raw):
    assert read_bounce(raw) is None


def test_what_a_bounce_says_is_kept_short_and_printable():
    many = "\n".join(f"<a{n}@example.org>" for n in range(100))
    ids = "\n".join(f"Message-ID: <{n}@pbmd.test>" for n in range(100))
    found = read_bounce(plain(f"could not be delivered: 550 \x1b[31m{'x' * 5000}\n{many}\n\nReceived: by mx\n{ids}\n"))
    assert found is not None
    assert len(found.recipients) == len(found.message_ids) == 10
    assert len(found.diagnostic) <= 300
    assert found.diagnostic.isprintable()


HEAD = b"From: MAILER-DAEMON@x.org\nSubject: Undelivered\n"
HOSTILE = {
    "blank lines in a report": HEAD + b"Content-Type: message/delivery-status\n\n" + b"\n" * 990_000,
    "blocks of a report": HEAD + b"Content-Type: message/delivery-status\n\n" + b"a:b\n\n" * 200_000,
    "nested messages": b"Content-Type: message/rfc822\n\n" * 30_000,
    "nested multiparts": b"".join(b"Content-Type: multipart/report; boundary=b%d\n\n--b%d\n" % (n, n) for n in range(900)),
    "one word": HEAD + b"\n" + b"deliver" * 100_000,
    "words": HEAD + b"\n" + (b"deliver" * 140 + b"\n") * 1_000,
    "addresses": HEAD + b"\n" + (b"a@b.c " * 140 + b"\n") * 1_000,
    "an address without end": HEAD + b"\n" + b"a" * 900_000,
    "blanks": HEAD + b"\n" + (b" " * 900 + b"\n") * 1_000,
    "reports": HEAD + b"\n" + b"Final-Recipient: rfc822;a@b.c\n\n" * 10_000,
    "folded lines": HEAD + b"\nSubject: x\n" + b" folded\n" * 30_000,
    "tags": HEAD + b"Content-Type: text/html\n\n" + b"<div>" * 14_000,
}


@pytest.mark.parametrize("raw", HOSTILE.values(), ids=HOSTILE)
def test_no_hostile_bounce_takes_long(raw):
    with takes_at_most(Limits().seconds):
        read_bounce(raw, Limits())
