"""The daemon: one thread reads the mailbox, one sends mail, one writes the pages, and the main thread is the desk.

All that is due is found in the ledger by its time, so nothing is lost when a thread, the process or the machine stops;
`schedule` is only the heartbeat that looks. Waiting for mail and for an SMTP server happens in threads of their own, so
that neither can hold up a deadline.
"""

import fcntl
import gc
import hashlib
import logging
import os
import secrets
import signal
import smtplib
import socket
import sys
import threading
import time
from collections.abc import Callable, Generator
from contextlib import closing, contextmanager
from datetime import timedelta
from functools import partial
from io import FileIO
from pathlib import Path

import schedule
from sqlalchemy.exc import OperationalError
from sqlmodel import col, func, select

from pbmd.desk.books.desk import Desk, private_files
from pbmd.desk.books.work import Work
from pbmd.desk.clock.advance import advance_games
from pbmd.desk.clock.outages import note_unreadable
from pbmd.desk.ingest import note_clock, note_follows, read_mailbox, tidy_again
from pbmd.desk.keeping.backups import back_up_if_due
from pbmd.desk.keeping.damaged import LOOK_EVERY, look_at_journals, look_daily, look_through
from pbmd.desk.keeping.pages import show, show_on
from pbmd.desk.keeping.privacy import exposed
from pbmd.desk.mail.alarms import watch
from pbmd.desk.mailroom import process_letters
from pbmd.desk.sending.pace import Pace
from pbmd.desk.sending.parcels import is_due
from pbmd.desk.sending.sender import new_pace, recover, send_due, write_unwritten
from pbmd.desk.timing.trusted_clock import ahead_of_steady, doubt, look_at_clock
from pbmd.ledger.damage import DamagedLedger
from pbmd.ledger.log_file import write_new_lines
from pbmd.ledger.tables import Game, GameStatus
from pbmd.post.accounts import SecretError
from pbmd.post.inbox import Inbox, InboxLost, LoginRefused
from pbmd.post.lock import Installation, Lock, MailboxTaken
from pbmd.post.outage import Outage, Refusals
from pbmd.post.smtp import KeptSmtp, SenderRefused, Smtp, SmtpError
from pbmd.reports.render import load_templates
from pbmd.rules.troubles import place_of

_log = logging.getLogger("pbmd.daemon")
HEARTBEAT_SECONDS = 1
LEDGER_SECONDS = 5.0
GIVE_WAY_SECONDS = 0.03
"""So long the reader leaves the ledger to the desk, which has letters to answer: SQLite lets one of two writers sleep."""
SENDING_SECONDS = 0.004
"""So long the desk leaves the processor to the outbox once answers wait there: what else it has to do, nobody waits for."""
SWITCH_SECONDS = 0.001
"""So soon a thread gives way to another (Python's own is 5 ms): the answer waits for all three, one after the other."""
PATIENCE_SECONDS = 30.0
"""So long the end of the process waits for a ledger that cannot be written, if it has to know of mails that went out."""
DEFECT_SECONDS = 60.0
TIDY_AGAIN_SECONDS = 3600.0
CLOCK_MAY_DIFFER = 5.0
"""By so many seconds the clock may be put right between two looks at it and still count as the same."""
BACKUP_SECONDS = 60.0
"""How often to look whether a backup is due."""
WATCH_SECONDS = 60.0
"""How often to look whether the game master is to be alarmed."""
REFUSALS = "imap-refused.json"
SMTP_REFUSALS = "smtp-refused.json"
MACHINE_ID = Path("/etc/machine-id")


def seldom_look_for_garbage() -> None:
    """What has been loaded stays, and need not be looked through for garbage again and again; nor what a batch of letters
    makes, nearly all of which goes without that."""
    gc.freeze()
    gc.set_threshold(5_000)


def _load_templates(desk: Desk) -> None:
    """Have what the reports of all open games need compiled before the first of them is due."""
    with Work(desk, reads=True) as work:
        open_games = select(Game.ruleset).where(Game.status != GameStatus.FINISHED)
        slugs = work.session.exec(open_games.distinct().order_by(Game.ruleset)).all()
    for slug in slugs:
        try:
            load_templates([desk.ruleset(slug).info])
        except Exception as trouble:  # the game of a broken ruleset is put aside when it is due; the others go on
            _log.warning("the templates of the ruleset %s cannot be loaded: %s", slug, place_of(trouble))


