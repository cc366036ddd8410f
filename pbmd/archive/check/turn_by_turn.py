"""Every turn of an archive, played again, held against the files of its folder, byte for byte."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import tomli_w

from pbmd.archive.check.facts import Facts
from pbmd.archive.check.pages import Page, check_page
from pbmd.archive.check.timing import Timing
from pbmd.archive.ground.entries import Entry
from pbmd.archive.ground.findings import JOURNAL, SHOWN, Archive, Problem, Progress
from pbmd.archive.ground.outline import Outline, Stage, StoryError, outline
from pbmd.archive.ground.sheets import Letters
from pbmd.archive.play.story import digest_of, play
from pbmd.archive.write.dice import Bound, dice_of_setup, dice_of_step
from pbmd.archive.write.orders import Row, given_in_steps, orders_document, orders_seen
from pbmd.archive.write.turns import file_name, resolution_document, shown
from pbmd.reports.chart import MapError
from pbmd.reports.picture import inline_svg, map_svg
from pbmd.reports.render import report_html, report_text
from pbmd.rules import GM, PUBLIC, Reader, Ruleset, seat_reader

_SHEETS = "sheets.json"


def check_turns(
    archive: Archive, ruleset: Ruleset[Any], entries: Callable[[], Iterator[Entry]], facts: Facts, progress: Progress
) -> None:
    """Play the game again and note what is not as it comes out."""
    findings = archive.findings
    try:
        overview = outline(entries())
        readers = _readers(overview)
        checker = _Checker(archive, ruleset, overview, readers, _orders(entries), facts)
        letters, timing = Letters(overview.letters), Timing(findings, ruleset, played=True)
        for count, stage in enumerate(play(ruleset, entries(), overview, letters, timing)):
            checker.check(stage)
            checker.check_sheets(letters.settled(stage.entry.number))
            findings.count("steps")
            progress("turns", count, len(overview.turns))
        checker.check_sheets(letters.settled())
        timing.say()
    except StoryError as problem:
        findings.add(Problem(JOURNAL, str(problem), str(problem.turn or ""), line=problem.entry))
        return
    except Exception as trouble:  # an archive may be anybody's, and its journal say anything
        told = f"{type(trouble).__name__}: {trouble}"[:300]
        findings.add(Problem(JOURNAL, f"what it tells cannot be held against the files of the turns: {told}"))
        return
    checker.check_rest()


def _readers(overview: Outline) -> dict[str, Reader]:
    """Who gets reports, by the name of their files."""
    seats = {f"{number}-{file_name(seat)}": seat_reader(seat) for number, seat in sorted(overview.seats.items())}
    return {**seats, "public": PUBLIC}


def _orders(entries: Callable[[], Iterator[Entry]]) -> Iterator[tuple[int, list[Any]]]:
    """What the rules got in each step, for its orders.toml, from the journal alone."""

    def rows() -> Iterator[Row]:
        for entry in entries():
            yield entry.number, entry.kind, entry.at, entry.public or {}, entry.secret or {}

    return given_in_steps(rows(), orders_seen(rows()))


@dataclass
class _Checker:
    """Holds each step as it came out against its folder."""

    archive: Archive
    ruleset: Ruleset[Any]
    overview: Outline
    readers: Mapping[str, Reader]
    orders: Iterator[tuple[int, list[Any]]]
    facts: Facts
    bound: Bound = field(default_factory=Bound)
    looked_at: set[str] = field(default_factory=set[str])
    left_out: int = 0
    places: Mapping[int, str] = field(init=False)

    def __post_init__(self) -> None:
        self.places = self.overview.folders

    def check(self, stage: Stage) -> None:
        """One step."""
        turn = self.places[stage.step]
        if stage.record is None:
            assert stage.setup is not None
            after: Any = stage.setup.position
            if stage.setup.secret:
                self._compare(turn, "dice.json", _json(dice_of_setup(stage.setup)))
        else:
            after = json.loads(stage.record.after)
            self._check_step(stage, turn)
        self._compare(turn, "after.toml", tomli_w.dumps(shown(self.ruleset, after)))
        self._compare(turn, "numbers.json", _json(self._numbers(stage, after)))
        if stage.told is not None:
            self._check_reports(stage, turn)

    def _check_step(self, stage: Stage, turn: str) -> None:
        record = stage.record
        assert record is not None
        self._check_entry(stage, turn)
        self._check_end(stage, turn)
        number, given = next(self.orders)
        assert number == stage.step, "the journal has the steps in their order"
        marks = self.ruleset.info.timing == "sequential"
        mailed = orders_document(given, marks_deadlines=marks, without=stage.ahead)
        self._compare(turn, "orders.toml", tomli_w.dumps(mailed, multiline_strings=True))
        self._compare(turn, "position.toml", tomli_w.dumps(shown(self.ruleset, stage.begins, stage.ahead)))
        self._compare(turn, "resolution.toml", tomli_w.dumps(resolution_document(record, with_rolls=True)))
        dice, self.bound = dice_of_step(self.ruleset, record, self.overview.seats.items(), self.bound)
        self._compare(turn, "dice.json", _json(dice))
        self._compare(turn, "events.json", _json(json.loads(record.events)))

    def check_sheets(self, settled: Iterable[tuple[int, list[dict[str, Any]]]]) -> None:
        """What became of the letters of steps."""
        for step, sheets in settled:
            if step in self.places:  # of a step that is open, or was when the game was rolled back, nothing is shown
                self._compare(self.places[step], _SHEETS, _json(sheets))

    def _check_entry(self, stage: Stage, turn: str) -> None:
        """What the journal itself says of the step."""
        record, secret = stage.record, stage.entry.secret or {}
        assert record is not None
        came = {"position": digest_of(self.ruleset, stage.position), "dice": json.loads(record.dice)}
        for key, value in came.items():
            self.archive.findings.count("compared")
            if secret.get(key) != value:
                words = {"position": "the digest of the position after the step", "dice": "the rolls"}[key]
                problem = f"{words} in entry {stage.entry.number} is not what comes out"
                found = json.dumps(secret.get(key))[:SHOWN]
                line = stage.entry.number
                self.archive.findings.add(Problem(JOURNAL, problem, turn, "", line, json.dumps(value)[:SHOWN], found))

    def _check_reports(self, stage: Stage, turn: str) -> None:
        rules, events = self.ruleset, stage.told or ()
        awaiting = set(rules.awaiting(stage.position)) if stage.outcome is None else set[str]()
        for name, reader in self.readers.items():
            if reader.seat and self._may_be_left_out(turn, name):
                self.left_out += 1
                continue
            view = rules.view(stage.position, events, reader)
            self._compare(turn, f"reports/{name}.txt", report_text(rules, view), reader.seat)
            try:
                picture = map_svg(view)
            except MapError:
                picture = None  # the desk does not let a report wait for a map that cannot be drawn, either
            body = report_html(rules, view, inline_svg(picture) if picture else "")
            page = f"reports/{name}.html"
            if reader is PUBLIC:
                self._compare(turn, page, body)
            else:
                path = self._path(turn, page)
                form = rules.order_form(stage.position, reader.seat) if reader.seat in awaiting else ""
                told = Page(self.archive.findings.game, reader.seat, body, form)
                check_page(self.archive, rules, stage, told, path, self.facts)
            if picture:
                self._compare(turn, f"maps/{name}.svg", picture, reader.seat)

    def _may_be_left_out(self, turn: str, name: str) -> bool:
        """Whether a report is not there that may show a move that waits: a running game's journal has none yet."""
        files = (f"data/turns/{turn}/reports/{name}.{form}" for form in ("txt", "html"))
        return self.ruleset.sequential and not self.facts.over and not any(path in self.archive.files for path in files)

    def _numbers(self, stage: Stage, after: Mapping[str, Any]) -> Mapping[str, Any]:
        """What a report on the step alone would count for the game master."""
        events = stage.events if stage.record is not None else ()
        position = self.ruleset.load(shown(self.ruleset, after))
        return self.ruleset.view(position, events, GM).data.get("numbers", {})

    def _check_end(self, stage: Stage, turn: str) -> None:
        """Whether the journal says that the game is over where the rules say so, and what they say of it."""
        number, public = self.facts.ends.get(stage.entry.number, (0, None))
        if number and public is None:
            return  # it is withheld, which is said
        came = None if stage.outcome is None else {"winners": list(stage.outcome.winners), "reason": stage.outcome.reason}
        abandoned = bool(public and public.get("abandoned"))
        self.archive.findings.count("compared")
        if abandoned and came is None and public and public.get("winners") == []:
            return
        if came != public:
            said, problem = json.dumps(public)[:SHOWN], "how the game ended is not what comes out"
            line = number or stage.entry.number
            self.archive.findings.add(Problem(JOURNAL, problem, turn, "", line, json.dumps(came)[:SHOWN], said))

    def _path(self, turn: str, name: str) -> str:
        path = f"data/turns/{turn}/{name}"
        self.looked_at.add(path)
        return path

    def _compare(self, turn: str, name: str, expected: str, seat: str = "") -> None:
        self.archive.compare(self._path(turn, name), expected, turn, seat)

    def check_rest(self) -> None:
        """Files of turns that never were, and how many were left out."""
        known = {f"data/turns/{turn}/{_SHEETS}" for turn in self.places.values()}
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


def _json(document: Mapping[str, Any] | Iterable[Any]) -> str:
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"
