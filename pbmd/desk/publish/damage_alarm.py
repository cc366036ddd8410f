"""The game master learns of a damaged ledger without using it: by a mail that bypasses the outbox, on the pages, and in the log
file."""

import logging
from contextlib import suppress
from datetime import datetime

from pbmd.desk.books.desk import utc_now
from pbmd.desk.mail.alarms import AGAIN
from pbmd.desk.mail.draft import render
from pbmd.desk.mail.unqueued import direct_mail
from pbmd.desk.publish.dashboard import show_notice
from pbmd.desk.upkeep.damaged import Known, WayBack, known, note, way_back
from pbmd.ledger import log_file
from pbmd.ledger.damage import DamagedLedger
from pbmd.post.accounts import AccountError
from pbmd.post.smtp.client import Sent, Smtp, SmtpError
from pbmd.settings import Settings

_log = logging.getLogger("pbmd.ledger")
_HEADLINE = "the ledger is damaged"
_STOPPED = (
    "pbmd has stopped, so that no more is lost: it reads and sends no mail, and no deadline passes. Letters stay at the mail "
    "server and count as of their arrival when it works again."
)


def sound_alarm(settings: Settings, problem: DamagedLedger, now: datetime | None = None) -> None:
    """Report it wherever possible, in the log and by mail at most once in `AGAIN`. Obstacles are reported in the program's own
    log. Nothing of this touches the ledger."""
    now = now or utc_now()
    before, back = known(settings), way_back(settings)
    due = not _lately(before.told, now)
    told = now.isoformat() if due and _mailed(settings, problem, back, now) else before.told
    try:
        note(settings, Known(str(problem), told))
        if due:
            log_file.append_line(settings.log_file, "damaged", f"{problem}; pbmd has stopped", now)
        if settings.dashboard.pages:
            show_notice(settings, str(problem), back, now)
    except OSError as trouble:
        _log.error("that the ledger is damaged cannot be written down: %s", trouble)


def _lately(told: str, now: datetime) -> bool:
    with suppress(ValueError):
        # A time in the future came from a clock that was ahead.
        return now - AGAIN < datetime.fromisoformat(told) <= now
    return False


def _mailed(settings: Settings, problem: DamagedLedger, back: WayBack, now: datetime) -> bool:
    values = {
        "headline": _HEADLINE,
        "detail": str(problem),
        "meaning": f"{_STOPPED} {back.words}",
        "command": back.command,
        "silence": "",
    }
    server = settings.server
    raw = direct_mail(settings, server.gm, "alarm", _HEADLINE, render("alarm.txt", values), now)
    try:
        with Smtp(settings.smtp_account()) as smtp:
            result = smtp.send(server.address, server.gm, raw)
    except (SmtpError, AccountError) as trouble:
        _log.error("the game master cannot be told by mail that the ledger is damaged: %s", trouble)
        return False
    if not isinstance(result, Sent):
        _log.error("the game master cannot be told by mail that the ledger is damaged: %s", result)
        return False
    return True
