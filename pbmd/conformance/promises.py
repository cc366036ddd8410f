"""What the protocol promises of a ruleset, each promise by a stable id: the table is ``promises.toml``."""

import tomllib
from collections.abc import Mapping
from importlib.resources import files
from typing import NamedTuple


class Promise(NamedTuple):
    """What pbmd relies on, as a sentence, and how to mend a ruleset that breaks it."""

    kept: str
    mend: str


def _read() -> Mapping[str, Promise]:
    text = (files("pbmd.conformance") / "promises.toml").read_text(encoding="utf-8")
    return {key: Promise(**entry) for key, entry in tomllib.loads(text).items()}


PROMISES = _read()
"""In the order in which they are reported."""

_SUBJECTS = {
    "the code": ("code",),
    "the folder": ("ruleset", "toml", "files", "functions", "stories"),
    "position documents": ("document",),
    "how a game begins": ("setup", "options", "signup"),
    "orders": ("verdict", "receipt", "canonical", "orders", "sheet", "withdraw"),
    "forms and random players": ("form", "random"),
    "the course of a game": (
        "seats",
        "awaiting",
        "miss",
        "waits",
        "step",
        "turn",
        "outcome",
        "places",
        "reveal",
        "rulings",
        "resign",
        "take-over",
        "disorder",
        "press",
    ),
    "what is told": ("view", "event", "template", "map", "numbers", "you", "stand", "happened", "imagine"),
    "secrecy": ("secret",),
}
SUBJECTS: Mapping[str, tuple[str, ...]] = {
    subject: tuple(key for key in PROMISES if key.partition(".")[0] in heads) for subject, heads in _SUBJECTS.items()
}
"""What the promises are about, with the ids for each subject."""
