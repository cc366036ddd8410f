"""The words for what goes wrong with a server: none that only Python's users know."""

import errno
import http.client
import imaplib
import re
import smtplib
import socket
import ssl
from typing import Any

import pytest
from imapclient.exceptions import IMAPClientAbortError, LoginError, ProtocolError

from pbmd.post.accounts import AccountError, SecretError
from pbmd.post.explained import LONGEST, explained, plain
from pbmd.post.imap.wire import AnswerTooLong
from pbmd.post.login import NoWayIn

PYTHON = re.compile(r"""\bb['"]|\[Errno|\(_ssl|\[SSL|=>|<[a-z_.]+ object|Traceback|\bEOF\b|\\x|\(\d{3}, """)

ERRORS: list[tuple[BaseException, str]] = [
    # The operating system
    (ConnectionRefusedError(errno.ECONNREFUSED, "Connection refused"), "Connection refused"),
    (ConnectionResetError(errno.ECONNRESET, "Connection reset by peer"), "Connection reset by peer"),
    (BrokenPipeError(errno.EPIPE, "Broken pipe"), "Broken pipe"),
    (OSError(errno.ENETUNREACH, "Network is unreachable"), "Network is unreachable"),
    (OSError(errno.EHOSTUNREACH, "No route to host"), "No route to host"),
    (FileNotFoundError(errno.ENOENT, "No such file or directory", "/etc/ca.pem"), "No such file or directory: /etc/ca.pem"),
    (OSError(), "could not be read (OSError)"),
    (OSError("a reply of more than 100,000 bytes"), "a reply of more than 100,000 bytes"),
    (TimeoutError(errno.ETIMEDOUT, "Connection timed out"), "no answer in time"),
    (TimeoutError("The read operation timed out"), "no answer in time"),
    (socket.gaierror(-2, "Name or service not known"), "its name cannot be looked up (Name or service not known)"),
    # TLS
    (ssl.SSLError(1, "[SSL: WRONG_VERSION_NUMBER] wrong version number (_ssl.c:1006)"), "wrong version number"),
    (ssl.SSLEOFError(8, "EOF occurred in violation of protocol (_ssl.c:1006)"), "the server ended the connection"),
    (ssl.SSLZeroReturnError(6, "TLS/SSL connection has been closed (EOF) (_ssl.c:1006)"), "the server ended the connection"),
    # imaplib and imapclient
    (imaplib.IMAP4.abort("socket error: EOF"), "the server ended the connection"),
    (imaplib.IMAP4.abort("command: UID => socket error: EOF"), "the server ended the connection"),
    (imaplib.IMAP4.abort("command: LOGIN => Session expired"), "Session expired"),
    (
        imaplib.IMAP4.abort("socket error: [Errno 104] Connection reset by peer"),
        "the connection was lost: Connection reset by peer",
    ),
    (imaplib.IMAP4.error(b"* BYE Too many connections"), "the server said: BYE Too many connections"),
    (imaplib.IMAP4.error("UID command error: BAD [b'Command Error. 12']"), "the server said: BAD Command Error. 12"),
    (
        imaplib.IMAP4.error('SELECT command error: BAD [b"Mailbox doesn\'t exist"]'),
        "the server said: BAD Mailbox doesn't exist",
    ),
    (imaplib.IMAP4.error("command FETCH illegal in state AUTH"), "command FETCH illegal in state AUTH"),
    (LoginError("b'[AUTHENTICATIONFAILED] Invalid credentials'"), "[AUTHENTICATIONFAILED] Invalid credentials"),
    (LoginError("b'falsches Pa\\xc3\\x9fwort'"), "falsches Paßwort"),
    (IMAPClientAbortError("unexpected response: b'STEAL A, the order of a player'"), "unexpected response"),
    (ProtocolError("select failed: NO such folder"), "NO such folder"),
    # smtplib
    (smtplib.SMTPAuthenticationError(535, b"5.7.8 Error: authentication failed"), "535 5.7.8 Error: authentication failed"),
    (smtplib.SMTPConnectError(421, b"4.7.0 Too many\nconnections"), "421 4.7.0 Too many connections"),
    (smtplib.SMTPHeloError(501, "no name"), "501 no name"),
    (smtplib.SMTPResponseException(-1, b"HTTP/1.1"), "what the server says is no SMTP: HTTP/1.1"),
    (smtplib.SMTPServerDisconnected("Connection unexpectedly closed"), "the server ended the connection"),
    (
        smtplib.SMTPServerDisconnected("Connection unexpectedly closed: [Errno 104] Connection reset by peer"),
        "the connection was lost: Connection reset by peer",
    ),
    (smtplib.SMTPServerDisconnected("please run connect() first"), "the server ended the connection"),
    (smtplib.SMTPServerDisconnected("4.3.2 shutting down"), "4.3.2 shutting down"),
    (
        smtplib.SMTPException("Server AUTH mechanism infinite loop. Last response: (334, b'')"),
        "asks at the login without an end",
    ),
    (smtplib.SMTPServerDisconnected("Connection unexpectedly closed: The read operation timed out"), "no answer in time"),
    (smtplib.SMTPNotSupportedError("STARTTLS extension not supported by server."), "STARTTLS extension not supported"),
    # http.client
    (http.client.BadStatusLine("SSH-2.0\r\n"), "could not be read (BadStatusLine)"),
    (http.client.RemoteDisconnected("Remote end closed connection without response"), "the server ended the connection"),
    (http.client.IncompleteRead(b"half"), "could not be read (IncompleteRead)"),
    # What a library raises at a line that it did not expect
    (ValueError("invalid literal for int() with base 10: b'STEAL A'"), "could not be read (ValueError)"),
    (KeyError(b"BODY[]"), "could not be read (KeyError)"),
    (AssertionError(), "could not be read (AssertionError)"),
    (UnicodeEncodeError("ascii", "pässword", 1, 2, "ordinal not in range"), "could not be read (UnicodeEncodeError)"),
    # Ours
    (AnswerTooLong("an answer of 2,000,000 bytes"), "an answer of 2,000,000 bytes"),
    (SecretError("the password file pw cannot be read"), "the password file pw cannot be read"),
    (AccountError("the host is missing"), "the host is missing"),
    (NoWayIn("the server offers no way to log in"), "the server offers no way to log in"),
]


