"""Which version of which rules a game is played by, and of the other code that makes its reports and the files of its
archive."""

import hashlib
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from pbmd.resources import folder
from pbmd.rules import Ruleset

EDITION = 2
"""Raised by each release that changes the words or drawings in reports and answers of a running game, or reads orders that it
could not read before. The journal has it with every step; where it has none, it was 1 (pbmd 1.0)."""
_SUFFIXES = frozenset({".py", ".toml", ".lark", ".j2", ".css", ".js", ".sql", ".json"})
"""The files that can change how a game goes or how a report looks; handbooks cannot."""
_BESIDE = frozenset({"tests", "stories", "pyproject.toml"})
"""Files in the folder of a ruleset that play no part in its games."""
_CODE = ("rules", "rendering", "archive", "ledger/entries")
"""The folders of pbmd that make positions, events, reports and the files of archives for all rulesets."""


def ruleset_version(ruleset: Ruleset[Any]) -> str:
    """`version` of ``ruleset.toml``, empty if it has none."""
    content = tomllib.loads((ruleset.info.folder / "ruleset.toml").read_text(encoding="utf-8"))
    return str(content.get("version", ""))


def ruleset_digest(ruleset: Ruleset[Any]) -> str:
    """SHA-256, in hex, over the names and contents of the ruleset's files, of the templates of its reports, and of the code and
    templates that all rulesets share. Raises `OSError`."""
    return digest_of_source(source_of(ruleset))


def digest_of_source(source: Mapping[str, bytes]) -> str:
    """The same from the contents of these files, by their names."""
    sums = {name: hashlib.sha256(content).hexdigest() for name, content in source.items()}
    return hashlib.sha256("".join(f"{name}\0{sums[name]}\n" for name in sorted(sums)).encode()).hexdigest()


def source_of(ruleset: Ruleset[Any]) -> dict[str, bytes]:
    """The contents of the files that a ruleset's digest covers, by their names in it. Raises `OSError`."""
    slug, rules = ruleset.info.slug, Path(str(ruleset.info.folder))
    own = {name: path for name, path in _below("rules", rules) if name.split("/")[1] not in _BESIDE}
    reports = _below("reports", folder("templates") / "reports" / slug)
    return {name: path.read_bytes() for name, path in (*own.items(), *reports)} | _of_all_rulesets()


@cache
def _of_all_rulesets() -> dict[str, bytes]:
    """Those of pbmd itself, read once: a process goes on with the code that it began with."""
    templates, pbmd = folder("templates"), Path(str(files("pbmd")))
    found = dict(_below("templates/archive", templates / "archive"))
    for name in _CODE:
        found |= _below(f"pbmd/{name}", pbmd / name)
    shared = ("mail/report.html.j2", "dashboard/charts.html.j2", "dashboard/style.css")
    for path in (*(templates / "reports").glob("*.j2"), *(templates / name for name in shared)):
        found[f"templates/{path.relative_to(templates).as_posix()}"] = path
    found |= {f"pbmd/{name}": pbmd / name for name in ("adjudicate.py", "rendering/charts.py")}
    return {name: path.read_bytes() for name, path in found.items()}


def _below(kind: str, place: Path) -> Iterator[tuple[str, Path]]:
    for path in place.rglob("*"):
        if path.suffix in _SUFFIXES and path.is_file():
            yield f"{kind}/{path.relative_to(place).as_posix()}", path
