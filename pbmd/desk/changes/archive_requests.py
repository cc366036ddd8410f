"""Archives that somebody has asked for by mail: they are made beside everything else, and mailed when they are done."""

from datetime import timedelta

from sqlmodel import select

from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.ledger.tables import ArchiveRequest, GameStatus

AGAIN_AFTER = timedelta(days=1)
"""Each reader gets it once in that time: it is large, and takes a while to make."""


def request_archive(work: Transaction, table: OpenGame, *, seat_id: int = 0, visitor_id: int = 0) -> str:
    """Note that the holder of a seat, or somebody who watches, wants the archive of a game. Returns the sentence about it."""
    name = table.game.name
    if table.game.status is not GameStatus.FINISHED or table.position is None:
        return f"{name} has no archive yet: there is one for its players when the game is over."
    if not table.terms.archive_kilobytes:
        return f"The archive of {name} is not sent by mail. Ask the game master for it."
    theirs = (ArchiveRequest.seat_id == seat_id, ArchiveRequest.visitor_id == visitor_id)
    row = work.session.exec(select(ArchiveRequest).where(ArchiveRequest.game_id == table.id, *theirs)).first()
    if row is not None and row.sent_at is not None and work.now - row.sent_at < AGAIN_AFTER:
        return f"The archive of {name} has just been sent to you; look among your mails, spam, too. You can ask again tomorrow."
    if row is None:
        row = ArchiveRequest(game_id=table.id, seat_id=seat_id, visitor_id=visitor_id, asked_at=work.now)
    row.asked_at, row.sent_at = work.now, None
    work.session.add(row)
    work.session.flush()
    return f"The archive of {name} comes in a mail of its own, in some minutes."
