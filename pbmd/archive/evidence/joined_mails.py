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

_HEADER = re.compile(rb"(?:[!-9;-~]{1,76}:[^\r\n]*(?:\r?\n[ \t][^\r\n]*)*\r?\n){3,200}(?=\r?\n)")
"""A run of fields up to a blank line."""
_BEGIN = re.compile(rb"^(?:\xef\xbb\xbf)?(?=[!-9;-~]{1,76}:)", re.MULTILINE)
_FIELD = re.compile(rb"^([!-9;-~]{1,76}):", re.MULTILINE)
_NEEDED = frozenset({b"from", b"date", b"message-id"})
_LONGEST_HEADER = 200_000


def begins_of_mails(raw: Bytes, at: int = 0, *, is_one: bool = False) -> list[int]:
    """The places at which mails begin, the first `at` this. Of a file that by its name `is_one` mail, several only if one
    stands behind the last part of another: a mail without parts may show the header of one."""
    begins = [at]
    while (following := _next(raw, at)) is not None:
        at, is_behind_parts = following
        begins.append(at)
        is_one = is_one and not is_behind_parts
    return begins[:1] if is_one else begins


def _next(raw: Bytes, at: int) -> tuple[int, bool] | None:
    """Where the mail behind the one that begins there begins, and whether it is behind the last part of that."""
    own = _HEADER.match(raw, at)
    parts_end = _end_of_parts(raw, own) if own else None
    for line in _BEGIN.finditer(raw, parts_end or (own.end() if own else at + 1)):
        found = _HEADER.match(raw, line.end(), line.end() + _LONGEST_HEADER)
        if found and {name.lower() for name in _FIELD.findall(found[0])} >= _NEEDED:
            return line.end(), parts_end is not None
    return None


def _end_of_parts(raw: Bytes, header: re.Match[bytes]) -> int | None:
    """The end of a mail's parts, if it has any that end."""
    boundary = BytesHeaderParser().parsebytes(header[0]).get_boundary()
    end = raw.find(b"\n--" + boundary.encode("ascii", "replace") + b"--", header.end()) if boundary else -1
    return end + len(boundary or "") + 5 if end >= 0 else None
