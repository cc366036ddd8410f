"""What the game has to know of a mail server, whichever it is."""

from collections.abc import Callable, Generator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

USER = "games"
"""The one mailbox, and who logs in to it and to send."""
MAIL_UID, MAIL_GID = 47110, 47110
"""Who owns the mail where it lies in files; nobody of the system."""


@dataclass(frozen=True)
class Lmtp:
    """Mail is brought in by LMTP, at this port of 127.0.0.1."""

    port: int


@dataclass(frozen=True)
class Maildir:
    """Mail is brought in as a file in this folder."""

    folder: Path


@dataclass(frozen=True)
class ImapServer:
    """An IMAP server that runs. `renumber` has it give the INBOX a new UIDVALIDITY."""

    version: str
    port: int
    tls: str
    ca_file: Path
    delivery: Lmtp | Maildir
    renumber: Callable[[], object]
    told: Callable[[], str]


@dataclass(frozen=True)
class SmtpServer:
    """An SMTP server that runs. `user` is empty where it asks for no login."""

    version: str
    port: int
    tls: str
    ca_file: Path | None
    user: str
    told: Callable[[], str]


class StartImap(Protocol):
    """Starts an IMAP server with the mailbox of USER for the time of the block."""

    def __call__(self) -> AbstractContextManager[ImapServer]: ...


class StartSmtp(Protocol):
    """Starts an SMTP server for the time of the block. It takes mail for DOMAIN from anybody and brings it into the mailbox;
    all other, from who has logged in, goes to a port."""

    def __call__(self, delivery: Lmtp | Maildir, world_port: int) -> AbstractContextManager[SmtpServer]: ...


ImapRun = Generator[ImapServer]
SmtpRun = Generator[SmtpServer]
