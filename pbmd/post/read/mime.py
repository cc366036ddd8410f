"""The MIME tree of a message: read here if it is plain text or multiparts of text, as most mail is, else from the fast parser
when the message is well-formed, and from the lenient one when it is not."""

import binascii
import re
from collections.abc import Callable, Iterator, Mapping
from email import policy
from email.message import Message
from email.parser import BytesParser
from functools import lru_cache
from typing import Any, NamedTuple

from fast_mail_parser import ParseError, PyMimePart, parse_email_tree

from pbmd.post.read.headers import Headers, fields_of, parameters, uncommented
from pbmd.post.read.limits import PARAMETERS_CHARS, Limits


class TooManyParts(ValueError):
    """The message nests deeper, or has more parts, than the limits allow."""


class NotWellFormed(ValueError):
    """A strict reader may understand something other than was meant: a more lenient one must decide."""


class Part(NamedTuple):
    """A node of the tree. `type` is lower case, `params` those of Content-Type, `content` gives the decoded bytes of a leaf.

    An `attached` part is a file, whatever its type; `filename` is for people. A message inside the message is a leaf without
    content: it is somebody else's mail.
    """

    type: str
    params: dict[str, str]
    attached: bool
    filename: str
    children: tuple["Part", ...]
    content: Callable[[], bytes]


_BOUNDARY = re.compile(rb"""\bboundary([*0-9]*)[ \t]*=[ \t]*"?([^";\n]{1,200})""", re.IGNORECASE)
_TOO_MANY_PARTS = (
    "Your mail is made of too many nested or attached parts to be read. "
    "Please write a new, short mail with only your orders as plain text."
)


def problem_of_parts(data: bytes, limits: Limits) -> str:
    """A sentence for the player when the message has too many MIME parts to be taken apart safely, else "".

    `data` has LF line ends. The count takes every line that begins like a declared boundary, wherever it stands, so that it is
    never below what a parser would find.
    """
    declared: set[bytes] = set()
    for found in _declarations(data):
        declared.add(b"" if found[1] else found[2].strip())
        if len(declared) > limits.containers:
            return _TOO_MANY_PARTS
    lines = sum(data.count(b"\n--" + boundary) for boundary in declared)
    return _TOO_MANY_PARTS if lines > limits.boundaries else ""


def _declarations(data: bytes) -> Iterator[re.Match[bytes]]:
    """What `_BOUNDARY` finds. Looking for the word first is several times faster, and most mail does not have it."""
    small = data.lower()
    at = small.find(b"boundary")
    while at >= 0:
        found = _BOUNDARY.match(data, at)
        if found:
            yield found
        at = small.find(b"boundary", found.end() if found else at + 1)


def read_parts(data: bytes, headers: Headers, limits: Limits) -> Part:
    """The tree of `data` (LF line ends).

    Raises TooManyParts; RecursionError for nesting that even the limits on bytes let through.
    """
    if headers.clean:
        try:
            return simple_parts(data, headers, limits)
        except NotWellFormed:
            pass
        try:
            return fast_parts(data, headers, limits)
        except (ParseError, NotWellFormed):
            pass
    return lenient_parts(data, limits)


_REPORTS = {
    "message/disposition-notification": "it is a read receipt",  # RFC 8098; some programs do not put it into a multipart/report
    "message/global-disposition-notification": "it is a read receipt",  # RFC 6533, for addresses with other letters
    "message/feedback-report": "it is a complaint that a provider passes on",  # RFC 5965
    "text/vnd.google.email-reaction+json": "it is a reaction to a mail",
}


def machine_report(part: Part) -> str:
    """Why this was written by a program and not by a person, to judge by its parts; "" if they do not show it.

    A part inside a forwarded message is a leaf here, and no sign: a person may forward it.
    """
    if part.type in _REPORTS:
        return _REPORTS[part.type]
    # What a calendar sends when its owner accepts or declines an invitation (RFC 5546, 3.2.3 and 3.2.7).
    if part.type == "text/calendar" and part.params.get("method", "").strip().lower() in ("reply", "counter"):
        return "a calendar has answered an invitation"
    return next(filter(None, map(machine_report, part.children)), "")


