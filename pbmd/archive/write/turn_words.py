"""The four words of each step, which everybody who got a report of it has: made of the journal of the archive alone."""

from collections.abc import Iterable

from pbmd.archive.format.documents import EntryDocument
from pbmd.ledger.entries.rows import ends_of_steps
from pbmd.notes.four_words import four_words


def words_of_steps(journal: Iterable[EntryDocument]) -> dict[int, str]:
    """Step → its words. Steps whose entry shows no hash have none."""
    hashes = ends_of_steps((line["kind"], line.get("public") or {}, line.get("hash") or "") for line in journal)
    return {step: four_words(each) for step, each in hashes.items() if each}