class LoginWaits(LoginRefused):
    """The mail server has refused our login lately, and was not asked again: that gets accounts locked."""


class SenderWaits(SmtpError):
    """The SMTP server has refused our login or our mail lately, and was not asked again."""


def _refuses_us(problem: SmtpError) -> bool:
    """Whether the server is there and wants nothing of us: asking often makes that worse."""
    login = isinstance(problem.__cause__, (smtplib.SMTPAuthenticationError, SecretError))
    return login or isinstance(problem, SenderRefused)


class AlreadyRunning(RuntimeError):
    """Another pbmd works on the same data folder or the same mailbox."""


@contextmanager
def only_one(data: Path) -> Generator[str]:
    """Hold the data folder for this process; what is made there meanwhile is private. Gives the name of this installation,
    which stays the same over restarts. Raises `AlreadyRunning`."""
    path = data / "pbmd.lock"
    with private_files(), open(os.open(path, os.O_RDWR | os.O_CREAT, 0o600), "r+b", buffering=0) as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            process = file.read(100).decode("ascii", "replace").split()[2:]
            named = f" (process {process[0]})" if process else ""
            raise AlreadyRunning(f"another pbmd is at work on {data}{named}; stop it first") from None
        yield _installation(file, data)


def _installation(file: FileIO, data: Path) -> str:
    """Read the name of this installation, or make one. A copy of the data folder, be it of the whole disk into another
    machine, is in another place, so it gets another name."""
    place = _place(file, data)
    match file.read(100).decode("ascii", "replace").partition("\n")[0].split():
        case [known, noted, _] if noted == place:
            name = known
        case _:
            name = secrets.token_hex(8)
    # One write of a length that does not change, so that a crash leaves the old line or the new one.
    os.pwrite(file.fileno(), f"{name} {place} {os.getpid():>10}\n".encode(), 0)
    return name


def _place(file: FileIO, data: Path) -> str:
    """What is the same for a file over restarts, and another for each copy: the machine, the folder and the inode. Not the
    number of the device: disks may change places at a start, and after a power cut pbmd would not know itself."""
    try:
        machine = MACHINE_ID.read_text("ascii", "replace").strip()
    except OSError:
        machine = ""  # not every system has one
    return hashlib.sha256(f"{machine} {os.fstat(file.fileno()).st_ino} {data.resolve()}".encode()).hexdigest()[:20]


def _lock(desk: Desk, installation: str) -> Lock:
    """What we put into the mailbox to keep a second pbmd away."""
    return Lock(Installation(installation, socket.gethostname(), str(desk.settings.data.resolve())))


def _hold(desk: Desk, inbox: Inbox, lock: Lock) -> None:
    """Put our sign into the mailbox anew, and hear what the mail server's clock says to ours, unless ours was set meanwhile:
    then nobody knows which of the two the server agrees with."""
    before = ahead_of_steady(desk)
    inbox.hold(lock)
    same = abs(ahead_of_steady(desk) - before) < CLOCK_MAY_DIFFER
    note_clock(desk, lock.server_ahead if same else None)
    if (other := lock.followed) is not None:
        note_follows(desk, other.by.host, other.by.data, other.put_at)


def _give_back(inbox: Inbox, lock: Lock) -> None:
    """Take our sign away, over a new connection if the old one is gone by now."""
    if not lock.held:
        return
    try:
        try:
            inbox.release(lock, leaves_word=True)
        except InboxLost:
            inbox.connect()
            inbox.release(lock, leaves_word=True)
    except (InboxLost, LoginRefused) as problem:
        _log.warning("the sign in the mailbox could not be taken away, and keeps others out for an hour: %s", problem)


def work_pass(desk: Desk, mail_waits: Callable[[], object]) -> None:
    """What the desk has to do now: look whether its clock has jumped, then letters, then the games' clocks, then the log.
    `mail_waits` is called as soon as there may be mail in the outbox."""
    look_at_clock(desk)
    if process_letters(desk, mail_waits) + advance_games(desk):
        mail_waits()
    write_new_lines(desk.engine, desk.settings.log_file)


