"""What a witness remembers: its own key, and for each log its key and every checkpoint that was signed.

A witness signs no two heads with one number, none with a lower number than the last, and none for a log that has changed its
key. Whether a head *follows* from the last one cannot be seen from the two alone; that takes the entries between them.
"""

import fcntl
import json
import os
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pbmd.files import keep_file
from pbmd.notes.checkpoint import cosign, is_of_log, read_checkpoint
from pbmd.notes.notes_in_mail import FoundNote
from pbmd.notes.signed_note import COSIGNATURE, KEY_BYTES, NoNote, Note, Signer, Verifier, name_problem, verifier_of

_LARGEST_FILE = 50_000_000


class Refusal(ValueError):
    """A checkpoint that this witness does not sign; the message says why. `proof` are two notes signed with one key that cannot
    both be true, if there are such."""

    def __init__(self, why: str, *proof: str) -> None:
        super().__init__(why)
        self.proof = proof


@dataclass(frozen=True, slots=True)
class Log:
    """A log as the witness knows it: the key, and by number the notes that were signed."""

    key: Verifier
    notes: Mapping[int, str]

    @property
    def size(self) -> int:
        """The number of the last one; 0 if none was signed yet."""
        return max(self.notes, default=0)


@dataclass(frozen=True, slots=True)
class Memory:
    """The witness's own key and the logs that it knows, by their names."""

    signer: Signer
    logs: Mapping[str, Log]


@dataclass(frozen=True, slots=True)
class Vouched:
    """What was signed. `before` is the number of the one that was signed before it, 0 if it is the first of its log; `is_first`
    says so, since then the key is trusted on first use."""

    note: Note
    before: int
    key: Verifier

    @property
    def is_first(self) -> bool:
        """Whether it is the first of its log."""
        return not self.before


Follows = Callable[[str, str], str]
"""Two heads → why the second does not follow from the first, as far as somebody has the entries; empty if it does, or if nobody
can know."""


def vouch(memory: Memory, found: FoundNote, key: Verifier, at: int, follows: Follows) -> tuple[Memory, Vouched]:
    """Sign a checkpoint that is signed with the `key` of its log, and remember it. Raises `Refusal`."""
    said, note = found.checkpoint, found.note
    log = memory.logs.get(said.origin, Log(key, {}))
    if key.public != log.key.public:
        raise Refusal(f"{said.origin} has another key than before: {key}, and before it was {log.key}")
    try:
        if not is_of_log(note, key):
            raise Refusal(f"it is not signed with the key {key}")
    except NoNote as problem:
        raise Refusal(str(problem)) from None
    known = {size: read_checkpoint(each)[1].head for size, each in log.notes.items()}
    if (head := known.get(said.size, said.head)) != said.head:
        raise Refusal(
            f"two histories: {said.origin} has signed another head at {said.place}, {head}", log.notes[said.size], str(note)
        )
    if said.size < log.size and said.size not in known:
        raise Refusal(f"{said.place} comes before {log.size}, which was signed already; nothing can be said of it any more")
    if known and said.size > log.size and (trouble := follows(known[log.size], said.head)):
        raise Refusal(f"two histories: {trouble}", log.notes[log.size], str(note))
    signed = note.with_signatures([cosign(note, memory.signer, at)])
    notes = {**log.notes, said.size: str(note)}
    before = log.size if said.size > log.size else max((size for size in known if size < said.size), default=0)
    made = replace(memory, logs={**memory.logs, said.origin: Log(key, notes)})
    return made, Vouched(signed, before, key)


def new_memory(path: Path, name: str) -> Memory:
    """Make a witness with a new key, in a file that nobody else can read. Raises `NoNote`, `FileExistsError` and `OSError`."""
    if problem := name_problem(name):
        raise NoNote(problem)
    memory = Memory(Signer(name, os.urandom(KEY_BYTES), COSIGNATURE), {})
    keep_file(path, _written(memory).encode(), is_new=True)
    return memory


def read_memory(path: Path) -> Memory:
    """A witness from its file. Raises `NoNote` for a file that is not one, and `OSError`."""
    if path.stat().st_size > _LARGEST_FILE:
        raise NoNote(f"{path} is too large for the memory of a witness")
    try:
        return _read(json.loads(path.read_text(encoding="utf-8")))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as problem:
        raise NoNote(f"{path} is not the memory of a witness: {problem}") from None


@contextmanager
def locked_memory(path: Path) -> Generator[Callable[[Memory], None]]:
    """Nobody else uses the memory meanwhile; what is saved through it is on the disk when the call returns. Raises
    `OSError`."""
    handle = os.open(path.parent, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield lambda memory: keep_file(path, _written(memory).encode())
    finally:
        os.close(handle)


def _written(memory: Memory) -> str:
    logs = {
        origin: {"key": str(log.key), "notes": {str(size): note for size, note in sorted(log.notes.items())}}
        for origin, log in memory.logs.items()
    }
    return json.dumps({"name": memory.signer.name, "seed": memory.signer.seed.hex(), "logs": logs}, indent=1) + "\n"


def _read(document: Any) -> Memory:
    seed = bytes.fromhex(document["seed"])
    if len(seed) != KEY_BYTES or name_problem(document["name"]):
        raise ValueError("its key is not whole")
    logs = {
        str(origin): Log(verifier_of(log["key"]), {int(size): str(note) for size, note in log["notes"].items()})
        for origin, log in document["logs"].items()
    }
    return Memory(Signer(document["name"], seed, COSIGNATURE), logs)
