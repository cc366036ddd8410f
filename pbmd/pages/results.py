"""The page of results over games. It is the same for everybody: whoever is on it has agreed to that."""

import logging

from sqlmodel import Session, col, func, select

from pbmd.files import write_file
from pbmd.ledger.tables import ListedPlayer, ListingState, LogLine
from pbmd.pages.page_html import render
from pbmd.pages.source import Source
from pbmd.results.finished import finished_games
from pbmd.results.ratings import MEANING
from pbmd.results.table import PLACES, results_of

_log = logging.getLogger("pbmd.pages")
FILE = "results.html"
_CHANGED_BY = ("finished", "rolled-back", "imported", "listed", "unlisted", "forgotten", "address")
"""The words of the log after which the results may be others."""


def may_differ(session: Session, through: int) -> bool:
    """Whether anything has happened after this line of the log that changes the results."""
    later = select(LogLine.id).where(col(LogLine.id) > through, col(LogLine.what).in_(_CHANGED_BY))
    return session.exec(later.limit(1)).first() is not None


def write_results(session: Session, source: Source) -> int:
    """Write the page if anybody is listed, and else remove it; returns whether that changed anything. A game that cannot be
    read is left out, and reported on the program's own log."""
    file = source.folder / FILE
    listed = select(func.count()).where(ListedPlayer.state == ListingState.LISTED)
    if not session.exec(listed).one():
        was_there = file.exists()
        file.unlink(missing_ok=True)
        return was_there
    found = finished_games(session, source.ruleset, source.whose)
    for trouble in found.troubles:
        _log.error("left out of the results: %s", trouble)
    return write_file(file, render("results.html.j2", source, results=results_of(found.games), meaning=MEANING, places=PLACES))