def simple_parts(data: bytes, headers: Headers, limits: Limits) -> Part:
    """The tree of `data`, with a sound header, if all of its leaves are text without a name. Raises NotWellFormed or
    TooManyParts."""
    return _simple(headers.fields, data, (0, headers.body, len(data)), _Budget(limits), 1)


def fast_parts(data: bytes, headers: Headers, limits: Limits) -> Part:
    """The tree as fast-mail-parser has it, for `data` with a sound header.

    Raises ParseError, NotWellFormed or TooManyParts.
    """
    return _from_fast(parse_email_tree(data), data, (0, headers.body, len(data)), _Budget(limits), 1)


def lenient_parts(data: bytes, limits: Limits) -> Part:
    """The tree as the standard library has it under compat32, which takes anything. Raises TooManyParts, RecursionError."""
    return _from_lenient(BytesParser(_Letter, policy=policy.compat32).parsebytes(data), _Budget(limits), 1)


class CarefulMessage(Message):
    """A message of the standard library's of whose header values only the beginning is looked at."""

    def get(self, name: str, failobj: Any = None) -> Any:
        """The value of a field, as text of at most `PARAMETERS_CHARS` characters; `failobj` if there is none."""
        value = super().get(name, failobj)
        return value if value is failobj else str(value)[:PARAMETERS_CHARS]


class _Letter(CarefulMessage):
    """One in which delivery reports are not taken apart: each of their blank lines would be a message of its own.

    The fields that say what a part is have no comments in it.
    """

    def get(self, name: str, failobj: Any = None) -> Any:
        value = super().get(name, failobj)
        return uncommented(value).strip() if isinstance(value, str) and name.lower() in _STRUCTURED else value

    def get_content_type(self) -> str:
        kind = super().get_content_type()
        return "message/rfc822" if kind == "message/delivery-status" else kind


