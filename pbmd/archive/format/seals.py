"""Whether a bag (RFC 8493) is whole, and if not, which file is to blame.

`bagit` says that something is wrong; an archive must say what. Each file has two digests, in two manifests: if both are wrong,
the file was changed, and if only one is, the manifest was. Anything that is not a plain file below the folder (a link, a
device), a name that leads out of it, and a file that no manifest has make a bag that is not read any further.
"""

import hashlib
import os
import re
import stat
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from pbmd.archive.format.limits import DEEPEST, LARGEST_ARCHIVE, LARGEST_TEXT, MOST_FILES

_CHUNK = 1 << 20
_ALGORITHMS = {"sha256": 64, "sha512": 128}
"""Both are required; how many hex digits each has."""
_MANIFESTS = tuple(f"manifest-{name}.txt" for name in _ALGORITHMS)
_TAG_MANIFESTS = tuple(f"tagmanifest-{name}.txt" for name in _ALGORITHMS)
PAGE, PROGRAM, SOURCE = "FORMAT.md", "verify.py", "rules.zip"
"""What an archive includes for readers without pbmd: its format in words, a program that checks it, and its rules."""
DECLARED, DESCRIBED = "bagit.txt", "bag-info.txt"
MANIFESTS = (*_MANIFESTS, *_TAG_MANIFESTS)
TAG_FILES = frozenset({DECLARED, DESCRIBED, PAGE, PROGRAM, SOURCE, *MANIFESTS})
"""Everything beside the payload."""
DECLARATION = b"BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n"
PATH = re.compile(r"[\w.-]+(?:/[\w.-]+)*", re.ASCII)
"""What the files of an archive are called."""
_LINE = re.compile(rb"([0-9a-f]+) {1,2}([\w.-]+(?:/[\w.-]+)*)")


@dataclass(frozen=True, slots=True)
class Damage:
    """What is wrong with the file at `path`; `line` is that of a manifest, 0 if no line is to blame."""

    path: str
    problem: str
    line: int = 0


class NotReadable(ValueError):
    """A folder that is no archive, or one that it would be unwise to read; the message says why."""


def files_of(folder: Path) -> dict[str, int]:
    """All files of the bag with their sizes, by their paths in it. Raises `NotReadable`, also if it is larger than any archive,
    and `OSError`."""
    if not stat.S_ISDIR(os.lstat(folder).st_mode):
        raise NotReadable(f"{folder} is no folder")
    found: dict[str, int] = {}
    for name, size in _walk(folder, ""):
        found[name] = size
        if len(found) > MOST_FILES:
            raise NotReadable(f"there are more than {MOST_FILES} files in it")
    if sum(found.values()) > LARGEST_ARCHIVE:
        largest = max(found, key=lambda name: found[name])
        raise NotReadable(
            f"its files have {sum(found.values()):,} bytes, and {largest} alone {found[largest]:,}; no archive has more than "
            f"{LARGEST_ARCHIVE:,}, so nothing in it was read"
        )
    return found


def is_of_system(path: str) -> bool:
    """Whether a file is none of an archive, but one that systems put into folders that somebody has looked into, such as
    .DS_Store."""
    return "/." in f"/{path}"


def _walk(folder: Path, prefix: str) -> Iterator[tuple[str, int]]:
    with os.scandir(folder) as there:
        for item in sorted(there, key=lambda item: item.name):
            name = prefix + item.name
            if is_of_system(item.name):
                continue
            if not PATH.fullmatch(name) or "\n" in name:
                raise NotReadable(f"it has a file with a name that no archive has: {name!a}")
            about = item.stat(follow_symlinks=False)
            if stat.S_ISDIR(about.st_mode):
                if name.count("/") >= DEEPEST:
                    raise NotReadable("it has folders in folders in folders, deeper than any archive")
                yield from _walk(Path(item.path), f"{name}/")
            elif stat.S_ISREG(about.st_mode):
                yield name, about.st_size
            else:
                raise NotReadable(f"{name} is a link or no file at all, and an archive has only files")


