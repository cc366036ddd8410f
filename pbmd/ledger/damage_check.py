"""Looking for damage in a ledger before anybody comes across it, and opening one only to read it.

SQLite keeps no checksums of pages. So this finds errors in the structure of the file, and an index that disagrees with its
table; a change within a row is found only where a hash covers it, as in the journals.
"""

import sqlite3
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import quote

from sqlalchemy import ColumnElement, bindparam
from sqlalchemy import select as columns_of
from sqlmodel import Session, col, select

from pbmd.ledger.damage import DamagedLedger, damage_told
from pbmd.ledger.journal import FIRST_HASH, ChainError, Link, verify
from pbmd.ledger.tables import Game, GameStatus, JournalEntry

UNFINISHED = col(Game.status) != GameStatus.FINISHED
"""Which games can still be played."""
Progress = Callable[[int, int], None]
"""(done, in all): pages of a file, or entries of journals."""
_AT_ONCE = 500
_COLUMNS = ("number", "at", "kind", "public", "secret", "salt", "hash", "sealed")
"""Of an entry, as `Link` has them."""
_ENTRIES = (
    columns_of(*(col(getattr(JournalEntry, name)) for name in _COLUMNS))
    .where(col(JournalEntry.game_id) == bindparam("game"))
    .order_by(col(JournalEntry.number))
)


def file_uri(path: Path, mode: str) -> str:
    """The name of a file as SQLite wants it, for ``ro`` (read only), ``rw`` (it must exist) or ``rwc`` (it is created)."""
    return f"file:{quote(str(path.absolute()))}?mode={mode}"


@contextmanager
def open_read_only(path: Path) -> Generator[sqlite3.Connection]:
    """A SQLite file, opened read-only. Raises `sqlite3.Error`."""
    with closing(sqlite3.connect(file_uri(path, "ro"), uri=True, isolation_level=None)) as connection:
        yield connection


def quick_look(ledger: Path) -> None:
    """Check that all pages of the ledger hang together. This reads the whole file, and makes nobody wait. Raises
    `DamagedLedger`; a missing file is not an error."""
    _look(ledger, "PRAGMA quick_check(1)")


def whole_look(ledger: Path) -> None:
    """The same, and that indexes and tables agree. Errors within rows are found by `pbmd.ledger.readable`. Raises
    `DamagedLedger`."""
    _look(ledger, "PRAGMA integrity_check(1)")


def _look(ledger: Path, check: str) -> None:
    if not ledger.exists():
        return
    try:
        with open_read_only(ledger) as connection:
            if (told := str(connection.execute(check).fetchone()[0])) != "ok":
                # SQLite's first line only names the database.
                raise DamagedLedger(" ".join(told.removeprefix("*** in database main ***").split()))
    except sqlite3.DatabaseError as problem:
        raise damage_told(problem) or problem from None


def broken_journals(
    session: Session, *which: ColumnElement[bool] | bool, progress: Progress = lambda _done, _all: None
) -> Iterator[tuple[str, str]]:
    """Yield each game, among those for which `which` holds, whose journal is not the chain that was written, and in a few words
    what is wrong with it. Raises `DamagedLedger`."""
    heads = select(Game.id, Game.name, Game.chain_number, Game.chain_head).where(*which).order_by(col(Game.id))
    games = session.exec(heads).all()
    in_all, before = sum(number for _, _, number, _ in games), 0
    for game_id, name, number, head in games:
        links = _links(session, game_id or 0, lambda read, before=before: progress(before + read, in_all))
        if trouble := _trouble(links, head or FIRST_HASH):
            yield name, trouble
        before += number


def _trouble(links: Iterator[Link], head: str) -> str:
    try:
        found = verify(links)
    except ChainError as problem:
        return str(problem)
    except (ValueError, TypeError, AttributeError):  # not a time, or a number instead of a text
        return "an entry cannot be read"
    return "" if found == head else "its last entry is missing"


def _links(session: Session, game_id: int, read: Callable[[int], None]) -> Iterator[Link]:
    """The journal of a game as it is stored, never all of it in memory."""
    with session.connection().execute(_ENTRIES, {"game": game_id}, execution_options={"yield_per": _AT_ONCE}) as rows:
        for part in rows.partitions():
            yield from (Link(*row) for row in part)
            read(part[-1].number)
