"""A game that causes trouble while others wait behind it is stopped, whatever state its rows are in."""

import logging

from pbmd.desk.books.desk import Desk, Silence, Stuck
from pbmd.desk.books.transaction import Transaction
from pbmd.desk.mail.alarms import alarm
from pbmd.desk.step.game_transaction import changing_games
from pbmd.desk.step.stop import stop_game
from pbmd.desk.unreadable.looks import despite_unreadable
from pbmd.ledger.damage import UNUSABLE
from pbmd.rules.troubles import DEFECTS, place_of

_trouble = logging.getLogger("pbmd.desk")


_FIRST, _LONGEST = 60.0, 6 * 3600.0
"""Seconds in which the same is not told again."""


def is_told(desk: Desk, game_id: int, trouble: str) -> bool:
    """Whether it was told a short while ago that a game cannot go on for this reason, and cannot be paused either. Both are
    tried all the time, since somebody may have mended it."""
    return any(told[:2] == (game_id, trouble) and desk.steady() < desk.stuck[told].until for told in desk.stuck)


def stop_or_tell(desk: Desk, game_id: int, trouble: str) -> None:
    """`stop_game` in a transaction of its own; if not even that is possible, the game master gets a mail, and it is logged: at
    once, then more and more seldom, and at once if something else fails. Raises the errors that say that the ledger cannot be
    used."""
    try:
        _stop(desk, game_id, trouble)
    except UNUSABLE:
        raise
    except DEFECTS as problem:
        stuck = Stuck(game_id, trouble, place_of(problem))
        silence = desk.stuck.get(stuck, Silence(0, _FIRST / 2))
        if stuck in desk.stuck and desk.steady() < silence.until:
            return
        seconds = min(2 * silence.seconds, _LONGEST)
        desk.stuck[stuck] = Silence(desk.steady() + seconds, seconds)
        _trouble.error("nor can game %d be paused: %s", game_id, stuck.further)
        with Transaction(desk) as work:
            words = f"game {game_id}: {stuck.further}"
            alarm(work, "game", words, about=words, lasts=False)
    else:
        for told in [told for told in desk.stuck if told.game_id == game_id]:
            del desk.stuck[told]


@despite_unreadable
def _stop(desk: Desk, game_id: int, trouble: str) -> None:
    with changing_games(desk) as work:
        stop_game(work, work.table(game_id), trouble)
