"""For whom an archive is made, and what that reader may know of the game.

Reports, numbers and maps are made from views, and events are cut by `seen_by`: what they show is decided there. This module
decides which of the records may be shown; who may know the sealed part of an entry is a fact of its type
(`pbmd.ledger.entries`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from pbmd.ledger.entries.codec import Document, Entry, MalformedEntry
from pbmd.ledger.entries.kinds import KINDS, UnlistedEntry, read
from pbmd.rules import GM, PUBLIC, Reader, fold, seat_reader


class UnknownView(ValueError):
    """No such view; the message says which there are."""


@dataclass(frozen=True, slots=True)
class Audience:
    """A view: of everything, of the public, or of a seat, whose name is then `seat`."""

    kind: Literal["all", "public", "seat"]
    seat: str = ""

    def __str__(self) -> str:
        return f"seat:{self.seat}" if self.seat else self.kind

    @property
    def everything(self) -> bool:
        """Whether it shows the whole game."""
        return self.kind == "all"

    @property
    def reader(self) -> Reader:
        """The reader whose view of a position it is."""
        return {"all": GM, "public": PUBLIC}.get(self.kind) or seat_reader(self.seat)

    def sees_seat(self, name: str) -> bool:
        """Whether the reader has the reports and orders of that seat."""
        return self.everything or (self.kind == "seat" and self.seat == name)

    def sees_public(self, kind: str) -> bool:
        """Whether the reader has the public part of entries of that kind. What a later version calls public may be for readers
        that this version does not know, so only the game master has a kind that is not listed."""
        return self.everything or kind in KINDS

    def sees_sealed(self, entry: Entry, *, before: bool) -> bool:
        """Whether the reader has the sealed part of that entry of the journal. `before`: the entry is older than the last
        change of hands of the reader's seat."""
        if self.everything:
            return True
        if entry.is_for_all:
            return True
        return self.kind == "seat" and self.seat in entry.readers and not (before and entry.has_own_words)


ALL, TO_PUBLIC = Audience("all"), Audience("public")


def audience_of(written: str, seats: Sequence[str]) -> Audience:
    """``all``, ``public`` or ``seat:NAME``, the name in any case. Raises `UnknownView`."""
    kind, _, name = written.partition(":")
    if kind == "seat" and name:
        found = [seat for seat in seats if fold(seat) == fold(name)]
        if not found:
            raise UnknownView(f'there is no seat "{name}"; there are {", ".join(seats)}')
        return Audience("seat", found[0])
    if written == "all":
        return ALL
    if written == "public":
        return TO_PUBLIC
    raise UnknownView(f'there is no view "{written}"; there are all, public and seat:NAME')


def entry_for_audience(kind: str, public: Document, secret: Document | None) -> Entry:
    """What an entry says; `secret` is None where it is not shown. An entry without the fields of its kind, as a damaged row may
    be, does not stop an archive from being written; but nobody can tell for whom it is, so it is treated like a kind that is
    not listed."""
    try:
        return read(kind, public, secret)
    except MalformedEntry:
        return UnlistedEntry(name=kind, public=public, secret=secret)
