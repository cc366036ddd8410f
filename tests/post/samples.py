"""Small mails for the tests of the letter, as strings: written for them, in the manner of real mail programs."""

import re

from pbmd.post.lines.command_text import Own
from pbmd.post.lines.text import normal, without_bullet
from pbmd.post.read.letter import Letter, for_seat, read_letter

TAG = "g12p3.prcnnjn76sno3vgs"


def mail(body: str, *fields: str, type_: str = "text/plain; charset=utf-8", charset: str = "utf-8") -> bytes:
    """A message with the usual header fields and `fields` besides; CRLF line ends as on the wire."""
    usual = {
        "From": "Ada Lovelace <ada@example.org>",
        "To": "gm@pbmd.test",
        "Subject": "orders",
        "Date": "Sat, 21 Nov 2026 20:00:00 +0100",
        "Message-ID": "<m1@example.org>",
        "Content-Type": type_,
    }
    given = {field.partition(":")[0].lower() for field in fields}
    lines = [f"{name}: {value}" for name, value in usual.items() if name.lower() not in given]
    head = "\n".join([*lines, *fields])
    return head.encode().replace(b"\n", b"\r\n") + b"\r\n\r\n" + body.encode(charset).replace(b"\n", b"\r\n")


def read(body: str, *fields: str, type_: str = "text/plain; charset=utf-8") -> Letter:
    """A mail as the seat with the tag TAG is read."""
    return for_seat(read_letter(mail(body, *fields, type_=type_)), Own(lambda tag: tag.lower() == TAG))


def texts(letter: Letter) -> list[str]:
    """The lines that are to be parsed, without blank ones."""
    return [line.text for line in letter.lines if line.text]


def multipart(subtype: str, *parts: str, boundary: str = "=-b1", params: str = "") -> bytes:
    """A message of parts, each a string with its own header."""
    inner = "".join(f"--{boundary}\n{part}\n" for part in parts)
    return mail(f"{inner}--{boundary}--\n", type_=f'multipart/{subtype}; boundary="{boundary}"{params}')


def part(text: str, type_: str = "text/plain; charset=utf-8", *fields: str) -> str:
    return "\n".join([f"Content-Type: {type_}", *fields, "", text])


def shape(line: str) -> str:
    """A line as `TextLine.text` has it, to compare with."""
    return without_bullet(normal(line))


_WHO = re.compile(
    rb"^(?:from|to|sender|return-path|auto-submitted|precedence|list-[a-z-]+):[^\n]*\n(?:[ \t][^\n]*\n)*", re.I | re.M
)


def from_player(raw: bytes, sender: str, to: str) -> bytes:
    """A message as if a player had written it to a seat's address, whatever it is otherwise."""
    head, blank, rest = raw.replace(b"\r\n", b"\n").partition(b"\n\n")
    head = _WHO.sub(b"", head + b"\n").removeprefix(b"\n")
    return f"From: {sender}\nTo: {to}\n".encode() + head.rstrip(b"\n") + blank + rest
