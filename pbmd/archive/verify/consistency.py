"""Whether one head of a journal follows from another, by an archive that has the entries between them."""

from pathlib import Path

from pbmd.archive.format.entries import BrokenJournal, read_entries
from pbmd.archive.format.findings import JOURNAL


def heads_of(folder: Path) -> dict[str, int]:
    """The heads of the journal of an archive, with the numbers of their entries. Where the chain begins anew after something
    withheld, only those from there on. Raises `BrokenJournal` and `OSError`."""
    heads: dict[str, int] = {}
    for entry in read_entries(folder / JOURNAL):
        if not entry.bound:
            heads = {}
        if entry.hash:
            heads[entry.hash] = entry.number
    if not heads:
        raise BrokenJournal(0, "it shows no head that the chain holds")
    return heads


def trouble_between(heads: dict[str, int], before: str, after: str) -> str:
    """Why a head does not follow from an earlier one; empty if it does, or if the archive does not go that far."""
    if before not in heads:
        return f"the archive has not the head that was signed before, {before}"
    if after not in heads:
        return f"the archive has not this head, {after}"
    return "" if heads[before] < heads[after] else "in the archive it comes before the one that was signed before"
