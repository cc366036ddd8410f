"""Mails out: values → RFC 5322 bytes, always the same bytes for the same values.

Put together by hand because the standard library needs two milliseconds a mail for it; every header value is made safe here, so
that nothing a player wrote can start a header of its own.
"""

import binascii
import re
from dataclasses import dataclass
from datetime import datetime
from email.header import Header
from email.utils import format_datetime, quote
from functools import lru_cache
from hashlib import sha256
from typing import Literal
from urllib.parse import quote as percent

_CRLF = b"\r\n"
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]+")
_ADDRESS = re.compile(r"[!#-'*+./0-9=?A-Z^-~-]{1,64}@[!#-'*+./0-9=?A-Z\[\]^-~:-]{1,255}")
_ID = re.compile(r"<[!-;=?-~]{1,900}>")
_URL = re.compile(r"[!#-;=?-~]{1,900}")
_LIST_ID = re.compile(r"[^A-Za-z0-9.@_-]+")
_ATOMS = re.compile(r"[A-Za-z0-9 !#$%&'*+/=?^_`{|}~-]+")
LINE_BYTES = 76


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file: its name, its MIME type (``image/svg+xml``), its bytes."""

    name: str
    type: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Inline:
    """A picture that stands in the HTML: its Content-ID without brackets (``<img src="cid:…">``), and the file."""

    cid: str
    file: Attachment


@dataclass(frozen=True, slots=True)
class Invitation:
    """A calendar object (RFC 5545) and its method (RFC 5546)."""

    method: Literal["REQUEST", "CANCEL"]
    data: bytes


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A mail to one recipient. Empty strings stand for headers that it does not have. `text` and `html` use LF."""

    sender_name: str
    sender_address: str
    recipient_name: str
    recipient_address: str
    reply_to: str
    subject: str
    message_id: str
    date: datetime
    in_reply_to: str
    references: tuple[str, ...]
    auto: Literal["auto-replied", "auto-generated"]
    list_id: str
    loop_address: str
    text: str
    unsubscribe: str = ""
    """The mailto URL that takes the recipient off the list (RFC 2369, RFC 6068)."""
    html: str = ""
    inline: tuple[Inline, ...] = ()
    """Only with `html` (RFC 2387, RFC 2392)."""
    attachments: tuple[Attachment, ...] = ()
    invitation: Invitation | None = None
    """Beside the text, where programs look for what they can show (RFC 6047), and attached for those that cannot."""


def compose(outgoing: Outgoing) -> bytes:
    """The mail as bytes with CRLF line ends. Raises `ValueError` for an invalid address, MIME type or Content-ID."""
    type_line, body = _body(outgoing)
    lines = [
        f"From: {_mailbox(outgoing.sender_name, outgoing.sender_address)}",
        f"To: {_mailbox(outgoing.recipient_name, outgoing.recipient_address)}",
        f"Subject: {_words(outgoing.subject, len('Subject: '))}",
        f"Date: {format_datetime(outgoing.date)}",
        f"Message-ID: {_id(outgoing.message_id)}",
    ]
    if outgoing.reply_to:
        lines.append(f"Reply-To: {_address(outgoing.reply_to)}")
    answered = _ids((outgoing.in_reply_to,))
    if answered:
        lines.append(f"In-Reply-To: {answered}")
    references = _ids(outgoing.references)
    if references:
        lines.append(f"References: {references}")
    if outgoing.list_id:
        lines.append(f"List-Id: <{_LIST_ID.sub('-', outgoing.list_id)}>")
    if outgoing.unsubscribe:
        lines.append(f"List-Unsubscribe: {_url(outgoing.unsubscribe)}")
    lines += [
        f"Auto-Submitted: {outgoing.auto}",
        "X-Auto-Response-Suppress: All",
        f"X-Loop: {_address(outgoing.loop_address)}",
        "MIME-Version: 1.0",
    ]
    return "\r\n".join(lines).encode("ascii") + _CRLF + type_line + body


def _body(outgoing: Outgoing) -> tuple[bytes, bytes]:
    """The header lines from Content-Type on, with the blank line, and the body."""
    boundary = sha256(outgoing.message_id.encode()).hexdigest()[:32]
    parts, files = [_text_part("plain", outgoing.text)], [_file_part(each) for each in outgoing.attachments]
    if outgoing.html:
        html = _text_part("html", outgoing.html)
        if outgoing.inline:
            pictures = (_inline_part(each) for each in outgoing.inline)
            html = _multipart("related", f"rel-{boundary}", [html, *pictures], '; type="text/html"')
        parts.append(html)
    if outgoing.invitation:
        # Outlook and Gmail expect it last among the alternatives.
        parts.append(_calendar_part(outgoing.invitation))
        files.append(_file_part(Attachment("deadline.ics", "application/ics", outgoing.invitation.data)))
    part = _multipart("alternative", f"alt-{boundary}", parts) if len(parts) > 1 else parts[0]
    if files:
        part = _multipart("mixed", f"mix-{boundary}", [part, *files])
    head, _, body = part.partition(b"\r\n\r\n")
    return head + b"\r\n\r\n", body


