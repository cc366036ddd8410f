"""Archives as released versions of pbmd wrote them: the samples of each (`make samples`), kept when it was released.

`python -m tests.ledger.releases` keeps those of this version, beside its ledger.
"""

import shutil
import tarfile
import tomllib
from pathlib import Path
from typing import Any

from pbmd import __version__
from pbmd.edition import ruleset_digest
from pbmd.rules.registry import get, slugs
from tests.archive.samples import FOLDER as SAMPLES

FOLDER = Path(__file__).parent / "old"
ARCHIVED = sorted((path.name for path in FOLDER.iterdir() if path.is_dir()), key=lambda name: [*map(int, name.split("."))])
"""The versions, the oldest first."""


def archives(version: str) -> list[Path]:
    """The archives that a version has left, packed: one of each of its rulesets."""
    return sorted((FOLDER / version).glob("*.tar.xz"))


def about(packed: Path) -> dict[str, Any]:
    """The game.toml of a packed archive."""
    with tarfile.open(packed) as tar:
        file = tar.extractfile(f"{packed.name.partition('.')[0]}/data/game.toml")
        assert file is not None
        return tomllib.loads(file.read().decode())


def foreign_samples() -> list[str]:
    """The rulesets whose samples this version, as it is now, has not played."""
    own = {slug: (__version__, ruleset_digest(get(slug))) for slug in slugs()}
    found = {slug: about(SAMPLES / f"{slug}.tar.xz") for slug in own}
    return [slug for slug, game in found.items() if (game["pbmd"], game["ruleset_digest"]) != own[slug]]


def keep() -> Path:
    """Keep the samples as the archives of this version. Raises `FileExistsError` if there are some."""
    (folder := FOLDER / __version__).mkdir()
    for slug in slugs():
        shutil.copyfile(SAMPLES / f"{slug}.tar.xz", folder / f"{slug}.tar.xz")
    return folder
