"""A packed archive, a zip or a tar file, is unpacked into a temporary folder, and read from there like any other.

It may be anybody's. It is unpacked file by file, by the names that archives have, in bounded pieces, and anything that is not a
plain file (a link, a device) or leads elsewhere makes it one that is not read at all.
"""

import gzip
import lzma
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Generator, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any, NamedTuple, cast

from pbmd.archive.format.limits import DEEPEST, LARGEST_PACKED, MOST_FILES
from pbmd.archive.format.seals import DECLARED, PATH, NotReadable, is_of_system

KINDS = ".zip, .tar, .tar.gz or .tar.xz"
_CHUNK = 1 << 20
_XZ_MEMORY = 256 << 20
"""Four times what the most demanding of the usual settings takes; a file may claim to need more, and get it."""
_LARGEST_HEADER = 1 << 16
"""In bytes, for what a tar file says about one of its members in an extra header; names have a hundred."""
_SPOKEN = frozenset(
    {tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.SOLARIS_XHDTYPE, tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK}
)
_COMPRESSIONS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_TROUBLES = (
    *(tarfile.TarError, zipfile.BadZipFile, zlib.error, lzma.LZMAError, gzip.BadGzipFile, EOFError, NotImplementedError),
    *(OverflowError, RecursionError, RuntimeError, UnicodeError, ValueError),
)


class _Member(NamedTuple):
    """A file, or a folder if `content` is None."""

    name: str
    content: Callable[[], IO[bytes]] | None


@contextmanager
def unpacked(path: Path) -> Generator[Path]:
    """The folder of an archive: `path` itself, or the contents of a packed file, which are deleted at the end. A packed archive
    may be in a folder of its own. Raises `NotReadable` for a file that is no such archive, and `OSError`."""
    if not path.is_file() or path.is_symlink():
        yield path
        return
    with TemporaryDirectory(prefix="pbmd-") as home:
        try:
            with _members(path) as members:
                _unpack(members, Path(home))
        except NotReadable:
            raise
        except _TROUBLES as problem:
            raise NotReadable(f"it cannot be unpacked: {problem}"[:300]) from None
        yield _bag_in(Path(home))


def is_packed(path: Path) -> bool:
    """Whether it is a file of a kind that can be unpacked. Raises `OSError`."""
    return path.is_file() and bool(_kind(path))


def _bag_in(home: Path) -> Path:
    """The bag, which some packers put into a folder."""
    if (home / DECLARED).is_file():
        return home
    there = [each for each in home.iterdir() if each.is_file() or any(item.is_file() for item in each.rglob("*"))]
    if len(there) == 1 and there[0].is_dir():
        return there[0]
    raise NotReadable("it has no archive in it: it must have one bag, by itself or in one folder")


def _unpack(members: Iterator[_Member], home: Path) -> None:
    left, seen = LARGEST_PACKED, set[str]()
    for member in members:
        name = member.name.removeprefix("./").rstrip("/")
        if member.content is None and name in ("", "."):
            continue
        _check_name(name)
        if is_of_system(name):
            continue
        place = home / name
        if member.content is None:
            place.mkdir(parents=True, exist_ok=True)
            continue
        if name in seen or place.exists():
            raise NotReadable(f"it has {name} twice")
        seen.add(name)
        if len(seen) > MOST_FILES:
            raise NotReadable(f"there are more than {MOST_FILES} files in it")
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
        except (FileExistsError, NotADirectoryError):
            raise NotReadable(f"it has {name} in what is a file") from None
        with member.content() as source, place.open("xb") as file:
            while chunk := source.read(_CHUNK):
                left -= len(chunk)
                if left < 0:
                    raise NotReadable(
                        f"unpacked it has more than {LARGEST_PACKED:,} bytes, so it was not; unpack it yourself if you trust it"
                    )
                file.write(chunk)


def _check_name(name: str) -> None:
    if not PATH.fullmatch(name) or ".." in name.split("/") or "\n" in name:
        raise NotReadable(f"it has a file with a name that no archive has: {name[:200]!a}")
    if name.count("/") > DEEPEST + 1:
        raise NotReadable("it has folders in folders in folders, deeper than any archive")


