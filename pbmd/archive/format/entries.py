"""The journal of an archive: read from `journal.jsonl`, which may be anybody's, and checked as a chain.

An entry whose secret part the reader may not know has its seal instead. So the chain can be checked in any view.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any

from pbmd.archive.format.limits import LARGEST_TEXT
from pbmd.ledger.entries.codec import Document
from pbmd.ledger.entries.codec import Entry as Content
from pbmd.ledger.entries.kinds import read
from pbmd.ledger.journal import FIRST_HASH, chained, seal, written_time
from pbmd.rules.canonical import canonical_json

_HASH = re.compile(r"[0-9a-f]{64}")
_SEAL = re.compile(r"(?:[0-9a-f]{64})?")
_SALT = re.compile(r"[0-9a-f]{32}")
_BLANKED = re.compile(rb"x(?:[^A-Za-z0-9]{0,8}x){15}")
"""What is left of a token: whatever stands between its letters stays."""
_KEYS = frozenset({"number", "at", "kind", "public", "sealed", "hash"})
_OPENED = frozenset({"secret", "salt"})
_WITHHELD = frozenset({"number", "at", "kind", "hash", "withheld"})
_UNBOUND = (
    _WITHHELD - {"hash"},
    *(keys - {"hash"} for keys in (_KEYS, _KEYS | _OPENED, _KEYS | {"secret"})),
    _KEYS - {"sealed"},
)
"""Where a hash would confirm a guess at something withheld, it is missing, and so is the seal of the next entry that has a
hash."""


class BrokenJournal(ValueError):
    """A line that is no entry of the chain; `line` counts from 1."""

    def __init__(self, line: int, problem: str) -> None:
        super().__init__(problem)
        self.line = line


@dataclass(frozen=True)
class Entry:
    """One entry as the archive shows it. `secret` is None where it is not shown, and so is `public` where it is withheld. An
    entry that is not `sure` had something blanked after it was sealed, so only its place in the chain can be checked. `salt`
    and `sealed` are as the journal has them. One that is not `bound` could not be checked against the entry before it, so that
    the chain begins anew there; its hash may be empty."""

    number: int
    at: datetime
    kind: str
    public: Document | None
    secret: Document | None
    hash: str
    sure: bool = True
    salt: str = ""
    sealed: str = ""
    bound: bool = True

    @cached_property
    def content(self) -> Content | None:
        """What the entry says; None where that is withheld. Raises `MalformedEntry`: an archive may be anybody's."""
        return None if self.public is None else read(self.kind, self.public, self.secret)


def read_entries(path: Path) -> Iterator[Entry]:
    """The entries, each checked against the one before it. Raises `BrokenJournal`, and `OSError`."""
    head, expected = FIRST_HASH, 1
    with path.open("rb") as file:
        while raw := file.readline(LARGEST_TEXT + 1):
            entry = _entry(raw, expected, head)
            yield entry
            head, expected = entry.hash, expected + 1


def _entry(raw: bytes, number: int, previous: str) -> Entry:
    fields = _fields(raw, number)
    at = _time(fields["at"], number)
    kind, hashed = fields["kind"], fields.get("hash", "")
    if not isinstance(kind, str) or not isinstance(hashed, str) or not (_HASH.fullmatch(hashed) or "hash" not in fields):
        raise BrokenJournal(number, "it has no kind or no hash")
    if "withheld" in fields:
        return Entry(number, at, kind, None, None, hashed, sure=False, bound=False)
    bound = bool(previous)
    if bound and not {"hash", "sealed"} <= fields.keys():
        raise BrokenJournal(number, f"entry {number} ({kind}) has no hash or no seal, though nothing before it is withheld")
    public, sealed = fields["public"], fields.get("sealed", "")
    if not isinstance(public, dict) or not isinstance(sealed, str) or not _SEAL.fullmatch(sealed):
        raise BrokenJournal(number, "its public part or its seal is no such thing")
    if bound and chained(previous, number, at, kind, canonical_json(public), sealed) != hashed:
        raise BrokenJournal(number, f"entry {number} ({kind}) is not what was written, or not after that entry")
    secret, sure = _secret(fields, number, kind, sealed) if "sealed" in fields else (None, True)
    return Entry(number, at, kind, public, secret, hashed, sure, fields.get("salt", "") if secret else "", sealed, bound)


def _fields(raw: bytes, number: int) -> dict[str, Any]:
    if len(raw) > LARGEST_TEXT:
        raise BrokenJournal(number, "it is too long for an entry")
    try:
        fields: Any = json.loads(raw)
        canonical = canonical_json(fields) + b"\n"
    except (ValueError, RecursionError):
        raise BrokenJournal(number, "it is not JSON") from None
    if not isinstance(fields, dict) or canonical != raw:
        raise BrokenJournal(number, "it is not an object in canonical JSON on a line of its own")
    keys = frozenset[str](fields)  # pyright: ignore[reportUnknownArgumentType]
    if keys not in (_WITHHELD, _KEYS, _KEYS | _OPENED, _KEYS | {"secret"}, *_UNBOUND):
        raise BrokenJournal(number, f"it has not the keys of an entry: {', '.join(sorted(keys))[:200]}")
    if fields["number"] != number:
        raise BrokenJournal(number, f"entry {number} is missing: another stands in its place")
    return fields  # pyright: ignore[reportUnknownVariableType]


def _time(written: Any, number: int) -> datetime:
    try:
        at = datetime.fromisoformat(written)
        if at.tzinfo is None or written_time(at) != written:
            raise ValueError
    except (TypeError, ValueError, OverflowError):
        raise BrokenJournal(number, "its time is not written as times are in a journal") from None
    return at


def _secret(fields: Mapping[str, Any], number: int, kind: str, sealed: str) -> tuple[Document | None, bool]:
    """The secret part and whether it is what was sealed; an empty one if there was none."""
    if "secret" not in fields:
        return ({}, True) if not sealed else (None, True)
    secret, salt = fields["secret"], fields.get("salt")
    if not isinstance(secret, dict):
        raise BrokenJournal(number, "its secret part is none")
    if salt is None:
        # Else somebody could leave the salt out and write there what they like, and the chain would hold.
        if not _BLANKED.search(canonical_json(secret)):
            raise BrokenJournal(
                number, f"the secret part of entry {number} ({kind}) has no salt, though nothing was blanked in it"
            )
        return secret, False  # pyright: ignore[reportUnknownVariableType]
    if salt == "" and not secret and not sealed:
        return {}, True
    if not isinstance(salt, str) or not _SALT.fullmatch(salt) or seal(bytes.fromhex(salt), canonical_json(secret)) != sealed:
        raise BrokenJournal(number, f"the secret part of entry {number} ({kind}) is not what was sealed")
    return secret, True  # pyright: ignore[reportUnknownVariableType]
