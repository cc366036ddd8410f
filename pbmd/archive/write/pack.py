"""An archive as one file. The same archive gives the same bytes, with the same version of the library that compresses."""

import shutil
import tarfile
import tempfile
import zipfile
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Literal

from pbmd.archive.format.packed import is_packed
from pbmd.archive.write.bag import FolderTaken
from pbmd.files import keep_in_place

_LONG_AGO = (1980, 1, 1, 0, 0, 0)


def _zip(folder: Path, to: Path) -> None:
    with zipfile.ZipFile(to, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, path in _files(folder):
            item = zipfile.ZipInfo(name, _LONG_AGO)
            item.external_attr, item.compress_type = 0o100644 << 16, zipfile.ZIP_DEFLATED
            with path.open("rb") as source, packed.open(item, "w", force_zip64=True) as file:
                shutil.copyfileobj(source, file, 1 << 20)


def _tar(mode: Literal["w", "w:xz"], folder: Path, to: Path) -> None:
    with tarfile.open(to, mode, format=tarfile.PAX_FORMAT) as packed:
        for name, path in _files(folder):
            about = tarfile.TarInfo(name)
            about.size, about.mode = path.stat().st_size, 0o644
            with path.open("rb") as file:
                packed.addfile(about, file)


PACKERS: Mapping[str, Callable[[Path, Path], None]] = {
    ".zip": _zip,
    ".tar": partial(_tar, "w"),
    ".tar.xz": partial(_tar, "w:xz"),
}
"""By file name extension."""


def packer_of(to: Path) -> str:
    """The extension, if it is that of a packed archive; else empty."""
    return next((ending for ending in PACKERS if to.name.endswith(ending) and to.name != ending), "")


@contextmanager
def packed_at_the_end(to: Path, *, force: bool, for_all: bool) -> Generator[Path]:
    """A folder that does not exist yet; the archive that is written there is packed into the file `to`, which appears complete
    or not at all. Only its owner can read it, or with `for_all` everybody that the umask allows.

    Raises `FolderTaken` if the file is there (with `force`: if it is something other than a packed archive) and `OSError`.
    """
    to = to.absolute()
    if to.exists() and not (force and is_packed(to)):
        told = "has something else than a packed archive in it" if force else "is there already; take another, or --force"
        raise FolderTaken(f"{to} {told}")
    to.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{to.name}.", dir=to.parent) as home:
        ending = packer_of(to)
        folder = Path(home) / to.name.removesuffix(ending)
        yield folder
        packed = Path(home) / f"packed{ending}"
        packed.touch(0o666 if for_all else 0o600)
        PACKERS[ending](folder, packed)
        keep_in_place(packed, to)


def _files(folder: Path) -> list[tuple[str, Path]]:
    """All files with their names in the packed archive, in a fixed order."""
    found = (path for path in folder.rglob("*") if path.is_file())
    return sorted((f"{folder.name}/{path.relative_to(folder).as_posix()}", path) for path in found)
