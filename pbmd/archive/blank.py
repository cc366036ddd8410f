"""Blanking of seat tokens: whoever reads an archive must not be able to act for a seat.

Tokens stand in plus addresses, ids and order forms, and come back in the letters of players in whatever encoding their
mail programs chose. Every letter and digit of a token becomes an x and all else stays, so that the mail keeps its form:
the soft line breaks of quoted-printable, the length of a base64 part, the bytes between the letters of UTF-16.
"""

import base64
import binascii
import re
from collections.abc import Iterable
from functools import cached_property, partial

_NO_LETTERS = bytes(set(range(256)) - set(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"))
# Between the characters of a token: a soft line break, a wrapped line with its quote mark, the zero bytes of UTF-16.
_GAP = rb"[^A-Za-z0-9]{0,8}"
_TAG = re.compile(rb"(?:g\d{1,9}p\d{1,6}|\bc\d{1,9})\.([a-z2-7]{16})", re.IGNORECASE)
_BASE64_LINES = re.compile(rb"^(?:[A-Za-z0-9+/]{8,}+[ \t]*\r?\n)*[A-Za-z0-9+/]{2,}={0,2}", re.MULTILINE)
_BASE64_WORD = re.compile(rb"(=\?[^?\s]{1,40}\?[bB]\?)([A-Za-z0-9+/=]{1,200})(?=\?=)")
_BASE64_DIGITS = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=")
_LETTERS = re.compile(rb"[A-Za-z0-9]")


class Blanker:
    """Blanks these tokens in bytes of any kind, and with `tags` everything else that is written like a seat's tag."""

    def __init__(self, tokens: Iterable[str], *, tags: bool = True) -> None:
        self._tags = tags
        self._tokens = [token.lower().encode() for token in tokens]

    @cached_property
    def _spelled(self) -> re.Pattern[bytes]:
        """Made when there is something to blank, which takes longer than to see that there is not."""
        spelled = (_GAP.join(re.escape(bytes([character])) for character in token) for token in self._tokens)
        return re.compile(b"|".join(spelled), re.IGNORECASE)

    def text(self, text: str) -> str:
        """A text without tokens."""
        return self._plain(text.encode("utf-8", "surrogateescape")).decode("utf-8", "surrogateescape")

    def mail(self, raw: bytes) -> bytes:
        """The bytes of a mail without tokens, in its base64 parts and words too. It has as many bytes as before."""
        raw = self._plain(raw)
        raw = _BASE64_LINES.sub(partial(self._base64, group=0), raw)
        return _BASE64_WORD.sub(lambda found: found[1] + self._base64(found, group=2), raw)

    def _plain(self, data: bytes) -> bytes:
        if self._tags:
            data = _TAG.sub(lambda found: found[0][: -len(found[1])] + b"x" * len(found[1]), data)
        if self._holds_token(data):
            data = self._spelled.sub(lambda found: _LETTERS.sub(b"x", found[0]), data)
        return data

    def _holds_token(self, data: bytes) -> bool:
        """Whether it is worth looking closer, which takes much longer."""
        squeezed = data.translate(None, _NO_LETTERS).lower()
        return any(token in squeezed for token in self._tokens)

    def _base64(self, found: re.Match[bytes], group: int) -> bytes:
        """Base64 over any number of lines, with what it stands for blanked and the lines as long as before."""
        written = found[group]
        digits = re.sub(rb"[^A-Za-z0-9+/=]", b"", written)
        try:
            decoded = base64.b64decode(digits + b"=" * (-len(digits) % 4))
        except binascii.Error:
            return written
        blanked = self._plain(decoded)
        if blanked == decoded:
            return written
        encoded = iter(base64.b64encode(blanked)[: len(digits)])
        return bytes(next(encoded, ord("=")) if byte in _BASE64_DIGITS else byte for byte in written)
