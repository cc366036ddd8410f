"""What a mail has around its words: the fields of its header, the token in it, and its files. pbmd makes all of that for the
seat that a mail is to.

Lists and gateways put fields and files of their own into mails, so what may be theirs is told as not compared.
"""

import re
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from email.message import Message
from email.utils import getaddresses, parseaddr
from functools import partial
from itertools import islice
from urllib.parse import unquote

from pbmd.archive.appearance.finding import Finding, not_compared
from pbmd.archive.appearance.inner_mails import Letter, parts_of
from pbmd.archive.appearance.mail_header import Own
from pbmd.archive.evidence.mail_patterns import ANSWER, PATTERNS, SEAT_TAG, WITH_REPORT, odd_in_proof, with_words_told
from pbmd.archive.format.press_and_deadlines import decoded, header_of, headers_of, in_one_line
from pbmd.post.proof_file import is_proof
from pbmd.rendering.entry_notices import TIME
from pbmd.terms.calendar import TimeError, zone
from pbmd.terms.times import times_in

FRAME = "around it"
_apart = partial(not_compared, FRAME)
_ONCE = ("From", "To", "Subject", "Date", "Message-ID", "Reply-To", "In-Reply-To")
_NEVER = (
    *("Cc", "Bcc", "Sender", "Mail-Followup-To", "Mail-Reply-To", "List-Post", "List-Help", "List-Owner", "Errors-To"),
    *("Disposition-Notification-To", "Return-Receipt-To", "X-Confirm-Reading-To"),
)
_GAME = re.compile(r"\[pbmd (?P<game>[a-z0-9-]{1,64})")
_TAGGED = re.compile(r"\+g\d{1,9}p\d{1,6}\.[a-z2-7]{16}(?=@)")
_CALENDARS = frozenset({"text/calendar", "application/ics"})
_ORDERS = re.compile(r"^The orders that are in force with it:[ \t]*\n(?:\|[^\n]*(?:\n|\Z))+", re.MULTILINE)
_MAPS = frozenset({"image/png", "image/svg+xml"})
_FOLD = re.compile(r"\r?\n[ \t]")
_BEGINS = re.compile(r"DTSTART(?:;[^:]{0,200})?:(?P<at>.{1,40})", re.IGNORECASE)
_ZONE = re.compile(r';TZID="?(?P<zone>[^":;]{1,80})', re.IGNORECASE)
_EVENT = re.compile(r"^BEGIN:VEVENT[ \t]*$", re.IGNORECASE | re.MULTILINE)
_OF_SUMMER_TIME = frozenset({"BEGIN:STANDARD", "BEGIN:DAYLIGHT"})
_DUE = re.compile(rf"\b(?:[Dd]ue|Deadline) {TIME}")
_MASTER, _MOST_TOLD = "p0", 8


def examine_frame(letter: Letter, own: Own, text: str) -> Iterator[Finding]:
    """Whether the header, the token and the files of a mail are those of a mail with this text, in one line, to its seat."""
    message = letter.message
    for name in _ONCE:
        if len({*headers_of(message, name)}) > 1:
            yield Finding(FRAME, name, None, f"it has several fields {name}, of which programs show one")
    for name in _NEVER:
        if (said := header_of(message, name)) and not (name == "Sender" and _is_of_sender(message)):
            yield _apart(name, f'its field {name} is "{said[:80]}", and no mail of pbmd has one')
    if own.seat and not own.seat.endswith(_MASTER):
        yield from _of_seat(message, own)
        if other := next((tag for tag in SEAT_TAG.finditer(text) if not _is_own(tag, own)), None):
            seat = other[0].lower().partition(".")[0]
            told = f"it is to {own.seat}, and its text has {f'the token of {seat}' if seat != own.seat else 'another token'}"
            yield Finding(FRAME, "token", None, told)
    yield from islice(dict.fromkeys((*_of_one_name(letter), *_of_files(letter, text))), _MOST_TOLD)


def _is_of_sender(message: Message) -> bool:
    """Whether Sender names whom From names: some servers write it into each mail of a host."""
    senders = {parseaddr(said)[1].lower() for said in headers_of(message, "Sender")}
    return senders == {parseaddr(header_of(message, "From"))[1].lower()}


def _is_own(tag: re.Match[str], own: Own) -> bool:
    """Whether it is the tag by which the seat is played, or that of its pages, which ends their address."""
    seat, _, token = tag[0].lower().partition(".")
    return seat == own.seat and (token == own.token or tag.string.endswith("/", 0, tag.start()))


