"""The key of the server, from which all tokens come, and that it is the key of the ledger."""

import contextlib
import hmac
import secrets
import shlex
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import Connection, Engine, delete, insert, select

from pbmd.files import keep_file, keep_in_place
from pbmd.ledger.database import is_shared, reading
from pbmd.ledger.tables import Seat, ServerKey
from pbmd.settings import Settings

KEY = "server.key"
KEY_BYTES = 32
MISSING = "is missing"
WHAT_A_NEW_KEY_MEANS = (
    "pbmd key --new makes another and tells all players: a reply to a mail from before proves nothing from then on, and is "
    "asked about"
)


class UnusableKey(OSError):
    """There is no key, or not that which the ledger's tokens come from: the `trouble`, and how to `mend` it."""

    def __init__(self, trouble: str, mend: str) -> None:
        self.trouble, self.mend = trouble, mend
        super().__init__(f"{trouble}: {mend}")


def key_digest(key: bytes) -> str:
    """What tells keys apart and tells nothing else of them."""
    return hmac.digest(key, b"pbmd: which server.key this is", "sha256").hex()


def known_key(connection: Connection) -> str | None:
    """The digest of the key that the ledger knows; None if nobody has told it yet."""
    return connection.scalar(select(ServerKey.digest))  # pyright: ignore[reportCallIssue, reportArgumentType]


def key_trouble(path: Path, known: str | None) -> str:
    """What is wrong with a file as the key of a ledger that knows that digest; empty if nothing is. Raises `OSError`."""
    try:
        key = path.read_bytes()
    except FileNotFoundError:
        return MISSING
    if len(key) != KEY_BYTES:
        return f"is damaged ({len(key)} bytes, not {KEY_BYTES})" if key else "is empty"
    if known is not None and not hmac.compare_digest(key_digest(key), known):
        return "is not the key of this ledger"
    return ""


def copy_of_key(settings: Settings) -> Path:
    """Where the copy of the key beside the backups is, if there is one."""
    return settings.data / settings.backups.folder / KEY


def server_key(settings: Settings, engine: Engine) -> bytes:
    """The key that all seat tokens come from, readable by its owner only. It is made for a ledger in which nobody has a seat
    yet, and no other is taken afterwards. Raises `UnusableKey`, other `OSError`."""
    path = settings.data / KEY
    with reading(engine).connect() as connection:
        known = known_key(connection)
        is_begun = known is not None or connection.execute(select(Seat).limit(1)).first() is not None
    trouble = key_trouble(path, known)
    if trouble == MISSING and not is_begun and not copy_of_key(settings).exists():
        with contextlib.suppress(FileExistsError):  # two processes at once agree on one
            keep_file(path, secrets.token_bytes(KEY_BYTES), is_new=True)
        trouble = key_trouble(path, known)
    if trouble:
        raise UnusableKey(f"{path} {trouble}, and all tokens in mails come from it", way_back(settings, known))
    key = path.read_bytes()
    if known is None:
        known = _made_known(engine, key)
    if known != key_digest(key):
        raise UnusableKey(
            f"{path} is not the key of this ledger, and all tokens in mails come from it", way_back(settings, known)
        )
    return key


def way_back(settings: Settings, known: str | None) -> str:
    """What to do where the key is lost: the one command, if the copy beside the backups is the right one."""
    path, copy = settings.data / KEY, copy_of_key(settings)
    if not (trouble := key_trouble(copy, known)):
        return f"cp -p {shlex.quote(str(copy))} {shlex.quote(str(path))}"
    others = "from the data folder of a host that works" if is_shared(settings.database_url) else "from beside any backup"
    return f"copy {KEY} {others} to {path} ({copy} {trouble}). If it is nowhere: {WHAT_A_NEW_KEY_MEANS}"


def replace_key(settings: Settings, connection: Connection) -> Path | None:
    """Have a new key be that of the ledger, whatever it was before, and give where the file that was in its place is now.
    Raises `OSError`."""
    path = settings.data / KEY
    aside = path.with_name(f"{KEY}-replaced-{datetime.now(UTC):%Y%m%dT%H%M%SZ}")
    was_there = path.exists()
    if was_there:
        keep_in_place(path, aside)
    key = secrets.token_bytes(KEY_BYTES)
    keep_file(path, key, is_new=True)
    connection.execute(delete(ServerKey))
    connection.execute(insert(ServerKey).values(digest=key_digest(key)))
    return aside if was_there else None


def _made_known(engine: Engine, key: bytes) -> str:
    """Have the ledger know the key; gives what it knows now, which another process may have told it meanwhile."""
    with engine.begin() as connection:  # one at a time
        known = known_key(connection)
        if known is None:
            known = key_digest(key)
            connection.execute(insert(ServerKey).values(digest=known))
    return known
