"""What the desk needs from outside, handed in once: the ledger, the settings, the server's key, the clock, entropy."""

import contextlib
import logging
import os
import secrets
import sqlite3
import time
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import Engine
from sqlalchemy.engine import make_url

from pbmd.desk.books.installation import installation_of, is_held
from pbmd.desk.books.server_key import server_key
from pbmd.desk.books.timed_rules.clock import RulesClock
from pbmd.desk.language.player_commands import PLAYERS, PlayerLanguage
from pbmd.ledger.backup import back_up, backups_in
from pbmd.ledger.damage import DamagedLedger
from pbmd.ledger.database import era_of, is_shared, migrate, open_engine, reading
from pbmd.ledger.journal import Seal, seal
from pbmd.ledger.log_file import twin
from pbmd.rendering.drawing_pool import Studio
from pbmd.rules import registry
from pbmd.rules.protocol import Ruleset
from pbmd.settings import Settings

_log = logging.getLogger("pbmd.desk")
POSITIONS_KEPT = 200
"""A position takes some ten kilobytes; a game that is not among them is read from its document."""


def utc_now() -> datetime:
    """The time of the machine, in UTC."""
    return datetime.now(UTC)


_UNSETTABLE = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
_BOOT = Path("/proc/sys/kernel/random/boot_id")


def steady_seconds() -> float:
    """Seconds by a clock of the machine that nobody can set, and that goes on while the machine sleeps."""
    return time.clock_gettime(_UNSETTABLE)


def boot_name() -> str:
    """The name of this run of the machine, in which `steady_seconds` can be compared; of this process where it has none."""
    try:
        return _BOOT.read_text("ascii").strip()
    except OSError:
        return secrets.token_hex(16)


class Positions:
    """The positions of the games played last, each with its document in the ledger.

    A position is returned only for exactly the same document, so it does not matter who else writes to the ledger, or whether
    a transaction was committed. Positions never change, so they can be shared.
    """

    def __init__(self) -> None:
        self._kept: dict[int, tuple[str, Any]] = {}

    def get(self, game_id: int, document: str) -> Any:
        """The position that was kept as this document; None if it is not known."""
        kept, position = self._kept.get(game_id, ("", None))
        return position if kept == document else None

    def put(self, game_id: int, document: str, position: Any) -> None:
        """Remember the document of a position; the game that was not written for longest is forgotten."""
        self._kept.pop(game_id, None)
        self._kept[game_id] = (document, position)
        if len(self._kept) > POSITIONS_KEPT:
            del self._kept[next(iter(self._kept))]


def _always(_seat: str) -> bool:
    """Everybody may look at what they are mailed."""
    return True


def _not_told(_trouble: BaseException) -> None:
    """The text of an exception may tell secrets: only its kind and place go into log and ledger."""


class Stuck(NamedTuple):
    """A game that can neither go on nor be paused, and why not: each reason as a kind and a place."""

    game_id: int
    trouble: str
    further: str


class Silence(NamedTuple):
    """How long a message is not repeated: for so many seconds, until then by the steady clock."""

    until: float
    seconds: float


@dataclass(frozen=True)
class Desk:
    """The desk's surroundings. Tests hand in their own clock, entropy and seal; nothing in `pbmd.desk` asks elsewhere.

    The demo hands in its `rules`, in place of those that would be found by their names, and gets each defect as it was raised
    (`troubled`): there are no secrets in its game, and whoever is watching may be the author.

    `era` changes each time that a backup takes the place of the ledger, so that no mail gets the Message-ID of one that the
    ledger no longer knows.

    `clock` limits the time that rules take. `stuck` is what was reported of games that can neither go on nor be paused.

    `looks` is when its rows may be looked at again, by the steady clock: those in use, and all (`pbmd.desk.unreadable`).

    `commands` are those of players: one that is added here is known in letters, in HELP, and among the names that nobody can
    have.

    `shows_map` says whether the reports of a seat of that name have maps, which take longer than everything else: in a game in
    one terminal nobody looks at those of random players.

    `host` is the name of this installation where others may work on the same ledger (`pbmd.desk.books.hosts`), else empty.
    """

    engine: Engine
    settings: Settings
    key: bytes
    now: Callable[[], datetime] = utc_now
    steady: Callable[[], float] = steady_seconds
    boot: str = field(default_factory=boot_name)
    entropy: Callable[[int], bytes] = secrets.token_bytes
    sealing: Seal = seal
    era: int = 0
    host: str = ""
    positions: Positions = field(default_factory=Positions, compare=False)
    studio: Studio = field(default_factory=Studio, compare=False)
    clock: RulesClock = field(default_factory=RulesClock, compare=False)
    stuck: dict[Stuck, Silence] = field(default_factory=dict[Stuck, Silence], compare=False)
    looks: dict[bool, float] = field(default_factory=dict[bool, float], compare=False)
    rules: Mapping[str, Ruleset[Any]] = field(default_factory=dict[str, Ruleset[Any]])
    troubled: Callable[[BaseException], None] = _not_told
    commands: PlayerLanguage = PLAYERS
    shows_map: Callable[[str], bool] = _always

    @cached_property
    def reading_engine(self) -> Engine:
        """The same ledger for reading only: a consistent snapshot that never makes a writer wait."""
        return reading(self.engine)

    def ruleset(self, slug: str) -> Ruleset[Any]:
        """The ruleset of that name, from a folder of the settings or installed. Raises `UnknownRuleset`."""
        if slug in self.rules:
            return self.rules[slug]
        return registry.find(slug, self.settings.rulesets)


