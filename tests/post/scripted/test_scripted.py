"""The scripted servers are honest where no fault strikes, and each fault does what its name says."""

import imaplib
import smtplib
import socket
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime

import pytest

from tests.post.scripted.faults import FAULTS, fault
from tests.post.scripted.imap import PASSWORD, ImapServer, letter
from tests.post.scripted.smtp import SmtpServer


@contextmanager
def logged_in(server: ImapServer) -> Generator[imaplib.IMAP4]:
    with imaplib.IMAP4("127.0.0.1", server.port, timeout=60) as client:
        client.login("gm", PASSWORD)
        client.select("INBOX")
        yield client


def texts(client: imaplib.IMAP4, uids: str = "1:*") -> list[bytes]:
    _, data = client.uid("FETCH", uids, "(UID INTERNALDATE BODY.PEEK[])")
    return [piece[1] for piece in data if isinstance(piece, tuple)]


def test_an_imap_server_without_a_fault_keeps_gives_flags_moves_and_removes_letters():
    with ImapServer() as server, logged_in(server) as client:
        server.deliver(letter(1), letter(2), arrived_at=datetime(2026, 3, 1, 12, tzinfo=UTC))
        assert client.append("INBOX", r"(\Seen)", "", letter(3))[0] == "OK"
        assert texts(client) == [letter(1), letter(2), letter(3)]
        assert client.uid("SEARCH", "UID", "3:*") == ("OK", [b"3"])
        assert client.uid("FETCH", "1", "(INTERNALDATE RFC822.SIZE FLAGS)")[1] == [
            b'1 (UID 1 FLAGS () INTERNALDATE " 1-Mar-2026 12:00:00 +0000" RFC822.SIZE %d)' % len(letter(1))
        ]
        client.create("done")
        client.uid("MOVE", "1", "done")
        client.uid("STORE", "2", "+FLAGS", r"(\Deleted)")
        client.expunge()
        assert texts(client) == [letter(3)]
        assert [message.raw for message in server.folders["done"].messages] == [letter(1)]
        assert client.status("INBOX", "(MESSAGES UIDNEXT)")[0] == "OK"
        assert client.list()[1] == [b'() "/" "INBOX"', b'() "/" "done"']


def test_a_search_for_what_the_server_does_not_know_is_no_empty_answer():
    unknown = pytest.raises(imaplib.IMAP4.error, match="unknown search key BODY")
    with ImapServer() as server, logged_in(server) as client, unknown:
        client.uid("SEARCH", "BODY", "x")


def test_letters_before_the_one_with_a_fault_are_given():
    with ImapServer(fault("no at a letter", uid=2)) as server, logged_in(server) as client:
        server.deliver(letter(1), letter(2), letter(3))
        assert client.uid("FETCH", "1:3", "(UID BODY.PEEK[])")[0] == "NO"
        assert len(client.response("FETCH")[1]) == 2  # one literal and its end
        assert texts(client, "3") == [letter(3)]


def test_a_fault_strikes_as_often_and_as_long_as_it_says():
    twice, shortly = fault("throttled", after=1, times=2), fault("idle refused", seconds=0.2)
    with ImapServer(twice) as server, logged_in(server) as client:
        server.deliver(letter(1))
        assert [client.uid("FETCH", "1", "(BODY.PEEK[])")[0] for _ in range(4)] == ["OK", "NO", "NO", "OK"]
        assert server.struck(twice) == 2
        with server.having(shortly):
            assert client._simple_command("IDLE")[0] == "NO"
            time.sleep(0.3)
            client.send(b"A IDLE\r\nDONE\r\n")
            assert [client.readline(), client.readline()] == [b"+ idling\r\n", b"A OK done\r\n"]


ALL_COMMANDS = b"""\
a CAPABILITY
b LOGIN gm s3cret
c SELECT INBOX
d UID SEARCH UID 1:*
e UID FETCH 1:* (UID RFC822.SIZE)
f APPEND INBOX {5+}
hello
g UID FETCH 1:2 (UID INTERNALDATE BODY.PEEK[])
h IDLE
"""


@pytest.mark.parametrize("name", [name for name in FAULTS if not name.startswith("smtp ")])
def test_each_fault_of_imap_strikes(name: str):
    chosen = FAULTS[name]
    with ImapServer(chosen) as server, socket.create_connection(("127.0.0.1", server.port)) as client:
        server.deliver(letter(1), letter(2))
        with suppress(OSError):
            client.sendall(ALL_COMMANDS.replace(b"\n", b"\r\n"))
        ends = time.monotonic() + 60
        while not server.struck(chosen) and time.monotonic() < ends:
            time.sleep(0.01)
        assert server.struck(chosen)


def test_an_smtp_server_without_a_fault_takes_mails_and_refuses_a_wrong_password():
    with SmtpServer() as server, smtplib.SMTP("127.0.0.1", server.port, timeout=60) as client:
        client.login("gm", PASSWORD)
        client.sendmail("gm@pbmd.test", ["anna@players.test", "bert@players.test"], b"Subject: a\r\n\r\n.dot\r\n")
        assert server.taken == [("gm@pbmd.test", ["anna@players.test", "bert@players.test"], b"Subject: a\r\n\r\n.dot\r\n")]
        with pytest.raises(smtplib.SMTPAuthenticationError):
            client.login("gm", "wrong")


@pytest.mark.parametrize("name", [name for name in FAULTS if name.startswith("smtp ")])
def test_each_fault_of_smtp_strikes_and_no_mail_is_taken(name: str):
    chosen = FAULTS[name]
    with SmtpServer(chosen) as server:
        with suppress(smtplib.SMTPException), smtplib.SMTP("127.0.0.1", server.port, timeout=60) as client:
            client.login("gm", PASSWORD)
            client.sendmail("gm@pbmd.test", ["anna@players.test"], b"Subject: a\r\n\r\nhello\r\n")
        assert server.struck(chosen) >= 1
        assert server.taken == []