def _of_seat(message: Message, own: Own) -> Iterator[Finding]:
    """What depends on the seat: from whom a mail is, to whom answers go, and what gives the seat up."""
    answers = [each for said in headers_of(message, "Reply-To") for each in getaddresses([said])]
    if len(answers) != 1 or answers[0][0]:
        to = ", ".join(f"{name} <{address}>" if name else address for name, address in answers)[:200]
        yield from (_apart("Reply-To", f"answers to it go to {to}") for _ in answers[:1])
        return
    name, address = parseaddr(header_of(message, "From"))
    game = _GAME.search(header_of(message, "Subject"))
    if address.lower() != _TAGGED.sub("", own.answers_go) or (game and not re.fullmatch(rf"{game['game']} \(.*\)", name)):
        yield _apart("From", f"it is from {name or 'nobody'} <{address}>")
    leaves = re.compile(rf"<mailto:{re.escape(own.answers_go)}\?subject=[^&]{{1,100}}&body=RESIGN>", re.IGNORECASE)
    for said in headers_of(message, "List-Unsubscribe"):
        if not leaves.fullmatch(unquote(said.replace(" ", ""))):
            yield _apart("List-Unsubscribe", f'its field List-Unsubscribe, "{said[:120]}", does not give up this seat')


def _of_one_name(letter: Letter) -> Iterator[Finding]:
    """Files of which programs may show one in place of the other; not where all are proofs with values, as of the steps
    of one turn: of these all are compared."""
    named = [(name, _has_values(part)) for part in parts_of(letter.message) if (name := part.get_filename())]
    others = {name for name, of_proof in named if not of_proof}
    for name in (name for name, count in Counter(name for name, _ in named).items() if count > 1 and name in others):
        yield _apart("files", f'it has several files "{name[:80]}"')


def _has_values(part: Message) -> bool:
    said = " ".join(decoded(part).split()) if is_proof(part) else ""
    return any(pattern.search(said) for _, pattern in PATTERNS)


def _of_files(letter: Letter, text: str) -> Iterator[Finding]:
    whole = text.replace(" ", "")  # which breaks long names
    has_report = any(looks.search(text) for looks in WITH_REPORT)
    for part in parts_of(letter.message):
        name, kind = part.get_filename() or "", part.get_content_type()
        if is_proof(part):
            yield from _of_proof(name, decoded(part))
        elif kind in _CALENDARS:
            yield from _of_calendar(decoded(part), text, letter.own)
        elif kind in _MAPS and not has_report:
            yield _apart("files", f'it has no report, and a picture "{(name or kind)[:80]}", which was not looked at')
        elif kind in _MAPS or (name and name in whole):
            continue
        elif name or part.get_content_maintype() == "application":
            yield _apart("files", f'its text does not name the file "{(name or kind)[:80]}", which was not looked at')


def _of_proof(name: str, file: str) -> Iterator[Finding]:
    """Whether a file with a proof says what such files say."""
    if odd := odd_in_proof(in_one_line(with_words_told(_ORDERS.sub("", file, count=1)))):
        yield _apart("files", f'its file "{name}" says "{odd[:80]}"')


def _of_calendar(entry: str, text: str, own: Own | None) -> Iterator[Finding]:
    """Whether the times that a file for calendars has are ones that the text has, too, or in an answer the books. Servers that
    know calendars write times in zones of their own, some by names that are not known here."""
    gives = {at.replace(second=0) for _, at in times_in(text) if at}
    is_dated, is_answer = _DUE.search(text) is not None, own is not None and own.kind == ANSWER
    for begins in _beginnings(entry):
        at = _moment_of(begins)
        if at is None or (at.replace(second=0) not in gives and (is_dated or not is_answer)):
            told = f"its file for calendars has {begins['at']}, and its text {'another' if is_dated else 'no'} time"
            yield Finding(FRAME, "calendar", None, told, whole=is_dated) if at else _apart("calendar", told)


def calendar_times(message: Message, text: str) -> Iterator[datetime]:
    """The times in the files for calendars that come with a text without a deadline."""
    files = (part for part in parts_of(message) if part.get_content_type() in _CALENDARS)
    found = (_moment_of(begins) for part in files for begins in _beginnings(decoded(part)))
    return filter(None, found) if _DUE.search(text) is None else iter(())


def _beginnings(entry: str) -> Iterator[re.Match[str]]:
    """When each event begins that is not called off, as it is written; not when summer time does, which stands beside them."""
    for event in _EVENT.split(_FOLD.sub("", entry)):
        lines, within = [line.strip() for line in event.splitlines()], ""
        for line in lines if "STATUS:CANCELLED" not in map(str.upper, lines) else ():
            if line[:6].upper() == "BEGIN:":
                within = line.upper()
            elif within not in _OF_SUMMER_TIME and (found := _BEGINS.fullmatch(line)):
                yield found


def _moment_of(begins: re.Match[str]) -> datetime | None:
    """The moment that is written there; None if it is none, or in a zone that is not known here."""
    said, named = begins["at"].upper(), _ZONE.search(begins[0])
    try:
        of = UTC if said.endswith("Z") else zone(named["zone"]) if named else None
        return datetime.strptime(said.removesuffix("Z"), "%Y%m%dT%H%M%S").replace(tzinfo=of).astimezone(UTC) if of else None
    except (TimeError, ValueError, OverflowError):
        return None
