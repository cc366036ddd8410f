"""An archived game played again for somebody to read: its reports, turn by turn.

If the archive has the whole game, only what is recomputed is shown. Otherwise the stored reports are shown, as text only, since
nobody can tell who has written them.
"""

import html
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pbmd.archive.format.editions import refusals_in
from pbmd.archive.format.entries import read_entries
from pbmd.archive.format.findings import JOURNAL, Archive, Findings, head_of, plain
from pbmd.archive.format.limits import LARGEST_TEXT
from pbmd.archive.format.outline import Stage, outline
from pbmd.archive.format.plan import START
from pbmd.archive.format.seals import files_of
from pbmd.archive.replay.story import play
from pbmd.rendering.map_parts import MapError
from pbmd.rendering.picture import inline_svg, map_svg
from pbmd.rendering.render import report_html, report_text
from pbmd.rules import PUBLIC, Ruleset, View, seat_reader


@dataclass(frozen=True, slots=True)
class Report:
    """A report to one reader. `page` is empty if only the text is stored; `reader` is a seat's name or ``public``."""

    heading: str
    turn: int
    reader: str
    text: str
    page: str = ""


class NotShown(ValueError):
    """What was asked for is not in the archive; the message says why."""


def replay(folder: Path, ruleset_named: Callable[[str], Ruleset[Any]], turn: int | None) -> Iterator[Report]:
    """The reports of a turn, or, without one, the public report of every turn.

    Raises `NotReadable`, `NotShown`, `UnknownRuleset`, `BrokenJournal`, `StoryError` and `OSError`.
    """
    files = files_of(folder)
    head = head_of(folder, files)
    if head.view == "all" and not head.anonymised:
        return _played(folder, files, ruleset_named(head.ruleset), turn)
    return _kept(folder, files, turn)


def _played(folder: Path, files: dict[str, int], ruleset: Ruleset[Any], turn: int | None) -> Iterator[Report]:
    path = folder / JOURNAL
    overview = outline(read_entries(path))
    seats = [overview.seats[number] for number in sorted(overview.seats)]
    found = False
    refusals = refusals_in(Archive(folder, files, Findings("")))
    for stage in play(ruleset, read_entries(path), overview, refusals=refusals):
        of = stage.turn if stage.record else ruleset.turn(stage.position) - 1
        if stage.told is None or (turn is not None and of != turn):
            continue
        found = True
        heading = _heading(stage, overview.branches.get(stage.step, 0))
        for reader in (PUBLIC, *(seat_reader(seat) for seat in seats if turn is not None)):
            view = ruleset.view(stage.position, stage.told, reader)
            yield Report(heading, of, reader.seat or "public", report_text(ruleset, view), _page(ruleset, view))
    if not found:
        raise NotShown(f"there is no report of turn {turn} in this archive")


def _heading(stage: Stage, branch: int) -> str:
    record = stage.record
    if stage.step == START or record is None:
        return "The beginning"
    name = f", {record.name}" if record.name else ""
    back = f" (rolled back later, by entry {branch} of the journal)" if branch else ""
    return f"Turn {record.turn}{name}, resolved {record.resolved_at:%Y-%m-%d %H:%M} UTC: {record.cause}{back}"


def _page(ruleset: Ruleset[Any], view: View) -> str:
    try:
        picture = map_svg(view)
    except MapError:
        picture = None
    return report_html(ruleset, view, inline_svg(picture) if picture else "")


def _kept(folder: Path, files: dict[str, int], turn: int | None) -> Iterator[Report]:
    found = False
    for path, size in sorted(files.items()):
        parts = path.split("/")
        if parts[:2] != ["data", "turns"] or parts[-2] != "reports" or not path.endswith(".txt") or size > LARGEST_TEXT:
            continue
        digits = parts[-3].partition(".")[0]
        reader = parts[-1].removesuffix(".txt")
        if not digits.isdigit() or (turn is None and reader != "public") or (turn is not None and int(digits) != turn):
            continue
        found = True
        text = (folder / path).read_bytes().decode("utf-8", "replace")
        yield Report(f"Turn {'/'.join(parts[2:-2])}, as it is kept", int(digits), reader, plain(text))
    if not found:
        raise NotShown("there is no report of that turn in this archive" if turn is not None else "there is no report in it")


_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
</head>
<body style="margin:0 auto;padding:16px;max-width:48em;font-family:system-ui,sans-serif;line-height:1.45">
<h1>{title}</h1>
"""
_END = "</body>\n</html>\n"


def as_page(title: str, reports: Iterator[Report]) -> Iterator[str]:
    """The reports as one page that loads nothing, in pieces. If they break off, the page says so and ends; if there is not even
    one, there is no page, either. Raises what `reports` raises."""
    begun = False
    try:
        for report in reports:
            if not begun:
                yield _PAGE.format(title=html.escape(title))
            begun = True
            yield f"<h2>{html.escape(report.heading)}</h2>\n<h3>{html.escape(report.reader)}</h3>\n"
            yield report.page or f'<pre style="white-space:pre-wrap">{html.escape(report.text)}</pre>\n'
    except Exception as trouble:
        if begun:
            yield f"<p><strong>It breaks off here: {html.escape(plain(str(trouble)))}</strong></p>\n{_END}"
        raise
    yield _END
