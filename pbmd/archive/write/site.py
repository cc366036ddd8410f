"""``index.html`` and ``assets/``: pages to look through an archive. They work from the disk, and load nothing from elsewhere.

They are made from the files of the archive, a step at a time. What is kept until the end is small: names, numbers, and which
words stand in which report.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pbmd.archive.write.reading import PUBLIC_REPORT, Archive, Turn
from pbmd.archive.write.search import SearchIndex
from pbmd.archive.write.shown import Numbers, Said, Shown, charts_of, closing_of, reader_named, said_in, step_shown
from pbmd.archive.write.unresolved import orders_left
from pbmd.reports.render import environment
from pbmd.resources import folder as shipped

POLICY = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'"
"""Nothing is loaded but the files beside the page. No script stands in a page, so that nothing a player wrote is ever run."""


def write_site(archive: Archive, done: Callable[[], None]) -> None:
    """Write the pages. `done` is called for each step. Raises `OSError` and `jinja2.TemplateError`."""
    home = archive.payload / "assets"
    (home / "turns").mkdir(parents=True)
    _write_assets(home)
    index, stretches = SearchIndex(home / "search"), archive.stretches()
    shown: list[Shown] = []
    numbers: dict[int | None, Mapping[str, Mapping[str, Any]]] = {}
    for turn, following in _with_next(archive.turns()):
        now = step_shown(turn)
        values = {
            "game": archive.game,
            "turn": turn,
            "now": now,
            "earlier": shown[-1] if shown else None,
            "later": step_shown(following) if following else closing_of(archive, [*shown, now]),
            "reports": [(name, reader_named(archive, name), path) for name, path in turn.reports],
            "said": said_in(next(stretches)) if turn.began else [],
            "root": "../../",
            "read": _read,
        }
        _page(home / "turns" / now.page, "turn", values)
        _index(index, now, values)
        if not now.rolled_back:
            numbers[now.turn if turn.began else None] = turn.numbers
        shown.append(now)
        done()
    closing = closing_of(archive, shown)
    if closing:
        _write_closing(archive, index, closing, shown[-1], next(stretches))
    index.write()
    _page(archive.payload / "index.html", "index", _overview(archive, shown, numbers) | {"closing": closing})


def _overview(archive: Archive, shown: Sequence[Shown], numbers: Numbers) -> dict[str, Any]:
    in_force = [each for each in shown if not each.rolled_back]
    drawn = list(dict.fromkeys(name for each in in_force for name in each.maps))
    seat = str(archive.game["view"]).partition(":")[2]
    own = next((name for name in drawn if name != PUBLIC_REPORT and reader_named(archive, name) == seat), PUBLIC_REPORT)
    return {
        "game": archive.game,
        "shown": shown,
        "in_force": in_force,
        "maps": [each for each in in_force if each.maps],
        "drawn": [(name, reader_named(archive, name)) for name in drawn],
        "own": own,
        "charts": charts_of(archive, in_force, numbers),
        "has_letters": (archive.payload / "letters.mbox").exists(),
        "root": "",
    }


def _write_closing(
    archive: Archive, index: SearchIndex, now: Shown, earlier: Shown, entries: Sequence[Mapping[str, Any]]
) -> None:
    said, left = said_in(entries), orders_left(entries)
    ended_at = next((entry["at"] for entry in reversed(entries) if entry["kind"] == "finished"), "")
    values = {"game": archive.game, "now": now, "earlier": earlier, "ended_at": ended_at, "said": said, "left": left}
    _page(archive.payload / "assets" / "turns" / now.page, "end", values | {"later": None, "root": "../../"})
    what = now.words[0].upper() + now.words[1:]
    outcome = archive.game.get("outcome", {})
    index.add(f"{what}: the end", f"{now.page}#end", " ".join((now.cause, *outcome.get("winners", ()))))
    if left:
        lines = (line for each in left for line in (each.seat, *each.lines))
        index.add(f"{what}: orders", f"{now.page}#orders", "\n".join(lines))
    _index_press(index, what, now, said)


def _index(index: SearchIndex, now: Shown, values: Mapping[str, Any]) -> None:
    what = now.words[0].upper() + now.words[1:]
    for name, reader, path in values["reports"]:
        title = "public report" if name == PUBLIC_REPORT else f"report of {reader}"
        index.add(f"{what}: {title}", f"{now.page}#r-{name}", _read(path))
    if sheets := values["turn"].sheets:
        lines = (line for sheet in sheets for line in (sheet["seat"], *sheet["lines"], *_texts(sheet)))
        index.add(f"{what}: orders", f"{now.page}#orders", "\n".join(lines))
    _index_press(index, what, now, values["said"])


def _index_press(index: SearchIndex, what: str, now: Shown, said: Sequence[Said]) -> None:
    if said:
        index.add(f"{what}: press", f"{now.page}#press", "\n".join(f"{each.who} {each.text}" for each in said))


def _texts(sheet: Mapping[str, Any]) -> Iterator[str]:
    return (verdict["text"] for verdict in sheet["verdicts"])


def _with_next(turns: Iterator[Turn]) -> Iterator[tuple[Turn, Turn | None]]:
    now = next(turns, None)
    while now is not None:
        following = next(turns, None)
        yield now, following
        now = following


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def _page(path: Path, name: str, values: Mapping[str, Any]) -> None:
    page = environment().get_template(f"archive/{name}.html.j2").render(policy=POLICY, **values)
    path.write_text(page, encoding="utf-8", newline="\n")


def _write_assets(home: Path) -> None:
    templates = shipped("templates")
    style = "\n".join(_read(templates / kind / "style.css").strip() for kind in ("dashboard", "archive"))
    (home / "style.css").write_text(style + "\n", encoding="utf-8", newline="\n")
    (home / "script.js").write_text(_read(templates / "archive" / "script.js"), encoding="utf-8", newline="\n")
