"""``checkpoint.txt``, ``witnessed/`` and ``stamps/``: who has signed the heads of the journal.

An anonymised archive has none of it: who vouches for a game may reveal who plays in it.
"""

from typing import Any

from sqlmodel import Session, col, select

from pbmd.archive.format.plan import Plan
from pbmd.archive.write.writing import Writer
from pbmd.ledger.tables import Endorsement, JournalEntry, Stamp
from pbmd.notes.checkpoint import Checkpoint, read_checkpoint, sign_checkpoint
from pbmd.notes.signed_note import Note

CHECKPOINT = "checkpoint.txt"


def write_signed(session: Session, plan: Plan, writer: Writer, head: str) -> dict[str, Any]:
    """Write them, and return what game.toml says about the keys. Without a signer nothing is written. Raises `OSError`."""
    if plan.signer is None or plan.anonymised or not head:
        return {}
    note = sign_checkpoint(Checkpoint(plan.signer.name, plan.last_entry, head), plan.signer)
    (writer.folder / CHECKPOINT).write_text(str(note), encoding="utf-8", newline="\n")
    witnesses = _write_witnessed(session, plan, writer)
    _write_stamps(session, plan, writer)
    return {"key": str(plan.signer.verifier)} | ({"witnesses": witnesses} if witnesses else {})


def _write_witnessed(session: Session, plan: Plan, writer: Writer) -> list[str]:
    """Each checkpoint that witnesses have signed, once; returns the keys of these witnesses."""
    rows = select(Endorsement).where(Endorsement.game_id == plan.game.id).order_by(col(Endorsement.entry), col(Endorsement.id))
    notes, keys = dict[str, Note](), list[str]()
    for row in session.exec(rows):
        note, checkpoint = read_checkpoint(row.note)
        if _is_shown(session, plan, checkpoint.head):
            notes[note.text] = note.with_signatures(notes[note.text].signatures) if note.text in notes else note
            keys.append(row.key)
    for place, note in enumerate(notes.values(), start=1):
        path = writer.folder / "witnessed" / f"{place:03}.txt"
        path.parent.mkdir(exist_ok=True)
        path.write_text(str(note), encoding="utf-8", newline="\n")
    return sorted(set(keys))


def _write_stamps(session: Session, plan: Plan, writer: Writer) -> None:
    """What an outside service was given, and its proof, by the number of the entry."""
    stamps = select(Stamp).where(Stamp.game_id == plan.game.id, Stamp.entry <= plan.last_entry, Stamp.proof != b"")
    for stamp in session.exec(stamps.order_by(col(Stamp.entry))):
        path = writer.folder / "stamps" / f"{stamp.entry:06}.txt"
        path.parent.mkdir(exist_ok=True)
        path.write_text(stamp.note, encoding="utf-8", newline="\n")
        path.with_suffix(".proof").write_bytes(stamp.proof)


def _is_shown(session: Session, plan: Plan, head: str) -> bool:
    """Whether the entry with that hash is in the archive; of a later one not even the hash may be revealed."""
    shown = select(JournalEntry.id).where(
        JournalEntry.game_id == plan.game.id, JournalEntry.hash == head, JournalEntry.number <= plan.last_entry
    )
    return session.exec(shown.limit(1)).first() is not None
