"""``index.html`` and ``assets/``: pages to look through an archive. They work from the disk, and load nothing from elsewhere.

They are made from the files of the archive, a step at a time. What is kept until the end is small: names, numbers, and which
words stand in which report.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pbmd.archive.write.colours import colours_on
from pbmd.archive.write.reading import PUBLIC_REPORT, Archive, Turn
from pbmd.archive.write.search import SearchIndex
from pbmd.archive.write.unresolved import orders_left
from pbmd.dashboard.charts import LineChart, line_chart
from pbmd.reports.render import environment
from pbmd.resources import folder as shipped

POLICY = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'"
"""Nothing is loaded but the files beside the page. No script stands in a page, so that nothing a player wrote is ever run."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A step as the overview needs it."""

    page: str
    folder: str
    words: str
    turn: int
    step: int
    rolled_back: bool
    resolved_at: Any
    cause: str
    maps: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Said:
    """Press or an announcement that is in the journal of this archive."""

    at: str
    who: str
    to: str
    text: str


def write_site(archive: Archive, done: Callable[[], None]) -> None:
    """Write the pages. `done` is called for each step. Raises `OSError` and `jinja2.TemplateError`."""
    home = archive.payload / "assets"
    (home / "turns").mkdir(parents=True)
    _write_assets(home)
    index, stretches = SearchIndex(home / "search"), archive.stretches()
    shown: list[Shown] = []
    numbers: dict[int | None, Mapping[str, Mapping[str, Any]]] = {}
    for turn, following in _with_next(archive.turns()):
        now = _shown(turn)
        values = {
            "game": archive.game,
            "turn": turn,
            "now": now,
            "earlier": shown[-1] if shown else None,
            "later": _shown(following) if following else _closing(archive, [*shown, now]),
            "reports": [(name, _reader(archive, name), path) for name, path in turn.reports],
            "said": _said(next(stretches)) if turn.began else [],
            "root": "../../",
            "read": _read,
        }
        _page(home / "turns" / now.page, "turn", values)
        _index(index, now, values)
        if not now.rolled_back:
            numbers[now.turn if turn.began else None] = turn.numbers
        shown.append(now)
        done()
    closing = _closing(archive, shown)
    if closing:
        _write_closing(archive, index, closing, shown[-1], next(stretches))
    index.write()
    _page(archive.payload / "index.html", "index", _overview(archive, shown, numbers) | {"closing": closing})


def _overview(
    archive: Archive, shown: Sequence[Shown], numbers: Mapping[int | None, Mapping[str, Mapping[str, Any]]]
) -> dict[str, Any]:
    in_force = [each for each in shown if not each.rolled_back]
    drawn = list(dict.fromkeys(name for each in in_force for name in each.maps))
    seat = str(archive.game["view"]).partition(":")[2]
    own = next((name for name in drawn if name != PUBLIC_REPORT and _reader(archive, name) == seat), PUBLIC_REPORT)
    return {
        "game": archive.game,
        "shown": shown,
        "in_force": in_force,
        "maps": [each for each in in_force if each.maps],
        "drawn": [(name, _reader(archive, name)) for name in drawn],
        "own": own,
        "charts": _charts(archive, in_force, numbers),
        "has_letters": (archive.payload / "letters.mbox").exists(),
        "root": "",
    }


def _charts(
    archive: Archive, shown: Sequence[Shown], numbers: Mapping[int | None, Mapping[str, Mapping[str, Any]]]
) -> list[LineChart]:
    """A chart for each of the numbers. The beginning (None) stands before the first turn, which may be number 0."""
    start = min((each.turn for each in shown if each.step >= 0), default=1) - 1
    found: dict[str, dict[str, list[tuple[int, float]]]] = {}
    for turn, told in numbers.items():
        for label, row in told.items():
            for seat, number in row.items():
                at = start if turn is None else turn
                found.setdefault(label, {}).setdefault(seat, []).append((at, float(number)))
    order = [seat["name"] for seat in archive.game["seats"]]
    colours = _colours(archive, shown, order)
    charts = (line_chart(label, lines, order, colours, start) for label, lines in found.items())
    return [chart for chart in charts if chart]


def _colours(archive: Archive, shown: Sequence[Shown], seats: Sequence[str]) -> dict[str, str]:
    """Those that the seats have on the maps for all."""
    found: dict[str, str] = {}
    for each in shown:
        if PUBLIC_REPORT in each.maps and len(found) < len(seats):
            found |= colours_on(_read(archive.payload / "turns" / each.folder / "maps" / f"{PUBLIC_REPORT}.svg"), seats)
    return found


def _shown(turn: Turn) -> Shown:
    told = turn.resolution
    what = f"{told['name']} of turn {told['turn']}" if told.get("name") else f"turn {told['turn']}"
    count = int(turn.folder.rpartition("/")[2].partition(".")[2] or 1) - (not told["turn"] and not turn.rolled_back)
    words = f"{what}, step {count}" if count > 1 and not told.get("name") else what
    words = f"{words}, rolled back" if turn.rolled_back else words
    return Shown(
        page=turn.folder.replace("/", "-") + ".html",
        folder=turn.folder,
        words=words if turn.began else "the beginning",
        turn=told["turn"],
        step=told["step"],
        rolled_back=turn.rolled_back,
        resolved_at=told.get("resolved_at"),
        cause=told.get("cause", ""),
        maps=tuple(turn.maps),
    )


def _said(entries: Iterable[Mapping[str, Any]]) -> list[Said]:
    """What was said in these entries, as far as the archive may tell it."""
    said: list[Said] = []
    for entry in entries:
        secret = entry.get("secret", {})
        if entry["kind"] == "press" and secret:
            to = "all" if secret.get("all") else ", ".join(secret["to"])
            said.append(Said(entry["at"], secret["from"], to, secret["text"]))
        elif entry["kind"] == "announced" and "public" in entry:
            said.append(Said(entry["at"], "the game master", "all", entry["public"]["text"]))
    return said


def _closing(archive: Archive, shown: Sequence[Shown]) -> Shown | None:
    """The page of what came after the last step, once the game is over; before that an archive knows nothing of it."""
    if archive.game["status"] != "finished":
        return None
    last = [each for each in shown if not each.rolled_back][-1]
    cause = archive.game.get("outcome", {}).get("reason", "")
    return replace(last, page="end.html", folder="", words=f"after {last.words}", resolved_at=None, cause=cause, maps=())


def _write_closing(
    archive: Archive, index: SearchIndex, now: Shown, earlier: Shown, entries: Sequence[Mapping[str, Any]]
) -> None:
    said, left = _said(entries), orders_left(entries)
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


def _reader(archive: Archive, name: str) -> str:
    """The seat of a report by the name of its file; "everybody" of the public one."""
    if name == PUBLIC_REPORT:
        return "everybody"
    number = int(name.partition("-")[0])
    return next(seat["name"] for seat in archive.game["seats"] if seat["number"] == number)


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
