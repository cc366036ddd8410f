"""The outbox on its way: each mail is marked before it is handed over and after, so that a crash loses none.

A mail that was being handed over when the process died, or whose end could not be written down, may or may not have gone
out. It is sent again, under the same Message-ID and with the same bytes: a minute after the next start, or when its lease
is over.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import timedelta
from typing import Any

from sqlmodel import col, select, update

from pbmd.desk.context import Desk
from pbmd.desk.work import Work
from pbmd.ledger.tables import UNSENT, Game, Outbox, OutboxState
from pbmd.post.smtp import Deferred, Rejected, Sent, Smtp, SmtpError, Unknown, retry_delay

BATCH = 100
LEASE = timedelta(minutes=10)
"""How long a mail may be on its way; more than an SMTP server takes for one, as each of its answers has a time limit."""
_RECOVERY = timedelta(minutes=1)
Connect = Callable[[], AbstractContextManager[Smtp]]


def recover(desk: Desk) -> int:
    """At start: mails that were being handed over when the process ended wait a minute and go out again."""
    with Work(desk) as work:
        found = work.session.exec(select(Outbox.id).where(UNSENT, Outbox.state == OutboxState.SENDING)).all()
        if found:
            values = {"state": OutboxState.QUEUED, "next_try_at": work.now + _RECOVERY}
            work.session.exec(update(Outbox).where(UNSENT, col(Outbox.state) == OutboxState.SENDING).values(**values))
            work.log("outbox", detail=f"{len(found)} mails were on their way when pbmd ended; they are sent again")
    return len(found)


def send_due(desk: Desk, connect: Connect, stopping: Callable[[], bool] = lambda: False) -> int:
    """Hand over every mail that is due, over one connection, oldest first; gives the number accepted.

    Ends after the mail at hand when `stopping` says so. Raises `SmtpError` when there is no connection. What was not
    handed over is still due.
    """
    accepted = 0
    while not stopping() and (due := _due(desk)):
        with connect() as smtp:
            for mail_id in due:
                if stopping():
                    break
                accepted += _send_one(desk, smtp, mail_id)
    return accepted


def _due(desk: Desk) -> list[int]:
    with Work(desk, reads=True) as work:
        statement = (
            select(Outbox.id)
            .where(UNSENT, Outbox.next_try_at <= work.now)
            .order_by(col(Outbox.next_try_at), col(Outbox.id))
            .limit(BATCH)
        )
        return [mail_id for mail_id in work.session.exec(statement) if mail_id is not None]


def _send_one(desk: Desk, smtp: Smtp, mail_id: int) -> int:
    with Work(desk) as work:
        mail = work.session.get(Outbox, mail_id)
        if mail is None or mail.state not in (OutboxState.QUEUED, OutboxState.SENDING) or mail.next_try_at > work.now:
            return 0
        if mail.state is OutboxState.SENDING:
            work.log("outbox", detail=f"mail {mail_id} may or may not have gone out; it is sent again")
        due_at = mail.next_try_at
        mail.state, mail.tries, mail.next_try_at = OutboxState.SENDING, mail.tries + 1, work.now + LEASE
    try:
        result = smtp.send(mail.envelope_from, mail.recipient, mail.raw)
    except SmtpError as problem:
        # The connection could not be made again, so the server has not seen this mail.
        with Work(desk) as work:
            back = {"state": OutboxState.QUEUED, "tries": mail.tries - 1, "next_try_at": due_at, "error": str(problem)}
            work.session.exec(update(Outbox).where(col(Outbox.id) == mail_id).values(**back))
        raise
    delay = None if isinstance(result, Sent) else retry_delay(mail.tries, result)
    with Work(desk) as work:
        work.session.exec(update(Outbox).where(col(Outbox.id) == mail_id).values(**_after(result, delay, work)))
        if not isinstance(result, Sent):
            _log_trouble(work, mail, result, delay)
    return int(isinstance(result, Sent))


def _after(result: Sent | Deferred | Rejected | Unknown, delay: timedelta | None, work: Work) -> dict[str, Any]:
    if isinstance(result, Sent):
        return {"state": OutboxState.SENT, "sent_at": work.now, "error": ""}
    if delay is None:
        return {"state": OutboxState.FAILED, "error": str(result)}
    return {"state": OutboxState.QUEUED, "next_try_at": work.now + delay, "error": str(result)}


def _log_trouble(work: Work, mail: Outbox, result: Deferred | Rejected | Unknown, delay: timedelta | None) -> None:
    game = work.session.get(Game, mail.game_id) if mail.game_id else None
    table = work.table(game.id) if game and game.id else None
    seat = next((seat.name for seat in table.seats if seat.id == mail.seat_id), "-") if table else "-"
    again = "given up" if delay is None else f"try {mail.tries + 1} in {int(delay.total_seconds() // 60)} min"
    code = getattr(result, "code", None)
    work.log(
        "unsent", table, seat, f"mail {mail.id} ({mail.kind}): {'SMTP ' + str(code) if code else 'connection lost'}; {again}"
    )
