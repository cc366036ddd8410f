"""Mails taken out of the outbox to be handed over, and what is recorded about each afterwards."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, and_, bindparam, or_, select, update
from sqlmodel import col

from pbmd.desk.books.desk import Desk
from pbmd.desk.books.transaction import Transaction
from pbmd.desk.mail.draft import Draft, render
from pbmd.desk.mail.pictures import pictures_of, with_pictures
from pbmd.desk.mail.queue import game_and_seat, is_queued, tell_gm
from pbmd.desk.mail.rate_limits import HOUR
from pbmd.desk.sending.bounces import refused
from pbmd.desk.sending.rate import LONGEST_REST, MINUTE, Pace, domain_of
from pbmd.desk.sending.redact import without_addresses
from pbmd.desk.unreadable.looks import despite_unreadable, look_now_and_then
from pbmd.ledger.database import make_lasting, padded
from pbmd.ledger.tables import HAS_GONE_OUT, ROOM, UNSENT, Outbox, OutboxState
from pbmd.post.smtp.client import LONGEST_WAIT, Deferred, Rejected, Unknown, retry_delay

BATCH = 100
"""How many mails are marked in one commit. After a crash at most this many are checked twice."""
LEASE = timedelta(minutes=10)
"""The minimum time that a mail may be on its way; see `lease`."""
_COLUMNS = (
    "id", "key", "recipient", "envelope_from", "raw", "tries", "state", "next_try_at", "error", "kind", "game_id", "seat_id"
)  # fmt: skip
ON_THE_LINE = (UNSENT, col(Outbox.state) == OutboxState.SENDING, col(Outbox.error) == "")
"""A mail that has no error and is on its way is being handed over, or was when its sender ended; others wait for their next
try."""
# Made once: the writers of letters wait for them.
_ANY_DUE = select(col(Outbox.id)).where(UNSENT, col(Outbox.next_try_at) <= bindparam("now")).limit(1)
_DUE = (
    select(*(getattr(Outbox, name) for name in _COLUMNS), (col(Outbox.gathered) != "").label("has_gathered"))
    .where(UNSENT, col(Outbox.next_try_at) <= bindparam("now"))
    .order_by(col(Outbox.next_try_at), col(Outbox.id))
    .limit(bindparam("most"))
    # What another sender takes at this moment is its own. SQLite has no such locks, and only one writer.
    .with_for_update(skip_locked=True)
)
_ON_THE_WAY = (
    update(Outbox)
    .where(col(Outbox.id).in_(bindparam("ids", expanding=True)))
    # No error: it is being handed over, and does not wait for its next try.
    .values(
        state=OutboxState.SENDING,
        tries=col(Outbox.tries) + 1,
        error="",
        next_try_at=bindparam("lease"),
        sender=bindparam("host"),
        room=ROOM[OutboxState.SENDING],
    )
)
_GONE_OUT = (
    update(Outbox)
    .where(col(Outbox.id).in_(bindparam("ids", expanding=True)))
    .values(state=OutboxState.SENT, sent_at=bindparam("now"), error="", sender=bindparam("host"), room=ROOM[OutboxState.SENT])
)
_LATELY_SENT = select(col(Outbox.sent_at), col(Outbox.recipient)).where(
    HAS_GONE_OUT, col(Outbox.sent_at).between(bindparam("since"), bindparam("until"))
)
_BEING_SENT = select(col(Outbox.next_try_at), col(Outbox.recipient)).where(*ON_THE_LINE)


@dataclass(frozen=True, slots=True)
class Parcel:
    """A mail that is marked as on its way since `taken_at`. `tries` counts this one, `due_at` is when it was due, `error` what
    prevented it the last time. `has_gathered`: it waited for more news (`pbmd.desk.step.gathering`)."""

    id: int
    recipient: str
    envelope_from: str
    raw: bytes
    tries: int
    due_at: datetime
    taken_at: datetime
    error: str
    kind: str
    game_id: int | None
    seat_id: int | None
    has_gathered: bool = False

    @property
    def domain(self) -> str:
        """The recipient's domain."""
        return domain_of(self.recipient)


def lease(desk: Desk) -> timedelta:
    """How long a mail may be on its way. Half of it is more than an SMTP server gets for one (`MOST_ANSWERS` of its time
    limits). A mail may only be begun with that much left, so that it is not taken up again meanwhile."""
    return max(LEASE, timedelta(seconds=20 * desk.settings.smtp.timeout_seconds))


