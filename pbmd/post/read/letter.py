"""A letter: what the bytes of one mail say. Reading it never fails."""

import hashlib
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from pbmd.post.lines.command_text import NOBODY, FormTrace, Own, SheetBack, TextLine, command_text
from pbmd.post.lines.copies import NOTHING_SENT, Sent, sent_mails
from pbmd.post.lines.letterhead import Letterhead, letterhead
from pbmd.post.lines.quote_marks import IsOrder, is_none, may_have_marks
from pbmd.post.lines.quotes import ORIGINALS, PROGRAM, SIGNATURE
from pbmd.post.lines.sorted_lines import LeftOut, left_out
from pbmd.post.read import headers as header
from pbmd.post.read.attached_files import changed
from pbmd.post.read.body import Body, HtmlText, in_bold, in_html, read_body, texts_of
from pbmd.post.read.headers import Headers, read_headers
from pbmd.post.read.html import TooComplex
from pbmd.post.read.limits import Limits, size
from pbmd.post.read.mime import TooManyParts, machine_report, problem_of_parts, read_parts
from pbmd.post.time_limit import OverBudget, within

__all__ = [
    "File",
    "LeftOut",
    "Letter",
    "Limits",
    "TextLine",
    "fingerprint",
    "for_seat",
    "html_of",
    "may_copy",
    "read_letter",
    "rewritten",
]

BROKEN = "Your mail is damaged, so that it could not be read. Please send your orders again as a new mail in plain text."
TOO_MANY_PARTS = "Your mail is made of too many nested or attached parts. Please send only your orders, as plain text."
STRUCK_OUT = "it is struck out"
_NO_TEXT = Body([], "")
TOO_COSTLY = "Your mail takes too long to be read. Please write a new, short mail with only your orders, as plain text."


