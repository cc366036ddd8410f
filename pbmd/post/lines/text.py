"""Lines of text: splitting them, undoing format=flowed, and normalising what people type."""

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache


def _ranges(*pairs: tuple[int, int]) -> list[int]:
    return [code for first, last in pairs for code in range(first, last + 1)]


_DASHES = [
    *_ranges((0x2010, 0x2015), (0x2500, 0x2501), (0xFE31, 0xFE32)),
    *(0x00AF, 0x058A, 0x05BE, 0x1806, 0x2043, 0x207B, 0x208B, 0x2212, 0x2E3A, 0x2E3B, 0x301C, 0x3030, 0xFE58, 0xFE63, 0xFF0D),
]
_ARROWS = _ranges((0x2190, 0x21FF), (0x2794, 0x27BF), (0x27F0, 0x297F), (0x2B00, 0x2BFF), (0x1F800, 0x1F8FF))
_TO_THE_RIGHT = re.compile(
    r"(?=.*ARROW)(?=.*RIGHTWARDS)(?!.*(?:STROKE|LEFT|UP|DOWN|CROSS|HARPOON|TAIL|BENT|CURV|HOOK|LOOP|WAVE))"
)
"""The name of an arrow that leads on, and of none that leads back, both ways, or not: these are another sign."""
_LEADING = [code for code in _ARROWS if _TO_THE_RIGHT.match(unicodedata.name(chr(code), ""))]
_SINGLE_QUOTES = [0x00B4, 0x02B9, 0x02BB, 0x02BC, 0x2018, 0x2019, 0x201A, 0x201B, 0x2032, 0x2035, 0x2039, 0x203A]
_DOUBLE_QUOTES = [0x00AB, 0x00BB, 0x02BA, 0x201C, 0x201D, 0x201E, 0x201F, 0x2033, 0x2036, 0x301D, 0x301E, 0x301F]
_UNSEEN = [
    *(0x00AD, 0x034F, 0x061C, 0x3164, 0xFEFF, 0xFFA0),
    *_ranges((0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F), (0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F)),
    *_ranges((0xFE00, 0xFE0F), (0xFFF9, 0xFFFB), (0xE0000, 0xE007F), (0xE0100, 0xE01EF)),
]


def _labels(first: int, values: range | str) -> dict[int, str]:
    return {code: f"{value}) " for code, value in enumerate(values, start=first)}


_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_CIRCLED = {
    **_labels(0x2460, range(1, 21)),
    **_labels(0x2776, range(1, 11)),
    **_labels(0x2780, range(1, 11)),
    **_labels(0x278A, range(1, 11)),
    **_labels(0x24B6, _LETTERS),
    **_labels(0x24D0, _LETTERS),
    **_labels(0x24F5, range(1, 11)),
    0x20E3: ") ",
}
"""Numbers and letters in circles, and what makes a key of the figure before it: they number the items of a list."""

_RAISED = {code: f"^{digit}" for digit, code in enumerate((0x2070, 0xB9, 0xB2, 0xB3, *range(0x2074, 0x207A)))}
"""Digits above the line number a footnote, or are an exponent: "2²" is not 22."""
_FRACTIONS = {code: f" {unicodedata.normalize('NFKC', chr(code))}" for code in _ranges((0xBC, 0xBE), (0x2150, 0x215E))}
"""Beside a number a fraction stands apart: "2½" is not 21/2."""

_PLAIN: dict[int, str] = {
    **_CIRCLED,
    **_RAISED,
    **_FRACTIONS,
    **dict.fromkeys(_DASHES, "-"),
    **dict.fromkeys(_LEADING, "->"),
    **dict.fromkeys(_SINGLE_QUOTES, "'"),
    **dict.fromkeys(_DOUBLE_QUOTES, '"'),
    **dict.fromkeys(_UNSEEN, ""),
    0x2044: "/",
    0x2215: "/",
    0x2800: " ",
}
_CHUNK = 200
"""NFKC sorts runs of combining marks in quadratic time, so long lines are normalised in pieces of this many characters."""


def normal(line: str) -> str:
    """A line as it is parsed: NFKC, digits 0 to 9, every dash "-", arrows to the right "->", straight quotes, single
    spaces, nothing invisible."""
    if not line.isascii():
        line = _LOWERED.sub("_", line).translate(_PLAIN)
        line = "".join([_compatible(line[i : i + _CHUNK]) for i in range(0, len(line), _CHUNK)]).translate(_PLAIN)
        line = _DIGIT.sub(lambda found: str(unicodedata.decimal(found[0])), line)
    return " ".join(line.split())


_LOWERED = re.compile(r"(?<=[0-9])(?=[\u2080-\u2089])")
"""Where a digit below the line follows another one: "3₀" is not 30, and "Q₁" is Q1."""
_DIGIT = re.compile(r"(?![0-9])\d")
"""A decimal digit of any script but our own."""


_MOST_GROWTH = 4
_SENTENCE, _ITS_CHARS = "\ufdfa", 18
"""The sign that stands for the longest sentence: to normalise a mail of these takes seconds."""


def _compatible(text: str) -> str:
    """NFKC; text of the few signs that stand for whole sentences stays as it is, lest it grow eighteenfold."""
    most = _MOST_GROWTH * len(text)
    if text.count(_SENTENCE) * _ITS_CHARS > most:
        return text
    plain = unicodedata.normalize("NFKC", text)
    return plain if len(plain) <= most else text


