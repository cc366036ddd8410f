"""Sends the outbox: every mail is marked before it is handed over and after, so that a crash loses none.

Mails are marked in groups before; what the server has accepted is recorded at once, by a thread of its own while the next mail
is being sent. So the disk holds up no mail, and a crash repeats only what was accepted in the milliseconds before it. While the
ledger cannot be written no mail is begun, and what was accepted is remembered. A mail that may or may not have gone out is sent
again, under the same Message-ID and with the same bytes: a minute after the next start, or when its lease is over.

Several hosts may send from one outbox. Each takes mails of its own, and nobody takes up what another is sending before its
lease is over. To keep the pace, one of them sends at a time; its successor begins with a `new_pace`.
"""

import logging
import queue
import threading
import time
from collections import Counter
from collections.abc import Callable, Generator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Self

from sqlalchemy.exc import OperationalError
from sqlmodel import col, select, update

from pbmd.desk.books.desk import Desk
from pbmd.desk.books.transaction import Transaction
from pbmd.desk.sending.batches import (
    ON_THE_LINE,
    Parcel,
    bring_forward,
    is_due,
    lease,
    look_back,
    note_sent,
    note_trouble,
    put_back,
    take,
)
from pbmd.desk.sending.rate import Pace
from pbmd.desk.sending.redact import without_addresses
from pbmd.desk.unreadable.looks import despite_unreadable
from pbmd.ledger.database import beside
from pbmd.ledger.tables import Outbox, OutboxState
from pbmd.post.smtp.client import Deferred, Result, SenderRefused, Sent, Smtp, SmtpError

_RECOVERY = timedelta(minutes=1)
_BEHIND = 8
"""How many results may wait while others are recorded. After a crash these two groups, and what was being sent, go out
twice."""
_RETRY_SECONDS = 0.5
_GATHER_SECONDS = 0.01
"""What is accepted within this time is recorded together: the disk may have the mail server's files to write, too."""
_FEW = 30
"""When this few mails are left, the next are taken out of the outbox in advance, so that no connection waits for the disk."""
_log = logging.getLogger("pbmd.outbox")
Connect = Callable[[], AbstractContextManager[Smtp]]


@despite_unreadable
def recover(desk: Desk) -> int:
    """At start: mails that this host was handing over when the process ended wait a minute and go out again. Those that were in
    doubt before have an error and a time for their next try, which stays: with cron this is called every few minutes."""
    ours = (*ON_THE_LINE, col(Outbox.sender) == desk.host)
    with Transaction(desk) as work:
        found = work.session.exec(select(Outbox.id).where(*ours)).all()
        if found:
            values = {"state": OutboxState.QUEUED, "next_try_at": work.now + _RECOVERY}
            work.session.exec(update(Outbox).where(*ours).values(**values))
            work.log("outbox", detail=f"{len(found)} mails were on their way when pbmd ended; they are sent again")
    return len(found)


@despite_unreadable
def new_pace(desk: Desk, before: Pace | None = None) -> Pace:
    """The pace that the settings allow, for `send_due`, according to the ledger: what went out just now counts, whoever has
    sent it. A process makes one when it begins to send, after `recover`, and when others may have sent since it did; what the
    ledger does not know yet comes from the one `before`."""
    pace = Pace(desk.settings.limits.mails_per_minute, desk.settings.smtp.per_domain_per_minute)
    if before is not None:
        pace.unwritten, pace.null_refused = before.unwritten, before.null_refused
    look_back(desk, pace)
    return pace


def send_due(
    desk: Desk,
    connect: Connect,
    stopping: Callable[[], bool] = lambda: False,
    pace: Pace | None = None,
    *,
    told: bool = False,
    handed_over: Callable[[], object] = lambda: None,
) -> int:
    """Hand over every mail that is due, oldest first, over as many connections as the settings say; returns the number
    accepted.

    Ends after the current mails when `stopping` says so. Raises `SmtpError` when there is no connection, or when the server
    accepts none of our mail for now (`SenderRefused`). What was not handed over is still due. When the ledger fails, what the
    server has accepted is kept in the `pace` and recorded before any other mail is begun. With `told` there is certainly mail;
    otherwise that is looked up first, since taking it out makes others wait. `handed_over` is called once the server has
    answered for all there was, which is recorded only then.
    """
    pace = pace or new_pace(desk)
    write_unwritten(desk, pace)
    if pace.clock_was_set_back(desk.now()):
        bring_forward(desk)
    if stopping() or not (told or is_due(desk)):
        return 0
    with _Notes(desk, pace) as notes, _Round(desk, notes, pace, stopping) as round_:
        if first := round_.begin():
            with connect() as smtp:
                with _further(round_, connect, min(desk.settings.smtp.connections, first) - 1):
                    round_.send(smtp)
                handed_over()
                notes.finish()
                if round_.refused is not None:
                    raise SenderRefused(round_.refused)
        return round_.accepted


