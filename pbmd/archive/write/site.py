"""``index.html`` and ``assets/``: pages to look through an archive. They work from the disk, and load nothing from elsewhere.

They are made from the files of the archive, a step at a time. What stays in memory until the end is small: names, numbers, what
happened between the steps, and which words are in which report.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from markupsafe import Markup

from pbmd.archive.format.documents import Numbers
from pbmd.archive.write.chronicle import Chronicle, Note
from pbmd.archive.write.open_step_orders import orders_left
from pbmd.archive.write.presentation import (
    Message,
    StepSummary,
    charts_of,
    closing_of,
    happened_in,
    reader_named,
    standing_of,
    step_shown,
    tally_of,
)
from pbmd.archive.write.reader import PUBLIC_REPORT, Archive, DatedEntry, Turn, dated_entry
from pbmd.archive.write.search import SearchIndex
from pbmd.ledger.entries.codec import Entry
from pbmd.ledger.entries.rows import ends_of_steps
from pbmd.ledger.entries.step_entries import RolledBackEntry
from pbmd.ledger.tables import SubmissionState
from pbmd.notes.four_words import four_words
from pbmd.rendering.picture import picture_shown
from pbmd.rendering.render import environment
from pbmd.resources import folder as shipped
from pbmd.rules.words import capital
from pbmd.terms.times import describe_day, describe_time

POLICY = (
    "default-src 'none'; style-src 'self'; style-src-attr 'unsafe-inline'; script-src 'self'; img-src 'self'; "
    "base-uri 'none'; form-action 'none'"
)
"""Only the files beside the page are loaded. No page contains a script, so that nothing a player wrote is ever run. The reports
in them contain their own styles, as in a mail."""
_USED = SubmissionState.USED.value


@dataclass(frozen=True, slots=True)
class Part:
    """A step in the story of a game: what happened and was said `before` it, and the first of its report's figures."""

    now: StepSummary
    before: Sequence[Note | Message]
    tally: str = ""


@dataclass
class _Pages:
    """The pages written so far."""

    archive: Archive
    home: Path
    index: SearchIndex
    taken_back: Mapping[int, DatedEntry]
    words: Mapping[int, str]
    chronicle: Chronicle = field(default_factory=Chronicle)
    story: list[Part] = field(default_factory=list[Part])
    numbers: dict[int | None, Numbers] = field(default_factory=dict[int | None, Numbers])

    @property
    def shown(self) -> list[StepSummary]:
        """The steps so far."""
        return [part.now for part in self.story]


def write_site(archive: Archive, done: Callable[[], None]) -> None:
    """Write the pages. `done` is called for each step. Raises `OSError` and `jinja2.TemplateError`."""
    home = archive.payload / "assets"
    (home / "turns").mkdir(parents=True)
    _write_assets(home)
    taken_back = {line["number"]: dated_entry(line) for line in archive.journal() if line["kind"] == "rolled-back"}
    hashes = ends_of_steps((line["kind"], line.get("public") or {}, line.get("hash") or "") for line in archive.journal())
    words = {step: four_words(each) for step, each in hashes.items() if each}  # those whose entry shows its hash
    pages, stretches = _Pages(archive, home, SearchIndex(home / "search"), taken_back, words), archive.stretches()
    for turn, following in _with_next(archive.turns()):
        now = step_shown(turn)
        before = happened_in(pages.chronicle, next(stretches), f"before {now.words}") if turn.began else []
        _write_turn(pages, turn, Part(now, before, tally_of(turn.numbers)), following)
        done()
    closing = closing_of(archive, pages.shown)
    rest = next(stretches)
    after = happened_in(pages.chronicle, rest, closing.words if closing else "")
    if closing:
        _write_closing(pages, closing, after, rest)
    _write_overview(pages, closing, after)
    pages.index.write()


def _write_turn(pages: _Pages, turn: Turn, part: Part, following: Turn | None) -> None:
    archive, now = pages.archive, part.now
    earlier, shown = pages.shown, [*pages.shown, now]
    back = pages.taken_back.get(int(now.folder.split("/")[1])) if now.rolled_back else None
    values = {
        "turn": turn,
        "now": now,
        "earlier": earlier[-1] if earlier else None,
        "later": step_shown(following) if following else closing_of(archive, shown),
        "report": _report(turn, now),
        "reports": [(name, reader_named(archive, name)) for name, _ in turn.reports if name != PUBLIC_REPORT],
        "orders": [sheet for sheet in turn.sheets if sheet["state"] == _USED],
        "before": part.before,
        "words": pages.words.get(now.step, ""),
        "back": back and {"at": back.at, **_taken_back(back.content)},
    }
    _page(pages.home / "turns" / now.page, "turn", archive, "../../", **values)
    _index_turn(pages, turn, part)
    if not now.rolled_back:
        pages.numbers[now.turn if turn.began else None] = turn.numbers
    pages.story.append(part)


def _taken_back(entry: Entry | None) -> dict[str, Any]:
    """Why a step was taken back, and to where, as far as the archive says."""
    return {"reason": entry.reason, "to": entry.to} if isinstance(entry, RolledBackEntry) else {"reason": ""}


