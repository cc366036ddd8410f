"""How long the lines of mails may be, and their subjects."""

import re
from collections.abc import Iterator

from tests.docs.mails.found import Found

COLUMNS = 72
"""So that a reply can quote a line before 80 columns are full."""
SUBJECT = 70
"""What lists of mails show."""
_APART = re.compile(r"https?://\S+|^#|[\w.+-]+@[\w.-]+|^(?:— \S+|\S+\+[0-9a-f]{8}\+|)\s*[A-Za-z0-9+/=]{44,}$")
"""Lines that cannot be broken: with a web or mail address, those of order forms that are not read, which stand as players
send them back, and a key or a signature."""


_SHEET = re.compile(r"^#orders - .*?^#end$", re.MULTILINE | re.DOTALL)
"""The sheet that is ready to be sent again: in it an order is a line."""


def too_long(mail: Found) -> Iterator[str]:
    """What in a mail is longer than it may be."""
    if len(mail.subject) > SUBJECT:
        yield f"{len(mail.subject)} characters of subject: {mail.subject}"
    for line in _SHEET.sub("", mail.text).splitlines():
        if len(line) > COLUMNS and not _APART.search(line):
            yield f"{len(line)} columns in {mail.template or mail.kind}: {line}"
