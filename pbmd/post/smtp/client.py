"""Mail out over SMTP: one connection for many mails, and a plain answer on what became of each."""

import re
import smtplib
import socket
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from types import TracebackType
from typing import Self

from pbmd.post.accounts import AccountError, SecretError, SmtpAccount, tls_context
from pbmd.post.breaker import Breaker
from pbmd.post.explained import LONGEST, explained
from pbmd.post.login import NoWayIn, Refusal, answers, refusal, ways, without_secret
from pbmd.post.smtp.refusals import is_about_us
from pbmd.post.smtp.reply import MOST_ANSWERS, GuardedSmtp, GuardedSmtpTls

_WAITS = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 15, 60))
LONGEST_WAIT = timedelta(hours=4)
_MOST_TRIES = 32
"""With the waits above: five days."""


_CLOSING = 421
"""With this code the server ends the connection (RFC 5321 section 3.8)."""
_CARRIED = re.compile(r"[!-;=?-~]+@[!-;=?-~]+")
_LOGIN_WANTED = 530
_AUTHENTICATE = re.compile(r"\bauthenticat|\blog ?in\b", re.IGNORECASE)


class SmtpError(Exception):
    """No connection, or no login: no mail can be sent now. The message says why."""


class SmtpLoginPutOff(SmtpError):
    """The server does not let us in for a reason that should pass, and has nothing to do with the password."""


class SmtpLoginRefused(SmtpError):
    """The server does not let us in, or there is no password to show it. Trying again soon gets accounts locked."""


class SenderRefused(SmtpError):
    """The server accepts no mail from us for now: a limit is reached, or it does not want our address."""


@dataclass(frozen=True, slots=True)
class Sent:
    """The server has accepted the mail."""


@dataclass(frozen=True, slots=True)
class Deferred:
    """The server said: later (4xx), or the connection was lost before it had the mail (code 0).

    `about_us`: it said never (5xx), but about the sender, so it will say the same of every mail until that is mended.
    """

    code: int
    text: str
    about_us: bool = False

    def __str__(self) -> str:
        return f"{self.code} {self.text}".strip()


@dataclass(frozen=True, slots=True)
class Rejected:
    """The server said: never (5xx)."""

    code: int
    text: str

    def __str__(self) -> str:
        return f"{self.code} {self.text}".strip()


@dataclass(frozen=True, slots=True)
class Unknown:
    """The connection was lost after the mail was sent and before the answer: the mail may or may not have gone out."""

    text: str

    def __str__(self) -> str:
        return self.text


Result = Sent | Deferred | Rejected | Unknown


def retry_delay(tries: int, result: Result) -> timedelta | None:
    """How long to wait after the `tries`-th try; None to give up: at once when rejected, after five days otherwise."""
    if isinstance(result, Rejected) or tries >= _MOST_TRIES:
        return None
    return _WAITS[tries - 1] if tries <= len(_WAITS) else LONGEST_WAIT


