"""What the protocol promises of a ruleset, each promise by a stable id: the table is ``promises.toml``."""

import tomllib
from collections.abc import Mapping
from importlib.resources import files
from typing import NamedTuple


class Promise(NamedTuple):
    """What pbmd relies on, as a sentence, and how to mend a ruleset that does not keep it."""

    kept: str
    mend: str


def _read() -> Mapping[str, Promise]:
    text = (files(__package__) / "promises.toml").read_text(encoding="utf-8")
    return {key: Promise(**entry) for key, entry in tomllib.loads(text).items()}


PROMISES = _read()
"""In the order in which they are told."""
