"""Letters from the mailbox into the ledger: stored first, whole, in order of arrival, each of them once.

The place in the mailbox (UIDVALIDITY, UID) says what has been fetched; the fingerprint of what the writer sent says what
is the same letter again, after a change of UIDVALIDITY or when a server delivers it twice.
"""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import insert
from sqlmodel import col, select

from pbmd.desk.context import Desk
from pbmd.desk.work import Work
from pbmd.ledger.tables import Letter, LetterState, Mailbox, Sighting
from pbmd.post.inbox import Fetched, Inbox, Watermark
from pbmd.post.letter import fingerprint as fingerprint_of


def read_mailbox(desk: Desk, inbox: Inbox) -> int:
    """Store everything that is new in the mailbox and give the number of new letters.

    Raises `InboxLost` when the server fails: what was stored until then stays stored. Only a reading that came to its
    end is evidence that nothing else had arrived before it began.
    """
    name = mailbox_name(desk)
    began = desk.now()
    with Work(desk) as work:
        box = _mailbox(work, name)
        mark = Watermark(box.uidvalidity, box.last_uid)
    new = 0
    for batch in inbox.scan(mark):
        new += store(desk, name, batch)
        inbox.tidy([fetched.uid for fetched in batch], batch[0].uidvalidity)
    _note_reading(desk, name, began)
    return new


def store(desk: Desk, name: str, batch: Sequence[Fetched]) -> int:
    """Store a batch of letters in one transaction and give the number of those not known before."""
    prints = [fingerprint_of(fetched.raw) for fetched in batch]
    with Work(desk) as work:
        box = _mailbox(work, name)
        known = set(work.session.exec(select(Letter.fingerprint).where(col(Letter.fingerprint).in_(prints))))
        fresh: dict[str, Fetched] = {}
        for fetched, fingerprint in sorted(zip(batch, prints, strict=True), key=lambda pair: (pair[0].arrived_at, pair[0].uid)):
            if fingerprint not in known:
                fresh.setdefault(fingerprint, fetched)
        if fresh:
            work.session.exec(insert(Letter), params=[_letter_row(fetched, mark) for mark, fetched in fresh.items()])
        seen = _seen_before(work, box, batch)
        sightings = [
            {"mailbox_id": box.id, "uidvalidity": fetched.uidvalidity, "uid": fetched.uid, "fingerprint": fingerprint}
            for fetched, fingerprint in zip(batch, prints, strict=True)
            if fetched.uid not in seen
        ]
        if sightings:
            work.session.exec(insert(Sighting), params=sightings)
        box.uidvalidity, box.last_uid = batch[-1].uidvalidity, max(fetched.uid for fetched in batch)
        work.session.add(box)
        if len(fresh) < len(batch):
            work.log("duplicate", detail=f"{len(batch) - len(fresh)} of {len(batch)} letters read were in the ledger already")
    return len(fresh)


def mailbox_name(desk: Desk) -> str:
    """What the mailbox of the settings is called in the ledger."""
    imap = desk.settings.imap
    return f"{imap.user}@{imap.host}/{imap.folder}"


def _mailbox(work: Work, name: str) -> Mailbox:
    box = work.session.exec(select(Mailbox).where(Mailbox.name == name)).first()
    if box is None:
        box = Mailbox(name=name)
        work.session.add(box)
        work.session.flush()
    return box


def _seen_before(work: Work, box: Mailbox, batch: Sequence[Fetched]) -> set[int]:
    """The UIDs of the batch that have a sighting: a restored mailbox may come back with the UIDVALIDITY it once had."""
    return set(
        work.session.exec(
            select(Sighting.uid).where(
                Sighting.mailbox_id == box.id,
                Sighting.uidvalidity == batch[0].uidvalidity,
                col(Sighting.uid).in_([fetched.uid for fetched in batch]),
            )
        )
    )


def _note_reading(desk: Desk, name: str, began: datetime) -> None:
    with Work(desk) as work:
        box = _mailbox(work, name)
        # A clock that was set back must not take evidence away.
        box.read_through = max(box.read_through, began) if box.read_through else began
        work.session.add(box)


def _letter_row(fetched: Fetched, fingerprint: str) -> dict[str, object]:
    return {
        "fingerprint": fingerprint,
        "uid": fetched.uid,
        "arrived_at": fetched.arrived_at,
        "size": fetched.size,
        "truncated": fetched.truncated,
        "raw": fetched.raw,
        "state": LetterState.NEW,
        "note": "",
    }
