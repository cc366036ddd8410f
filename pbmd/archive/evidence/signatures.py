"""Whether the checkpoints in mails are signed, and by whom.

A mail says itself which key it is signed with. That shows that whoever has that key signed it; that it is the host's is shown
by all mails saying the same one, and by where else the host tells it.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from pbmd.notes.checkpoint import is_of_log
from pbmd.notes.notes_in_mail import FoundNote
from pbmd.notes.signed_note import NoNote, Verifier


@dataclass(frozen=True, slots=True)
class Signed:
    """By which key a checkpoint is signed, None if it is by none that is known; `problem` says why it is worthless."""

    by: Verifier | None = None
    problem: str = ""


def signed_by(found: FoundNote, keys: Iterable[Verifier]) -> Signed:
    """Who has signed a checkpoint, of those whose keys are known."""
    for key in dict.fromkeys(key.public for key in keys if key.name == found.checkpoint.origin):
        verifier = Verifier(found.checkpoint.origin, key)
        try:
            if is_of_log(found.note, verifier):
                return Signed(verifier)
        except NoNote as problem:
            return Signed(problem=str(problem))
    return Signed()
