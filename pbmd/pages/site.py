"""``data/dashboard/``: the pages, rewritten when what they show has changed.

Whatever happens in a game is a line of the log in the same transaction. So the lines since the last time say which pages are
out of date, and if there are none, that costs one look at the end of the log.

The pages of the games in these lines, the overview and the page about mail are written, each file as a whole; that of results,
if anybody is listed, when a game is over or a consent has changed.
"""

import json
import logging
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from sqlmodel import Session, col, func, select

from pbmd import __version__
from pbmd.files import only_one_writer, write_file
from pbmd.ledger.damage import UNUSABLE
from pbmd.ledger.database import reading
from pbmd.ledger.sharing import HostState, SharedState, shared_state, states_of_hosts
from pbmd.ledger.tables import Game, LogLine
from pbmd.pages.feed import feed
from pbmd.pages.game import game_page
from pbmd.pages.log_lines import REFUSED, PageLine, lines_of, page_lines, service_lines
from pbmd.pages.needs import needs
from pbmd.pages.page_html import assets, assets_digest, iso, render
from pbmd.pages.results import FILE, may_differ, write_results
from pbmd.pages.source import Source
from pbmd.pages.state import games, health
from pbmd.rules.troubles import DEFECTS, place_of

_log = logging.getLogger("pbmd.pages")
REFRESH = timedelta(minutes=5)
"""How old the pages' statements about mailbox and outbox may be, which change without a line in the log."""
_BOOT = Path("/proc/sys/kernel/random/boot_id")
_MOST_LINES = 100


@dataclass
class Written:
    """What the pages show: the log up to this line, written by this version for this audience, and when. `again` are games
    whose pages could not be written, or not completely, and `results_again`: nor could that of the results."""

    through: int = 0
    made_by: str = ""
    at: str = ""
    again: list[str] = field(default_factory=list[str])
    results_again: bool = False


def update(source: Source) -> int:
    """Bring the pages up to date and return the number of files that were written. A game that cannot be shown is left as it
    was, and reported on the program's own log. Raises `OSError`, after all that could be written, or `SQLAlchemyError`."""
    with Session(reading(source.engine), expire_on_commit=False) as session:
        before = _read(source)
        newest = session.exec(select(func.max(LogLine.id))).one() or 0
        new = newest > before.through or before.made_by != _made_by(source)
        if not new and source.now() - _time(before.at) < REFRESH:
            return 0
        with only_one_writer(source.folder, private=source.for_gm):
            return _write(session, source, before, newest)


def put_notice(source: Source, found: str, what_to_do: str, command: str) -> None:
    """Replace the overview by a page that says that pbmd has stopped because its ledger is damaged, and, for the game master,
    what was found and how to recover. It does not use the ledger. Raises `OSError`."""
    page = render("stopped.html.j2", source, found=found, what_to_do=what_to_do, command=command)
    with only_one_writer(source.folder, private=source.for_gm):
        _write_assets(source)
        write_file(source.folder / "index.html", page)
        forget(source.folder)


def forget(folder: Path) -> None:
    """Make the next `update` rewrite all pages in the folder. Raises `OSError`."""
    _state_file(folder).unlink(missing_ok=True)


def _write(session: Session, source: Source, before: Written, newest: int) -> int:
    everything = before.made_by != _made_by(source)
    names = _all_names(session) if everything else {*_changed(session, before.through), *before.again}
    had_same_readers = f" {source.audience} " in before.made_by
    written, again, unwritten = _write_assets(source), list[str](), list[OSError]()
    for name in sorted(names):
        try:
            files, whole = _game(session, source, name)
            written += files
            again += [] if whole else [name]
        except UNUSABLE:
            raise
        except DEFECTS as problem:  # one game must not hold up the pages of others
            if not had_same_readers:
                _take_away(source, name)
            if isinstance(problem, OSError):
                unwritten.append(problem)
            else:  # its text may be about the position
                _log.error("no page of %s: %s; it is tried again", name, place_of(problem))
            again.append(name)
    results_again = False
    if everything or before.results_again or may_differ(session, before.through):
        results, results_again = _results(session, source)
        written += results
    written += _overview(session, source)
    state = Written(newest, _made_by(source), iso(source.now()), again, results_again)
    write_file(_state_file(source.folder), json.dumps(vars(state)))
    if unwritten:
        raise unwritten[0]
    return written


