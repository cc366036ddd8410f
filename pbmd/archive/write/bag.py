"""The folder of an archive: a bag (RFC 8493), which appears complete or not at all."""

import hashlib
import os
import shutil
import tempfile
from collections.abc import Generator, Mapping
from contextlib import chdir, contextmanager
from pathlib import Path

import bagit

from pbmd.archive.format.seals import DECLARATION, DECLARED, DESCRIBED
from pbmd.files import keep_in_place

PAYLOAD = "data"
_MARKS = ((f"{PAYLOAD}/game.toml", f"{PAYLOAD}/journal.jsonl"), ("game.toml", "journal.jsonl"))
"""The files that identify an archive; the second pair is that of format 1, which was no bag."""
_ALGORITHMS = ["sha256", "sha512"]


class FolderTaken(ValueError):
    """The folder to export to is not empty; the message says what to do."""


@contextmanager
def written_aside(folder: Path, *, force: bool, for_all: bool = False) -> Generator[Path]:
    """A new folder beside `folder` that replaces it at the end, unless something went wrong. Only its owner can read it, or
    with `for_all` everybody that the umask allows.

    Raises `FolderTaken` if there is something in `folder` (with `force`: something other than an archive) and `OSError`.
    """
    folder = folder.absolute()
    _check_free(folder, force=force)
    folder.parent.mkdir(parents=True, exist_ok=True)
    aside = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
    try:
        yield aside
        if for_all:
            _open_up(aside)
        if force and folder.exists():
            old = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
            os.replace(folder, old)
            keep_in_place(aside, folder)
            shutil.rmtree(old)
        else:
            keep_in_place(aside, folder)  # works with an empty folder in place, too
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def _open_up(folder: Path) -> None:
    """Give folders and files the default modes."""
    mask = os.umask(0o077)
    os.umask(mask)
    for path in (folder, *folder.rglob("*")):
        path.chmod((0o777 if path.is_dir() else 0o666) & ~mask)


def make_bag(folder: Path, about: Mapping[str, str], beside: Mapping[str, bytes]) -> None:
    """Make a bag of what is in `folder`. `about` is the content of bag-info.txt, `beside` the files beside the payload. Raises
    `OSError`."""
    payload = [*folder.iterdir()]
    (folder / PAYLOAD).mkdir(mode=folder.stat().st_mode)
    for path in payload:
        path.rename(folder / PAYLOAD / path.name)
    # `bagit.make_bag` would also open the bag that it has made: an eighth of an export.
    with chdir(folder):
        octets, files = bagit.make_manifests(PAYLOAD, 1, _ALGORITHMS)
    lines = sorted({**about, "Payload-Oxum": f"{octets}.{files}"}.items())
    described = "".join(f"{key}: {''.join(value.splitlines())}\n" for key, value in lines)
    for name, content in {DECLARED: DECLARATION, DESCRIBED: described.encode(), **beside}.items():
        (folder / name).write_bytes(content)
    tags = {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file()}
    for algorithm in _ALGORITHMS:
        sums = (
            f"{hashlib.new(algorithm, content).hexdigest()} {name}\n"
            for name, content in tags.items()
            if not name.startswith("tagmanifest-")
        )
        (folder / f"tagmanifest-{algorithm}.txt").write_text("".join(sums), encoding="utf-8")


def _check_free(folder: Path, *, force: bool) -> None:
    if not folder.exists():
        return
    if not folder.is_dir():
        raise FolderTaken(f"{folder} is no folder")
    if any(folder.iterdir()):
        if not force:
            raise FolderTaken(f"{folder} is not empty; take another folder, or --force to replace an archive")
        if not any(all((folder / mark).is_file() for mark in marks) for marks in _MARKS):
            raise FolderTaken(f"{folder} has something else than an archive in it, which --force does not delete")
