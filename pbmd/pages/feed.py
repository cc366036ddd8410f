"""The news of a game: what everybody may know, whoever the pages are for. They are in its Atom feed (RFC 4287), and in
everything else that passes them on."""

import uuid
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from operator import itemgetter

from sqlmodel import Session, col, select

from pbmd.ledger.log_file import printable
from pbmd.ledger.tables import Game, LogLine, StepRecord
from pbmd.pages.game import report_of
from pbmd.pages.log_lines import PageLine, lines_of, page_lines
from pbmd.pages.source import Disclosure, Source

MOST_ENTRIES = 30
_SAME = timedelta(seconds=5)
_SPACE = uuid.uuid5(uuid.NAMESPACE_URL, "urn:pbmd:feed")
_TITLES: Mapping[str, str] = {
    "created": "The game takes sign-ups",
    "joined": "{seat} has joined",
    "seated": "The seats have been given",
    "started": "The game begins",
    "resolved": "Turn {turn} is resolved",
    "finished": "The game is over",
    "extended": "The deadline has moved",
    "deadline": "The deadline has moved",
    "shifted": "The deadline has moved",
    "put-off": "The deadline has moved",
    "quiet": "The quiet days have changed",
    "told": "Told to everybody",
    "announced": "The game master has written to all players",
    "disputed": "A letter has brought back another head",
    "rolled-back": "The game has been taken back",
    "restored": "The dice are promised anew",
    "proposed": "A vote of the players has begun",
    "voted": "A vote of the players is over",
    "votes": "What players may vote on has changed",
    "set": "An option has changed",
    "paused": "The game is paused",
    "resumed": "The game goes on",
    "resigned": "{seat} has been given up",
    "ejected": "{seat} has been taken from its player",
    "holder": "{seat} has a new player",
}


MOST_NEWS = 1000
"""How many are looked for at once."""


@dataclass(frozen=True, slots=True)
class News:
    """A piece of news, with the `number` of its line in the log: what has happened, and details."""

    number: int
    at: datetime
    title: str
    detail: str


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of the feed. `text` may have several lines."""

    id: str
    at: datetime
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Feed:
    """The feed; `updated` is when the last news came."""

    id: str
    title: str
    updated: datetime
    entries: tuple[Entry, ...]


def news_since(session: Session, source: Source, game: str, number: int) -> list[News]:
    """The news of a game after the line of the log with that number, oldest first."""
    later = select(LogLine).where(LogLine.game == game, col(LogLine.id) > number, col(LogLine.what).in_(list(_TITLES)))
    lines = session.exec(later.order_by(col(LogLine.id)).limit(MOST_NEWS)).all()
    told = page_lines(replace(source, audience="public"), lines, Disclosure.NOTHING)
    return [News(line.id or 0, each.at, printable(_title(each)), each.detail) for line, each in zip(lines, told, strict=True)]


def _title(line: PageLine) -> str:
    return _TITLES[line.what].format(seat=line.seat, turn=line.turn.removeprefix("t"))


def feed(session: Session, source: Source, game: Game) -> Feed:
    """The last news of a game, newest first."""
    public = replace(source, audience="public")
    news = page_lines(public, lines_of(session, game.name, MOST_ENTRIES, _TITLES), Disclosure.NOTHING)
    own = uuid.uuid5(_SPACE, f"{game.name} {game.created_at.isoformat()}")
    steps = _steps(session, game)
    entries: dict[str, Entry] = {}
    for line in news:
        # Not by the number of the line: that would allow counting the lines that are not shown. Moves may be simultaneous.
        named = f"{line.at.isoformat()} {line.what} {line.seat}"
        alike = sum(name.startswith(f"{named} ") for name in entries)
        step = bisect_right(steps, line.at, key=itemgetter(0)) - 1 - alike
        known = line.what == "resolved" and step >= 0 and line.at - steps[step][0] < _SAME
        parts = (line.detail, report_of(session, game, steps[step][1]) if known else "")
        key = f"{named} {alike}"
        entries[key] = Entry(uuid.uuid5(own, key).urn, line.at, _title(line), "\n\n".join(part for part in parts if part))
    updated = news[0].at if news else game.created_at
    return Feed(own.urn, game.name, updated, tuple(entries.values()))


def _steps(session: Session, game: Game) -> list[tuple[datetime, int]]:
    """When the steps were resolved, and their numbers, in order. The line about it is written a moment later."""
    columns = select(StepRecord.resolved_at, StepRecord.step)
    in_force = columns.where(StepRecord.game_id == game.id, StepRecord.rolled_back == 0)
    return list(session.exec(in_force.order_by(col(StepRecord.step))))
