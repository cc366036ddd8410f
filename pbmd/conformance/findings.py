"""What a check yields, and what becomes of it: a finding, with the place in the author's files."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from pbmd.rules.troubles import PlaceInFile


class Wrong(NamedTuple):
    """A broken promise, by its id, and what happened. `at` is the function of the ruleset that is to blame, by its name in
    `Ruleset`, or a place; empty if it is no single one."""

    promise: str
    words: str
    at: str | PlaceInFile = ""


class Broken(Exception):
    """A function of the ruleset did something so wrong that nothing can go on. `hangs`: it had to be stopped."""

    def __init__(self, wrong: Wrong, *, hangs: bool = False) -> None:
        super().__init__(f"{wrong.promise}: {wrong.words}")
        self.wrong = wrong
        self.hangs = hangs


@dataclass(frozen=True, slots=True)
class Finding:
    """A broken promise: what happened first, where in the author's files, in which scene (`scene`, in words), and how often in
    all. `again` is what is needed to repeat the check, as JSON."""

    promise: str
    words: str
    place: PlaceInFile | None
    scene: str
    times: int = 1
    again: Mapping[str, Any] = field(default_factory=dict[str, Any], compare=False)
