"""The daemon: one thread reads the mailbox, one sends mail, one writes the pages, and the main thread is the desk.

If several share a ledger, on PostgreSQL, each of these parts is done by the process that has it (`pbmd.daemon.roles`).

Everything that is due is found in the ledger by its time, so nothing is lost when a thread, the process or the machine stops;
`schedule` is only the heartbeat that looks. Between two beats with something to do the threads rest: they are woken by a
letter, by what is due, and by whatever anybody writes to the ledger, this process or another (`pbmd.daemon.rest`). Waiting for
mail and for an SMTP server happens in threads of their own, so that neither can hold up a deadline.
"""

import logging
import select
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from functools import partial

import schedule
from sqlalchemy.exc import OperationalError

from pbmd.daemon.due import due_in
from pbmd.daemon.evidence import NotedEvidence
from pbmd.daemon.heartbeat import HEARTBEAT_SECONDS, seldom_look_for_garbage
from pbmd.daemon.installation import AlreadyRunning, only_one
from pbmd.daemon.memory import give_back, share_one_heap
from pbmd.daemon.outbox import OutboxThread, Troubles
from pbmd.daemon.parts import Parts
from pbmd.daemon.pass_steps import EndingError
from pbmd.daemon.presence import keep_present
from pbmd.daemon.refusals import failure
from pbmd.daemon.rest import LONGEST_SECONDS, Rest
from pbmd.daemon.sign import hold, lock_of
from pbmd.daemon.templates import load_open
from pbmd.desk.books.desk import Desk, mailbox_name
from pbmd.desk.books.transaction import Transaction
from pbmd.desk.deadlines.phase_kinds import unknown_in_settings
from pbmd.desk.deadlines.trusted_clock import doubt
from pbmd.desk.due.abandoned_mail import give_up_waiting
from pbmd.desk.due.outages import note_unreadable
from pbmd.desk.ingest import ask_again, read_mailbox, tidy_again
from pbmd.desk.mail.alarms import WATCHED, WATCHED_FOR_ALL, tell_of_failure, watch
from pbmd.desk.publish.archives import send_archives
from pbmd.desk.publish.dashboard import show_on
from pbmd.desk.publish.webhooks import post_news
from pbmd.desk.sending.sender import recover
from pbmd.desk.unreadable.looks import found_aside
from pbmd.desk.upkeep.backups import back_up_if_due
from pbmd.desk.upkeep.daily_look import LOOK_EVERY, look_at_all
from pbmd.desk.upkeep.privacy import exposed
from pbmd.desk.upkeep.tidying import tidy
from pbmd.ledger.change_watch import ChangeWatch
from pbmd.ledger.damage import DamagedLedger
from pbmd.ledger.database import close_idle
from pbmd.ledger.log_file import write_new_lines
from pbmd.post.imap.connection import InboxLost, LoginRefused
from pbmd.post.imap.inbox import Inbox
from pbmd.post.imap.lock import Lock, MailboxTaken
from pbmd.post.outage import Failure, Outage
from pbmd.rendering.drawing_pool import Studio, processes_here
from pbmd.rules.troubles import DEFECTS, place_of

_log = logging.getLogger("pbmd.daemon")
GIVE_WAY_SECONDS = 0.5
"""How long the reader leaves the ledger to the desk, at most, which has letters to answer: SQLite makes one of two writers
sleep, and what the desk writes brings the letters to the disk as well."""
SWITCH_SECONDS = 0.001
"""How soon a thread gives way to another (Python's default is 5 ms): an answer waits for all three, one after the other."""
TIDY_AGAIN_SECONDS = 3600.0
BACKUP_SECONDS = 60.0
"""How often to look whether a backup is due."""
NEWS_SECONDS = 5.0
WORK_SECONDS = 1.0
"""After so much work the memory that it took is given back as soon as no letter waits, else with the next look for alarms."""
WATCH_SECONDS = 60.0
"""How often to check whether the game master needs an alarm."""