def tick(desk: Desk) -> None:
    """One pass over everything, for cron.

    Raises `AlreadyRunning`, `DamagedLedger`, and `InboxLost`, `LoginRefused` or `SmtpError` after all else was done. After
    refused logins the mailbox is left alone for as long as a daemon would, and so is the SMTP server that refuses our login or
    our mail. At the end the sign in the mailbox is taken away, so that a pbmd on another machine may follow at once.
    """
    inbox = Inbox(desk.settings.imap_account(), now=desk.now)
    with only_one(desk.settings.data) as installation, closing(inbox):
        lock = _lock(desk, installation)
        try:
            _tick(desk, inbox, lock)
        finally:
            _give_back(inbox, lock)


def _tick(desk: Desk, inbox: Inbox, lock: Lock) -> None:
    trouble: Exception | None = None
    look_at_clock(desk)
    recover(desk)
    look_daily(desk)
    refusals = Refusals(desk.settings.data / REFUSALS)
    try:
        if again_at := refusals.again_at(desk.now()):
            raise LoginWaits(
                f"{inbox.account.host} has refused the login of {inbox.account.user}, which is tried again from "
                f"{again_at:%Y-%m-%d %H:%M:%S} UTC on; pbmd check tries it at once"
            )
        inbox.connect()
        refusals.forget()
        _hold(desk, inbox, lock)
        read_mailbox(desk, inbox)
        tidy_again(desk, inbox)
    except MailboxTaken as problem:
        with Work(desk) as work:
            work.log("imap-taken", detail=str(problem))
        write_new_lines(desk.engine, desk.settings.log_file)
        raise AlreadyRunning(str(problem)) from None
    except LoginWaits as problem:
        trouble = problem
    except LoginRefused as problem:
        trouble = problem
        note_unreadable(desk)
        if refusals.note(desk.now()) == 1:
            with Work(desk) as work:
                work.log("imap-refused", detail=str(problem))
    except InboxLost as problem:
        trouble = problem
        note_unreadable(desk)
        with Work(desk) as work:
            work.log("imap-lost", detail=str(problem))
    work_pass(desk, mail_waits=lambda: None)
    watch(desk, kinds=("mailbox", "disk"))
    back_up_if_due(desk)
    pace = new_pace(desk)
    try:
        _send_unless_refused(desk, pace)
    except SmtpError as problem:
        if trouble is not None:
            raise SmtpError(f"{problem}; nor could the mailbox be read: {trouble}") from problem
        raise
    finally:
        write_unwritten(desk, pace, PATIENCE_SECONDS)
        watch(desk, kinds=("outbox",))  # what has come since the last pass could only go out in this one
        write_new_lines(desk.engine, desk.settings.log_file)
        show(desk)
    if trouble is not None:
        raise trouble


def _send_unless_refused(desk: Desk, pace: Pace) -> None:
    """Send what is due, unless the server has refused that too lately. Raises `SmtpError`, which is in the log then."""
    account, refusals = desk.settings.smtp_account(), Refusals(desk.settings.data / SMTP_REFUSALS)
    if not is_due(desk):
        return
    if again_at := refusals.again_at(desk.now()):
        raise SenderWaits(
            f"{account.host} has refused to take mail from pbmd, which is tried again from {again_at:%Y-%m-%d %H:%M:%S} UTC "
            "on; after pbmd check --send-to an address it is tried at once"
        )
    try:
        send_due(desk, lambda: Smtp(account), pace=pace)
        refusals.forget()
    except SmtpError as problem:
        if not _refuses_us(problem) or refusals.note(desk.now()) == 1:
            with Work(desk) as work:
                work.log("smtp-lost", detail=str(problem))
        raise


