"""The password line: a proof for players whose mail cannot be a reply. Never kept, shown or logged as it is written.

``SET PASSWORD word`` in a letter that is believed sets it, ``PASSWORD word`` shows it. The words are taken out of a letter
before anything else looks at its lines, and out of its bytes in the ledger when it has been dealt with; a letter counts by its
fingerprint, which is that of what came.
"""

import hashlib
import hmac
import re
from dataclasses import dataclass
from email.errors import MessageError

from pbmd.desk.letters.blanks import BLANK, rewritten_mail
from pbmd.post.blank import Blanker
from pbmd.post.letter import Letter, TextLine, read_letter, rewritten

_COST = {"n": 2**14, "r": 8, "p": 1}  # 16 MiB and some 50 ms
SALT_BYTES = 16
# A quote mark or a bullet, perhaps; the word as people spell it; and all that stands behind it.
_LINE = re.compile(
    r"(?P<command>[\W\d_]*(?:[a-z]{1,4}>[\W\d_]*)?(?P<set>set\s+)?(?:my\s+|the\s+|new\s+){0,2}pas{1,2}w(?:or|ro)[dt]\b[\s:=]*)(?P<rest>\S.*)",
    re.IGNORECASE | re.DOTALL,
)
_UNREAD = re.compile(rb"(pas{1,2}w(?:or|ro)[dt]\b[^\r\n]{0,2})[^\r\n]*", re.IGNORECASE)
_HEADER_END = re.compile(rb"\r?\n\r?\n")
_ENCODED = re.compile(rb"base64|quoted-printable|charset[^\r\n]*utf-?(?:7|16|32)", re.IGNORECASE)
_WORD = re.compile(r"[A-Za-z0-9]{8,64}", re.ASCII)
_WORDS = re.compile(r"(?<![A-Za-z0-9])[A-Za-z0-9]{8,64}(?![A-Za-z0-9])")
OFF = "off"


@dataclass(frozen=True, slots=True)
class Passwords:
    """What a letter says of passwords: the one it shows, the one it wants to set ("" if none that can be one), whether there
    is a line to be blanked at all, and the words that must be blanked elsewhere, too: those that are or could be passwords."""

    shown: str = ""
    wanted: str = ""
    words: frozenset[str] = frozenset()
    found: bool = False

    def __repr__(self) -> str:
        return "Passwords(…)"


def taken_out(letter: Letter) -> tuple[Letter, Passwords]:
    """The letter without what stands in its password lines, and that. A quoted line shows and sets nothing."""
    in_files = (line for file in letter.body.files for line in file.lines)
    written = "\n".join((*letter.body.lines, *in_files, *letter.body.skipped))
    found = _behind(written)
    if not found:
        return letter, Passwords()
    shown, wanted = (_first(letter.lines, setting=setting) for setting in (False, True))
    words = frozenset(word.lower() for text in found for word in _secret(text))
    return rewritten(letter, _hidden), Passwords(shown, wanted, words, any(not _is_open(text) for text in found))


def blanked(raw: bytes, passwords: Passwords) -> bytes:
    """The bytes of a letter with these passwords blanked, however they are encoded; only its header if that cannot be done.

    What else it says is read from them as before: that counts more than a word which is also one of its orders.
    """
    if not passwords.found:
        return raw
    before = _read(raw)
    try:
        cleans = [rewritten_mail(raw, words, _kept) for words in (passwords.words, frozenset[str]())]
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError, MessageError):
        cleans = []  # The parser gives up on some hostile mail.
    clean = next((each for each in cleans if _read(each) == before and _is_clean(each)), None)
    if clean is None:
        clean = Blanker(passwords.words, tags=False).mail(cleans[0] if cleans else raw)
    if _is_clean(clean):
        return clean
    end = _HEADER_END.search(clean)
    return clean[: end.end()] if end else b""


def _read(raw: bytes) -> tuple[object, ...]:
    letter, _ = taken_out(read_letter(raw))
    return letter.sender, [line.text for line in letter.lines], [line.text for file in letter.files for line in file.lines]


def _is_clean(raw: bytes) -> bool:
    return not taken_out(read_letter(raw))[1].words


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


def _secret(text: str) -> list[str]:
    """The words behind PASSWORD that are one, or look like one: a sentence there has words of the game, too."""
    whole = text.rstrip(" .!;")
    mixed = (word for word in _WORDS.findall(text) if not word.isalpha() and not word.isdigit())
    return [word for word in {whole, *mixed} if _WORD.fullmatch(word) and not is_blank(word)]


def _is_open(text: str) -> bool:
    """Whether what stands behind PASSWORD is no secret: OFF, and what was blanked."""
    word = text.strip(" .!;\r\n").lower()
    return word in (OFF, BLANK)


def _kept(line: str) -> str:
    """A line as it is kept. Blanks at its end tell whether the next belongs to it (RFC 3676)."""
    found = _LINE.match(line)
    if found is None or _is_open(found["rest"]):
        return line
    return f"{found['command']}{BLANK}{found['rest'][len(found['rest'].rstrip()) :]}"


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
