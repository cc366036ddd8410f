"""The mails in a mail: itself, and those attached to it, each with its text, its HTML and its pictures."""

import email.utils
import re
from collections.abc import Iterator
from email import message_from_bytes
from email.message import Message
from email.policy import compat32
from itertools import islice
from typing import NamedTuple

from pbmd.archive.appearance.mail_header import Own, own_of
from pbmd.archive.format.press_and_deadlines import decoded, header_of
from pbmd.post.proof_file import is_proof, proof_bytes

_MOST_PARTS = 200
_PICTURES = ("image/png", "image/svg+xml")
_ADDRESS = re.compile(r"[^\s<>()\[\],;:\"']{1,64}@[a-z0-9.-]{1,255}", re.IGNORECASE)


class Letter(NamedTuple):
    """A mail. `texts` and `pages` are its parts as plain text and as HTML, without files, and `proofs` the files with proofs;
    `pictures` the Content-IDs of those of its pictures that can be compared with the books; `addresses` those that its header
    and its text name; `others` the types of what else programs show as a part of it. `beside` are those of its texts that do
    not stand apart, as servers put theirs: programs may show one of them, or its HTML in their place. `own`:
    what its header says, if it is one of pbmd's own. `is_inside`: it is attached to one of pbmd's own, or to what is."""

    message: Message
    subject: str
    texts: tuple[str, ...]
    pages: tuple[str, ...]
    proofs: tuple[str, ...]
    pictures: frozenset[str]
    addresses: frozenset[str]
    others: frozenset[str] = frozenset()
    beside: tuple[str, ...] = ()
    own: Own | None = None
    is_inside: bool = False

    @property
    def text(self) -> str:
        """The text that its HTML must show."""
        return "\n".join(self.beside or self.texts)


def mail_in(raw: bytes) -> Message:
    """The mail; those in it that a program has sent on as files, or packed as no mail may be, are mails in it, too."""
    message = message_from_bytes(raw, policy=compat32)
    for part in islice(message.walk(), _MOST_PARTS):
        packed = "".join(str(part.get(_PACKED, "")).split()[:1]).lower()
        if packed:
            part.replace_header(_PACKED, packed)
        if (inner := _mail_of(part, packed)) is not None:
            part.set_payload([message_from_bytes(inner, policy=compat32)])
            del part[_PACKED]
        if inner is not None or part.get_content_type() == "message/global":
            part.set_type("message/rfc822")
    return message


def _mail_of(part: Message, packed: str) -> bytes | None:
    """What is in a file with a mail, or in a mail that is packed; None for any other part."""
    if part.get_content_maintype() == "message" and part.is_multipart():
        if packed not in ("base64", "quoted-printable"):
            return None
        inner, part = part, Message()
        part[_PACKED] = packed
        part.set_payload("\n".join(map(str, inner.get_payload())))
    elif part.is_multipart() or not (part.get_filename() or "").lower().endswith(".eml"):
        return None
    return proof_bytes(part)


_PACKED = "Content-Transfer-Encoding"


def letters_in(message: Message) -> Iterator[Letter]:
    """All of them, the outer one first."""
    waiting, count = [(message, False)], 0
    while waiting and count < _MOST_PARTS:
        outer, is_inside = waiting.pop(0)
        parts, attached = _parts(outer)
        count += len(parts) + 1
        own = own_of(outer)
        waiting += [(each, is_inside or own is not None) for each in attached]
        yield _letter(parts)._replace(own=own, is_inside=is_inside)


def parts_of(message: Message) -> list[Message]:
    """The parts of a mail, itself first and in their order, without those of mails that are attached to it."""
    return _parts(message)[0]


def _parts(message: Message) -> tuple[list[Message], list[Message]]:
    """The parts of a mail, itself first and in their order, and the mails that are attached to it."""
    parts, attached, waiting = list[Message](), list[Message](), [message]
    while waiting and len(parts) < _MOST_PARTS:
        part = waiting.pop()
        parts.append(part)
        inner = part.get_payload() if part.is_multipart() else []
        inside = [each for each in inner if isinstance(each, Message)] if isinstance(inner, list) else []
        if part.get_content_type() == "message/rfc822":
            attached += inside
        else:
            waiting += reversed(inside)
    return parts, attached


def _letter(parts: list[Message]) -> Letter:
    message = parts[0]
    texts = tuple(_texts(parts, "text/plain"))
    named = (header_of(message, name) for name in ("From", "To", "Cc", "Reply-To", "List-Unsubscribe", "X-Loop"))
    found = _ADDRESS.findall("\n".join((*named, *texts))[:_MOST_CHARS])
    return Letter(
        message,
        header_of(message, "Subject"),
        texts,
        tuple(_texts(parts, "text/html")),
        tuple(decoded(part) for part in parts if is_proof(part)),
        frozenset(header_of(part, "Content-ID").strip("<>") for part in parts if part.get_content_type() in _PICTURES),
        frozenset(email.utils.unquote(each).lower().rstrip(".") for each in found),
        frozenset(part.get_content_type() for part in parts if _is_other(part)),
        tuple(_texts(_without_apart(parts), "text/plain")),
    )


_MOST_CHARS = 60_000


def _texts(parts: list[Message], kind: str) -> Iterator[str]:
    """The parts of that type that mail programs show as the mail itself."""
    for part in parts:
        if part.get_content_type() == kind and not part.is_multipart() and not is_proof(part) and not _is_file(part):
            yield decoded(part)


def _without_apart(parts: list[Message]) -> list[Message]:
    """The parts but those that programs show one below the other."""
    apart = set[int]()
    for part in parts:
        if part.get_content_type() in ("multipart/mixed", "multipart/signed") and part.is_multipart():
            apart.update(id(each) for each in part.get_payload())
    return [part for part in parts if id(part) not in apart]


def _is_other(part: Message) -> bool:
    return part.get_content_maintype() in _SHOWN and part.get_content_type() not in _OURS and not _is_file(part)


_SHOWN = frozenset({"text", "image", "audio", "video"})
_OURS = frozenset({"text/plain", "text/html", "text/calendar", *_PICTURES})


def _is_file(part: Message) -> bool:
    return str(part.get("Content-Disposition", "")).strip().lower().startswith("attachment")
