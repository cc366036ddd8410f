"""Which version of which rules a game was played by."""

import hashlib
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pbmd.resources import folder
from pbmd.rules import Ruleset

_SUFFIXES = frozenset({".py", ".toml", ".lark", ".j2"})
"""Of the files that can change how a game goes or how a report looks; handbooks cannot."""


def ruleset_version(ruleset: Ruleset[Any]) -> str:
    """`version` of ``ruleset.toml``, empty if it has none."""
    content = tomllib.loads((ruleset.info.folder / "ruleset.toml").read_text(encoding="utf-8"))
    return str(content.get("version", ""))


def ruleset_digest(ruleset: Ruleset[Any]) -> str:
    """SHA-256, in hex, over the names and contents of the ruleset's files and of the templates of its reports."""
    digest = hashlib.sha256()
    for name, path in sorted(_files(ruleset)):
        digest.update(f"{name}\0{hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return digest.hexdigest()


def _files(ruleset: Ruleset[Any]) -> Iterator[tuple[str, Path]]:
    places = {"rules": Path(str(ruleset.info.folder)), "reports": folder("templates") / "reports" / ruleset.info.slug}
    for kind, place in places.items():
        for path in place.rglob("*"):
            if path.suffix in _SUFFIXES and path.is_file():
                yield f"{kind}/{path.relative_to(place).as_posix()}", path
