"""What went wrong with a server, in words for people.

The libraries' exceptions show bytes as Python writes them (``b'…'``), numbers of the operating system (``[Errno 111]``) and
their own names for things. Everything that a log, an alarm or `pbmd check` says about a connection goes through `explained`.
"""

from __future__ import annotations

import http.client
import re
import socket
import ssl

LONGEST = 300
"""What a server says is cut after this many characters."""
_BYTES = re.compile(r"\bb'((?:[^'\\]|\\.)*)'|\bb\"((?:[^\"\\]|\\.)*)\"")
"""Bytes as Python writes them."""
_ESCAPED = re.compile(r"\\(?:x([0-9a-fA-F]{2})|(.))")
_BLANKS = {"n": " ", "r": " ", "t": " "}
_REPEATED = re.compile(r"(unexpected (?:tagged )?response|unterminated line): .*")
"""After these, imaplib repeats what it could not read, which may be part of a letter."""
_ENDED = "the server ended the connection"
_OF_PYTHON: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"\[Errno -?\d+\] "), ""),
    (re.compile(r"\[(?:SSL|X509|SYS)[^\]]*\] "), ""),
    (re.compile(r" \(_ssl\.c:\d+\)"), ""),
    (re.compile(r"^command: [A-Z]+ => "), ""),
    (re.compile(r"^socket error: (?:EOF|TLS/SSL connection has been closed \(EOF\)|EOF occurred .*)$"), _ENDED),
    (re.compile(r"^Connection unexpectedly closed$|^please run connect\(\) first$|^Server not connected$"), _ENDED),
    (re.compile(r"^Connection unexpectedly closed: .*timed out$"), "no answer in time"),
    (re.compile(r"^(?:Connection unexpectedly closed|socket error): "), "the connection was lost: "),
    (re.compile(r"^Server AUTH mechanism infinite loop.*"), "the server asks at the login without an end"),
    (re.compile(r"^\* (?=BYE|NO|BAD)"), "the server said: "),
    (re.compile(r"^(?:[A-Z]+ command error: |[a-z]+ failed: )?(NO|BAD) \[(.*)\]$"), r"the server said: \1 \2"),
)
"""What the libraries write around the words of others, in the order in which it is removed."""


def explained(problem: BaseException) -> str:
    """One line of at most LONGEST characters that says what happened, without anything that only a Python programmer would
    understand.

    What a server sent is left out where it may be part of a letter.
    """
    return _words(problem)[:LONGEST]


def plain(text: str) -> str:
    """The words of a server on one line, without Python's notation for bytes around them."""
    return " ".join(_BYTES.sub(_decoded, text).split())[:LONGEST]


def _decoded(match: re.Match[str]) -> str:
    def character(escaped: re.Match[str]) -> str:
        return chr(int(escaped[1], 16)) if escaped[1] else _BLANKS.get(escaped[2], escaped[2])

    text = _ESCAPED.sub(character, match[1] if match[1] is not None else match[2])
    return text.encode("latin-1", "replace").decode("utf-8", "replace")


def _words(problem: BaseException) -> str:
    # Hardly any command has trouble with mail.
    import imaplib
    import smtplib

    match problem:
        case ssl.SSLCertVerificationError():
            return f"its certificate is not trusted: {getattr(problem, 'verify_message', '?')} (pbmd check says how to mend it)"
        case TimeoutError():
            return "no answer in time"
        case ssl.SSLEOFError() | ssl.SSLZeroReturnError() | http.client.RemoteDisconnected():
            return _ENDED
        case socket.gaierror():
            return f"its name cannot be looked up ({problem.strerror or 'no reason is known'})"
        case smtplib.SMTPResponseException():
            said = problem.smtp_error
            text = said.decode("utf-8", "replace") if isinstance(said, bytes) else str(said)
            code = problem.smtp_code
            return " ".join(f"{code} {text}".split()) if code > 0 else f"what the server says is no SMTP: {plain(text)}"
        case http.client.HTTPException() | UnicodeError():
            return _unreadable(problem)
        case OSError() | imaplib.IMAP4.error() | smtplib.SMTPException():
            return _without_python(problem) or _unreadable(problem)
        case ValueError() | KeyError() | TypeError() | AttributeError() | AssertionError() if _is_of_a_library(problem):
            return _unreadable(problem)
        case _:  # ours, which are in plain words already
            return " ".join(str(problem).split()) or _unreadable(problem)


def _is_of_a_library(problem: BaseException) -> bool:
    """Whether an exception is one of Python's own kinds, which a library raises at a line that it did not expect."""
    return type(problem).__module__ == "builtins"


def _unreadable(problem: BaseException) -> str:
    return f"the server's answer could not be read ({type(problem).__name__})"


def _without_python(problem: BaseException) -> str:
    """What a library says, without its own decoration; for an error of the operating system, that error in words."""
    strerror, file = getattr(problem, "strerror", None), getattr(problem, "filename", None)
    said = f"{strerror or problem}{f': {file}' if strerror and file else ''}"
    text = plain(_REPEATED.sub(r"\1", " ".join(said.split())))
    for pattern, words in _OF_PYTHON:
        text = pattern.sub(words, text)
    return text
