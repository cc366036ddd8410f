"""What `pbmd verify` recomputes when it plays a game once more, row by row of these tables, and how each is checked against the
archive: the beginning and every step, the reports on them, and what became of the letters.

`pbmd.archive.verify.turn_by_turn` goes through the tables once for each stage of the game.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any, Generic, Literal, NamedTuple, TypeVar

import tomli_w

from pbmd.archive.format.documents import SheetDocument
from pbmd.archive.format.findings import JOURNAL, SHOWN, Archive, Place, Problem
from pbmd.archive.format.outline import Outline, Stage
from pbmd.archive.replay.story import digest_of
from pbmd.archive.verify.game_facts import Facts
from pbmd.archive.verify.report_pages import Page, check_page
from pbmd.archive.write.dice_file import Bound, dice_of_setup, dice_of_step
from pbmd.archive.write.orders_file import orders_document
from pbmd.archive.write.turns import presentable_position, resolution_document
from pbmd.ledger.entries.codec import Document
from pbmd.ledger.tables import StepRecord
from pbmd.rendering.map_parts import MapError
from pbmd.rendering.picture import inline_svg, svg_as_once, svg_of, written_map
from pbmd.rendering.render import html_parts, report_text
from pbmd.rules import GM, Reader, Ruleset, View


@dataclass
class RecomputedGame:
    """A game as far as it has been played again. `stage` is the last one, `orders` are what the rules got in the coming ones,
    `bound` is what the dice of the last were bound to."""

    ruleset: Ruleset[Any]
    overview: Outline
    facts: Facts
    orders: Iterator[tuple[int, list[Any]]]
    bound: Bound = field(default_factory=Bound)
    stage: Stage = field(init=False)

    @property
    def record(self) -> StepRecord:
        """The record of the stage, which is not the beginning."""
        assert self.stage.record is not None
        return self.stage.record

    @property
    def after(self) -> Document:
        """The position after the stage, as it may be shown."""
        stage = self.stage
        document: Any = json.loads(stage.record.after) if stage.record else stage.setup and stage.setup.position
        return presentable_position(self.ruleset, document)


@dataclass
class ReaderStage:
    """One reader's share of a stage; `shown` is the map that the archive has for it, and `has_map` whether its page shows
    any."""

    of: RecomputedGame
    reader: Reader
    shown: str = ""
    has_map: bool = True

    @cached_property
    def view(self) -> View:
        """What the reader may know."""
        return self.of.ruleset.view(self.of.stage.position, self.of.stage.told or (), self.reader)

    @property
    def picture(self) -> str | None:
        """The map, None if there is none, or the page has none: no report waits for a map that could not be drawn in time."""
        return self.drawn if self.has_map else None

    @cached_property
    def drawn(self) -> str | None:
        """The recomputed map; None if there is none, or it cannot be drawn. If the archive has it as it was drawn once, it is
        that."""
        try:
            data = written_map(self.view)
            drawn = None if data is None else svg_of(data)
            once = svg_as_once(data) if data and self.shown not in ("", drawn) else ""
        except MapError:
            return None
        return once if once and once == self.shown else drawn


class JournalClaim(NamedTuple):
    """The recomputed value, and what the journal says in an entry; `problem` is what to call a difference."""

    entry: int
    problem: str
    expected: Any
    found: Any


# How each is made, where that takes more than a line


def _in_entry(again: RecomputedGame, key: str, words: str, expected: Any) -> JournalClaim:
    entry = again.stage.entry
    problem = f"{words} in entry {entry.number} is not what comes out"
    return JournalClaim(entry.number, problem, expected, (entry.secret or {}).get(key))


def _digest(again: RecomputedGame) -> JournalClaim:
    expected = digest_of(again.ruleset, again.stage.position)
    return _in_entry(again, "position", "the digest of the position after the step", expected)


def _end(again: RecomputedGame) -> JournalClaim | None:
    """How the game ended, if it did. Nothing is known of an end that is withheld; and a host may end a game at any time."""
    number, public = again.facts.ends.get(again.stage.entry.number, (0, None))
    if number and public is None:
        return None
    outcome = again.stage.outcome
    came = None if outcome is None else {"winners": list(outcome.winners), "reason": outcome.reason}
    abandoned = came is None and bool(public and public.get("abandoned") and public.get("winners") == [])
    entry = number or again.stage.entry.number
    return JournalClaim(entry, "how the game ended is not what comes out", came, None if abandoned else public)


def _seats(again: RecomputedGame) -> JournalClaim | None:
    """Who got which seat, where seats are given when the game begins."""
    if (claim := again.stage.seats) is None:
        return None
    problem = "who got which seat is not what the lists of the players and the dice give"
    return JournalClaim(claim.entry or again.stage.entry.number, problem, claim.expected, claim.found)


def _orders(again: RecomputedGame) -> str:
    number, given = next(again.orders)
    assert number == again.stage.step, "the journal has the steps in their order"
    marks = again.ruleset.info.timing == "sequential"
    return tomli_w.dumps(orders_document(given, marks_deadlines=marks, without=again.stage.ahead), multiline_strings=True)


def _dice_of_setup(again: RecomputedGame) -> Any:
    setup = again.stage.setup
    return dice_of_setup(setup, again.overview.seats.items()) if setup and setup.secret else None


def _dice(again: RecomputedGame) -> Any:
    document, again.bound = dice_of_step(again.ruleset, again.record, again.overview.seats.items(), again.bound)
    return document


def _numbers(again: RecomputedGame) -> Any:
    """What a report on this step alone would count for the game master."""
    rules = again.ruleset
    return rules.view(rules.load(again.after), again.stage.events, GM).data.get("numbers", {})


def _page(told: ReaderStage) -> Page:
    rules, picture = told.of.ruleset, told.picture
    parts = html_parts(rules, told.view, inline_svg(picture) if picture else "")
    return Page(rules, told.of.stage, told.of.facts, told.reader.seat, parts)


# How each is compared with the archive


def _as_toml(archive: Archive, place: Place, made: Mapping[str, object]) -> None:
    archive.compare(place, tomli_w.dumps(made))


def _as_json(archive: Archive, place: Place, made: Any) -> None:
    archive.compare(place, json.dumps(made, ensure_ascii=False, indent=2) + "\n")


def _as_json_but_verdicts(archive: Archive, place: Place, made: Sequence[SheetDocument]) -> None:
    """The words about each line are those of another edition, and are ignored."""
    archive.compare(place, json.dumps(list(made)), partial(_with_each, lambda sheet: {**sheet, "verdicts": []}))


def _with_each(changed: Callable[[dict[str, Any]], dict[str, Any]], text: str) -> str:
    """A list in JSON with each of its items changed; as it is if it is no such list."""
    try:
        return json.dumps([changed(item) for item in json.loads(text)], ensure_ascii=False, indent=2)
    except (LookupError, RecursionError, TypeError, ValueError):
        return text


def _but_what_they_were_told(archive: Archive, place: Place, made: tuple[str, frozenset[str]]) -> None:
    """The events of a step, and the seats of which another edition refused a letter as a whole, in its words: of what such a
    seat alone was told only that it was is compared."""
    events, refused = made

    def without_words(event: dict[str, Any]) -> dict[str, Any]:
        is_for_them = event["audience"] and refused.issuperset(event["audience"])
        return {**event, "data": {}} if is_for_them else event

    archive.compare(place, events, partial(_with_each, without_words))


def _as_page(archive: Archive, place: Place, made: Page) -> None:
    """The public page is the report alone; a seat's page contains words of the desk."""
    if made.seat:
        check_page(archive, place, made)
    else:
        archive.compare(place, made.parts.rest)


