"""Seat tags: they stand in every mail that pbmd sends to a seat, and prove that a letter is from its holder.

A tag is ``g12p3.prcnnjn76sno3vgs``: two numbers and an 80-bit token. It travels in the plus address of Reply-To, in our
Message-ID (and so in the References of an answer), and in the mark line of the order form. Upper and lower case are the same,
since gateways change the case of local parts.

A question of pbmd has a code of the same kind, ``c17.k3v7…``, that answers it once. Mails to people without a seat have one
with the number 0: a reply shows that the mail has reached its address.
"""

import base64
import hmac
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from pbmd.post.addresses import folded
from pbmd.post.read.letter import Letter

TOKEN_BYTES = 10
_NONCE = re.compile(r"[a-z2-7]{16}")
_TAG = re.compile(r"g(\d{1,9})p(\d{1,6})\.([a-z2-7]{16})", re.IGNORECASE | re.ASCII)
_CODE = re.compile(r"(?<![\w.])c(\d{1,9})\.([a-z2-7]{16})(?!\w)", re.IGNORECASE | re.ASCII)
_MAX_CODES = 5
"""An answer has one; each costs a look into the ledger."""


@dataclass(frozen=True, slots=True)
class Tag:
    """The seat with that number in the game with that id, and its secret token (16 characters, lower-case base32)."""

    game: int
    seat: int
    token: str


@dataclass(frozen=True, slots=True)
class Code:
    """The number of a question, and the secret (16 characters, lower-case base32) that shows who was asked."""

    question: int
    secret: str


@lru_cache(maxsize=4096)
def make_token(key: bytes, game: int, seat: int, generation: int) -> str:
    """80 bits of HMAC-SHA-256; another generation gives another token and so ends the old one."""
    return _mac(key, f"seat {game} {seat} {generation}")


@lru_cache(maxsize=4096)
def make_page_token(key: bytes, game: int, seat: int, generation: int) -> str:
    """The secret in the address of a seat's pages, 80 bits of HMAC-SHA-256: it ends with the token of the same generation, and
    proves nothing in a letter."""
    return _mac(key, f"pages {game} {seat} {generation}")


def make_code(key: bytes, question: int) -> Code:
    """The code of a question: 80 bits of HMAC-SHA-256 of its number."""
    return Code(question, _mac(key, f"question {question}"))


def make_sheet_proof(key: bytes, game: int, seat: int, generation: int, digest: str) -> str:
    """What shows in the mark of a sheet that we sent it to the seat: 80 bits of HMAC-SHA-256, which prove nothing of a
    letter."""
    return _mac(key, f"sheet {game} {seat} {generation} {digest}")


def make_visitor_code(key: bytes, address: str) -> Code:
    """The code in what somebody without a seat is sent: 80 bits of HMAC-SHA-256 of the address."""
    return Code(0, _mac(key, f"visitor {folded(address)}"))


def _mac(key: bytes, of: str) -> str:
    return base64.b32encode(hmac.digest(key, of.encode(), "sha256")[:TOKEN_BYTES]).decode().lower()


def token_matches(expected: str, given: str) -> bool:
    """Whether two tokens are the same, in a time that does not depend on how far they agree."""
    return hmac.compare_digest(expected.lower().encode(), given.lower().encode())


class SeatNumber(NamedTuple):
    """The seat with that number in the game with that id."""

    game: int
    seat: int


def seats_in(raw: bytes) -> frozenset[SeatNumber]:
    """The seats of all tags in the bytes of a letter that has no base64, whatever their tokens are worth."""
    found = _TAG.finditer(raw.replace(b"=\n", b"").decode("latin-1"))
    return frozenset(SeatNumber(int(each[1]), int(each[2])) for each in found)


def codes_in(raw: bytes) -> bool:
    """Whether there is what may be a code of a question in the bytes of a letter that has no base64."""
    return _CODE.search(raw.replace(b"=\n", b"").decode("latin-1")) is not None


def write_tag(tag: Tag | Code) -> str:
    """``g12p3.prcnnjn76sno3vgs``, or of a question ``c17.k3v7…``."""
    if isinstance(tag, Code):
        return f"c{tag.question}.{tag.secret}"
    return f"g{tag.game}p{tag.seat}.{tag.token}"


