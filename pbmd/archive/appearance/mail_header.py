"""What the header of one of pbmd's own mails says about it."""

import re
from dataclasses import dataclass
from email.message import Message
from email.utils import parseaddr

from pbmd.archive.format.press_and_deadlines import header_of, texts_of, without_said
from pbmd.post.addresses import folded
from pbmd.rendering.entry_notices import HEADLINES, OTHER_HEADLINES

OWN_ID = re.compile(
    r"<(?P<kind>[a-z]+)(?:-t\d{1,6}(?:s(?P<step>\d{1,9}))?)?"
    r"\.(?:(?:(?P<seat>g\d{1,9}p\d{1,6})|c\d{1,9})\.(?P<token>[a-z2-7]{16})\.)?[a-z2-7]{16}@(?P<domain>[^<>@ ]+)>"
)


@dataclass(frozen=True, slots=True)
class Own:
    """What the header of one of pbmd's own mails says: its kind (``report``), how many steps of its game were over, None if it
    does not say, and the address that it was sent to. `seat` is the number of the seat (``g1p2``) and `token` what its holder
    writes with, both empty if the mail is not to a seat; `domain` is the host's, and `answers` the
    Message-ID of the letter that it answers, if it says one. Answers to it go to `answers_go`. The kind goes by the words, as
    far as these show it: what is checked of a mail depends on it, and a header says anything."""

    kind: str
    steps: int | None
    reader: str
    seat: str = ""
    token: str = ""
    domain: str = ""
    answers: str = ""
    answers_go: str = ""


def own_of(message: Message) -> Own | None:
    """What the header says; None if the mail is not one of those. Relays write Message-IDs of their own: then it is known by
    where an answer to it goes."""
    match = OWN_ID.fullmatch(header_of(message, "Message-ID"))
    reader, answers = folded(parseaddr(header_of(message, "To"))[1]), header_of(message, "In-Reply-To")
    to = folded(parseaddr(header_of(message, "Reply-To"))[1])
    found = _ANSWERS_GO.fullmatch(to)
    if match is None:
        if found is None or not header_of(message, "List-Id") or not _TITLE.match(header_of(message, "Subject")):
            return None
        seat, token, domain = found["seat"].lower(), found["token"].lower(), found["domain"].lower()
        return Own(_kind_of(message) or "notice", None, reader, seat, token, domain, answers, to)
    steps = int(match["step"]) if match["step"] else None
    named = match if match["seat"] else found
    seat, token = (named["seat"].lower(), named["token"].lower()) if named else ("", "")
    kind = _kind_of(message) or match["kind"]
    return Own(kind, steps, reader, seat, token, match["domain"].lower(), answers, to)


def leads_elsewhere(own: Own) -> str:
    """Where answers to a mail go, if that is not where the seat that its Message-ID names is played; empty if it is."""
    found = _ANSWERS_GO.fullmatch(own.answers_go)
    leads_there = not own.answers_go or (found is not None and (found["seat"], found["token"]) == (own.seat, own.token))
    return "" if not own.seat or leads_there else own.answers_go


_ANSWERS_GO = re.compile(r"[^@\s+]+\+(?P<seat>g\d{1,9}p\d{1,6})\.(?P<token>[a-z2-7]{16})@(?P<domain>[^<>@ ]+)", re.IGNORECASE)
_TITLE = re.compile(r"(?:\[[^\]]{1,60}\] ?|\w{2,4}: )*\[pbmd [a-z0-9-]{1,64}(?: t\d[^\]]*)?\]")
_LOOKS = (
    ("notice", re.compile(r"\bThis is a copy of the report of ")),
    ("press", re.compile(r"\bPress in [a-z0-9-]{1,64}, [^:]{1,80} From: ")),
    ("acknowledgement", re.compile(r"\b(?:Receipt \d{1,9}, arrived|Your mail arrived) ")),
    ("report", re.compile(r"(?:what happened\. You (?:are|were)|begins, and you are|: [a-z0-9-]{1,64} The game is over\.) ")),
    ("notice", re.compile(rf"(?<![^ ])[a-z0-9-]{{1,64}}, [^:.,]{{1,80}}: (?:{'|'.join((*HEADLINES, *OTHER_HEADLINES))})\. ")),
)


def _kind_of(message: Message) -> str:
    """What kind of mail it is, by its words."""
    words = without_said("\n".join(texts_of(message, "text/plain")))
    return next((kind for kind, look in _LOOKS if look.search(words)), "")
