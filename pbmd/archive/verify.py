"""Whether an archive is what it says: the bag whole, the journal one chain, every commitment kept, and every turn, played again
from the first position with nothing but the journal, the same to the byte.

An archive may be anybody's. It is read by fixed names below its folder, in bounded pieces, and nothing in it is run; a ruleset
that stumbles over what it is given is a finding like any other. Neither ledger nor mail nor network is asked.

What cannot be checked is said: of the views of a seat or of the public all that needs the sealed parts of the journal, and of
each page the words around the report (deadlines, receipts), which the rules do not make.
"""

import json
import re
import tomllib
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import tomli_w
from markupsafe import escape

from pbmd import __version__
from pbmd.archive.alone import resolved_alone
from pbmd.archive.blank import Blanker
from pbmd.archive.dice import Bound, dice_of_setup, dice_of_step
from pbmd.archive.entries import BrokenJournal, Entry, read_entries
from pbmd.archive.orders import Row, given_in_steps, orders_document, orders_seen
from pbmd.archive.rules import ruleset_digest, ruleset_version
from pbmd.archive.seals import NotReadable, damages, files_of
from pbmd.archive.story import Outline, Stage, StoryError, digest_of, outline, play
from pbmd.archive.turns import file_name, resolution_document, shown
from pbmd.reports.chart import MapError
from pbmd.reports.picture import inline_svg, map_svg
from pbmd.reports.render import report_html, report_text
from pbmd.rules import PUBLIC, Reader, Ruleset, commitment, seat_reader
from pbmd.rules.registry import UnknownRuleset

FORMAT = 2
LARGEST_FILE = 64 << 20
"""Bytes of a file that is looked into; letters and the database, which may be larger, are only counted into the checksums."""
_MOST_PROBLEMS = 100
_SHOWN = 160
JOURNAL, GAME = "data/journal.jsonl", "data/game.toml"
_NOT_MADE_BY_RULES = frozenset({"sheets.json", "numbers.json"})
_BLANK = Blanker(())


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
    """What was found. `checked` counts what was; `unchecked` says in sentences what could not be. `needs` is the version to
    verify it with, if it is another and something came out differently."""

    path: str
    game: str = ""
    ruleset: str = ""
    view: str = ""
    head: str = ""
    checked: dict[str, int] = field(default_factory=dict[str, int])
    unchecked: list[str] = field(default_factory=list[str])
    problems: list[Problem] = field(default_factory=list[Problem])
    needs: str = ""

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problems

    def count(self, what: str) -> None:
        """One more was checked."""
        self.checked[what] = self.checked.get(what, 0) + 1

    def add(self, problem: Problem) -> None:
        """Something is wrong. After so many the rest is not kept. What an archive says may be meant for a terminal's eyes."""
        if len(self.problems) < _MOST_PROBLEMS:
            texts = {key: plain(text) for key, text in asdict(problem).items() if isinstance(text, str)}
            self.problems.append(replace(problem, **texts))

    def document(self) -> dict[str, Any]:
        """All of it, for JSON."""
        return {"ok": self.ok, **asdict(self)}


Progress = Callable[[str, int, int], None]
"""Told what is being checked, how much of it is done, and of how much."""


def verify(folder: Path, ruleset_named: Callable[[str], Ruleset[Any]], progress: Progress) -> Findings:
    """Check an archive. Raises `NotReadable` for what is none, and `OSError`; all else is in the findings."""
    findings = Findings(str(folder))
    files = files_of(folder)
    _check_bag(folder, files, findings, progress)
    archive = _Archive(folder, files, findings)
    game = archive.game()
    if game is None:
        return findings
    entries = _check_chain(archive, game, progress)
    if entries is None:
        return findings
    anonymised = bool(game.get("anonymised"))
    if findings.view != "all":
        findings.unchecked.append(
            f"This archive shows what {findings.view} may know, so the orders of all are not in it and no turn can be resolved "
            "again: positions, events, rolls, reports and maps were checked against their checksums only."
        )
        return findings
    try:
        ruleset = ruleset_named(findings.ruleset)
    except UnknownRuleset as problem:
        findings.add(Problem(GAME, f"no turn can be resolved again without its rules: {problem}"))
        findings.needs = _version(game)
        return findings
    before = len(findings.problems)
    if anonymised:
        _check_alone(archive, ruleset, game, entries())
    else:
        _check_turns(archive, ruleset, entries, progress)
    if len(findings.problems) > before and ruleset_digest(ruleset) != game.get("ruleset_digest"):
        findings.needs = f"{_version(game)}; this is {_own_version(ruleset)}"
    return findings


