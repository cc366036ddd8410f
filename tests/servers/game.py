"""The game that is played on every pair of mail servers: sign-up by mail, orders that replace others, two turns, connections
that are cut, a daemon that is killed, and a mailbox that gets other numbers twice."""

import smtplib
import ssl
import time
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes
from pathlib import Path

from imapclient import IMAPClient

from pbmd.ledger.tables import Letter, LogLine, Outbox, OutboxState
from tests.acceptance.house import Host, Sink
from tests.acceptance.test_mastered_by_mail import Person, person, said
from tests.acceptance.wire import Wire
from tests.mailservers import DOMAIN, PASSWORD, START_SECONDS
from tests.servers.kinds import USER, ImapServer, Maildir, SmtpServer

GAME = "galaxy-7"
SEATS = ("Altair", "Borealis")
FIRST = "Build 2 Laserfrigates\nOOB default: LFTLTF"
BETTER = "Build 3 Laserfrigates\nOOB default: LFTLTF"
"""What replaces it."""
BEGINS, TAKEN, REPLACED = "the game begins", "orders in", "orders replaced"


@dataclass
class ServedHost(Host):
    """A pbmd with these servers. Players' letters come in by the same SMTP server over which its mails go out."""

    imap: ImapServer = field(kw_only=True)
    smtp: SmtpServer = field(kw_only=True)
    delivered: list[str] = field(default_factory=list[str])
    """The Message-IDs of all letters, in the order in which they arrived."""
    printed: list[str] = field(default_factory=list[str])
    """What commands printed."""

    def deliver(self, local_part: str, letter: bytes, *, sender: str) -> None:
        """By SMTP. Comes back when the letter is in the mailbox, so that the next one arrives after it, or in the ledger. Where
        letters are files their times have seconds only, and nobody knows the order of those of the same second."""
        if isinstance(self.imap.delivery, Maildir):
            time.sleep(1.1)
        with smtplib.SMTP("127.0.0.1", self.smtp.port, timeout=START_SECONDS) as smtp:
            smtp.sendmail(sender, [f"{local_part}@{DOMAIN}"], letter)
        name = message_from_bytes(letter)["Message-ID"]
        self.delivered.append(name)
        self.wait_until(f"{name} to arrive", lambda: name in self.read_letters() or self._lies_in_mailbox(name))

    def read_letters(self) -> list[str]:
        """The Message-IDs of the letters in the ledger, by id."""
        return [str(message_from_bytes(letter.raw)["Message-ID"]) for letter in self.rows(Letter)]

    def has_logged(self, word: str) -> bool:
        """Whether the dashboard log has a line with that word."""
        return any(line.what == word for line in self.rows(LogLine))

    def pbmd(self, *arguments: str) -> str:
        """Run a command, and keep what it prints."""
        self.printed.append(super().pbmd(*arguments))
        return self.printed[-1]

    def wait_until_sent(self) -> None:
        """Until all mails have gone out and pbmd has written that down: what it was about to is sent again after a SIGKILL."""
        self.wait_until("all mails to be sent", lambda: all(mail.state is OutboxState.SENT for mail in self.rows(Outbox)))

    def _lies_in_mailbox(self, message_id: str) -> bool:
        with logged_in(self.imap) as client:
            client.select_folder("INBOX", readonly=True)
            return bool(client.search(["HEADER", "Message-ID", message_id]))


@contextmanager
def logged_in(server: ImapServer) -> Generator[IMAPClient]:
    """A connection of the test's own."""
    context = ssl.create_default_context(cafile=str(server.ca_file))
    at_once = server.tls == "tls"
    with IMAPClient("localhost", server.port, ssl=at_once, ssl_context=context if at_once else None) as client:
        if not at_once:
            client.starttls(context)
        client.login(USER, PASSWORD)
        yield client


@contextmanager
def open_host(folder: Path, imap: ImapServer, smtp: SmtpServer, sink: Sink) -> Generator[tuple[ServedHost, Wire, Wire]]:
    """A pbmd that is not running yet, and the wires to its servers."""
    with ExitStack() as stack:
        to_imap, to_smtp = Wire(imap.port), Wire(smtp.port)
        stack.callback(to_imap.cut)
        stack.callback(to_smtp.cut)
        host = ServedHost(folder, sink, USER, imap=imap, smtp=smtp)
        host.settings_file.write_text(_settings(host, to_imap.port, to_smtp.port))
        host.settings_file.chmod(0o600)
        stack.callback(host.stop)
        yield host, to_imap, to_smtp