@pytest.mark.parametrize(("problem", "words"), ERRORS, ids=lambda value: str(value)[:50])
def test_an_error_is_told_in_words_for_people(problem: BaseException, words: str) -> None:
    told = explained(problem)
    assert words in told
    assert not PYTHON.search(told)
    assert "STEAL" not in told, "it may be a part of a letter"
    assert "pässword" not in told


def kinds(base: type[BaseException]) -> set[type[BaseException]]:
    return {base}.union(*(kinds(each) for each in base.__subclasses__()))


NEVER_RAISED = {smtplib.SMTPRecipientsRefused}
"""By what pbmd calls: only ``sendmail`` raises it."""
CLIENTS = (
    imaplib.IMAP4.error,
    smtplib.SMTPException,
    http.client.HTTPException,
    ssl.SSLError,
    ConnectionError,
    socket.gaierror,
)

MADE_OF: dict[type[BaseException], tuple[Any, ...]] = {
    smtplib.SMTPSenderRefused: (500, b"it is broken", "gm@pbmd.test"),
    smtplib.SMTPResponseException: (500, b"it is broken"),
    http.client.RemoteDisconnected: ("it is broken",),
    http.client.HTTPException: ("b'it is broken'",),
    smtplib.SMTPException: ("b'it is broken'",),
    socket.gaierror: (-2, "Name or service not known"),
    OSError: (104, "[SYS] it is broken (_ssl.c:1)"),
    imaplib.IMAP4.error: ("command: UID => b'it is broken'",),
}
"""With what an error of each kind is made, as the libraries do."""


@pytest.mark.parametrize(
    "kind", sorted(set[type[BaseException]]().union(*map(kinds, CLIENTS)) - NEVER_RAISED, key=str), ids=str
)
def test_no_kind_of_error_of_the_clients_is_told_as_python_writes_it(kind: type[BaseException]) -> None:
    problem = next(kind(*values) for family, values in MADE_OF.items() if issubclass(kind, family))
    assert explained(problem)
    assert not PYTHON.search(explained(problem))


def test_the_words_are_one_line_and_end_somewhere() -> None:
    told = explained(smtplib.SMTPConnectError(554, b"no\r\n" * 1000))
    assert len(told) == LONGEST
    assert "\n" not in told


def test_a_server_that_writes_as_python_does_is_quoted_as_it_is_but_for_that() -> None:
    assert plain("b'it\\'s', b\"two\"") == "it's, two"
    assert plain("grab'em") == "grab'em"
