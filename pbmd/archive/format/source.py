"""The rules by which a game was played, as an archive includes them: a zip file of the sources whose digest is in its
game.toml.

It is not compressed, so that the same sources give the same bytes with every version of every library, and can be found even by
somebody who has no program for such files. It may be anybody's: it is read in bounded pieces, and nothing in it is run here.
"""

import io
import re
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pbmd.archive.format.seals import PAGE, PATH, PROGRAM
from pbmd.edition import source_of
from pbmd.resources import folder as shipped
from pbmd.rules import Ruleset

LARGEST_SOURCE = 16 << 20
MOST_SOURCES = 2_000
_BROKEN = (zipfile.BadZipFile, EOFError, NotImplementedError, OSError, RuntimeError, UnicodeError, ValueError, OverflowError)
_SLUG = re.compile(r"[a-z][a-z0-9_]{0,59}")
_LONG_AGO = (1980, 1, 1, 0, 0, 0)
"""Zip files cannot store an earlier time."""


class BrokenSource(ValueError):
    """A file that does not contain the source of any rules; the message says why."""


def brought_along() -> dict[str, Path]:
    """The files of pbmd that every archive includes, by their names there."""
    return {PAGE: shipped("templates") / "archive" / PAGE, PROGRAM: shipped("deploy") / PROGRAM}


def packed_source(ruleset: Ruleset[Any]) -> bytes:
    """The sources of a ruleset as a zip file. Raises `OSError`."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as archive:
        for name, content in sorted(source_of(ruleset).items()):
            item = zipfile.ZipInfo(name, _LONG_AGO)
            item.external_attr = 0o100644 << 16
            archive.writestr(item, content)
    return packed.getvalue()


def read_source(path: Path) -> dict[str, bytes]:
    """The sources in such a file, by their names. Raises `BrokenSource`."""
    try:
        if path.stat().st_size > LARGEST_SOURCE:
            raise BrokenSource("it is larger than the source of any rules")
        with zipfile.ZipFile(path) as archive:
            return {item.filename: archive.read(item) for item in _sound(archive.infolist())}
    except BrokenSource:
        raise
    except _BROKEN as problem:
        raise BrokenSource(f"it is no zip file that can be read: {problem}"[:200]) from None


def _sound(items: list[zipfile.ZipInfo]) -> list[zipfile.ZipInfo]:
    if len(items) > MOST_SOURCES or sum(item.file_size for item in items) > LARGEST_SOURCE:
        raise BrokenSource("it has more, or larger, files than the source of any rules")
    names = [item.filename for item in items]
    if len(set(names)) < len(names):
        raise BrokenSource("it has a file twice")
    for item in items:
        if not PATH.fullmatch(item.filename) or ".." in item.filename.split("/") or item.compress_type != zipfile.ZIP_STORED:
            raise BrokenSource(f"it has a file that none has, or compressed: {item.filename[:100]!a}")
    return items


def changed_since(source: Mapping[str, bytes], ruleset: Ruleset[Any]) -> tuple[int, int]:
    """How many files of the rules, and how many of pbmd, differ here from this source."""
    here = source_of(ruleset)
    names = [name for name in source.keys() | here.keys() if source.get(name) != here.get(name)]
    own = sum(name.startswith(("rules/", "reports/")) for name in names)
    return own, len(names) - own


def as_folder(source: Mapping[str, bytes], slug: str, home: Path) -> Path:
    """Write the rules, with the templates of their reports, as the folder of a ruleset, and return that folder. Raises
    `BrokenSource` if the name is unusable, and `OSError`."""
    if not _SLUG.fullmatch(slug):
        raise BrokenSource("no rules are called like that")
    folder = home / slug
    for name, content in source.items():
        kind, _, rest = name.partition("/")
        if kind in ("rules", "reports"):
            place = folder / rest if kind == "rules" else folder / "templates" / "reports" / slug / rest
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(content)
    return folder
