"""One digest for all games of a host: whoever masters several would else get a mail for each of their turns.

A digest by which there is something to do comes at once, and by itself, since a reply to it does what it says. The others of a
day are gathered in one mail. It is in the outbox from the first on, due when a day is over since the last such mail (or in
two hours, where there was none); each digest makes it anew with its own words at the end. So it costs nothing to look, and
one game in trouble holds up no other.
"""

import json
from datetime import datetime, timedelta

from sqlalchemy import bindparam, delete, func, select
from sqlmodel import col

from pbmd.desk.books.transaction import OpenGame, Transaction, compact_json
from pbmd.desk.mail.draft import LONGEST_GATHERING, Draft, render
from pbmd.desk.mail.queue import is_queued, tell_gm
from pbmd.ledger.tables import UNSENT, Game, GameStatus, Outbox, OutboxState
from pbmd.rules.words import counted

_FIRST = timedelta(hours=2)
"""How long the first such mail waits for others: games of a club often end their turns on the same evening."""
# Made once: building a statement takes longer than the ledger takes to answer.
_JOINT = (col(Outbox.kind) == "digest", col(Outbox.game_id).is_(None))
_OTHERS = (
    select(col(Game.id))
    .where(col(Game.status).in_((GameStatus.RUNNING, GameStatus.SIGNUP)), col(Game.id) != bindparam("game"))
    .limit(1)
)
_WAITING = (
    select(col(Outbox.id), col(Outbox.next_try_at), col(Outbox.gathered))
    .where(UNSENT, *_JOINT, col(Outbox.state) == OutboxState.QUEUED, col(Outbox.tries) == 0, col(Outbox.gathered) != "")
    .order_by(col(Outbox.id).desc())
    .limit(1)
    # What a sender takes at this moment goes out as it is.
    .with_for_update(skip_locked=True)
)
_LAST = select(func.max(col(Outbox.next_try_at))).where(*_JOINT)


def is_one_of_several(work: Transaction, table: OpenGame) -> bool:
    """Whether there are other games that have digests."""
    return bool(work.session.connection().execute(_OTHERS, {"game": table.id}).scalar())


def tell_with_others(work: Transaction, name: str, text: str, key: str) -> None:
    """Mail this digest of a game, of that name, with those of others. `key` says which it is, so that it is told once."""
    if is_queued(work, key):
        return
    work.write_rows()
    connection = work.session.connection()
    waiting = connection.execute(_WAITING).first()
    parts: list[tuple[str, str]] = [*(json.loads(waiting.gathered) if waiting else ()), (name, text)]
    # A clock that was ahead may have named a time that is far away.
    due = min(waiting.next_try_at if waiting else _next(work), work.now + LONGEST_GATHERING)
    games = list(dict.fromkeys(each for each, _ in parts))
    draft = Draft(
        "digest",
        key,
        f"[pbmd] nothing to do; news of {games[0] if len(games) == 1 else counted(len(games), 'game')}",
        render("digest_of_games.txt", {"games": games, "texts": [told for _, told in parts]}),
        not_before=due,
        gathered=compact_json(parts),
    )
    tell_gm(work, draft)
    if waiting is not None:
        connection.execute(delete(Outbox).where(col(Outbox.id) == waiting.id))


def _next(work: Transaction) -> datetime:
    """When a first digest is due that waits for others: a day after the last."""
    last = work.session.connection().execute(_LAST).scalar()
    return max(work.now + _FIRST, last + LONGEST_GATHERING if last else work.now)
