"""A connection to an IMAP server. Each step has a deadline, and whatever goes wrong is raised as one exception."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta

from pbmd.post.accounts import ImapAccount, SecretError, tls_context
from pbmd.post.breaker import Breaker
from pbmd.post.explained import explained
from pbmd.post.imap.lock import Lock, server_ahead
from pbmd.post.imap.wire import BROKEN, ENDED, AnswerTooLong, Client, Refused
from pbmd.post.login import NoWayIn, Refusal, refusal, refusal_by_code, without_secret


class InboxLost(Exception):
    """The connection is unusable; connect again after a while. The message says what happened at which step."""


class ConnectionEnded(InboxLost):
    """The server ended the connection, or did not answer in time: that says nothing about what it was asked for."""


class TooMuch(InboxLost):
    """The server sent, or was about to send, far more than it was asked for."""


class NoText(InboxLost):
    """A message is in the folder, but the server gives no text for it, sends far more of it than it was asked for, or ends the
    connection when it gets to it. Mostly this passes; for some broken messages it does not."""

    is_estimated = False
    """`arrived_at` is the time of the scan."""
    is_proved = True
    """Other letters could be had meanwhile, so the fault lies with this letter and not with the server."""

    def __init__(
        self, told: str, uidvalidity: int, uid: int, arrived_at: datetime, why: str = "the server gives no text for it"
    ) -> None:
        super().__init__(told)
        self.why = why
        """In a few words, including the server's."""
        self.uidvalidity = uidvalidity
        self.uid = uid
        self.arrived_at = arrived_at
        """INTERNALDATE in UTC; the time of the scan if the server did not give that either."""


class LoginPutOff(InboxLost):
    """The server does not let us in for a reason that should pass, and has nothing to do with the password."""


class LoginRefused(Exception):
    """The server does not let us in, or there is no password to show it. Trying again soon gets accounts locked."""


def utc_now() -> datetime:
    """The time of this machine, with its zone."""
    return datetime.now(UTC)


class Connection:
    """One mailbox of one account. The connection is made by `connect` and ended by `close`."""

    def __init__(self, account: ImapAccount, *, now: Callable[[], datetime] = utc_now) -> None:
        self.account = account
        self._now = now
        self._connection: Client | None = None
        self._breaker = Breaker()
        self._uidvalidity = 0  # of the folder selected on this connection; 0 is none

    def connect(self) -> None:
        """Connect and log in; an earlier connection is ended. Raises InboxLost or LoginRefused."""
        self.close()
        try:
            self._log_in()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """End the connection, broken or not. There is no LOGOUT, since that would wait for an answer."""
        if self._connection is not None:
            with suppress(*BROKEN):  # it is broken already, and its socket is closed all the same
                self._connection.shutdown()
        self._breaker.release()
        self._connection, self._breaker = None, Breaker()
        self._uidvalidity = 0

    def hold(self, lock: Lock) -> None:
        """Put up the sign that says that we read this folder. Raises MailboxTaken when another pbmd does, and InboxLost."""
        self._uidvalidity = 0  # another folder will be selected
        with self._step("looking for another pbmd"):
            lock.hold(self._client, self.account.folder, self._now)

    def release(self, lock: Lock, *, leaves_word: bool = False) -> None:
        """Take that sign away, and leave a note that we were here if that is wanted. Raises InboxLost."""
        self._uidvalidity = 0
        with self._step("taking the sign away"):
            lock.release(self._client, self.account.folder if leaves_word else "")

    def server_ahead(self) -> timedelta | None:
        """By how much the server's clock is ahead of ours, None if that cannot be seen. Raises InboxLost."""
        self._uidvalidity = 0
        with self._step("looking at the server's clock"):
            return server_ahead(self._client, self._now)

    def _log_in(self) -> None:
        account = self.account
        try:
            secret = account.secret.reveal()
        except SecretError as problem:
            raise LoginRefused(str(problem)) from problem
        with self._step("connecting"):
            self._connection = client = Client(account, self._breaker)
            if account.tls == "starttls":
                client.starttls(tls_context(account.ca_file))
        try:
            with self._step("login"):
                client.authenticate(account.user, secret, is_token=account.secret.is_token)
        except NoWayIn as problem:
            raise self._login_failed(Refusal.FINAL, problem) from problem
        except Refused as problem:
            said = without_secret(str(problem), account.user, secret)
            raise self._login_failed(refusal(said), said) from None
        except InboxLost as problem:  # some servers refuse a login by ending the connection with a code
            what, _, said = without_secret(str(problem), account.user, secret).partition(": ")
            if (kind := refusal_by_code(said)) is None:
                raise InboxLost(f"{what}: {said}") from None
            raise self._login_failed(kind, said) from None

    def _login_failed(self, kind: Refusal, said: object) -> LoginRefused | LoginPutOff:
        host, user = self.account.host, self.account.user
        if kind is Refusal.TEMPORARY:
            return LoginPutOff(f"{host} puts off the login of {user}: {said}")
        return LoginRefused(f"{host} refused the login of {user}: {said}")

    @property
    def _client(self) -> Client:
        if self._connection is None:
            raise InboxLost(f"{self.account.host}: not connected")
        return self._connection

    @contextmanager
    def _step(self, what: str) -> Generator[None]:
        """Run one step under the outer deadline, and raise whatever goes wrong in it as one exception."""
        seconds = 3 * self.account.timeout_seconds
        try:
            with self._breaker.deadline(seconds):
                yield
        except BROKEN as problem:
            reason = f"not finished after {seconds:g} s" if self._breaker.tripped else explained(problem)
            if self._connection and (goodbye := self._connection.goodbye()) not in reason:
                reason += f" (the server said: {goodbye})"
            kind = ConnectionEnded if isinstance(problem, ENDED) else InboxLost
            kind = TooMuch if isinstance(problem, AnswerTooLong) else kind
            raise kind(f"{self.account.host}:{self.account.port}, {what}: {reason}") from problem

    def _select(self, *, while_scanning: bool = False) -> tuple[int, int, int]:
        """Open the folder; return UIDVALIDITY, UIDNEXT (0 if the server does not say) and the number of letters (-1 if it does
        not say)."""
        folder = self.account.folder
        with self._step(f"opening {folder}"):
            told = self._client.select_folder(folder)
            if not while_scanning:
                self._client.more_mail_was_told()  # the EXISTS of SELECT itself is no news
        self._uidvalidity = int(told.get(b"UIDVALIDITY", 0))
        if not self._uidvalidity:
            raise InboxLost(
                f"{self.account.host}: the server gives no UIDVALIDITY for {folder}, so letters cannot be told apart"
            )
        return self._uidvalidity, int(told.get(b"UIDNEXT", 0)), int(told.get(b"EXISTS", -1))
