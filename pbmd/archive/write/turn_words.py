"""The four words of each step, which everybody who got a report of it has: made of the journal of the archive alone."""

from collections.abc import Iterable

from pbmd.archive.format.documents import EntryDocument
from pbmd.ledger.entries.step_entries import FinishedEntry, ResolvedEntry
from pbmd.ledger.turn_entries import TURN_ENTRIES
from pbmd.notes.four_words import four_words

_BEGINNING = -1


def words_of_steps(journal: Iterable[EntryDocument]) -> dict[int, str]:
    """Step → its words. The end of the game stands for its last step, unless it was given up, of which no report tells. Steps
    whose entry shows no hash have none."""
    hashes, last = dict[int, str](), _BEGINNING
    for line in journal:
        kind = line["kind"]
        if kind == ResolvedEntry.kind:
            last = (line.get("public") or {}).get("step", last)
        if kind in TURN_ENTRIES and not (line.get("public") or {}).get("abandoned"):
            hashes[last if kind in (ResolvedEntry.kind, FinishedEntry.kind) else _BEGINNING] = line.get("hash") or ""
    return {step: four_words(each) for step, each in hashes.items() if each}
