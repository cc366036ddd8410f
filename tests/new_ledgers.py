"""New ledgers of one run are copies of the first: the migrations take longer than most tests and always come to the same."""

import sqlite3
from contextlib import closing
from pathlib import Path

from sqlalchemy.engine import make_url

from pbmd.ledger import database, upgrade

_carry_out = upgrade.upgrade
_made: list[bytes] = []
_AS_THEY_ARE = database.MIGRATIONS


def share() -> None:
    """Let all ledgers that this process makes from now on share them: those in files, by the migrations that there are."""
    upgrade.upgrade = _shared


def _shared(url: str, migrations: Path) -> None:
    file = _new_file(url) if migrations == _AS_THEY_ARE else None
    if file is None:
        _carry_out(url, migrations)
    elif _made:
        file.write_bytes(_made[0])
    else:
        _carry_out(url, migrations)
        _made.append(file.read_bytes())


def _new_file(url: str) -> Path | None:
    """The file of a ledger without tables that nobody has open; None if it is none."""
    address = make_url(url)
    file = Path(address.database or "")
    if address.get_backend_name() != "sqlite" or not file.is_file() or file.with_name(f"{file.name}-wal").exists():
        return None
    with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as ledger:
        tables = ledger.execute("SELECT count(*) FROM sqlite_master").fetchone()
    return file if tables == (0,) else None
