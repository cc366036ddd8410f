"""Whether each dice secret that a journal opens is the one that was promised before, and was used for one go only."""

from dataclasses import dataclass, field
from datetime import datetime

from pbmd.archive.entries import Entry
from pbmd.archive.findings import JOURNAL, Findings, Problem
from pbmd.rules import commitment

_BOUND = frozenset({"started", "resolved", "rolled-back", "finished", "imported"})
_BETWEEN_GOES = frozenset({"set", "ruled"})
"""What a host decides, and never in the middle of a go; letters and deadlines may come there."""


@dataclass
class Promises:
    """Holds each secret against its commitment. `promised` is None where what promised it is withheld; `last` is the secret of
    the step before, if another may still be carried out in the same go: all of a go is written `at` one time, and its secret is
    told after it."""

    findings: Findings
    promised: str | None = ""
    last: str = ""
    at: datetime | None = None
    skipped: list[int] = field(default_factory=list[int])

    def take(self, entry: Entry) -> None:
        """The next entry."""
        if entry.kind in _BETWEEN_GOES or entry.at != self.at:
            self.last = ""
        if entry.kind not in _BOUND:
            return
        if entry.public is None:
            self.promised, self.last = None, ""
            return
        secret, promise = str(entry.public.get("secret", "")), str(entry.public.get("commitment", ""))
        # What is carried out in one go has one secret, and the next is promised once, unless the game ends with it.
        goes_on = entry.kind == "resolved" and secret == self.last and promise in (self.promised, "")
        abandoned = bool(entry.public.get("abandoned"))
        if (entry.kind in ("resolved", "rolled-back") or abandoned) and not goes_on:
            self._open(entry, secret)
        if entry.kind != "finished" or abandoned:
            self.promised = promise
        self.at = entry.at
        self.last = secret if entry.kind == "resolved" else ""

    def say(self) -> None:
        """Tell what could not be checked."""
        if self.skipped:
            numbers = ", ".join(map(str, self.skipped))
            self.findings.unchecked.append(
                f"What promised the dice secret of entry {numbers} of the journal is withheld, so nothing shows that it was "
                "not chosen afterwards."
            )

    def _open(self, entry: Entry, secret: str) -> None:
        if self.promised is None:
            self.skipped.append(entry.number)
            return
        if not secret and not self.promised:
            return
        self.findings.count("dice secrets")
        try:
            kept = commitment(bytes.fromhex(secret)) == self.promised
        except ValueError:
            kept = False
        if not kept:
            problem = f"the dice secret of entry {entry.number} is not the one that was promised"
            turn = str(entry.public.get("turn", "")) if entry.public else ""
            self.findings.add(Problem(JOURNAL, problem, turn, line=entry.number))
