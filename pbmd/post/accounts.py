"""Where the mail servers are and how to log in to them.

These are plain frozen values: the settings build them, `post.imap` and `post.smtp` use them. A secret is looked up only
when a connection is made, and never shows in a repr, a log or an error message.
"""

from __future__ import annotations

import ipaddress
import shlex
import ssl
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

Tls = Literal["tls", "starttls", "none"]

COMMAND_SECONDS = 30.0
"""How long a password or token command may take; a helper that asks a provider for a token needs some seconds."""


class AccountError(ValueError):
    """The description of an account is wrong; the message says what to change."""


class SecretError(Exception):
    """A password or token could not be obtained; the message says from where, and never contains the secret."""


@dataclass(frozen=True, slots=True)
class Secret:
    """How to get a password or an OAuth2 access token. Build it with one of the four class methods."""

    kind: Literal["password", "file", "command", "token_command"]
    source: str | Path | tuple[str, ...] = field(repr=False)

    @classmethod
    def literal(cls, password: str) -> Secret:
        """The password itself."""
        return cls("password", password)

    @classmethod
    def from_file(cls, path: Path) -> Secret:
        """The first line of a file."""
        return cls("file", path)

    @classmethod
    def from_command(cls, command: str | Sequence[str]) -> Secret:
        """The first line that a command prints. A string is split as a shell would split it, but no shell runs it."""
        return cls("command", _arguments(command))

    @classmethod
    def token_from_command(cls, command: str | Sequence[str]) -> Secret:
        """An OAuth2 access token: the first line that a command prints. It is asked for again at each connection."""
        return cls("token_command", _arguments(command))

    @property
    def is_token(self) -> bool:
        """Whether this is an OAuth2 access token, which needs a different login command from a password."""
        return self.kind == "token_command"

    def reveal(self) -> str:
        """Return the password or token. Raises SecretError if it is missing, empty or not one line of text."""
        if isinstance(self.source, tuple):
            text, place = _printed_by(self.source), f"the command {self.source[0]!r}"
        elif isinstance(self.source, Path):
            text, place = _read(self.source), f"the file {self.source}"
        else:
            text, place = self.source, "the settings"
        secret = text if self.kind == "password" else text.partition("\n")[0].rstrip("\r")
        if not secret:
            raise SecretError(f"the password from {place} is empty")
        if any(ord(character) < 32 for character in secret):
            raise SecretError(f"the password from {place} contains control characters (a tab or a line break?)")
        return secret


def _arguments(command: str | Sequence[str]) -> tuple[str, ...]:
    try:
        arguments = tuple(shlex.split(command)) if isinstance(command, str) else tuple(command)
    except ValueError as problem:
        raise AccountError(f"the password command cannot be read: {problem}") from problem
    if not arguments:
        raise AccountError("the password command is empty")
    return arguments


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as problem:
        raise SecretError(f"the password file {path} cannot be read: {problem.strerror or problem}") from problem
    except UnicodeDecodeError as problem:
        raise SecretError(f"the password file {path} is not UTF-8 text") from problem


def _printed_by(arguments: tuple[str, ...]) -> str:
    # What the command writes to stderr is not repeated: helpers are known to print the secret there.
    name = arguments[0]
    try:
        done = subprocess.run(  # noqa: S603 - the command is the administrator's own setting
            arguments, stdin=subprocess.DEVNULL, capture_output=True, timeout=COMMAND_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        raise SecretError(f"the password command {name!r} did not finish within {COMMAND_SECONDS:g} seconds") from None
    except OSError as problem:
        raise SecretError(f"the password command {name!r} cannot be run: {problem.strerror or problem}") from problem
    if done.returncode:
        raise SecretError(f"the password command {name!r} failed with exit code {done.returncode}")
    try:
        return done.stdout.decode("utf-8")
    except UnicodeDecodeError:
        raise SecretError(f"the password command {name!r} printed something that is not UTF-8 text") from None


@dataclass(frozen=True, slots=True, kw_only=True)
class ImapAccount:
    """A mailbox that is read over IMAP. Raises AccountError when the values cannot work."""

    host: str
    port: int = 993
    tls: Tls = "tls"
    user: str
    secret: Secret
    folder: str = "INBOX"
    processed: Literal["move", "flag", "leave"] = "move"
    processed_folder: str = "pbmd-processed"
    idle: bool = True
    poll_seconds: float = 60
    timeout_seconds: float = 30
    ca_file: Path | None = None
    max_letter_bytes: int = 1_000_000

    def __post_init__(self) -> None:
        _check_connection(self.host, self.port, self.tls, self.timeout_seconds)
        if self.poll_seconds <= 0:
            raise AccountError("poll_seconds must be more than 0")
        if self.max_letter_bytes <= 0:
            raise AccountError("max_letter_bytes must be more than 0")
        if self.processed == "move" and self.processed_folder == self.folder:
            raise AccountError(f"processed_folder must be another folder than {self.folder}")


@dataclass(frozen=True, slots=True, kw_only=True)
class SmtpAccount:
    """A server that takes our mail over SMTP. Raises AccountError when the values cannot work."""

    host: str
    port: int = 587
    tls: Tls = "starttls"
    user: str | None = None
    secret: Secret | None = None
    timeout_seconds: float = 30
    ca_file: Path | None = None

    def __post_init__(self) -> None:
        _check_connection(self.host, self.port, self.tls, self.timeout_seconds)
        if (self.user is None) != (self.secret is None):
            raise AccountError("a login needs both a user and a password; give both or neither")


def _check_connection(host: str, port: int, tls: Tls, timeout_seconds: float) -> None:
    if not host:
        raise AccountError("the host is missing")
    if not 1 <= port <= 65535:
        raise AccountError(f"the port {port} is not between 1 and 65535")
    if timeout_seconds <= 0:
        raise AccountError("timeout_seconds must be more than 0")
    if tls == "none" and not is_loopback(host):
        raise AccountError(
            f'tls = "none" would send the password and all orders in the clear to {host}; it is only allowed for a server on '
            f'this machine (localhost, 127.0.0.1 or ::1): use "tls" or "starttls"'
        )


def is_loopback(host: str) -> bool:
    """Whether a host is this machine itself: the name localhost or a loopback address (RFC 6761 section 6.3, RFC 1122)."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def tls_context(ca_file: Path | None) -> ssl.SSLContext:
    """A TLS context that verifies certificate and host name, against one file of authorities or the system's.

    Raises AccountError if the file cannot be used.
    """
    try:
        return ssl.create_default_context(cafile=ca_file)
    except (OSError, ssl.SSLError) as problem:
        from pbmd.post.explained import explained  # it imports the mail libraries, which few readers of settings need

        raise AccountError(f"the certificate file {ca_file} cannot be used: {explained(problem)}") from problem
