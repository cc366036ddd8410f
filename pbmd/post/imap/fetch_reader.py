"""Reading many letters at once: one UID FETCH, the attributes picked from the lines, the bodies taken as they come.

imapclient parses every answer into nested tuples, which costs several times what the transfer costs. Here imaplib reads the
answer (lines and literals, RFC 3501 section 4.3), and four small expressions find what we asked for in the lines, in any
order. What stands inside a literal or a quoted string is never searched, so a letter cannot pretend to be an attribute.
"""

from __future__ import annotations

import imaplib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

_BODY_LITERAL = re.compile(rb"BODY\[(?:HEADER)?\](?:<\d+>)? \{\d+\}$", re.IGNORECASE)
_ATTRIBUTE = re.compile(
    rb"""
    (?<=[ (])UID[ ](?P<uid>\d+)
    | RFC822\.SIZE[ ](?P<size>\d+)
    | INTERNALDATE[ ]"(?P<date>[^"]*)"
    | BODY\[(?:HEADER)?\](?:<\d+>)?[ ]"(?P<body>(?:[^"\\]|\\.)*)"
    | "(?:[^"\\]|\\.)*"  # any other quoted string is stepped over whole
    """,
    re.IGNORECASE | re.VERBOSE,
)
_DATE = re.compile(rb"\s?(\d{1,2})-([A-Za-z]{3})-(\d{4}) (\d\d):(\d\d):(\d\d) ([+-])(\d\d)(\d\d)")
_FARTHEST_ZONE = timedelta(hours=14)
"""From UTC (Kiribati); with a zone that cannot be, a letter would have arrived before, or days after, it was sent."""
_MONTHS = {name: number for number, name in enumerate(b"JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC".split(), start=1)}

ImaplibData = Iterable[bytes | tuple[bytes, bytes] | None]
"""What imaplib gives for FETCH: a tuple (line so far, literal) for each literal, then the rest of the line as bytes."""


@dataclass(frozen=True, slots=True)
class FetchItem:
    """What the server said about one message; None where it said nothing."""

    uid: int
    size: int | None = None
    """RFC822.SIZE in bytes."""
    arrived_at: datetime | None = None
    """INTERNALDATE, in UTC."""
    body: bytes | None = None


class Answer(dict[int, FetchItem]):
    """The messages that were asked for and came, by UID."""

    refusal: str = ""
    """The server's words if it said NO."""


def fetch(wire: imaplib.IMAP4, uids: Sequence[int], attributes: str) -> Answer:
    """Ask for attributes such as "(UID RFC822.SIZE)" of these messages and return what came.

    UIDs that are gone, or that the server gave nothing for, are missing from the answer; messages that were not asked for (a
    server may report flags of any message at any time) are left out. A NO does not discard what came before it, since servers
    answer so when one of many was expunged (RFC 2180 section 4.1.2); so what is missing may still be there, and the caller
    must look. Raises imaplib.IMAP4.error and OSError as imaplib does.
    """
    wire.response("FETCH")  # drop what was sent unasked since the last command
    status, data = wire.uid("FETCH", uid_set(uids), attributes)
    found = Answer()
    if status != "OK":
        found.refusal = f"{status} {b' '.join(piece for piece in data if isinstance(piece, bytes)).decode('utf-8', 'replace')}"[
            :200
        ]
        data = wire.response("FETCH")[1]
    wanted = set(uids)
    for item in read_items(data):
        if item.uid in wanted:
            found[item.uid] = _joined(found.get(item.uid), item)
    return found


def uid_set(uids: Sequence[int]) -> str:
    """Rising UIDs as an IMAP set: runs as "first:last". Long lists cost a server more time than the letters."""
    runs: list[list[int]] = []
    for uid in uids:
        if runs and uid == runs[-1][1] + 1:
            runs[-1][1] = uid
        else:
            runs.append([uid, uid])
    return ",".join(str(first) if first == last else f"{first}:{last}" for first, last in runs)


def read_items(data: ImaplibData) -> Iterator[FetchItem]:
    """Yield each message that names its UID. Other pieces (flags of some message, None) are skipped."""
    line, body = b"", None
    for piece in data:
        if isinstance(piece, tuple):
            line += piece[0]
            if _BODY_LITERAL.search(piece[0]):
                body = piece[1]
        else:
            item = _item(line + (piece or b""), body)
            if item is not None:
                yield item
            line, body = b"", None


def _item(line: bytes, body: bytes | None) -> FetchItem | None:
    told = {match.lastgroup: match[match.lastgroup] for match in _ATTRIBUTE.finditer(line) if match.lastgroup}
    if "uid" not in told:
        return None
    if body is None and "body" in told:
        body = re.sub(rb"\\(.)", rb"\1", told["body"])
    size, date = told.get("size"), told.get("date")
    return FetchItem(int(told["uid"]), int(size) if size else None, read_date(date) if date else None, body)


def read_date(text: bytes) -> datetime | None:
    """An INTERNALDATE (RFC 3501 "date-time") as UTC; None if it is not a date."""
    match = _DATE.fullmatch(text)
    if match is None or (month := _MONTHS.get(match[2].upper())) is None:
        return None
    day, year, hour, minute, second = (int(match[group]) for group in (1, 3, 4, 5, 6))
    east = timedelta(hours=int(match[8]), minutes=int(match[9]))
    if east > _FARTHEST_ZONE or int(match[9]) >= 60:
        return None
    try:
        local = datetime(year, month, day, hour, minute, second, tzinfo=UTC)
        return local - east if match[7] == b"+" else local + east
    except (ValueError, OverflowError):
        return None


def _joined(first: FetchItem | None, second: FetchItem) -> FetchItem:
    # A server may describe one message in two answers, for example its flags after its body.
    if first is None:
        return second
    return FetchItem(
        first.uid,
        second.size if first.size is None else first.size,
        second.arrived_at if first.arrived_at is None else first.arrived_at,
        second.body if first.body is None else first.body,
    )
