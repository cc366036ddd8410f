"""The journal: the append-only, hash-chained record of a game.

An entry's hash is SHA-256 over the canonical JSON (RFC 8785) of its number, time, kind, public part, the digest of its
secret part, and the hash before it. The digest is salted with 128 random bits, so that it tells nothing about the secret
to those who may not read it, while the chain can be checked by anybody.
"""

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import rfc8785

SALT_BYTES = 16
FIRST_HASH = "0" * 64

Seal = Callable[[bytes, bytes], str]
"""(salt, secret bytes) → what stands for the secret in the chain."""
Canonical = Callable[[dict[str, Any]], bytes]
"""A value → its RFC 8785 form."""


@dataclass(frozen=True, slots=True)
class Link:
    """One entry as it is stored: `public` and `secret` are canonical JSON. `sealed` stands for a secret part that is not known
    here in the form in which it was sealed."""

    number: int
    at: datetime
    kind: str
    public: str
    secret: str
    salt: str
    hash: str
    sealed: str = ""


class ChainError(ValueError):
    """A broken chain; the message names the first wrong entry."""


def seal(salt: bytes, secret: bytes) -> str:
    """SHA-256 of salt and secret, in hex; nothing for an empty secret."""
    return hashlib.sha256(salt + secret).hexdigest() if secret else ""


@dataclass(frozen=True, slots=True)
class Entry:
    """What an entry says, before it is part of a chain. `at` is aware; both parts must be JSON-able."""

    number: int
    at: datetime
    kind: str
    public: Mapping[str, Any]
    secret: Mapping[str, Any]


def link(previous: str, entry: Entry, salt: bytes, sealing: Seal = seal, canonical: Canonical = rfc8785.dumps) -> Link:
    """The next entry of a chain whose last hash is `previous`."""
    number, at, kind = entry.number, entry.at, entry.kind
    open_part = canonical(dict(entry.public))
    closed_part = canonical(dict(entry.secret)) if entry.secret else b""
    sealed = sealing(salt, closed_part)
    return Link(
        number=number,
        at=at,
        kind=kind,
        public=open_part.decode(),
        secret=closed_part.decode(),
        salt=salt.hex() if closed_part else "",
        hash=chained(previous, number, at, kind, open_part, sealed),
    )


def verify(links: Iterable[Link], head: str = FIRST_HASH, first: int = 1, sealing: Seal = seal) -> str:
    """Check a chain from its first entry, or from the one numbered `first` that follows the hash `head`, and return its head.
    Raises `ChainError`."""
    expected = first
    for entry in links:
        if entry.number != expected:
            raise ChainError(f"entry {expected} is missing (entry {entry.number} stands in its place)")
        salt = b"" if entry.sealed else _salt(entry)
        sealed = entry.sealed or (sealing(salt, entry.secret.encode()) if salt is not None else "")
        if salt is None or chained(head, entry.number, entry.at, entry.kind, entry.public.encode(), sealed) != entry.hash:
            raise ChainError(f"entry {entry.number} ({entry.kind}) is not what was written")
        head, expected = entry.hash, expected + 1
    return head


def written_time(at: datetime) -> str:
    """A time as it enters the chain: UTC, microseconds, RFC 3339."""
    return at.astimezone(UTC).isoformat(timespec="microseconds")[:-6] + "Z"


def written_deadline(at: datetime | None) -> str:
    """A deadline in the public part of what opens a step or moves its deadline; empty if none runs."""
    return written_time(at) if at else ""


def chained(previous: str, number: int, at: datetime, kind: str, public: bytes, sealed: str) -> str:
    """The hash of an entry after the one with the hash `previous`; `public` is canonical JSON, `sealed` what `seal` gave."""
    # The keys are sorted and the other values need no escaping, so this is the RFC 8785 form.
    frame = (
        f'{{"at":"{written_time(at)}","kind":{rfc8785.dumps(kind).decode()},"number":{number},"previous":"{previous}",'
        f'"public":{public.decode()},"secret":"{sealed}"}}'
    )
    return hashlib.sha256(frame.encode()).hexdigest()


def _salt(entry: Link) -> bytes | None:
    """The salt of an entry, None when it is not what `link` writes: lower-case hex with a secret, nothing without one."""
    try:
        salt = bytes.fromhex(entry.salt)
    except ValueError:
        return None
    return salt if salt.hex() == entry.salt and bool(entry.secret) == bool(entry.salt) else None
