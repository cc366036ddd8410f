"""The daemon: one thread reads the mailbox, one sends mail, and the main thread is the desk.

All that is due is found in the ledger by its time, so nothing is lost when a thread, the process or the machine stops;
`schedule` is only the heartbeat that looks. Waiting for mail and for an SMTP server happens in threads of their own, so
that neither can hold up a deadline.
"""

import fcntl
import logging
import random
import signal
import socket
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import TextIO

import schedule
from sqlalchemy.exc import OperationalError
from sqlmodel import col, func, select

from pbmd.dashboard.log import write_new_lines
from pbmd.desk.clerk import process_letters
from pbmd.desk.clock import advance_games
from pbmd.desk.context import Desk
from pbmd.desk.ingest import read_mailbox
from pbmd.desk.mailing import recover, send_due
from pbmd.desk.work import Work
from pbmd.ledger.tables import Game, GameStatus
from pbmd.post.inbox import Inbox, InboxLost, LoginRefused, backoff
from pbmd.post.smtp import Smtp, SmtpError

_log = logging.getLogger("pbmd.daemon")
HEARTBEAT_SECONDS = 1
STEPS_AT_ONCE = 1000


class AlreadyRunning(RuntimeError):
    """Another pbmd works on the same data folder."""


@contextmanager
def only_one(data: Path) -> Generator[TextIO]:
    """Hold the data folder for this process. Raises `AlreadyRunning`."""
    with (data / "pbmd.lock").open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise AlreadyRunning(f"another pbmd is at work on {data}; stop it first") from None
        yield file


def work_pass(desk: Desk) -> int:
    """What the desk has to do now: letters, then the clock, then the log. Gives the letters and steps dealt with."""
    done = process_letters(desk)
    done += advance_games(desk)
    write_new_lines(desk.engine, desk.settings.log_file)
    return done


def tick(desk: Desk) -> None:
    """One pass over everything, for cron. Raises `InboxLost`, `LoginRefused` or `SmtpError` after all else was done."""
    trouble: Exception | None = None
    recover(desk)
    inbox = Inbox(desk.settings.imap_account(), now=desk.now)
    try:
        inbox.connect()
        read_mailbox(desk, inbox)
    except (InboxLost, LoginRefused) as problem:
        trouble = problem
        with Work(desk) as work:
            work.log("imap-lost", detail=str(problem))
    finally:
        inbox.close()
    work_pass(desk)
    try:
        send_due(desk, lambda: Smtp(desk.settings.smtp_account()))
    finally:
        write_new_lines(desk.engine, desk.settings.log_file)
    if trouble is not None:
        raise trouble


