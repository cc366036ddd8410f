"""Mails that somebody has written one behind the other into a file are told apart; what is quoted in one is not."""

import pytest

from pbmd.archive.evidence.joined_mails import begins_of_mails
from tests.processor_time import takes_at_most


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


@pytest.mark.parametrize("name", ["x y", "x:y"])
def test_a_mail_behind_the_parts_of_another_is_told_apart_whatever_their_mark(name: str) -> None:
    first = parts(b"\nText").replace(b"x y", name.encode())
    assert split(first + mail(1)) == [first, mail(1)]


@pytest.mark.parametrize("piece", [b"a: " + b"b" * 990 + b"\n", b"a:b\n", b" -\n", b"\n--x\n", b"\ra:\r\n"])
def test_a_file_that_is_made_to_take_long_does_not(piece: bytes) -> None:
    with takes_at_most(5):
        assert begins_of_mails(mail(1, "").rstrip() + b"\n" + piece * (1_000_000 // len(piece))) == [0]


def test_behind_many_mails_whose_parts_do_not_end_no_ends_are_searched_for() -> None:
    cut_off = parts(b"\nText").removesuffix(b"--x y--\n")
    with takes_at_most(10):
        assert len(begins_of_mails(cut_off * 5_000 + b"\n-" * 500_000)) == 5_000
