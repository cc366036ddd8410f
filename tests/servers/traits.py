"""In what a mail server differs from others, asked of the server itself: as far as pbmd goes by it."""

import smtplib
import ssl
from collections.abc import Iterator

from tests.mailservers import PASSWORD, START_SECONDS
from tests.servers.game import logged_in
from tests.servers.kinds import ImapServer, SmtpServer

_SECURITY = {"tls": "TLS from the start", "starttls": "STARTTLS", "none": "no TLS"}


def traits_of_imap(server: ImapServer) -> list[str]:
    """How it is reached, what it cannot do, and how folders are called."""
    return [_SECURITY[server.tls], *_imap(server)]


def _imap(server: ImapServer) -> Iterator[str]:
    with logged_in(server) as client:
        for name in ("IDLE", "MOVE", "UIDPLUS", "SPECIAL-USE"):
            if not client.has_capability(name):
                yield f"no {name}"
        [[prefix, separator], *_] = client.namespace().personal
    if prefix:
        yield f"folders as in `{prefix}pbmd-processed`"
    elif separator != "/":
        yield f"`{separator}` between the names of folders"


def traits_of_smtp(server: SmtpServer) -> list[str]:
    """How it is reached, and what it cannot do."""
    with smtplib.SMTP("localhost", server.port, timeout=START_SECONDS) as smtp:
        if server.tls == "starttls":
            smtp.starttls(context=ssl.create_default_context(cafile=str(server.ca_file)))
        smtp.ehlo()
        if server.user:
            smtp.login(server.user, PASSWORD)
        missing = [f"no {name.upper()}" for name in ("pipelining", "size", "enhancedstatuscodes") if not smtp.has_extn(name)]
    return [_SECURITY[server.tls], "with a login" if server.user else "no login", *missing]