class Daemon:
    """The threads and how they wake and stop each other."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self._stopping = threading.Event()
        self._letters_came = threading.Event()
        self._mail_waits = threading.Event()
        self._stop_reading, self._reader_stop = socket.socketpair()
        self._alone = threading.Event()  # set when the mailbox was looked at once for another pbmd, or cannot be looked at
        self._taken = ""
        self._damage: DamagedLedger | None = None
        self._tidied = self._watched = self._looked = float("-inf")
        self._began = desk.now()

    def run(self) -> None:
        """Work until `stop` or a signal. Raises `AlreadyRunning`, and `DamagedLedger` as soon as any thread comes upon damage:
        then nothing more is done."""
        with self._stop_reading, self._reader_stop, only_one(self.desk.settings.data) as installation:
            recover(self.desk)
            for each in exposed(self.desk.settings):
                _log.warning("%s can read %s (%s); to mend it: %s", each.readers, each.path, each.what, each.mend)
            self._note("running", "pbmd runs")
            _load_templates(self.desk)
            seldom_look_for_garbage()
            sys.setswitchinterval(SWITCH_SECONDS)
            lock = _lock(self.desk, installation)
            threads = [
                threading.Thread(target=self._read, args=(lock,), name="inbox"),
                threading.Thread(target=self._send, name="outbox"),
                threading.Thread(target=self._show, name="pages"),
                threading.Thread(target=self._look_after, name="backups"),
            ]
            for thread in threads:
                thread.start()
            try:
                self._beat()
            finally:
                self.stop()
                for thread in threads:
                    thread.join()
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
        self._mail_waits.set()
        try:
            self._stop_reading.send(b"x")
        except OSError:
            _log.debug("the reader has ended already")

    def _give_up(self, problem: DamagedLedger) -> None:
        """End all threads: whatever is still written may be written over something else."""
        self._damage = self._damage or problem
        self.stop()

    def handle_signals(self) -> None:
        """SIGTERM and SIGINT end the daemon cleanly. Main thread only."""
        for number in (signal.SIGTERM, signal.SIGINT):
            # In a thread of its own: the signal may come while the main thread holds the lock of an event that `stop` sets.
            signal.signal(number, self._stop_aside)

    def _stop_aside(self, *_: object) -> None:
        threading.Thread(target=self.stop).start()

    def _beat(self) -> None:
        heart = schedule.Scheduler()
        heart.every(HEARTBEAT_SECONDS).seconds.do(self._guarded, self._desk_pass)
        while not self._stopping.is_set():
            # Not `run_pending`, which asks the local time: that goes back by an hour in autumn, and whenever it is set, and
            # no deadline may wait for it to come round again. The wait is by a clock that only goes forward.
            heart.run_all()
            self._letters_came.wait(HEARTBEAT_SECONDS)
            self._letters_came.clear()

    def _desk_pass(self) -> None:
        work_pass(self.desk, self._have_it_sent)
        if time.monotonic() - self._watched > WATCH_SECONDS:
            self._watched = time.monotonic()
            watch(self.desk, self._began)

    def _have_it_sent(self) -> None:
        self._mail_waits.set()
        time.sleep(SENDING_SECONDS)

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
            self._stopping.wait(HEARTBEAT_SECONDS)
        except Exception as problem:
            _log.error("a defect of pbmd (%s); trying again", place_of(problem))
            self._stopping.wait(HEARTBEAT_SECONDS)

    def _show(self) -> None:
        try:
            show_on(self.desk, self._stopping)
        except DamagedLedger as problem:
            self._give_up(problem)

    def _look_after(self) -> None:
        """Backups, and the daily look at the whole ledger. A thread of its own, since a large ledger takes a while."""
        while not self._stopping.wait(BACKUP_SECONDS):
            self._guarded(partial(back_up_if_due, self.desk))
            if time.monotonic() - self._looked > LOOK_EVERY.total_seconds():
                self._looked = time.monotonic()
                self._guarded(self._look_through)

    def _look_through(self) -> None:
        look_through(self.desk.settings)
        look_at_journals(self.desk)

    def _read(self, lock: Lock) -> None:
        inbox = Inbox(self.desk.settings.imap_account(), now=self.desk.now)
        outage = Outage()
        while not self._stopping.is_set():
            refused = False
            try:
                inbox.connect()
                _hold(self.desk, inbox, lock)  # who was away, or slept, may find somebody else here
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
                refused = True
                _log.error("%s", problem)
                self._note_unreadable()
                if outage.begins(refused=True):
                    self._note("imap-refused", str(problem))
            except InboxLost as problem:
                self._note_unreadable()
                if outage.begins():
                    self._note("imap-lost", str(problem))
            except OperationalError as problem:
                _log.error("letters cannot be stored just now (%s); they stay in the mailbox", problem.orig)
            except Exception as problem:
                _log.error("a defect of pbmd while reading the mailbox (%s); trying again", place_of(problem))
            finally:
                inbox.close()
                self._alone.set()
            if not self._stopping.is_set():
                self._stopping.wait(outage.pause(refused=refused))

    def _read_on(self, inbox: Inbox, lock: Lock, outage: Outage) -> None:
        while not self._stopping.is_set():
            if lock.due or self._clock_is_in_doubt():
                _hold(self.desk, inbox, lock)
            read_mailbox(self.desk, inbox, self._letters_came.set, lambda: self._stopping.wait(GIVE_WAY_SECONDS))
            if self._due_in() <= timedelta(0):
                self._letters_came.set()
            if time.monotonic() - self._tidied > TIDY_AGAIN_SECONDS:
                self._tidied = time.monotonic()  # first, for where it breaks the connection it must not do so every time
                tidy_again(self.desk, inbox)
            if outage.ends():
                self._note("imap-back", f"after {outage.tries} tries")
            inbox.wait(self._seconds_to_wait(), self._reader_stop)

    def _clock_is_in_doubt(self) -> bool:
        """Then the mail server's clock is asked again and again: when it agrees, the doubt is over."""
        with Work(self.desk, reads=True) as work:
            return bool(doubt(work))

    def _note_unreadable(self) -> None:
        try:
            note_unreadable(self.desk)
        except DamagedLedger as problem:
            self._give_up(problem)
        except OperationalError as problem:
            _log.error("the ledger cannot be used just now (%s); when the mailbox was lost is noted later", problem.orig)

    def _seconds_to_wait(self) -> float:
        """Until the next look at the mailbox: at the latest just after the next instant at which a game may close."""
        poll = float(self.desk.settings.imap.poll_seconds)
        return min(poll, max(HEARTBEAT_SECONDS, self._due_in().total_seconds() + 0.1))

    def _due_in(self) -> timedelta:
        with Work(self.desk, reads=True) as work:
            if doubt(work):
                return timedelta(days=1)
            running = col(Game.status) == GameStatus.RUNNING
            due = work.session.exec(select(func.min(Game.due_at)).where(running, col(Game.due_at).is_not(None))).first()
            return due - work.now if due else timedelta(days=1)

    def _send(self) -> None:
        outage, pace, kept = Outage(), new_pace(self.desk), KeptSmtp(self.desk.settings.smtp_account())
        told = False
        self._alone.wait()  # a copy of a data folder that is in use has the same mails to send
        while not self._stopping.is_set():
            try:
                send_due(self.desk, lambda: self._smtp(kept, outage), self._stopping.is_set, pace, told=told)
                kept.rest()
            except SmtpError as problem:
                if outage.begins():
                    self._note("smtp-lost", str(problem))
                self._stopping.wait(outage.pause(refused=_refuses_us(problem)))
            except DamagedLedger as problem:
                self._give_up(problem)
            except OperationalError as problem:
                _log.error("the outbox cannot be used just now (%s); trying again", problem.orig)
                self._stopping.wait(LEDGER_SECONDS)
            except Exception as problem:
                _log.error("a defect of pbmd while sending (%s); trying again", place_of(problem))
                self._stopping.wait(DEFECT_SECONDS)
            else:
                told = self._mail_waits.wait(HEARTBEAT_SECONDS)
            self._mail_waits.clear()
        kept.rest(0)
        try:
            write_unwritten(self.desk, pace, PATIENCE_SECONDS)
        except Exception as problem:
            if isinstance(problem, DamagedLedger):
                self._give_up(problem)
            count = len(pace.unwritten)
            _log.error("%d mails that have gone out are sent again after the next start (%s)", count, place_of(problem))

    @contextmanager
    def _smtp(self, kept: KeptSmtp, outage: Outage) -> Generator[Smtp]:
        """A connection for some mails; when they have been handed over the server works."""
        with kept.connection() as smtp:
            yield smtp
        if outage.ends():
            self._note("smtp-back", f"after {outage.tries} tries")

    def _note(self, what: str, detail: str) -> None:
        try:
            with Work(self.desk) as work:
                work.log(what, detail=detail)
            write_new_lines(self.desk.engine, self.desk.settings.log_file)
        except DamagedLedger as problem:
            self._give_up(problem)
        except Exception as problem:  # no thread may end for want of a log
            _log.error("%s: %s (and the log cannot be written: %s)", what, detail, place_of(problem))
