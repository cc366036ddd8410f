"""The daily check of the whole ledger, and of the journals of the games in it."""

import logging
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import datetime, timedelta

from sqlalchemy import update
from sqlmodel import col, select

from pbmd.desk.books.desk import Desk
from pbmd.desk.books.transaction import Transaction
from pbmd.desk.deadlines.proof import differences
from pbmd.desk.mail.alarms import alarm
from pbmd.desk.sending.batches import bring_forward
from pbmd.desk.step.game_transaction import changing_games
from pbmd.desk.step.stop import halt
from pbmd.desk.unreadable.put_aside import look
from pbmd.desk.unreadable.stop_or_tell import stop_or_tell
from pbmd.desk.upkeep.damaged import look_through
from pbmd.files import keep_file
from pbmd.ledger.damage import UNUSABLE
from pbmd.ledger.damage_check import UNFINISHED, Progress, broken_journals
from pbmd.ledger.tables import Game, GameStatus, LogLine
from pbmd.rules.troubles import DEFECTS, place_of
from pbmd.terms.times import EPOCH

_trouble = logging.getLogger("pbmd.desk")
LOOKED = "ledger-looked-at"
"""The file with the time of the daily check (RFC 3339), for processes that are started anew for each pass."""
LOOK_EVERY = timedelta(days=1)


def look_at_journals(desk: Desk) -> None:
    """Check whether the records of all games, and the journals of those that are not over, are intact. A game with altered
    records is paused, and the game master gets an alarm, once for each finding. Raises `DamagedLedger` and
    `OperationalError`."""
    found, others = _not_as_written(desk)
    if not (found or others):
        return
    if found:
        with Transaction(desk) as work:
            alarm(work, "journal", "; ".join(f"{name}: {trouble}" for name, trouble in found.items()), lasts=False)
    stuck = [name for name, trouble in found.items() if not _is_stopped(desk, name, trouble)]
    with Transaction(desk, reads=True) as work:
        ids = [*_ids_of(work, stuck), *others]
    for game_id in ids:
        stop_or_tell(desk, game_id, "")


def _not_as_written(desk: Desk) -> tuple[dict[str, str], list[int]]:
    """The games whose journal is broken, and how; and the ids of those with other altered records. None of those that were
    reported already."""
    altered = dict(altered_books(desk, lambda _done, _of: None))
    with Transaction(desk, reads=True) as work:
        broken = dict(broken_journals(work.session, UNFINISHED))
        found = {name: trouble for name, trouble in broken.items() if not _told(work, "broken", name, trouble)}
        rest = {name: ", ".join(parts) for name, parts in altered.items() if name not in broken}
        others = [name for name, parts in rest.items() if not _told(work, "altered", name, parts)]
        return found, _ids_of(work, others)


def _ids_of(work: Transaction, names: Sequence[str]) -> list[int]:
    ids = work.session.exec(select(Game.id).where(col(Game.name).in_(names)).order_by(col(Game.id))).all()
    return [game_id or 0 for game_id in ids]


def _is_stopped(desk: Desk, name: str, trouble: str) -> bool:
    """Pause a game with a broken journal, in a transaction of its own: to such a journal there may be nothing to add. Returns
    whether that was possible."""
    try:
        with changing_games(desk) as work:
            _stop(work, name, trouble)
    except UNUSABLE:
        raise
    except DEFECTS as problem:
        _trouble.error("%s cannot be paused: %s", name, place_of(problem))
        return False
    return True


def altered_books(desk: Desk, progress: Progress) -> Iterator[tuple[str, list[str]]]:
    """The games whose records were altered, in their rows and, for the open step, in the journal, with what differs. Raises
    `DamagedLedger` and `OperationalError`."""
    with Transaction(desk, reads=True) as work:
        games = list(work.session.exec(select(Game.id, Game.name).order_by(col(Game.id))))
    for done, (game_id, name) in enumerate(games, start=1):
        if parts := _altered(desk, game_id or 0):
            yield name, parts
        progress(done, len(games))


def _altered(desk: Desk, game_id: int) -> list[str]:
    try:
        with Transaction(desk, reads=True) as work:  # one after the other: positions are long
            table = work.table(game_id)
            return table.altered_words if table.game.status is GameStatus.FINISHED else differences(work, table)
    except UNUSABLE:
        raise
    except DEFECTS as trouble:  # whatever it is, the others are checked
        return [f"something that makes the reading of it fail ({place_of(trouble)})"]


def look_at_clocks(desk: Desk) -> None:
    """Have each running game checked in the next pass, as if it were due: its next time is computed anew, whatever its row
    says."""
    with Transaction(desk) as work:
        work.session.connection().execute(update(Game).where(col(Game.status) == GameStatus.RUNNING).values(due_at=EPOCH))


def look_at_all(desk: Desk) -> None:
    """Check the whole ledger, each of its rows, and the journals, and let nothing wait for a time that cannot be. Raises what
    `look_through` and `look_at_journals` do."""
    look_through(desk.settings)
    look(desk, in_use=False)
    look_at_journals(desk)
    look_at_clocks(desk)
    bring_forward(desk)


def look_daily(desk: Desk) -> None:
    """Check the ledger and the journals if that was not done for a day: for `pbmd tick`, which no thread outlives. Raises
    `DamagedLedger`, `OSError`, `sqlite3.Error` and `OperationalError`."""
    file, now = desk.settings.data / LOOKED, desk.now()
    with suppress(OSError, ValueError, TypeError):  # never, or nobody can say when
        # A time in the future came from a clock that was ahead.
        if now - LOOK_EVERY < datetime.fromisoformat(file.read_text()) <= now:
            return
    look_at_all(desk)
    with suppress(OSError):  # on a full disk the next pass checks again
        keep_file(file, now.isoformat().encode())


def _told(work: Transaction, what: str, name: str, trouble: str) -> bool:
    lines = select(LogLine.id).where(LogLine.what == what, LogLine.game == name, LogLine.detail == trouble)
    return work.session.exec(lines.limit(1)).first() is not None


def _stop(work: Transaction, name: str, trouble: str) -> None:
    table = work.table_named(name)
    if table is None:
        return
    work.log("broken", table, detail=trouble)
    if table.game.status is GameStatus.RUNNING:
        halt(work, table)
