"""What an inbox returns: letters as the server has them, and how far a mailbox was read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

BATCH_LETTERS = 500
"""UIDs named in one command. Servers limit its length: 7,500 still pass with Dovecot, 20,000 do not."""
SHORT_BYTES = 1000
"""Fewer missing bytes than this are not reported."""


@dataclass(frozen=True, slots=True)
class Watermark:
    """How far a mailbox was read. `Watermark(0, 0)` is the beginning."""

    uidvalidity: int
    last_uid: int


@dataclass(frozen=True, slots=True)
class Look:
    """What a folder holds and what its server can do."""

    letters: int
    announces: bool
    """It has IDLE."""
    moves: bool
    """It has MOVE, or UIDPLUS, which serves the same purpose."""


@dataclass(frozen=True, slots=True)
class Fetched:
    """One letter as the server gave it."""

    uidvalidity: int
    uid: int
    arrived_at: datetime
    """INTERNALDATE in UTC, whole seconds."""
    size: int
    """Bytes of the whole letter, as the server counts them."""
    raw: bytes
    truncated: bool
    """`raw` is only the beginning: the letter is longer than max_letter_bytes."""
    arrival_is_of_scan: bool = False
    """The server gave no INTERNALDATE; `arrived_at` is the time of the scan, since nothing earlier can be shown."""
    impossible_arrival: datetime | None = None
    """The INTERNALDATE that the server gave, which cannot be right."""
    missing_bytes: int = 0
    """How many bytes are missing by the server's own count, if there are so many that a part of the letter is missing."""


def missing_bytes(told: int, came: int) -> int:
    """How many bytes of a letter are missing, by the server's count and by what came; 0 unless that is at least half of them:
    servers count line ends in their own ways, and some only guess."""
    return told - came if came * 2 < told and told - came >= SHORT_BYTES else 0


def chunks(uids: Sequence[int]) -> Iterator[list[int]]:
    """The UIDs, in groups no larger than one command may name."""
    for start in range(0, len(uids), BATCH_LETTERS):
        yield list(uids[start : start + BATCH_LETTERS])


def batches(sizes: Mapping[int, int], most_bytes: int) -> Iterator[dict[int, int]]:
    """Split uid → bytes, in order, into parts of at most this many bytes; anything longer is a part by itself."""
    part: dict[int, int] = {}
    filled = 0
    for uid, size in sizes.items():
        if part and filled + size > most_bytes:
            yield part
            part, filled = {}, 0
        part[uid] = size
        filled += size
    if part:
        yield part


def goes_on(watermark: Watermark, uidvalidity: int, uidnext: int) -> bool:
    """Whether UIDs up to the watermark still mean what they meant when it was set."""
    return watermark.uidvalidity == uidvalidity and (not uidnext or uidnext > watermark.last_uid)


def imap_day(day: date) -> str:
    """As IMAP writes it, whatever the locale of the machine (RFC 3501, ``date-text``)."""
    months = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
    return f"{day.day}-{months[day.month - 1]}-{day.year}"
