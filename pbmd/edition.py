"""Which version of which rules a game is played by, and of what else makes its reports and the files of its archive."""

import hashlib
import tomllib
from collections.abc import Iterator, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

from pbmd.resources import folder
from pbmd.rules import Ruleset

_SUFFIXES = frozenset({".py", ".toml", ".lark", ".j2", ".css", ".js", ".sql", ".json"})
"""Of the files that can change how a game goes or how a report looks; handbooks cannot."""
_BESIDE = frozenset({"tests", "pyproject.toml"})
"""What stands in the folder of a ruleset and has no part in its games."""
_CODE = ("rules", "reports", "archive")
"""The folders of pbmd that make positions, events, reports and the files of archives for all rulesets."""


def ruleset_version(ruleset: Ruleset[Any]) -> str:
    """`version` of ``ruleset.toml``, empty if it has none."""
    content = tomllib.loads((ruleset.info.folder / "ruleset.toml").read_text(encoding="utf-8"))
    return str(content.get("version", ""))


def ruleset_digest(ruleset: Ruleset[Any]) -> str:
    """SHA-256, in hex, over the names and contents of the ruleset's files, of the templates of its reports, and of the code and
    templates by which those of all rulesets come out."""
    return digest_of({name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in source_files(ruleset).items()})


def digest_of(sums: Mapping[str, str]) -> str:
    """The same from the SHA-256 of each file, by its name."""
    return hashlib.sha256("".join(f"{name}\0{sums[name]}\n" for name in sorted(sums)).encode()).hexdigest()


def source_files(ruleset: Ruleset[Any]) -> dict[str, Path]:
    """The files over which the digest of a ruleset is made, by the names that they have in it. Raises `OSError`."""
    return dict(_files(ruleset))


def _files(ruleset: Ruleset[Any]) -> Iterator[tuple[str, Path]]:
    templates = folder("templates")
    places = {
        "rules": Path(str(ruleset.info.folder)),
        "reports": templates / "reports" / ruleset.info.slug,
        "templates/archive": templates / "archive",
        **{f"pbmd/{name}": Path(str(files("pbmd"))) / name for name in _CODE},
    }
    for kind, place in places.items():
        for path in place.rglob("*"):
            name = path.relative_to(place)
            if path.suffix in _SUFFIXES and path.is_file() and not (kind == "rules" and name.parts[0] in _BESIDE):
                yield f"{kind}/{name.as_posix()}", path
    shared = ("mail/report.html.j2", "dashboard/charts.html.j2", "dashboard/style.css")
    for path in (*(templates / "reports").glob("*.j2"), *(templates / name for name in shared)):
        yield f"templates/{path.relative_to(templates).as_posix()}", path
    for name in ("adjudicate.py", "dashboard/charts.py"):
        yield f"pbmd/{name}", Path(str(files("pbmd"))) / name
