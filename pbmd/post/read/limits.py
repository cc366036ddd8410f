"""Limits to what a letter may cost: on bytes and parts, checked before any parser sees them, and on processor time, for what
these did not foresee."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds on one letter. A letter beyond them is kept and answered, but its text is not read.

    Bytes count the message as stored, `boundaries` the lines that could separate MIME parts, `containers` the boundaries
    declared, `depth` the nesting of parts, `file_bytes` an attached file whose text is read, `html_tags` the ``<`` characters
    of an HTML part. `seconds` of processor time are what reading may take at most: the other limits ensure that nothing known
    comes near that.
    """

    message_bytes: int = 1_000_000
    header_bytes: int = 65_536
    header_lines: int = 500
    boundaries: int = 100
    containers: int = 16
    depth: int = 8
    parts: int = 50
    text_lines: int = 20_000
    file_bytes: int = 100_000
    html_tags: int = 15_000
    seconds: float = 10.0


SUBJECT_CHARS = 1_000
"""How much of a Subject, or of a display name, is decoded: decoding encoded words is quadratic in the standard library."""

PARAMETERS_CHARS = 1_000
"""How much of a header with parameters is read: the standard library's time for them grows with the square."""

ADDRESS_CHARS = 4_000
"""How much of an address header is read."""

ID_CHARS = 998
"""The longest message id: a whole line of RFC 5322, 2.1.1."""

REFERENCES_CHARS = 8_000
"""How much of References is read, from its end, where the mail that is answered stands."""

RESULTS_CHARS = 8_000
"""How long an Authentication-Results field may be: it is read as a whole or not at all."""


def size(count: int) -> str:
    """A number of bytes in words: ``5.2 MB``, ``40 kB``."""
    return f"{count / 1_000_000:.1f} MB" if count >= 1_000_000 else f"{max(1, round(count / 1_000))} kB"
