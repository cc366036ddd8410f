"""A hash as four words that two people can compare in a chat or on the phone.

The words say 44 bits of it. That is few, so making them takes a while on purpose: whoever looks for two histories with the same
words must make them some eight million times, and again for each turn after that. The whole hash stands in proof files, and is
what counts.
"""

import hashlib
import re
from functools import cache, lru_cache
from pathlib import Path

ROUNDS = 10_000
"""Of PBKDF2 with HMAC-SHA-256: a hundredth of a second. It can be made anywhere: in a browser, too."""
SALT = b"pbmd four words"
COUNT, BITS = 4, 11
"""How many words there are, and how many bits each says."""
_BYTES = 6
FORM = r"[a-z]{3,8}(?: [a-z]{3,8}){3}"
"""A pattern for what `four_words` makes, and much else."""
_FORM = re.compile(FORM)


@cache
def wordlist() -> tuple[str, ...]:
    """All words there are, 2048 short English ones that neither look nor sound alike, in the order of the alphabet."""
    return (*Path(__file__).with_name("wordlist.txt").read_text(encoding="ascii").split(),)


@lru_cache(maxsize=10_000)
def four_words(head: str) -> str:
    """The words of a hash in hexadecimal: the first 44 bits of what PBKDF2 makes of it, eleven for each word."""
    made = int.from_bytes(hashlib.pbkdf2_hmac("sha256", bytes.fromhex(head), SALT, ROUNDS, _BYTES), "big")
    made >>= _BYTES * 8 - COUNT * BITS
    places = (made >> BITS * place & (1 << BITS) - 1 for place in reversed(range(COUNT)))
    return " ".join(wordlist()[place] for place in places)


def are_four_words(text: str) -> bool:
    """Whether a text has that form, and all words are in the list."""
    return _FORM.fullmatch(text) is not None and set(text.split()) <= set(wordlist())
