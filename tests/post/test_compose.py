"""Composing: what goes in comes out of another program's parser, and nothing that a player wrote makes a header."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from email import message_from_bytes, policy
from email.message import EmailMessage
from urllib.parse import parse_qs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbmd.post.compose import Attachment, Inline, Outgoing, compose, mailto
from pbmd.post.read.letter import read_letter

MAIL = Outgoing(
    sender_name="galaxy-7 (pbmd)",
    sender_address="gm@pbmd.test",
    recipient_name="Ada Lovelace",
    recipient_address="ada@example.org",
    reply_to="gm+g12p3.prcnnjn76sno3vgs@pbmd.test",
    subject="[pbmd galaxy-7 t5] Report",
    message_id="<report.g12p3.prcnnjn76sno3vgs.n0nce@pbmd.test>",
    date=datetime(2026, 11, 21, 20, 0, tzinfo=UTC),
    in_reply_to="<x1@example.org>",
    references=("<game.g12p3.prcnnjn76sno3vgs.n@pbmd.test>", "<x1@example.org>"),
    auto="auto-replied",
    list_id="galaxy-7.gm.pbmd.test",
    loop_address="gm@pbmd.test",
    text="Turn 5 is over.\n\n  A  12\n  B   3\n",
)


def parsed(outgoing: Outgoing) -> EmailMessage:
    message = message_from_bytes(compose(outgoing), policy=policy.default)
    assert isinstance(message, EmailMessage)
    assert not message.defects
    return message


def body(message: EmailMessage, subtype: str = "plain") -> str:
    part = message.get_body((subtype,))
    assert isinstance(part, EmailMessage)
    return part.get_content().replace("\r\n", "\n")


def test_every_header_is_there_and_says_what_it_should():
    message = parsed(MAIL)
    assert {name: str(value) for name, value in message.items() if not name.startswith("Content-")} == {
        "From": '"galaxy-7 (pbmd)" <gm@pbmd.test>',
        "To": "Ada Lovelace <ada@example.org>",
        "Subject": "[pbmd galaxy-7 t5] Report",
        "Date": "Sat, 21 Nov 2026 20:00:00 +0000",
        "Message-ID": MAIL.message_id,
        "Reply-To": MAIL.reply_to,
        "In-Reply-To": "<x1@example.org>",
        "References": "<game.g12p3.prcnnjn76sno3vgs.n@pbmd.test> <x1@example.org>",
        "List-Id": "<galaxy-7.gm.pbmd.test>",
        "Auto-Submitted": "auto-replied",
        "X-Auto-Response-Suppress": "All",
        "X-Loop": "gm@pbmd.test",
        "MIME-Version": "1.0",
    }
    assert body(message) == MAIL.text


def test_empty_fields_make_no_header():
    message = parsed(replace(MAIL, reply_to="", in_reply_to="", references=(), list_id="", recipient_name="", sender_name=""))
    assert not {"Reply-To", "In-Reply-To", "References", "List-Id"} & set(message.keys())
    assert (message["To"], message["From"]) == ("ada@example.org", "gm@pbmd.test")


def test_the_date_keeps_its_zone():
    date = datetime(2026, 7, 1, 9, 30, tzinfo=timezone(timedelta(hours=2)))
    assert parsed(replace(MAIL, date=date))["Date"].datetime == date


def test_short_ascii_goes_as_it_is_and_the_rest_as_quoted_printable():
    assert parsed(MAIL)["Content-Transfer-Encoding"] == "7bit"
    for text in ("Zoë\n", "x" * 200 + "\n", "trailing \n", "From here on\n", ".\n"):
        message = parsed(replace(MAIL, text=text))
        assert message["Content-Transfer-Encoding"] == "quoted-printable"
        assert body(message) == text


def test_no_line_begins_with_from_or_with_a_dot():
    raw = compose(replace(MAIL, text="From here on\n.\n..dots\n" * 3))
    lines = raw.partition(b"\r\n\r\n")[2].split(b"\r\n")
    assert not [line for line in lines if line.startswith((b"From ", b"."))]


def test_html_is_the_better_alternative_and_text_the_first():
    message = parsed(replace(MAIL, html="<p>Turn 5 is over – Zoë won.</p>\n"))
    assert message.get_content_type() == "multipart/alternative"
    assert [part.get_content_type() for part in message.iter_parts()] == ["text/plain", "text/html"]
    assert body(message) == MAIL.text
    assert body(message, "html") == "<p>Turn 5 is over – Zoë won.</p>\n"


def test_attachments_come_byte_for_byte():
    files = (Attachment("map 1.svg", "image/svg+xml", b"<svg/>" * 100), Attachment("t.ics", "text/calendar", bytes(range(256))))
    message = parsed(replace(MAIL, html="<p>x</p>", attachments=files))
    assert message.get_content_type() == "multipart/mixed"
    found = [
        (part.get_filename(), part.get_content_type(), part.get_payload(decode=True)) for part in message.iter_attachments()
    ]
    assert found == [("map_1.svg", "image/svg+xml", files[0].data), ("t.ics", "text/calendar", files[1].data)]
    assert body(message) == MAIL.text


PICTURE = Inline("map-1@pbmd", Attachment("map.png", "image/png", b"\x89PNG" * 100))


def test_a_picture_stands_with_the_html_that_shows_it():
    mail = replace(MAIL, html='<img src="cid:map-1@pbmd">\n', inline=(PICTURE,))
    message = parsed(mail)
    assert message.get_content_type() == "multipart/alternative"
    text, related = message.iter_parts()
    assert (text.get_content_type(), related.get_content_type()) == ("text/plain", "multipart/related")
    assert related.get_param("type") == "text/html"
    html, picture = related.iter_parts()
    assert (picture["Content-ID"], picture.get_content_disposition()) == ("<map-1@pbmd>", "inline")
    assert (picture.get_content_type(), picture.get_content()) == ("image/png", PICTURE.file.data)
    assert html.get_content_type() == "text/html"
    assert (body(message), body(message, "html")) == (MAIL.text, mail.html)


def test_a_file_besides_a_picture_is_attached_to_the_whole_mail():
    file = Attachment("map.svg", "image/svg+xml", b"<svg/>")
    message = parsed(replace(MAIL, html="<p>x</p>", inline=(PICTURE,), attachments=(file,)))
    assert [part.get_content_type() for part in message.walk()] == [
        "multipart/mixed", "multipart/alternative", "text/plain", "multipart/related", "text/html", "image/png", "image/svg+xml"
    ]  # fmt: skip
    assert [part.get_filename() for part in message.iter_attachments()] == ["map.svg"]


@pytest.mark.parametrize("evil", ["", "x>\r\nBcc: v@e.org", "a b", "é@pbmd"])
def test_what_is_no_content_id_is_refused(evil):
    with pytest.raises(ValueError, match="cannot be a Content-ID"):
        compose(replace(MAIL, html="<p>x</p>", inline=(replace(PICTURE, cid=evil),)))


def test_the_same_mail_is_the_same_bytes_and_another_mail_has_another_boundary():
    mail = replace(MAIL, html="<p>x</p>", inline=(PICTURE,))
    assert compose(mail) == compose(replace(mail))
    other = replace(mail, message_id="<report.other@pbmd.test>")
    assert parsed(mail).get_boundary() != parsed(other).get_boundary()


INJECTIONS = [
    *(f"x{line_end}Bcc: v@e.org" for line_end in ("\r\n", "\n", "\r", "\x85", "\u2028", "\0", "\r\n\r\n")),
    "=?utf-8?q?=0D=0ABcc=3A_v?=",
]


@pytest.mark.parametrize("evil", INJECTIONS)
@pytest.mark.parametrize("field", ["subject", "sender_name", "recipient_name", "list_id"])
def test_no_words_make_a_header_of_their_own(field, evil):
    message = parsed(replace(MAIL, **{field: evil}))
    assert set(message.keys()) == set(parsed(MAIL).keys())
    assert body(message) == MAIL.text


@pytest.mark.parametrize(
    "evil",
    [
        *("a@b.test\r\nBcc: v@e.org", "a@b.test, c@d.test", "<a@b.test>", "a b@c.test", "nobody", "a@b@c", ""),
        *("ä@b.test", "a@b.test\u2028", "😀@b.test"),
    ],
)
@pytest.mark.parametrize("field", ["sender_address", "recipient_address", "loop_address"])
def test_what_is_no_address_is_refused(field, evil):
    with pytest.raises(ValueError, match="address"):
        compose(replace(MAIL, **{field: evil}))


@pytest.mark.parametrize("evil", ["<a b@c>", "<a>\r\nBcc: v@e.org", "none", "<😀@x>", "<a@b>, <c@d>"])
def test_ids_of_other_programs_that_are_no_ids_are_left_out(evil):
    message = parsed(replace(MAIL, in_reply_to=evil, references=(evil, "<ok@x.test>")))
    assert "In-Reply-To" not in message
    assert message["References"] == "<ok@x.test>"
    with pytest.raises(ValueError, match="Message-ID"):
        compose(replace(MAIL, message_id=evil))


def test_a_name_that_looks_like_an_encoded_word_is_shown_as_it_is():
    assert parsed(replace(MAIL, recipient_name="=?utf-8?q?boss?="))["To"].addresses[0].display_name == "=?utf-8?q?boss?="


def test_a_file_type_that_is_no_type_is_refused():
    with pytest.raises(ValueError, match="MIME type"):
        compose(replace(MAIL, attachments=(Attachment("a", "text/x\r\nBcc: v@e.org", b""),)))


words = st.text(st.characters(codec="utf-8"), max_size=120)


def as_shown(text: str, limit: int) -> str:
    """Control characters and line ends are spaces, runs of spaces are one."""
    kept = "".join(" " if ord(c) < 32 or 127 <= ord(c) < 160 or c in "\u2028\u2029" else c for c in text)
    return " ".join(kept.split())[:limit].strip()


@given(subject=words, sender=words, recipient=words)
def test_any_words_read_back_from_the_header(subject, sender, recipient):
    raw = compose(replace(MAIL, subject=subject, sender_name=sender, recipient_name=recipient))
    assert raw.isascii()
    head = raw.partition(b"\r\n\r\n")[0]
    assert max(map(len, head.split(b"\r\n"))) <= 998
    assert len(head.replace(b"\r\n ", b"").split(b"\r\n")) == 15
    letter = read_letter(raw)
    assert (letter.sender, letter.recipients[0]) == ("gm@pbmd.test", "ada@example.org")
    assert letter.subject == " ".join("".join(c if c.isprintable() else " " for c in as_shown(subject, 400)).split())


@given(st.text(st.characters(codec="utf-8", exclude_characters="\r"), max_size=500), st.booleans())
def test_any_text_reads_back(text, with_html):
    mail = replace(MAIL, text=text, html=f"<pre>{text}</pre>" if with_html else "")
    raw = compose(mail)
    assert raw.isascii()
    assert b"\n" not in raw.replace(b"\r\n", b"")
    message = message_from_bytes(raw)
    part = message.get_payload(0) if with_html else message
    found = part.get_payload(decode=True).decode().replace("\r\n", "\n")
    assert found == (text if text.endswith("\n") else text + "\n")


def test_our_own_mail_is_never_answered():
    letter = read_letter(compose(MAIL))
    assert letter.automatic
    assert letter.vacation, "an answer of ours that comes back must not be read for orders"


def test_how_to_leave_is_a_mail_that_a_program_can_write():
    url = mailto("gm+g12p3.prcnnjn76sno3vgs@pbmd.test", "Leave galaxy-7", "RESIGN")
    header = str(parsed(replace(MAIL, unsubscribe=url))["List-Unsubscribe"])
    scheme, _, rest = header.strip("<>").partition(":")
    address, _, query = rest.partition("?")
    assert (scheme, address) == ("mailto", "gm+g12p3.prcnnjn76sno3vgs@pbmd.test")
    assert parse_qs(query) == {"subject": ["Leave galaxy-7"], "body": ["RESIGN"]}


@pytest.mark.parametrize("words", ["a&body=x", "a>\r\nBcc: eve@example.org", "ä€ ?=#%"])
def test_no_words_leave_their_place_in_that_url(words):
    url = mailto("gm@pbmd.test", words, "RESIGN")
    assert parse_qs(url.partition("?")[2]) == {"subject": [words], "body": ["RESIGN"]}
    assert parsed(replace(MAIL, unsubscribe=url)).keys() == parsed(replace(MAIL, unsubscribe="mailto:a@b")).keys()


def test_a_url_that_is_none_is_refused():
    with pytest.raises(ValueError, match="URL"):
        compose(replace(MAIL, unsubscribe="mailto:a@b>\r\nBcc: eve@example.org"))
