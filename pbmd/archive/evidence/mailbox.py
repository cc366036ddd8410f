"""Mails that somebody kept, wherever a mail program puts them: single files, mbox, Maildir, Outlook's .msg, zip files as
webmail exports them, and folders of any of these, such as those of MH and Thunderbird. They are only read.

Each file comes out as mails, or with the reason why it could not be read as one, so that nothing is ignored without a word.
"""

import lzma
import mailbox
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from pbmd.archive.evidence.claims import LARGEST_MAIL
from pbmd.archive.evidence.joined_mails import begins_of_mails
from pbmd.archive.evidence.outlook_mail import NotReadable, mail_of_outlook

_OF_MAILDIR = ("cur", "new", "tmp")
_BEGINS = re.compile(rb"[!-9;-~]{1,76}:|>?From ")
_FROM_LINE = b"From "
_ABOVE = re.compile(rb"(?:\xef\xbb\xbf)?(?:(?P<length>\d{1,9})[ ]*\r?\n)?(?:[ \t]*\r?\n){0,99}(?=[!-9;-~]{1,76}:)")
"""What programs write above a mail: a mark of its encoding, its length, behind which more may stand, and empty lines."""
_JOINED = frozenset({".mbox", ".mbx", ".mboxrd", ".txt"})
"""Files that people make of many mails, some by writing one behind the other."""
_OF_OUTLOOK, _ZIP = ".msg", ".zip"
_MOST_IN_ZIP, _LARGEST_ZIP, _MOST_ZIPS = 100_000, 2_000_000_000, 3
"""Files, bytes when unpacked, and how many zip files may be in each other."""
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


def mails_in(path: Path, zips: int = 0) -> Iterator[StoredMail]:
    """The mails in a file, or in a folder and all folders in it, in the order of names and places. `zips`: how many zip files
    it has come out of."""
    try:
        if not path.is_dir():
            yield from _of_file(path, zips)
            return
        for inner in sorted(path.iterdir()):
            if inner.is_symlink() and inner.is_dir():
                yield StoredMail(str(inner), problem="it is a link to a folder; name that folder itself")
            elif inner.name != "tmp" or not _is_maildir(path):  # mails in tmp are still being delivered
                yield from mails_in(inner, zips)
    except OSError as problem:
        yield StoredMail(str(path), problem=f"it cannot be read: {problem.strerror or problem}")


def _is_maildir(path: Path) -> bool:
    return all((path / name).is_dir() for name in _OF_MAILDIR)


def _of_file(path: Path, zips: int) -> Iterator[StoredMail]:
    if not path.is_file():
        yield StoredMail(str(path), problem="it is no file" if path.exists() or path.is_symlink() else "it is not there")
        return
    if path.suffix.lower() == _OF_OUTLOOK:
        yield from _of_outlook(path)
        return
    if path.suffix.lower() == _ZIP:
        yield from _of_zip(path, zips)
        return
    with path.open("rb") as file:
        is_mbox = file.read(len(_FROM_LINE)) == _FROM_LINE
        file.seek(0)
        if not is_mbox:
            yield from _joined(path) if path.suffix.lower() in _JOINED else [_read(str(path), file.read)]
            return
    with closing(mailbox.mbox(path, create=False)) as box:
        for place, key in enumerate(box.keys(), start=1):
            yield _read(f"{path}, mail {place}", box.get_file(key).read)


def _read(where: str, read: Callable[[int], bytes]) -> StoredMail:
    raw = read(LARGEST_MAIL + 1)
    if len(raw) > LARGEST_MAIL:
        return StoredMail(where, problem=_TOO_LARGE)
    if above := _ABOVE.match(raw):
        raw = raw[above.end() : above.end() + int(above["length"] or len(raw))]
    return StoredMail(where, raw) if _BEGINS.match(raw) else StoredMail(where, raw, NO_MAIL)


