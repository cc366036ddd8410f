"""What journal entries hold of the mails that are neither reports nor receipts: press, and deadlines; and the parts of a mail
as texts."""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from email.header import decode_header
from email.message import Message

from pbmd.archive.format.clock import moment_of
from pbmd.archive.format.findings import BLANK
from pbmd.archive.format.salts import Shown
from pbmd.ledger.entries.master_entries import DeadlineEntry, ExtendedEntry
from pbmd.ledger.entries.parts import MovedDeadlines
from pbmd.ledger.entries.player_entries import PressEntry, PressMessage
from pbmd.post.proof_file import is_proof
from pbmd.post.read.charsets import decode

NOBODY = "somebody who gives no name"
"""What mails call an anonymous writer."""
_QUOTED = re.compile(r"^[ \t>|]+", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class KeptPress:
    """Press from an entry: from whom, as mails call the writer, to which seats, and its `words`, in which tokens are blanked;
    it `waits` if reports brought it."""

    entry: int
    writer: str
    readers: tuple[str, ...]
    words: str
    waits: bool


def in_one_line(text: str) -> str:
    """The words of a text with one blank between them, without quote marks: the same however mail programs wrap, indent and
    quote it."""
    return " ".join(_QUOTED.sub("", text).split())


def press_in(entries: Sequence[Shown]) -> tuple[list[KeptPress], bool]:
    """The press that entries show, and whether there is more."""
    numbered = [(number, entry) for number, (kind, entry) in enumerate(entries, start=1) if kind == PressEntry.kind]
    messages = [(number, entry.sealed if isinstance(entry, PressEntry) else None) for number, entry in numbered]
    return [_press(number, message) for number, message in messages if message], not all(message for _, message in messages)


def _press(number: int, message: PressMessage) -> KeptPress:
    writer = "" if message.anonymous else message.writer
    words = in_one_line(BLANK.text(message.text))
    return KeptPress(number, writer or NOBODY, message.to, words, bool(message.waits))


def deadlines_in(entries: Sequence[Shown]) -> tuple[frozenset[datetime], dict[int, datetime]]:
    """The deadlines that entries give, for the game and, where that is shown, for seats; and those that the game master set for
    all, who all get a notice, by the number of their entry."""
    said: set[datetime] = set()
    told: dict[int, datetime] = {}
    for number, (_, entry) in enumerate(entries, start=1):
        if entry and isinstance(entry.sealed, MovedDeadlines):
            said.update(_moments((entry.sealed.own or {}).values()))
        for at in _moments([getattr(entry, "deadline", "")]):
            said.add(at)
            if isinstance(entry, DeadlineEntry) or (isinstance(entry, ExtendedEntry) and not entry.seat):
                told[number] = at
    return frozenset(said), told


def _moments(texts: Iterable[object]) -> Iterator[datetime]:
    """To the minute, as mails give them. Invalid ones are left to `pbmd verify`."""
    for text in texts:
        with suppress(TypeError, ValueError, OverflowError):
            if at := moment_of(text):
                yield at.replace(second=0, microsecond=0)


def header_of(message: Message, name: str) -> str:
    """A header field, on one line."""
    said = str(message.get(name, ""))
    with suppress(ValueError, LookupError):  # then as it is
        pieces = decode_header(said)
        said = "".join(each if isinstance(each, str) else decode(each, charset or "ascii") for each, charset in pieces)
    return " ".join(said.split())


def texts_of(message: Message, kind: str) -> Iterator[str]:
    """The parts of that type as texts, with plain line ends."""
    for part in message.walk():
        if part.get_content_type() == kind and not part.is_multipart() and not is_proof(part):
            yield decoded(part)


def parts_of(message: Message, kind: str) -> Iterator[bytes]:
    """The parts of that type."""
    for part in message.walk():
        payload = part.get_payload(decode=True) if part.get_content_type() == kind else None
        if isinstance(payload, bytes):
            yield payload


def decoded(part: Message) -> str:
    """The text of a part, with plain line ends."""
    payload, charset = part.get_payload(decode=True), str(part.get_content_charset("utf-8"))
    return decode(payload, charset).replace("\r\n", "\n") if isinstance(payload, bytes) else ""
