"""Limits to what a letter may cost: on bytes and parts, checked before any parser sees them, and on processor time, for what
these did not foresee."""

import re
import signal
import threading
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from types import FrameType


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

_BOUNDARY = re.compile(rb"""\bboundary([*0-9]*)[ \t]*=[ \t]*"?([^";\n]{1,200})""", re.IGNORECASE)


def problem_of_size(data: bytes, limits: Limits) -> str:
    """A sentence for the player when the message is too large to read, else ""."""
    if len(data) <= limits.message_bytes:
        return ""
    return (
        f"Your mail has {size(len(data))}, and mail over {size(limits.message_bytes)} is not read. "
        "Please send only your orders, as plain text and without attachments."
    )


def problem_of_parts(data: bytes, limits: Limits) -> str:
    """A sentence for the player when the message has too many MIME parts to be taken apart safely, else "".

    `data` has LF line ends. The count takes every line that begins like a declared boundary, wherever it stands, so that it is
    never below what a parser would find.
    """
    declared: set[bytes] = set()
    for found in _declarations(data):
        declared.add(b"" if found[1] else found[2].strip())
        if len(declared) > limits.containers:
            return _TOO_MANY_PARTS
    lines = sum(data.count(b"\n--" + boundary) for boundary in declared)
    return _TOO_MANY_PARTS if lines > limits.boundaries else ""


def _declarations(data: bytes) -> Iterator[re.Match[bytes]]:
    """What `_BOUNDARY` finds. Looking for the word first is several times faster, and most mail does not have it."""
    small = data.lower()
    at = small.find(b"boundary")
    while at >= 0:
        found = _BOUNDARY.match(data, at)
        if found:
            yield found
        at = small.find(b"boundary", found.end() if found else at + 1)


def size(count: int) -> str:
    """A number of bytes in words: ``5.2 MB``, ``40 kB``."""
    return f"{count / 1_000_000:.1f} MB" if count >= 1_000_000 else f"{max(1, round(count / 1_000))} kB"


_TOO_MANY_PARTS = (
    "Your mail is made of too many nested or attached parts to be read. "
    "Please write a new, short mail with only your orders as plain text."
)


class OverBudget(Exception):
    """Reading a letter took more processor time than a letter may take."""


@contextmanager
def within(seconds: float) -> Generator[None]:
    """Raise OverBudget in the block when the process has used this much processor time since the block began.

    It stops Python code and regular expressions; what a parser does in C is bounded by the other limits only. Time in
    which the machine sleeps, or does other things, does not count. Signals belong to the main thread, where the desk reads
    letters; elsewhere, and on systems without such a clock, the block just runs.
    """
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield
        return
    _listen()
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


@cache
def _listen() -> None:
    """Once and for all: installing a handler takes longer than everything else here, and nothing else uses this timer."""
    signal.signal(signal.SIGVTALRM, _stop)


def _stop(_number: int, _frame: FrameType | None) -> None:
    raise OverBudget
