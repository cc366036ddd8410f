"""A connection to the SMTP server that stays open for the next mail."""

import math
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager

from pbmd.post.accounts import SmtpAccount
from pbmd.post.smtp.client import Smtp

KEPT_SECONDS = 10.0
"""How long an idle connection stays open: a game's letters come in groups. Servers allow minutes (RFC 5321 section 4.5.3.2.7),
but some count how many are open."""


class KeptSmtp:
    """A connection that stays open for a while after its last mail, so that the next need not wait for connection and login.

    If the server has ended it meanwhile, it is made again (`Smtp.send`). While it is in use others get connections of their
    own, which are closed afterwards.
    """

    def __init__(self, account: SmtpAccount) -> None:
        self._account = account
        self._in_use = threading.Lock()
        self._open: Smtp | None = None
        self._used_at = 0.0

    @contextmanager
    def connection(self) -> Generator[Smtp]:
        """The connection, for some mails; raises `SmtpError`. It is closed if its user raises anything."""
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

    def rest(self, longest_seconds: float = KEPT_SECONDS) -> float:
        """End it if it was idle for that long, but not while it is in use. Returns in how many seconds that will be
        so, infinity if there is none."""
        left = longest_seconds - (time.monotonic() - self._used_at)
        if left <= 0:
            self._end()
        return left if self._open is not None else math.inf

    def _end(self) -> None:
        if self._open is not None:
            self._open.close()
            self._open = None
