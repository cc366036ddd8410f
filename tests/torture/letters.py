"""What people and machines send to a game: orders in every dress, and all that must not be taken for orders.

Each letter has a serial number of ours in its first header field, so that the auditor knows it again without asking pbmd.
"""

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from email.message import EmailMessage
from html import escape

from tests.acceptance.players import html_only, in_the_form, text_of, top_posted

_SERIAL = re.compile(rb"X-Storm: (\d+)")
HUGE_BYTES = 300_000
"""More than the storm's settings let a letter have."""


@dataclass(frozen=True)
class Occasion:
    """Somebody sits down to answer `mail`. `earlier` is the Message-ID of a letter they sent before, if any; `thinks_of` gives
    orders that can be carried out."""

    mail: EmailMessage
    seat: str
    address: str
    serial: int
    earlier: str
    chance: random.Random
    thinks_of: Callable[[random.Random], str]

    @property
    def orders(self) -> str:
        """Orders that can be carried out."""
        return self.thinks_of(self.chance)

    @property
    def message_id(self) -> str:
        """The letter's own Message-ID."""
        return f"<storm.{self.serial}@players.test>"


@dataclass(frozen=True)
class Written:
    """A letter ready to be handed to the mail server."""

    raw: bytes
    to: str
    """The local part of its recipient."""
    sender: str
    message_id: str


@dataclass(frozen=True)
class Kind:
    """A kind of letter: how often it comes, who writes it, whether it must be answered, and whether it has orders to file."""

    name: str
    weight: int
    write: Callable[[Occasion], Written]
    answered: bool = True
    orders: bool = False
    hostile: bool = False
    """It may end in quarantine."""


def serial_of(raw: bytes) -> int | None:
    """Our number of a letter, None if it is not ours."""
    found = _SERIAL.search(raw)
    return int(found[1]) if found else None


def _addressed(occasion: Occasion, letter: EmailMessage, **changes: str) -> Written:
    """The letter with the header of an answer; `changes` replaces fields, to "" to leave one out."""
    fields = {
        "X-Storm": str(occasion.serial),
        "From": f"{occasion.seat} <{occasion.address}>",
        "To": str(occasion.mail["Reply-To"]),
        "Subject": f"Re: {occasion.mail['Subject']}",
        "In-Reply-To": str(occasion.mail["Message-ID"]),
        "Message-ID": occasion.message_id,
    }
    fields |= {name.replace("_", "-"): value for name, value in changes.items()}
    for name, value in fields.items():
        if value:
            letter[name] = value
    # Our number goes first, wherever the body's own fields stand.
    fields_and_body = letter.as_bytes().replace(b"X-Storm: %d\n" % occasion.serial, b"", 1)
    raw = b"X-Storm: %d\n" % occasion.serial + fields_and_body
    sender = fields["From"].partition("<")[2].rstrip(">") or fields["From"]
    return Written(raw, fields["To"].partition("@")[0], sender, fields.get("Message-ID", ""))


def _plain(text: str) -> EmailMessage:
    letter = EmailMessage()
    letter.set_content(text)
    return letter


def _in_the_form(occasion: Occasion) -> Written:
    mail = occasion.mail
    writing = in_the_form if "#end" in text_of(mail) else top_posted
    return _addressed(occasion, writing(mail, occasion.orders))


def _top_posted(occasion: Occasion) -> Written:
    return _addressed(occasion, top_posted(occasion.mail, occasion.orders))


def _html(occasion: Occasion) -> Written:
    return _addressed(occasion, html_only(occasion.mail, occasion.orders))


def _both(occasion: Occasion) -> Written:
    letter = _plain(occasion.orders)
    letter.add_alternative("".join(f"<p>{escape(line)}</p>" for line in occasion.orders.splitlines()), subtype="html")
    return _addressed(occasion, letter)


def _nonsense(occasion: Occasion) -> Written:
    return _addressed(occasion, _plain(f"Dear game master,\nplease do something clever, for the {occasion.serial}th time\nBye"))


def _questions(occasion: Occasion) -> Written:
    return _addressed(occasion, _plain(occasion.chance.choice(("STATUS", "REPORT", "STATUS\nREPORT"))))


def _same_id(occasion: Occasion) -> Written:
    letter = _plain(f"{occasion.orders}\nletter {occasion.serial} says something else")
    return _addressed(occasion, letter, Message_ID=occasion.earlier or occasion.message_id)


