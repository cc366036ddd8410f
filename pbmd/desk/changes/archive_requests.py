"""Archives that somebody has asked for by mail: they are made beside everything else, and mailed when they are done."""

from datetime import timedelta

from sqlmodel import select

from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.ledger.lately import was_lately
from pbmd.ledger.tables import ArchiveRequest, GameStatus

AGAIN_AFTER = timedelta(days=1)
"""Each reader gets it once in that time: it is large, and takes a while to make."""


def has_archive(table: OpenGame) -> bool:
    """Whether a game is over, so that those who play it may have its archive."""
    return table.game.status is GameStatus.FINISHED and table.position is not None


def request_archive(
    work: Transaction, table: OpenGame, *, seat_id: int = 0, visitor_id: int = 0, is_linked: bool = False
) -> str:
    """Note that the holder of a seat, or somebody who watches, wants the archive of a game; it `is_linked` to those whose seats
    have pages. Returns the sentence about it."""
    name = table.game.name
    if not has_archive(table):
        return f"{name} has no archive yet: there is one for its players when the game is over."
    if not table.terms.archive_kilobytes:
        return f"The archive of {name} is not sent by mail. Ask the game master for it."
    theirs = (ArchiveRequest.seat_id == seat_id, ArchiveRequest.visitor_id == visitor_id)
    row = work.session.exec(select(ArchiveRequest).where(ArchiveRequest.game_id == table.id, *theirs)).first()
    if row is not None and row.sent_at is not None and was_lately(row.sent_at, work.now, AGAIN_AFTER):
        return f"The archive of {name} has just been sent to you; look among your mails, spam, too. You can ask again tomorrow."
    if row is None:
        row = ArchiveRequest(game_id=table.id, seat_id=seat_id, visitor_id=visitor_id, asked_at=work.now)
    row.asked_at, row.sent_at = work.now, None
    work.session.add(row)
    work.session.flush()
    what = "A link to the archive" if is_linked else "The archive"
    return f"{what} of {name} comes in a mail of its own, in some minutes."
