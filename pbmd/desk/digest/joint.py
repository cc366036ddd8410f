"""One digest each morning for all games of a host: whoever leads several would else get a mail for each of their turns.

A digest by which there is something to do, or of a game that is over, comes at once and by itself, since a reply to it does
what it says. Of the others only the hour is noted at which they are to be told (`Game.digest_at`), the same for all; what they
say is looked up then. News that waits for another hour is of a time in which the game was the only one, or was led by a pbmd
that knew no such mornings. It joins the others: in the morning before its hour if anything is told then, or else after it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from operator import attrgetter
from zoneinfo import ZoneInfo

from sqlalchemy import bindparam, select
from sqlmodel import col

from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.mail.draft import Draft, render
from pbmd.desk.mail.queue import tell_gm
from pbmd.ledger.tables import Game, GameStatus
from pbmd.rules.words import counted, listing

MORNING = time(8)
"""When it comes, by the clock of the host's time zone."""
_KEY = "digest of games"
# Made once: building a statement takes longer than the ledger takes to answer.
_OTHER = (
    select(col(Game.id))
    .where(
        col(Game.status) == GameStatus.RUNNING,
        col(Game.id) != bindparam("game"),
        col(Game.terms).not_like('%"digest":"off"%'),
    )
    .limit(1)
)


@dataclass(frozen=True, slots=True)
class GameNews:
    """What such a digest says of a game: a sentence, and rows of how it stands and what happened."""

    game: str
    headline: str
    rows: Sequence[str]


def is_one_of_several(work: Transaction, table: OpenGame) -> bool:
    """Whether other games run of which there are digests."""
    return work.session.connection().execute(_OTHER, {"game": table.id}).first() is not None


def next_morning(work: Transaction, at: datetime | None = None) -> datetime:
    """When the next such digest comes, from now on or from a time."""
    here = (at or work.now).astimezone(_zone(work))
    morning = datetime.combine(here.date(), MORNING, _zone(work))
    return (morning if here < morning else morning + timedelta(days=1)).astimezone(work.now.tzinfo)


def is_of_morning(work: Transaction, at: datetime) -> bool:
    """Whether it comes at that time."""
    return at.astimezone(_zone(work)).time() == MORNING


def _zone(work: Transaction) -> ZoneInfo:
    return ZoneInfo(work.desk.settings.server.timezone)


def tell_of_several(work: Transaction, news: Sequence[GameNews]) -> None:
    """Mail what there is to tell of these games, by their names."""
    news = sorted(news, key=attrgetter("game"))
    names = [each.game for each in news]
    title = f"[pbmd] nothing to do; news of {news[0].game if len(news) == 1 else counted(len(news), 'game')}"
    text = render("digest_of_games.txt", {"names": listing(names), "news": news})
    tell_gm(work, Draft("digest", f"{_KEY} {work.now.isoformat()} {', '.join(names)}", title, text))


def is_told_by(key: str, game: str) -> bool:
    """Whether a mail of that key in the outbox is such a digest, and tells of that game."""
    return key.startswith(f"{_KEY} ") and game in key.removeprefix(f"{_KEY} ").partition(" ")[2].split(", ")
