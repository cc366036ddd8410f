"""Every turn of an archive, played again, held against the files of its folder by the tables of `pbmd.archive.check.again`."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from pbmd.archive.check.again import OF_A_REPORT, OF_A_STEP, OF_ITS_LETTERS, OF_THE_BEGINNING, Again, Row, Told
from pbmd.archive.check.facts import Facts
from pbmd.archive.check.timing import Timing
from pbmd.archive.ground.entries import Entry
from pbmd.archive.ground.findings import JOURNAL, Archive, Place, Problem, Progress
from pbmd.archive.ground.outline import Stage, StoryError, outline
from pbmd.archive.ground.sheets import Letters
from pbmd.archive.play.story import play
from pbmd.archive.write.orders import Row as Given
from pbmd.archive.write.orders import given_in_steps, orders_seen
from pbmd.archive.write.turns import file_name
from pbmd.rules import PUBLIC, Reader, Ruleset, seat_reader


def check_turns(
    archive: Archive, ruleset: Ruleset[Any], entries: Callable[[], Iterator[Entry]], facts: Facts, progress: Progress
) -> None:
    """Play the game again and note what is not as it comes out."""
    findings = archive.findings
    try:
        overview = outline(entries())
        checker = _Checker(archive, Again(ruleset, overview, facts, _orders(entries)))
        letters, timing = Letters(overview.letters), Timing(findings, ruleset, played=True)
        for count, stage in enumerate(play(ruleset, entries(), overview, letters, timing)):
            checker.check(stage)
            checker.check_letters(letters.settled(stage.entry.number))
            findings.count("steps")
            progress("turns", count, len(overview.turns))
        checker.check_letters(letters.settled())
        timing.say()
    except StoryError as problem:
        findings.add(Problem(JOURNAL, str(problem), str(problem.turn or ""), line=problem.entry))
        return
    except Exception as trouble:  # an archive may be anybody's, and its journal say anything
        told = f"{type(trouble).__name__}: {trouble}"[:300]
        findings.add(Problem(JOURNAL, f"what it tells cannot be held against the files of the turns: {told}"))
        return
    checker.check_rest()


def _orders(entries: Callable[[], Iterator[Entry]]) -> Iterator[tuple[int, list[Any]]]:
    """What the rules got in each step, for its orders.toml, from the journal alone."""

    def rows() -> Iterator[Given]:
        for entry in entries():
            yield entry.number, entry.kind, entry.at, entry.public or {}, entry.secret or {}

    return given_in_steps(rows(), orders_seen(rows()))


@dataclass
class _Checker:
    """Holds each stage as it came out against the archive. `readers` get reports, by the name of their files."""

    archive: Archive
    again: Again
    looked_at: set[str] = field(default_factory=set[str])
    left_out: int = 0
    places: Mapping[int, str] = field(init=False)
    readers: Mapping[str, Reader] = field(init=False)

    def __post_init__(self) -> None:
        overview = self.again.overview
        seats = {f"{number}-{file_name(seat)}": seat_reader(seat) for number, seat in sorted(overview.seats.items())}
        self.places, self.readers = overview.folders, {**seats, "public": PUBLIC}

    def check(self, stage: Stage) -> None:
        """One stage, by the tables."""
        turn, self.again.stage = self.places[stage.step], stage
        for row in OF_THE_BEGINNING if stage.record is None else OF_A_STEP:
            self._hold(row, row.made(self.again), turn)
        if stage.told is None:
            return
        for name, reader in self.readers.items():
            if reader.seat and self._may_be_left_out(turn, name):
                self.left_out += 1
                continue
            told = Told(self.again, reader)
            for row in OF_A_REPORT:
                self._hold(row, row.made(told), turn, name, reader.seat)

    def check_letters(self, settled: Iterable[tuple[int, list[dict[str, Any]]]]) -> None:
        """What became of the letters of steps."""
        for step, sheets in settled:
            if step in self.places:  # of a step that is open, or was when the game was rolled back, nothing is shown
                self._hold(OF_ITS_LETTERS, OF_ITS_LETTERS.made(sheets), self.places[step])

    def _hold(self, row: Row[Any], made: Any, turn: str, *of: str) -> None:
        """What is made by a row, of a reader: the name of its files, and the seat."""
        if made is not None:
            name, seat = of or ("", "")
            place = Place(row.what if row.what == JOURNAL else f"data/turns/{turn}/{row.what.format(name)}", turn, seat)
            self.looked_at.add(place.file)
            row.held(self.archive, place, made)

    def _may_be_left_out(self, turn: str, name: str) -> bool:
        """Whether a report is not there that may show a move that waits: a running game's journal has none yet."""
        files = (f"data/turns/{turn}/reports/{name}.{form}" for form in ("txt", "html"))
        return (
            self.again.ruleset.sequential
            and not self.again.facts.over
            and not any(path in self.archive.files for path in files)
        )

    def check_rest(self) -> None:
        """Files of turns that never were, and how many were left out."""
        known = {f"data/turns/{turn}/{OF_ITS_LETTERS.what}" for turn in self.places.values()}
        for path in self.archive.files:
            if path.startswith("data/turns/") and path not in self.looked_at and path not in known:
                turn = re.sub(r"^data/turns/(.*?)/(?:[^/]+|(?:reports|maps)/[^/]+)$", r"\1", path)
                self.archive.findings.add(Problem(path, "nothing like it comes out", turn))
        if self.left_out:
            are = "report of a seat is" if self.left_out == 1 else "reports of seats are"
            self.archive.findings.unchecked.append(
                f"{self.left_out} {are} not there, so nothing of it was checked: as long as a game runs, what shows a move "
                "that waits for its time is left out."
            )
