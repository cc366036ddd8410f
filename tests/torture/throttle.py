"""A wire to an IMAP server that now and then answers in its place, as one does that has had enough of an account."""

import re
import select
import socket
import ssl
import threading
from contextlib import suppress
from pathlib import Path

from tests.acceptance.wire import Wire

REFUSALS = (
    "[OVERQUOTA] Account exceeded command or bandwidth limits.",
    "[UNAVAILABLE] UID FETCH Server error - Please try again later",
)
"""As Gmail and Yahoo word it."""
_TEXTS_WANTED = re.compile(rb"(\S+) UID FETCH [^\r\n]*BODY\.PEEK[^\r\n]*\r\n")


class ThrottledWire(Wire):
    """Speaks TLS with the certificate `cert.pem` and the key `key.pem` in `certificates`, and passes on to a port without.

    While `refusal` is not empty each command that wants texts of letters is answered with NO and these words.
    """

    def __init__(self, target: int, certificates: Path) -> None:
        self.refusal = ""
        self.refused = 0
        """How many commands were answered so."""
        self._tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._tls.load_cert_chain(certificates / "cert.pem", certificates / "key.pem")
        super().__init__(target)

    def join(self, near: socket.socket, far: socket.socket) -> None:
        """One thread for both directions: a TLS connection is not for two at once."""
        threading.Thread(target=self._pass_on, args=(near, far), daemon=True).start()

    def _pass_on(self, plain: socket.socket, far: socket.socket) -> None:
        # The wire ends `plain` when it is cut, so what speaks TLS over it works on a copy.
        with far, suppress(OSError, ValueError), self._tls.wrap_socket(plain.dup(), server_side=True) as near:
            while True:
                ready = [near] if near.pending() else select.select([near, far], [], [])[0]
                for source in ready:
                    data = source.recv(65536)
                    if not data:
                        return
                    if source is far:
                        near.sendall(data)
                    elif self.refusal and (wanted := _TEXTS_WANTED.fullmatch(data)):
                        self.refused += 1
                        near.sendall(b"%s NO %s\r\n" % (wanted[1], self.refusal.encode()))
                    else:
                        far.sendall(data)
