"""A transaction in which games may change: whoever changes one need not think of its reports, or of when it is next due."""

from pbmd.desk.books.desk import Desk
from pbmd.desk.books.work import Work
from pbmd.desk.game.reports import report_all
from pbmd.desk.timing.schedule import reschedule
from pbmd.ledger.tables import GameStatus


def changing_games(desk: Desk, cause: str = "") -> Work:
    """A transaction (``with changing_games(desk) as work: …``) at whose end everything that was carried out is reported, and
    noted when the clock must look at its games next. `cause`: see `Work`."""
    return Work(desk, cause=cause, ending=_end)


def _end(work: Work) -> None:
    report_all(work)
    for table in work.tables:
        # A game that cannot go on is due as before: the clock finds out, and stops it.
        if table.game.status is not GameStatus.RUNNING or not table.trouble:
            reschedule(work, table)
