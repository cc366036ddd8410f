"""Who has had the seats of a game, by its journal."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import dropwhile

from sqlmodel import Session

from pbmd.ledger.entries.codec import Entry
from pbmd.ledger.entries.player_entries import HandOver, HolderEntry, ResignedEntry
from pbmd.ledger.entries.reveal_entries import Holding
from pbmd.ledger.entries.rows import entries_of
from pbmd.ledger.entries.step_entries import ImportedEntry, JoinedEntry, ResolvedEntry, StartedEntry
from pbmd.ledger.tables import Game, called, step_words

_OF_HANDS = (JoinedEntry, StartedEntry, ImportedEntry, ResignedEntry, HolderEntry)
_IMPORT = "the game came here"
"""When somebody had left at another host."""


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


def holdings(session: Session, game: Game) -> list[Holding]:
    """Everybody who had a seat since the game began, in order of time. Raises `MalformedEntry`."""
    steps = _steps(session, game)
    found: list[Holding] = []
    begun = False
    for change in entries_of(session, game.id, *_OF_HANDS, with_sealed=True):
        begun = begun or isinstance(change.entry, StartedEntry | ImportedEntry)
        when = next((words for _, words in dropwhile(lambda step, at=change.number: step[0] < at, steps)), game.step_called)
        found = _after(found, change.entry, when, begun=begun)
    return found


def _after(held: list[Holding], content: Entry, when: str, *, begun: bool) -> list[Holding]:
    """Who has had seats after that entry."""
    match content:
        case ImportedEntry(given_up=gone):
            return [replace(each, until=_IMPORT) if each.seat in gone else each for each in held]
        case JoinedEntry(seat=seat, sealed=player):
            return [*held, Holding(seat=seat, player=(player and player.name) or None)]
        case ResignedEntry(seat=seat):
            return _given_up(held, seat, when) if begun else [each for each in held if each.seat != seat]
        case HolderEntry(seat=seat, sealed=change):
            return [*_given_up(held, seat, when), Holding(seat=seat, player=(change and change.name) or None, since=when)]
        case _:
            return held


def _steps(session: Session, game: Game) -> list[tuple[int, str]]:
    """The numbers of the entries that resolved steps, and what players call these."""
    resolved = entries_of(session, game.id, ResolvedEntry)
    return [(each.number, called(step_words(each.entry.turn, each.entry.name or ""))) for each in resolved]


def _given_up(held: Sequence[Holding], seat: str, when: str) -> list[Holding]:
    return [replace(each, until=when) if each.seat == seat and each.until is None else each for each in held]
