"""The password line: a proof for players whose mail cannot be a reply. Never kept, shown or logged as it is written.

``SET PASSWORD word`` in a letter that is believed sets it, ``PASSWORD word`` shows it. The words are taken out of a letter
before anything else looks at its lines, and out of its bytes in the ledger when it has been dealt with; a letter counts by its
fingerprint, which is that of what came.
"""

import hashlib
import hmac
import re
from dataclasses import dataclass

from pbmd.archive.blank import Blanker
from pbmd.post.letter import Letter, TextLine, read_letter, rewritten

_COST = {"n": 2**14, "r": 8, "p": 1}  # 16 MiB and some 50 ms
SALT_BYTES = 16
BLANK = "xxxxxxxx"
# A quote mark or a bullet, perhaps; the word as people spell it; and all that stands behind it.
_LINE = re.compile(
    r"(?P<command>[\W\d_]*(?:[a-z]{1,4}>[\W\d_]*)?(?P<set>set\s+)?(?:my\s+|the\s+|new\s+){0,2}pas{1,2}w(?:or|ro)[dt]\b[\s:=]*)(?P<rest>\S.*)",
    re.IGNORECASE | re.DOTALL,
)
_UNREAD = re.compile(rb"(pas{1,2}w(?:or|ro)[dt]\b[^\r\n]{0,2})[^\r\n]*", re.IGNORECASE)
_HEADER_END = re.compile(rb"\r?\n\r?\n")
_ENCODED = re.compile(rb"base64|quoted-printable|charset[^\r\n]*utf-?(?:7|16|32)", re.IGNORECASE)
_WORD = re.compile(r"[A-Za-z0-9]{8,64}", re.ASCII)
_RUN = re.compile(r"[^\W_]{4,}")
OFF = "off"


@dataclass(frozen=True, slots=True)
class Passwords:
    """What a letter says of passwords: the one it shows, the one it wants to set ("" if none that can be one), and all words
    that must be blanked in its bytes, those in quoted text and those that cannot be passwords too."""

    shown: str = ""
    wanted: str = ""
    words: frozenset[str] = frozenset()

    def __repr__(self) -> str:
        return "Passwords(…)"


def taken_out(letter: Letter) -> tuple[Letter, Passwords]:
    """The letter without what stands in its password lines, and that. A quoted line shows and sets nothing."""
    written = "\n".join((*letter.body.lines, *letter.body.attached, *letter.body.skipped))
    found = _behind(written)
    if not found:
        return letter, Passwords()
    shown, wanted = (_first(letter.lines, setting=setting) for setting in (False, True))
    words = frozenset(run.lower() for text in found for run in _RUN.findall(text) if not is_blank(run))
    return rewritten(letter, _hidden), Passwords(shown, wanted, words)


def blanked(raw: bytes, words: frozenset[str]) -> bytes:
    """The bytes of a letter with these words blanked, however they are encoded; only its header if that cannot be done.

    The seat's tags in it stay: a letter that is held or put aside is read again later.
    """
    if not words:
        return raw
    clean = Blanker(words, tags=False).mail(raw)
    if not words & taken_out(read_letter(clean))[1].words:
        return clean
    end = _HEADER_END.search(clean)
    return clean[: end.end()] if end else b""


def blanked_unread(raw: bytes) -> bytes:
    """The bytes of a letter that could not be read, without what stands behind the word PASSWORD in them."""
    return _UNREAD.sub(rb"\1" + BLANK.encode(), raw)


def blanked_unseen(raw: bytes) -> bytes:
    """The bytes of a letter that the reader itself stumbles over. Only its header stays if its text may be encoded, for
    then nobody can say where a password stands; the mail server has the letter still."""
    clean = blanked_unread(raw)
    end = _HEADER_END.search(clean)
    if end and not _ENCODED.search(clean):
        return clean
    return clean[: end.end()] if end else b""


def hashed(word: str, salt: bytes) -> str:
    """A password as it is kept: salt and scrypt (RFC 7914), in hexadecimal."""
    return f"{salt.hex()}:{hashlib.scrypt(word.encode(), salt=salt, **_COST).hex()}"


def is_password(kept: str, word: str) -> bool:
    """Whether it is the password that was kept, in a time that does not tell how nearly."""
    salt = kept.partition(":")[0]
    return bool(kept) and hmac.compare_digest(kept.encode(), hashed(word, bytes.fromhex(salt)).encode())


def is_blank(word: str) -> bool:
    """Whether it is what a password becomes in a letter that waits: everybody knows that, so it proves nothing."""
    return set(word.lower()) == {"x"}


def _behind(text: str) -> list[str]:
    """What stands behind the word PASSWORD in these lines."""
    if "pas" not in text.lower():
        return []
    return [found["rest"] for line in text.split("\n") if (found := _LINE.match(line))]


def _hidden(text: str) -> str:
    if "pas" not in text.lower():
        return text
    return "\n".join(f"{found['command']}{BLANK}" if (found := _LINE.match(line)) else line for line in text.split("\n"))


def _first(lines: tuple[TextLine, ...], *, setting: bool) -> str:
    for line in lines:
        found = _LINE.match(line.text)
        if found and bool(found["set"]) is setting:
            word = found["rest"].rstrip(" .!;")
            return word if (_WORD.fullmatch(word) and not is_blank(word)) or (setting and word.lower() == OFF) else ""
    return ""
