"""Every turn of an archive, played again and compared with the files of its folder by the tables of
`pbmd.archive.verify.recomputed`."""

import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import repeat
from typing import Any

from pbmd.archive.format.documents import SheetDocument
from pbmd.archive.format.editions import is_ours, refusals_in
from pbmd.archive.format.entries import Entry
from pbmd.archive.format.findings import JOURNAL, Archive, Findings, Place, Problem, Progress, first_of
from pbmd.archive.format.outline import Stage, StoryError, outline
from pbmd.archive.format.sheets import Letters
from pbmd.archive.replay.story import play
from pbmd.archive.verify.game_facts import Facts
from pbmd.archive.verify.old_end import look_at_old_end
from pbmd.archive.verify.promised_time import Timing
from pbmd.archive.verify.recomputed import (
    OF_A_REPORT,
    OF_A_STEP,
    OF_A_STEP_THEN,
    OF_ITS_LETTERS,
    OF_LETTERS_THEN,
    OF_THE_BEGINNING,
    ReaderStage,
    RecomputedGame,
    Row,
)
from pbmd.archive.verify.vote_counts import VoteCounts
from pbmd.archive.write.orders_file import STEP_KINDS, given_in_steps, orders_seen
from pbmd.archive.write.orders_file import Row as Given
from pbmd.archive.write.turns import file_name
from pbmd.ledger.entries.parts import Orders, WithdrawnMove
from pbmd.ledger.entries.step_entries import ImportedEntry
from pbmd.rendering.picture import drawn_svg, picture_file
from pbmd.rules import PUBLIC, Reader, Ruleset, seat_reader


@dataclass(frozen=True, slots=True)
class Share:
    """Which part of a game's reports one of several processes has to check. All of them play the game, which takes little time
    compared with the reports; the first checks everything else."""

    number: int = 0
    of: int = 1

    @property
    def leads(self) -> bool:
        """Whether it is the first."""
        return self.number == 0

    def has(self, stage: int) -> bool:
        """Whether the reports on that stage belong to this share."""
        return stage % self.of == self.number


@dataclass
class Played:
    """How a game came out. `files` are those that were looked at, None if it could not be played to its end. `places` say where
    each of the problems was found: the number of the stage, and which part of it."""

    files: set[str] | None = None
    places: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])


_BY_ANOTHER = (
    "Another edition of pbmd was at work in turn {}: it wrote its reports and answers in other words, and may have drawn other "
    "maps. Of these nothing but their checksums was checked, and sheets.json was believed which lines it refused. All else was "
    "played again."
)
_STEP, _REPORTS, _LETTERS = range(3)
"""The parts of a stage, in the order in which they are looked at."""


@dataclass(frozen=True, slots=True)
class Onlookers:
    """Those who check something at each entry, with the positions before and after it where the game is played again."""

    timing: Timing
    votes: VoteCounts

    def before(self, entry: Entry, position: Any = None) -> None:
        """An entry comes."""
        self.timing.before(entry, position)
        self.votes.before(entry, position)

    def after(self, entry: Entry, position: Any = None) -> None:
        """It has taken effect."""
        self.timing.after(entry, position)
        if entry.kind == ImportedEntry.kind and position is not None:
            look_at_old_end(entry, self.timing.ruleset, position, self.timing.findings)

    def kept(self, entry: Entry, kept: Orders | WithdrawnMove, position: Any) -> None:
        """Something followed the entry."""
        self.timing.kept(entry, kept, position)

    def say(self) -> None:
        """Report what was checked, and what could not be."""
        self.timing.say()
        self.votes.say()


