"""A damaged ledger: pbmd checks for it before anything is done with the ledger, and says how to recover.

Findings are recorded in a file beside the ledger, so that the next process knows them.
"""

import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from pbmd.desk.upkeep.backups import ledger_file
from pbmd.files import keep_file
from pbmd.ledger.backup import backups_in, made_at
from pbmd.ledger.damage_check import quick_look, whole_look
from pbmd.rules import Refused
from pbmd.settings import Settings
from pbmd.terms.times import describe_time

NOTE = "ledger-damaged.json"


@dataclass(frozen=True, slots=True)
class Known:
    """What is known about the ledger: `found` is its damage, empty if there is none; `told` is when the game master was last
    told of any (RFC 3339), empty if never."""

    found: str = ""
    told: str = ""


@dataclass(frozen=True, slots=True)
class WayBack:
    """How to recover: what to do, and the command, empty if there is none."""

    words: str
    command: str = ""

    def __str__(self) -> str:
        return f"{self.words} {self.command}".rstrip()


def known(settings: Settings) -> Known:
    """What earlier processes have found."""
    try:
        kept = Known(**json.loads((settings.data / NOTE).read_bytes()))
    except (OSError, ValueError, TypeError, RecursionError):  # none, or one that was cut short
        return Known()
    return kept if {type(kept.found), type(kept.told)} == {str} else Known()


def note(settings: Settings, what: Known) -> None:
    """Record it for others. Raises `OSError`."""
    keep_file(settings.data / NOTE, json.dumps(asdict(what)).encode())


def look_first(settings: Settings) -> None:
    """Check the ledger before anything is done with it: whether its pages are consistent, and if damage was found before, all
    of it. Raises `DamagedLedger`, `OSError` and `sqlite3.Error`."""
    if known(settings).found:
        look_through(settings)
    elif (ledger := _file(settings)) is not None:
        quick_look(ledger)


def look_through(settings: Settings) -> None:
    """Check the whole ledger, as far as SQLite can: PostgreSQL reports damage when it finds it. Raises as `look_first` does."""
    if (ledger := _file(settings)) is not None:
        whole_look(ledger)
    is_whole(settings)


def is_whole(settings: Settings) -> None:
    """Whatever damage was known, there is none any more. Raises `OSError`."""
    before = known(settings)
    if before.found:
        note(settings, replace(before, found=""))


def way_back(settings: Settings) -> WayBack:
    """How to get an intact ledger again."""
    if not is_in_file(settings):
        return WayBack("Put its last dump back with pg_restore (pbmd docs scale). Then:", "pbmd era --new")
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
    """The ledger's file; None if it is in a database that looks after itself."""
    try:
        return ledger_file(settings)
    except Refused:
        return None