def look_back(desk: Desk, pace: Pace) -> None:
    """Tell a new pace what has gone out within the last minute, and what is on its way, whoever sends it."""
    now, begun = desk.now(), lease(desk)
    with desk.reading_engine.connect() as connection:
        # The clock of another host may be ahead of ours.
        sent = connection.execute(_LATELY_SENT, {"since": now - MINUTE, "until": now + MINUTE}).all()
        handed = [(at, recipient) for at, recipient in sent if at is not None]
        handed += [(until - begun, recipient) for until, recipient in connection.execute(_BEING_SENT)]
    for at, recipient in sorted(handed):
        pace.remember(domain_of(recipient), min(at, now))


def bring_forward(desk: Desk) -> None:
    """Make those mails due that were to wait until a time that only a clock that was ahead can have named; but not those that
    another host is sending."""
    with Transaction(desk) as work:
        again, first = work.now + LONGEST_WAIT + lease(desk), work.now + LONGEST_REST
        never = or_(col(Outbox.next_try_at) > again, (col(Outbox.next_try_at) > first) & (col(Outbox.tries) == 0))
        others = and_(*ON_THE_LINE, col(Outbox.sender) != desk.host)
        waiting = update(Outbox).where(UNSENT, never, ~others).values(next_try_at=work.now)
        found = work.session.connection().execute(waiting).rowcount
        if found:
            work.log("outbox", detail=f"the clock was set back: {found} mails that waited for a later hour are due now")


def is_due(desk: Desk) -> bool:
    """Whether any mail is to be sent now."""
    with desk.reading_engine.connect() as connection:
        return connection.execute(_ANY_DUE, {"now": desk.now()}).first() is not None


@despite_unreadable
def take(desk: Desk, pace: Pace, busy: Collection[str] = (), in_hand: Collection[int] = ()) -> list[Parcel]:
    """Mark the mails that are to go out next as on their way, oldest first; none when none is due.

    Mail to the `busy` domains and what is `in_hand` already are left; what a domain's pace does not allow yet is put off. What
    another sender takes at the same time is not among them.
    """
    look_now_and_then(desk)
    # In a power cut the mark may be lost, and the mail is due as before: it would be sent again just so with the mark. But one
    # that has gathered news would count as waiting for more, and go out a second time as another mail.
    parcels = _taken(desk, pace, busy, in_hand)
    if any(parcel.has_gathered for parcel in parcels):
        make_lasting(desk.engine)
    return parcels


def _taken(desk: Desk, pace: Pace, busy: Collection[str], in_hand: Collection[int]) -> list[Parcel]:
    with Transaction(desk, beside=True, hasty=True) as work:
        while True:
            room = pace.room(work.now)
            rows = [row for row in _due(work, busy, min(BATCH, max(room, 1))) if row.id not in in_hand]
            if rows and room <= 0:
                break
            pace.told = pace.told and room <= 0
            parcels, waiting = _sorted(work, rows, pace)
            if parcels:
                marked = {"ids": padded(each.id for each in parcels), "lease": work.now + lease(desk), "host": desk.host}
                work.session.connection().execute(_ON_THE_WAY, marked)
            put_off = _put_off(work, waiting)
            _log_what_goes_again(work, rows, {each.id for each in parcels})
            if parcels or not put_off:
                return parcels
    _tell_of_ceiling(desk, pace)
    return []


def _due(work: Transaction, busy: Collection[str], most: int) -> Sequence[Any]:
    statement = _DUE
    if busy:
        statement = statement.where(~or_(*(col(Outbox.recipient).iendswith(f"@{each}", autoescape=True) for each in busy)))
    return work.session.connection().execute(statement, {"now": work.now, "most": most}).all()


def _sorted(work: Transaction, rows: Sequence[Any], pace: Pace) -> tuple[list[Parcel], dict[str, datetime]]:
    """Which of these mails go out now, and which domains have to wait until when."""
    now, parcels, waiting = work.now, list[Parcel](), dict[str, datetime]()
    pictures = pictures_of(work.session.connection(), [row.key for row in rows])
    for row in rows:
        domain = domain_of(row.recipient)
        until = waiting.get(domain) or pace.waits_until(domain, now)
        if until is not None:
            waiting[domain] = until
            continue
        pace.hand(domain, row.id, now)
        about = (row.error, row.kind, row.game_id, row.seat_id, row.has_gathered)
        raw = with_pictures(row.raw, pictures.get(row.key, ()))
        parcels.append(Parcel(row.id, row.recipient, row.envelope_from, raw, row.tries + 1, row.next_try_at, now, *about))
    return parcels, waiting


def _put_off(work: Transaction, waiting: Mapping[str, datetime]) -> int:
    """Mails to these domains that are due wait until then; returns how many there are."""
    put_off = 0
    for domain, until in waiting.items():
        late = select(col(Outbox.id)).where(UNSENT, col(Outbox.next_try_at) <= work.now)
        late = late.where(col(Outbox.recipient).iendswith(f"@{domain}", autoescape=True)).with_for_update(skip_locked=True)
        later = update(Outbox).where(col(Outbox.id).in_(late)).values(next_try_at=until)
        put_off += work.session.connection().execute(later).rowcount
    return put_off


