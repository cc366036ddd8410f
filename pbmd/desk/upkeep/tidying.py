"""Removes from the ledger what nobody needs any more: the bytes of mails sent long ago, pictures in no mail, and the originals
of values that could not be read.

A mail stays while a useful reply to it may come: until its game has moved on from the step in which it was queued. That it was
sent, and what became of it, stays for good; so do reports, letters and the journal, from which archives are made.
"""

import shutil
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from sqlalchemy import bindparam, delete, exists, func, literal, or_, select, update
from sqlmodel import col

from pbmd.desk.books.desk import Desk
from pbmd.desk.books.transaction import Transaction
from pbmd.desk.unreadable.erasing import erase_old_values
from pbmd.desk.upkeep.backups import ledger_file
from pbmd.desk.upkeep.sizes import size_words
from pbmd.ledger.database import BUSY_SECONDS
from pbmd.ledger.tables import Game, GameStatus, Outbox, OutboxState, Picture, PictureInMail, UtcDateTime, Withheld

Told = Callable[[int, int], object]
"""Gets how much is done, and out of how much."""
Rest = Callable[[float], bool | None]
"""Rests for this many seconds; returns whether to stop."""
AT_ONCE = 200
"""Rows per transaction: other writers wait for that."""
PAGES_AT_ONCE = 500
REST_SECONDS = 0.02
"""How long others have the ledger to themselves between two transactions."""
_EMPTY = b""

_OPEN_STEP = exists().where(
    col(Game.id) == col(Outbox.game_id),
    col(Game.status) != GameStatus.FINISHED,
    or_(col(Game.opened_at).is_(None), col(Game.opened_at) <= Outbox.queued_at),
)
_OLD_MAILS = (
    select(col(Outbox.id), col(Outbox.key), func.length(Outbox.raw))
    .where(
        col(Outbox.state) == OutboxState.SENT,
        col(Outbox.sent_at) < bindparam("before"),
        col(Outbox.raw) != literal(_EMPTY),
        ~_OPEN_STEP,
        col(Outbox.id) > bindparam("after"),
    )
    .order_by(col(Outbox.id))
    .limit(AT_ONCE)
)
_OLD_WITHHELD = delete(Withheld).where(col(Withheld.last_at) < bindparam("before", type_=UtcDateTime))
_LOST_PICTURES = (
    select(col(Picture.digest), func.length(Picture.data))
    .where(~exists().where(col(PictureInMail.digest) == col(Picture.digest)), col(Picture.digest) > bindparam("after"))
    .order_by(col(Picture.digest))
    .limit(AT_ONCE)
)


@dataclass(frozen=True, slots=True)
class Tidied:
    """What was removed: how many mails and pictures, of how many bytes in all, and by how many bytes the file shrank. All of it
    may reveal secrets; what may be shown is in `pbmd.desk.upkeep.sizes`."""

    mails: int = 0
    pictures: int = 0
    bytes: int = 0
    given_back: int = 0


def tidy(desk: Desk, told: Told = lambda _done, _all: None, *, rest: Rest = time.sleep) -> Tidied:
    """Remove what nobody needs any more, a little at a time, and free its space, if the ledger can (`write_anew`). Raises
    `OperationalError` if the ledger cannot be written; what was done until then is done."""
    mails, of_mails = _drop_mails(desk, rest)
    pictures, of_pictures = _drop_pictures(desk, rest)
    given_back = _give_back(desk, told, rest)
    with Transaction(desk) as work:
        # Nothing has been sent there for so long that it would be no news.
        work.session.connection().execute(_OLD_WITHHELD, {"before": _long_ago(desk)})
        erase_old_values(work, _long_ago(desk))
        # The same whatever there was, even nothing: how many mails and which pictures there are may reveal secrets.
        work.log("tidied", detail=f"mails sent more than {desk.settings.server.outbox_days} days ago")
    return Tidied(mails, pictures, of_mails + of_pictures, given_back)


