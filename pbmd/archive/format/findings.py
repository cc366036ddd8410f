"""What is found about an archive, and its files, which may be anybody's: read by fixed names, in bounded pieces."""

import tomllib
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple, cast

from pbmd.archive.format.documents import ForeignGame
from pbmd.archive.format.entries import Entry
from pbmd.archive.format.limits import LARGEST_TEXT
from pbmd.archive.format.seals import PAGE, NotReadable
from pbmd.post.blank import Blanker
from pbmd.rendering.picture import picture_file, picture_within

FORMAT = 4
"""The format that archives are written in."""
_READ = (2, 3, FORMAT)
"""The formats that can be read: what is new in format 3 are entries of the journal, in which a game may have steps of both
kinds; format 4 has new files beside the payload."""
BESIDE = 4
"""The first format with them."""
JOURNAL, GAME = "data/journal.jsonl", "data/game.toml"
SHOWN = 160
"""In characters: how much of a line is shown."""
MOST_PROBLEMS = 100
"""This many problems are stored; the rest is only counted."""
_LONGEST_VERSION = 300
_MOST_NAMED = 5
BLANK = Blanker(())
"""Blanks anything written like a token, as archives do."""


Progress = Callable[[str, int, int], None]
"""Gets what is being checked, how much of it is done, and out of how much."""


class Place(NamedTuple):
    """A file, by its path in the bag, and the turn and seat that it belongs to, if any."""

    file: str
    turn: str = ""
    seat: str = ""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is not as it should be. `file` is the path in the bag; `line`, if any, the first that differs, and
    `expected` and `found` what it should be and what it is."""

    file: str
    problem: str
    turn: str = ""
    seat: str = ""
    line: int = 0
    expected: str = ""
    found: str = ""

    def __str__(self) -> str:
        place = ", ".join(
            [*([f"turn {self.turn}"] if self.turn else []), *([self.seat] if self.seat else []), self.file]
            + ([f"line {self.line}"] if self.line else [])
        )
        told = f"{place}: {self.problem}"
        if self.expected or self.found:
            told += f"\n    comes out as: {self.expected}\n    the archive has: {self.found}"
        return told


@dataclass
class Findings:
    """What was found. `checked` counts what was; `unchecked` says in sentences what could not be, `unbound` what is shown
    though the chain does not hold it, and `disputed` which other histories of the game players have mail about. `unnamed`
    counts the problems beyond those that are stored. `needs` is the version to verify the archive with, if it is a different
    one and something came out differently. `missing` says in a sentence that the rules of the game are not at hand, so that
    nothing is known about its turns, and `changed` that those at hand differ from those inside. `whole`: every turn was played
    again from the journal. `signed` says up to which entry the host has signed it, and `vouched` who else did, and up to
    where."""

    path: str
    game: str = ""
    ruleset: str = ""
    view: str = ""
    head: str = ""
    checked: dict[str, int] = field(default_factory=dict[str, int])
    unchecked: list[str] = field(default_factory=list[str])
    unbound: list[str] = field(default_factory=list[str])
    disputed: list[str] = field(default_factory=list[str])
    problems: list[Problem] = field(default_factory=list[Problem])
    unnamed: int = 0
    whole: bool = False
    needs: str = ""
    missing: str = ""
    signed: str = ""
    vouched: list[str] = field(default_factory=list[str])
    changed: str = ""

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong, and everything could be looked at."""
        return not self.problems and not self.missing

    @property
    def remarks(self) -> tuple[str, ...]:
        """What needs saying even if nothing is wrong."""
        return (*self.unchecked, *self.unbound, *self.disputed)

    def count(self, what: str) -> None:
        """Count one more as checked."""
        self.checked[what] = self.checked.get(what, 0) + 1

    def add(self, problem: Problem) -> None:
        """Add a problem. The archive's own words are made harmless: they may be control codes for a terminal."""
        if len(self.problems) >= MOST_PROBLEMS:
            self.unnamed += 1
            return
        texts = {key: plain(text) for key, text in asdict(problem).items() if isinstance(text, str)}
        self.problems.append(replace(problem, **texts))

    def blame(self, entry: Entry, problem: str) -> None:
        """Add what is wrong with an entry of the journal, in its turn."""
        self.add(Problem(JOURNAL, problem, str((entry.public or {}).get("turn", "")), line=entry.number))

    def document(self) -> dict[str, Any]:
        """Everything, for JSON."""
        return {"ok": self.ok, **asdict(self)}


def plain(text: str) -> str:
    """The text without the characters that a terminal would obey instead of show."""
    return "".join("\N{REPLACEMENT CHARACTER}" if _is_control(character) else character for character in text)


def _is_control(character: str) -> bool:
    return unicodedata.category(character) in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp") and character != "\n"