class Daemon:
    """The threads, and how they wake and stop each other."""

    def __init__(self, desk: Desk) -> None:
        self._letters_came = threading.Event()
        # The desk goes on with other letters while maps are drawn.
        self.desk = replace(desk, studio=Studio(processes_here(), on_done=self._letters_came.set))
        self._stopping = threading.Event()
        self._answered = threading.Event()  # set when letters have been dealt with
        self._written = threading.Event()  # set when the ledger has changed, for those who show it
        self._evidence = NotedEvidence(desk)
        self._rest, self._changes = Rest(desk), ChangeWatch(desk.settings.database_url)
        self._reads_again = float("-inf")
        """Until when the reader waits, by the monotonic clock."""
        self._stop_reading, self._reader_stop = socket.socketpair()
        self._alone = threading.Event()  # set when the mailbox was checked once for another pbmd, or cannot be
        self._taken = ""
        self._damage: DamagedLedger | None = None
        self.rests = False
        """Whether it has ended because its host is set aside, and nobody has asked it to end."""
        self._tidied = self._watched = self._looked = float("-inf")
        self._worked = 0.0
        """Seconds of work since memory was given back."""
        self._began = desk.now()
        self._parts = Parts(self.desk.settings.database_url, mailbox_name(desk))
        troubles = Troubles(self._note, self._give_up, self._after_defect)
        self._outbox = OutboxThread(self.desk, self._parts, self._rest, self._stopping, troubles)

    def run(self, begun: Callable[[], object] = lambda: None) -> None:
        """Work until `stop` or a signal; `begun` is called once it is certain that no other pbmd works in this folder. Raises
        `AlreadyRunning`, and `DamagedLedger` as soon as any thread finds damage: then nothing more is done."""
        with self._stop_reading, self._reader_stop, only_one(self.desk.settings.data) as installation:
            begun()
            recover(self.desk)
            for each in exposed(self.desk.settings):
                _log.warning("%s can read %s (%s); to mend it: %s", each.readers, each.path, each.what, each.mend)
            for wrong in unknown_in_settings(self.desk):
                _log.warning("%s", wrong)
            self._note("running", "pbmd runs")
            share_one_heap()
            load_open(self.desk)
            seldom_look_for_garbage()
            sys.setswitchinterval(SWITCH_SECONDS)
            lock = lock_of(self.desk, installation)
            threads = [
                threading.Thread(target=self._read, args=(lock,), name="inbox"),
                threading.Thread(target=self._send, name="outbox"),
                threading.Thread(target=self._show, name="pages"),
                threading.Thread(target=self._look_after, name="backups"),
                threading.Thread(target=self._parts.keep, args=(self._stopping, self._wake_reader), name="parts"),
                threading.Thread(
                    target=keep_present,
                    args=(self.desk, "run", self._stopping, self._give_up, self._set_aside),
                    name="presence",
                ),
            ]
            if self.desk.settings.webhook.files:
                threads.append(threading.Thread(target=self._tell, name="news"))
            for thread in threads:
                thread.start()
            try:
                self._beat()
            finally:
                self.stop()
                self._parts.end()
                for thread in threads:
                    thread.join()
                self._parts.give_back()
                self.desk.studio.stop()
                if self._damage is None:
                    self._note("stopped", "pbmd ends")
        if self._damage is not None:
            raise self._damage
        if self._taken:
            raise AlreadyRunning(self._taken)

    def stop(self) -> None:
        """End soon, from any thread."""
        self._stopping.set()
        self._alone.set()
        self._letters_came.set()
        self._outbox.woken.set()
        self._written.set()
        self._answered.set()
        try:
            self._stop_reading.send(b"x")
        except OSError:
            _log.debug("the reader has ended already")

    def _wake_reader(self) -> None:
        """Make it check whether it is still to read."""
        with suppress(OSError):  # it has ended already
            self._stop_reading.send(b"x")

    def _give_up(self, problem: DamagedLedger) -> None:
        """End all threads: further writes may overwrite something else."""
        self._damage = self._damage or problem
        self.stop()

    def _set_aside(self) -> None:
        self.rests = not self._stopping.is_set()
        self.stop()

    def handle_signals(self) -> None:
        """SIGTERM and SIGINT end the daemon cleanly. Main thread only."""
        for number in (signal.SIGTERM, signal.SIGINT):
            # In a thread of its own: the signal may come while the main thread holds the lock of an event that `stop` sets.
            signal.signal(number, self._stop_aside)

    def _stop_aside(self, *_: object) -> None:
        self.rests = False
        threading.Thread(target=self.stop).start()

    def _beat(self) -> None:
        heart = schedule.Scheduler()
        heart.every(HEARTBEAT_SECONDS).seconds.do(self._guarded, self._desk_pass)
        while not self._stopping.is_set():
            if self._is_woken() or self._rest.is_over():
                # Not `run_pending`, which uses local time: that goes back by an hour in autumn, and whenever it is set, and
                # no deadline may wait for it to come round again. The wait is by a clock that only goes forward.
                heart.run_all()
            self._letters_came.wait(HEARTBEAT_SECONDS)

    def _is_woken(self) -> bool:
        """Whether letters came, anybody has written to the ledger, or the clock was set; but for letters, those who send and
        show are woken, too."""
        woken = self._letters_came.is_set()
        if woken:
            self._letters_came.clear()
        if self._changes.has_changed() or self._rest.clock_was_set():
            woken = True
            self._outbox.woken.set()
            self._written.set()
        return woken

    def _desk_pass(self) -> None:
        self._rest.end()
        if not self._parts.games.is_ours():
            return
        self._outbox.woken.set()  # from now on it looks each second: a pass may be long, and the first games are done soon
        if self._clock_is_in_doubt():
            self._parts.games.stand_back()
        began = time.monotonic()
        try:
            with suppress(EndingError):
                self._parts.work_pass(self.desk, self._have_it_sent, self._letters_wait)
        finally:  # whatever it fails of, the game master is alarmed of all else
            self._worked += time.monotonic() - began
            is_to_watch = time.monotonic() - self._watched > WATCH_SECONDS
            if is_to_watch or (self._worked > WORK_SECONDS and not self._letters_came.is_set()):
                if self._worked > WORK_SECONDS:
                    self._guarded(partial(close_idle, self.desk.engine))
                self._worked = 0.0
                give_back()
            if is_to_watch:
                self._watched = time.monotonic()
                self._guarded(self._look_for_alarms)
        if not self._parts.are_shared:
            self._rest.begin()
            if time.monotonic() + self._seconds_to_wait() < self._reads_again:
                self._wake_reader()  # something is due earlier than was known when the mailbox was read

    def _look_for_alarms(self) -> None:
        give_up_waiting(self.desk)
        watch(self.desk, self._began, WATCHED_FOR_ALL if self._parts.are_shared else WATCHED)

    def _letters_wait(self) -> bool:
        """Whether letters came; asked after each game, which is shown before the others are done."""
        self._written.set()
        return self._letters_came.is_set()

    def _have_it_sent(self) -> None:
        self._outbox.begin_to_send()
        if self._stopping.is_set():
            raise EndingError  # there may be thousands more letters
        self._outbox.give_way()
        self._answered.set()
        self._written.set()

    def _guarded(self, job: Callable[[], object]) -> None:
        """An exception must not end the heartbeat: what could not be done now is still due at the next beat."""
        try:
            job()
        except DamagedLedger as problem:
            self._give_up(problem)
        except OperationalError as problem:
            _log.error("the ledger cannot be used just now (%s); nothing is lost, trying again", problem.orig)
            self._stopping.wait(HEARTBEAT_SECONDS)
        except OSError as problem:
            _log.error("%s; nothing is lost, trying again", problem)
            tell_of_failure(self.desk, str(problem))
            self._stopping.wait(HEARTBEAT_SECONDS)
        except DEFECTS as problem:
            _log.error("a defect of pbmd (%s); trying again", place_of(problem))
            self._after_defect(problem)
            self._stopping.wait(HEARTBEAT_SECONDS)

    def _after_defect(self, problem: BaseException) -> None:
        """A row of the ledger may be to blame: then the next try goes better, and the game master knows. Else they are told of
        this."""
        try:
            if not found_aside(self.desk):
                tell_of_failure(self.desk, place_of(problem))
        except DamagedLedger as damage:
            self._give_up(damage)
        except DEFECTS as further:
            _log.error("the rows of the ledger cannot be looked at (%s)", place_of(further))
            tell_of_failure(self.desk, place_of(problem))

    def _show(self) -> None:
        try:
            show_on(self.desk, self._stopping, self._written, self._parts.pages.is_ours)
        except DamagedLedger as problem:
            self._give_up(problem)

    def _look_after(self) -> None:
        """Backups, archives that were asked for, and the daily check of the whole ledger. A thread of its own, since large
        ledgers and games take a while."""
        while not self._stopping.wait(BACKUP_SECONDS):
            if not self._parts.games.is_ours():
                continue
            self._guarded(partial(back_up_if_due, self.desk))
            self._guarded(partial(send_archives, self.desk))
            if time.monotonic() - self._looked > LOOK_EVERY.total_seconds():
                self._looked = time.monotonic()
                self._guarded(self._look_through)

    def _tell(self) -> None:
        """Post news now and then: a thread of its own, since chat servers take their time."""
        posted, changes = float("-inf"), ChangeWatch(self.desk.settings.database_url)
        while not self._stopping.wait(NEWS_SECONDS):
            if not changes.has_changed() and time.monotonic() - posted < LONGEST_SECONDS:
                continue
            posted = time.monotonic()
            if self._parts.pages.is_ours():
                self._guarded(partial(post_news, self.desk))

    def _look_through(self) -> None:
        look_at_all(self.desk)
        tidy(self.desk, rest=self._stopping.wait)

    def _send(self) -> None:
        if not self._parts.are_shared:
            self._alone.wait()  # a copy of a data folder that is in use has the same mails to send
        self._outbox.run()

    def _read(self, lock: Lock) -> None:
        inbox = Inbox(self.desk.settings.imap_account(), now=self.desk.now)
        outage = Outage()
        while self._parts.mailbox.becomes_ours(self._stopping):
            kind = Failure.LOST
            try:
                inbox.connect()
                hold(self.desk, inbox, lock)  # after an absence, or sleep, somebody else may be here
                self._alone.set()
                self._read_on(inbox, lock, outage)
                inbox.release(lock)
            except MailboxTaken as problem:
                self._taken = str(problem)
                self._note("imap-taken", self._taken)
                self.stop()
            except DamagedLedger as problem:
                self._give_up(problem)
            except LoginRefused as problem:
                kind = failure(problem)
                _log.error("%s", problem)
                self._note_unreadable()
                if outage.begins(kind):
                    self._note("imap-refused", str(problem))
            except InboxLost as problem:
                kind = failure(problem)
                self._note_unreadable()
                if outage.begins(kind):
                    self._note("imap-lost", str(problem))
            except OperationalError as problem:
                _log.error("letters cannot be stored just now (%s); they stay in the mailbox", problem.orig)
            except DEFECTS as problem:
                _log.error("a defect of pbmd while reading the mailbox (%s); trying again", place_of(problem))
                self._after_defect(problem)
                self._note_unreadable()
            finally:
                inbox.close()
                self._alone.set()
                self._parts.mailbox.give_back()  # another may be able to reach the server
            if not self._stopping.is_set():
                self._stopping.wait(outage.pause(kind))

    def _read_on(self, inbox: Inbox, lock: Lock, outage: Outage) -> None:
        while not self._stopping.is_set() and self._parts.mailbox.is_ours():
            if lock.due or self._clock_is_in_doubt():
                hold(self.desk, inbox, lock)
            give_way = partial(self._answered.wait, GIVE_WAY_SECONDS)
            read_mailbox(self.desk, inbox, self._tell_of_letters, give_way, self._evidence.is_wanted)
            if ask_again(self.desk, inbox, self._began) or due_in(self.desk) <= timedelta(0):
                self._letters_came.set()
            if time.monotonic() - self._tidied > TIDY_AGAIN_SECONDS:
                self._tidied = time.monotonic()  # first, so that if it breaks the connection it does not do so every time
                tidy_again(self.desk, inbox)
            if outage.ends():
                self._note("imap-back", f"after {outage.tries} tries")
            if self._parts.are_shared and self._clock_is_in_doubt():
                self._parts.mailbox.stand_back()  # what is read by that clock is no evidence
                return
            self._reads_again = float("inf")  # what becomes due while the next line looks wakes us
            wait = self._seconds_to_wait()
            self._reads_again = time.monotonic() + wait
            inbox.wait(wait, self._reader_stop)
            self._reads_again = float("-inf")
            self._drain_wakes()

    def _tell_of_letters(self) -> None:
        if not self._stopping.is_set():
            self._answered.clear()
        self._letters_came.set()

    def _drain_wakes(self) -> None:
        if not self._stopping.is_set() and select.select([self._reader_stop], [], [], 0)[0]:
            self._reader_stop.recv(100)

    def _clock_is_in_doubt(self) -> bool:
        """In that case the mail server's clock is asked again and again: when it agrees, the doubt is over."""
        with Transaction(self.desk, reads=True) as work:
            return bool(doubt(work))

    def _note_unreadable(self) -> None:
        try:
            note_unreadable(self.desk)
        except DamagedLedger as problem:
            self._give_up(problem)
        except OperationalError as problem:
            _log.error("the ledger cannot be used just now (%s); when the mailbox was lost is noted later", problem.orig)
        except DEFECTS as problem:  # it must not end the thread, which nothing would begin again
            _log.error("when the mailbox was lost cannot be noted (%s)", place_of(problem))
            self._after_defect(problem)

    def _seconds_to_wait(self) -> float:
        """Until the next check of the mailbox: at the latest just after the next instant at which a game may close."""
        poll = float(self.desk.settings.imap.poll_seconds)
        return min(poll, max(HEARTBEAT_SECONDS, due_in(self.desk).total_seconds() + 0.1))

    def _note(self, what: str, detail: str) -> None:
        try:
            with Transaction(self.desk) as work:
                work.log(what, detail=detail)
            write_new_lines(self.desk.engine, self.desk.settings.log_file)
        except DamagedLedger as problem:
            self._give_up(problem)
        except DEFECTS as problem:  # no thread may end because it cannot write to the log
            _log.error("%s: %s (and the log cannot be written: %s)", what, detail, place_of(problem))