def _joined(path: Path) -> Iterator[StoredMail]:
    """The mails that stand one behind the other in a file, with nothing between them."""
    size = path.stat().st_size
    if size > _LARGEST_ZIP:
        yield StoredMail(str(path), problem="it is larger than 2 GB")
        return
    raw = path.read_bytes()
    begins = begins_of_mails(raw)
    if len(begins) <= 1:
        yield _checked(str(path), raw)
        return
    for place, (begin, end) in enumerate(zip(begins, (*begins[1:], len(raw)), strict=True), start=1):
        yield _checked(f"{path}, mail {place}", raw[begin:end])


def _checked(where: str, raw: bytes) -> StoredMail:
    return _read(where, lambda most: raw[:most])


def _of_outlook(path: Path) -> Iterator[StoredMail]:
    """A mail as Outlook saves it, as it is in mail."""
    if path.stat().st_size > LARGEST_MAIL:
        yield StoredMail(str(path), problem=_TOO_LARGE)
        return
    try:
        yield _checked(str(path), mail_of_outlook(path.read_bytes()))
    except NotReadable as problem:
        yield StoredMail(str(path), problem=str(problem))


def _of_zip(path: Path, zips: int) -> Iterator[StoredMail]:
    """The mails in the files of a zip, as if it were a folder."""
    if zips >= _MOST_ZIPS:
        yield StoredMail(str(path), problem=f"it is a zip within {_MOST_ZIPS} others")
        return
    with TemporaryDirectory() as temporary:
        home = Path(temporary)
        try:
            broken = [*_unpack(path, home)]
        except _BROKEN as problem:
            yield StoredMail(str(path), problem=f"it cannot be unpacked: {problem}")
            return
        yield from broken
        for found in mails_in(home, zips + 1):
            yield replace(found, where=f"{path}{found.where.removeprefix(temporary)}")


_BROKEN = (zipfile.BadZipFile, NotImplementedError, RuntimeError, ValueError, EOFError, zlib.error, lzma.LZMAError)
"""What is raised of a zip, or of one file in it, that is damaged, encrypted, or packed in an unknown way."""


class _TooMuch(Exception):
    """A zip has more in it than anybody's mails."""


def _unpack(path: Path, home: Path) -> Iterator[StoredMail]:
    """Write what is in it below `home`, numbered where a name could lead elsewhere, or is there already. Gives the files that
    cannot be unpacked; the others are. Raises what is in `_BROKEN`."""
    with zipfile.ZipFile(path) as packed:
        items = [item for item in packed.infolist() if not item.is_dir()]
        if len(items) > _MOST_IN_ZIP or sum(item.file_size for item in items) > _LARGEST_ZIP:
            raise ValueError(f"it has more than {_MOST_IN_ZIP} files, or more than 2 GB")
        left = _LARGEST_ZIP
        for place, item in enumerate(items, start=1):
            to = _place(home, item.filename, place)
            try:
                left -= _write(packed, item, to, left)
            except _TooMuch as problem:
                raise ValueError(str(problem)) from None
            except (*_BROKEN, OSError) as problem:
                to.unlink(missing_ok=True)
                yield StoredMail(f"{path}/{item.filename}", problem=f"it cannot be unpacked: {problem}")


def _place(home: Path, name: str, place: int) -> Path:
    """Where the file with that name is written."""
    path = Path(name.replace("\\", "/"))
    is_plain = not path.is_absolute() and ".." not in path.parts and len(name) < _LONGEST_NAME
    to = home / path
    if not is_plain or to.exists() or any(folder.is_file() for folder in to.parents):
        return home / f"file-{place}{path.suffix[:8]}"
    return to


def _write(packed: zipfile.ZipFile, item: zipfile.ZipInfo, to: Path, most: int) -> int:
    """Write one file, and give its size. Raises `_TooMuch`."""
    to.parent.mkdir(parents=True, exist_ok=True)
    size = 0
    with packed.open(item) as source, to.open("wb") as file:
        while piece := source.read(min(_PIECE, most - size + 1)):
            size += len(piece)
            if size > most:  # the sizes that a zip tells need not be true
                raise _TooMuch("it has more than 2 GB")
            file.write(piece)
    return size


_LONGEST_NAME, _PIECE = 200, 1 << 20