class Daemon:
    """The three threads and how they wake and stop each other."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self._stopping = threading.Event()
        self._letters_came = threading.Event()
        self._mail_waits = threading.Event()
        self._stop_reading, self._reader_stop = socket.socketpair()

    def run(self) -> None:
        """Work until `stop` or a signal. Raises `AlreadyRunning`."""
        with only_one(self.desk.settings.data):
            recover(self.desk)
            self._note("running", "pbmd runs")
            threads = [threading.Thread(target=self._read, name="inbox"), threading.Thread(target=self._send, name="outbox")]
            for thread in threads:
                thread.start()
            try:
                self._beat()
            finally:
                self.stop()
                for thread in threads:
                    thread.join()
                self._note("stopped", "pbmd ends")
                self._stop_reading.close()
                self._reader_stop.close()

    def stop(self, *_: object) -> None:
        """End soon, from any thread or a signal handler."""
        self._stopping.set()
        self._letters_came.set()
        self._mail_waits.set()
        try:
            self._stop_reading.send(b"x")
        except OSError:
            _log.debug("the reader has ended already")

    def handle_signals(self) -> None:
        """SIGTERM and SIGINT end the daemon cleanly. Main thread only."""
        signal.signal(signal.SIGTERM, self.stop)
        signal.signal(signal.SIGINT, self.stop)

    def _beat(self) -> None:
        heart = schedule.Scheduler()
        heart.every(HEARTBEAT_SECONDS).seconds.do(self._guarded, self._desk_pass)
        self._guarded(self._desk_pass)
        while not self._stopping.is_set():
            if self._letters_came.wait(max(0.0, heart.idle_seconds or 0.0)):
                self._letters_came.clear()
                self._guarded(self._desk_pass)
            heart.run_pending()

    def _desk_pass(self) -> None:
        if work_pass(self.desk):
            self._mail_waits.set()

    def _guarded(self, job: Callable[[], None]) -> None:
        """An exception must not end the heartbeat: what could not be done now is still due at the next beat."""
        try:
            job()
        except OperationalError as problem:
            _log.error("the ledger cannot be used just now (%s); nothing is lost, trying again", problem.orig)
            self._stopping.wait(HEARTBEAT_SECONDS)
        except OSError as problem:
            _log.error("%s; nothing is lost, trying again", problem)
            self._stopping.wait(HEARTBEAT_SECONDS)
        except Exception:
            _log.exception("a defect of pbmd; trying again")
            self._stopping.wait(HEARTBEAT_SECONDS)

    def _read(self) -> None:
        inbox = Inbox(self.desk.settings.imap_account(), now=self.desk.now)
        attempt = 0
        while not self._stopping.is_set():
            refused = False
            try:
                inbox.connect()
                if attempt:
                    self._note("imap-back", f"after {attempt} tries")
                attempt = 0
                self._read_on(inbox)
            except (InboxLost, LoginRefused) as problem:
                refused = isinstance(problem, LoginRefused)
                if attempt == 0:
                    self._note("imap-lost", str(problem))
            except OperationalError as problem:
                _log.error("letters cannot be stored just now (%s); they stay in the mailbox", problem.orig)
            except Exception:
                _log.exception("a defect of pbmd while reading the mailbox; trying again")
            finally:
                inbox.close()
            attempt += 1
            self._stopping.wait(0 if self._stopping.is_set() else backoff(attempt, refused=refused, jitter=random.random()))  # noqa: S311

    def _read_on(self, inbox: Inbox) -> None:
        while not self._stopping.is_set():
            if read_mailbox(self.desk, inbox) or self._due_in() <= timedelta(0):
                self._letters_came.set()
            inbox.wait(self._seconds_to_wait(), self._reader_stop)

    def _seconds_to_wait(self) -> float:
        """Until the next look at the mailbox: at the latest just after the next instant at which a game may close."""
        poll = float(self.desk.settings.imap.poll_seconds)
        return min(poll, max(HEARTBEAT_SECONDS, self._due_in().total_seconds() + 0.1))

    def _due_in(self) -> timedelta:
        with Work(self.desk, reads=True) as work:
            running = col(Game.status) == GameStatus.RUNNING
            due = work.session.exec(select(func.min(Game.due_at)).where(running, col(Game.due_at).is_not(None))).first()
            return due - work.now if due else timedelta(days=1)

    def _send(self) -> None:
        while not self._stopping.is_set():
            try:
                send_due(self.desk, lambda: Smtp(self.desk.settings.smtp_account()), self._stopping.is_set)
                pause = 1.0
            except SmtpError as problem:
                self._note("smtp-lost", str(problem))
                pause = 60.0
            except OperationalError as problem:
                _log.error("the outbox cannot be used just now (%s); trying again", problem.orig)
                pause = 5.0
            except Exception:
                _log.exception("a defect of pbmd while sending; trying again")
                pause = 60.0
            self._mail_waits.wait(pause)
            self._mail_waits.clear()

    def _note(self, what: str, detail: str) -> None:
        try:
            with Work(self.desk) as work:
                work.log(what, detail=detail)
            write_new_lines(self.desk.engine, self.desk.settings.log_file)
        except (OperationalError, OSError) as problem:
            _log.error("%s: %s (and the log cannot be written: %s)", what, detail, problem)
