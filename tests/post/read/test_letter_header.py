"""The header of a letter: who wrote, to whom, in answer to what, and whether it may be answered."""

import pytest

from pbmd.post.read.headers import uncommented
from pbmd.post.read.letter import Limits, fingerprint, read_letter, subject_in
from tests.post.samples import mail, read, texts

ORDERS = "MOVE A-B\n"


def test_the_usual_header_is_read():
    letter = read(
        ORDERS,
        "In-Reply-To: <report.g12p3.prcnnjn76sno3vgs.n@pbmd.test>",
        "References: <game.1@pbmd.test>\n <report.g12p3.prcnnjn76sno3vgs.n@pbmd.test>",
        "Received: from a by b; Sat, 21 Nov 2026 20:00:01 +0100",
        "Received: from c by a; Sat, 21 Nov 2026 20:00:00 +0100",
    )
    assert (letter.sender, letter.sender_name, letter.message_id) == ("ada@example.org", "Ada Lovelace", "<m1@example.org>")
    assert letter.references == ("<report.g12p3.prcnnjn76sno3vgs.n@pbmd.test>", "<game.1@pbmd.test>")
    assert (letter.subject, letter.automatic, letter.vacation) == ("orders", "", False)
    assert (letter.source, letter.problem) == ("text", "")


@pytest.mark.parametrize(
    ("value", "sender", "name"),
    [
        ("ada@example.org", "ada@example.org", ""),
        ("<ADA@Example.ORG>", "ada@example.org", ""),
        ('"Lovelace, Ada" <ada@example.org>', "ada@example.org", "Lovelace, Ada"),
        ('"gm@pbmd.test" <ada@example.org>', "ada@example.org", "gm@pbmd.test"),
        ("ada@example.org (Ada Lovelace)", "ada@example.org", "Ada Lovelace"),
        ("=?utf-8?B?WsO2w6s=?= <ada@example.org>", "ada@example.org", "Zöë"),
        ("=?iso-8859-1?Q?Zo=EB?= =?iso-8859-1?Q?_L=2E?= <ada@example.org>", "ada@example.org", "Zoë L."),
        ("=?no-such-set?Q?Zoe?= <ada@example.org>", "ada@example.org", "Zoe"),
        ("Zoë <ada@example.org>", "ada@example.org", "Zoë"),
        ("ada@example.org <ada@example.org>", "ada@example.org", "ada@example.org"),
        ('"Lovelace: Ada; Lady" <ada@example.org>', "ada@example.org", "Lovelace: Ada; Lady"),
        ("ada@example.org (of London, England: Ada)", "ada@example.org", "of London, England: Ada"),
        ("\u212aIM@Example.ORG", "\u212aim@example.org", ""),
    ],
)
def test_one_sender_is_found_however_it_is_written(value, sender, name):
    letter = read(ORDERS, f"From: {value}")
    assert (letter.sender, letter.sender_name, letter.sender_doubt) == (sender, name, "")


@pytest.mark.parametrize(
    "fields",
    [
        ["From: a@x.test, b@x.test"],
        ["From: a@x.test", "From: b@x.test"],
        ["From: team: a@x.test, b@x.test;"],
        ["From: team: a@x.test;"],
        ["From: Team: Ada <a@x.test>;"],
        ["From: a@x.test,"],
        ["From: =?utf-8?q?b@x.test,?= <a@x.test>"],
        ["From: <@b.test:a@x.test>"],
        ["From: undisclosed"],
        ["From:"],
        ["From: a@x.test <b@x.test>"],
        ["From: alice@x.test)b@x.test"],
        ["From: <a@x.test> <b@x.test>"],
        ["From: " + "(" * 3000],
        ["From: a@x.test\x00"],
    ],
)
def test_a_doubtful_sender_is_no_sender(fields):
    letter = read(ORDERS, *fields)
    assert letter.sender == ""
    assert letter.sender_doubt.startswith("it")
    assert texts(letter) == ["MOVE A-B"]


def test_recipients_come_in_the_order_of_how_sure_they_are():
    letter = read(
        ORDERS,
        "Cc: copy@x.test",
        "To: GM <gm@pbmd.test>, Second <two@x.test>",
        "X-Original-To: gm+orig@pbmd.test",
        "Delivered-To: GM+Tag@pbmd.test",
    )
    assert letter.recipients == ("gm+tag@pbmd.test", "gm+orig@pbmd.test", "gm@pbmd.test", "two@x.test", "copy@x.test")


def test_a_long_subject_is_cut_and_on_one_line():
    letter = read(ORDERS, "Subject: =?utf-8?q?one=0D=0Atwo?=\n\tthree " + "x" * 5000)
    assert letter.subject.startswith("one two three xxx")
    assert len(letter.subject) <= 1000


