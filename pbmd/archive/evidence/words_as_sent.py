"""The words of a report as it was sent, whose digest the file beside it tells.

Servers on the way put lines above and below a mail, in parts of their own or not, and exchange quote marks, characters that
nobody sees, and links: then the words that were sent stand among others. What those others say is named elsewhere.
"""

import hashlib
from collections.abc import Container, Iterator, Sequence

from pbmd.archive.appearance.links import without_detours
from pbmd.archive.format.press_and_deadlines import as_seen, plainly_quoted
from pbmd.post.proof_file import words_digest

_MOST_ABOVE, _MOST_BELOW, _MOST_BODIES = 15, 300, 10
"""So many lines servers put there at most; and so many texts are looked at."""
_LONGEST = 250_000


def digest_as_sent(bodies: Sequence[str], told: Container[str]) -> str:
    """The digest of these texts of one report: if it can be, one of those that its file `told`; empty if there are none."""
    found = (digest for body in bodies[:_MOST_BODIES] for digest in _digests(body) if digest in told)
    return next(found, words_digest(bodies[0]) if bodies else "")


def _digests(body: str) -> Iterator[str]:
    """Those of a text, and of what may be left of it without what others have put above and below."""
    yield words_digest(body)
    if len(body) > _LONGEST:
        return
    plain = plainly_quoted(as_seen(body))
    for text in dict.fromkeys((body, plain, without_detours(plain))):
        lines = [" ".join(line.split()) for line in text.split("\n") if line.strip()]
        for first in range(min(_MOST_ABOVE, len(lines))):
            last = max(len(lines) - _MOST_BELOW, first)
            words = hashlib.sha256(" ".join(lines[first : last + 1]).encode())
            yield words.hexdigest()
            for line in lines[last + 1 :]:
                words.update(f" {line}".encode())
                yield words.hexdigest()
