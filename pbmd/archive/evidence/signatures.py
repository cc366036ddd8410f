"""Whether the checkpoints in mails are signed, and by whom.

A mail itself says which key it is signed with. That shows that the owner of that key signed it; that the key is the host's is
shown by all mails naming the same one, and by where else the host publishes it.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from pbmd.notes.checkpoint import is_of_log
from pbmd.notes.notes_in_mail import FoundNote
from pbmd.notes.signed_note import NoNote, Verifier


@dataclass(frozen=True, slots=True)
class Signed:
    """The key that a checkpoint is signed with, None if it is no known one; `problem` says why the checkpoint is worthless."""

    by: Verifier | None = None
    problem: str = ""


def signed_by(found: FoundNote, keys: Iterable[Verifier]) -> Signed:
    """Who signed a checkpoint, of those whose keys are known."""
    for key in dict.fromkeys(key.public for key in keys if key.name == found.checkpoint.origin):
        verifier = Verifier(found.checkpoint.origin, key)
        try:
            if is_of_log(found.note, verifier):
                return Signed(verifier)
        except NoNote as problem:
            return Signed(problem=str(problem))
    return Signed()
