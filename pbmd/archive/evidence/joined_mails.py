"""Where mails begin that somebody has written one behind the other into a file (``cat *.eml > all.mbox``), with no line
between them that says so.

A mail begins with a header that has what each mail has: a sender, a date and an ID. What is quoted or attached in another one
is no mail of the file: so after a header that names a boundary the next one is looked for behind its end.
"""

import re
from email.parser import BytesHeaderParser
from mmap import mmap

Bytes = bytes | mmap
"""What is in a file, read or mapped."""

_FIELDS = re.compile(
    rb"^(?:\xef\xbb\xbf)?(?P<fields>(?:[!-9;-~]{1,76}:[^\n]*\n(?:[ \t][^\n]*\n){0,2000}){3,200})(?P<end>\r{0,2}\n)?",
    re.MULTILINE,
)
"""A run of fields, which is a header if it has an end. What has none is passed over as a whole: to look from each of its lines
for an end takes too long in a file that is made for that."""
_FIELD = re.compile(rb"^([!-9;-~]{1,76}):", re.MULTILINE)
_NEEDED = frozenset({b"from", b"date", b"message-id"})
_LONGEST_HEADER = 200_000
_MOST_OPEN = 100
"""Mails whose parts do not end; behind so many of them no more ends are searched for, each time in all that follows."""


def begins_of_mails(raw: Bytes, at: int = 0, *, is_one: bool = False) -> list[int]:
    """The places at which mails begin, the first `at` this. Of a file that by its name `is_one` mail, several only if one
    stands behind the last part of another: a mail without parts may show the header of one."""
    begins, opened, parts_end = [at], 0, None
    place = at
    while run := _FIELDS.search(raw, place):
        begin, place = run.start("fields"), run.end("fields")
        if run["end"] is None or (begin > at and not _is_of_mail(run["fields"])):
            continue
        if begin > at:
            begins.append(begin)
            is_one = is_one and parts_end is None
        boundary = _boundary_in(run["fields"]) if opened < _MOST_OPEN else b""
        parts_end = _end_of_parts(raw, boundary, place) if boundary else None
        opened += bool(boundary) and parts_end is None
        place = parts_end or place
    return begins[:1] if is_one else begins


def _is_of_mail(fields: bytes) -> bool:
    return len(fields) <= _LONGEST_HEADER and {name.lower() for name in _FIELD.findall(fields)} >= _NEEDED


def _boundary_in(fields: bytes) -> bytes:
    """The boundary of the parts that a header names; empty for none."""
    return (BytesHeaderParser().parsebytes(fields[:_LONGEST_HEADER]).get_boundary() or "").encode("ascii", "replace")


def _end_of_parts(raw: Bytes, boundary: bytes, begin: int) -> int | None:
    """The end of the last part behind this place, if it has one."""
    mark = b"\n--" + boundary + b"--"
    end = raw.find(mark, begin)
    return end + len(mark) if end >= 0 else None
