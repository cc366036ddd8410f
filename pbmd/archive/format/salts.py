"""The salts that players were given, as far as a journal opens the secrets that they come from."""

from collections.abc import Iterable, Mapping

from pbmd.ledger.entries import kinds
from pbmd.ledger.entries.codec import Entry, MalformedEntry
from pbmd.ledger.entries.kinds import UnlistedEntry, turn_of
from pbmd.rules import commitment
from pbmd.rules.salts import salt_of

Shown = tuple[str, Entry | None]
"""The kind of an entry, and what it says; None if that is withheld."""
_Opener = kinds.ResolvedEntry | kinds.RolledBackEntry | kinds.RestoredEntry | kinds.FinishedEntry
OPENS_SALTS = {
    kinds.ResolvedEntry.kind: "turn {turn}",
    kinds.RolledBackEntry.kind: "a step taken back",
    kinds.RestoredEntry.kind: "a restored backup",
    kinds.FinishedEntry.kind: "the step that was open when the game ended",
}
"""The entries that open the secret of salts, and for what."""
_NEEDED = OPENS_SALTS.keys() | {kinds.JoinedEntry.kind}


def commitment_to(secret: str) -> str | None:
    """The commitment to a secret in hex; None if that is no secret: in an archive it can be anything."""
    try:
        return commitment(bytes.fromhex(secret))
    except ValueError:
        return None


def opened_salts(entries: Iterable[Shown]) -> tuple[dict[str, str], bool]:
    """What each salt is for, in hex, and whether others are sealed: those of the step that is open, and where secret parts are
    not shown. Raises `ValueError` for what pbmd does not write."""
    seats: dict[int, str] = {}
    found: dict[str, str] = {}
    sealed = promised = False
    for kind, entry in entries:
        if isinstance(entry, UnlistedEntry) and kind in _NEEDED:
            raise MalformedEntry(f"{kind}: it is not as pbmd writes it")
        if entry is None:
            sealed = sealed or kind in _NEEDED
        elif isinstance(entry, kinds.JoinedEntry):
            seats[entry.number] = entry.seat
        elif isinstance(entry, _Opener):
            sealed = sealed or entry.sealed is None
            found = _opened_by(entry, seats) | found  # several moves can share them, and they were promised for the first
        promised = _promises(kind, entry, promised=promised)
    return found, sealed or promised


def _opened_by(entry: _Opener, seats: Mapping[int, str]) -> dict[str, str]:
    opened = entry.sealed.salts if entry.sealed else None
    if not opened:
        return {}
    what = OPENS_SALTS[entry.kind].format(turn=turn_of(entry))
    salts = {salt_of(bytes.fromhex(opened), number).hex(): seat for number, seat in seats.items()}
    return {salt: f"the salt of {seat} for the dice of {what}" for salt, seat in salts.items()}


def _promises(kind: str, entry: Entry | None, *, promised: bool) -> bool:
    """Whether there are salts of a step that is open after the entry."""
    match entry:
        case None:
            return promised and kind not in OPENS_SALTS
        case kinds.FinishedEntry():
            return False
        case kinds.ResolvedEntry() | kinds.RolledBackEntry() | kinds.RestoredEntry():
            return bool(entry.salts_commitment)
        case kinds.CreatedEntry() | kinds.StartedEntry() | kinds.ImportedEntry() if entry.salts_commitment is not None:
            return bool(entry.salts_commitment)
        case _:
            return promised
