"""The file beside a mail with what can be checked against others: its name, and how it is known among attached files.

A body is wrapped, quoted and made into HTML on its way; an attached file arrives byte for byte.

It is made when the mail is queued, with the digest of that mail's words; in bodies there are no digests. Whoever holds mails
against the books reads the body and such files, whose names and first words fit, one behind the other.
"""

import hashlib
import re
from collections.abc import Iterator
from email.message import Message

from pbmd.post.read.charsets import decode

PROOF_TYPE = "text/plain; charset=utf-8"
_NAME = re.compile(
    r"[a-z0-9-]{1,64}-(?:t\d{1,6}|set-up)(?:-[a-z0-9-]{1,60})?-(?:proof|receipt(?:-\d{1,9})?)\.txt", re.IGNORECASE
)
_BEGINS = re.compile(r"\s*(?:PROOF|RECEIPT)\b")
_TYPES = frozenset({"text/plain", "application/octet-stream"})
"""Its type, and that of any file, which some servers and programs give to all of them."""
_NO_LETTERS = re.compile(r"[^a-z0-9]+")


def proof_name(game: str, turn: int | None, name: str = "", what: str = "proof") -> str:
    """What the file is called; without a turn, that of the set-up. `name` is that of a step, if it has one."""
    step = _NO_LETTERS.sub("-", name.lower()).strip("-")[:60]
    return "-".join(filter(None, (game, "set-up" if turn is None else f"t{turn}", step, what))) + ".txt"


def is_proof_name(name: str) -> bool:
    """Whether a file is named like these."""
    return _NAME.fullmatch(name) is not None


def is_proof(part: Message) -> bool:
    """Whether a part of a mail is such a file, by its name and the word with which it begins."""
    name = part.get_filename() or ""
    return part.get_content_type() in _TYPES and is_proof_name(name) and bool(_BEGINS.match(_text(part)))


def proofs_in(message: Message) -> Iterator[str]:
    """The texts of the files with proofs that a mail has."""
    return (_text(part) for part in message.walk() if is_proof(part))


def words_digest(text: str) -> str:
    """SHA-256, in hex, of the words of a text with one blank between them: the same however its lines were broken."""
    return hashlib.sha256(" ".join(text.split()).encode()).hexdigest()


def proof_bytes(part: Message) -> bytes:
    """What is in a part of a mail."""
    payload = part.get_payload(decode=True)
    return payload if isinstance(payload, bytes) else b""


def _text(part: Message) -> str:
    return decode(proof_bytes(part), str(part.get_content_charset("utf-8"))).replace("\r\n", "\n")