def _version(game: Mapping[str, Any]) -> str:
    """What it was made with."""
    version = f", version {game['ruleset_version']}" if game.get("ruleset_version") else ""
    return plain(f"pbmd {game.get('pbmd')} with {game.get('ruleset')}{version} (digest {str(game.get('ruleset_digest'))[:16]})")


def _own_version(ruleset: Ruleset[Any]) -> str:
    version = f", version {ruleset_version(ruleset)}" if ruleset_version(ruleset) else ""
    return f"pbmd {__version__} with {ruleset.info.slug}{version} (digest {ruleset_digest(ruleset)[:16]})"


def plain(text: str) -> str:
    """The text without characters that a terminal would not show, but obey."""
    return "".join("\N{REPLACEMENT CHARACTER}" if _is_control(character) else character for character in text)


def _is_control(character: str) -> bool:
    return unicodedata.category(character) in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp") and character != "\n"


# The bag and the files in it


def _check_bag(folder: Path, files: Mapping[str, int], findings: Findings, progress: Progress) -> None:
    count = 0

    def done() -> None:
        nonlocal count
        count += 1
        findings.count("files")
        progress("files", count, len(files))

    for damage in damages(folder, files, done):
        findings.add(Problem(damage.path, damage.problem, line=damage.line))


@dataclass
class _Archive:
    """The files of an archive, by their paths in the bag."""

    folder: Path
    files: Mapping[str, int]
    findings: Findings

    def game(self) -> dict[str, Any] | None:
        """game.toml, None if it cannot be used."""
        text = self.text(GAME)
        if text is None:
            self.findings.add(Problem(GAME, "it is missing, or too large, or no UTF-8"))
            return None
        try:
            game = tomllib.loads(text)
        except (tomllib.TOMLDecodeError, RecursionError) as problem:
            self.findings.add(Problem(GAME, f"it is not TOML: {problem}"))
            return None
        if game.get("format") != FORMAT:
            self.findings.add(Problem(GAME, f"it is of format {game.get('format')!r}, and this pbmd verifies format {FORMAT}"))
            return None
        words = {key: game.get(key) for key in ("name", "ruleset", "view")}
        if not all(isinstance(value, str) for value in words.values()) or not isinstance(game.get("journal"), dict):
            self.findings.add(
                Problem(GAME, "it does not say which game it is, by which rules, for whom, or with which journal")
            )
            return None
        self.findings.game, self.findings.ruleset, self.findings.view = (plain(str(value)) for value in words.values())
        return game

    def text(self, path: str) -> str | None:
        """A file as text, None if it is not there or cannot be read as one."""
        if self.files.get(path, LARGEST_FILE + 1) > LARGEST_FILE:
            return None
        try:
            return (self.folder / path).read_bytes().decode("utf-8")
        except UnicodeDecodeError:
            return None

    def compare(self, path: str, expected: str, turn: str, seat: str = "", *, part: bool = False) -> None:
        """Note it if the file is not this text, or, for a `part`, does not have it in one piece."""
        expected = _BLANK.text(expected)
        self.findings.count("compared")
        found = self.text(path)
        if found is None:
            self.findings.add(Problem(path, "it is missing, or too large, or no UTF-8", turn, seat))
        elif (expected not in found) if part else (expected != found):
            line, one, other = _first_difference(expected, found, part=part)
            self.findings.add(Problem(path, "it comes out differently", turn, seat, line, one[:_SHOWN], other[:_SHOWN]))


def _first_difference(expected: str, found: str, *, part: bool) -> tuple[int, str, str]:
    """The number of the first line of `found` that is another, what it should be, and what it is."""
    wanted, there = expected.split("\n"), found.split("\n")
    begin = there.index(wanted[0]) if part and wanted[0] in there else 0
    for place in range(max(len(wanted), len(there) - begin)):
        one = wanted[place] if place < len(wanted) else ""
        other = there[begin + place] if begin + place < len(there) else ""
        if one != other:
            return begin + place + 1, one, other
    return begin + len(there), "", ""


@dataclass(frozen=True, slots=True)
class Head:
    """What game.toml says an archive is."""

    ruleset: str
    view: str
    anonymised: bool


def head_of(folder: Path, files: Mapping[str, int]) -> Head:
    """The head of an archive. Raises `NotReadable` if it has none that can be used."""
    findings = Findings(str(folder))
    game = _Archive(folder, files, findings).game()
    if game is None:
        raise NotReadable(f"{folder}: {findings.problems[0]}")
    return Head(findings.ruleset, findings.view, bool(game.get("anonymised")))


# The chain, and the commitments in it


