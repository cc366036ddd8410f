"""Backups of the ledger, and of the key that all tokens come from; each is useless without the other."""

import sqlite3
from datetime import timedelta
from pathlib import Path

from sqlalchemy.engine import make_url
from sqlmodel import select

from pbmd.desk.books.desk import Desk
from pbmd.desk.books.server_key import KEY
from pbmd.desk.books.transaction import Transaction
from pbmd.desk.upkeep.sizes import size_words
from pbmd.files import keep_file
from pbmd.ledger.backup import Copy, back_up, is_due, rotate
from pbmd.ledger.damage import DamagedLedger
from pbmd.ledger.damage_check import Progress, whole_look
from pbmd.ledger.lately import lately
from pbmd.ledger.tables import LogLine
from pbmd.post.explained import explained
from pbmd.rules import Refused
from pbmd.settings import Settings

EVERY = timedelta(days=1)
_AGAIN = timedelta(hours=1)


def ledger_file(settings: Settings) -> Path:
    """The file of the ledger. Raises `Refused` if it is in PostgreSQL."""
    url = make_url(settings.database_url)
    if url.get_backend_name() != "sqlite" or not url.database:
        raise Refused(
            "the ledger is in PostgreSQL: pg_dump --format=custom backs it up (copy server.key, too), pg_restore puts it back, "
            "and pbmd era --new goes on with it"
        )
    return Path(url.database)


def make_backup(desk: Desk, folder: Path, keep: int, progress: Progress = lambda _done, _all: None) -> Copy:
    """Copy ledger and key into a folder, and delete older copies if only a number of them are kept. Raises `DamagedLedger`,
    `OSError`, `Refused` and `sqlite3.Error`."""
    made = back_up(ledger_file(desk.settings), folder, desk.now(), progress)
    key = folder / KEY
    if not key.exists() or key.read_bytes() != desk.key:
        keep_file(key, desk.key)
    rotate(folder, keep)
    with Transaction(desk) as work:
        work.log("backup", detail=f"{made.path.name}, {size_words(made.bytes)}")
    return made


def back_up_if_due(desk: Desk) -> bool:
    """Make the daily backup, if the settings want any and it is time. Failures are logged, and retried later. Raises
    `DamagedLedger` if the copy is damaged because the ledger is."""
    settings = desk.settings.backups
    folder = desk.settings.data / settings.folder
    if not settings.keep or not is_due(folder, desk.now(), EVERY) or _failed_lately(desk):
        return False
    try:
        make_backup(desk, folder, settings.keep)
    except (DamagedLedger, OSError, Refused, sqlite3.Error) as problem:
        if isinstance(problem, DamagedLedger):
            whole_look(ledger_file(desk.settings))
        with Transaction(desk) as work:
            work.log("backup-failed", detail=explained(problem) if isinstance(problem, OSError) else str(problem))
        return False
    return True


def _failed_lately(desk: Desk) -> bool:
    with Transaction(desk, reads=True) as work:
        failed = select(LogLine.id).where(LogLine.what == "backup-failed", lately(LogLine.at, work.now, _AGAIN))
        return work.session.exec(failed.limit(1)).first() is not None
