"""Salts: what keeps the dice from confirming a guess at somebody's orders.

The secret of the dice is told to everybody with the next report, and some of the rolls with it. So what the dice are bound to
must be something that nobody can compute who only guesses at orders, and yet nothing that a host could choose once the orders
are known. Each seat's orders are therefore digested together with a salt of their own. All salts of a step come from one
secret, which is drawn and promised when the step opens, and opened only where the orders are.

With orders comes a word that nobody chose, or that their player wrote, so that a host who knows both secrets cannot know either
what the dice will be bound to as long as anybody's is to come.
"""

import hashlib
import hmac
from collections.abc import Iterable, Mapping, Sequence

from pbmd.rules.canonical import canonical_json

SALT_BYTES = 16
_NUMBER_BYTES = 8

Salts = Sequence[tuple[str, bytes]]
"""The name and the salt of each seat of a game, also of those without orders, in the order of their numbers. Empty for a step
that began before there were salts."""


def salt_of(secret: bytes, number: int) -> bytes:
    """The salt of the seat with that number, from the secret of a step's salts: the beginning of an HMAC-SHA-256."""
    return hmac.digest(secret, number.to_bytes(_NUMBER_BYTES, "big"), "sha256")[:SALT_BYTES]


def salts_of(secret: bytes | None, seats: Iterable[tuple[int, str]]) -> Salts:
    """The salts of all seats, given as number and name; none without a secret."""
    return tuple((name, salt_of(secret, number)) for number, name in sorted(seats)) if secret else ()


def salted_digest(salt: bytes, lines: Sequence[str] | None, word: str = "") -> bytes:
    """What stands for the orders of a seat: SHA-256 of its salt and the canonical JSON of its lines, null if it has none; if a
    word for the dice came with them, of an object with both."""
    own = None if lines is None else list(lines)
    return hashlib.sha256(salt + canonical_json({"lines": own, "word": word} if word else own)).digest()


def digest_of_all(salts: Salts, orders: Mapping[str, Sequence[str]], words: Mapping[str, str] | None = None) -> bytes:
    """SHA-256 of the canonical JSON of the digests of all seats, in hex, in the order of the seats and not of arrival; `words`
    are those of seats that sent one with their orders. Raises `ValueError` for orders of a seat that has no salt."""
    said = words or {}
    if strangers := orders.keys() - {seat for seat, _ in salts}:
        raise ValueError(f"there is no salt for the orders of {', '.join(sorted(strangers))}")
    digests = [salted_digest(salt, orders.get(seat), said.get(seat, "")).hex() for seat, salt in salts]
    return hashlib.sha256(canonical_json(digests)).digest()