def _check_chain(archive: _Archive, game: Mapping[str, Any], progress: Progress) -> Callable[[], Iterator[Entry]] | None:
    """Check the journal; gives how to read it again, None if it does not hold."""
    findings, path = archive.findings, archive.folder / JOURNAL
    if JOURNAL not in archive.files:
        findings.add(Problem(JOURNAL, "it is missing"))
        return None
    said = game["journal"]
    total = said["entries"] if isinstance(said.get("entries"), int) else 0
    count, commitments = 0, _Commitments(findings)
    try:
        for entry in read_entries(path):
            count, findings.head = entry.number, entry.hash
            findings.count("entries")
            if not entry.sure or entry.public is None:
                findings.count("entries of which not all is shown")
            commitments.take(entry)
            progress("journal", count, total)
    except BrokenJournal as problem:
        findings.add(Problem(JOURNAL, str(problem), line=problem.line))
        findings.unchecked.append("No turn was resolved again, since the journal does not hold.")
        return None
    if (count, findings.head) != (said.get("entries"), said.get("head")):
        wanted = f"{said.get('entries')} entries with the head {said.get('head')}"
        findings.add(
            Problem(GAME, "its journal has another head", expected=f"{count} entries with {findings.head}", found=wanted)
        )
    return lambda: read_entries(path)


@dataclass
class _Commitments:
    """Whether each dice secret that the journal opens is the one that was promised before."""

    findings: Findings
    promised: str = ""
    last: str = ""

    def take(self, entry: Entry) -> None:
        """The next entry."""
        if entry.public is None or entry.kind not in ("started", "resolved", "rolled-back", "finished", "imported"):
            return
        secret, promise = str(entry.public.get("secret", "")), str(entry.public.get("commitment", ""))
        # What is carried out in one go has one secret, and the next is promised once.
        goes_on = entry.kind == "resolved" and secret == self.last and promise == self.promised
        opens = entry.kind in ("resolved", "rolled-back") or entry.public.get("abandoned")
        if opens and not goes_on and (secret or self.promised):
            self.findings.count("dice secrets")
            try:
                kept = commitment(bytes.fromhex(secret)) == self.promised
            except ValueError:
                kept = False
            if not kept:
                problem = f"the dice secret of entry {entry.number} is not the one that was promised"
                turn = str(entry.public.get("turn", ""))
                self.findings.add(Problem(JOURNAL, problem, turn, line=entry.number))
        if entry.kind != "finished" or entry.public.get("abandoned"):
            self.promised = promise
        self.last = secret if entry.kind == "resolved" else ""


# Anonymised archives


def _check_alone(archive: _Archive, ruleset: Ruleset[Any], game: Mapping[str, Any], entries: Iterator[Entry]) -> None:
    """Resolve each step again from the files of its own folder: where the orders stand in no chain, that is all there is."""
    findings = archive.findings
    findings.unchecked.append(
        "This archive is anonymised, so its journal does not show the orders: each turn was resolved again from its own "
        "position.toml and orders.toml, which nothing binds to the journal. Events, reports and maps were checked against "
        "their checksums only."
    )
    changed, moved, left = set(game.get("changed", ())), _moved_steps(entries), list[str]()
    for path in archive.files:
        if not path.startswith("data/turns/") or not path.endswith("/resolution.toml"):
            continue
        turn = path.removeprefix("data/turns/").removesuffix("/resolution.toml")
        texts = [archive.text(f"data/turns/{turn}/{name}.toml") for name in ("position", "orders", "resolution", "after")]
        try:
            position, orders, resolution, after = (text or "" for text in texts)
            step = tomllib.loads(resolution)["step"]
            came = resolved_alone(ruleset, position, orders, resolution)
        except Exception as trouble:  # an archive may be anybody's, and make a ruleset stumble in any way
            step, came, after = 0, "", f"{type(trouble).__name__}: {trouble}"
        if came == after:
            findings.count("turns resolved alone")
        elif turn in changed or step in moved:
            left.append(turn)
        else:
            line, one, other = _first_difference(came, after, part=False)
            file = f"data/turns/{turn}/after.toml"
            findings.add(Problem(file, "it comes out differently", turn, "", line, one[:_SHOWN], other[:_SHOWN]))
    if left:
        findings.unchecked.append(f"Not to be resolved from their own files are the turns {', '.join(sorted(left))}.")


_NOT_IN_ORDERS = frozenset({"holder", "cancelled", "set", "ruled"})
"""What moves a position in the middle of a step and has no place in orders.toml."""


