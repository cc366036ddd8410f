"""Real mail for tests, kept outside the repository because it is not ours: `PBMD_CORPORA`, or a folder beside the clone."""

import os
from pathlib import Path

import pytest

CORPORA = Path(os.environ.get("PBMD_CORPORA", Path(__file__).parents[3] / "shared" / "corpora"))
needs_corpora = pytest.mark.skipif(
    not CORPORA.is_dir(), reason=f"no real mail at {CORPORA}: set PBMD_CORPORA to a folder of messages to read them all"
)


def messages() -> list[Path]:
    """Every file there, mails and their parts alike: what is no mail must not do harm either."""
    return sorted(path for path in CORPORA.rglob("*") if path.is_file() and path.name != "README.md")


def bounces() -> list[Path]:
    """Bounces, complaints, vacation replies and notices of list programs; the names tell which."""
    return sorted((CORPORA / "sisimai-bounces").glob("*.eml"))


def replies() -> list[tuple[Path, Path | None]]:
    """Bodies of replies, and the file of what the writer wrote there; None if that is nothing."""
    folder = CORPORA / "email_reply_trimmer-discourse"
    bodies = sorted((folder / "emails").iterdir())
    return [(body, expected if (expected := folder / "trimmed" / body.name).exists() else None) for body in bodies]
