"""What the desk has to do at each beat if others may help, on this machine or another: workers, who are woken by a bell.

The ledger says what is to be done, and the process that holds the row of a game does it; the bell only wakes. So nothing is
lost if a bell goes unheard, and nothing is done twice if two hear it. The process that rings works, too, from the other end of
what is due, and would do all of it if nobody came.
"""

from collections.abc import Callable, Iterable
from datetime import datetime

from sqlmodel import func, select

from pbmd.daemon.heartbeat import do_in_turn, nobody_waits
from pbmd.desk.books.desk import Desk
from pbmd.desk.books.transaction import Transaction
from pbmd.desk.deadlines.doubt_watch import look_at_clock
from pbmd.desk.deadlines.evidence import first_of_nobody
from pbmd.desk.deadlines.trusted_clock import doubt
from pbmd.desk.due.advance import Due, advance_game, advance_or_put_aside, due_games
from pbmd.desk.letter.lanes import assign_lanes, lanes_with_letters
from pbmd.desk.mailroom import process_letters, process_letters_of
from pbmd.desk.unreadable.looks import despite_unreadable, look_now_and_then
from pbmd.ledger.tables import Letter, LetterState
from pbmd.terms.times import EPOCH

FEW = 20
"""This many letters are handled faster than anybody is woken for them."""
AHEAD = 1000
"""How many due games are rung for at once."""
Ring = Callable[[Iterable[int]], object]
"""To wake workers for these games."""


def game_pass(desk: Desk, game_id: int) -> None:
    """Do everything for one game, while others do so for other games: first its letters, then its clock. Raises
    `OperationalError` if the ledger cannot be used, and whatever goes wrong; then everything that was not committed is still to
    be done, and the leader does it."""
    process_letters_of(desk, game_id)
    advance_game(desk, game_id, lane=game_id)


@despite_unreadable
def shared_pass(
    desk: Desk, ring: Ring, mail_waits: Callable[[], object], letters_wait: Callable[[], bool] = nobody_waits
) -> None:
    """What `pbmd.daemon.heartbeat.work_pass` does, with the help of workers."""
    look_at_clock(desk)
    do_in_turn(
        desk,
        mail_waits,
        letters=lambda: deal_with_letters(desk, ring, mail_waits),
        games=lambda others_wait: deal_with_due_games(desk, ring, others_wait),
        letters_wait=letters_wait,
    )


def deal_with_letters(desk: Desk, ring: Ring, mail_waits: Callable[[], object]) -> int:
    """Handle all new letters, and return how many were handled here. Those that certainly belong to one game are handled in
    parallel with those of other games, up to the next one that does not; all earlier letters are finished before that one."""
    count = 0
    while _new_letters(desk) > FEW:
        assign_lanes(desk)
        lanes = lanes_with_letters(desk)
        ring(lanes)
        dealt = 0
        for game_id in reversed(lanes):
            dealt += process_letters_of(desk, game_id, mail_waits)
        with Transaction(desk, reads=True) as work:
            first = first_of_nobody(work)
        if first is not None and not assign_lanes(desk):
            dealt += process_letters(desk, mail_waits, until=first)
        if not dealt:
            break
        count += dealt
    return count + process_letters(desk, mail_waits)


def _new_letters(desk: Desk) -> int:
    """How many letters are new; above a few, the exact number does not matter."""
    few = select(Letter.id).where(Letter.state == LetterState.NEW).limit(FEW + 1).subquery()
    with Transaction(desk, reads=True) as work:
        return work.session.exec(select(func.count()).select_from(few)).one()


@despite_unreadable
def deal_with_due_games(desk: Desk, ring: Ring, others_wait: Callable[[], bool] = nobody_waits) -> int:
    """Look at every game that is due; returns the number of steps resolved here. If `others_wait` after a game, the rest is
    left for the next time."""
    look_now_and_then(desk)
    count, after = 0, (EPOCH, 0)
    while due := _due(desk, after):
        with Transaction(desk, reads=True) as work:
            if doubt(work):
                return count
        ring(game.id for game in due)
        for game in reversed(due):
            count += advance_or_put_aside(desk, game.id, lane=game.id)
            if others_wait():
                return count
        after = (due[-1].at, due[-1].id)
    return count


def _due(desk: Desk, after: tuple[datetime, int]) -> list[Due]:
    found: list[Due] = []
    while len(found) < AHEAD and (more := due_games(desk, after)):
        found += more
        after = (more[-1].at, more[-1].id)
    return found
