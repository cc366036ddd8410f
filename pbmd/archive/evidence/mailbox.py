"""Mails that somebody kept, wherever a mail program puts them: single files, mbox, Maildir, Outlook's .msg, zip, tar and gzip
files as webmail exports them, and folders of any of these, such as those of MH and Thunderbird. They are only read.

Each file comes out as mails, or with the reason why it could not be read as one, so that nothing is ignored without a word.
"""

import bz2
import gzip
import lzma
import os
import re
import tarfile
import zipfile
import zlib
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from io import BufferedIOBase
from mmap import ACCESS_READ, mmap
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, NamedTuple

from pbmd.archive.appearance.inner_mails import letters_in, mail_in, parts_of
from pbmd.archive.evidence.claims import LARGEST_MAIL
from pbmd.archive.evidence.joined_mails import Bytes, begins_of_mails
from pbmd.archive.evidence.outlook_mail import NotReadable, mail_of_outlook
from pbmd.post.proof_file import proof_bytes

_OF_MAILDIR = ("cur", "new", "tmp")
_BEGINS = re.compile(rb"[!-9;-~]{1,76}:")
_FROM_LINE = re.compile(rb"^From [^\r\n]*\r?\n(?=>?From |(?:\xef\xbb\xbf)?[!-9;-~]{1,76}:)", re.MULTILINE)
"""What stands above each mail of an mbox: a line within a mail may begin so, too."""
_ABOVE = re.compile(
    rb"(?:\xef\xbb\xbf)?(?:(?P<length>\d{1,9})[ ]*\r?\n)?(?:[ \t\x01]*\r?\n){0,99}"
    rb"(?P<from>>?From [^\r\n]*\r?\n)?(?=[!-9;-~]{1,76}:)"
)
"""What programs write above a mail: a mark of its encoding, its length, behind which more may stand, and lines of an mbox."""
_JOINED = frozenset({".mbox", ".mbx", ".mboxrd", ".txt"})
"""Files of many mails; those of other names have several only where that is sure."""
_OF_OUTLOOK, _ZIP = ".msg", ".zip"
_OF_ZIP, _OF_TAR = b"PK\x03\x04", b"ustar"
_PACKED: Mapping[bytes, Callable[[Path], BufferedIOBase]] = {b"\x1f\x8b": gzip.GzipFile, b"BZh": bz2.BZ2File}
"""How a file begins that has one packed, perhaps a tar file, whatever it is called; and what opens it."""
_MOST_PACKERS = 3
"""So many packed files may be in each other."""
_LENGTH_OF_BEGIN = 1_000
_TOO_LARGE = f"it is larger than {LARGEST_MAIL // 1_000_000} MB"
NO_MAIL = "it does not begin as a mail does"
"""The problem of a file that may be anything: mail programs keep files of their own beside the mails. It comes with its bytes,
which may be a checkpoint that somebody has handed on."""


@dataclass(frozen=True, slots=True)
class StoredMail:
    """A mail, and where it is: its file, and its number in a file that has several. `problem` says why it could not be read,
    and is empty if it could. `box` is the command-line argument under which it was found. `is_attached`: it came in a mailbox
    that is attached to another mail, whose sender may have chosen what is in it."""

    where: str
    raw: bytes = field(default=b"", repr=False)
    problem: str = ""
    box: str = ""
    is_attached: bool = False


@dataclass(slots=True)
class _Room:
    """How many files and bytes may still come out of one file, with all that is packed in it."""

    files: int = 100_000
    size: int = 2_000_000_000

    def for_attached(self, size: int) -> "_Room":
        """What of it a file of that size may take which is attached to a mail. Anybody can send a small one out of which very
        much comes; mails are hardly ever packed to a twentieth of their size."""
        return replace(self, size=min(self.size, max(_LEAST_OF_ATTACHED, _MOST_TIMES * size)))

    def take(self, given: "_Room", left: "_Room") -> None:
        """Have taken what was given of it, but for what is left of that."""
        self.files -= given.files - left.files
        self.size -= given.size - left.size


_LEAST_OF_ATTACHED, _MOST_TIMES = 1_000_000, 50


def mails_in(path: Path, packers: int = 0, room: _Room | None = None) -> Iterator[StoredMail]:
    """The mails in a file, or in a folder and all folders in it, in the order of names and places. `packers`: how many packed
    files it has come out of, and what of theirs there is still `room` for."""
    try:
        if not path.is_dir():
            yield from _of_file(path, packers, room or _Room())
            return
        for inner in sorted(path.iterdir()):
            if inner.is_symlink() and inner.is_dir():
                yield StoredMail(str(inner), problem="it is a link to a folder; name that folder itself")
            elif inner.name != "tmp" or not all(
                (path / name).is_dir() for name in _OF_MAILDIR
            ):  # mails in tmp are still being delivered
                yield from mails_in(inner, packers, room)
    except OSError as problem:
        yield StoredMail(str(path), problem=f"it cannot be read: {problem.strerror or problem}")