def damages(folder: Path, files: Mapping[str, int], done: Callable[[], None]) -> list[Damage]:
    """What is wrong with the bag; nothing if it is whole. `done` is called for each file.

    Raises `NotReadable` for a folder that is no bag, and `OSError`.
    """
    for needed in (DECLARED, *MANIFESTS):
        if needed not in files:
            raise NotReadable(f"it has no {needed}, so it is not the bag that an archive is")
        if files[needed] > LARGEST_TEXT:
            raise NotReadable(f"{needed} is larger than any manifest")
    found: list[Damage] = []
    digests: dict[str, tuple[str, ...]] = {}
    for path in files:
        digests[path] = _digests(folder / path)
        done()
    if (folder / DECLARED).read_bytes()[: len(DECLARATION) + 1] != DECLARATION:
        found.append(Damage(DECLARED, "it is not the declaration of a bag of version 1.0"))
    tags = [path for path in files if not path.startswith("data/") and path not in _TAG_MANIFESTS]
    found += _compared(folder, _TAG_MANIFESTS, {path: digests[path] for path in tags})
    payload = [path for path in files if path.startswith("data/")]
    found += _compared(folder, _MANIFESTS, {path: digests[path] for path in payload})
    unique: dict[str, Damage] = {}
    for damage in found:
        unique.setdefault(damage.path, damage)
    return list(unique.values())


def _compared(folder: Path, names: tuple[str, ...], digests: Mapping[str, tuple[str, ...]]) -> list[Damage]:
    """What two manifests and the files listed there say about each other."""
    found: list[Damage] = []
    listed: list[dict[str, str]] = []
    for name, length in zip(names, _ALGORITHMS.values(), strict=True):
        content, problems = _listed(folder / name, name, length)
        found += problems
        listed.append(content)
    for path in sorted(digests.keys() | listed[0].keys() | listed[1].keys()):
        said = [content.get(path) for content in listed]
        if path not in digests:
            found += _missing(path, names, said)
        else:
            wrong = [name for name, is_said, own in zip(names, said, digests[path], strict=True) if is_said != own]
            if len(wrong) == len(names):
                what = "no manifest has it" if said == [None, None] else "it is not what was written: its checksums are others"
                found.append(Damage(path, what))
            elif wrong:
                found.append(Damage(wrong[0], f"its checksum of {path} is wrong, or missing"))
    return found


def _missing(path: str, names: tuple[str, ...], said: list[str | None]) -> list[Damage]:
    if None not in said:
        return [Damage(path, "it is missing")]
    name = next(name for name, is_said in zip(names, said, strict=True) if is_said is not None)
    return [Damage(name, f"it has a checksum of a file {path[:200]!a}, which is not there")]


def _listed(path: Path, name: str, length: int) -> tuple[dict[str, str], list[Damage]]:
    """The content of a manifest: the path of a file → its digest."""
    content: dict[str, str] = {}
    problems: list[Damage] = []
    lines = path.read_bytes().split(b"\n")
    if lines.pop() != b"":
        problems.append(Damage(name, "its last line is not a whole one", len(lines) + 1))
    for number, line in enumerate(lines, 1):
        found = _LINE.fullmatch(line)
        text = found[2].decode() if found else ""
        if found is None or len(found[1]) != length or ".." in text.split("/"):
            problems.append(Damage(name, "a line of it is not a checksum, a blank or two, and the path of a file", number))
        elif text in content:
            problems.append(Damage(name, f"it has {text} twice", number))
        else:
            content[text] = found[1].decode()
    return content, problems


def _digests(path: Path) -> tuple[str, ...]:
    made = [hashlib.new(name) for name in _ALGORITHMS]
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            for each in made:
                each.update(chunk)
    return tuple(each.hexdigest() for each in made)
