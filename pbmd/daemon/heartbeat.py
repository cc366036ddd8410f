"""What the desk has to do at each beat."""

import gc
import logging
import time
from collections.abc import Callable
from functools import partial

from sqlalchemy import select
from sqlmodel import col

from pbmd.daemon.pass_steps import PassSteps
from pbmd.desk.books.desk import Desk
from pbmd.desk.books.transaction import Transaction
from pbmd.desk.deadlines.doubt_watch import look_at_clock
from pbmd.desk.due.advance import advance_games
from pbmd.desk.due.digests import tell_news
from pbmd.desk.unreadable.looks import despite_unreadable
from pbmd.desk.votes.due import decide_votes
from pbmd.ledger.log_file import write_new_lines
from pbmd.ledger.tables import HELD, NEW, Letter

_log = logging.getLogger("pbmd.daemon")
HEARTBEAT_SECONDS = 1
PATIENCE_SECONDS = 30.0
"""How long the end of the process waits for a ledger that cannot be written, if mails that went out are still to be
recorded."""

TURN_SECONDS = 0.2
"""How long new letters wait for games that are due, however many these are."""
_WAITING = tuple(select(col(Letter.state)).where(wait).limit(1) for wait in (NEW, HELD))


def seldom_look_for_garbage() -> None:
    """Loaded code stays, and need not be searched for garbage again and again; nor need the objects of a batch of letters,
    nearly all of which are freed without that."""
    gc.freeze()
    gc.set_threshold(5_000)


def nobody_waits() -> bool:
    """Says that nobody waits, so the work may go on to its end."""
    return False


@despite_unreadable
def work_pass(desk: Desk, mail_waits: Callable[[], object], letters_wait: Callable[[], bool] = nobody_waits) -> None:
    """What the desk has to do now: check whether its clock has jumped, then letters, then the games' clocks, then the log.
    `mail_waits` is called as soon as there may be mail in the outbox; `EndingError` from it ends the pass between two
    transactions. If `letters_wait`, games that are due get only a while. What goes wrong is raised when all else is done."""
    look_at_clock(desk)
    do_in_turn(
        desk,
        mail_waits,
        letters=lambda: deal_with_letters(desk, mail_waits),
        games=lambda others_wait: advance_games(desk, others_wait),
        letters_wait=letters_wait,
    )


def do_in_turn(
    desk: Desk,
    mail_waits: Callable[[], object],
    letters: Callable[[], int],
    games: Callable[[Callable[[], bool]], int],
    letters_wait: Callable[[], bool],
) -> None:
    """The steps of a pass; `letters` and `games` deal with what there is, and give how much that was. Deadlines of all games
    must not wait for a letter that cannot be dealt with, nor the news of all for one vote."""
    steps = PassSteps(desk)
    dealt = steps.do(letters) or 0
    dealt += steps.do(partial(decide_votes, desk)) or 0
    over = time.monotonic() + TURN_SECONDS
    dealt += steps.do(lambda: games(lambda: letters_wait() and time.monotonic() > over)) or 0
    if dealt:
        steps.do(mail_waits)
    if steps.do(partial(tell_news, desk)):
        steps.do(mail_waits)
    write_log(desk)
    steps.end()


def write_log(desk: Desk) -> None:
    """Bring the log's file up to date. It is made from the ledger: where it cannot be written nothing else waits for it, and
    the game master gets an alarm."""
    try:
        write_new_lines(desk.engine, desk.settings.log_file)
    except OSError as problem:
        _log.error("the dashboard log cannot be written (%s); what it lacks is written later", problem)


def deal_with_letters(desk: Desk, mail_waits: Callable[[], object]) -> int:
    """Deal with all letters that are new, or are held until their players can be asked, and give the number of the new ones.
    What reads and answers letters is loaded for the first of them."""
    with Transaction(desk, reads=True) as work:
        ledger = work.session.connection()
        if not any(ledger.execute(waiting).first() for waiting in _WAITING):
            return 0
    from pbmd.desk.mailroom import process_letters

    return process_letters(desk, mail_waits)