class _Budget:
    """Counts the parts of one message against its limits."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._parts = 0

    def spend(self, depth: int) -> None:
        self._parts += 1
        if depth > self._limits.depth or self._parts > self._limits.parts:
            raise TooManyParts


_STRUCTURED = frozenset(("content-type", "content-transfer-encoding", "content-disposition"))
_TYPE = re.compile(r"[a-z0-9!#$&^_.+-]+/[a-z0-9!#$&^_.+-]+")
_ENCODINGS = {"", "7bit", "8bit", "binary", "quoted-printable", "base64"}
_HEADER = re.compile(rb"(?:[!-9;-~]++:[^\n]*+\n(?:[ \t][^\n]*+\n)*+)*+\n")
_LATE = re.compile(rb":[ \t]*+\n[ \t]")
_PLAIN = bytes([9, 10, *range(32, 127)])
_NO_ESCAPE = re.compile(rb"=(?![0-9A-Fa-f]{2}|\n)")
_SOUND_BASE64 = re.compile(rb"(?:[A-Za-z0-9+/]*+\n)*+(?:[A-Za-z0-9+/]++={0,2}+)?[ \t\n]*+")
"""Nothing follows its end, or stands between its letters: where any other ends is a matter of opinion."""


_CONTENT_TYPE = re.compile(
    r"\s*(text/(?:plain|html)|multipart/[a-z]+)(?:\s*;\s*[a-z-]+=(?:\"[^\"\\]*\"|[!#-'*+.0-9a-z^-~-]+))*\s*;?",
    re.IGNORECASE | re.ASCII,
)
_TYPE_CHARS = 200
_AS_IT_IS = ("", "7bit", "8bit", "binary")


@lru_cache(maxsize=256)
def _content_type(value: str) -> tuple[str, dict[str, str]]:
    """The type of a text or multipart, lower case, and its parameters. Raises NotWellFormed if it has a name, or for others."""
    found = _CONTENT_TYPE.fullmatch(value)
    if not found or "name" in value.lower() or value.lower().count("boundary") > 1:
        raise NotWellFormed
    return found[1].lower(), parameters(value)


def _simple(fields: Mapping[str, list[str]], data: bytes, place: tuple[int, int, int], budget: _Budget, depth: int) -> Part:
    """The part with these header fields; `place` as in `_places`. Raises NotWellFormed or TooManyParts."""
    budget.spend(depth)
    head, start, end = place
    types = fields.get("content-type", ())
    encodings = fields.get("content-transfer-encoding", ("",))
    if len(types) != 1 or len(types[0]) > _TYPE_CHARS or len(encodings) != 1 or "content-disposition" in fields:
        raise NotWellFormed
    if _begins_late(data, head, start):
        raise NotWellFormed
    kind, params = _content_type(types[0])
    encoding = encodings[0].removeprefix(" ").lower()
    if kind.startswith("text/"):
        body = data[start:end]
        content = body if encoding in _AS_IT_IS else _plainly_encoded(body, encoding)
        return Part(kind, params, False, "", (), lambda: content)
    places = _places(params.get("boundary", ""), data, start, end)
    if not places or encoding not in _AS_IT_IS:
        raise NotWellFormed
    children = [
        _simple(fields_of(data[each[0] : each[1] - 1].decode("latin-1")) or {}, data, each, budget, depth + 1)
        for each in places
    ]
    return Part(kind, params, False, "", tuple(children), bytes)


def _plainly_encoded(body: bytes, encoding: str) -> bytes:
    """A body, decoded if there is no doubt how (RFC 2045, 6.7 and 6.8). Raises NotWellFormed."""
    if encoding == "base64":
        if _SOUND_BASE64.fullmatch(body) is None:
            raise NotWellFormed
        try:
            return binascii.a2b_base64(body.replace(b"\n", b""), strict_mode=True)
        except binascii.Error:
            raise NotWellFormed from None
    if encoding != "quoted-printable" or _NO_ESCAPE.search(body) or body.translate(None, _PLAIN):
        raise NotWellFormed
    # It is in doubt what blanks that were added on the way mean, or a last line that is to be continued.
    if b" \n" in body or b"\t\n" in body or body.rstrip(b"\n").endswith((b" ", b"\t", b"=")):
        raise NotWellFormed
    return binascii.a2b_qp(body)


def _begins_late(data: bytes, head: int, start: int) -> bool:
    """Whether the value of a field in the header there begins in its second line (RFC 5322, 2.2.3): the parsers do not find an
    encoding in it."""
    return _LATE.search(data, head, start) is not None


def _from_fast(node: PyMimePart, data: bytes, place: tuple[int, int, int], budget: _Budget, depth: int) -> Part:
    """The part with this `place`, as in `_places`, if it can be read in one way only. Raises NotWellFormed or TooManyParts."""
    budget.spend(depth)
    head, *body = place
    fields = _fields_of_content(node)
    kind = node.content_type.lower()
    params = parameters(fields.get("content-type", ""))
    encoding = fields.get("content-transfer-encoding", "").strip().lower()
    if not _TYPE.fullmatch(kind) or _begins_late(data, head, body[0]) or _is_doubtful(encoding, data, (body[0], body[1])):
        raise NotWellFormed
    # Only a multipart has parts: those of a message inside the message are somebody else's.
    is_multipart, inner = kind.startswith("multipart/"), [] if node.is_message else node.children
    places = _places(params.get("boundary", ""), data, *body) if is_multipart else []
    if len(inner) != len(places) or (is_multipart and not places):
        raise NotWellFormed
    return Part(
        type=kind,
        params=params,
        attached=_is_file(fields.get("content-disposition", ""), params),
        filename=node.filename,
        children=tuple(_from_fast(child, data, each, budget, depth + 1) for child, each in zip(inner, places, strict=True)),
        content=lambda: b"" if kind.startswith("message/") else node.content or b"",
    )


def _fields_of_content(node: PyMimePart) -> dict[str, str]:
    """The fields that say what a part is, each once and in ASCII. Raises NotWellFormed."""
    fields = {name.lower(): values for name, values in node.headers.items() if name[:8].lower() == "content-"}
    if any(len(values) > 1 or not values[0].isascii() for values in fields.values()):
        raise NotWellFormed
    return {name: values[0] for name, values in fields.items()}


def _is_doubtful(encoding: str, data: bytes, place: tuple[int, int]) -> bool:
    """Whether a body could be decoded in more than one way."""
    if encoding == "quoted-printable":
        return _NO_ESCAPE.search(data, *place) is not None or bool(data[slice(*place)].translate(None, _PLAIN))
    if encoding == "base64":
        return _SOUND_BASE64.fullmatch(data, *place) is None
    return encoding not in _ENCODINGS


def _places(boundary: str, data: bytes, start: int, end: int) -> list[tuple[int, int, int]]:
    """Where the header of each part of a multipart begins in `data`, its body begins and ends; none if it is not clear."""
    mark = b"\n--" + boundary.encode("latin-1", "replace")
    places: list[tuple[int, int, int]] = []
    at = data.find(mark, start - 1, end) if boundary else -1
    while at >= 0 and data.startswith(b"\n", at + len(mark)):
        head = _HEADER.match(data, at + len(mark) + 1, end)
        if head is None:
            return []
        at = data.find(mark, head.end() - 1, end)
        places.append((head.start(), head.end(), at))
    closing = at + len(mark)
    closed = at >= 0 and data.startswith(b"--", closing) and (closing + 2 == end or data.startswith(b"\n", closing + 2))
    return places if closed and data.find(mark, closing, end) < 0 else []


def _from_lenient(message: "Message[str, str]", budget: _Budget, depth: int) -> Part:
    budget.spend(depth)
    kind = Message.get_content_type(message)
    inner = message.get_payload() if message.is_multipart() and not kind.startswith("message/") else []
    children = [child for child in inner if isinstance(child, Message)] if isinstance(inner, list) else []
    params = parameters(str(message.get("Content-Type", "")))
    return Part(
        type=kind,
        params=params,
        attached=_is_file(str(message.get("Content-Disposition", "")), params),
        filename=_filename(message),
        children=tuple(_from_lenient(child, budget, depth + 1) for child in children),
        content=lambda: b"" if kind.startswith("message/") else _payload(message),
    )


def _is_file(disposition: str, params: dict[str, str]) -> bool:
    """Whether a part says that it is a file, or has a file's name (RFC 2183, RFC 2231)."""
    if uncommented(disposition).partition(";")[0].strip().lower() == "attachment":
        return True
    return any(name.partition("*")[0] == "filename" for name in parameters(disposition)) or any(
        name.partition("*")[0] == "name" for name in params
    )


