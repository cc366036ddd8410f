"""Which lines of the log a page may show, and how much of each."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import NamedTuple

from sqlmodel import Session, col, select

from pbmd.ledger.log_file import printable
from pbmd.ledger.tables import LogLine
from pbmd.pages.source import Disclosure, Source

_WHOLE, _NO_DETAIL = True, False

_OPEN: Mapping[str, bool] = {
    "created": _WHOLE,
    "joined": _WHOLE,
    "seated": _WHOLE,
    "started": _WHOLE,
    "extended": _WHOLE,
    "deadline": _WHOLE,
    "shifted": _WHOLE,
    "put-off": _WHOLE,
    "quiet": _WHOLE,
    "paused": _WHOLE,
    "resumed": _WHOLE,
    "resolved": _WHOLE,
    "finished": _WHOLE,
    "told": _WHOLE,
    "resigned": _WHOLE,
    "rolled-back": _WHOLE,
    "restored": _WHOLE,
    "proposed": _WHOLE,  # names a seat only where ballots are open
    "ballot": _WHOLE,  # there is one only where ballots are open
    "voted": _WHOLE,
    "votes": _WHOLE,
    "set": _WHOLE,
    "announced": _WHOLE,
    "disputed": _WHOLE,
    "ejected": _NO_DETAIL,
    "holder": _NO_DETAIL,  # the number of a letter
    "defect": _NO_DETAIL,  # the place in the code may depend on what was ordered
    "no-map": _NO_DETAIL,
}
"""What all players are told anyway; and whether with its detail."""

_NAMED: Mapping[str, bool] = {"orders": _NO_DETAIL, "nmr": _NO_DETAIL, "asleep": _NO_DETAIL, "awake": _NO_DETAIL}
"""What may be shown if players may know by name who has sent orders."""

_SECRET_ARRIVAL: Mapping[str, bool] = {
    "unreachable": _WHOLE,
    "reachable": _WHOLE,
    "offered": _WHOLE,
    "substitute": _WHOLE,
    "token": _NO_DETAIL,
    "peeked": _WHOLE,
    "watch": _NO_DETAIL,
    "request": _WHOLE,
}
"""What the game master sees even if nobody may know who has sent: none of it depends on orders, or counts letters."""

_OF_SERVICE = ("running", "stopped", "imap-lost", "imap-back", "smtp-lost", "smtp-back")
"""What everybody may know about the daemon, without the details."""

TROUBLE = frozenset(
    {
        "defect",
        "nmr",
        "seen-late",
        "quarantine",
        "unreachable",
        "unsent",
        "bounce",
        "imap-lost",
        "imap-refused",
        "mailbox-given-up",
        "smtp-lost",
    }
)
REFUSED = ("refused", "late", "letter", "unheard", "held", "quarantine", "brake", "no-text")
"""The words of letters that were refused, or put aside, or not answered."""


class PageLine(NamedTuple):
    """A line as a page shows it."""

    at: datetime
    game: str
    turn: str
    what: str
    seat: str
    detail: str

    @property
    def trouble(self) -> bool:
        """Whether it reports something that went wrong."""
        return self.what in TROUBLE


def page_lines(source: Source, lines: Iterable[LogLine], level: Disclosure) -> list[PageLine]:
    """The lines of a game that may be shown at this level, in the same order."""
    return [_cut(source, line, whole) for line in lines if (whole := _extent(source, line.what, level)) is not None]


def service_lines(session: Session, source: Source, most: int) -> list[PageLine]:
    """The last lines that do not belong to a game, newest first."""
    statement = select(LogLine).where(LogLine.game == "-").order_by(col(LogLine.id).desc()).limit(most)
    if not source.for_gm:
        statement = statement.where(col(LogLine.what).in_(_OF_SERVICE))
    return [_cut(source, line, source.for_gm) for line in session.exec(statement)]


def lines_of(session: Session, game: str, most: int, words: Iterable[str] | None = None) -> list[LogLine]:
    """The last lines of a game, newest first; only those with one of these words, if there are any."""
    statement = select(LogLine).where(LogLine.game == game).order_by(col(LogLine.id).desc()).limit(most)
    return list(session.exec(statement if words is None else statement.where(col(LogLine.what).in_(list(words)))))


def _extent(source: Source, word: str, level: Disclosure) -> bool | None:
    """Whether a line with this word is shown with its detail; None if it is not shown at all."""
    if level is Disclosure.CAUSES:
        return _WHOLE
    tables = [_OPEN, *([_NAMED] if level is Disclosure.NAMES else []), *([_SECRET_ARRIVAL] if source.for_gm else [])]
    return next((table[word] for table in tables if word in table), None)


def _cut(source: Source, line: LogLine, whole: bool) -> PageLine:
    detail = source.words.discreet(printable(line.detail)) if whole else ""
    return PageLine(line.at, line.game, line.turn, line.what, "" if line.seat == "-" else line.seat, detail)