def check_turns(
    archive: Archive,
    ruleset: Ruleset[Any],
    entries: Callable[[], Iterator[Entry]],
    facts: Facts,
    progress: Progress,
    share: Share = Share(),
) -> Played:
    """Play the game again and note every difference."""
    findings = archive.findings if share.leads else Findings(archive.findings.path)
    played, count = Played(), 0

    def mark(part: int) -> None:
        played.places += repeat((count, part), len(archive.findings.problems) - len(played.places))

    try:
        overview = outline(entries())
        refusals = refusals_in(archive)
        checker = _Checker(archive, RecomputedGame(ruleset, overview, facts, _orders(entries)), share)
        letters = Letters(overview.letters)
        onlookers = Onlookers(Timing(findings, ruleset, played=True), VoteCounts(findings, ruleset))
        for count, stage in enumerate(play(ruleset, entries(), overview, letters, onlookers, refusals)):
            checker.check(stage)
            mark(_STEP)
            checker.check_reports(stage, shown=share.has(count))
            mark(_REPORTS)
            checker.check_letters(letters.settled(stage.entry.number))
            mark(_LETTERS)
            if share.leads:
                findings.count("steps")
            progress("turns", count, len(overview.turns))
        count += 1
        checker.check_letters(letters.settled())
        onlookers.say()
        checker.say()
        played.files = checker.looked_at
    except StoryError as problem:
        findings.add(Problem(JOURNAL, str(problem), str(problem.turn or ""), line=problem.entry))
    except Exception as trouble:  # an archive may be anybody's, and its journal say anything
        told = f"{type(trouble).__name__}: {trouble}"[:300]
        findings.add(Problem(JOURNAL, f"what it tells cannot be held against the files of the turns: {told}"))
    mark(_LETTERS)
    return played


def check_rest(archive: Archive, looked_at: Container[str]) -> None:
    """Files of turns that never existed."""
    for path in archive.files:
        if path.startswith("data/turns/") and path not in looked_at:
            turn = re.sub(r"^data/turns/(.*?)/(?:[^/]+|(?:reports|maps)/[^/]+)$", r"\1", path)
            archive.findings.add(Problem(path, "nothing like it comes out", turn))


def _orders(entries: Callable[[], Iterator[Entry]]) -> Iterator[tuple[int, list[Any]]]:
    """What the rules got in each step, for its orders.toml, from the journal alone."""

    def rows() -> Iterator[Given]:
        for entry in entries():
            if entry.kind in STEP_KINDS and entry.content is not None:
                yield entry.number, entry.kind, entry.at, entry.content

    return given_in_steps(rows(), orders_seen(rows()))


