"""Dovecot: folders without a prefix, and all that IMAP has."""

import itertools
import subprocess
from contextlib import contextmanager

from tests.mailservers import running_dovecot
from tests.servers.kinds import USER, ImapRun, ImapServer, Lmtp

_VALIDITIES = itertools.count(1_900_000_000)


@contextmanager
def running() -> ImapRun:
    """Start it, with TLS."""
    with running_dovecot() as dovecot:
        version = subprocess.run(["dovecot", "--version"], check=True, capture_output=True, text=True).stdout.split()[0]
        yield ImapServer(
            version=version,
            port=dovecot.imaps_port,
            tls="tls",
            ca_file=dovecot.ca_file,
            delivery=Lmtp(dovecot.lmtp_port),
            renumber=lambda: dovecot.set_uidvalidity(USER, next(_VALIDITIES)),
            told=lambda: (dovecot.base / "dovecot.log").read_text(errors="replace"),
        )
