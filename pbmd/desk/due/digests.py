"""Digests between turns: which game masters are to be told of news now, and telling them.

A game master is told of news a day after the first that no digest has told yet, or, where several games run, in the morning
(`Game.digest_at`). So it costs nothing to look whether one is due, and there is one a day at most. In the morning all is told
that would come up to the next one.
"""

import logging
from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import bindparam, select
from sqlmodel import col

from pbmd.desk.books.desk import Desk
from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.digest.digest import tell_of_day
from pbmd.desk.digest.joint import GameNews, is_of_morning, next_morning, tell_of_several
from pbmd.desk.step.game_transaction import changing_games
from pbmd.desk.unreadable.looks import despite_unreadable
from pbmd.ledger.damage import UNUSABLE
from pbmd.ledger.tables import Game, UtcDateTime
from pbmd.rules.troubles import DEFECTS, place_of

_trouble = logging.getLogger("pbmd.due")
AT_ONCE = 100
"""So many are told in one pass; the others a second later."""
# Made once: putting a statement together takes longer than the ledger takes to answer.
_DUE = (
    select(col(Game.id), col(Game.digest_at))
    .where(col(Game.digest_at).is_not(None), col(Game.digest_at) < bindparam("before", type_=UtcDateTime))
    .order_by(col(Game.digest_at), col(Game.id))
    .limit(AT_ONCE)
)


@despite_unreadable
def tell_news(desk: Desk) -> int:
    """Mail the digests that are due; gives how many games were looked at. A game of which a digest cannot be written, since its
    rules have a defect, holds up none of the others."""
    with Transaction(desk, reads=True) as work:
        before = work.now + datetime.resolution
        due = _waiting(work, before)
        if is_morning := any(is_of_morning(work, at) for _, at in due):
            before = next_morning(work) + datetime.resolution
            due = _waiting(work, before)
    if due:
        troubles = _tell(desk, [game_id for game_id, _ in due], before, is_morning=is_morning)
        for game_id, trouble in troubles.items():
            _give_up(desk, game_id, trouble)
    return len(due)


def _waiting(work: Transaction, before: datetime) -> list[tuple[int, datetime]]:
    """Games of which there are news to be told before then, and when."""
    rows = work.session.connection().execute(_DUE, {"before": before})
    return [(game, at) for game, at in rows if game is not None and at is not None]


def _tell(desk: Desk, due: Sequence[int], before: datetime, *, is_morning: bool) -> dict[int, BaseException]:
    """What there is to tell, in one transaction, since what several games have to tell is one mail; gives what went wrong."""
    troubles: dict[int, BaseException] = {}
    with changing_games(desk, "the clock") as work:
        news: list[GameNews] = []
        for game_id in due:
            try:
                told = _told(work, work.table(game_id), before, is_morning=is_morning)
            except UNUSABLE:
                raise
            except DEFECTS as trouble:
                troubles[game_id] = trouble
            else:
                news += [told] if told else []
        if news:
            tell_of_several(work, news)
    return troubles


def _told(work: Transaction, table: OpenGame, before: datetime, *, is_morning: bool) -> GameNews | None:
    at = table.game.digest_at
    return tell_of_day(work, table, is_morning=is_morning) if at is not None and at < before else None


def _give_up(desk: Desk, game_id: int, trouble: BaseException) -> None:
    # The text of the exception may tell secrets, so only its kind goes into log and ledger.
    with changing_games(desk, "the clock") as work:
        table = work.table(game_id)
        _trouble.error("%s: no digest could be written: %s", table.game.name, place_of(trouble))
        table.game.digest_at = None
        work.log("no-digest", table, detail=place_of(trouble))