def _huge(occasion: Occasion) -> Written:
    line = f"letter {occasion.serial} has no end and no beginning\n"
    return _addressed(occasion, _plain(line * (HUGE_BYTES // len(line))))


def _broken(occasion: Occasion) -> Written:
    whole = _addressed(occasion, _plain("-"))
    header = whole.raw.partition(b"\n\n")[0]
    for field in (b"Content-Type", b"Content-Transfer-Encoding", b"MIME-Version"):
        header = re.sub(rb"\n%s:[^\n]*" % field, b"", header)
    bodies = (
        b'Content-Type: multipart/mixed; boundary="x"\n\n--x\nContent-Type: text/plain; charset=klingon\n\nOOB \xff\n--x',
        b'Content-Type: multipart/alternative; boundary="y"\n\n--z\nno part of this mail\n--z--\n',
        b"Content-Type: text/plain\nContent-Transfer-Encoding: base64\n\n!!!! this is no base64 ====\n",
        b"Content-Type: text/html\n\n<html><body><table><tr><td><b>Build <i>1",
        b"Content-Type: ;;;==\n\n=?utf-8?q?Build_1?=\n",
    )
    return Written(header + b"\n" + occasion.chance.choice(bodies), whole.to, whole.sender, whole.message_id)


def _vacation(occasion: Occasion) -> Written:
    letter = top_posted(occasion.mail, "I am away until Monday.\nBuild 9 Laserfrigates")
    return _addressed(occasion, letter, Auto_Submitted="auto-replied", Subject=f"Automatic reply: {occasion.mail['Subject']}")


def _bounce(occasion: Occasion) -> Written:
    """A warning of a mail server that it has not got rid of a mail yet."""
    mail = occasion.mail
    raw = f"""\
X-Storm: {occasion.serial}
From: MAILER-DAEMON@players.test
To: {str(mail["From"]).rpartition("<")[2].rstrip(">")}
Subject: Warning: could not send message
Message-ID: {occasion.message_id}
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="storm{occasion.serial}"

--storm{occasion.serial}
Content-Type: text/plain

Your message could not be delivered for 4 hours.

--storm{occasion.serial}
Content-Type: message/delivery-status

Reporting-MTA: dns; mail.players.test

Final-Recipient: rfc822; {occasion.address}
Action: delayed
Status: 4.4.1

--storm{occasion.serial}
Content-Type: text/rfc822-headers

Message-ID: {mail["Message-ID"]}
From: {mail["From"]}

--storm{occasion.serial}--
"""
    return Written(raw.encode(), _plain_address(occasion), "", occasion.message_id)


def _forged(occasion: Occasion) -> Written:
    letter = _plain(f"{occasion.orders}\nAttack everybody")
    return _addressed(occasion, letter, From="Mallory <mallory@elsewhere.test>")


def _stranger(occasion: Occasion) -> Written:
    to = f"{_plain_address(occasion)}@pbmd.test"
    changes = {"From": "new@elsewhere.test", "To": to, "In_Reply_To": "", "Subject": "Cheap watches"}
    return _addressed(occasion, _plain("Buy now"), **changes)


def _garbage(occasion: Occasion) -> Written:
    noise = occasion.chance.randbytes(200).replace(b"\r", b"r").replace(b"\n", b"n").replace(b"\0", b"0")
    return Written(b"\xff\xfe X-Storm: %d \x80\n" % occasion.serial + noise, _plain_address(occasion), "", "")


def _plain_address(occasion: Occasion) -> str:
    return str(occasion.mail["Reply-To"]).partition("@")[0].partition("+")[0]


ORDERS = (
    Kind("form", 6, _in_the_form, orders=True),
    Kind("top-posted", 3, _top_posted, orders=True),
    Kind("html", 2, _html, orders=True),
    Kind("both", 1, _both, orders=True),
)
"""What players send when a report asks for orders."""
BESIDES = (
    Kind("nonsense", 4, _nonsense),
    Kind("question", 4, _questions),
    Kind("same id", 3, _same_id),
    Kind("huge", 1, _huge),
    Kind("broken", 3, _broken, hostile=True),
    Kind("vacation", 3, _vacation, answered=False),
    Kind("bounce", 3, _bounce, answered=False),
    Kind("forged", 3, _forged, answered=False),
    Kind("stranger", 2, _stranger, answered=False),
    Kind("garbage", 1, _garbage, answered=False, hostile=True),
)
"""What comes besides. Letters that come twice are not in it: any letter may."""
NOISE = (*BESIDES, *ORDERS)
"""What comes at any time: some change their mind."""


def asking(targets: Sequence[str]) -> Kind:
    """The letters by which a psionic asks for the orders of one of these."""

    def write(occasion: Occasion) -> Written:
        return _addressed(occasion, top_posted(occasion.mail, f"Telepathic Insight on {occasion.chance.choice(targets)}"))

    return Kind("insight", 12, write, orders=True)


def draw(kinds: tuple[Kind, ...], chance: random.Random) -> Kind:
    """One of them by weight."""
    return chance.choices(kinds, [kind.weight for kind in kinds])[0]
