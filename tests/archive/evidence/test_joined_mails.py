"""Mails that somebody has written one behind the other into a file are told apart; what is quoted in one is not."""

import pytest

from pbmd.archive.evidence.joined_mails import begins_of_mails


def mail(number: int, body: str = "Hello\n") -> bytes:
    header = f"From: a@b.test\nDate: Fri, 20 Nov 2026 12:00:00 +0000\nMessage-ID: <{number}@b.test>\nSubject: {number}\n"
    return f"{header}\n{body}".encode()


def parts(*pieces: bytes) -> bytes:
    """A mail with parts."""
    between = b"".join(b"--x y\n" + piece + b"\n" for piece in pieces)
    head = mail(7, "").rstrip(b"\n") + b'\nMIME-Version: 1.0\nContent-Type: multipart/mixed;\n boundary="x y"\n\n'
    return head + between + b"--x y--\n"


def split(raw: bytes) -> list[bytes]:
    begins = begins_of_mails(raw)
    return [raw[begin:end] for begin, end in zip(begins, [*begins[1:], len(raw)], strict=True)]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_mails_one_behind_the_other_are_told_apart(end: str) -> None:
    mails = [
        each.replace(b"\n", end.encode()) for each in (mail(1), mail(2), parts(b"\nText"), mail(3, "no line end at the end"))
    ]
    assert split(b"".join(mails)) == mails


def test_a_mail_that_is_attached_is_none_of_its_own() -> None:
    forwarded = parts(b"Content-Type: message/rfc822\n\n" + mail(1))
    assert split(forwarded + mail(2)) == [forwarded, mail(2)]


@pytest.mark.parametrize(
    "body", ["From: you\nDate: today\nSubject: x\n\nquoted\n", "> " + mail(1).decode().replace("\n", "\n> "), "Due: x\n"]
)
def test_words_that_look_like_a_header_are_none(body: str) -> None:
    assert split(mail(1, body)) == [mail(1, body)]


def test_what_is_no_mail_is_one_piece() -> None:
    assert begins_of_mails(b"nothing at all") == begins_of_mails(b"") == [0]
