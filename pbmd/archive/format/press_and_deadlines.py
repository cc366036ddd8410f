"""What journal entries hold of the mails that are neither reports nor receipts: press, and deadlines; and the parts of a mail
as texts."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from email.header import Header, decode_header
from email.message import Message
from email.utils import parsedate_to_datetime

from pbmd.archive.format.clock import moment_of
from pbmd.archive.format.editions import is_ours
from pbmd.archive.format.findings import BLANK
from pbmd.archive.format.salts import Shown
from pbmd.ledger.entries import kinds
from pbmd.ledger.entries.codec import Entry
from pbmd.ledger.entries.parts import MovedDeadlines
from pbmd.ledger.entries.player_entries import PressMessage
from pbmd.ledger.entries.step_entries import MissedDeadline
from pbmd.post.proof_file import is_proof, proof_bytes
from pbmd.post.read.charsets import decode
from pbmd.rendering.entry_notices import EntryNotice, notices_of

NOBODY = ("somebody who gives no name", "somebody who does not give a name")
"""What mails call an anonymous writer, those of 1.1.0 in the second way, if they bring nothing else."""
_QUOTED = re.compile(r"^[ \t>|]+", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class KeptPress:
    """Press from an entry: from whom, as mails call the writer, to which seats, and its `words`, in which tokens are blanked;
    it `waits` if reports brought it. `shown_readers` are those whom mails name, and `is_ours` is one that this edition of pbmd
    passed on; `to_all`: to all who could have it then. `in_one_piece` are its words
    without blanks."""

    entry: int
    writer: str
    readers: tuple[str, ...]
    words: str
    waits: bool
    shown_readers: str = ""
    is_ours: bool = False
    to_all: bool = False
    in_one_piece: str = ""


_UNSEEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0]"
)
_BLANKS = re.compile("[\u00a0\u1680\u2000-\u200a\u202f\u205f\u2800\u3000]")


def as_seen(text: str) -> str:
    """A text without characters that nobody sees, and with plain blanks for all that look like one."""
    return text if text.isascii() else _BLANKS.sub(" ", _UNSEEN.sub("", text))


_QUOTE_MARKS = str.maketrans("\u2018\u2019\u201b\u02bc\uff07\u201c\u201d\u201f\uff02", "'''''\"\"\"\"")


def plainly_quoted(text: str) -> str:
    """A text with plain marks for all kinds of quote marks, which mail programs put in place of each other."""
    return text if text.isascii() else text.translate(_QUOTE_MARKS)


def in_one_line(text: str) -> str:
    """The words of a text with one blank between them, without marks of quoted lines: the same however mail programs wrap,
    indent and quote it, and write quote marks."""
    return plainly_quoted(" ".join(_QUOTED.sub("", as_seen(text)).split()))


def same_words(kept: str, told: str) -> bool:
    """Whether a mail that passes words on has those that are kept: it breaks what is too long for a line, such as a link,
    and at hyphens."""
    if kept == told:
        return True
    pieces = iter(told.split())
    return all(_is_made_of(word, pieces) for word in kept.split()) and next(pieces, None) is None


def _is_made_of(word: str, pieces: Iterator[str]) -> bool:
    """Whether the next pieces are this word: a short one may have several only where a hyphen is."""
    at = 0
    while at < len(word):
        piece = next(pieces, "")
        if not piece or not word.startswith(piece, at):
            return False
        at += len(piece)
        if at < len(word) <= _LONGEST and "-" not in (word[at - 1], word[at]):
            return False
    return True


def without_blanks(words: str) -> str:
    """Words in one piece: the same for all that can be `same_words`."""
    return "".join(words.split())


_LONGEST = 40


def press_in(entries: Sequence[Shown]) -> tuple[list[KeptPress], bool]:
    """The press that entries show, and whether there is more."""
    found, unshown, ours = list[KeptPress](), False, False
    for number, (kind, entry) in enumerate(entries, start=1):
        ours = _edition_is_ours(entry, ours) if entry else ours
        if kind != kinds.PressEntry.kind:
            continue
        if isinstance(entry, kinds.PressEntry) and entry.sealed:
            found.append(_press(number, entry.sealed, ours=ours))
        else:
            unshown = True
    return found, unshown


def _press(number: int, message: PressMessage, *, ours: bool) -> KeptPress:
    writer = "" if message.anonymous else message.writer
    words = in_one_line(BLANK.text(message.text))
    to_all = "everybody" if message.anonymous and message.to_all else ", ".join(message.to)
    readers = ", ".join(message.rooms or ()) or to_all
    return KeptPress(
        number,
        in_one_line(writer) or NOBODY[0],
        message.to,
        words,
        bool(message.waits),
        in_one_line(readers),
        ours,
        bool(message.to_all),
        without_blanks(words),
    )


def deadlines_in(entries: Sequence[Shown]) -> frozenset[datetime]:
    """The deadlines that entries give, for the game and, where that is shown, for seats."""
    said: set[datetime] = set()
    for _, entry in entries:
        if entry and isinstance(entry.sealed, MovedDeadlines):
            said.update(_moments((entry.sealed.own or {}).values()))
        said.update(_moments([getattr(entry, "deadline", "")]))
    return frozenset(said)


@dataclass(frozen=True, slots=True)
class Due:
    """The deadlines that run after an entry: that of the game, None if none is known, and those of single seats that entries
    have given since, None if they may have given others that are not shown."""

    of_game: datetime | None = None
    own: Mapping[str, datetime] | None = field(default_factory=dict[str, datetime])

    def of(self, seat: str) -> frozenset[datetime] | None:
        """What a mail to the seat, or to any if that is empty, can give as the deadline; None if it can be another."""
        if self.of_game is None or self.own is None:
            return None
        return frozenset({self.of_game, *(at for name, at in self.own.items() if name == seat or not seat)})


def deadlines_by_entry(entries: Sequence[Shown]) -> list[Due]:
    """The deadlines that run after each entry."""
    found, due = list[Due](), Due()
    for _, entry in entries:
        due = Due(None, None) if entry is None else _due_after(due, entry)
        found.append(due)
    return found


def _due_after(due: Due, entry: Entry) -> Due:
    at = next(iter(_moments([getattr(entry, "deadline", "")])), None)
    if isinstance(entry, kinds.PausedEntry | kinds.FinishedEntry):
        return replace(due, of_game=None)
    if at is None:
        return due
    is_of_seat = (isinstance(entry, kinds.ExtendedEntry) and entry.seat) or (isinstance(entry, kinds.PutOffEntry) and entry.own)
    if isinstance(entry, kinds.StartedEntry | kinds.ImportedEntry | kinds.ResolvedEntry | kinds.RolledBackEntry):
        return replace(due, of_game=at, own=due.own or {})
    own = None
    if isinstance(entry.sealed, MovedDeadlines):
        own = {seat: each for seat, text in (entry.sealed.own or {}).items() for each in _moments([text])}
    return Due(due.of_game if is_of_seat else at, own)


@dataclass(frozen=True, slots=True)
class KeptNotice:
    """A mail that an entry makes, and the seats that must have it, as far as the entries show: those that are played then, and
    have not missed the step. The deadline is that of the game since then, None if the entry gives none. Unless it `is_ours`,
    another version of pbmd wrote it, perhaps in other words."""

    entry: int
    notice: EntryNotice
    readers: frozenset[str]
    deadline: datetime | None
    is_ours: bool = False

    @property
    def words(self) -> str:
        """What it says, for a sentence."""
        at = f", due {self.deadline:%Y-%m-%d %H:%M} UTC" if self.deadline else ""
        return f'"{self.notice.headline}"{at}, entry {self.entry}'


def notices_in(entries: Sequence[Shown]) -> list[KeptNotice]:
    """The mails that entries make, in their order."""
    found: list[KeptNotice] = []
    seats, late, ours = set[str](), set[str](), False
    for number, (kind, entry) in enumerate(entries, start=1):
        match entry:
            case kinds.JoinedEntry() | kinds.HolderEntry():
                seats.add(entry.seat)
            case kinds.StartedEntry() | kinds.ImportedEntry():
                seats = {*entry.seats} - {*(entry.given_up if isinstance(entry, kinds.ImportedEntry) else ())}
            case kinds.MissedEntry(sealed=MissedDeadline(seat=seat)):
                late.add(seat)
            case None:
                continue
            case _:
                late = set() if kind in _OPENS_STEP else late
        ours = _edition_is_ours(entry, ours)
        at = next(iter(_moments([getattr(entry, "deadline", "")])), None)
        for notice in notices_of(entry):
            # Only since 1.1 the others are told of more time for one seat.
            untold = not ours and notice.is_for_others and isinstance(entry, kinds.ExtendedEntry)
            readers = frozenset[str]() if untold else _readers(notice, seats, late)
            found.append(KeptNotice(number, notice, readers, at if not notice.is_for_others else None, ours))
        if isinstance(entry, kinds.ResignedEntry | kinds.EjectedEntry):
            seats.discard(entry.seat)
    return found


def _readers(notice: EntryNotice, seats: Iterable[str], late: Iterable[str]) -> frozenset[str]:
    return frozenset(seat for seat in seats if notice.is_for(seat) and (notice.to_late or seat not in late))


def _edition_is_ours(entry: Entry, before: bool) -> bool:
    """Whether this edition of pbmd deals with the game from an entry on."""
    opens = isinstance(entry, kinds.StartedEntry | kinds.ImportedEntry | kinds.ResolvedEntry | kinds.RolledBackEntry)
    return is_ours(entry.edition) if opens else before


_OPENS_STEP = frozenset({kinds.ResolvedEntry.kind, kinds.RolledBackEntry.kind})


def _moments(texts: Iterable[object]) -> Iterator[datetime]:
    """To the minute, as mails give them. Invalid ones are left to `pbmd verify`."""
    for text in texts:
        with suppress(TypeError, ValueError, OverflowError):
            if at := moment_of(text):
                yield at.replace(second=0, microsecond=0)


def moment_in(said: str) -> datetime | None:
    """The time that a mail gives, in its text or its header; None if it is none."""
    with suppress(ValueError, OverflowError):
        at = parsedate_to_datetime(said.strip().replace(" UTC", " +0000"))
        return at.astimezone(UTC) if at.tzinfo else at.replace(tzinfo=UTC)
    return None


def header_of(message: Message, name: str) -> str:
    """A header field, on one line; the first of several."""
    return next(headers_of(message, name), "")


def headers_of(message: Message, name: str) -> Iterator[str]:
    """All header fields of that name, each on one line."""
    return (_in_words(said) for said in message.get_all(name, []))


def _decoded_piece(piece: bytes, charset: str | None, codec: str) -> str:
    """An encoded word; what stands beside those has no character set, and is read by this `codec`."""
    return decode(piece, charset) if charset else piece.decode(codec)


def _in_words(said: str | Header) -> str:
    """A header field as people see it; bytes in it that are not ASCII are UTF-8 (RFC 6532)."""
    if isinstance(said, Header):
        said = "".join(raw.decode("utf-8", "replace") for raw, _ in decode_header(said))
    with suppress(ValueError, LookupError):  # then as it is
        pieces = decode_header(said)
        codec = "latin-1" if "\\" in said else "raw-unicode-escape"  # what looks like an escape to its reader is none
        said = "".join(each if isinstance(each, str) else _decoded_piece(each, charset, codec) for each, charset in pieces)
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
    # Some programs begin a text with a mark of its encoding, which is no part of it.
    text = decode(proof_bytes(part), str(part.get_content_charset("utf-8"))).removeprefix("\ufeff")
    return text.replace("\r\n", "\n")


SAID_LINE = re.compile(r"^[ \t>]*\|.*", re.MULTILINE)
"""A line in which a mail of ours passes on what somebody else has written."""
SKIPPED_LINES = re.compile(r"(?<=^SKIPPED, not read as orders\n)(?:[ \t]{2,}\S.*(?:\n|\Z))+", re.MULTILINE)
"""The lines of a letter that were not read, as its answer has them, each below the reason."""


def without_said(lines: str) -> str:
    """What a mail of ours says itself, with one blank between its words."""
    return in_one_line(SAID_LINE.sub("", SKIPPED_LINES.sub("", lines)))