def _as_picture(archive: Archive, place: Place, made: str) -> None:
    """A seat's picture that equals the public one is not stored again: its page shows that one, and was compared with it."""
    if place.seat == "" or place.file in archive.files or not archive.shows_pictures:
        archive.compare(place, made)


def _as_value(archive: Archive, place: Place, made: JournalClaim) -> None:
    archive.findings.count("compared")
    if made.expected != made.found:
        one, other = (json.dumps(value)[:SHOWN] for value in (made.expected, made.found))
        archive.findings.add(Problem(place.file, made.problem, place.turn, place.seat, made.entry, one, other))


# The tables

_Of = TypeVar("_Of")


@dataclass(frozen=True, slots=True)
class Row(Generic[_Of]):
    """`what` it is: a file in the folder of the turn (``{}`` stands for its reader), or the journal; who may see it besides the
    host; how it is `made`, None if there is none; and how it is compared with the archive (`held`). It is there `always`, or
    only if it can be made."""

    what: str
    seen_by: Literal["everybody", "seats", "its reader", "nobody"]
    made: Callable[[_Of], Any]
    held: Callable[[Archive, Place, Any], None]
    always: bool = True


_ALWAYS: tuple[Row[RecomputedGame], ...] = (
    Row("after.toml", "nobody", lambda again: again.after, _as_toml),
    Row("numbers.json", "everybody", _numbers, _as_json),
)
OF_THE_BEGINNING: tuple[Row[RecomputedGame], ...] = (
    Row(JOURNAL, "nobody", _seats, _as_value),
    Row("dice.json", "nobody", _dice_of_setup, _as_json),
    *_ALWAYS,
)
OF_A_STEP: tuple[Row[RecomputedGame], ...] = (
    Row(JOURNAL, "nobody", _digest, _as_value),
    Row(JOURNAL, "nobody", lambda again: _in_entry(again, "dice", "the rolls", json.loads(again.record.dice)), _as_value),
    Row(JOURNAL, "nobody", _end, _as_value),
    Row("orders.toml", "seats", _orders, Archive.compare),
    Row(
        "position.toml",
        "nobody",
        lambda again: presentable_position(again.ruleset, again.stage.begins, again.stage.ahead),
        _as_toml,
    ),
    Row("resolution.toml", "everybody", lambda again: resolution_document(again.record, with_rolls=True), _as_toml),
    Row("dice.json", "nobody", _dice, _as_json),
    Row("events.json", "everybody", lambda again: json.loads(again.record.events), _as_json),
    *_ALWAYS,
)
_EVENTS_THEN: Row[RecomputedGame] = Row(
    "events.json", "everybody", lambda again: (again.record.events, again.stage.refused_then), _but_what_they_were_told
)
OF_A_STEP_THEN = tuple(_EVENTS_THEN if row.what == _EVENTS_THEN.what else row for row in OF_A_STEP)
"""For steps of which another edition refused a letter as a whole."""
OF_A_REPORT: tuple[Row[ReaderStage], ...] = (
    Row("reports/{}.txt", "its reader", lambda told: report_text(told.of.ruleset, told.view), Archive.compare),
    Row("reports/{}.html", "its reader", _page, _as_page),
    Row("maps/{}.svg", "its reader", lambda told: told.picture or None, _as_picture, always=False),
)
OF_ITS_LETTERS: Row[Any] = Row("sheets.json", "seats", lambda sheets: sheets, _as_json)
OF_LETTERS_THEN: Row[Any] = Row("sheets.json", "seats", lambda sheets: sheets, _as_json_but_verdicts)
"""For steps of which another edition answered some letters."""
