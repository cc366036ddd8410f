"""The daily look at the whole ledger, and at the journals of the games in it."""

from contextlib import suppress
from datetime import datetime, timedelta

from sqlmodel import select

from pbmd.desk.books.desk import Desk
from pbmd.desk.books.work import Work
from pbmd.desk.game.stop import halt
from pbmd.desk.game.transaction import changing_games
from pbmd.desk.keeping.damaged import look_through
from pbmd.desk.mail.alarms import alarm
from pbmd.desk.unreadable.put_aside import look
from pbmd.files import keep_file
from pbmd.ledger.looks import UNFINISHED, broken_journals
from pbmd.ledger.tables import GameStatus, LogLine

LOOKED = "ledger-looked-at"
"""The file that says when the daily look was (RFC 3339), for whoever is started anew for each pass."""
LOOK_EVERY = timedelta(days=1)


def look_at_journals(desk: Desk) -> None:
    """See whether the journals of all games that are not over are what was written. A game whose journal is not is paused, and
    the game master alarmed, once for each thing that is found. Raises `DamagedLedger` and `OperationalError`."""
    with Work(desk, reads=True) as work:
        found = [each for each in broken_journals(work.session, UNFINISHED) if not _told(work, *each)]
    if not found:
        return
    with changing_games(desk) as work:
        for name, trouble in found:
            _stop(work, name, trouble)
        alarm(work, "journal", "; ".join(f"{name}: {trouble}" for name, trouble in found), lasts=False)


def look_at_all(desk: Desk) -> None:
    """Look through the whole ledger, at each of its rows, and at the journals. Raises what `look_through` and
    `look_at_journals` do."""
    look_through(desk.settings)
    look(desk, in_use=False)
    look_at_journals(desk)


def look_daily(desk: Desk) -> None:
    """Look through the ledger and at the journals if that was not done for a day: for `pbmd tick`, which no thread outlives.
    Raises `DamagedLedger`, `OSError`, `sqlite3.Error` and `OperationalError`."""
    file, now = desk.settings.data / LOOKED, desk.now()
    with suppress(OSError, ValueError, TypeError):  # never, or nobody can say when
        # A time to come is of a clock that was ahead.
        if now - LOOK_EVERY < datetime.fromisoformat(file.read_text()) <= now:
            return
    look_at_all(desk)
    with suppress(OSError):  # on a full disk it is looked at again in the next pass
        keep_file(file, now.isoformat().encode())


def _told(work: Work, name: str, trouble: str) -> bool:
    lines = select(LogLine.id).where(LogLine.what == "broken", LogLine.game == name, LogLine.detail == trouble)
    return work.session.exec(lines.limit(1)).first() is not None


def _stop(work: Work, name: str, trouble: str) -> None:
    table = work.table_named(name)
    if table is None:
        return
    work.log("broken", table, detail=trouble)
    if table.game.status is GameStatus.RUNNING:
        halt(work, table)