def open_desk(settings: Settings) -> Desk:
    """Open (or make) the ledger, the log and the key in the data folder. Raises `DamagedLedger`, `UnfitLedger`, `UnusableKey`,
    other `OSError` and `SQLAlchemyError`.

    What is made is for its owner only; folders and files that are there are left as they are.
    """
    settings.data.mkdir(mode=0o700, parents=True, exist_ok=True)
    _must_not_be_lost(settings)
    with private_files():
        migrate(settings.database_url, lambda: _keep_as_it_was(settings))  # SQLite gives -wal and -shm the mode of the ledger
        settings.log_file.touch()
        twin(settings.log_file).touch()
    engine = open_engine(settings.database_url)
    try:
        era = era_of(engine)  # first: a ledger that was restored without its key must not get a new one
        key = server_key(settings, engine)
        host = installation_of(settings.data) if is_shared(settings.database_url) else ""
        return Desk(engine=engine, settings=settings, key=key, era=era, host=host)
    except BaseException:
        engine.dispose()
        raise


def _must_not_be_lost(settings: Settings) -> None:
    """Raises `DamagedLedger` if there was a ledger, and it is gone or empty: a new one would know no game. Backups tell that
    there was one, its log of what is not in the file yet, and the dashboard log, which is begun after it."""
    url = make_url(settings.database_url)
    if url.get_backend_name() != "sqlite" or not url.database:
        return
    ledger, written = Path(url.database), Path(f"{url.database}-wal")
    if ledger.exists() and ledger.stat().st_size:
        return
    how = "empty" if ledger.exists() else "gone"
    if backups_in(settings.data / settings.backups.folder):
        raise DamagedLedger(f"{ledger} is {how}, and there are backups of it")
    for sign in (written, settings.log_file):
        if sign.exists():
            raise DamagedLedger(f"{ledger} is {how}, and there was one: {sign} is there")


def _keep_as_it_was(settings: Settings) -> None:
    """Make a backup of a ledger that is about to be brought up to date, which cannot be taken back. Of one in PostgreSQL the
    host makes them. Raises `DamagedLedger` and `OSError`: also if an older pbmd is at work, which would go on writing without
    what the newer one has to have."""
    if is_held(settings.data):
        raise OSError(f"the ledger is to be brought up to date, and another pbmd is at work on {settings.data}: stop it first")
    url = make_url(settings.database_url)
    if url.get_backend_name() == "sqlite" and url.database:
        try:
            made = back_up(Path(url.database), settings.data / settings.backups.folder, utc_now())
        except (OSError, sqlite3.Error) as problem:
            raise OSError(f"the ledger is to be brought up to date, and no backup of it can be made: {problem}") from problem
        _log.info("the ledger is of an older version of pbmd, and is brought up to date; as it was it is kept in %s", made.path)


def mailbox_name(desk: Desk) -> str:
    """What the mailbox of the settings is called in the ledger."""
    imap = desk.settings.imap
    return f"{imap.user}@{imap.host}/{imap.folder}"


@contextlib.contextmanager
def private_files() -> Generator[None]:
    """Files made meanwhile can be read by nobody else. It counts for the whole process: not for several threads at once."""
    before = os.umask(0o077)
    os.umask(before | 0o077)
    try:
        yield
    finally:
        os.umask(before)
