"""``letters.mbox``: the letters of a game as they came, tokens blanked."""

import mailbox
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from sqlmodel import Session, select

from pbmd.archive.format.plan import Plan
from pbmd.ledger.tables import Letter
from pbmd.post.blank import Blanker


def write_letters(session: Session, plan: Plan, path: Path, blanker: Blanker, done: Callable[[], None]) -> None:
    """Write the plan's letters. Raises `OSError`."""
    box = mailbox.mbox(path, create=True)
    try:
        for letter_id in plan.letters:
            letter = session.exec(select(Letter.raw, Letter.arrived_at).where(Letter.id == letter_id)).one()
            box.add(_framed(blanker.mail(letter[0]), letter[1]))
            done()
    finally:
        box.close()


def _framed(raw: bytes, arrived_at: datetime) -> bytes:
    """A letter after the line that begins it in an mbox and gives its arrival. The library protects all lines but the first
    from being mistaken for such a line."""
    guard = b">" if raw.startswith(b"From ") else b""
    return f"From pbmd {arrived_at.ctime()}\n".encode() + guard + raw
