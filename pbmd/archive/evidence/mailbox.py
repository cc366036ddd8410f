"""Mails that somebody kept, wherever a mail program puts them: single files, mbox, Maildir, and folders of any of these, such
as those of MH and Thunderbird. They are only read.

Each file comes out as mails, or with the reason why it could not be read as one, so that nothing is ignored without a word.
"""

import mailbox
import re
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from pbmd.archive.evidence.claims import LARGEST_MAIL

_OF_MAILDIR = ("cur", "new", "tmp")
_BEGINS = re.compile(rb"[!-9;-~]{1,76}:|>?From ")
_FROM_LINE = b"From "
_TOO_LARGE = f"it is larger than {LARGEST_MAIL // 1_000_000} MB"
NO_MAIL = "it does not begin as a mail does"
"""The problem of a file that may be anything: mail programs keep files of their own beside the mails. It comes with its bytes,
which may be a checkpoint that somebody has handed on."""


@dataclass(frozen=True, slots=True)
class StoredMail:
    """A mail, and where it is: its file, and its number in a file that has several. `problem` says why it could not be read,
    and is empty if it could. `box` is the command-line argument under which it was found."""

    where: str
    raw: bytes = field(default=b"", repr=False)
    problem: str = ""
    box: str = ""


def mails_in(path: Path) -> Iterator[StoredMail]:
    """The mails in a file, or in a folder and all folders in it, in the order of names and places."""
    try:
        if not path.is_dir():
            yield from _of_file(path)
            return
        for inner in sorted(path.iterdir()):
            if inner.is_symlink() and inner.is_dir():
                yield StoredMail(str(inner), problem="it is a link to a folder; name that folder itself")
            elif inner.name != "tmp" or not _is_maildir(path):  # mails in tmp are still being delivered
                yield from mails_in(inner)
    except OSError as problem:
        yield StoredMail(str(path), problem=f"it cannot be read: {problem.strerror or problem}")


def _is_maildir(path: Path) -> bool:
    return all((path / name).is_dir() for name in _OF_MAILDIR)


def _of_file(path: Path) -> Iterator[StoredMail]:
    if not path.is_file():
        yield StoredMail(str(path), problem="it is no file" if path.exists() or path.is_symlink() else "it is not there")
        return
    with path.open("rb") as file:
        is_mbox = file.read(len(_FROM_LINE)) == _FROM_LINE
        file.seek(0)
        if not is_mbox:
            yield _read(str(path), file.read)
            return
    with closing(mailbox.mbox(path, create=False)) as box:
        for place, key in enumerate(box.keys(), start=1):
            yield _read(f"{path}, mail {place}", box.get_file(key).read)


def _read(where: str, read: Callable[[int], bytes]) -> StoredMail:
    raw = read(LARGEST_MAIL + 1)
    if len(raw) > LARGEST_MAIL:
        return StoredMail(where, problem=_TOO_LARGE)
    return StoredMail(where, raw) if _BEGINS.match(raw) else StoredMail(where, raw, NO_MAIL)
