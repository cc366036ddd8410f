"""Files attached to a mail: which of them are plain text, whatever their media type says, and their lines."""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from pbmd.post.lines.text import normal
from pbmd.post.read.limits import Limits, size
from pbmd.post.read.mime import Part

NO_PLAIN_TEXT = "it is no plain text"
A_MAIL = "it is a mail of its own"
EMPTY = "it is empty"
ENOUGH = "there are too many of them"
_NAME_CHARS = 60


class Attachment(NamedTuple):
    """A file: its name for people, its media type, and its lines, or why it is not read."""

    name: str
    type: str
    lines: tuple[str, ...] = ()
    unread: str = ""


def attachment(part: Part, text: Callable[[Sequence[Part]], list[str]], limits: Limits, *, is_enough: bool) -> Attachment:
    """The file in a part of a message. `text` gives the lines of parts that are plain text; `is_enough`: no more files are
    opened."""
    file = Attachment(name_of(part), part.type)
    if is_mail(part):
        return file._replace(unread=A_MAIL)
    if part.type.partition("/")[0] in ("image", "audio", "video") or part.type == "text/html" or is_tnef(part):
        return file._replace(unread=NO_PLAIN_TEXT)
    if is_enough:
        return file._replace(unread=ENOUGH)
    data = part.content()
    if len(data) > limits.file_bytes:
        return file._replace(unread=f"it has {size(len(data))}, and files over {size(limits.file_bytes)} are not read")
    if not _is_text(data):
        return file._replace(unread=NO_PLAIN_TEXT)
    if data.startswith(_UTF_16):
        part = part._replace(params={**part.params, "charset": "utf-16"})
    lines = text([part])
    if not any(line.strip() for line in lines):
        return file._replace(unread=EMPTY)
    return file._replace(unread=A_MAIL) if _begins_like_mail(lines) else file._replace(lines=tuple(lines))


def name_of(part: Part) -> str:
    """The name of a part, on one short line without invisible characters."""
    name = "".join(letter for letter in normal(part.filename[: 4 * _NAME_CHARS]) if letter.isprintable())
    return name[:_NAME_CHARS].strip() or part.type[:_NAME_CHARS]


def is_mail(part: Part) -> bool:
    """Whether a part is a message, or a file that is named like one: somebody else's mail."""
    return part.type.startswith("message/") or part.filename.lower().endswith(_OF_MAIL)


def is_tnef(part: Part) -> bool:
    """Whether a part is Outlook's container for a whole mail."""
    return part.type == "application/ms-tnef" or part.filename.lower() == "winmail.dat"


_OF_MAIL = (".eml", ".emlx", ".msg", ".mbox", ".mht", ".mhtml")
_MARKUP = re.compile(rb"\s*(?:\{\\rtf|%pdf|%!ps|<!doctype|<html|<\?xml|<svg)", re.IGNORECASE)
_NOT_IN_TEXT = re.compile(rb"[\x00-\x08\x0e-\x19\x1c-\x1f\x7f]")
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")


def _is_text(data: bytes) -> bool:
    """Whether bytes are plain text: no control characters, and no markup that only programs read."""
    if data.startswith(_UTF_16):
        try:
            data = data.decode("utf-16").encode()
        except UnicodeError:
            return False
    return _NOT_IN_TEXT.search(data) is None and _MARKUP.match(data) is None


_FIELD = re.compile(r"([!-9;-~]+):(?: .*|$)")
_FIELDS = 3
_OF_HEADER = frozenset(["from", "received", "return-path", "message-id", "date", "subject", "delivered-to", "mime-version"])


def _begins_like_mail(lines: Sequence[str]) -> bool:
    """Whether text begins with the header of a message (RFC 5322, 2.2): at least three fields, two of them of every mail."""
    names: list[str] = []
    for line in lines[:200]:
        if line.startswith("From ") and not names:
            continue
        if not line.startswith((" ", "\t")) or not names:
            found = _FIELD.fullmatch(line)
            if found is None:
                break
            names.append(found[1].lower())
    return len(names) >= _FIELDS and len(_OF_HEADER.intersection(names)) > 1


def changed(file: Attachment, change: Callable[[str], str]) -> Attachment:
    """The file as if every line of it were what `change` makes of it."""
    return file._replace(lines=tuple(change(line) for line in file.lines))
