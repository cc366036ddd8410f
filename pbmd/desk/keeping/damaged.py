"""A damaged ledger: it is looked for before anything is done with it and once a day, and there is a way back.

What was found is noted in a file beside the ledger, so that whoever is started next knows of it.
"""

import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path

from sqlmodel import select

from pbmd.desk.books.desk import Desk
from pbmd.desk.books.work import Work
from pbmd.desk.game.stop import halt
from pbmd.desk.game.transaction import changing_games
from pbmd.desk.keeping.backups import ledger_file
from pbmd.desk.mail.alarms import alarm
from pbmd.ledger.backup import backups_in, made_at
from pbmd.ledger.looks import UNFINISHED, broken_journals, quick_look, whole_look
from pbmd.ledger.tables import GameStatus, LogLine
from pbmd.rules import Refused
from pbmd.settings import Settings
from pbmd.terms.times import describe_time

NOTE = "ledger-damaged.json"
LOOKED = "ledger-looked-at"
"""The file that says when the daily look was (RFC 3339), for whoever is started anew for each pass."""
LOOK_EVERY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of the ledger: `found` is its damage, empty if there is none; `told` is when the game master was told
    last of any (RFC 3339), empty if never."""

    found: str = ""
    told: str = ""


@dataclass(frozen=True, slots=True)
class WayBack:
    """What leads out of it: what to do, and the command, empty if there is none to be given."""

    words: str
    command: str = ""

    def __str__(self) -> str:
        return f"{self.words} {self.command}".rstrip()


def known(settings: Settings) -> Known:
    """What whoever ran before has found."""
    try:
        return Known(**json.loads((settings.data / NOTE).read_bytes()))
    except (OSError, ValueError, TypeError):  # none, or one that was cut short
        return Known()


def note(settings: Settings, what: Known) -> None:
    """Have others know. Raises `OSError`."""
    (settings.data / NOTE).write_text(json.dumps(asdict(what)))


def look_first(settings: Settings) -> None:
    """Look at the ledger before anything is done with it: whether all its pages hang together, and if damage was found before,
    at the whole of it. Raises `DamagedLedger`, `OSError` and `sqlite3.Error`."""
    if known(settings).found:
        look_through(settings)
    elif (ledger := _file(settings)) is not None:
        quick_look(ledger)


def look_through(settings: Settings) -> None:
    """Look at the whole ledger, as far as SQLite can tell: PostgreSQL tells of damage when it comes upon it. Raises as
    `look_first` does."""
    if (ledger := _file(settings)) is not None:
        whole_look(ledger)
    is_whole(settings)


def is_whole(settings: Settings) -> None:
    """Whatever damage was known, there is none any more. Raises `OSError`."""
    before = known(settings)
    if before.found:
        note(settings, replace(before, found=""))


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


def look_daily(desk: Desk) -> None:
    """Look through the ledger and at the journals if that was not done for a day: for `pbmd tick`, which no thread outlives.
    Raises `DamagedLedger`, `OSError`, `sqlite3.Error` and `OperationalError`."""
    file, now = desk.settings.data / LOOKED, desk.now()
    with suppress(OSError, ValueError, TypeError):  # never, or nobody can say when
        # A time to come is of a clock that was ahead.
        if now - LOOK_EVERY < datetime.fromisoformat(file.read_text()) <= now:
            return
    look_through(desk.settings)
    look_at_journals(desk)
    with suppress(OSError):  # on a full disk it is looked at again in the next pass
        file.write_text(now.isoformat())


def way_back(settings: Settings) -> WayBack:
    """How the ledger is whole again."""
    if not is_in_file(settings):
        return WayBack("Put its last dump back with pg_restore (docs/scale.md). Then:", "pbmd era --new")
    folder = settings.data / settings.backups.folder
    backups: Sequence[Path] = []
    with suppress(OSError):
        backups = backups_in(folder)
    if not backups:
        return WayBack(f'There is no backup in {folder}: see "A damaged ledger" in the game master\'s manual')
    made = made_at(backups[-1])
    assert made is not None
    return WayBack(
        f"The last backup is of {describe_time(made, settings.server.timezone)}. To go back to it:",
        f"pbmd restore {backups[-1]}",
    )


def is_in_file(settings: Settings) -> bool:
    """Whether the ledger is in a file, and not in a database that looks after itself."""
    return _file(settings) is not None


def _file(settings: Settings) -> Path | None:
    """The ledger's file; None where it is in a database that looks after itself."""
    try:
        return ledger_file(settings)
    except Refused:
        return None


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