def play(host: ServedHost, to_imap: Wire, to_smtp: Wire) -> None:
    """The game, to its third turn. Raises AssertionError for what does not come about."""
    host.pbmd("check")
    host.pbmd("new", GAME, "--ruleset", "galactic_overlord", "--seats", str(len(SEATS)))
    host.start()
    altair, borealis = _signed_up(host)
    _first_turn(host, altair, borealis, to_imap, to_smtp)
    host.wait_until_sent()
    host.kill()
    _leave_letters(host)
    _second_turn(host, altair, borealis)
    host.wait_until_sent()
    host.stop()
    _renumber(host.imap)
    host.start()
    altair.replies("Turn 2: what happened", FIRST, TAKEN)
    host.wait_until_sent()
    host.stop()
    assert "plus addresses are kept" in host.pbmd("check", "--mail")


def _signed_up(host: ServedHost) -> tuple[Person, Person]:
    altair, borealis = (person(host, seat) for seat in SEATS)
    for each in (altair, borealis):
        each.answer(each.writes(f"JOIN {GAME} AS {each.seat}", "play this game?"), "YES")
    for each in (altair, borealis):
        each.got(BEGINS)
    return altair, borealis


def _first_turn(host: ServedHost, altair: Person, borealis: Person, to_imap: Wire, to_smtp: Wire) -> None:
    """What arrives while pbmd is cut off counts, and what it sends while it is cut off goes out later."""
    altair.replies(BEGINS, FIRST, TAKEN)
    altair.replies(BEGINS, BETTER, REPLACED)
    to_imap.cut()
    borealis.answer(host.sink.of(borealis.address)[-1], FIRST)
    host.wait_until("pbmd to notice that IMAP is cut", lambda: host.has_logged("imap-lost"))
    to_smtp.cut()
    to_imap.mend()
    host.wait_until("pbmd to notice that SMTP is cut", lambda: host.has_logged("smtp-lost"))
    to_smtp.mend()
    for each in (altair, borealis):
        each.got("Turn 1: what happened")


def _second_turn(host: ServedHost, altair: Person, borealis: Person) -> None:
    """Letters come in and the mailbox gets other numbers while no pbmd runs."""
    before = len(host.sink.of(altair.address))
    for orders in (FIRST, BETTER):
        altair.answer(host.sink.of(altair.address)[-1], orders)
    _renumber(host.imap)
    host.start()

    def has_both_answers() -> bool:
        mails = [said(mail) for mail in host.sink.of(altair.address)[before:]]
        return all(any(answer in mail for mail in mails) for answer in (TAKEN, REPLACED))

    # A server sends what it got at the same time in whatever order.
    host.wait_until("both answers to come", has_both_answers)
    borealis.replies("Turn 1: what happened", FIRST, "Turn 2: what happened")
    altair.got("Turn 2: what happened")


def _renumber(server: ImapServer) -> None:
    """Some servers make the number from the time in seconds."""
    before = _uidvalidity(server)
    ends = time.monotonic() + START_SECONDS
    while _uidvalidity(server) == before:
        assert time.monotonic() < ends, "the server keeps its UIDVALIDITY"
        server.renumber()
        time.sleep(0.3)


def _uidvalidity(server: ImapServer) -> int:
    with logged_in(server) as client:
        return client.select_folder("INBOX", readonly=True)[b"UIDVALIDITY"]


def _leave_letters(host: ServedHost) -> None:
    """From now on letters stay where they are, so that all of them get other numbers."""
    text = host.settings_file.read_text()
    host.settings_file.write_text(text.replace("[imap]", '[imap]\nprocessed = "leave"'))


def _settings(host: ServedHost, imap_port: int, smtp_port: int) -> str:
    login = f'user = "{host.smtp.user}"\npassword = "{PASSWORD}"' if host.smtp.user else ""
    ca_file = f'ca_file = "{host.smtp.ca_file}"' if host.smtp.ca_file else ""
    return f"""
[server]
address = "{host.address}"
gm = "gm@players.test"

[imap]
host = "localhost"
port = {imap_port}
tls = "{host.imap.tls}"
ca_file = "{host.imap.ca_file}"
user = "{USER}"
password = "{PASSWORD}"
poll_seconds = 2
clock_tolerance_seconds = 0

[smtp]
host = "localhost"
port = {smtp_port}
tls = "{host.smtp.tls}"
{ca_file}
{login}

[game]
deadline = "24h"
second_thought = "0m"
"""
