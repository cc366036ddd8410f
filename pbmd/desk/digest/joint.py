"""One digest each morning for all games of a host: whoever leads several would else get a mail for each of their turns.

A digest by which there is something to do, or of a game that is over, comes at once and by itself, since a reply to it does
what it says. Of the others only the hour is noted at which they are to be told (`Game.digest_at`), the same for all; what they
say is looked up then.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from sqlalchemy import bindparam, select
from sqlmodel import col

from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.mail.draft import Draft, render
from pbmd.desk.mail.queue import tell_gm
from pbmd.ledger.tables import Game, GameStatus
from pbmd.rules.words import counted

MORNING = time(8)
"""When it comes, by the clock of the host's time zone."""
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


def next_morning(work: Transaction) -> datetime:
    """When the next such digest comes."""
    zone = ZoneInfo(work.desk.settings.server.timezone)
    here = work.now.astimezone(zone)
    morning = datetime.combine(here.date(), MORNING, zone)
    return (morning if here < morning else morning + timedelta(days=1)).astimezone(work.now.tzinfo)


def tell_of_several(work: Transaction, news: Sequence[GameNews]) -> None:
    """Mail what there is to tell of these games."""
    names = ", ".join(each.game for each in news)
    title = f"[pbmd] nothing to do; news of {news[0].game if len(news) == 1 else counted(len(news), 'game')}"
    text = render("digest_of_games.txt", {"names": names, "news": news})
    tell_gm(work, Draft("digest", f"digest of games {work.now.isoformat()} {names}", title, text))