def _of_file(path: Path, packers: int, room: _Room) -> Iterator[StoredMail]:
    if not path.is_file():
        yield StoredMail(str(path), problem="it is no file" if path.exists() or path.is_symlink() else "it is not there")
        return
    kind = path.suffix.lower()
    with path.open("rb") as file:
        begins = file.read(_LENGTH_OF_BEGIN)
        if kind == _OF_OUTLOOK:
            yield from _with_attached(_of_outlook(path), packers, room)
        elif kind == _ZIP or _is_packed(begins):
            yield from _of_packed(path, begins, packers, room)
        elif begins:
            with closing(mmap(file.fileno(), 0, access=ACCESS_READ)) as raw:
                for found in _of_text(path, _as_in_mails(raw, begins)):
                    yield from _with_attached(found, packers, room)
        else:
            yield StoredMail(str(path), problem=NO_MAIL)


def _is_packed(begins: bytes) -> bool:
    return begins.startswith((*_PACKED, _OF_ZIP)) or begins[257:262] == _OF_TAR


def _with_attached(found: StoredMail, packers: int, room: _Room) -> Iterator[StoredMail]:
    """A mail, and those in the mailboxes that are attached to it. Files that are no mailbox are told of with the mail."""
    yield found
    boxes = list[tuple[str, bytes]]()
    if not found.problem and packers < _MOST_PACKERS and _MAY_BE_BOX.search(found.raw):
        with suppress(Exception):  # parsers stumble over what nobody has thought of; who reads the mail itself tells of that
            boxes = [*_boxes_in(found.raw)]
    for name, raw in boxes:
        with TemporaryDirectory() as temporary:
            path = _place(Path(temporary), Path(name).name or "attached", 1)
            path.write_bytes(raw)
            given, left = room.for_attached(len(raw)), room.for_attached(len(raw))
            for each in _of_file(path, packers + 1, left):
                where = f"{found.where}, attached{each.where.removeprefix(temporary)}"
                if each.problem != NO_MAIL:  # a packed file that cannot be read may be anything
                    problem = each.problem and NO_MAIL
                    yield replace(each, where=where, problem=problem, is_attached=True)
            room.take(given, left)


_MAY_BE_BOX = re.compile(rb"^(?:UEsDB|H4sI|QlpoO|PK\x03\x04)|(?i:\.(?:zip|tar|t?gz|bz2|mbo?x))", re.MULTILINE)
"""Has each mail with a mailbox attached to it: its name, or how what is packed begins, as mails have it."""


def _boxes_in(raw: bytes) -> Iterator[tuple[str, bytes]]:
    """The mailboxes that are attached to a mail or to one in it, unless that is one of pbmd's, which brings archives."""
    for letter in letters_in(mail_in(raw)):
        for part in parts_of(letter.message) if letter.own is None and not letter.is_inside else ():
            name = part.get_filename() or ""
            if not part.is_multipart() and (_is_packed(box := proof_bytes(part)) or _is_joined(name)):
                yield name, box


def _is_joined(name: str) -> bool:
    return Path(name).suffix.lower() in _JOINED - {".txt"}


def _as_in_mails(raw: mmap, begins: bytes) -> Bytes:
    """A text as it is in mails: of characters of one byte, with ends of lines."""
    if begins.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        return raw[:].decode("utf-16", "replace").encode()
    return raw[:].replace(b"\r", b"\n") if b"\r" in begins and b"\n" not in begins else raw


def _of_text(path: Path, raw: Bytes) -> Iterator[StoredMail]:
    """The mails of an mbox, or those that stand one behind the other in a file."""
    above = _ABOVE.match(raw)
    if above and above["from"]:
        lines = [*_FROM_LINE.finditer(raw, above.end())]
        begins, ends = [0, *(line.end() for line in lines)], [*(line.start() for line in lines), len(raw)]
    else:
        is_one = path.suffix.lower() not in _JOINED or bool(above and above["length"])
        _, *behind = begins_of_mails(raw, above.end() if above else 0, is_one=is_one)
        begins, ends = [0, *behind], [*behind, len(raw)]
    for place, (begin, end) in enumerate(zip(begins, ends, strict=True), start=1):
        where = f"{path}, mail {place}" if len(begins) > 1 else str(path)
        yield _checked(where, raw[begin : min(end, begin + LARGEST_MAIL + _LENGTH_OF_BEGIN)])


def _checked(where: str, raw: bytes) -> StoredMail:
    if above := _ABOVE.match(raw):
        raw = raw[above.end() : above.end() + int(above["length"] or len(raw))]
    if len(raw) > LARGEST_MAIL:
        return StoredMail(where, problem=_TOO_LARGE)
    if b"\r\r\n" in raw[:_LENGTH_OF_BEGIN]:
        raw = raw.replace(b"\r\r\n", b"\r\n")
    return StoredMail(where, raw) if _BEGINS.match(raw) else StoredMail(where, raw, NO_MAIL)


