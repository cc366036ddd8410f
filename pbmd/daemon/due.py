"""When a game closes next."""

from datetime import timedelta

from sqlmodel import col, func, select

from pbmd.desk.books.desk import Desk
from pbmd.desk.books.transaction import Transaction
from pbmd.desk.deadlines.trusted_clock import doubt
from pbmd.ledger.tables import Game, GameStatus


def due_in(desk: Desk) -> timedelta:
    """How long until then, negative if it is past; a day if no game is running, or the clock is in doubt."""
    with Transaction(desk, reads=True) as work:
        if doubt(work):
            return timedelta(days=1)
        running = col(Game.status) == GameStatus.RUNNING
        due = work.session.exec(select(func.min(Game.due_at)).where(running, col(Game.due_at).is_not(None))).first()
        return due - work.now if due else timedelta(days=1)
