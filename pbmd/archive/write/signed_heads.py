"""``checkpoint.txt``: the end of the journal, signed by the host.

An anonymised archive has none: the key in it names the host.
"""

from typing import Any

from pbmd.archive.format.plan import Plan
from pbmd.archive.write.writing import Writer
from pbmd.notes.checkpoint import Checkpoint, sign_checkpoint

CHECKPOINT = "checkpoint.txt"


def write_signed(plan: Plan, writer: Writer, head: str) -> dict[str, Any]:
    """Write it, and return what game.toml says about the key. Without a signer nothing is written. Raises `OSError`."""
    if plan.signer is None or plan.anonymised or not head:
        return {}
    note = sign_checkpoint(Checkpoint(plan.signer.name, plan.last_entry, head), plan.signer)
    (writer.folder / CHECKPOINT).write_text(str(note), encoding="utf-8", newline="\n")
    return {"key": str(plan.signer.verifier)}