def _report(turn: Turn, now: StepSummary) -> Markup | str:
    """The public report as it was mailed, with its map; else as text, empty if there is none."""
    page = turn.path / "reports" / f"{PUBLIC_REPORT}.html"
    if page.exists():
        text = _read(page)
        if PUBLIC_REPORT in now.maps:
            drawing = _read(turn.path / "maps" / f"{PUBLIC_REPORT}.svg")
            text = picture_shown(text, f"../../turns/{now.folder}/maps", drawing)
        # Everything that a player wrote was escaped when the report was made.
        return Markup(text)  # noqa: S704
    return next((_read(path) for name, path in turn.reports if name == PUBLIC_REPORT), "")


def _write_closing(pages: _Pages, now: StepSummary, after: Sequence[Note | Message], entries: Sequence[DatedEntry]) -> None:
    left = orders_left(entries)
    ended_at = next((entry.at for entry in reversed(entries) if entry.kind == "finished"), "")
    values = {"now": now, "earlier": pages.shown[-1], "later": None, "ended_at": ended_at, "before": after, "left": left}
    _page(pages.home / "turns" / now.page, "end", pages.archive, "../../", **values)
    what, outcome = capital(now.words), pages.archive.game.get("outcome", {})
    pages.index.add(f"{what}: the end", f"{now.page}#end", " ".join((now.cause, *outcome.get("winners", ()))))
    if left:
        lines = (line for each in left for line in (each.seat, *each.lines))
        pages.index.add(f"{what}: orders", f"{now.page}#orders", "\n".join(lines))
    _index_before(pages.index, what, now, after)
    pages.index.keep()


def _write_overview(pages: _Pages, closing: StepSummary | None, after: Sequence[Note | Message]) -> None:
    archive, story = pages.archive, pages.story
    in_force = [part.now for part in story if not part.now.rolled_back]
    drawn = list(dict.fromkeys(name for each in in_force for name in each.maps))
    seat = str(archive.game["view"]).partition(":")[2]
    own = next((name for name in drawn if name != PUBLIC_REPORT and reader_named(archive, name) == seat), PUBLIC_REPORT)
    hands = pages.chronicle.hands(archive.game["seats"])
    lines = (" ".join((hand.seat, hand.holder, hand.since, hand.until)) for hand in hands)
    pages.index.add("The players", "../../index.html#players", "\n".join(lines))
    pages.index.keep()
    values = {
        "story": story,
        "in_force": in_force,
        "closing": closing,
        "after": after,
        "maps": [each for each in in_force if each.maps],
        "drawn": [(name, reader_named(archive, name)) for name in drawn],
        "own": own,
        "standing": standing_of(archive, in_force, pages.numbers),
        "hands": hands,
        "charts": charts_of(archive, in_force, pages.numbers),
        "has_letters": (archive.payload / "letters.mbox").exists(),
    }
    _page(archive.payload / "index.html", "index", archive, "", **values)


# What can be searched


def _index_turn(pages: _Pages, turn: Turn, part: Part) -> None:
    index, now, archive = pages.index, part.now, pages.archive
    what = capital(now.words)
    for name, path in turn.reports:
        if name == PUBLIC_REPORT:
            index.add(f"{what}: public report", f"{now.page}#report", _read(path))
        else:
            page = f"../../turns/{now.folder}/reports/{name}.html"
            index.add(f"{what}: report of {reader_named(archive, name)}", page, _read(path))
    if sheets := turn.sheets:
        understood = ((sheet, (verdict["text"] for verdict in sheet["verdicts"])) for sheet in sheets)
        lines = (line for sheet, texts in understood for line in (sheet["seat"], *sheet["lines"], *texts))
        index.add(f"{what}: orders", f"{now.page}#orders", "\n".join(lines))
    _index_before(index, what, now, part.before)
    index.keep()


def _index_before(index: SearchIndex, what: str, now: StepSummary, before: Sequence[Note | Message]) -> None:
    if said := [each for each in before if isinstance(each, Message)]:
        index.add(f"{what}: press", f"{now.page}#before", "\n".join(f"{each.who}: {each.text}" for each in said))
    if notes := [each for each in before if isinstance(each, Note)]:
        index.add(
            f"{what}: what happened to the game",
            f"{now.page}#before",
            "\n".join(f"{note.words} {note.reason}".strip() for note in notes),
        )


# Files


def _with_next(turns: Iterator[Turn]) -> Iterator[tuple[Turn, Turn | None]]:
    now = next(turns, None)
    while now is not None:
        following = next(turns, None)
        yield now, following
        now = following


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def _day(at: datetime | str) -> str:
    return describe_day((datetime.fromisoformat(at) if isinstance(at, str) else at).date())


def _moment(at: datetime | str) -> str:
    return describe_time(datetime.fromisoformat(at) if isinstance(at, str) else at)


def _page(path: Path, name: str, archive: Archive, root: str, **values: object) -> None:
    common = {"policy": POLICY, "game": archive.game, "root": root, "day": _day, "moment": _moment, "capital": capital}
    page = environment().get_template(f"archive/{name}.html.j2").render(**common, **values)
    path.write_text(page, encoding="utf-8", newline="\n")


def _write_assets(home: Path) -> None:
    templates = shipped("templates")
    style = "\n".join(_read(templates / kind / "style.css").strip() for kind in ("dashboard", "archive"))
    (home / "style.css").write_text(style + "\n", encoding="utf-8", newline="\n")
    (home / "script.js").write_text(_read(templates / "archive" / "script.js"), encoding="utf-8", newline="\n")
