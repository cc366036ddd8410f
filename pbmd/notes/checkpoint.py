"""Checkpoints (c2sp.org/tlog-checkpoint): how long a log is, and its head at that length. And the cosignatures of
witnesses (c2sp.org/tlog-cosignature) that archives of pbmd 1.0 have.

Here the log is the journal of a game, its size the number of the last entry, and the root the hash of that entry: a chain, not
a Merkle tree, so that only the entries between two heads show that one follows from the other.
"""

import re
from dataclasses import dataclass

from pbmd.notes.signed_note import (
    COSIGNATURE,
    ED25519,
    SIGNATURE_BYTES,
    NoNote,
    Note,
    Signer,
    Verifier,
    decoded,
    encoded,
    is_signed,
    name_problem,
    note_of,
    signed,
    verifies,
)

OF_REPORTS = "/reports"
"""The suffix of the name of a log whose entries are the reports of a game, each with the head of its journal at that time."""
ANEW = "~"
"""In the name of a log, this stands between the name of its game and some digits of the hash of the entry with which it begins:
at one host another game can have had that name. Older logs had it only if the game was started anew from an archive."""
ROOT_BYTES = 32
_TIME_BYTES = 8
LATEST = 2**63 - 1
_SIZE = re.compile(r"0|[1-9][0-9]{0,8}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The head of a log, in hexadecimal, when it had this many entries. `origin` says which log it is."""

    origin: str
    size: int
    head: str

    @property
    def game(self) -> str:
        """The name of the game, as the log says."""
        return self.origin.removesuffix(OF_REPORTS).rpartition("/")[2].partition(ANEW)[0]

    @property
    def by_report(self) -> bool:
        """Whether the size is that of the log of reports."""
        return self.origin.endswith(OF_REPORTS)

    @property
    def place(self) -> str:
        """What it is the head of: ``entry 17``, ``report 3``."""
        return f"{'report' if self.by_report else 'entry'} {self.size}"

    def __str__(self) -> str:
        return f"{self.origin}\n{self.size}\n{encoded(bytes.fromhex(self.head))}\n"


@dataclass(frozen=True, slots=True)
class Cosignature:
    """A witness's statement that it has seen a checkpoint, and when, in seconds since 1970 by its own clock."""

    witness: Verifier
    at: int


def checkpoint_of(text: str) -> Checkpoint:
    """A checkpoint from the text of a note. Raises `NoNote`; also if it has more than three lines, which pbmd never writes."""
    lines = text.split("\n")
    if len(lines) != 4 or lines[3] or not _SIZE.fullmatch(lines[1]) or name_problem(lines[0]):
        raise NoNote("it is no checkpoint: those have three lines, a name, a number and a hash")
    root = decoded(lines[2])
    if len(root) != ROOT_BYTES:
        raise NoNote(f"its hash has {len(root)} bytes, and not {ROOT_BYTES}")
    return Checkpoint(lines[0], int(lines[1]), root.hex())


def sign_checkpoint(checkpoint: Checkpoint, signer: Signer) -> Note:
    """The checkpoint, signed by the owner of the log."""
    return signed(str(checkpoint), signer)


def read_checkpoint(said: str) -> tuple[Note, Checkpoint]:
    """A note that contains a checkpoint. Raises `NoNote`. Signatures are not checked."""
    note = note_of(said)
    return note, checkpoint_of(note.text)


def is_of_log(note: Note, key: Verifier) -> bool:
    """Whether it is signed by the key of the log, which has the name of the log there. Raises `NoNote` if the signature is
    invalid."""
    return is_signed(note, Verifier(checkpoint_of(note.text).origin, key.public, ED25519))


def cosignature_of(note: Note, witness: Verifier) -> Cosignature | None:
    """The latest cosignature of that witness; None if there is none. Raises `NoNote` if one is invalid."""
    found: Cosignature | None = None
    for line in note.signatures:
        if witness.kind != COSIGNATURE or not witness.owns(line):
            continue
        at = int.from_bytes(line.signed[:_TIME_BYTES], "big")
        whole = len(line.signed) == _TIME_BYTES + SIGNATURE_BYTES and at <= LATEST
        if not whole or not verifies(witness.public, _cosigned(note, at), line.signed[_TIME_BYTES:]):
            raise NoNote(f"the cosignature of {witness.name} does not hold")
        found = Cosignature(witness, max(at, found.at if found else 0))
    return found


def _cosigned(note: Note, at: int) -> bytes:
    return f"cosignature/v1\ntime {at}\n{note.text}".encode()
