"""Mails of the other side may say anything of how they are to be read."""

import tracemalloc
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbmd.archive.evidence.claims import claims_of_mail
from pbmd.archive.evidence.mailbox import mails_in
from tests.processor_time import takes_at_most

_MANY = 160_000
_SECONDS = 1.0
"""Of the processor: with Python's own codec for domain names it takes longer, and four times as long for twice as much."""


@pytest.mark.parametrize("charset", ["punycode", "idna", "unicode_escape", "rot13", "zip", "no-such-set"])
def test_no_character_set_takes_long_or_is_more_than_text(charset: str) -> None:
    text = b"Receipt     7 of game galaxy-7, turn 1\n" + b"ab-c" * (_MANY // 4)
    raw = b"Subject: x\nContent-Type: text/plain; charset=" + charset.encode() + b"\n\n" + text
    with takes_at_most(_SECONDS):
        claims = claims_of_mail(raw)
    assert any(value.value == "7" for statement in claims.statements for value in statement.values)


def test_a_subject_is_read_in_the_same_way() -> None:
    raw = b"Subject: =?punycode?q?" + b"ab-c" * (_MANY // 4) + b"?=\n\nReceipt     7 of game galaxy-7, turn 1\n"
    with takes_at_most(_SECONDS):
        assert claims_of_mail(raw).subject


def test_a_subject_with_words_in_several_sets_is_put_together() -> None:
    mail = EmailMessage()
    mail["Subject"] = "[pbmd galaxy-7 t1] Größe für Altaïr: orders in"
    mail.set_content("Receipt     7 of game galaxy-7, turn 1\n")
    assert claims_of_mail(mail.as_bytes()).subject == "[pbmd galaxy-7 t1] Größe für Altaïr: orders in"


_OF_SEAT = b"Message-ID: <press-t1.g1p1.abcdefghijklmnop.abcdefghijklmnop@pbmd.test>\n"
_PRESS = "Press in galaxy-7, turn 1\nFrom: Altair\nTo:   "


_TIMES = "".join(
    f"Orders are due:\n  Mon {day} Nov 2026 {hour:02}:{minute:02} UTC\n"
    for day in range(10, 30)
    for hour in range(24)
    for minute in range(60)
)


@pytest.mark.parametrize(
    ("text", "file"),
    [
        ("Receipt 7, arrived Mon 23 Nov 2026 12:00 UTC.\n", _TIMES),
        ("x (\n" + "a)\n" * 60_000, "  | x\n  | " + "a) " * 600 + "b\n"),
    ],
    ids=["times", "brackets"],
)
def test_an_answer_takes_no_longer_than_other_mails(text: str, file: str) -> None:
    mail = EmailMessage()
    mail["Message-ID"] = "<acknowledgement-t1.g1p1.abcdefghijklmnop.abcdefghijklmnop@pbmd.test>"
    mail["Subject"] = "[pbmd galaxy-7 t1] orders in"
    mail.set_content(f"YOUR ORDERS FOR TURN 1, as we read them\n{text}")
    receipt = (
        "RECEIPT of galaxy-7, turn 1, for Altair\n"
        "Receipt     7 of game galaxy-7, turn 1\n"
        "Arrived     Mon 23 Nov 2026 12:00:00 UTC\n"
    )
    mail.add_attachment(f"{receipt}{file}", filename="pbmd-receipt.txt")
    with takes_at_most(3 * _SECONDS):
        assert claims_of_mail(mail.as_bytes()).own


@pytest.mark.parametrize(
    "text",
    [
        _PRESS + "a, " * 30_000,
        _PRESS.replace("\n", " ") * 2_000,
        "Press in g, t From: a To: " * 4_000,
        _PRESS * 2_000,
        _PRESS + "a\n" + "      a\n" * 12_000 + "\n| x\n--\n",
        _PRESS + "a\n" + "\n" * 100_000,
        _PRESS + "a\n\n" + "| x x\n\n" * 15_000 + "- -\n",
        _PRESS + "a\n\n| x\n\n--\n" + "To answer, write to a " * 5_000,
        _PRESS + "a\n\n| x\n\n--\n" + "To answer, reply with\nPRESS TO Altair\n" * 3_000,
    ],
    ids=[
        "readers",
        "heads in a line",
        "short heads",
        "heads",
        "lines of readers",
        "empty lines",
        "what was written",
        "rooms",
        "answers",
    ],
)
def test_press_takes_no_longer_than_other_mails(text: str) -> None:
    raw = _OF_SEAT + b"Subject: [pbmd galaxy-7 t1] press\nContent-Type: text/plain; charset=utf-8\n\n" + text.encode()
    with takes_at_most(_SECONDS):
        assert claims_of_mail(raw).own


@pytest.mark.parametrize("blank", [" ", "\t"])
def test_a_line_of_blanks_in_an_answer_without_a_list_takes_no_longer_than_other_lines(blank: str) -> None:
    with takes_at_most(_SECONDS):
        assert claims_of_mail(_OWN + b"\n\nYour orders for turn 1 are in.\n" + blank.encode() * _MANY + b"x\n").own


def test_a_calendar_with_many_events_takes_no_longer_than_other_files() -> None:
    mail = EmailMessage()
    mail["Message-ID"] = "<report-t1.g1p1.abcdefghijklmnop.abcdefghijklmnop@pbmd.test>"
    mail["Subject"] = "[pbmd galaxy-7 t1] the report"
    mail.set_content("Orders are due Mon 23 Nov 2026 12:00 UTC.\n" + "and so on, and so on\n" * (_MANY // 20))
    begins = (f"BEGIN:VEVENT\nDTSTART:20261123T12{place // 60:02}{place % 60:02}Z\nEND:VEVENT\n" for place in range(3_600))
    mail.add_attachment("".join(begins), subtype="calendar", filename="deadline.ics")
    with takes_at_most(_SECONDS):
        assert claims_of_mail(mail.as_bytes()).own


_OWN = (
    b"Message-ID: <acknowledgement-t1.g1p1.abcdefghijklmnop.abcdefghijklmnop@pbmd.test>\nSubject: [pbmd galaxy-7 t1] orders in"
)


def test_marks_behind_a_subject_take_no_longer_than_other_subjects() -> None:
    with takes_at_most(_SECONDS):
        assert claims_of_mail(_OWN + b" [a]\n" * 20_000 + b" x\n\nYour orders for turn 1 are in.\n").own


@pytest.mark.parametrize("subject", ["*" + "a***" * 40 + "! [pbmd x] a", "[pbmd x] " * 20_000])
def test_marks_in_front_of_a_subject_take_no_longer_either(subject: str) -> None:
    head = _OF_SEAT + f"Subject: {subject}\n\n".encode()
    with takes_at_most(_SECONDS):
        assert claims_of_mail(head + b"Borealis: your orders for turn 1 are in.\n").own


@pytest.mark.parametrize(("subject", "read"), [(r"=?utf-8?q?a?= t\u0031", r"a t\u0031"), (r"=?utf-8?q?a?= \u12", r"a \u12")])
def test_what_looks_like_an_escape_beside_encoded_words_is_read_as_people_see_it(subject: str, read: str) -> None:
    assert claims_of_mail(_OF_SEAT + f"Subject: {subject}\n\nHi.\n".encode()).subject == read


@pytest.mark.parametrize("lines", ["#orders a\n", "NO LONGER STANDS\n", "NO LONGER STANDS\nAdd 5\n"])
def test_an_answer_with_many_lists_takes_no_longer_than_other_mails(lines: str) -> None:
    mail = EmailMessage()
    mail["Message-ID"] = "<acknowledgement-t1.g1p1.abcdefghijklmnop.abcdefghijklmnop@pbmd.test>"
    mail.set_content(lines * (_MANY // len(lines)))
    with takes_at_most(3 * _SECONDS):
        assert claims_of_mail(mail.as_bytes()).own


def test_mails_each_inside_the_next_take_no_longer_than_other_mails() -> None:
    raw = _OWN + b"\n\nx\n"
    for depth in range(20):
        mark = b"b%d" % depth
        text = b"--" + mark + b"\nContent-Type: text/plain\n\n" + b"word " * 3_000
        inner = b"\n--" + mark + b"\nContent-Type: message/rfc822\n\n" + raw + b"\n--" + mark + b"--\n"
        raw = _OWN + b"\nContent-Type: multipart/mixed; boundary=" + mark + b"\n\n" + text + inner
    outer = (
        b"Content-Type: multipart/mixed; boundary=b\nSubject: x\n\n--b\nContent-Type: message/rfc822\n\n" + raw + b"\n--b--\n"
    )
    with takes_at_most(4 * _SECONDS):
        assert len(claims_of_mail(outer).attached) == 1


def test_empty_lines_above_a_mail_take_little_room(tmp_path: Path) -> None:
    (tmp_path / "mail.eml").write_bytes(b"\n" * 1_000_000)
    tracemalloc.start()
    try:
        (found,) = mails_in(tmp_path / "mail.eml")
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert found.problem
    assert most < 30_000_000