def write_unwritten(desk: Desk, pace: Pace, patience_seconds: float = 0) -> None:
    """Record what the server had accepted when the ledger could not be written. Tries for this long, then raises what the
    ledger raises."""
    ends = time.monotonic() + patience_seconds
    while pace.unwritten:
        try:
            with Transaction(desk) as work:
                note_sent(work.session.connection(), pace.unwritten, work.now, desk.host)
                work.log("outbox", detail=f"{len(pace.unwritten)} mails had gone out while the ledger failed; it knows now")
            pace.unwritten.clear()
        except OperationalError:
            if time.monotonic() >= ends:
                raise
            time.sleep(_RETRY_SECONDS)


@contextmanager
def _further(round_: "_Round", connect: Connect, count: int) -> Generator[None]:
    """This many more connections, each in a thread of its own. A server that wants fewer gets fewer."""
    defects: list[BaseException] = []

    def help_out() -> None:
        try:
            with connect() as smtp:
                round_.send(smtp)
        except SmtpError as problem:
            _log.warning("a further connection to the mail server is not to be had: %s", problem)
        except BaseException as defect:  # raised in the thread that waits for this one
            defects.append(defect)
            round_.end()

    threads = [threading.Thread(target=help_out, name=f"outbox-{number}") for number in range(2, count + 2)]
    for thread in threads:
        thread.start()
    try:
        yield
    except BaseException:
        round_.end()
        raise
    finally:
        for thread in threads:
            thread.join()
    if defects:
        raise defects[0]


@dataclass
class _Notes:
    """Records what became of mails, in a thread of its own; several at once when they come faster than the disk.

    Leaving it waits until everything is recorded. What the ledger raised is raised then, or at the next note; what the server
    had accepted is then `unwritten` in the pace.
    """

    desk: Desk
    pace: Pace
    ledger: threading.Lock = field(default_factory=threading.Lock)
    """Our threads that want to write take turns: SQLite would let one of them sleep."""
    after_writing: Callable[[], None] = lambda: None
    _waiting: "queue.Queue[Note | None]" = field(default_factory=lambda: queue.Queue(_BEHIND))
    _trouble: BaseException | None = None
    _thread: threading.Thread = field(init=False)

    def __enter__(self) -> Self:
        self._thread = threading.Thread(target=self._write_all, name="outbox-notes")
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._end()
        if kind is None:
            self._raise()

    def finish(self) -> None:
        """Wait until everything is recorded; there will be no more notes. Raises what went wrong."""
        self._end()
        self._raise()

    def _end(self) -> None:
        if self._thread.is_alive():
            self._waiting.put(None)
            self._thread.join()

    def put(self, note: "Note") -> None:
        """Have something recorded soon; waits while much is to be written. Raises what went wrong with the last."""
        self._waiting.put(note)
        self._raise()

    def _raise(self) -> None:
        if self._trouble is not None:
            raise self._trouble

    def _write_all(self) -> None:
        while (note := self._waiting.get()) is not None:
            notes, ends = [note], False
            time.sleep(_GATHER_SECONDS)
            while not self._waiting.empty() and not ends:
                following = self._waiting.get()
                ends = following is None
                notes += [following] if following else []
            written = False
            if self._trouble is None:
                try:
                    self._write(notes)
                    written = True
                    self.after_writing()
                except BaseException as trouble:  # raised in the thread that sends
                    self._trouble = trouble
            if not written:
                self.pace.unwritten += _taken(notes)
            if ends:
                return

    def _write(self, notes: "list[Note]") -> None:
        if all(isinstance(note.result, Sent) for note in notes):
            with self.ledger, beside(self.desk.engine).begin() as connection:
                note_sent(connection, [note.parcel.id for note in notes], self.desk.now(), self.desk.host)
            return
        with self.ledger, Transaction(self.desk) as work:
            if sent := _taken(notes):
                note_sent(work.session.connection(), sent, work.now, self.desk.host)
            for note in notes:
                if note.result is None:
                    put_back(work, self.pace, note.parcel, note.until, note.error)
                elif not isinstance(note.result, Sent):
                    note_trouble(work, note.parcel, note.result)


@dataclass(frozen=True, slots=True)
class Note:
    """What became of a mail; without a result it was not handed over and is due again, `until` later."""

    parcel: Parcel
    result: Result | None
    until: datetime | None = None
    error: str | None = None


def _taken(notes: Sequence[Note]) -> list[int]:
    return [note.parcel.id for note in notes if isinstance(note.result, Sent)]


