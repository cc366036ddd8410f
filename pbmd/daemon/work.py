"""What the desk has to do at each beat."""

import gc
from collections.abc import Callable

from pbmd.desk.books.desk import Desk
from pbmd.desk.clock.advance import advance_games
from pbmd.desk.mailroom import process_letters
from pbmd.desk.timing.trusted_clock import look_at_clock
from pbmd.ledger.log_file import write_new_lines

PATIENCE_SECONDS = 30.0
"""So long the end of the process waits for a ledger that cannot be written, if it has to know of mails that went out."""


def seldom_look_for_garbage() -> None:
    """What has been loaded stays, and need not be looked through for garbage again and again; nor what a batch of letters
    makes, nearly all of which goes without that."""
    gc.freeze()
    gc.set_threshold(5_000)


def work_pass(desk: Desk, mail_waits: Callable[[], object]) -> None:
    """What the desk has to do now: look whether its clock has jumped, then letters, then the games' clocks, then the log.
    `mail_waits` is called as soon as there may be mail in the outbox."""
    look_at_clock(desk)
    if process_letters(desk, mail_waits) + advance_games(desk):
        mail_waits()
    write_new_lines(desk.engine, desk.settings.log_file)
