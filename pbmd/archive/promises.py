"""Whether each dice secret that a journal opens is the one that was promised before, and was used for one go only."""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from pbmd.archive.entries import Entry
from pbmd.archive.findings import JOURNAL, Findings, Problem
from pbmd.rules import commitment

_BOUND = frozenset({"started", "resolved", "rolled-back", "finished", "imported"})
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_LONGEST_GO = timedelta(minutes=10)
"""From the first step of a go to its last entry: the desk writes all of it in one transaction. Letters that were read together
are dealt with in one, so that almost anything may stand between two steps."""
_CLOCKS = timedelta(minutes=1)
"""By which the clock of a mail server may be ahead of the desk's."""


@dataclass
class Promises:
    """Holds each secret against its commitment. `promised` is None where what promised it is withheld; `last` is the secret of
    the step before, if another may still be carried out in the same go, whose first step was resolved when it had `begun`."""

    findings: Findings
    promised: str | None = ""
    last: str = ""
    begun: datetime = _EPOCH
    skipped: list[int] = field(default_factory=list[int])

    def take(self, entry: Entry) -> None:
        """The next entry."""
        self._leave_go(entry)
        if entry.kind not in _BOUND:
            return
        if entry.public is None:
            self.promised, self.last = None, ""
            return
        secret, promise = str(entry.public.get("secret", "")), str(entry.public.get("commitment", ""))
        # What is carried out in one go has one secret, and the next is promised once.
        goes_on = entry.kind == "resolved" and secret == self.last and promise == self.promised
        abandoned = bool(entry.public.get("abandoned"))
        if (entry.kind in ("resolved", "rolled-back") or abandoned) and not goes_on:
            self._open(entry, secret)
        if entry.kind != "finished" or abandoned:
            self.promised = promise
        self.begun = self.begun if goes_on else entry.at
        self.last = secret if entry.kind == "resolved" else ""

    def say(self) -> None:
        """Tell what could not be checked."""
        if self.skipped:
            numbers = ", ".join(map(str, self.skipped))
            self.findings.unchecked.append(
                f"What promised the dice secret of entry {numbers} of the journal is withheld, so nothing shows that it was "
                "not chosen afterwards."
            )

    def _leave_go(self, entry: Entry) -> None:
        """The secret is told when the go is over: whoever sends a letter after that must not get dice from it."""
        if not self.last:
            return
        late = entry.kind == "orders" and _arrival(entry) > (self.begun - _EPOCH + _CLOCKS) // timedelta(microseconds=1)
        if late or not timedelta(0) <= entry.at - self.begun <= _LONGEST_GO:
            self.last = ""

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


def _arrival(entry: Entry) -> int:
    """When orders arrived, in microseconds, as far as it is shown."""
    try:
        microseconds, _place = (entry.secret or {})["arrival"]
        return int(microseconds)
    except (KeyError, TypeError, ValueError, OverflowError):
        return 0
