"""What the header of one of pbmd's own mails says about it."""

import re
from dataclasses import dataclass
from email.message import Message
from email.utils import parseaddr

from pbmd.archive.format.press_and_deadlines import header_of
from pbmd.post.addresses import folded

OWN_ID = re.compile(
    r"<(?P<kind>[a-z]+)(?:-t\d{1,6}(?:s(?P<step>\d{1,9}))?)?"
    r"\.(?:(?:(?P<seat>g\d{1,9}p\d{1,6})|c\d{1,9})\.(?P<token>[a-z2-7]{16})\.)?[a-z2-7]{16}@(?P<domain>[^<>@ ]+)>"
)


@dataclass(frozen=True, slots=True)
class Own:
    """What the header of one of pbmd's own mails says: its kind (``report``), how many steps of its game were over, None if it
    does not say, and the address that it was sent to. `seat` is the number of the seat (``g1p2``) and `token` what its holder
    writes with, both empty if the mail is not to a seat; `domain` is the host's."""

    kind: str
    steps: int | None
    reader: str
    seat: str = ""
    token: str = ""
    domain: str = ""


def own_of(message: Message) -> Own | None:
    """What the header says; None if the mail is not one of those."""
    match = OWN_ID.fullmatch(header_of(message, "Message-ID"))
    if match is None:
        return None
    reader = parseaddr(header_of(message, "To"))[1]
    steps = int(match["step"]) if match["step"] else None
    seat, token = (match["seat"], match["token"]) if match["seat"] else ("", "")
    return Own(match["kind"], steps, folded(reader), seat, token, match["domain"].lower())
