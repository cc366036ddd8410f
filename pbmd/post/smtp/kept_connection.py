"""A connection to the SMTP server that is kept for the next mail."""

import threading
import time
from collections.abc import Generator
from contextlib import contextmanager

from pbmd.post.accounts import SmtpAccount
from pbmd.post.smtp.client import Smtp

KEPT_SECONDS = 10.0
"""How long a connection without mail is kept: letters of a game come in groups. Servers allow for minutes (RFC 5321 section
4.5.3.2.7), but some count how many are open."""


class KeptSmtp:
    """A connection that is kept for a while after its last mail, so that the next need not wait for connection and login.

    A server that has ended it meanwhile is no trouble: it is made again (`Smtp.send`). While it is in use others get
    connections of their own, which are not kept.
    """

    def __init__(self, account: SmtpAccount) -> None:
        self._account = account
        self._in_use = threading.Lock()
        self._open: Smtp | None = None
        self._used_at = 0.0

    @contextmanager
    def connection(self) -> Generator[Smtp]:
        """For some mails; raises `SmtpError`. It is not kept if its user raises anything."""
        if not self._in_use.acquire(blocking=False):
            with Smtp(self._account) as another:
                yield another
            return
        try:
            if self._open is None:
                self._open = Smtp(self._account).__enter__()
            yield self._open
            self._used_at = time.monotonic()
        except BaseException:
            self._end()
            raise
        finally:
            self._in_use.release()

    def rest(self, longest_seconds: float = KEPT_SECONDS) -> None:
        """End it if it was not used for so long. Not while it is in use."""
        if time.monotonic() - self._used_at >= longest_seconds:
            self._end()

    def _end(self) -> None:
        if self._open is not None:
            self._open.close()
            self._open = None