def _take_away(source: Source, name: str) -> None:
    """Remove the pages of a game that could not be written anew: those that are there may tell what others may not read. Raises
    `OSError` if that is not possible."""
    for page in (source.folder / "games" / name / file for file in ("index.html", "feed.xml")):
        if page.is_file():
            page.unlink()


def _write_assets(source: Source) -> int:
    return sum(write_file(source.folder / name, text) for name, text in assets().items())


def _game(session: Session, source: Source, name: str) -> tuple[int, bool]:
    """Write the page and the feed of a game: how many files have changed, and whether everything could be shown."""
    game = session.exec(select(Game).where(Game.name == name)).first()
    if game is None:
        return 0, True
    folder = source.folder / "games" / name
    page = game_page(session, source, game, folder)
    files = write_file(folder / "index.html", render("game.html.j2", source, page=page)) + write_file(
        folder / "feed.xml", render("feed.xml.j2", source, feed=feed(session, source, game))
    )
    return files, not (page.lost or page.row.trouble)


def _results(session: Session, source: Source) -> tuple[int, bool]:
    """Write the page of results: how many files have changed, and whether it has to be tried again."""
    try:
        return write_results(session, source), False
    except (OSError, *UNUSABLE):
        raise
    except DEFECTS as problem:  # it must not hold up the other pages
        _log.error("no page of results: %s; it is tried again", place_of(problem))
        return 0, True


def _overview(session: Session, source: Source) -> int:
    rows = games(session, source)
    mail = health(session, source, rows)
    wanting = needs(session, source, rows, mail)
    refused: list[PageLine] = []
    if source.for_gm:
        levels = {row.name: row.level for row in rows}
        lines = ((name, lines_of(session, name, 20, REFUSED)) for name in levels)
        found = [line for name, newest in lines for line in page_lines(source, newest, levels[name])]
        refused = sorted(found, key=lambda line: line.at, reverse=True)[:_MOST_LINES]
    service = service_lines(session, source, _MOST_LINES)
    has_results = (source.folder / FILE).exists()
    told: dict[str, Any] = {
        "has_results": has_results,
        "mail": mail,
        "refused": refused,
        "service": service,
        "sharing": _sharing(session, source),
    }
    return write_file(
        source.folder / "index.html",
        render("overview.html.j2", source, rows=rows, mail=mail, needs=wanting, has_results=has_results),
    ) + write_file(source.folder / "mail.html", render("mail.html.j2", source, **told))


def _sharing(session: Session, source: Source) -> tuple[SharedState, tuple[HostState, ...]] | None:
    """Which process does what, only for the game master, who knows the names of the machines; None if one pbmd does all of
    it."""
    shared = shared_state(session, source.now(), source.mailbox) if source.for_gm else None
    hosts = states_of_hosts(session, source.now()) if shared else ()
    return (shared, hosts) if shared and (hosts or shared.workers) else None


def _changed(session: Session, through: int) -> set[str]:
    return set(session.exec(select(LogLine.game).where(col(LogLine.id) > through).distinct()))


def _all_names(session: Session) -> set[str]:
    return set(session.exec(select(Game.name)))


def _made_by(source: Source) -> str:
    """Pages made by another version, for others, or before the machine was started may be wrong."""
    boot = _BOOT.read_text("ascii").strip() if _BOOT.exists() else ""
    return f"{__version__} {source.audience} {boot} {assets_digest()}"


def _state_file(folder: Path) -> Path:
    """Not among the pages: its number shows how much in the log they leave out."""
    return folder.with_suffix(".state")


def _read(source: Source) -> Written:
    try:
        kept = Written(**json.loads(_state_file(source.folder).read_text(encoding="utf-8")))
        _ = source.now() - _time(kept.at)
    except (FileNotFoundError, ValueError, TypeError, RecursionError):
        return Written()  # none yet, or incomplete: everything is rewritten
    of_kinds = zip(vars(kept).values(), vars(Written()).values(), strict=True)
    return kept if all(type(value) is type(usual) for value, usual in of_kinds) else Written()


def _time(text: str) -> datetime:
    return datetime.fromisoformat(text)
