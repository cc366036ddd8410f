"""Blanking of tokens: nobody who reads what somebody wrote must be able to act for a seat with it.

Tokens stand in plus addresses, ids and order forms, and players' letters quote them in whatever encoding their mail programs
chose. Every letter and digit of a token becomes an x and everything else stays, so that the mail keeps its form: the soft line
breaks of quoted-printable, the length of a base64 part, the bytes between the letters of UTF-16.

A token is 80 random bits, so wherever its characters stand in order with no other letter or digit between them, it is that
token, whatever else is there: line ends, quote marks, invisible characters. What is encoded character by character is read in
every way in which it can be meant.
"""

import base64
import binascii
import html
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache, partial
from typing import NamedTuple

_NO_LETTERS = bytes(set(range(256)) - set(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"))
_TAG = re.compile(rb"(?:g\d{1,9}p\d{1,6}|\bc\d{1,9})\.([a-z2-7]{16})", re.IGNORECASE)
_MAY_BE_TAG = re.compile(rb"\.[A-Za-z2-7]{16}")
"""In every tag, and in few texts: looked for first, since a fixed beginning is found many times faster."""
_SHORTEST_TAG = len("c1.") + 16
_BASE64_LINES = re.compile(
    rb"""
    (?: ^[^A-Za-z0-9+/=\r\n]*+ | (?<![A-Za-z0-9+/])(?=[A-Za-z0-9+/]{14}) )
    (?: [A-Za-z0-9+/]{8,}+[ \t]*\r?\n[^A-Za-z0-9+/=\r\n]*+ )*
    [A-Za-z0-9+/]{2,}={0,2}
    """,
    re.MULTILINE | re.VERBOSE,
)
"""Whole lines of it, indented or behind marks as people paste them, or a run after other words, long enough for ten bytes."""
_BASE64_WORD = re.compile(rb"(=\?[^?\s]{1,40}\?[bB]\?)([A-Za-z0-9+/=]{1,200})(?=\?=)")
_BASE64_DIGITS = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=")
_PASTED = re.compile(r"[A-Za-z0-9+/]{14}")
"""In the base64 of a mail that somebody pasted into a text there is at least one such run."""
_LETTERS = re.compile(rb"[A-Za-z0-9]")
_QUOTED = rb"=[0-9A-Fa-f]{2}"
_PERCENT = rb"%[0-9A-Fa-f]{2}"
_ENTITY = rb"&(?:#\d{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z]{2,8});"
_BEYOND_ASCII = rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}"
_WAYS = (
    (None, _LETTERS),
    *(
        (re.compile(encoded), re.compile(b"|".join((encoded, _LETTERS.pattern))))
        for encoded in (_QUOTED, _PERCENT, _ENTITY, b"|".join((_QUOTED, _PERCENT, _ENTITY, _BEYOND_ASCII)))
    ),
)
"""What may stand for one character: nothing but itself, or quoted-printable (RFC 2045), a URL (RFC 3986), HTML, or any of these
and the variants of letters in Unicode; and the same or a letter or digit itself. The text does not say which of them is
meant."""
_X = {2: "\N{MODIFIER LETTER SMALL X}", 3: "\N{FULLWIDTH LATIN SMALL LETTER X}", 4: "\N{MATHEMATICAL BOLD SMALL X}"}
"""An x of this many bytes."""


def readings(text: str) -> Iterator[str]:
    """Only the ASCII letters and digits, in lower case, for each of the ways in which a text can be read."""
    data = text.encode("utf-8", "surrogateescape")
    return (letters.decode("ascii") for encoded, _ in _ways(data) if (letters := _squeezed(data, encoded)) is not None)


def _ways(data: bytes) -> Sequence[tuple[re.Pattern[bytes] | None, re.Pattern[bytes]]]:
    """The ways in which the data may be read: every encoding leaves a mark, and few texts have any."""
    return _WAYS if b"=" in data or b"%" in data or b"&" in data or not data.isascii() else _WAYS[:1]


class _Token(NamedTuple):
    """A token, the length of its shortest part that counts, and what all these parts have in common."""

    whole: bytes
    part: int
    core: bytes

    @staticmethod
    def of(whole: bytes, part: int | None) -> "_Token":
        length = min(part or len(whole), len(whole))
        return _Token(whole, length, whole[len(whole) - length : length])

    def parts(self) -> Iterator[bytes]:
        """All parts of that length."""
        return (self.whole[start : start + self.part] for start in range(len(self.whole) - self.part + 1))


@lru_cache(maxsize=256)
def _looked_for(tokens: tuple[str, ...], part: int | None) -> tuple[_Token, ...]:
    """The same for all letters of a game."""
    return tuple(_Token.of(token, part) for token in " ".join(tokens).lower().encode().split())


class Blanker:
    """Blanks these tokens in bytes of any kind, and with `tags` everything else that is written like a seat's tag. A run of
    `part` characters of a token is blanked like the whole."""

    def __init__(self, tokens: Iterable[str], *, part: int | None = None, tags: bool = True) -> None:
        self._tags = tags
        self._tokens = _looked_for(tuple(tokens), part)
        self._shortest = min([_SHORTEST_TAG, *(token.part for token in self._tokens)])
        self._clean: set[str] = set()

    def text(self, text: str) -> str:
        """A text without tokens."""
        return self._plain(text.encode("utf-8", "surrogateescape")).decode("utf-8", "surrogateescape")

    def written(self, text: str) -> str:
        """The same for what a person wrote, who may have pasted the source of a mail into it."""
        if text in self._clean:  # the lines of a letter, as written, as read and as orders, are often the same
            return text
        blanked = self._pasted(text) if _PASTED.search(text) else self.text(text)
        if blanked == text:
            self._clean.add(text)
        return blanked

    def lines(self, lines: Sequence[str]) -> list[str]:
        """The same for the lines of a text: tokens that go over several of them are blanked, too."""
        return self.written("\n".join(lines)).split("\n") if lines else []

    def _pasted(self, text: str) -> str:
        return self.mail(text.encode("utf-8", "surrogateescape")).decode("utf-8", "surrogateescape")

    def mail(self, raw: bytes) -> bytes:
        """The bytes of a mail without tokens, in its base64 parts and words too. It has as many bytes as before."""
        raw = self._plain(raw)
        raw = _BASE64_LINES.sub(partial(self._base64, group=0), raw)
        return _BASE64_WORD.sub(lambda found: found[1] + self._base64(found, group=2), raw)

    def _plain(self, data: bytes) -> bytes:
        if self._tags and _MAY_BE_TAG.search(data):
            data = _TAG.sub(lambda found: found[0][: -len(found[1])] + b"x" * len(found[1]), data)
        for encoded, characters in _ways(data) if self._tokens and len(data) >= self._shortest else ():
            letters = _squeezed(data, encoded)
            if letters is None or len(letters) < self._shortest:
                continue
            if near := [token for token in self._tokens if token.core in letters]:
                spots = {spot for token in near for part in token.parts() for spot in _spots(letters, part)}
                data = _crossed_out(data, characters, sorted(spots)) if spots else data
        return data

    def _base64(self, found: re.Match[bytes], group: int) -> bytes:
        """Base64 over any number of lines, with its content blanked and the lines as long as before."""
        written = found[group]
        if len(written) * 3 < self._shortest * 4:  # nearly always so: a line may begin with a word
            return written
        digits = re.sub(rb"[^A-Za-z0-9+/=]", b"", written)
        if len(digits) * 3 < self._shortest * 4:
            return written
        try:
            decoded = base64.b64decode(digits + b"=" * (-len(digits) % 4))
        except binascii.Error:
            return written
        blanked = self._plain(decoded)
        if blanked == decoded:
            return written
        encoded = iter(base64.b64encode(blanked)[: len(digits)])
        return bytes(next(encoded, ord("=")) if byte in _BASE64_DIGITS else byte for byte in written)


def _squeezed(data: bytes, encoded: re.Pattern[bytes] | None) -> bytes | None:
    """The letters and digits of the data when it is decoded in this way; None if nothing is encoded so."""
    if encoded is not None and encoded.search(data) is None:
        return None
    read = encoded.sub(lambda found: _meant(found[0]), data) if encoded else data
    return read.translate(None, _NO_LETTERS).lower()


def _spots(letters: bytes, token: bytes) -> Iterator[int]:
    """Which of the letters belong to a token."""
    start = letters.find(token)
    while start >= 0:
        yield from range(start, start + len(token))
        start = letters.find(token, start + 1)


def _crossed_out(data: bytes, characters: re.Pattern[bytes], spots: Sequence[int]) -> bytes:
    """The data with an x for each of these (their places among the letters and digits that `characters` finds, ascending)."""
    crossed, wanted, place = bytearray(data), iter(spots), 0
    spot = next(wanted)
    for found in characters.finditer(data):
        if not _meant(found[0]):
            continue
        if place == spot:
            crossed[found.start() : found.end()] = _x_for(found[0])
            spot = next(wanted, -1)
            if spot < 0:
                break
        place += 1
    return bytes(crossed)


@lru_cache(maxsize=10_000)
def _meant(written: bytes) -> bytes:
    """The one letter or digit, in lower case, that is written so; nothing if it stands for something else."""
    if len(written) == 1:
        return written.lower()
    if written[:1] in b"=%":
        text = chr(int(written[1:], 16))
    elif written[:1] == b"&":
        text = html.unescape(written.decode())
    else:
        text = unicodedata.normalize("NFKC", written.decode("utf-8", "ignore"))
    return text.lower().encode() if len(text) == 1 and text.isascii() and text.isalnum() else b""


def _x_for(written: bytes) -> bytes:
    """An x that is written in the same way, with as many bytes."""
    if written[:1] in b"=%":
        return written[:1] + b"78"
    return _LETTERS.sub(b"x", written) if written.isascii() else _X[len(written)].encode()
