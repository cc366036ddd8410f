"""Players with the habits of real ones: HTML mail, answers written into the quoted form, forgetfulness, nonsense."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from email.message import EmailMessage
from html import escape

from tests.acceptance.house import Host

Writing = Callable[[EmailMessage, str], EmailMessage]
"""(the mail that is answered, the orders) → body of the answer."""


@dataclass
class Player:
    """Somebody at an address who answers each report once. `orders` gives the text for a turn, "" to stay silent."""

    house: Host
    seat: str
    address: str
    writing: Writing
    orders: Callable[[int], str]
    seen: int = 0
    answered: set[str] = field(default_factory=set[str])
    sent: list[str] = field(default_factory=list[str])

    def play(self) -> None:
        """Answer what has come."""
        for mail in self.new_mails():
            turn = turn_asked(mail)
            if turn is None or mail["Message-ID"] in self.answered:
                continue
            self.answered.add(mail["Message-ID"])
            if orders := self.orders(turn):
                self.answer(mail, orders)

    def new_mails(self) -> Iterator[EmailMessage]:
        """Mails not looked at yet."""
        mails = self.house.sink.of(self.address)
        new, self.seen = mails[self.seen :], len(mails)
        yield from new

    def answer(self, mail: EmailMessage, orders: str) -> None:
        """Write back, to where the mail says."""
        reply = self.writing(mail, orders)
        number = len(self.sent) + 1
        reply["From"] = f"{self.seat} <{self.address}>"
        reply["To"] = mail["Reply-To"]
        reply["Subject"] = f"Re: {mail['Subject']}"
        reply["In-Reply-To"] = mail["Message-ID"]
        reply["Message-ID"] = f"<{self.seat}.{number}@players.test>"
        self.sent.append(reply["Message-ID"])
        tagged = str(mail["Reply-To"]).partition("@")[0]
        self.house.deliver(tagged, reply.as_bytes(), sender=self.address)
        self.house.letters_sent.append(reply["Message-ID"])


def text_of(mail: EmailMessage) -> str:
    """The plain text of a mail."""
    part = mail.get_body(("plain",))
    assert part is not None
    return part.get_content().replace("\r\n", "\n")


def turn_asked(mail: EmailMessage) -> int | None:
    """The turn whose orders a report asks for; None for other mails."""
    if "ORDER FORM" not in text_of(mail):
        return None
    return int(_asked(mail)[0])


def step_asked(mail: EmailMessage) -> str:
    """The name of the step whose orders a report asks for, where a turn has several; else empty."""
    return _asked(mail)[2]


def _asked(mail: EmailMessage) -> tuple[str, str, str]:
    """The number of the turn and the name of the step, as the subject has them."""
    return str(mail["Subject"]).partition("]")[0].rpartition(" t")[2].partition(" ")


def top_posted(mail: EmailMessage, orders: str) -> EmailMessage:
    """Orders above the quoted report, as most programs do."""
    reply = EmailMessage()
    quoted = "\n".join(f"> {line}" for line in text_of(mail).splitlines())
    reply.set_content(f"{orders}\n\nOn Fri, 20 Nov 2026 at 12:00, pbmd wrote:\n{quoted}\n")
    return reply


def html_only(_mail: EmailMessage, orders: str) -> EmailMessage:
    """HTML and nothing else, with a signature."""
    reply = EmailMessage()
    lines = "".join(f"<div>{escape(line)}</div>" for line in orders.splitlines())
    reply.set_content(f"<html><body>{lines}<div>--&nbsp;</div><div>Sent from a phone</div></body></html>", subtype="html")
    return reply


def in_the_form(mail: EmailMessage, orders: str) -> EmailMessage:
    """Orders typed into the quoted order form."""
    quoted = [f"> {line}" for line in text_of(mail).splitlines()]
    end = next(number for number, line in enumerate(quoted) if line.startswith("> #end"))
    reply = EmailMessage()
    reply.set_content("\n".join([*quoted[:end], *(f"> {line}" for line in orders.splitlines()), *quoted[end:]]))
    return reply