def _members(path: Path) -> AbstractContextManager[Iterator[_Member]]:
    """The members of a file, recognised by its first bytes; its name does not count."""
    match _kind(path):
        case "zip":
            return _in_zip(path)
        case "gz":
            return _in_tar(cast("IO[bytes]", gzip.open(path)))
        case "xz":
            return _in_tar(cast("IO[bytes]", _Xz(path)))
        case "tar":
            return _in_tar(path.open("rb"))
        case _:
            raise NotReadable(f"it is neither a folder nor a file that can be unpacked here: {KINDS}")


def _kind(path: Path) -> str:
    with path.open("rb") as file:
        begins = file.read(512)
    marks = {"zip": begins[:2] == b"PK", "gz": begins[:2] == b"\x1f\x8b", "xz": begins[:6] == b"\xfd7zXZ\x00"}
    return next((kind for kind, found in marks.items() if found), "tar" if begins[257:262] == b"ustar" else "")


# Zip


@contextmanager
def _in_zip(path: Path) -> Generator[Iterator[_Member]]:
    with zipfile.ZipFile(path) as archive:
        items = archive.infolist()
        if len(items) > 2 * MOST_FILES:
            raise NotReadable(f"there are more than {MOST_FILES} files in it")
        yield (_zipped(archive, item) for item in items)


def _zipped(archive: zipfile.ZipFile, item: zipfile.ZipInfo) -> _Member:
    kind = stat.S_IFMT(item.external_attr >> 16)
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise NotReadable(f"{item.filename[:200]!a} is a link or no file at all, and an archive has only files")
    if item.flag_bits & 1:
        raise NotReadable("it is encrypted")
    if item.compress_type not in _COMPRESSIONS:
        raise NotReadable(f"{item.filename[:200]!a} is compressed in a way that is not known here")
    return _Member(item.filename, None if item.is_dir() else lambda: archive.open(item))


# Tar


class _Info(tarfile.TarInfo):
    """A header of a tar file without anything in extra headers, which would be read into memory as a whole."""

    @classmethod
    def frombuf(cls, buf: Any, encoding: Any, errors: Any) -> "_Info":
        info = super().frombuf(buf, encoding, errors)
        if info.size < 0 or (info.type in _SPOKEN and info.size > _LARGEST_HEADER):
            raise NotReadable("it has a header that is larger than any")
        return info


class _Xz:
    """A file compressed with xz as a stream with bounded memory. The library's own has no limit."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("rb")
        self._decompressor = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_XZ_MEMORY)

    def read(self, size: int) -> bytes:
        """As many bytes, or fewer at the end."""
        pieces: list[bytes] = []
        while size > 0 and not self._decompressor.eof:
            more = self._file.read(_CHUNK) if self._decompressor.needs_input else b""
            if self._decompressor.needs_input and not more:
                raise EOFError("it ends too early")
            piece = self._decompressor.decompress(more, size)
            pieces.append(piece)
            size -= len(piece)
        return b"".join(pieces)

    def close(self) -> None:
        """Close the file."""
        self._file.close()


@contextmanager
def _in_tar(stream: IO[bytes]) -> Generator[Iterator[_Member]]:
    try:
        with tarfile.open(fileobj=stream, mode="r|", tarinfo=_Info) as archive:
            yield _tarred(archive)
    finally:
        stream.close()


def _tarred(archive: tarfile.TarFile) -> Iterator[_Member]:
    count = 0
    while info := archive.next():
        archive.members.clear()  # pyright: ignore[reportAttributeAccessIssue] – else all headers are kept
        count += 1
        if count > 2 * MOST_FILES:
            raise NotReadable(f"there are more than {MOST_FILES} files in it")
        if not (info.isdir() or info.isreg()) or info.issparse():
            raise NotReadable(f"{info.name[:200]!a} is a link or no file at all, and an archive has only files")
        content = None if info.isdir() else cast("IO[bytes]", archive.extractfile(info))
        yield _Member(info.name, None if content is None else (lambda content=content: content))