class Smtp:
    """A connection, as a context manager. Entering raises `SmtpError`; a connection lost on the way is made again."""

    def __init__(self, account: SmtpAccount) -> None:
        self.account = account
        self._server: smtplib.SMTP | None = None
        self._breaker = Breaker()
        self._mails = 0
        """How many mails this connection has been used for."""
        self.null_refused = False
        """The server does not accept the empty return path."""

    def __enter__(self) -> Self:
        with self._in_time(MOST_ANSWERS):
            self._connect()
        return self

    def __exit__(self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Say goodbye, if the connection is still there."""
        if self._server is not None:
            try:
                with self._in_time(1):
                    self._server.quit()
            except (smtplib.SMTPException, OSError):
                self._server.close()
            self._server = None
        self._breaker.release()

    def send(self, envelope_from: str, recipient: str, raw: bytes, otherwise: str = "") -> Result:
        """Hand over one mail. An empty `envelope_from` is the null return path. Raises `SmtpError`.

        A connection that the server has closed since the last mail is made again, once. A server that refuses the null return
        path gets the mail with the one in `otherwise`, if there is any.
        """
        with self._in_time(MOST_ANSWERS):
            return self._send_to(envelope_from, recipient, raw, otherwise)

    def login_wanted(self, envelope_from: str, recipient: str) -> str:
        """What the server says if it accepts no mail from us without a login; empty if it does. No mail is sent. Raises
        `SmtpError`."""
        with self._in_time(MOST_ANSWERS):
            server = self._server or self._connect()
            try:
                replies = _asked_in_turn(server, (f"MAIL FROM:<{envelope_from}>", f"RCPT TO:<{recipient}>"))
            except (smtplib.SMTPException, OSError) as problem:
                self._lose()
                raise SmtpError(f"{self.account.host}:{self.account.port}: {self._words(problem)}") from problem
            self._reset()
        code, answer = replies[-1]
        text = _text(answer)
        return f"{code} {text}" if code == _LOGIN_WANTED or (code // 100 == 5 and _AUTHENTICATE.search(text)) else ""

    @contextmanager
    def _in_time(self, answers: int) -> Generator[None]:
        """Cut the connection if the body takes longer than this many answers may take; it is not replaced."""
        self._breaker.tripped = False
        with self._breaker.deadline(answers * self.account.timeout_seconds):
            yield

    def _send_to(self, envelope_from: str, recipient: str, raw: bytes, otherwise: str) -> Result:
        if not envelope_from and otherwise:
            if not self.null_refused:
                result = self._send_to("", recipient, raw, "")
                if not (isinstance(result, Deferred) and result.about_us and self.null_refused):
                    return result
            envelope_from = otherwise
        if not _CARRIED.fullmatch(recipient):
            return Rejected(553, "this is no address that SMTP can carry")
        reused = self._server is not None and self._mails > 0
        result = self._send(envelope_from, recipient, raw)
        if reused and isinstance(result, Deferred) and not result.code and not self._breaker.tripped:
            result = self._send(envelope_from, recipient, raw)
        return result

    def _send(self, envelope_from: str, recipient: str, raw: bytes) -> Result:
        """One try. A `Deferred` with code 0 says that the connection is gone and the server does not have the mail."""
        server = self._server or self._connect()
        self._mails += 1
        try:
            refusal = self._announce(server, envelope_from, recipient)
            if refusal is not None:
                return refusal
            # When this fails, at least the end of the final dot's line has not gone out, and without it the server must not
            # deliver (RFC 5321 section 4.1.1.4).
            server.send(_dotted(raw))
        except (smtplib.SMTPException, OSError) as problem:
            self._lose()
            return Deferred(0, self._words(problem))
        try:
            code, answer = server.getreply()
        except (smtplib.SMTPException, OSError) as problem:
            self._lose()
            return Unknown(self._words(problem))
        if code == _CLOSING:
            self._lose()
        return Sent() if 200 <= code < 300 else _refused(code, answer)

    def _announce(self, server: smtplib.SMTP, envelope_from: str, recipient: str) -> Deferred | Rejected | None:
        """MAIL, RCPT and DATA; the server's refusal of one of them, or None. Raises SMTPServerDisconnected and OSError.

        They are sent together where the server supports that (RFC 2920), which saves two of four round trips.
        """
        lines = (f"MAIL FROM:<{envelope_from}>", f"RCPT TO:<{recipient}>", "DATA")
        replies = _asked_at_once(server, lines) if server.has_extn("pipelining") else _asked_in_turn(server, lines)
        for number, (code, answer) in enumerate(replies):
            if code // 100 != _WANTED[number]:
                if replies[-1][0] // 100 == _WANTED[2]:  # it waits for a mail to nobody
                    server.send(b".\r\n")
                    server.getreply()
                self.null_refused = self.null_refused or (number == 0 and not envelope_from and code // 100 == 5)
                self._reset()
                return _refused(code, answer, of_sender=number == 0)
        return None

    def _connect(self) -> smtplib.SMTP:
        account = self.account
        self._mails = 0
        try:
            if account.tls == "tls":
                self._server = GuardedSmtpTls(account, self._breaker)
            else:
                self._server = GuardedSmtp(account, self._breaker)
                if account.tls == "starttls":
                    self._server.starttls(context=tls_context(account.ca_file))
            if self._server.sock is not None:
                # Small commands follow each other; without this some wait 40 ms for a delayed ACK.
                self._server.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            # A server that does not get so far takes no mail at all, so no mail is tried for it.
            self._server.ehlo_or_helo_if_needed()
            self._log_in(self._server)
        except UnicodeError:
            self._lose()
            # Its text would show a part of the password.
            raise SmtpError(f"{account.host}:{account.port}: user and password must be plain ASCII for SMTP") from None
        except (smtplib.SMTPException, OSError, SecretError, AccountError, NoWayIn) as problem:
            self._lose()
            kind = _no_connection(problem)
            what = f"the server puts off the login of {account.user}: " if kind is SmtpLoginPutOff else ""
            raise kind(f"{account.host}:{account.port}: {what}{self._words(problem)}") from problem
        return self._server

    def _log_in(self, server: smtplib.SMTP) -> None:
        account = self.account
        if account.user is None or account.secret is None:
            return
        secret = account.secret.reveal()
        if not server.has_extn("auth"):
            raise smtplib.SMTPNotSupportedError("the server offers no login")
        offered = server.esmtp_features["auth"].upper().split()
        found = ways(offered, is_token=account.secret.is_token)
        for way in found:
            answer = answers(way, account.user, secret)
            try:
                _shown(server, way, answer)
                return
            except smtplib.SMTPResponseException as problem:
                problem.smtp_error = without_secret(explained(problem), account.user, secret).partition(" ")[2].encode()
                if not isinstance(problem, smtplib.SMTPAuthenticationError):
                    raise
                # Some servers offer what they cannot do. One that is in trouble is not asked again.
                if way == found[-1] or _refusal(problem) is Refusal.TEMPORARY:
                    raise

    def _reset(self) -> None:
        if self._server is not None:
            try:
                self._server.rset()
            except (smtplib.SMTPException, OSError):
                self._lose()

    def _words(self, problem: BaseException) -> str:
        return "no answer in time" if self._breaker.tripped else explained(problem)

    def _lose(self) -> None:
        if self._server is not None:
            self._server.close()
            self._server = None
        self._breaker.release()


def _shown(server: smtplib.SMTP, way: str, answer: Callable[[bytes | None], str]) -> None:
    """Log in by a mechanism. Raises `smtplib.SMTPAuthenticationError`, and what smtplib raises."""

    def respond(challenge: bytes | None = None) -> str:
        return answer(challenge)

    server.auth(way, respond, initial_response_ok=way != "CRAM-MD5")


def _refusal(problem: smtplib.SMTPAuthenticationError) -> Refusal:
    return refusal(explained(problem), problem.smtp_code)


def _no_connection(problem: BaseException) -> type[SmtpError]:
    """What to raise when there is no connection for that reason."""
    if isinstance(problem, smtplib.SMTPAuthenticationError):
        return SmtpLoginPutOff if _refusal(problem) is Refusal.TEMPORARY else SmtpLoginRefused
    return SmtpLoginRefused if isinstance(problem, (SecretError, NoWayIn)) else SmtpError


_WANTED = (2, 2, 3)
"""The first digits of the replies to MAIL, RCPT and DATA."""


def _asked_at_once(server: smtplib.SMTP, lines: Sequence[str]) -> list[tuple[int, bytes]]:
    server.send("".join(f"{line}\r\n" for line in lines))
    return [_reply(server) for _ in lines]


def _asked_in_turn(server: smtplib.SMTP, lines: Sequence[str]) -> list[tuple[int, bytes]]:
    """The replies to MAIL, RCPT and DATA, or the first of them, up to the first that is a refusal."""
    replies: list[tuple[int, bytes]] = []
    for line, wanted in zip(lines, _WANTED, strict=False):
        server.send(f"{line}\r\n")
        replies.append(_reply(server))
        if replies[-1][0] // 100 != wanted:
            break
    return replies


def _reply(server: smtplib.SMTP) -> tuple[int, bytes]:
    """Raises SMTPServerDisconnected when the server ends the connection."""
    code, answer = server.getreply()
    if code in (-1, _CLOSING):
        raise smtplib.SMTPServerDisconnected(answer.decode("utf-8", "replace"))
    return code, answer


def _refused(code: int, answer: bytes, *, of_sender: bool = False) -> Deferred | Rejected:
    text = _text(answer)
    if not 500 <= code < 600:
        return Deferred(code, text)
    if of_sender or code == _LOGIN_WANTED or is_about_us(text):
        return Deferred(code, text, about_us=True)
    return Rejected(code, text)


def _text(answer: bytes) -> str:
    return " ".join(answer.decode("utf-8", "replace").split())[:LONGEST]


def _dotted(raw: bytes) -> bytes:
    """The message as it is sent: dots at the beginning of lines doubled, and the final dot."""
    end = b".\r\n" if raw.endswith(b"\r\n") else b"\r\n.\r\n"
    return (b"." if raw.startswith(b".") else b"") + raw.replace(b"\r\n.", b"\r\n..") + end
