"""The demo's players: they read their mail over IMAP and write by SMTP, as people do, mistakes included.

Their only privilege is that they know the rules by heart: their orders come from the ruleset's random player.
"""

import mailbox
import smtplib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import make_msgid
from html import escape
from typing import Literal

from imapclient import IMAPClient
from imapclient.exceptions import IMAPClientError

from pbmd.demo.office import LocalOffice

DOMAIN = "demo.test"
GAME = "demo"
ANSWER_SECONDS = 120
"""How long the post office may take to answer, on however slow a machine."""
_ENDS = ("the game is over", "the game is abandoned")
_PRESS = "PRESS TO ALL\nGood luck, everybody. May the best of us win!\nEND PRESS"
_QUESTION = "STATUS"
_LEAST_MISSPELT = 3
"""In letters: nobody misspells shorter words."""


@dataclass(frozen=True)
class Ways:
    """How somebody writes, and what else they do, by the number of the step for which they write: from 1 on, 0 is never.

    Orders stand above the quoted report (`reply`), in a mail that is HTML alone, or in the quoted order form. `misspells`: a
    line with two letters swapped is among the orders. `forgets`: nothing is sent before the deadline. `late`: orders are sent
    when the next report is there. `asks` and `greets`: also a question to pbmd, and press to all.
    """

    style: Literal["reply", "html", "form"]
    misspells: int = 0
    forgets: int = 0
    late: int = 0
    asks: int = 0
    greets: int = 0


@dataclass
class DemoPlayer:
    """Somebody with a mailbox, who answers each report that wants orders."""

    seat: str
    address: str
    ways: Ways
    office: LocalOffice
    box: mailbox.mbox
    client: IMAPClient = field(init=False)
    last_uid: int = 0
    told_the_end: bool = False
    wrote_for: list[str] = field(default_factory=list)
    """The steps for which orders were requested so far."""
    tries: int = 0
    """How often orders were sent for the last of them."""
    late_reply: tuple[EmailMessage, str] | None = None
    """The report whose orders will be too late, and these orders."""
    last_sent: str = ""
    """The Message-ID of the last letter with orders."""

    def __post_init__(self) -> None:
        self.client = IMAPClient(self.office.host, port=self.office.imap_port, ssl=False, timeout=ANSWER_SECONDS)
        self.client.login(self.address.partition("@")[0], self.office.password)
        self.client.select_folder("INBOX")

    def new_mails(self) -> Iterator[EmailMessage]:
        """What has come since the last look, read over IMAP; a copy of each is kept in the player's mbox."""
        self.client.noop()
        uids = [uid for uid in self.client.search(f"UID {self.last_uid + 1}:*") if uid > self.last_uid]
        for uid in sorted(uids):
            raw = self.client.fetch([uid], ["BODY.PEEK[]"])[uid][b"BODY[]"]
            assert isinstance(raw, bytes)
            self.last_uid = uid
            self.box.add(raw)
            message = message_from_bytes(raw, policy=policy.default)
            assert isinstance(message, EmailMessage)
            self.told_the_end |= any(words in str(message["Subject"]) for words in _ENDS)
            yield message

    def close(self) -> None:
        """Log out and put the mbox on disk."""
        with suppress(OSError, IMAPClientError):  # what went wrong before has been told
            self.client.logout()
        self.box.close()

    def begin(self, step: str) -> bool:
        """Whether these are the first orders for a step. They are counted."""
        first = step not in self.wrote_for
        if first:
            self.wrote_for.append(step)
        self.tries = 1 if first else self.tries + 1
        return first

    def write(self, answered: EmailMessage, orders: str) -> None:
        """Send orders, and nothing else."""
        self.last_sent = send(self, answered, orders)

    def answer_report(self, report: EmailMessage, orders: str) -> None:
        """Treat the first report that requests orders for a step as this player does."""
        if self.late_reply:
            send(self, *self.late_reply)
            self.late_reply = None
        ways, now = self.ways, len(self.wrote_for)
        if now == ways.greets:
            send(self, report, _PRESS)
        if now == ways.asks:
            send(self, report, _QUESTION)
        if now == ways.late:
            self.late_reply = report, orders
        if now != ways.forgets:
            slip = misspelt(orders) if now == ways.misspells else ""
            self.write(report, f"{orders.rstrip()}\n{slip}" if slip else orders)


def is_report_with_form(mail: EmailMessage) -> bool:
    """Whether a mail is a report that requests orders."""
    return "ORDER FORM" in text_of(mail).splitlines()


def text_of(mail: EmailMessage) -> str:
    """The plain text of a mail."""
    body = mail.get_body(("plain",))
    return body.get_content() if body else ""


def misspelt(orders: str) -> str:
    """The first line of the orders with two letters of a word swapped; empty if none has such a word."""
    for line in orders.splitlines():
        words = line.split()
        for place, word in enumerate(words):
            for at in range(1, len(word) - 1):
                if len(word) > _LEAST_MISSPELT and word.isalpha() and word[at] != word[at + 1]:
                    slip = word[:at] + word[at + 1] + word[at] + word[at + 2 :]
                    return " ".join([*words[:place], slip, *words[place + 1 :]])
    return ""


def send(player: DemoPlayer, answered: EmailMessage, orders: str) -> str:
    """Send orders, or other lines for pbmd, as a reply in the style of the player. Returns the Message-ID."""
    reply = EmailMessage()
    reply["From"] = f"{player.seat} <{player.address}>"
    reply["To"] = answered["Reply-To"]
    reply["Subject"] = f"Re: {answered['Subject']}"
    reply["Message-ID"] = made = make_msgid(domain=DOMAIN)
    reply["In-Reply-To"] = answered["Message-ID"]
    if player.ways.style == "html":
        lines = "".join(f"<div>{escape(line)}</div>" for line in orders.splitlines())
        reply.set_content(f"<html><body>{lines}<div>-- <br>sent with <b>love</b></div></body></html>", subtype="html")
    else:
        reply.set_content(_written(player.ways, answered, orders))
    with smtplib.SMTP(player.office.host, player.office.smtp_port, timeout=ANSWER_SECONDS) as smtp:
        smtp.send_message(reply)
    return made


def _written(ways: Ways, answered: EmailMessage, orders: str) -> str:
    """The plain text of the answer: above the quoted mail, or inside the quoted order form."""
    quoted = [f"> {line}" for line in text_of(answered).splitlines()]
    ends = [number for number, line in enumerate(quoted) if line.startswith("> #end")]
    if ways.style == "form" and is_report_with_form(answered):
        return "\n".join([*quoted[: ends[0]], *(f"> {line}" for line in orders.splitlines()), *quoted[ends[0] :]])
    return f"{orders}\n\nOn {answered['Date']}, {GAME} wrote:\n" + "\n".join(quoted)