@dataclass
class Archive:
    """The files of an archive, by their paths in the bag."""

    folder: Path
    files: Mapping[str, int]
    findings: Findings

    def game(self) -> ForeignGame | None:
        """game.toml, None if it cannot be used."""
        text = self.text(GAME)
        if text is None:
            self.findings.add(Problem(GAME, "it is missing, or too large, or no UTF-8"))
            return None
        try:
            game = tomllib.loads(text)
        except (ValueError, RecursionError) as problem:  # a number may also be too long
            self.findings.add(Problem(GAME, f"it is not TOML: {problem}"))
            return None
        if game.get("format") not in _READ:
            self.findings.needs = made_with(game)
            known = " and ".join(map(str, _READ))
            self.findings.add(Problem(GAME, f"it is of format {game.get('format')!r}, and this pbmd verifies formats {known}"))
            return None
        words = {key: game.get(key) for key in ("name", "ruleset", "view")}
        if not all(isinstance(value, str) for value in words.values()) or not _has_tables(game):
            self.findings.add(
                Problem(GAME, "it does not say which game it is, by which rules, for whom, or with which seats and journal")
            )
            return None
        self.findings.game, self.findings.ruleset, self.findings.view = (plain(str(value)) for value in words.values())
        return cast("ForeignGame", game)

    def text(self, path: str) -> str | None:
        """A file as text, None if it is not there or cannot be read as one."""
        if self.files.get(path, LARGEST_TEXT + 1) > LARGEST_TEXT:
            return None
        try:
            return (self.folder / path).read_bytes().decode("utf-8")
        except UnicodeDecodeError:
            return None

    @property
    def shows_pictures(self) -> bool:
        """Whether its pages load their pictures from files instead of containing them."""
        return PAGE in self.files

    def page(self, path: str) -> str | None:
        """The page of a report with its picture included; None if it cannot be read."""
        text = self.text(path)
        name = picture_file(text) if text else ""
        picture = self.text(f"{path.rpartition('/reports/')[0]}/maps/{name}.svg") if name else None
        return text if text is None or picture is None else picture_within(text, picture)

    def compare(self, place: Place, expected: str, but_for: Callable[[str], str] = str) -> None:
        """Note it if the file is not this text, `but_for` what is taken out of both."""
        found = self.to_be_compared(place)
        if found is None:
            return
        found, expected = but_for(found), but_for(BLANK.text(expected))
        if expected != found:
            self.differs(place, first_difference(expected, found))

    def to_be_compared(self, place: Place) -> str | None:
        """A file that is to be compared with what it should be; None, with a note, if it cannot be."""
        self.findings.count("compared")
        found = self.page(place.file) if place.file.endswith(".html") else self.text(place.file)
        if found is None:
            self.findings.add(Problem(place.file, "it is missing, or too large, or no UTF-8", place.turn, place.seat))
        return found

    def differs(self, place: Place, where: tuple[int, str, str]) -> None:
        """Note a file that is not what it should be: the first line that differs, what it should be, and what it is."""
        line, expected, found = where
        self.findings.add(Problem(place.file, "it comes out differently", *place[1:], line, expected[:SHOWN], found[:SHOWN]))


def first_difference(expected: str, found: str) -> tuple[int, str, str]:
    """The number of the first line of `found` that differs, what it should be, and what it is."""
    wanted, there = expected.split("\n"), found.split("\n")
    for place, (one, other) in enumerate(zip_longest(wanted, there, fillvalue=""), 1):
        if one != other:
            return place, one, other
    return len(there), "", ""


def first_of(names: Sequence[str]) -> str:
    """The first of them, and how many more there are."""
    more = len(names) - _MOST_NAMED
    return ", ".join(names[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def _has_tables(game: Mapping[str, object]) -> bool:
    """Whether the journal and the seats are given as tables."""
    seats: Any = game.get("seats")
    named = isinstance(seats, list) and all(isinstance(seat, dict) and isinstance(seat.get("name"), str) for seat in seats)
    return named and isinstance(game.get("journal"), dict)


def made_with(game: Mapping[str, object]) -> str:
    """What an archive was made with, as its game.toml says."""
    version = f", version {game['ruleset_version']}" if game.get("ruleset_version") else ""
    digest = f" (digest {str(game['ruleset_digest'])[:16]})" if "ruleset_digest" in game else ""
    return plain(f"pbmd {game.get('pbmd')} with {game.get('ruleset')}{version}{digest}")[:_LONGEST_VERSION]


@dataclass(frozen=True, slots=True)
class Head:
    """What game.toml says an archive is."""

    ruleset: str
    view: str
    anonymised: bool


def head_of(folder: Path, files: Mapping[str, int]) -> Head:
    """The head of an archive. Raises `NotReadable` if it has none that can be used."""
    findings = Findings(str(folder))
    game = Archive(folder, files, findings).game()
    if game is None:
        raise NotReadable(f"{folder}: {findings.problems[0]}")
    return Head(findings.ruleset, findings.view, bool(game.get("anonymised")))
