"""Where mails begin that somebody has written one behind the other into a file (``cat *.eml > all.mbox``), with no line
between them that says so.

A mail begins with a header that has what each mail has: a sender, a date and an ID. What is quoted or attached in another one
is no mail of the file: so after a header that names a boundary the next one is looked for behind its end.
"""

import re
from email.parser import BytesHeaderParser

_HEADER = re.compile(rb"(?:[!-9;-~]{1,76}:[^\r\n]*(?:\r?\n[ \t][^\r\n]*)*\r?\n){3,200}(?=\r?\n)")
"""A run of fields up to a blank line."""
_FIELD = re.compile(rb"^([!-9;-~]{1,76}):", re.MULTILINE)
_NEEDED = frozenset({b"from", b"date", b"message-id"})
_LONGEST_HEADER = 200_000


def begins_of_mails(raw: bytes) -> list[int]:
    """The places at which mails begin, the first at 0."""
    begins, at = [0], 0
    while (following := _next(raw, at)) is not None:
        begins.append(following)
        at = following
    return begins


def _next(raw: bytes, at: int) -> int | None:
    """Where the mail behind the one that begins there begins."""
    own = _HEADER.match(raw, at)
    behind = _end_of(raw, own) if own else at + 1
    for line in re.finditer(rb"^(?=[!-9;-~]{1,76}:)", raw[behind:], re.MULTILINE):
        begin = behind + line.start()
        found = _HEADER.match(raw, begin, begin + _LONGEST_HEADER)
        if found and {name.lower() for name in _FIELD.findall(found[0])} >= _NEEDED:
            return begin
    return None


def _end_of(raw: bytes, header: re.Match[bytes]) -> int:
    """The end of a mail's parts; the end of its header if it has none."""
    boundary = BytesHeaderParser().parsebytes(header[0]).get_boundary()
    if boundary:
        end = raw.find(b"\n--" + boundary.encode("ascii", "replace") + b"--", header.end())
        if end >= 0:
            return end + len(boundary) + 5
    return header.end()
