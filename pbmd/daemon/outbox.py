"""The outbox of the daemon: a thread that sends the mails that wait, and rests until it is woken."""

import logging
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

from sqlalchemy.exc import OperationalError

from pbmd.daemon.heartbeat import HEARTBEAT_SECONDS, PATIENCE_SECONDS
from pbmd.daemon.parts import Parts
from pbmd.daemon.refusals import failure
from pbmd.daemon.rest import Rest, seconds_to_mail
from pbmd.desk.books.desk import Desk
from pbmd.desk.sending.rate import Pace
from pbmd.desk.sending.sender import new_pace, send_due, write_unwritten
from pbmd.ledger.damage import DamagedLedger
from pbmd.post.outage import Outage
from pbmd.post.smtp.client import Smtp, SmtpError
from pbmd.post.smtp.kept_connection import KeptSmtp
from pbmd.rules.troubles import DEFECTS, place_of

_log = logging.getLogger("pbmd.daemon")
LEDGER_SECONDS = 5.0
DEFECT_SECONDS = 60.0
SENDING_SECONDS, LEAST_SENDING_SECONDS = 0.03, 0.004
"""How long desk and reader leave the processor to the outbox once there are answers, at most: nobody waits for their other
work, nor for pages. The shorter time is for when mail cannot be sent, or another process may send it."""


@dataclass(frozen=True, slots=True)
class Troubles:
    """What the daemon does about trouble in any of its threads: a line in the log, the end of all for a damaged ledger, and
    after a defect a look for rows that may be to blame for it."""

    log: Callable[[str, str], None]
    give_up: Callable[[DamagedLedger], None]
    after_defect: Callable[[BaseException], None]


class OutboxThread:
    """See the module. It looks for mail when it is `woken`, and now and then."""

    def __init__(self, desk: Desk, parts: Parts, rest: Rest, stopping: threading.Event, troubles: Troubles) -> None:
        self._desk, self._parts, self._rest, self._stopping, self._troubles = desk, parts, rest, stopping, troubles
        self.woken = threading.Event()
        self._handed_over = threading.Event()  # set when it has handed over what it had found
        self._mail_is_there = False
        """Whether it is certain that there is mail: it may also be woken to look."""
        self._sends = False
        """Whether mail could be sent last."""

    def begin_to_send(self) -> None:
        """Wake it for mail that is there."""
        self._mail_is_there = True
        self._handed_over.clear()
        self.woken.set()

    def give_way(self) -> None:
        """Leave the processor to it, a moment at most, until it has handed over what there is."""
        sends = self._sends and not self._parts.are_shared
        self._handed_over.wait(SENDING_SECONDS if sends else LEAST_SENDING_SECONDS)

    def run(self) -> None:
        """Send until it is to stop, or the part is another process's."""
        outage, kept = Outage(), KeptSmtp(self._desk.settings.smtp_account())
        pace, began = Pace(0), -1
        told = False
        while self._parts.outbox.becomes_ours(self._stopping):
            try:
                if began != self._parts.outbox.taken:  # another process may have sent meanwhile
                    began, pace = self._parts.outbox.taken, new_pace(self._desk, pace)
                smtp = partial(self._smtp, kept, outage)
                send_due(self._desk, smtp, self._sends_no_more, pace, told=told, handed_over=self._handed_over.set)
                self._sends = True
                self._handed_over.set()  # there may have been nothing to hand over
                wait = self._seconds_to_send(kept)
            except SmtpError as problem:
                self._sends = False
                if outage.begins():
                    self._troubles.log("smtp-lost", str(problem))
                self._stopping.wait(outage.pause(failure(problem)))
            except DamagedLedger as problem:
                self._troubles.give_up(problem)
            except OperationalError as problem:
                self._sends = False
                _log.error("the outbox cannot be used just now (%s); trying again", problem.orig)
                self._stopping.wait(LEDGER_SECONDS)
            except DEFECTS as problem:
                self._sends = False
                _log.error("a defect of pbmd while sending (%s); trying again", place_of(problem))
                self._troubles.after_defect(problem)
                self._stopping.wait(DEFECT_SECONDS)
            else:
                self.woken.wait(wait)
            self.woken.clear()
            told, self._mail_is_there = self._mail_is_there, False
        kept.rest(0)
        self._write_unwritten(pace)

    def _seconds_to_send(self, kept: KeptSmtp) -> float:
        """Until the outbox is looked at again, or the connection is not kept any longer."""
        until_closed = kept.rest()
        if self._parts.are_shared or self._rest.is_ended:
            return HEARTBEAT_SECONDS
        return min(until_closed, max(HEARTBEAT_SECONDS, seconds_to_mail(self._desk)))

    def _sends_no_more(self) -> bool:
        """Another process has the part now, and sends: a limit per minute applies to both together."""
        return self._stopping.is_set() or not self._parts.outbox.is_held

    def _write_unwritten(self, pace: Pace) -> None:
        try:
            write_unwritten(self._desk, pace, PATIENCE_SECONDS)
        except DEFECTS as problem:
            if isinstance(problem, DamagedLedger):
                self._troubles.give_up(problem)
            count = len(pace.unwritten)
            _log.error("%d mails that have gone out are sent again after the next start (%s)", count, place_of(problem))

    @contextmanager
    def _smtp(self, kept: KeptSmtp, outage: Outage) -> Generator[Smtp]:
        """A connection for some mails; once they have been handed over, the server is known to work."""
        with kept.connection() as smtp:
            yield smtp
        if outage.ends():
            self._troubles.log("smtp-back", f"after {outage.tries} tries")
