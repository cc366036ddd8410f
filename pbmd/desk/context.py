"""What the desk needs from outside, handed in once: the ledger, the settings, the server's key, the clock, entropy."""

import contextlib
import os
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Engine

from pbmd.ledger.database import migrate, open_engine
from pbmd.ledger.journal import Seal, seal
from pbmd.rules import registry
from pbmd.rules.protocol import Ruleset
from pbmd.settings import Settings

KEY_BYTES = 32


def utc_now() -> datetime:
    """The time of the machine, in UTC."""
    return datetime.now(UTC)


@dataclass(frozen=True)
class Desk:
    """The desk's surroundings. Tests hand in their own clock, entropy and seal; nothing in `pbmd.desk` asks elsewhere."""

    engine: Engine
    settings: Settings
    key: bytes
    now: Callable[[], datetime] = utc_now
    entropy: Callable[[int], bytes] = secrets.token_bytes
    sealing: Seal = seal

    def ruleset(self, slug: str) -> Ruleset[Any]:
        """The ruleset of that name, from a folder of the settings or installed. Raises `UnknownRuleset`."""
        for folder in self.settings.rulesets:
            if folder.name == slug:
                return registry.from_folder(folder)
        return registry.get(slug)


def open_desk(settings: Settings) -> Desk:
    """Open (or make) the ledger and the key in the data folder. Raises `OSError` or `SQLAlchemyError`."""
    settings.data.mkdir(parents=True, exist_ok=True)
    migrate(settings.database_url)
    return Desk(engine=open_engine(settings.database_url), settings=settings, key=_server_key(settings.data / "server.key"))


def _server_key(path: Path) -> bytes:
    """The key that all seat tokens come from, made on first use and readable by its owner only."""
    if not path.exists():
        # Written aside and linked, so that a crash leaves no half key and two processes at once agree on one.
        aside = path.with_suffix(f".{os.getpid()}")
        with open(os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(secrets.token_bytes(KEY_BYTES))
            os.fsync(file.fileno())
        with contextlib.suppress(FileExistsError):
            os.link(aside, path)
        aside.unlink()
    key = path.read_bytes()
    if len(key) != KEY_BYTES:
        raise OSError(
            f"{path} is damaged ({len(key)} bytes, not {KEY_BYTES}): restore it from a backup, all seat tokens come from it"
        )
    return key
