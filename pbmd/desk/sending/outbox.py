"""The outbox as the game master sees it, and what they may do with a mail in it. No address and no text of a mail is shown."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import select, update
from sqlmodel import col

from pbmd.desk.books.transaction import Transaction
from pbmd.desk.mail.queue import game_and_seat
from pbmd.desk.sending.redact import without_addresses
from pbmd.desk.unreadable.unsettled import settle, unsettled
from pbmd.ledger.tables import Game, Outbox, OutboxState, Seat, UnreadableValue
from pbmd.rules.protocol import Refused

_DROPPED = "dropped by the game master"
NOT_OUT = tuple(state for state in OutboxState if state is not OutboxState.SENT)


@dataclass(frozen=True, slots=True)
class MailState:
    """A mail's row. `game` and `seat` are empty for mail to the game master and to strangers."""

    mail: int
    state: str
    kind: str
    game: str
    seat: str
    queued_at: datetime
    tries: int
    next_try_at: datetime | None
    sent_at: datetime | None
    bounced_at: datetime | None
    error: str


def mails(work: Transaction, states: Sequence[OutboxState], game_id: int | None, most: int) -> list[MailState]:
    """The last mails in these states, oldest first; only those of a game if one is given."""
    columns = (
        Outbox.id, Outbox.state, Outbox.kind, Game.name, Seat.name, Outbox.queued_at, Outbox.tries, Outbox.next_try_at,
        Outbox.sent_at, Outbox.bounced_at, Outbox.error,
    )  # fmt: skip
    statement = select(*(col(column) for column in columns)).select_from(Outbox)
    statement = statement.outerjoin(Game, col(Outbox.game_id) == Game.id).outerjoin(Seat, col(Outbox.seat_id) == Seat.id)
    statement = statement.where(col(Outbox.state).in_(states)).order_by(col(Outbox.id).desc()).limit(most)
    if game_id is not None:
        statement = statement.where(col(Outbox.game_id) == game_id)
    rows = work.session.connection().execute(statement).all()
    return [_shown(row) for row in reversed(rows)]


def _shown(row: Any) -> MailState:
    number, state, kind, game, seat, queued_at, tries, next_try_at, sent_at, bounced_at, error = row
    again = next_try_at if state in (OutboxState.QUEUED, OutboxState.SENDING) else None
    return MailState(
        number,
        state.value,
        kind,
        game or "",
        seat or "",
        queued_at,
        tries,
        again,
        sent_at,
        bounced_at,
        without_addresses(error),
    )


def retry(work: Transaction, number: int) -> None:
    """A mail that was given up, held or is waiting is due now, and gets all its tries again. Raises `Refused`."""
    mail = _unsent(work, number)
    if mail.state is OutboxState.SENDING:
        raise Refused(f"mail {number} is on its way, or may have gone out; it is sent again by itself")
    _must_be_whole(work, number)
    _change(work, mail, "tried again", state=OutboxState.QUEUED, tries=0, next_try_at=work.now)


_NEEDED = ("raw", "recipient", "envelope_from", "message_id")
"""The columns that a mail cannot do without."""


def _must_be_whole(work: Transaction, number: int) -> None:
    """What could not be read of a mail does not matter if it can go out without. Raises `Refused` if it cannot."""
    of_it = (UnreadableValue.of_table == "outbox", UnreadableValue.of_row == str(number))
    if lost := [value.of_column for value in unsettled(work, *of_it) if value.of_column in _NEEDED]:
        raise Refused(f"mail {number} cannot be sent: the ledger has lost its {' and '.join(lost)}; drop it with --drop")
    settle(work, *of_it)


def hold(work: Transaction, number: int) -> None:
    """A mail is not sent until it is retried. Raises `Refused`."""
    _change(work, _not_on_the_line(work, number), "held", state=OutboxState.HELD)


def drop(work: Transaction, number: int) -> None:
    """A mail is given up. Raises `Refused`."""
    settle(work, UnreadableValue.of_table == "outbox", UnreadableValue.of_row == str(number))
    _change(work, _not_on_the_line(work, number), "dropped", state=OutboxState.FAILED, error=_DROPPED)


def given_up(work: Transaction, game_id: int | None) -> list[int]:
    """The mails that failed, oldest first, without those that the GM has dropped; only those of a game if one is given."""
    statement = select(col(Outbox.id)).where(col(Outbox.state) == OutboxState.FAILED, col(Outbox.error) != _DROPPED)
    if game_id is not None:
        statement = statement.where(col(Outbox.game_id) == game_id)
    return [row.id for row in work.session.connection().execute(statement.order_by(col(Outbox.id)))]


def _not_on_the_line(work: Transaction, number: int) -> Any:
    """A mail that has no error and is on its way is being handed over, or will be at any moment: too late to change one's mind.
    One in doubt only waits, and so does one of a pbmd that was killed longer ago than a hand-over may take."""
    mail = _unsent(work, number)
    if mail.state is OutboxState.SENDING and not mail.error and mail.next_try_at > work.now:
        raise Refused(f"mail {number} is being handed over just now; see in a minute whether it was taken")
    return mail


def _unsent(work: Transaction, number: int) -> Any:
    names = (Outbox.id, Outbox.state, Outbox.error, Outbox.next_try_at, Outbox.kind, Outbox.game_id, Outbox.seat_id)
    columns = select(*(col(name) for name in names))
    row = work.session.connection().execute(columns.where(col(Outbox.id) == number)).first()
    if row is None:
        raise Refused(f"there is no mail {number}")
    if row.state is OutboxState.SENT:
        raise Refused(f"mail {number} has been sent")
    return row


def _change(work: Transaction, mail: Any, word: str, **values: Any) -> None:
    work.session.connection().execute(update(Outbox).where(col(Outbox.id) == mail.id).values(**values))
    table, seat = game_and_seat(work, mail.game_id, mail.seat_id)
    work.log("outbox", table, seat, f"mail {mail.id} ({mail.kind}) is {word}: the game master wants it so")