_BULLET = re.compile(r"(?:[-*•‣◦·●○▪■–—]|\d{1,3}[.)])\s+(?=\S)")


def without_bullet(line: str) -> str:
    """A normalised line without the bullet or number of a list item before it."""
    found = _BULLET.match(line) if line[:1] in "-*•‣◦·●○▪■–—0123456789" else None
    return line[found.end() :] if found else line


_NOISE = re.compile(r"[\s*_|]+")
_NUMBERS = re.compile(r"(?<=\d)[\s*_|]+(?=\d)")
APART = "\0"
"""Stands between two numbers: "1 23" is not "12 3"."""


_USUAL_CHARS = 200
"""Lines up to this length recur in mails: in ours, and in the quotes of everybody who answers them."""


def key(line: str) -> str:
    """What stays the same in a line whatever mail programs do to it: no blanks, no bold marks, lower case."""
    return _usual_key(line) if len(line) <= _USUAL_CHARS else _key(line)


@lru_cache(maxsize=4096)
def _usual_key(line: str) -> str:
    return _key(line)


def _key(line: str) -> str:
    return _NOISE.sub("", _NUMBERS.sub(APART, normal(line))).casefold()


_SIGN = re.compile(r"[#＃﹟]")
_SIGN_CHARS = 12
"""A line has its "#" within this many characters: after a bullet, and invisible characters."""


def is_comment(line: str) -> bool:
    """Whether a line begins with "#", as a mail program may have written that, too."""
    if line[:1] == "#":
        return True
    head = line[:_SIGN_CHARS]
    if "#" not in head and "＃" not in head and "﹟" not in head:  # as in nearly all lines
        return False
    return without_bullet(normal(head))[:1] == "#"


def comments_in(lines: Sequence[str]) -> list[int]:
    """The places of the lines that begin so. Of most letters one look at all of them tells that there is none."""
    if _SIGN.search("".join(lines)) is None:
        return []
    return [place for place, line in enumerate(lines) if line and is_comment(line)]


_BREAKS = re.compile("[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_ODD = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_CONTROLS = re.compile("[\x00-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f\ud800-\udfff]")


def split_lines(text: str) -> list[str]:
    """The lines of `text`, whatever ends them, without control characters but tabs."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if not text.replace("\n", "").isprintable() and _ODD.search(text):
        text = _CONTROLS.sub("", _BREAKS.sub("\n", text))
    return text.split("\n")


_WRAP = 64
"""Mail programs wrap flowed text at 66 to 78 columns, never below this."""


def unflow(lines: list[str], delete_space: bool) -> list[str]:
    """Undo format=flowed (RFC 3676): space-stuffing, and lines that a mail program broke.

    A line that ends with a space goes on in the next one only if the next word would not have fitted, since short lines that
    end with a space are orders with a blank typed behind them. Quoted text is left as it is.
    """
    joined: list[str] = []
    last, open_end = "", False
    for raw in lines:
        line = raw[1:] if raw.startswith(" ") else raw
        if line.startswith(">"):
            joined.append(line)
            open_end = False
            continue
        if open_end and line.strip() and _was_wrapped(last, line):
            joined[-1] = (joined[-1][:-1] if delete_space else joined[-1]) + line
        else:
            joined.append(line)
        last = line
        open_end = line.endswith(" ") and line != "-- "
    return joined


def join_wrapped(lines: list[str]) -> list[str]:
    """Lines that a mail program broke, joined: those that go on with a word that would not have fitted."""
    joined: list[str] = []
    last = ""
    for line in lines:
        if last.strip() and line.strip() and _was_wrapped(last, line):
            joined[-1] = f"{joined[-1]} {line}"
        else:
            joined.append(line)
        last = line
    return joined


def _was_wrapped(line: str, following: str) -> bool:
    return len(line) + len(following.split(None, 1)[0]) > _WRAP


_ARMOUR = "-----BEGIN PGP SIGNED MESSAGE-----"
_ARMOUR_FIELD = re.compile(r"(?:Version|Comment|MessageID|Hash|Charset|NotDashEscaped):.*")
_RADIX_64 = re.compile(r"[A-Za-z0-9+/=]*")


def without_armour(lines: list[str]) -> list[str]:
    """The text inside an inline PGP signature (RFC 4880, 6.2 and 7): without armour lines, hash lines and dash escapes.
    Anything else in their place stays."""
    start = next((i for i, line in enumerate(lines) if line.startswith(_ARMOUR)), None)
    if start is None:
        return lines
    first = start + 1
    while first < len(lines) and _ARMOUR_FIELD.match(lines[first]):
        first += 1
    signature = next((i for i in range(first, len(lines)) if lines[i].startswith("-----BEGIN PGP SIGNATURE")), len(lines))
    end = next((i for i in range(signature, len(lines)) if lines[i].startswith("-----END PGP SIGNATURE")), signature)
    odd = [line for line in lines[signature + 1 : end] if not (_RADIX_64.fullmatch(line.strip()) or _ARMOUR_FIELD.match(line))]
    text = [line.removeprefix("- ") for line in lines[first:signature]]
    return [*lines[:start], *text, *odd, *lines[end + 1 :]]