def _text_part(subtype: str, text: str) -> bytes:
    content = text.replace("\r\n", "\n").replace("\r", "\n")
    content = content if content.endswith("\n") else content + "\n"
    raw = content.encode("utf-8", "replace")
    plain = raw.isascii() and b"\0" not in raw and max(map(len, raw.split(b"\n"))) <= LINE_BYTES + 2
    # mbox programs change a line that begins with "From ", careless relays one that begins with a dot.
    begun = b"\n" + raw
    if plain and not [mark for mark in (b"\nFrom ", b"\n.", b" \n", b"\t\n") if mark in begun]:
        encoding, body = b"7bit", raw.replace(b"\n", _CRLF)
    else:
        encoding, body = b"quoted-printable", _quoted_printable(raw)
    return b"Content-Type: text/%s; charset=utf-8\r\nContent-Transfer-Encoding: %s\r\n\r\n%s" % (
        subtype.encode(),
        encoding,
        body,
    )


def _quoted_printable(raw: bytes) -> bytes:
    encoded = binascii.b2a_qp(raw, quotetabs=False, istext=True, header=False)
    encoded = (b"\n" + encoded).replace(b"\nFrom ", b"\n=46rom ").replace(b"\n.", b"\n=2E")
    return encoded[1:].replace(b"\n", _CRLF)


def _inline_part(inline: Inline) -> bytes:
    if not _ID.fullmatch(f"<{inline.cid}>"):
        raise ValueError(f"{inline.cid!r} cannot be a Content-ID")
    return _file_part(inline.file, f"Content-ID: <{inline.cid}>\r\nContent-Disposition: inline")


def _file_part(attachment: Attachment, disposition: str = "Content-Disposition: attachment") -> bytes:
    name = re.sub(r"[^A-Za-z0-9._-]", "_", attachment.name)[:80]
    if not re.fullmatch(r"[a-z]+/[a-z0-9.+-]+(?:; charset=[a-z0-9-]+)?", attachment.type):
        raise ValueError(f"{attachment.type!r} is no MIME type")
    head = f'Content-Type: {attachment.type}; name="{name}"\r\nContent-Transfer-Encoding: base64\r\n'
    head += f'{disposition}; filename="{name}"\r\n\r\n'
    return head.encode("ascii") + base64_lines(attachment.data) + _CRLF


def _calendar_part(invitation: Invitation) -> bytes:
    head = (
        f"Content-Type: text/calendar; charset=utf-8; method={invitation.method}\r\nContent-Transfer-Encoding: base64\r\n\r\n"
    )
    return head.encode("ascii") + base64_lines(invitation.data) + _CRLF


def base64_lines(data: bytes) -> bytes:
    """Base64 for a mail (RFC 2045): lines of 76 characters, without a line end after the last."""
    encoded = binascii.b2a_base64(data, newline=False)
    return _CRLF.join(encoded[at : at + LINE_BYTES] for at in range(0, len(encoded), LINE_BYTES))


def _multipart(subtype: str, boundary: str, parts: list[bytes], parameters: str = "") -> bytes:
    mark = f"--{boundary}".encode()
    head = f'Content-Type: multipart/{subtype}; boundary="{boundary}"{parameters}\r\n\r\n'.encode()
    return head + b"".join(mark + _CRLF + part + _CRLF for part in parts) + mark + b"--\r\n"


def _mailbox(name: str, address: str) -> str:
    shown = " ".join(_CONTROL.sub(" ", name).split())[:200]
    if not shown:
        return _address(address)
    if shown.isascii() and "=?" not in shown:
        shown = shown if _ATOMS.fullmatch(shown) else f'"{quote(shown)}"'
    else:
        shown = Header(shown, "utf-8", maxlinelen=60).encode(linesep="\r\n")
    return (
        f"{shown}\r\n <{_address(address)}>"
        if len(shown) + len(address) > LINE_BYTES - 10
        else f"{shown} <{_address(address)}>"
    )


def _words(text: str, used: int) -> str:
    shown = " ".join(_CONTROL.sub(" ", text).split())[:400]
    # "=?" begins an encoded word, so a text that has it is encoded itself.
    if shown.isascii() and "=?" not in shown:
        return _folded(shown, used)
    return Header(shown, "utf-8", maxlinelen=60, header_name="Subject").encode(linesep="\r\n")


def _folded(text: str, used: int) -> str:
    lines, room = [""], LINE_BYTES - used
    for word in text.split(" "):
        if lines[-1] and len(lines[-1]) + 1 + len(word) > room:
            lines.append(word)
            room = LINE_BYTES - 1
        else:
            lines[-1] = f"{lines[-1]} {word}" if lines[-1] else word
    return "\r\n ".join(lines)


def can_be_written(address: str) -> bool:
    """Whether a mail can be sent to this address: letters beyond ASCII (RFC 6531) need servers that know them."""
    return _ADDRESS.fullmatch(address) is not None


def _address(address: str) -> str:
    if not can_be_written(address):
        raise ValueError(f"{address!r} cannot be an e-mail address")
    return address


def _id(text: str) -> str:
    if not _ID.fullmatch(text):
        raise ValueError(f"{text!r} cannot be a Message-ID")
    return text


@lru_cache(maxsize=1024)
def mailto(address: str, subject: str, body: str) -> str:
    """A URL that opens a mail to `address` (RFC 6068). Raises `ValueError` for what cannot be an address."""
    return f"mailto:{percent(_address(address), safe='@+')}?subject={percent(subject, safe='')}&body={percent(body, safe='')}"


def _url(text: str) -> str:
    if not _URL.fullmatch(text):
        raise ValueError(f"{text!r} cannot be a URL in a header")
    return f"<{text}>"


def _ids(ids: tuple[str, ...]) -> str:
    """The valid ids; whatever else a player's mail program made up is left out."""
    return "\r\n ".join(each for each in ids if _ID.fullmatch(each))
