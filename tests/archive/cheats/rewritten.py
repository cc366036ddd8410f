"""Mails that a host has rewritten: their text, their page and the file beside them, each in its own way."""

import re
from collections.abc import Callable
from email import message_from_bytes
from email.message import MIMEPart
from email.policy import default

from tests.archive.made import fitted

Change = Callable[[str], str]
_LINES = default.clone(max_line_length=0, cte_type="8bit", linesep="\r\n")


def rewritten(raw: bytes, text: Change = str, page: Change = str, file: Change = str, *, drops_file: bool = False) -> bytes:
    """The mail with each part changed, and the digest in its file made to fit; without the file if that is dropped."""
    return fitted(on_its_way(raw, text, page, file, drops_file=drops_file))


def on_its_way(raw: bytes, text: Change = str, page: Change = str, file: Change = str, *, drops_file: bool = False) -> bytes:
    """The same by who knows of no digest: servers and programs."""
    message = message_from_bytes(raw, policy=_LINES)
    changes = {"text/plain": text, "text/html": page}
    for part in [*message.walk()]:
        kind, name = part.get_content_type(), part.get_filename()
        if kind not in changes or part.is_multipart():
            continue
        change = file if name else changes[kind]
        content = part.get_content().replace("\r\n", "\n")
        assert isinstance(part, MIMEPart)
        more = {"disposition": "attachment", "filename": name} if name else {}
        part.set_content(change(content), subtype=kind.partition("/")[2], cte="8bit", **more)
    if drops_file:
        message.set_payload([part for part in message.iter_parts() if not part.get_filename()])
    return message.as_bytes()


def without_page(raw: bytes) -> bytes:
    """The mail without its HTML."""
    message = message_from_bytes(raw, policy=_LINES)
    for part in [each for each in message.walk() if each.is_multipart()]:
        part.set_payload([each for each in part.get_payload() if each.get_content_type() != "text/html"])
    return fitted(message.as_bytes())


def in_all(change: Change) -> tuple[Change, Change, Change]:
    """The same change to text, page and file."""
    return change, change, change


def relayed(raw: bytes, number: int) -> bytes:
    """The mail with a Message-ID that a relay has written."""
    return re.sub(rb"(?m)^Message-ID: .*\r?\n", b"Message-ID: <%d@relay.example.org>\r\n" % number, raw)
