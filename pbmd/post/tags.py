"""Seat tags: what proves that a letter is from a seat's holder, in every mail that pbmd sends to that seat.

A tag is ``g12p3.prcnnjn76sno3vgs``: two numbers and an 80-bit token. It travels in the plus address of Reply-To, in our
Message-ID (and so in the References of an answer), and in the mark line of the order form. It is read in any case, since
gateways change the case of local parts.
"""

import base64
import hmac
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pbmd.post.letter import Letter

TOKEN_BYTES = 10
_NONCE = re.compile(r"[a-z2-7]{16}")
_TAG = re.compile(r"g(\d{1,9})p(\d{1,6})\.([a-z2-7]{16})", re.IGNORECASE | re.ASCII)


@dataclass(frozen=True, slots=True)
class Tag:
    """The seat with that number in the game with that id, and its secret token (16 characters, lower-case base32)."""

    game: int
    seat: int
    token: str


def make_token(key: bytes, game: int, seat: int, generation: int) -> str:
    """80 bits of HMAC-SHA-256; another generation gives another token and so ends the old one."""
    mac = hmac.digest(key, f"seat {game} {seat} {generation}".encode(), "sha256")
    return base64.b32encode(mac[:TOKEN_BYTES]).decode().lower()


def token_matches(expected: str, given: str) -> bool:
    """Whether two tokens are the same, in a time that does not tell how far they agree."""
    return hmac.compare_digest(expected.lower().encode(), given.lower().encode())


def write_tag(tag: Tag) -> str:
    """``g12p3.prcnnjn76sno3vgs``."""
    return f"g{tag.game}p{tag.seat}.{tag.token}"


def read_tag(text: str) -> Tag | None:
    """The tag that `text` is, None if it is none."""
    found = _TAG.fullmatch(text.strip())
    return Tag(int(found[1]), int(found[2]), found[3].lower()) if found else None


def plus_address(mailbox_address: str, tag: Tag) -> str:
    """The mailbox's address with the tag behind a plus."""
    local, _, domain = mailbox_address.rpartition("@")
    return f"{local}+{write_tag(tag)}@{domain}"


def bounce_address(mailbox_address: str, nonce: str) -> str:
    """The mailbox's address with ``b.`` and the nonce of one mail behind a plus: the return path of that mail alone."""
    local, _, domain = mailbox_address.rpartition("@")
    return f"{local}+b.{nonce}@{domain}"


def bounced_nonces(recipients: Iterable[str], mailbox_address: str) -> tuple[str, ...]:
    """The nonces of the bounce addresses among these (lower case), in order."""
    local, _, domain = mailbox_address.lower().rpartition("@")
    begins, ends = f"{local}+b.", f"@{domain}"
    found = (each[len(begins) : -len(ends)] for each in recipients if each.startswith(begins) and each.endswith(ends))
    return tuple(nonce for nonce in found if _NONCE.fullmatch(nonce))


def message_id(kind: str, tag: Tag | None, nonce: str, domain: str) -> str:
    """``<kind.g12p3.token.nonce@domain>``, or without the tag for who holds no seat."""
    parts = (kind, write_tag(tag), nonce) if tag else (kind, nonce)
    return f"<{'.'.join(parts)}@{domain}>"


def tags_of(letter: Letter, mailbox_address: str) -> tuple[Tag, ...]:
    """The tags a letter shows, each once: in its recipients, in the ids it answers, on the mark line of its order form."""
    return tuple(dict.fromkeys(_shown(letter, mailbox_address.lower())))


def _shown(letter: Letter, mailbox_address: str) -> Iterator[Tag]:
    local, _, domain = mailbox_address.rpartition("@")
    candidates = list(letter.form_tags)
    candidates += [
        address.rpartition("@")[0][len(local) + 1 :]
        for address in letter.recipients
        if address.lower().startswith(f"{local}+") and address.lower().endswith(f"@{domain}")
    ]
    for reference in letter.references:
        inner, _, at = reference.strip("<>").lower().rpartition("@")
        if at == domain:
            candidates.append(".".join(inner.split(".")[1:3]))
    yield from (tag for text in candidates if (tag := read_tag(text)))
