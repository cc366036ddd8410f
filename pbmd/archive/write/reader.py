"""An archive read back from its files, a step at a time. The database and the pages of an archive are made from this alone.

It reads what pbmd has written; archives from somebody else are checked first (`pbmd verify`).
"""

import json
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, cast

from pbmd.archive.format.audience import entry_for_audience
from pbmd.archive.format.documents import EntryDocument, EventDocument, GameDocument, Numbers, ResolutionDocument, SheetDocument
from pbmd.ledger.entries.codec import Entry

PUBLIC_REPORT = "public"


@dataclass(frozen=True, slots=True)
class DatedEntry:
    """An entry of the journal: its number, when it was written, its kind, and what it says, None if that is withheld."""

    number: int
    at: str
    kind: str
    content: Entry | None


def dated_entry(line: EntryDocument) -> DatedEntry:
    """The entry in a line of journal.jsonl."""
    public, kind = line.get("public"), line["kind"]
    content = None if public is None else entry_for_audience(kind, public, line.get("secret"))
    return DatedEntry(line["number"], line["at"], kind, content)


@dataclass(frozen=True)
class Turn:
    """The folder of a step; `folder` is its name below ``turns/``. What the archive does not have is empty."""

    path: Path
    folder: str

    @cached_property
    def resolution(self) -> ResolutionDocument:
        """resolution.toml; for the beginning, only step and turn."""
        return cast("ResolutionDocument", _toml(self.path / "resolution.toml") or {"step": -1, "turn": 0})

    @property
    def began(self) -> bool:
        """Whether it is a resolved step, and not the beginning."""
        return "resolved_at" in self.resolution

    @property
    def rolled_back(self) -> bool:
        """Whether the step was taken back."""
        return self.folder.startswith("rolled-back/")

    @property
    def events(self) -> list[EventDocument]:
        """events.json."""
        return _json(self.path / "events.json", [])

    @property
    def sheets(self) -> list[SheetDocument]:
        """sheets.json."""
        return _json(self.path / "sheets.json", [])

    @property
    def numbers(self) -> Numbers:
        """numbers.json."""
        return _json(self.path / "numbers.json", {})

    @property
    def reports(self) -> list[tuple[str, Path]]:
        """The name of each report and its text file, the public one first."""
        found = sorted((self.path / "reports").glob("*.txt"), key=lambda path: _place(path.stem))
        return [(path.stem, path) for path in found]

    @property
    def maps(self) -> list[str]:
        """The names of the reports that have a map, the public one first."""
        return sorted((path.stem for path in (self.path / "maps").glob("*.svg")), key=_place)


@dataclass(frozen=True)
class Archive:
    """The files of an archive, those below ``data/``."""

    payload: Path

    @cached_property
    def game(self) -> GameDocument:
        """game.toml."""
        return cast("GameDocument", _toml(self.payload / "game.toml"))

    def turns(self) -> Iterator[Turn]:
        """The beginning and the resolved steps, in the order in which they were resolved."""
        home = self.payload / "turns"
        paths = [*home.glob("[0-9]*"), *home.glob("rolled-back/*/[0-9]*")]
        numbered = sorted((_number(path), path.relative_to(home).as_posix()) for path in paths)
        for _, folder in numbered:
            yield Turn(home / folder, folder)

    def journal(self) -> Iterator[EntryDocument]:
        """The lines of journal.jsonl."""
        with (self.payload / "journal.jsonl").open(encoding="utf-8") as file:
            for line in file:
                yield json.loads(line)

    def stretches(self) -> Iterator[list[DatedEntry]]:
        """The entries up to each resolution, in the order of the resolutions; finally those that came after the last."""
        entries: list[DatedEntry] = []
        for entry in map(dated_entry, self.journal()):
            entries.append(entry)
            if entry.kind == "resolved":
                yield entries
                entries = []
        yield entries


def _number(path: Path) -> int:
    """The number of a step. Only this line is looked at, since there are many."""
    try:
        with (path / "resolution.toml").open(encoding="utf-8") as file:
            return int(next(line for line in file if line.startswith("step = ")).removeprefix("step = "))
    except FileNotFoundError:
        return -1


def _place(name: str) -> tuple[int, str]:
    return (-1 if name == PUBLIC_REPORT else int(name.partition("-")[0])), name


def _toml(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def _json(path: Path, none: Any) -> Any:
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else none