def _of_outlook(path: Path) -> StoredMail:
    """A mail as Outlook saves it, as it is in mail."""
    if path.stat().st_size > LARGEST_MAIL:
        return StoredMail(str(path), problem=_TOO_LARGE)
    try:
        return _checked(str(path), mail_of_outlook(path.read_bytes()))
    except NotReadable as problem:
        return StoredMail(str(path), problem=str(problem))


def _of_packed(path: Path, begins: bytes, packers: int, room: _Room) -> Iterator[StoredMail]:
    """The mails in a packed file, as if it were a folder."""
    if packers >= _MOST_PACKERS:
        yield StoredMail(str(path), problem=f"it is a zip within {_MOST_PACKERS} others")
        return
    with TemporaryDirectory() as temporary:
        home = Path(temporary)
        try:
            broken = [*_unpack(path, begins, home, room)]
        except _BROKEN as problem:
            yield StoredMail(str(path), problem=f"it cannot be unpacked: {problem}")
            return
        yield from broken
        for found in mails_in(home, packers + 1, room):
            yield replace(found, where=f"{path}{found.where.removeprefix(temporary)}")


_BROKEN = (
    *(zipfile.BadZipFile, gzip.BadGzipFile, tarfile.TarError, NotImplementedError, RuntimeError, ValueError, EOFError),
    *(zlib.error, lzma.LZMAError, KeyError),
)
"""What is raised of a packed file, or of one file in it, that is damaged, encrypted, or packed in an unknown way; `KeyError` of
a link to what is not in it."""


class _TooMuch(Exception):
    """A packed file has more in it than anybody's mails."""


class _Item(NamedTuple):
    """A file in a packed one."""

    name: str
    opened: Callable[[], IO[bytes] | BufferedIOBase | None]


def _items(path: Path, begins: bytes, held: ExitStack) -> Iterator[_Item]:
    """The files in a packed one, which is `held` open. Raises what is in `_BROKEN`."""
    plain = next((opener for mark, opener in _PACKED.items() if begins.startswith(mark)), None)
    if plain is None and begins[257:262] != _OF_TAR:
        packed = held.enter_context(zipfile.ZipFile(path))
        return (_Item(item.filename, partial(packed.open, item)) for item in packed.infolist() if not item.is_dir())
    if plain and not tarfile.is_tarfile(path):
        return iter([_Item(path.stem, partial(plain, path))])
    tar = held.enter_context(tarfile.TarFile.open(path))
    return (_Item(item.name, partial(tar.extractfile, item)) for item in tar if not item.isdir())


def _unpack(path: Path, begins: bytes, home: Path, room: _Room) -> Iterator[StoredMail]:
    """Write what is in it below `home`, numbered where a name could lead elsewhere, or is there already. Gives the files that
    cannot be unpacked; the others are. Raises what is in `_BROKEN`."""
    with ExitStack() as held:
        for place, item in enumerate(_items(path, begins, held), start=1):
            room.files -= 1
            if room.files < 0:
                raise ValueError("it has more files in it than anybody's mailbox")
            to = _place(home, item.name, place)
            try:
                _write(item, to, room)
            except _TooMuch as problem:
                raise ValueError(str(problem)) from None
            except (*_BROKEN, OSError) as problem:
                to.unlink(missing_ok=True)
                yield StoredMail(f"{path}/{item.name}", problem=f"it cannot be unpacked: {problem}")


def _place(home: Path, name: str, place: int) -> Path:
    """Where the file with that name is written."""
    path = Path(name.replace("\\", "/"))
    is_plain = not path.is_absolute() and ".." not in path.parts and len(os.fsencode(name)) < _LONGEST_NAME
    to = home / path
    if not is_plain or to.exists() or any(folder.is_file() for folder in to.parents):
        return home / f"file-{place}{path.suffix[:8]}"
    return to


def _write(item: _Item, to: Path, room: _Room) -> None:
    """Write one file. Raises `_TooMuch`."""
    to.parent.mkdir(parents=True, exist_ok=True)
    source = item.opened()
    if source is None:
        raise ValueError("it is no file")
    with source, to.open("wb") as file:
        # One byte at least, or a file for which there is no room left would be an empty one.
        while piece := source.read(max(1, min(_PIECE, room.size + 1))):
            room.size -= len(piece)
            if room.size < 0:  # the sizes that a packed file tells need not be true
                raise _TooMuch("it has more than 2 GB, with all that is packed in it")
            file.write(piece)


_LONGEST_NAME, _PIECE = 200, 1 << 20
"""In bytes."""
