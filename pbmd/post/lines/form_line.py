"""The lines of an order form that are its own: the mark with which it begins, `#orders TOKEN N.HEAD WORD`, and `#end`. In the
sheet with which an answer ends the token is not there: `#orders - DIGEST.PROOF N.HEAD WORD`.

The head is 96 bits of the hash of an entry of the journal, in base 32 behind the number of the entry, or `x` where that may not
be told; the word goes into the dice. Both may be missing. Older forms had them in lines of their own, `#head GAME N HEAD` in
hex and `#word WORD`; such lines are still read, and a player may write one.

The digest covers the lines of the sheet without comments. So a sheet that comes back unchanged is recognised, however long ago
it was sent. The proof shows that we sent it to this seat; it does not prove whose letter it is, since players show each other
our answers.

Where a mail program has broken the mark over several lines, it is put together again.
"""

import base64
import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from pbmd.post.lines.text import is_comment, key, normal, without_bullet

HEAD_DIGITS = 24
"""The digits of a hash in a form: too many for anybody to make two histories whose hashes begin alike, and few enough for any
line."""
HEAD = r"(?:\d{1,9}|x)\.[a-z2-7]{20}"
"""How a head is written in a mark."""
_HEAD = re.compile(r"(\d{1,9}|x)\.([a-z2-7]{20})", re.IGNORECASE)
_TAG = re.compile(r"g\d{1,9}p\d{1,6}\.[a-z2-7]{16}|-\s?[a-z2-7]{8,16}\.[a-z2-7]{8,16}", re.IGNORECASE)
_MARK = re.compile(r"# ?(?:(orders)\b[ :]*([-–—] ?)?([^ ]{0,80})(?: (.*))?|(end)\W*)", re.IGNORECASE)
"""Nothing follows "#end": a form may offer "# End move"."""
_NOTE = re.compile(r"#(head|word)(?:[ :]+(.*))?", re.IGNORECASE)
_CHARS = 140


class FormMark(NamedTuple):
    """A mark line: its word, "orders" or "end", empty if it is none; the tag behind "#orders", as written, with "-" before what
    stands behind a dash; the head, as written; and the word for the dice, which is the rest of the line."""

    word: str = ""
    tag: str = ""
    head: str = ""
    said: str = ""


_NO_MARK = FormMark()


@dataclass(frozen=True, slots=True)
class Mark:
    """A line "#orders TAG HEAD WORD" or "#end"; `said` is the word for the dice."""

    line: int
    word: str
    tag: str
    head: str = ""
    said: str = ""


def form_mark(line: str) -> FormMark:
    """What a line says as a mark. Anything after the tag counts only if nobody could have meant something else."""
    body = line.strip()
    found = _MARK.fullmatch(without_bullet(normal(body[:_CHARS]))) if is_comment(body) else None
    if found is None:
        return _NO_MARK
    if not found[1]:
        return FormMark("end")
    tag, rest = f"{'-' if found[2] else ''}{found[3]}", found[4] or ""
    head, _, said = rest.partition(" ") if _HEAD.fullmatch(rest.partition(" ")[0]) else ("", "", rest)
    return FormMark("orders", tag, head, said) if not said or head or _TAG.fullmatch(tag) else _NO_MARK


def form_note(line: str) -> tuple[str, str]:
    """What a line of an order form brings back with a reply: its word, "head" or "word", and what stands behind it, which may
    be nothing; empty if it is no such line."""
    found = _NOTE.fullmatch(without_bullet(normal(line[:_CHARS]))) if is_comment(line) else None
    return (found[1].lower(), (found[2] or "").strip()) if found else ("", "")


def write_head(number: int | None, chain_head: str) -> str:
    """A head as a mark has it; `chain_head` is the hash in hex."""
    letters = base64.b32encode(bytes.fromhex(chain_head[:HEAD_DIGITS])).decode().rstrip("=").lower()
    return f"{'x' if number is None else number}.{letters}"


def read_head(written: str) -> tuple[str, str]:
    """The number of the entry, empty if it is not told, and the beginning of its hash in hex; both empty if it is no head."""
    found = _HEAD.fullmatch(written)
    if found is None:
        return "", ""
    return found[1] if found[1].isdecimal() else "", digits_of(found[2])


def digits_of(letters: str) -> str:
    """The beginning of a hash in hex, of its letters in base 32."""
    return base64.b32decode(f"{letters.upper()}====").hex()


SHEET_SIGN = "-"
"""What follows "#orders" in place of the token of the seat."""
SHEET_CHARS = 8
"""A mark has this many characters of digest and proof, so that it fits into a line. Older marks had all of them."""
_BYTES = 10
_WHOLE = re.compile(
    rf"-\s?(?:[a-z2-7]{{16}}\.[a-z2-7]{{16}}|[a-z2-7]{{{SHEET_CHARS}}}\.[a-z2-7]{{{SHEET_CHARS}}})", re.IGNORECASE
)


def is_sheet(tag: str) -> bool:
    """Whether a tag, as it stands behind "#orders", is that of a sheet and not of an order form."""
    return tag[:1] == SHEET_SIGN


def is_whole(tag: str) -> bool:
    """Whether it is one that we wrote, whoever it was for: somebody may have typed "#orders -" above a list."""
    return _WHOLE.fullmatch(tag) is not None


def digest_in(tag: str) -> str:
    """The digest in the tag of a sheet, as `sheet_digest` makes it; or whatever stands there."""
    return tag.removeprefix(SHEET_SIGN).strip().partition(".")[0].lower()


def tells(tag: str, found: str) -> bool:
    """Whether the tag of a sheet has that digest, as `sheet_digest` makes it, or the beginning of it that a mark has."""
    return is_whole(tag) and found.startswith(digest_in(tag))


def sheet_digest(lines: Iterable[str]) -> str:
    """16 characters (lower-case base32) that are the same however mail programs have broken and spaced the lines."""
    return base64.b32encode(hashlib.sha256("".join(map(key, lines)).encode()).digest()[:_BYTES]).decode().lower()