def test_of_a_very_long_thread_the_last_ids_are_read():
    ids = " ".join(f"<m{n}@example.org>" for n in range(2000))
    assert read(ORDERS, f"References: {ids}").references[-1] == "<m1999@example.org>"


AUTOMATIC = [
    # Field, and whether the text must stay unread.
    ("Auto-Submitted: auto-replied (vacation)", True),
    ("Auto-Submitted: (a program (no person)) auto-replied", True),
    ("Auto-Submitted: auto-generated", False),
    ("Auto-Submitted: auto-generated (by cron)", False),
    ("Auto-Submitted: auto-notified", True),
    ("Auto-Submitted: no\nAuto-Submitted: auto-replied", True),
    ("Return-Path: <>", True),
    ("Return-Path: <> (x)", True),
    ("Return-Path: (none) < >", True),
    ("Precedence: bulk", True),
    ("Precedence: bulk (x)", True),
    ("Precedence: (a \\) b (c)) bulk (x", True),
    ("Precedence:\n (x)\n junk", True),
    ("Precedence: junk", True),
    ("Precedence: normal\nPrecedence: bulk", True),
    ("Precedence: auto_reply", True),
    ("Precedence: list\nList-Id: <players.x.test>", False),
    ("Precedence: bulk (x)\nMailing-List: contact players-help@x.test; run by ezmlm", False),
    ("List-Unsubscribe: <mailto:x@y.test>", False),
    ("Mailing-List: contact players-help@x.test; run by ezmlm", False),
    ("X-Mailing-List: players@x.test", False),
    ("X-Autoreply: yes", True),
    ("X-Autorespond: away", True),
    ("X-Auto-Response-Suppress: OOF", False),
    ("X-Failed-Recipients: ada@example.org", True),
    ("X-Loop: gm@pbmd.test", False),
    ("From: MAILER-DAEMON@x.test", True),
    ("From: Postmaster <postmaster@x.test>", True),
    ("From: no-reply@x.test", False),
    ("From: bounces+12=ada@x.test", False),
    ("Subject: Automatic reply: [pbmd galaxy-7 t5] Report", True),
    ("Subject: =?utf-8?q?R=C3=A9ponse_automatique=3A_tour?=", True),
    ("Subject: Abwesenheitsnotiz: Zug 5", True),
    ('Content-Type: multipart/report; report-type=delivery-status; boundary="b"', True),
    ('Content-Type: multipart/report (x); report-type=delivery-status; boundary="b"', True),
    ('Content-Type: (x) Multipart/Report; boundary="b"', True),
]


@pytest.mark.parametrize(("field", "unread"), AUTOMATIC)
def test_automatic_mail_is_not_answered_and_vacation_mail_and_bounces_are_not_read(field, unread):
    letter = read("MOVE A-B\n", field)
    assert letter.automatic
    assert letter.vacation is unread
    assert bool(letter.lines) is not unread


def test_outlooks_vacation_reply_is_known_although_it_says_generated():
    letter = read(ORDERS, "Auto-Submitted: auto-generated", "Subject: Automatische Antwort: Zug 5")
    assert letter.vacation


@pytest.mark.parametrize(
    "field",
    [
        "Auto-Submitted: no",
        "Auto-Submitted: (not) no (auto-replied)",
        "Precedence: normal",
        "Precedence: normal (bulk)",
        "Return-Path: <ada@example.org>",
        'Return-Path: <"(>"@example.org>',
        "Subject: Re: out of office",
        "Subject: about the Mailing-List: of X-Mailing-List:",
    ],
)
def test_a_players_mail_may_be_answered(field):
    letter = read(ORDERS, field)
    assert (letter.automatic, letter.vacation) == ("", False)


def test_a_mail_passed_on_too_often_is_not_answered():
    letter = read(ORDERS, *["Received: from a by b; Sat, 21 Nov 2026 20:00:01 +0100"] * 26)
    assert letter.automatic


def test_copies_of_a_mail_have_one_fingerprint_whichever_way_they_came():
    first = mail(ORDERS, "Received: from a by b", "Delivered-To: one@pbmd.test")
    second = mail(ORDERS, "Received: from c by d", "X-Spam: no").replace(b"\r\n", b"\n")
    assert read_letter(first).fingerprint == read_letter(second).fingerprint == fingerprint(first)


@pytest.mark.parametrize(
    "change", ["Message-ID: <m2@example.org>", "From: bob@example.org", "Subject: x", "Date: Sun, 22 Nov 2026 20:00:00 +0100"]
)
def test_another_mail_has_another_fingerprint(change):
    assert read(ORDERS, change).fingerprint != read(ORDERS).fingerprint


