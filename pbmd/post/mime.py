"""The MIME tree of a message, from the fast parser when the message is well-formed and from the lenient one when it is not."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from email import policy
from email.message import Message
from email.parser import BytesParser

from fast_mail_parser import ParseError, PyLazyMimePart, parse_email_tree

from pbmd.post.headers import Headers, parameters
from pbmd.post.limits import Limits


class TooManyParts(ValueError):
    """The message nests deeper, or has more parts, than the limits allow."""


class NotWellFormed(ValueError):
    """The fast parser may have read something else than was meant: the lenient one must decide."""


@dataclass(frozen=True, slots=True)
class Part:
    """A node of the tree. `type` is lower case, `params` those of Content-Type, `content` gives the decoded bytes of a leaf.

    A message inside the message is a leaf without content: it is somebody else's mail.
    """

    type: str
    params: dict[str, str]
    disposition: str
    filename: str
    children: tuple["Part", ...]
    content: Callable[[], bytes]


def read_parts(data: bytes, headers: Headers, limits: Limits) -> Part:
    """The tree of `data` (LF line ends).

    Raises TooManyParts; RecursionError for nesting that even the limits on bytes let through.
    """
    if headers.clean:
        try:
            return fast_parts(data, limits)
        except (ParseError, NotWellFormed):
            pass
    return lenient_parts(data, limits)


def fast_parts(data: bytes, limits: Limits) -> Part:
    """The tree as fast-mail-parser has it. Raises ParseError, NotWellFormed or TooManyParts."""
    return _from_fast(parse_email_tree(data, mode="lazy"), data, data.isascii() and b"\x1b" not in data, _Budget(limits), 1)


def lenient_parts(data: bytes, limits: Limits) -> Part:
    """The tree as the standard library has it under compat32, which takes anything. Raises TooManyParts, RecursionError."""
    return _from_lenient(BytesParser(policy=policy.compat32).parsebytes(data), _Budget(limits), 1)


class _Budget:
    """Counts the parts of one message against its limits."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._parts = 0

    def spend(self, depth: int) -> None:
        self._parts += 1
        if depth > self._limits.depth or self._parts > self._limits.parts:
            raise TooManyParts


_ENCODINGS = {"", "7bit", "8bit", "binary", "quoted-printable", "base64"}


def _from_fast(node: PyLazyMimePart, data: bytes, plain_ascii: bool, budget: _Budget, depth: int) -> Part:
    budget.spend(depth)
    fields = {name.lower(): values for name, values in node.headers.items() if name[:1] in "Cc"}
    types = fields.get("content-type", [""])
    encodings = fields.get("content-transfer-encoding", [""])
    if len(types) > 1 or len(encodings) > 1 or encodings[0].strip().lower() not in _ENCODINGS:
        raise NotWellFormed
    if not plain_ascii and encodings[0].strip().lower() == "quoted-printable":
        raise NotWellFormed  # the fast parser drops 8-bit bytes and escapes there
    params = parameters(types[0])
    kind = node.content_type.lower()
    container = kind.startswith("multipart/")
    if "/" not in kind or (not node.is_message and container != bool(node.children)):
        raise NotWellFormed
    if container and not _clearly_divided(params.get("boundary", ""), len(node.children), data):
        raise NotWellFormed
    children = (
        () if node.is_message else tuple(_from_fast(child, data, plain_ascii, budget, depth + 1) for child in node.children)
    )
    return Part(
        type=kind,
        params=params,
        disposition=(node.disposition or "").lower(),
        filename=node.filename,
        children=children,
        content=lambda: b"" if kind.startswith("message/") else node.content or b"",
    )


_PART_HEADER = re.compile(rb"(?:[!-9;-~]++:[^\n]*+\n(?:[ \t][^\n]*+\n)*+)*+\n")


def _clearly_divided(boundary: str, children: int, data: bytes) -> bool:
    """Whether a multipart can be read in one way only.

    Its boundary stands before each child and once behind the last one, nowhere else and not as the beginning of another one,
    and each child begins with a sound header block.
    """
    mark = b"\n--" + boundary.encode("latin-1", "replace")
    if not boundary or data.count(mark) != children + 1 or data.count(mark + b"--") != 1:
        return False
    place = 0
    for _ in range(children):
        place = data.find(mark + b"\n", place)
        if place < 0:
            return False
        place += len(mark) + 1
        if not _PART_HEADER.match(data, place):
            return False
    return True


def _from_lenient(message: "Message[str, str]", budget: _Budget, depth: int) -> Part:
    budget.spend(depth)
    kind = message.get_content_type()
    inner = message.get_payload() if message.is_multipart() and not kind.startswith("message/") else []
    children = [child for child in inner if isinstance(child, Message)] if isinstance(inner, list) else []
    return Part(
        type=kind,
        params=parameters(str(message.get("Content-Type", ""))),
        disposition=str(message.get("Content-Disposition", "")).partition(";")[0].strip().lower(),
        filename=_filename(message),
        children=tuple(_from_lenient(child, budget, depth + 1) for child in children),
        content=lambda: b"" if kind.startswith("message/") else _payload(message),
    )


def _filename(message: "Message[str, str]") -> str:
    try:
        return str(message.get_filename("") or "")
    except (ValueError, LookupError, TypeError, IndexError):
        return "?"  # there is a name, and it cannot be read


def _payload(message: "Message[str, str]") -> bytes:
    payload = message.get_payload(decode=True)
    return payload if isinstance(payload, bytes) else b""