def _long_ago(desk: Desk) -> datetime:
    return desk.now() - timedelta(days=desk.settings.server.outbox_days)


def _drop_mails(desk: Desk, rest: Rest) -> tuple[int, int]:
    before = _long_ago(desk)
    count = size = after = 0
    while True:
        with Transaction(desk) as work:
            ledger = work.session.connection()
            rows = ledger.execute(_OLD_MAILS, {"before": before, "after": after}).all()
            if not rows:
                return count, size
            ledger.execute(delete(PictureInMail).where(col(PictureInMail.mail).in_([row.key for row in rows])))
            ledger.execute(update(Outbox).where(col(Outbox.id).in_([row.id for row in rows])).values(raw=_EMPTY, gathered=""))
        count, size, after = count + len(rows), size + sum(row[2] for row in rows), rows[-1].id
        if rest(REST_SECONDS):
            return count, size


def _drop_pictures(desk: Desk, rest: Rest) -> tuple[int, int]:
    count, size, after = 0, 0, ""
    while True:
        with Transaction(desk) as work:
            rows = work.session.connection().execute(_LOST_PICTURES, {"after": after}).all()
            if not rows:
                return count, size
            work.session.connection().execute(delete(Picture).where(col(Picture.digest).in_([row.digest for row in rows])))
        count, size, after = count + len(rows), size + sum(row[1] for row in rows), rows[-1].digest
        if rest(REST_SECONDS):
            return count, size


def _give_back(desk: Desk, told: Told, rest: Rest) -> int:
    """Make SQLite return free pages to the disk; returns the number of bytes. Other databases do so by themselves."""
    if desk.engine.dialect.name != "sqlite":
        return 0
    with _opened(ledger_file(desk.settings)) as connection:
        if not _number(connection, "auto_vacuum"):
            return 0  # see `write_anew`
        free, page, done = _number(connection, "freelist_count"), _number(connection, "page_size"), 0
        while done < free:
            # As a script, which runs to its end: each row that is fetched is a page that is freed.
            connection.executescript(f"PRAGMA incremental_vacuum({PAGES_AT_ONCE})")
            done = min(free, done + PAGES_AT_ONCE)
            told(done, free)
            if rest(REST_SECONDS):
                break
    return done * page


class NoRoom(OSError):
    """The disk does not have enough room to rewrite the ledger."""


def write_anew(desk: Desk) -> int:
    """Rewrite a ledger that was created when none freed space, so that it does from now on; returns the bytes that the file
    shrank by, 0 if that was done before. Nobody else can write meanwhile, and that takes long: only on request. Raises `NoRoom`
    and `sqlite3.Error`; then the ledger is as it was."""
    if desk.engine.dialect.name != "sqlite":
        return 0
    ledger = ledger_file(desk.settings)
    with _opened(ledger) as connection:
        if _number(connection, "auto_vacuum"):
            return 0
        used = _number(connection, "page_count") - _number(connection, "freelist_count")
        _must_have_room(ledger.parent, _COPIES * used * _number(connection, "page_size"))
        before = ledger.stat().st_size
        connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
        connection.execute("VACUUM")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return max(0, before - ledger.stat().st_size)


_COPIES = 2
"""How often SQLite may write the whole content of the ledger: into a file of its own, and from there into the log."""


def _must_have_room(folder: Path, size: int) -> None:
    if (free := shutil.disk_usage(folder).free) < size:
        raise NoRoom(
            f"the ledger was made by an older pbmd and must be written anew before it can give room back, which may take "
            f"{size_words(size)}, and the disk of {folder} has {size_words(free)} free. Nothing is lost; make room there and "
            "give the command again"
        )


def _opened(ledger: Path) -> closing[sqlite3.Connection]:
    return closing(sqlite3.connect(ledger, timeout=BUSY_SECONDS, isolation_level=None))


def _number(connection: sqlite3.Connection, pragma: str) -> int:
    return int(connection.execute(f"PRAGMA {pragma}").fetchone()[0])
