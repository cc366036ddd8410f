"""A game that causes trouble while others wait behind it is stopped, whatever state its rows are in."""

import logging

from pbmd.desk.books.desk import Desk
from pbmd.desk.books.transaction import Transaction
from pbmd.desk.mail.alarms import alarm
from pbmd.desk.step.game_transaction import changing_games
from pbmd.desk.step.stop import stop_game
from pbmd.desk.unreadable.looks import despite_unreadable
from pbmd.ledger.damage import UNUSABLE
from pbmd.rules.troubles import DEFECTS, place_of

_trouble = logging.getLogger("pbmd.desk")


def stop_or_tell(desk: Desk, game_id: int, trouble: str) -> None:
    """`stop_game` in a transaction of its own; if not even that is possible, the game master gets a mail. Raises the errors
    that say that the ledger cannot be used."""
    try:
        _stop(desk, game_id, trouble)
    except UNUSABLE:
        raise
    except DEFECTS as further:
        _trouble.error("nor can game %d be paused: %s", game_id, place_of(further))
        with Transaction(desk) as work:
            alarm(work, "game", f"game {game_id}: {place_of(further)}", about=f"game {game_id}", lasts=False)


@despite_unreadable
def _stop(desk: Desk, game_id: int, trouble: str) -> None:
    with changing_games(desk) as work:
        stop_game(work, work.table(game_id), trouble)
