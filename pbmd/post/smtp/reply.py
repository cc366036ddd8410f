"""The replies of an SMTP server, read only up to a limit."""

import smtplib
import socket
from io import BufferedReader
from typing import Any

from pbmd.post.accounts import SmtpAccount, tls_context
from pbmd.post.breaker import Breaker

MOST_REPLY_BYTES = 100_000
"""A reply has a few lines; by RFC 5321 (4.5.3.1.5) 512 bytes are enough for each."""
MOST_ANSWERS = 5
"""How many of its time limits a server may take for a connection with its login, and for a mail, however it spreads its bytes:
a time limit alone bounds only each single read."""


class _Bounded:
    """The lines that a server sends, up to a number of bytes for one reply: smtplib bounds each line, but not their number."""

    def __init__(self, lines: BufferedReader) -> None:
        self._lines = lines
        self._left = 0

    def begin(self) -> None:
        """Start counting afresh: what comes now is another reply."""
        self._left = MOST_REPLY_BYTES

    def readline(self, size: int) -> bytes:
        """The next line. Raises `OSError` when the reply is too long."""
        line = self._lines.readline(size)
        self._left -= len(line)
        if self._left < 0:
            raise OSError(f"a reply of more than {MOST_REPLY_BYTES:,} bytes")
        return line

    def close(self) -> None:
        """As the file itself."""
        self._lines.close()


class GuardedSmtp(smtplib.SMTP):
    """Hands the socket to a breaker before anything is read from it, and reads no endless reply."""

    def getreply(self) -> tuple[int, bytes]:
        """The next reply. Raises `smtplib.SMTPServerDisconnected`, also for one that is too long."""
        # As smtplib opens the file itself when there is none.
        self.file: Any = self.file or _Bounded(self.sock.makefile("rb"))  # pyright: ignore[reportOptionalMemberAccess]
        self.file.begin()
        return super().getreply()

    def __init__(self, account: SmtpAccount, breaker: Breaker) -> None:
        self._breaker = breaker
        super().__init__(account.host, account.port, timeout=account.timeout_seconds)

    def _get_socket(self, host: str, port: int, timeout: float) -> socket.socket:
        # smtplib's own hook, which SMTP_SSL puts its TLS upon.
        connection: socket.socket = super()._get_socket(host, port, timeout)  # pyright: ignore[reportAttributeAccessIssue]
        self._breaker.release()
        self._breaker.hold(connection)
        return connection


class GuardedSmtpTls(smtplib.SMTP_SSL, GuardedSmtp):
    """The same over TLS from the first byte."""

    def __init__(self, account: SmtpAccount, breaker: Breaker) -> None:
        self._breaker = breaker
        smtplib.SMTP_SSL.__init__(
            self, account.host, account.port, timeout=account.timeout_seconds, context=tls_context(account.ca_file)
        )