def test_the_same_message_id_with_other_orders_is_another_mail():
    assert read("MOVE A-C\n").fingerprint != read(ORDERS).fingerprint


def test_damaged_mails_without_a_header_are_told_apart():
    prints = {read_letter(raw).fingerprint for raw in (b"", b"x", b"\0", b"\r\n\r\nx")}
    assert len(prints) == 4
    assert all(len(each) == 64 for each in prints)


def test_a_header_without_end_is_named_as_the_problem_and_the_sender_is_still_known():
    letter = read(ORDERS, *[f"X-{n}: y" for n in range(600)])
    assert letter.sender == "ada@example.org"
    assert "header" in letter.problem
    assert letter.lines == ()


def test_a_mail_that_is_too_large_is_not_read_but_can_be_answered():
    letter = read_letter(mail("MOVE A-B\n" * 500_000), Limits())
    assert (letter.sender, letter.lines) == ("ada@example.org", ())
    assert "4.5 MB" in letter.problem or "5.0 MB" in letter.problem


RECEIPT = """--b
Content-Type: text/plain

Your message was displayed. MOVE A-B
--b
Content-Type: {kind}

Final-Recipient: rfc822;ada@example.org
Disposition: manual-action/MDN-sent-manually; displayed
--b--
"""


@pytest.mark.parametrize("outer", ["multipart/mixed", "multipart/mixed (x)", "multipart/alternative", "multipart/related"])
@pytest.mark.parametrize(
    "kind",
    [
        "message/disposition-notification",
        "Message/Disposition-Notification (x)",
        "message/global-disposition-notification",
        "message/feedback-report",
    ],
)
def test_a_read_receipt_is_known_whatever_holds_it(outer: str, kind: str) -> None:
    letter = read_letter(mail(RECEIPT.format(kind=kind), type_=f'{outer}; boundary="b"'))
    assert (bool(letter.automatic), letter.vacation, letter.lines) == (True, True, ())


def test_a_receipt_that_a_person_passes_on_is_no_receipt() -> None:
    inner = mail(RECEIPT.format(kind="message/disposition-notification"), type_='multipart/mixed; boundary="b"').decode()
    body = f"--c\nContent-Type: text/plain\n\nMOVE A-B\n--c\nContent-Type: message/rfc822\n\n{inner}\n--c--\n"
    letter = read_letter(mail(body, type_='multipart/mixed; boundary="c"'))
    assert (letter.automatic, letter.vacation, texts(letter)) == ("", False, ["MOVE A-B"])


@pytest.mark.parametrize(
    ("fields", "body"),
    [
        (("Content-Type: text/plain (prose); charset=utf-8 (x)",), "MOVE A-B\n"),
        (("Content-Type: text/plain", "Content-Transfer-Encoding: base64 (x)"), "TU9WRSBBLUIK\n"),
        (("Content-Type: text/plain", "Content-Transfer-Encoding: (x) quoted-printable"), "MOVE=20A-B\n"),
        (('Content-Type: multipart/mixed (a;b); boundary="b" (c)',), "--b\nContent-Type: (x) text/plain\n\nMOVE A-B\n--b--\n"),
    ],
)
def test_comments_in_what_a_part_is_do_not_matter(fields: tuple[str, ...], body: str) -> None:
    assert texts(read(body, *fields)) == ["MOVE A-B"]


@pytest.mark.parametrize(
    ("value", "rest"),
    [
        ("bulk", "bulk"),
        ("bulk (x)", "bulk"),
        ("(x)bulk", "bulk"),
        ("a (b (c) d) e", "a e"),
        (r"a (b \) c) d", "a d"),
        ('a "(b)" c', 'a "(b)" c'),
        (r'a "\"(b)" c', r'a "\"(b)" c'),
        ("a (b", "a"),
        ("a) b", "a) b"),
        ("(", ""),
        ("(" * 50_000 + "a", ""),
        (")" * 50_000, None),
    ],
)
def test_a_structured_value_is_read_without_its_comments(value: str, rest: str | None) -> None:
    found = " ".join(uncommented(value).split())
    assert found == rest if rest is not None else set(found) == {")"}


@pytest.mark.parametrize(
    "header",
    [
        "Subject: Re: turn 3",
        "Subject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=\r\n =?utf-8?q?_turn_3?=",
        "From: a@b.test\r\nSubject: folded\r\n\tand long\r\nTo: c@d.test",
        "From: a@b.test",
    ],
)
def test_the_subject_alone_is_that_of_the_whole_mail(header: str) -> None:
    raw = f"{header}\r\n\r\nSubject: of the text\r\n".encode()
    assert subject_in(raw) == read_letter(raw).subject
