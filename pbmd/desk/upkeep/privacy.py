"""Which of pbmd's files others on the machine can read and should not: passwords, settings with a password in them, the key
that all tokens come from, the ledger and its copies.

This goes by the mode of the file alone, as ssh does with keys: the folder above may be opened, or the file copied, at any time.
"""

import grp
import os
import pwd
import stat
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from pbmd.desk.books.server_key import KEY
from pbmd.desk.upkeep.backups import ledger_file
from pbmd.ledger.backup import backups_in
from pbmd.rules import Refused
from pbmd.settings import Settings

_SIDES = ("", "-wal", "-shm")


@dataclass(frozen=True, slots=True)
class Exposed:
    """A file that `readers` can read, and what is in it; `away` are those whose permission must be removed (``go``)."""

    path: Path
    what: str
    readers: str
    away: str

    @property
    def mend(self) -> str:
        """The command that fixes it."""
        return f"chmod {self.away}= {self.path}"


def exposed(settings: Settings, written: Path | None = None) -> list[Exposed]:
    """What others can read; `written` is the settings file, if it has a password in it. Raises `OSError`."""
    data = settings.data.stat()
    secrets = dict(_secrets(settings, written))
    found = [_look(path, what, data) for path, what in secrets.items()]
    # Everything else in the data folder can be read as far as the folder lets anybody in.
    others = sorted(path for path in settings.data.iterdir() if path not in secrets)
    found += [_look(path, "what pbmd has written down", data, data.st_mode) for path in others]
    return [each for each in found if each is not None]


def _secrets(settings: Settings, written: Path | None) -> Iterator[tuple[Path, str]]:
    if written is not None:
        yield written, "the settings with a password in them"
    for login in (settings.imap, settings.smtp):
        if login.password_file is not None:
            yield login.password_file, "a password"
    for file in settings.webhook.files.values():
        yield file, "the address of a webhook"
    copies = settings.data / settings.backups.folder
    for folder in (settings.data, copies):
        yield folder / KEY, "the key that all tokens come from"
    with suppress(Refused):  # another database
        ledger = ledger_file(settings)
        replaced = sorted(ledger.parent.glob(f"{ledger.stem}-replaced-*{ledger.suffix}"))
        for path in (ledger, *replaced):
            yield from ((path.with_name(path.name + side), "the ledger") for side in _SIDES)
    for path in backups_in(copies):
        yield path, "a backup of the ledger"


def _look(path: Path, what: str, data: os.stat_result, folder: int = 0o111) -> Exposed | None:
    """Whether others can read a file, in a folder with that mode."""
    try:
        file = path.stat()
    except OSError:  # it is missing, or gone by now; if we may not look into its folder, whatever needs it says so
        return None
    if not stat.S_ISREG(file.st_mode):
        return None
    reach = file.st_mode & folder << 2  # who may read the file, of those who may pass through the folder
    # A file of root's, or an administrator's, pbmd itself can only read by its group.
    needed = file.st_uid != data.st_uid and file.st_gid == _group_of(data)
    group = reach & stat.S_IRGRP and not needed
    if not reach & stat.S_IROTH and not group:
        return None
    readers = "everybody on this machine" if reach & stat.S_IROTH else f"the group {_group_name(file.st_gid)}"
    return Exposed(path, what, readers, "o" if needed else "go")


def _group_of(data: os.stat_result) -> int:
    """The group of the user that runs pbmd, who owns its data."""
    with suppress(KeyError):
        return pwd.getpwuid(data.st_uid).pw_gid
    return data.st_gid


def _group_name(number: int) -> str:
    with suppress(KeyError):
        return grp.getgrgid(number).gr_name
    return str(number)
