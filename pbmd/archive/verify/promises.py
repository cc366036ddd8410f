"""Whether each secret that a journal opens is the one that was promised before, and was used for one go only."""

from dataclasses import dataclass, field
from datetime import datetime

from pbmd.archive.format.entries import Entry
from pbmd.archive.format.findings import Findings
from pbmd.archive.format.salts import commitment_to

_BOUND = frozenset({"created", "started", "resolved", "rolled-back", "restored", "finished", "imported"})
_BETWEEN_GOES = frozenset({"set", "ruled"})
"""Decisions of a host, which never come in the middle of a go; letters and deadlines may."""


@dataclass
class Promises:
    """Checks each secret against its commitment, both for the dice and for the salts. `promised` and `salted` are the
    commitments, None where the promising entry is withheld; `last` are the secrets of the step before, if another may still be
    resolved in the same go: a whole go is written `at` one time, and its secrets are revealed after it. That of the salts is
    None where it is not shown."""

    findings: Findings
    promised: str | None = ""
    salted: str | None = ""
    last: tuple[str, str | None] = "", None
    at: datetime | None = None
    skipped: list[int] = field(default_factory=list[int])
    anew: list[int] = field(default_factory=list[int])

    def take(self, entry: Entry) -> None:
        """The next entry."""
        if entry.kind in _BETWEEN_GOES or entry.at != self.at:
            self.last = "", None
        if entry.kind not in _BOUND:
            return
        if entry.public is None:
            self.promised, self.salted, self.last = None, None, ("", None)
            return
        if entry.kind == "restored":
            self.anew.append(entry.number)
        secret, salts = _secret(entry), _salts(entry)
        promise = str(entry.public.get("commitment", "")), str(entry.public.get("salts_commitment", ""))
        if secret is not None and self._opens(entry) and not self._goes_on(entry, secret, salts, promise):
            self._open(entry, secret)
            self._open_salts(entry, salts)
        if entry.kind != "finished" or entry.public.get("abandoned"):
            self.promised, self.salted = promise
        self.at = entry.at
        self.last = (secret or "", salts) if entry.kind == "resolved" else ("", None)

    def _opens(self, entry: Entry) -> bool:
        """Whether the entry must open what was promised before it."""
        if entry.kind in ("started", "imported"):
            return self.promised != ""
        return entry.kind in ("resolved", "rolled-back", "restored") or bool(entry.public and entry.public.get("abandoned"))

    def _goes_on(self, entry: Entry, secret: str, salts: str | None, promise: tuple[str, str]) -> bool:
        """Whether a step is resolved in one go with the one before it: it has the same secrets, and the next are promised once,
        unless the game ends with it."""
        same = secret == self.last[0] and (None in (salts, self.last[1]) or salts == self.last[1])
        return entry.kind == "resolved" and same and promise in ((self.promised, self.salted), ("", ""))

    def say(self) -> None:
        """Report what could not be checked."""
        if self.skipped:
            numbers = ", ".join(map(str, self.skipped))
            self.findings.unchecked.append(
                f"What promised the dice secret of entry {numbers} of the journal is withheld, so nothing shows that it was "
                "not chosen afterwards."
            )

        if self.anew:
            self.findings.unchecked.append(
                f"In entry {', '.join(map(str, self.anew))} of the journal the host has exchanged what was promised, since a "
                "backup was restored: nothing shows that the new dice secret was not chosen for the orders that were there."
            )

    def _open(self, entry: Entry, secret: str) -> None:
        if self.promised is None:
            self.skipped.append(entry.number)
            return
        if not secret and not self.promised:
            return
        self.findings.count("dice secrets")
        if commitment_to(secret) != self.promised:
            self._blame(entry, "dice secret")

    def _open_salts(self, entry: Entry, secret: str | None) -> None:
        """Salts other than those that were promised, or none, would be a way to choose the dice."""
        if None in (secret, self.salted) or secret == self.salted == "":
            return
        self.findings.count("secrets of salts")
        if commitment_to(str(secret)) != self.salted:
            self._blame(entry, "secret of the salts")

    def _blame(self, entry: Entry, what: str) -> None:
        self.findings.blame(entry, f"the {what} of entry {entry.number} is not the one that was promised")


def _secret(entry: Entry) -> str | None:
    """The dice secret that the entry opens, empty if there is none, None if it is not shown."""
    if entry.kind == "started" and "secret" not in (entry.public or {}):
        return None if entry.secret is None else str(entry.secret.get("secret", ""))
    return str((entry.public or {}).get("secret", ""))


def _salts(entry: Entry) -> str | None:
    """The secret of the salts that the entry opens, empty if there is none, None if it is not shown."""
    return None if entry.secret is None else str(entry.secret.get("salts", ""))
