"""Since when a seat has had its present holder."""

from collections.abc import Iterable

from sqlmodel import Session

from pbmd.ledger.entries.player_entries import HandOver, HolderEntry
from pbmd.ledger.entries.rows import entries_of
from pbmd.ledger.tables import Game


def taken_over(session: Session, game: Game, seat: str) -> int:
    """The number of the journal entry by which a seat came to its present holder, 0 if it never changed hands. Who has it back
    from a substitute has had it since before."""
    holders = entries_of(session, game.id, HolderEntry, with_sealed=True)
    return _held_since((change.number, change.entry.sealed) for change in holders if change.entry.seat == seat)


def _held_since(changes: Iterable[tuple[int, HandOver | None]]) -> int:
    """The same by the numbers and the sealed parts of the entries that changed the hands of one seat, in their order."""
    since, before = 0, 0
    for number, sealed in changes:
        if sealed and sealed.until:
            before = since
        since = before if sealed and sealed.back else number
    return since