def _log_what_goes_again(work: Transaction, rows: Sequence[Any], taken: Collection[int]) -> None:
    """Those of the mails `taken` that were on their way already when pbmd or the connection ended."""
    for row in rows:
        if row.state is OutboxState.SENDING and row.id in taken:
            work.log("outbox", detail=f"mail {row.id} may or may not have gone out; it is sent again")


def _tell_of_ceiling(desk: Desk, pace: Pace) -> None:
    """More is to be sent in a minute than the settings allow: log it once, and tell the game master once an hour."""
    if pace.told:
        return
    with Transaction(desk) as work:  # one at a time, so that there is one such mail
        work.log("ceiling", detail=f"{pace.per_minute} mails have gone out within a minute; the others wait until it is over")
        key = f"ceiling {work.now:%Y-%m-%dT%H}"
        if not is_queued(work, key):
            tell_gm(work, Draft("alarm", key, "[pbmd] very many mails", render("ceiling.txt", {"most": pace.per_minute})))
            work.write()
            # It goes before the flood that it reports.
            work.session.connection().execute(update(Outbox).where(col(Outbox.key) == key).values(next_try_at=work.now - HOUR))
    pace.told = True


def put_back(work: Transaction, pace: Pace, parcel: Parcel, until: datetime | None = None, error: str | None = None) -> None:
    """A mail was not handed over after all: it is due as before, or later, and this counts neither as a try nor for the pace.
    What another sender has taken meanwhile is left alone."""
    pace.give_back(parcel.domain, parcel.taken_at)
    values: dict[str, Any] = {"state": OutboxState.QUEUED, "tries": parcel.tries - 1, "next_try_at": until or parcel.due_at}
    _update(work, parcel, {**values, "error": parcel.error if error is None else error})


def note_sent(connection: Connection, mails: Sequence[int], now: datetime, host: str) -> None:
    """The server has accepted these mails from this host. That counts whoever has them by now: it is never forgotten."""
    connection.execute(_GONE_OUT, {"ids": padded(mails), "now": now, "host": host})


def note_trouble(work: Transaction, parcel: Parcel, result: Deferred | Rejected | Unknown) -> None:
    """The server did not accept a mail, or did not say so: when it is tried again, and a line in the log. If we no longer have
    the mail on its way, that is for others to say."""
    delay = retry_delay(parcel.tries, result)
    values: dict[str, Any] = {"error": str(result)}
    if delay is None:
        values["state"] = OutboxState.FAILED
    else:
        # What may have gone out stays "on its way".
        state = OutboxState.SENDING if isinstance(result, Unknown) else OutboxState.QUEUED
        values |= {"state": state, "next_try_at": work.now + delay}
    ours = _update(work, parcel, values)
    table, seat = game_and_seat(work, parcel.game_id, parcel.seat_id)
    again = "given up" if delay is None else f"try {parcel.tries + 1} in {int(delay.total_seconds() // 60)} min"
    if not ours:
        again = "it is in other hands by now"
    code = getattr(result, "code", None)
    what = f"SMTP {code}" if code else "connection lost"
    work.log("unsent", table, seat, f"mail {parcel.id} ({parcel.kind}): {what}; {again}")
    if isinstance(result, Deferred) and result.about_us:
        _tell_of_refusal(work, result)
    elif isinstance(result, Rejected) and ours:
        refused(work, parcel.id, parcel.recipient, str(result))


def _tell_of_refusal(work: Transaction, result: Deferred) -> None:
    """The server accepts none of our mail for now: the game master gets a mail, one a day. It comes late, but explains why all
    did."""
    key = f"sender refused {work.now:%Y-%m-%d}"
    if not is_queued(work, key):
        text = render("sender_refused.txt", {"answer": without_addresses(str(result))})
        tell_gm(work, Draft("alarm", key, "[pbmd] the mail server takes no mail", text))


def _update(work: Transaction, parcel: Parcel, values: dict[str, Any]) -> bool:
    """Change a mail that we have on its way; returns whether we still have it."""
    # If this took longer than its lease, the game master may have held or dropped it, or another host begun another try.
    ours = (col(Outbox.state) == OutboxState.SENDING, col(Outbox.sender) == work.desk.host, col(Outbox.tries) == parcel.tries)
    changed = update(Outbox).where(col(Outbox.id) == parcel.id, *ours).values(**values)
    return bool(work.session.connection().execute(changed).rowcount)