def _filename(message: "Message[str, str]") -> str:
    try:
        return str(message.get_filename("") or "")
    except (ValueError, LookupError, TypeError, IndexError):
        return "?"  # there is a name, and it cannot be read


def _payload(message: "Message[str, str]") -> bytes:
    encoding = str(message.get("Content-Transfer-Encoding", "")).lower()
    if encoding == "quoted-printable":
        # Blanks behind the "=" of a soft break were added on the way (RFC 2045, 6.7, rule 3).
        message.set_payload(_SOFT_BREAK.sub("=\n", _encoded(message)))
    elif encoding == "base64":
        encoded, below = _appended(_encoded(message))
        if below:
            message.set_payload(encoded)
            data = _decoded(message)
            message.set_payload(encoded + below)
            return data + b"\n" + below.encode("ascii", "surrogateescape")
    return _decoded(message)


def _encoded(message: "Message[str, str]") -> str:
    """The body as it came, whatever its encoding; bytes that are no ASCII as surrogates, as the parser has them."""
    encoding = str(message["Content-Transfer-Encoding"])
    message.replace_header("Content-Transfer-Encoding", "8bit")
    data = _decoded(message)
    message.replace_header("Content-Transfer-Encoding", encoding)
    return data.decode("ascii", "surrogateescape")


def _decoded(message: "Message[str, str]") -> bytes:
    payload = message.get_payload(decode=True)
    return payload if isinstance(payload, bytes) else b""


_SOFT_BREAK = re.compile(r"=[ \t]+\n")
_ENCODED_LINE = re.compile(r"[A-Za-z0-9+/]+={0,2}")
_LONG_LINE = 40
"""Characters of a line of base64, which contains no words."""


def _appended(text: str) -> tuple[str, str]:
    """A body in base64, and plain text that somebody has put below it: mostly the footer of a mailing list."""
    lines = text.splitlines(keepends=True)
    encoded = [_ENCODED_LINE.fullmatch(line.strip()) is not None for line in lines]
    padded = next((i for i, line in enumerate(lines) if encoded[i] and line.strip().endswith("=")), len(lines))
    odd = next((i for i, line in enumerate(lines) if line.strip() and not encoded[i]), len(lines))
    end = min(padded + 1, odd)
    if any(is_encoded and len(line) > _LONG_LINE for line, is_encoded in zip(lines[end:], encoded[end:], strict=True)):
        return text, ""
    below = "".join(lines[end:])
    return ("".join(lines[:end]), below) if below.strip() else (text, "")
