"""The whole sheet of a seat as an answer ends with it, ready to be changed and sent again: `#orders - DIGEST.PROOF HEAD WORD` …
`#end`.

The digest covers its lines without comments. So a sheet that comes back unchanged is recognised, however long ago it was sent.
The proof shows that we sent it to this seat; it does not prove whose letter it is, since players show each other our answers.
"""

import base64
import hashlib
import re
from collections.abc import Iterable

from pbmd.post.lines.text import key

MARK = "-"
"""What follows "#orders" in place of the token of the seat."""
SHOWN = 8
"""A mark has this many characters of digest and proof, so that it fits into a line. Older marks had all of them."""
_BYTES = 10
_WHOLE = re.compile(rf"-\s?(?:[a-z2-7]{{16}}\.[a-z2-7]{{16}}|[a-z2-7]{{{SHOWN}}}\.[a-z2-7]{{{SHOWN}}})", re.IGNORECASE)


def is_sheet(tag: str) -> bool:
    """Whether a tag, as it stands behind "#orders", is that of a sheet and not of an order form."""
    return tag[:1] == MARK


def is_whole(tag: str) -> bool:
    """Whether it is one that we wrote, whoever it was for: somebody may have typed "#orders -" above a list."""
    return _WHOLE.fullmatch(tag) is not None


def digest_in(tag: str) -> str:
    """The digest in the tag of a sheet, as `digest` makes it; or whatever stands there."""
    return tag.removeprefix(MARK).strip().partition(".")[0].lower()


def tells(tag: str, found: str) -> bool:
    """Whether the tag of a sheet has that digest, as `digest` makes it, or the beginning of it that a mark has."""
    return is_whole(tag) and found.startswith(digest_in(tag))


def digest(lines: Iterable[str]) -> str:
    """16 characters (lower-case base32) that are the same however mail programs have broken and spaced the lines."""
    return base64.b32encode(hashlib.sha256("".join(map(key, lines)).encode()).digest()[:_BYTES]).decode().lower()
