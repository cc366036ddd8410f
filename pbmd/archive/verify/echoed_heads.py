"""Whether the heads that letters quoted with their order forms are those of this journal, and whether everybody was told about
those that are not.

A player's mail program quotes them by itself, so each letter with orders says up to which entry its writer has been told the
same history. Only the host could hide that somebody was told a different one.
"""

from dataclasses import dataclass, field

from pbmd.archive.format.entries import Entry
from pbmd.archive.format.findings import JOURNAL, Findings, Problem, plain
from pbmd.archive.format.orders_on_file import sound_letters_in
from pbmd.ledger.entries.player_entries import DisputedEntry

_SHORTEST = 16
"""Digits of a hash in a head; this many are looked up."""


@dataclass
class Heads:
    """Gathers the hashes of the entries, the heads that letters named, and those that everybody was told about. `gaps`: not all
    hashes are shown, so that a head may be there unseen."""

    findings: Findings
    hashes: list[str] = field(default_factory=list[str])
    begins: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    unknown: list[tuple[int, str]] = field(default_factory=list[tuple[int, str]])
    told: dict[str, int] = field(default_factory=dict[str, int])
    gaps: bool = False

    def take(self, entry: Entry) -> None:
        """The next entry."""
        for letter in sound_letters_in(entry):
            if (head := letter.head) is not None:
                self.findings.count("heads that letters brought back")
                if not self._has(head):
                    self.unknown.append((entry.number, head))
        if entry.kind == DisputedEntry.kind and entry.public is not None:
            self._take_dispute(entry, str(entry.public.get("head", "")))
        self.gaps = self.gaps or not entry.hash
        self.hashes.append(entry.hash)
        self.begins.setdefault(entry.hash[:_SHORTEST], []).append(entry.hash)

    def say(self) -> None:
        """Report which letters named another history, and about which of these nobody was told."""
        for head, number in self.told.items():
            self.findings.disputed.append(
                plain(
                    f"Entry {number} tells all players that a letter named another history of this game: the head {head} is "
                    "not in this journal. Whoever sent it was told another history, has altered the mail, or was told what a "
                    "restored backup has undone."
                )
            )
        for number, head in self.unknown:
            if head not in self.told and not self.gaps:
                problem = f"a letter in entry {number} names the head {head} of another history, and nobody was told of it"
                self.findings.add(Problem(JOURNAL, problem, line=number))

    def _take_dispute(self, entry: Entry, head: str) -> None:
        self.told.setdefault(head, entry.number)
        if self._has(head):
            problem = f"entry {entry.number} says that the head {head} is of another history, and it is of this one"
            self.findings.add(Problem(JOURNAL, problem, line=entry.number))

    def _has(self, head: str) -> bool:
        """Whether there is such a head so far: at that entry, if it names one."""
        number, _, digits = head.rpartition(" ")
        if not number.isdecimal():
            return any(each.startswith(digits) for each in self.begins.get(digits[:_SHORTEST], ()))
        place = int(number) - 1
        return 0 <= place < len(self.hashes) and self.hashes[place].startswith(digits)