@dataclass
class _Round:
    """One sending of all that is due, shared by its connections. Leaving it puts back what was not handed over."""

    desk: Desk
    notes: _Notes
    pace: Pace
    stopping: Callable[[], bool]
    accepted: int = 0
    refused: str | None = None
    """What the server said when it would accept none of our mail, whoever it is for."""
    _waiting: dict[int, Parcel] = field(default_factory=dict[int, Parcel])
    """Mails by their numbers, in order. One thread may add some while another picks one: no list is searched, since it could
    change meanwhile."""
    _busy: Counter[str] = field(default_factory=Counter[str])
    _changed: threading.Condition = field(default_factory=threading.Condition)
    _taken: set[int] = field(default_factory=set[int])
    """What was taken out of the outbox in this round. It is not taken again, not even when the clock jumps past its lease while
    it is being sent."""
    _dry: bool = False
    _over: bool = False

    def __enter__(self) -> Self:
        self.notes.after_writing = self._refill
        return self

    def __exit__(self, _kind: type[BaseException] | None, problem: BaseException | None, *_: object) -> None:
        error = without_addresses(str(problem)) if isinstance(problem, SmtpError) else None
        with self.notes.ledger:
            self._over = True
            if self._waiting:
                with Transaction(self.desk) as work:
                    for parcel in self._waiting.values():
                        put_back(work, self.pace, parcel, error=error)

    def begin(self) -> int:
        """Take the first mails out of the outbox and give their number."""
        self._take_more()
        return len(self._taken)

    def end(self) -> None:
        """No connection may begin another mail."""
        with self._changed:
            self._over = True
            self._changed.notify_all()

    def send(self, smtp: Smtp) -> None:
        """Send over this connection until nothing more is due. Raises `SmtpError` when it cannot be made again."""
        while (parcel := self._next()) is not None:
            try:
                result = self._hand_over(smtp, parcel)
                self.notes.put(Note(parcel, result))
            finally:
                with self._changed:
                    self._busy[parcel.domain] -= 1
                    self._changed.notify_all()
            with self._changed:
                self.pace.note(parcel.domain, result, self.desk.now())
                self.accepted += isinstance(result, Sent)
            if smtp.null_refused and not self.pace.null_refused:
                self._tell_of_null_refused()
            if isinstance(result, Deferred) and result.about_us:
                self.refused = without_addresses(str(result))
                self.end()

    def _hand_over(self, smtp: Smtp, parcel: Parcel) -> Result:
        own = self.desk.settings.server.address
        sender = parcel.envelope_from or (own if self.pace.null_refused else "")
        try:
            return smtp.send(sender, parcel.recipient, parcel.raw, own)
        except SmtpError as problem:
            # The connection could not be made again, so the server has not seen this mail.
            self.notes.put(Note(parcel, None, error=without_addresses(str(problem))))
            raise

    def _tell_of_null_refused(self) -> None:
        self.pace.null_refused = True
        with self.notes.ledger, Transaction(self.desk) as work:
            work.log("outbox", detail="the server refuses the empty return path; answers have pbmd's address as theirs")

    def _next(self) -> Parcel | None:
        """The next mail for a connection, None when there is nothing left to do."""
        with self._changed:
            while not self._over and not self.stopping():
                if (parcel := self._first_free()) is not None:
                    self._busy[parcel.domain] += 1
                    return parcel
                seen = len(self._taken)
                self._take_more()
                if len(self._taken) == seen:
                    if not self._waiting:
                        return None
                    self._changed.wait(1)
        return None

    def _first_free(self) -> Parcel | None:
        """The first mail to a domain that does not already use all connections but one, so that none holds up the others."""
        now = self.desk.now()
        for parcel in list(self._waiting.values()):
            until = self.pace.stops(parcel.domain, parcel.id, now)
            if until is not None or now - parcel.taken_at > lease(self.desk) / 2:
                del self._waiting[parcel.id]
                self.notes.put(Note(parcel, None, until))
            elif self._busy[parcel.domain] < self._share:
                del self._waiting[parcel.id]
                return parcel
        return None

    @property
    def _share(self) -> int:
        return max(1, self.desk.settings.smtp.connections - 1)

    def _refill(self) -> None:
        if len(self._waiting) < _FEW and not self._dry and not self.stopping():
            self._take_more()

    def _take_more(self) -> None:
        with self.notes.ledger:
            if not self._over:
                busy = [domain for domain, count in list(self._busy.items()) if count >= self._share]
                more = take(self.desk, self.pace, busy, self._taken)
                self._waiting.update((parcel.id, parcel) for parcel in more)
                self._taken.update(parcel.id for parcel in more)
                self._dry = not more