def _moved_steps(entries: Iterable[Entry]) -> set[int]:
    """The steps in which something happened that their orders.toml does not tell."""
    moved: set[int] = set()
    running = 0
    for entry in entries:
        if entry.kind in _NOT_IN_ORDERS or entry.public is None:
            moved.add(running)
        elif entry.kind in ("resolved", "rolled-back"):
            step = entry.public.get("step")
            running = (step if isinstance(step, int) else running) + (entry.kind == "resolved")
    return moved


# Every turn again


def _check_turns(archive: _Archive, ruleset: Ruleset[Any], entries: Callable[[], Iterator[Entry]], progress: Progress) -> None:
    findings = archive.findings
    try:
        overview = outline(entries())
        readers = _readers(overview)
        checker = _Checker(archive, ruleset, overview, readers, _orders(entries))
        for count, stage in enumerate(play(ruleset, entries(), overview)):
            checker.check(stage)
            findings.count("steps")
            progress("turns", count, len(overview.turns))
    except StoryError as problem:
        findings.add(Problem(JOURNAL, str(problem), str(problem.turn or ""), line=problem.entry))
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

    archive: _Archive
    ruleset: Ruleset[Any]
    overview: Outline
    readers: Mapping[str, Reader]
    orders: Iterator[tuple[int, list[Any]]]
    bound: Bound = field(default_factory=Bound)
    looked_at: set[str] = field(default_factory=set[str])
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
        if stage.told is not None:
            self._check_reports(stage, turn)

    def _check_step(self, stage: Stage, turn: str) -> None:
        record = stage.record
        assert record is not None
        self._check_entry(stage, turn)
        number, given = next(self.orders)
        assert number == stage.step, "the journal has the steps in their order"
        marks = self.ruleset.info.timing == "sequential"
        mailed = orders_document(given, marks_deadlines=marks, without=stage.ahead)
        self._compare(turn, "orders.toml", tomli_w.dumps(mailed, multiline_strings=True))
        self._compare(turn, "position.toml", tomli_w.dumps(shown(self.ruleset, stage.begins, stage.ahead)))
        self._compare(turn, "resolution.toml", tomli_w.dumps(resolution_document(record, with_rolls=True)))
        dice, self.bound = dice_of_step(self.ruleset, record, self.bound)
        self._compare(turn, "dice.json", _json(dice))
        self._compare(turn, "events.json", _json(json.loads(record.events)))

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
                found = json.dumps(secret.get(key))[:_SHOWN]
                line = stage.entry.number
                self.archive.findings.add(Problem(JOURNAL, problem, turn, "", line, json.dumps(value)[:_SHOWN], found))

    def _check_reports(self, stage: Stage, turn: str) -> None:
        rules, events = self.ruleset, stage.told or ()
        awaiting = set(rules.awaiting(stage.position)) if stage.outcome is None else set[str]()
        for name, reader in self.readers.items():
            view = rules.view(stage.position, events, reader)
            self._compare(turn, f"reports/{name}.txt", report_text(rules, view), reader.seat)
            try:
                picture = map_svg(view)
            except MapError:
                picture = None  # the desk does not let a report wait for a map that cannot be drawn, either
            body = report_html(rules, view, inline_svg(picture) if picture else "")
            # The page of a seat has words around it that the rules have not made.
            page = f"reports/{name}.html"
            self._compare(turn, page, body, reader.seat, part=reader is not PUBLIC)
            if picture:
                self._compare(turn, f"maps/{name}.svg", picture, reader.seat)
            if reader is PUBLIC:
                continue
            told = [str(escape(rules.order_form(stage.position, reader.seat).strip("\n")))] if reader.seat in awaiting else []
            if stage.record is not None:
                told.append(f"<code>{stage.record.secret.hex()}</code>")
            if stage.next_commitment:
                told.append(f"<code>{stage.next_commitment}</code>")
            for text in told:
                self._compare(turn, page, text, reader.seat, part=True)

    def _compare(self, turn: str, name: str, expected: str, seat: str = "", *, part: bool = False) -> None:
        path = f"data/turns/{turn}/{name}"
        self.looked_at.add(path)
        self.archive.compare(path, expected, turn, seat, part=part)

    def check_rest(self) -> None:
        """Files of turns that never were."""
        known = {f"data/turns/{turn}/{name}" for turn in self.places.values() for name in _NOT_MADE_BY_RULES}
        for path in self.archive.files:
            if path.startswith("data/turns/") and path not in self.looked_at and path not in known:
                turn = re.sub(r"^data/turns/(.*?)/(?:[^/]+|(?:reports|maps)/[^/]+)$", r"\1", path)
                self.archive.findings.add(Problem(path, "nothing like it comes out", turn))


def _json(document: Mapping[str, Any] | Iterable[Any]) -> str:
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


__all__ = ["Findings", "NotReadable", "Problem", "verify"]