@dataclass
class _Checker:
    """Compares each stage as it came out with the archive. `readers` get reports, by the name of their files. `ours`: this
    edition of pbmd dealt with the last stage; `editions` are the steps that each one dealt with, and whether it was this one
    from beginning to end."""

    archive: Archive
    again: RecomputedGame
    share: Share
    looked_at: set[str] = field(default_factory=set[str])
    left_out: int = 0
    without_map: list[str] = field(default_factory=list[str])
    editions: dict[int, tuple[str, bool]] = field(default_factory=dict[int, tuple[str, bool]])
    ours: bool = True
    places: Mapping[int, str] = field(init=False)
    readers: Mapping[str, Reader] = field(init=False)

    def __post_init__(self) -> None:
        overview = self.again.overview
        self.looked_at |= {f"data/turns/{turn}/{OF_ITS_LETTERS.what}" for turn in overview.folders.values()}
        seats = {f"{number}-{file_name(seat)}": seat_reader(seat) for number, seat in sorted(overview.seats.items())}
        self.places, self.readers = overview.folders, {**seats, "public": PUBLIC}

    def check(self, stage: Stage) -> None:
        """One stage, by the tables."""
        turn, self.again.stage = self.places[stage.step], stage
        before, self.ours = self.ours, is_ours((stage.entry.public or {}).get("edition"))
        self.editions[stage.step] = (turn, before and self.ours)
        for row in OF_THE_BEGINNING if stage.record is None else OF_A_STEP_THEN if stage.refused_then else OF_A_STEP:
            if self.share.leads:
                self._hold(row, row.made(self.again), turn)

    def check_reports(self, stage: Stage, *, shown: bool) -> None:
        """The reports on that stage, if they are `shown` to this process; if not, it only counts what is left out."""
        turn = self.places[stage.step]
        if stage.told is None:
            return
        for name, reader in self.readers.items():
            if reader.seat and self._may_be_left_out(turn, name):
                self.left_out += 1
                continue
            if not shown:
                continue
            if not self.ours or reader.seat in stage.refused_then:
                self._pass_over(turn, name)
                continue
            told = ReaderStage(self.again, reader, self._map(turn, name), has_map=self._has_map(turn, name))
            for row in OF_A_REPORT:
                self._hold(row, row.made(told), turn, name, reader.seat)
            if not told.has_map and told.drawn is not None:
                self.without_map.append(f"{turn}/reports/{name}.html")

    def _has_map(self, turn: str, name: str) -> bool:
        """Whether the page of a report shows a picture; also for a missing page, which is reported as such."""
        page = self.archive.text(f"data/turns/{turn}/reports/{name}.html")
        return page is None or bool(picture_file(page) or drawn_svg(page))

    def _map(self, turn: str, name: str) -> str:
        """The map that the archive has for a reader: their own, or the public one; empty if it has none."""
        own, public = (f"data/turns/{turn}/maps/{each}.svg" for each in (name, "public"))
        return self.archive.text(own if own in self.archive.files else public) or ""

    def check_letters(self, settled: Iterable[tuple[int, list[SheetDocument]]]) -> None:
        """What became of the letters of steps."""
        for step, sheets in settled:
            if (
                self.share.leads and step in self.places
            ):  # nothing is shown of a step that is open, or was when the game was rolled back
                ours = self.editions.get(step, ("", self.ours))[1]
                self._hold(OF_ITS_LETTERS if ours else OF_LETTERS_THEN, sheets, self.places[step])

    def _pass_over(self, turn: str, name: str) -> None:
        """The report of a reader, and its map, which another edition wrote: only that they exist."""
        for row in OF_A_REPORT:
            place = Place(f"data/turns/{turn}/{row.what.format(name)}", turn)
            if place.file in self.archive.files or row.always:
                self.looked_at.add(place.file)
                self.archive.to_be_compared(place)

    def _hold(self, row: Row[Any], made: Any, turn: str, *of: str) -> None:
        """Compare what a row makes for a reader: the name of its files, and the seat."""
        if made is not None:
            name, seat = of or ("", "")
            place = Place(row.what if row.what == JOURNAL else f"data/turns/{turn}/{row.what.format(name)}", turn, seat)
            self.looked_at.add(place.file)
            row.held(self.archive, place, made)

    def _may_be_left_out(self, turn: str, name: str) -> bool:
        """Whether a report is missing that may show a move that waits: the journal of a running game does not have it yet."""
        files = (f"data/turns/{turn}/reports/{name}.{form}" for form in ("txt", "html"))
        return (
            self.again.ruleset.sequential
            and not self.again.facts.over
            and not any(path in self.archive.files for path in files)
        )

    def say(self) -> None:
        """Report how many reports were left out, which have no map, and which were written by another edition."""
        others = [turn for turn, ours in self.editions.values() if not ours]
        if others and self.share.leads:
            self.archive.findings.unchecked.append(_BY_ANOTHER.format(first_of(others)))
        if self.without_map:
            self.archive.findings.unchecked.append(
                f"No map is shown in {first_of(self.without_map)}, though there is one: a report goes out without its map "
                "if that cannot be drawn in time. All else of it was checked."
            )
        if self.left_out and self.share.leads:
            are = "report of a seat is" if self.left_out == 1 else "reports of seats are"
            self.archive.findings.unchecked.append(
                f"{self.left_out} {are} not there, so nothing of it was checked: as long as a game runs, what shows a move "
                "that waits for its time is left out."
            )