class File(NamedTuple):
    """A file that was sent along: its name and media type, what is to be read of it if it is plain text, what of that is not,
    why it is not read at all if it is not, and whether it has the sheet of an answer."""

    name: str
    type: str
    lines: tuple[TextLine, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    unread: str = ""
    sheet: SheetBack = ""


class Letter(NamedTuple):
    """One mail, read.

    Addresses are `folded`. Ids keep their angle brackets. Empty strings and tuples stand for what is missing.
    """

    sender: str = ""
    """The one address of the one From field, "" if there are none or several."""
    sender_name: str = ""
    sender_doubt: str = ""
    """Why there is no `sender`, "" if there is one."""
    message_id: str = ""
    references: tuple[str, ...] = ()
    """The ids of In-Reply-To, then of References."""
    recipients: tuple[str, ...] = ()
    """The addresses of Delivered-To, X-Original-To, To and Cc, in this order."""
    subject: str = ""
    results: str = ""
    """What the topmost Authentication-Results field says; for `pbmd.post.read.authentication.is_aligned` to judge."""
    automatic: str = ""
    """Why this mail must not be answered, "" if it may be."""
    from_list: bool = False
    """Whether a mailing list has passed it on."""
    vacation: bool = False
    """A vacation reply or a bounce. It may quote our reports without quote marks, so `lines` stays empty."""
    lines: tuple[TextLine, ...] = ()
    """What is to be read. No order form counts as one until the sender of the letter is known: see `for_seat`."""
    left_out: tuple[LeftOut, ...] = ()
    form_tags: tuple[str, ...] = ()
    """What stands behind "#orders" in the order forms of the mail and of its attachment, as written, quoted or not."""
    brought: FormTrace = FormTrace()
    """What the order form brings back, in the mail or in what was sent along."""
    sheet: SheetBack = ""
    """Whether the text contains the sheet of one of our answers."""
    files: tuple[File, ...] = ()
    """The files that were attached."""
    body: Body = _NO_TEXT
    """The text from which all these lines come."""
    source: str = ""
    """Where `lines` are from: "text", "html", or "attachment" if the mail itself has no text."""
    problem: str = ""
    """A sentence for the player when nothing could be read."""
    fingerprint: str = ""
    """SHA-256 (hex) of what the writer sent: the same for each copy of a mail, whichever way it came."""


def read_letter(raw: bytes, limits: Limits | None = None) -> Letter:
    """Read the bytes of a mail. Never raises: what cannot be read is left empty, and `problem` says so."""
    limits = limits or Limits()
    letter: Letter | None = None
    try:
        with within(limits.seconds):
            data = _line_feeds(raw)
            fields = read_headers(data, limits)
            letter = _envelope(fields, data)
            return _with_text(letter, data, fields, limits)
    except OverBudget:
        return (letter or Letter(fingerprint=fingerprint(raw)))._replace(problem=TOO_COSTLY)
    except TooManyParts:
        return (letter or Letter())._replace(problem=TOO_MANY_PARTS)
    except Exception:  # whatever hostile mail makes a parser do, RecursionError and MemoryError too, stays with this letter
        return (letter or Letter(fingerprint=fingerprint(raw)))._replace(problem=BROKEN)


def for_seat(
    letter: Letter,
    own: Own,
    answered: Sequence[bytes] = (),
    *,
    bold: bool = False,
    address: str = "",
    is_order: IsOrder = is_none,
) -> Letter:
    """The letter read for a seat: an order form counts if `own` says that its tag is the seat's.

    `answered` are the mails of ours that the letter may answer, as they were sent: what is copied from them is left out, and so
    is what mail programs write above a copy. `address` is ours, `is_order` tells what its writer has certainly written.
    `bold`: the lines are wanted with marks of what is bold, so HTML that shows any is read instead of the text beside it.
    """
    try:
        body = letter.body
        if bold:
            with within(Limits().seconds):
                body = in_bold(body)
        head = _with_reader(letterhead_of(answered, address), letter.sender, own.name)
        is_plain = body is letter.body and not letter.form_tags and not answered and not may_have_marks(body.lines)
        is_plain = is_plain and all(piece.reason not in ORIGINALS for piece in letter.left_out)
        if is_plain and not head.stands_in("\n".join(body.lines)):
            return letter
        with within(Limits().seconds):
            sent = sent_mails([_texts(raw) for raw in answered], own.has_tag, head)
            return _with_lines(letter, body, own, sent, is_order)
    except OverBudget:
        return letter._replace(lines=(), left_out=(), files=(), problem=TOO_COSTLY)


def html_of(letter: Letter) -> Letter:
    """The letter with the lines of its HTML part, for nobody in particular: see `for_seat`; as it is, if it has none beside its
    text that can be read."""
    try:
        with within(Limits().seconds):
            body = in_html(letter.body)
            return letter if body is None else _with_lines(letter, body, NOBODY)
    except OverBudget:
        return letter


def may_copy(letter: Letter) -> bool:
    """Whether a letter, or a file in it, is long enough or quotes enough to contain a copy of one of our mails."""
    if letter.form_tags:
        return True
    texts = [(letter.lines, letter.left_out), *((file.lines, file.left_out) for file in letter.files)]
    short = _SHORT // 2 if letter.body.source == "html" else _SHORT  # there a paragraph is a line
    return any(len(lines) > short or any(piece.reason not in _OWN_WORDS for piece in pieces) for lines, pieces in texts)


_SHORT = 8
_OWN_WORDS = (SIGNATURE, PROGRAM)


@lru_cache(maxsize=8)  # letters are read again when their transaction is repeated
def _texts(raw: bytes) -> list[list[str]]:
    """The plain text of a mail that we sent, and its HTML as a reader sees it: people answer either."""
    limits = Limits()
    data = _line_feeds(raw)
    try:
        return texts_of(read_parts(data, read_headers(data, limits), limits), limits)
    except (TooManyParts, TooComplex):
        return []


def letterhead_of(mails: Sequence[bytes], address: str) -> Letterhead:
    """What the headers of mails that we sent say, and our own address."""
    return _letterhead(tuple(mails), address)


def _with_reader(head: Letterhead, address: str, seat: str) -> Letterhead:
    """The letterhead of mails that somebody at this address gets, too, who has that seat."""
    recipients = (*head.recipients, address.casefold()) if address else head.recipients
    return replace(head, recipients=recipients, seat=seat)


@lru_cache(maxsize=8)
def _letterhead(mails: tuple[bytes, ...], address: str) -> Letterhead:
    limits = Limits()
    fields = [read_headers(_line_feeds(raw), limits) for raw in mails]
    senders = [header.author(each.all("from")) for each in fields]
    return letterhead(
        [("", address), *((sender.name, sender.address) for sender in senders)],
        [recipient for each in fields for recipient in header.addresses(each.all("to"))],
        [header.decoded(each.first("subject")) for each in fields],
    )


def subject_in(raw: bytes) -> str:
    """The subject of a mail of ours, of which nothing else is read."""
    found = _SUBJECT.search(_line_feeds(raw.partition(b"\r\n\r\n")[0]))
    return header.decoded(read_headers(found[0], Limits()).first("subject")) if found else ""


_SUBJECT = re.compile(rb"^subject:[^\n]*(?:\n[ \t][^\n]*)*", re.IGNORECASE | re.MULTILINE)


def unreadable(letter: Letter) -> tuple[LeftOut, ...]:
    """The names of the files that cannot be read, grouped by reason."""
    why = [(file.name, file.unread or _NOTHING_OWN) for file in letter.files if not file.lines]
    names = {reason: [f'"{name}"' for name, its in why if its == reason] for _, reason in why}
    return tuple(
        LeftOut("\n".join(names[reason]), f"an attached file, not read because {reason}", len(names[reason]))
        for reason in names
    )


_NOTHING_OWN = "it has nothing but what is left out of mails, too"


def rewritten(letter: Letter, change: Callable[[str], str]) -> Letter:
    """The letter as if every line of its text were what `change` makes of it."""
    old, html = letter.body, letter.body.html
    lines, marked = _changed(change, old.lines, old.marked)
    body = replace(
        old,
        lines=lines,
        marked=marked,
        html=html and (lambda: _changed_html(change, html())),
        files=tuple(changed(file, change) for file in old.files),
        skipped=tuple(change(text) for text in old.skipped),
        struck=tuple(change(text) for text in old.struck),
    )
    return _with_lines(letter, body, NOBODY)


def _changed_html(change: Callable[[str], str], html: HtmlText) -> HtmlText:
    lines, marked = _changed(change, html.lines, html.marked)
    return HtmlText(lines, marked, tuple(change(text) for text in html.struck))


def _changed(change: Callable[[str], str], lines: list[str], marked: list[str]) -> tuple[list[str], list[str]]:
    """The lines, and the same with marks, after a change; a line that is changed loses its marks."""
    new_lines = [change(line) for line in lines]
    if not marked:
        return new_lines, marked
    return new_lines, [bold if new == old else new for bold, new, old in zip(marked, new_lines, lines, strict=True)]


def fingerprint(raw: bytes, *, truncated: bool = False) -> str:
    """The fingerprint of a letter without reading the rest of it. Never raises.

    `truncated`: `raw` is only the beginning of it. Where that ends depends on what mail servers put before it, which may be
    longer the next time; so only a part counts that is there each time.
    """
    try:
        data = _line_feeds(raw)
        fields = read_headers(data, Limits())
        return _fingerprint(fields, data[: fields.body + len(raw) // 4] if truncated else data)
    except Exception:
        return _digest([raw])


def _fingerprint(fields: Headers, data: bytes) -> str:
    written = [fields.first(field).strip().encode("latin-1", "replace") for field in ("message-id", "from", "date", "subject")]
    # A message without any of these fields is known by all its bytes, or two damaged ones might look the same.
    return _digest([*written, data[fields.body :].rstrip(b"\n")] if any(written) else [data])


def _line_feeds(raw: bytes) -> bytes:
    """The message with LF line ends only: mail has CRLF, and damaged mail anything."""
    data = raw.replace(b"\r\n", b"\n") if b"\r" in raw else raw
    return data.replace(b"\r", b"\n") if b"\r" in data else data


def _envelope(fields: Headers, data: bytes) -> Letter:
    """The parts of a letter that come from its header."""
    author = header.author(fields.all("from"))
    subject = header.decoded(fields.first("subject"))
    content_type = header.uncommented(fields.first("content-type")).partition(";")[0].strip().lower()
    reason, unread = header.automatic(fields, author.address, subject, content_type)
    to = [value for field in ("delivered-to", "x-original-to", "to", "cc") for value in fields.all(field)[:_MAX_FIELDS]]
    answered = fields.all("in-reply-to")[:_MAX_FIELDS] + fields.all("references")[:_MAX_FIELDS]
    return Letter(
        sender=author.address,
        sender_name=author.name,
        sender_doubt=author.doubt,
        message_id=header.message_id(fields.first("message-id")),
        references=tuple(header.message_ids(answered)),
        recipients=tuple(header.addresses(to)),
        subject=subject,
        results=header.topmost_results(fields),
        automatic=reason,
        from_list=fields.from_list,
        vacation=unread,
        fingerprint=_fingerprint(fields, data),
    )


_MAX_FIELDS = 10
"""How many fields of one name are read: mail passed on a few times has a few Delivered-To."""


def _with_text(letter: Letter, data: bytes, fields: Headers, limits: Limits) -> Letter:
    """The letter with its command text, or with the problem that keeps it from being read."""
    if letter.vacation:
        return letter
    problem = _problem_of_size(data, limits) or fields.problem or problem_of_parts(data, limits)
    if problem:
        return letter._replace(problem=problem)
    parts = read_parts(data, fields, limits)
    if machine := machine_report(parts):
        return letter._replace(automatic=letter.automatic or machine, vacation=True)
    body = read_body(parts, fields.from_list, limits)
    return _with_lines(letter, body, NOBODY)


def _problem_of_size(data: bytes, limits: Limits) -> str:
    """A sentence for the player when the message is too large to read, else ""."""
    if len(data) <= limits.message_bytes:
        return ""
    return (
        f"Your mail has {size(len(data))}, and mail over {size(limits.message_bytes)} is not read. "
        "Please send only your orders, as plain text and without attachments."
    )


def _with_lines(
    letter: Letter,
    body: Body,
    own: Own,
    sent: Sent = NOTHING_SENT,
    is_order: IsOrder = is_none,
) -> Letter:
    text = command_text(body.lines, own, sent, body.marked, is_order)
    files = [(file, command_text(file.lines, own, sent, is_order=is_order)) for file in body.files]
    brought = next((each for each in (text.brought, *(of_file.brought for _, of_file in files)) if any(each)), FormTrace())
    added = tuple(piece for skipped in body.skipped for piece in left_out(skipped.split("\n"), "a mailing list added it"))
    added += left_out(body.struck, STRUCK_OUT) if body.struck else ()
    return letter._replace(
        lines=text.lines,
        left_out=text.left_out + added,
        form_tags=tuple(dict.fromkeys([*text.form_tags, *(tag for _, of_file in files for tag in of_file.form_tags)])),
        brought=brought,
        sheet=text.sheet,
        files=tuple(
            File(file.name, file.type, of_file.lines, of_file.left_out, file.unread, of_file.sheet) for file, of_file in files
        ),
        body=body,
        source=body.source if text.lines else "",
        problem=body.problem,
    )


def _digest(pieces: list[bytes]) -> str:
    """SHA-256 over byte strings, each with its length before it, so that no two lists look alike."""
    return hashlib.sha256(b"".join([part for piece in pieces for part in (b"%d:" % len(piece), piece)])).hexdigest()
