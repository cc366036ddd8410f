"""What a check yields, and what is made of it: a finding, with the place in the author's files."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple


class Place(NamedTuple):
    """A line, from 1, of a file of a ruleset; `within` is the function, empty in templates and outside of all functions."""

    file: str
    line: int
    within: str = ""

    @property
    def words(self) -> str:
        """As it is told, the file from the current folder on if it is below that."""
        path = Path(self.file)
        shown = path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path
        return f"{shown}, line {self.line}" + (f", in {self.within}" if self.within else "")


class Wrong(NamedTuple):
    """A promise that is not kept, by its id, and what happened. `at` is the function of the ruleset that is to blame, by its name
    in `Ruleset`, or a place; empty if it is none of them alone."""

    promise: str
    words: str
    at: str | Place = ""


class Broken(Exception):
    """A function of the ruleset did what it must not, so that there is nothing to go on with."""

    def __init__(self, wrong: Wrong) -> None:
        super().__init__(f"{wrong.promise}: {wrong.words}")
        self.wrong = wrong


@dataclass(frozen=True, slots=True)
class Finding:
    """A promise that is not kept: what happened first, where in the author's files, in which scene (`scene`, in words), and how
    often in all. `again` is what it takes to make that check once more, as JSON."""

    promise: str
    words: str
    place: Place | None
    scene: str
    times: int = 1
    again: Mapping[str, Any] = field(default_factory=dict[str, Any], compare=False)