def read_tag(text: str) -> Tag | None:
    """The tag that `text` is, None if it is not one."""
    found = _TAG.fullmatch(text.strip())
    return Tag(int(found[1]), int(found[2]), found[3].lower()) if found else None


def plus_address(mailbox_address: str, tag: Tag | Code) -> str:
    """The mailbox's address with the tag behind a plus."""
    local, _, domain = mailbox_address.rpartition("@")
    return f"{local}+{write_tag(tag)}@{domain}"


BOUNCE_MARK = "+b."
"""What stands behind the local part of our address in the return path of a mail."""


def bounce_address(mailbox_address: str, nonce: str) -> str:
    """The mailbox's address with ``b.`` and the nonce of one mail behind a plus: the return path of that mail alone."""
    local, _, domain = mailbox_address.rpartition("@")
    return f"{local}{BOUNCE_MARK}{nonce}@{domain}"


def bounced_nonces(recipients: Iterable[str], mailbox_address: str) -> tuple[str, ...]:
    """The nonces of the bounce addresses among these (lower case), in order."""
    local, _, domain = folded(mailbox_address).rpartition("@")
    begins, ends = f"{local}{BOUNCE_MARK}", f"@{domain}"
    found = (each[len(begins) : -len(ends)] for each in recipients if each.startswith(begins) and each.endswith(ends))
    return tuple(nonce for nonce in found if _NONCE.fullmatch(nonce))


def message_id(kind: str, tag: Tag | Code | None, nonce: str, domain: str) -> str:
    """``<kind.g12p3.token.nonce@domain>``, or without the tag for people without a seat."""
    parts = (kind, write_tag(tag), nonce) if tag else (kind, nonce)
    return f"<{'.'.join(parts)}@{domain}>"


def nonce_in(message_id: str) -> str:
    """The nonce of a Message-ID that `message_id` has written; of any other whatever stands in its place."""
    return message_id.rpartition("@")[0].rpartition(".")[2]


def ranked_tags(letter: Letter, mailbox_address: str) -> tuple[tuple[Tag, ...], ...]:
    """The tags on order forms that the writer did not quote, in recipients, in the ids answered, on quoted order forms.

    What is quoted comes last: it may be of another game than the one that the letter is for.
    """
    ranks = [*_in_addresses(letter, mailbox_address)]
    if letter.form_tags:
        forms = dict.fromkeys(text.lower() for text in letter.form_tags)
        unquoted = _unquoted_forms(letter)
        ranks = [[text for text in forms if text in unquoted], *ranks, [text for text in forms if text not in unquoted]]
    return tuple([tuple(dict.fromkeys([tag for text in rank if (tag := read_tag(text))])) for rank in ranks])


def _unquoted_forms(letter: Letter) -> frozenset[str]:
    """The first words of the lines that could be unquoted mark lines, in lower case."""
    lines = chain(letter.body.lines, *(file.lines for file in letter.body.files))
    return frozenset(word for line in lines if line.lstrip()[:1] == "#" for word in line.lower().split()[:_BEFORE_HEAD])


_BEFORE_HEAD = 3
"""The tag of a mark line is among this many words, whatever programs have put between."""


def codes_of(letter: Letter, mailbox_address: str) -> tuple[Code, ...]:
    """The codes of questions that a letter shows, each once: in its recipients, in the ids it answers, in its subject."""
    shown = (*chain(*_in_addresses(letter, mailbox_address)), letter.subject)
    found = (Code(int(found[1]), found[2].lower()) for text in shown for found in _CODE.finditer(text))
    return tuple(dict.fromkeys(found))[:_MAX_CODES]


def _in_addresses(letter: Letter, mailbox_address: str) -> tuple[list[str], list[str]]:
    """What may be a tag in the recipients of a letter, and in the ids that it answers."""
    local, _, domain = folded(mailbox_address).rpartition("@")
    begins, ends = f"{local}+", f"@{domain}"
    small = [folded(address) for address in letter.recipients]
    parted = [folded(reference.strip("<>")).rpartition("@") for reference in letter.references]
    return (
        [each[len(begins) : -len(ends)] for each in small if each.startswith(begins) and each.endswith(ends)],
        [".".join(inner.split(".")[1:3]) for inner, _, at in parted if at == domain],
    )
