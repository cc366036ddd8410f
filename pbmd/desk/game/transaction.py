"""A transaction in which games may change: whoever changes one need not think of its reports, or of when it is next due."""

from pbmd.desk.books.desk import Desk
from pbmd.desk.books.work import Work
from pbmd.desk.game.reports import report_all
from pbmd.desk.game.stop import stop_game
from pbmd.desk.timing.schedule import reschedule
from pbmd.rules.troubles import BrokenGame


def changing_games(desk: Desk, cause: str = "") -> Work:
    """A transaction (``with changing_games(desk) as work: …``) at whose end everything that was carried out is reported, and
    noted when the clock must look at its games next. `cause`: see `Work`."""
    return Work(desk, cause=cause, ending=_end)


def _end(work: Work) -> None:
    report_all(work)
    for table in work.tables:
        try:
            reschedule(work, table)
        except BrokenGame as trouble:
            # It may be here only because the writer of a letter plays in it, too: the others do not wait for it.
            stop_game(work, table, trouble.trouble)
