"""The key of the server, and that all hosts of a ledger have the same."""

import contextlib
import hmac
import os
import secrets
from pathlib import Path

from sqlalchemy import Engine, insert, select

from pbmd.ledger.database import reading
from pbmd.ledger.tables import ServerKey
from pbmd.settings import Settings

KEY = "server.key"
KEY_BYTES = 32


class OtherKey(OSError):
    """This host has not the key that the ledger's tokens come from: the `trouble`, and how to `mend` it."""

    def __init__(self, trouble: str, path: Path) -> None:
        self.trouble, self.mend = trouble, f"copy {KEY} from the data folder of a host that works to {path}"
        super().__init__(f"{trouble}: {self.mend}")


def key_digest(key: bytes) -> str:
    """What tells keys apart and tells nothing else of them."""
    return hmac.digest(key, b"pbmd: which server.key this is", "sha256").hex()


def server_key(settings: Settings) -> bytes:
    """The key that all seat tokens come from, made on first use and readable by its owner only. Raises `OSError`."""
    path, copy = settings.data / KEY, settings.data / settings.backups.folder / KEY
    if not path.exists() and copy.exists():
        raise OSError(f"{path} is gone, and with a new one no reply to an earlier mail would count: cp -p {copy} {path}")
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


def shared_key(settings: Settings, engine: Engine) -> bytes:
    """The key of a ledger that several hosts may share: who comes first says which it is. Raises `OtherKey`,
    other `OSError`."""
    with reading(engine).connect() as connection:
        known = connection.scalar(select(ServerKey.digest))  # pyright: ignore[reportCallIssue, reportArgumentType]
    path = settings.data / KEY
    if known is not None and not path.exists():
        raise OtherKey(f"{path} is missing, and other hosts work on this ledger with theirs", path)
    key = server_key(settings)
    if known is None:
        known = _made_known(engine, key)
    if known != key_digest(key):
        raise OtherKey(f"{path} is not the key of this ledger, so no host would take the tokens of another", path)
    return key


def _made_known(engine: Engine, key: bytes) -> str:
    """Have the ledger know the key; gives what it knows now, which another host may have told it meanwhile."""
    with engine.begin() as connection:  # one at a time
        known = connection.scalar(select(ServerKey.digest))  # pyright: ignore[reportCallIssue, reportArgumentType]
        if known is None:
            known = key_digest(key)
            connection.execute(insert(ServerKey).values(digest=known))
    return known
