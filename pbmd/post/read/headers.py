"""The header block of a message, read as it is, and what it says of who has written it, a person or a machine. Nothing is
decoded before it is asked for, and every value is cut first."""

import binascii
import re
from collections.abc import Iterator
from email.errors import MessageError
from email.header import decode_header
from email.utils import getaddresses
from itertools import chain
from typing import NamedTuple

from pbmd.post.addresses import folded
from pbmd.post.read.charsets import decode
from pbmd.post.read.limits import (
    ADDRESS_CHARS,
    ID_CHARS,
    PARAMETERS_CHARS,
    REFERENCES_CHARS,
    RESULTS_CHARS,
    SUBJECT_CHARS,
    Limits,
)


class Headers(NamedTuple):
    """Values by lower-case field name, in the order of the message, unfolded but not decoded (one character a byte).

    `body` is where the body begins. `clean` is False when the block is not what RFC 5322 asks for: then only a lenient parser
    may read the message. `problem` is a sentence for the player when the block is beyond the limits and was cut.
    """

    fields: dict[str, list[str]]
    body: int
    clean: bool
    problem: str

    def first(self, name: str) -> str:
        """The first value of a field, or ""."""
        values = self.fields.get(name)
        return values[0] if values else ""

    @property
    def from_list(self) -> bool:
        """Whether a mailing list passed the message on (RFC 2369, RFC 2919, and the fields of older list programs)."""
        return "\nlist-" in "\n".join(("", *self.fields)) or not _OF_LISTS.isdisjoint(self.fields)

    def all(self, name: str) -> list[str]:
        """All values of a field, topmost first."""
        return self.fields.get(name, [])


_OF_LISTS = frozenset(("mailing-list", "x-mailing-list"))
_FIELD = re.compile(r"([!-9;-~]+):")
_FIELDS = re.compile(r"^([!-9;-~]++):([^\n]*+(?:\n[ \t][^\n]*+)*+)", re.MULTILINE)
_TOO_LONG = "The header of your mail is too long to be read. Please write a new mail instead of forwarding an old one."


def read_headers(data: bytes, limits: Limits) -> Headers:
    """Split the header block of `data` (LF line ends). A line that is no header ends it, as in the standard library."""
    end = 0 if data.startswith(b"\n") else data.find(b"\n\n")
    end = len(data) if end < 0 else end
    problem = _TOO_LONG if end > limits.header_bytes else ""
    block = data[: min(end, limits.header_bytes)].decode("latin-1")
    if not problem and "\0" not in block and block.count("\n") < limits.header_lines:
        fields = fields_of(block)
        if fields is not None:
            return Headers(fields, min(end + 2, len(data)), True, "")
    return _line_by_line(block, data, end, problem, limits)


def fields_of(block: str) -> dict[str, list[str]] | None:
    """The fields of a block that consists of nothing else; None if it does not, or is empty."""
    fields: dict[str, list[str]] = {}
    found: list[tuple[str, str]] = _FIELDS.findall(block)
    for name, value in found:
        fields.setdefault(name.lower(), []).append(value.replace("\n", "") if "\n" in value else value)
    chars = sum(map(len, chain.from_iterable(found))) + 2 * len(found)  # with the colon and the end of the line
    return fields if fields and chars == len(block) + (block[-1] != "\n") else None


def _line_by_line(block: str, data: bytes, end: int, problem: str, limits: Limits) -> Headers:
    lines = block.split("\n")
    if len(lines) > limits.header_lines:
        problem = _TOO_LONG
        del lines[limits.header_lines :]
    fields: dict[str, list[str]] = {}
    values: list[str] | None = None
    clean = not problem and "\0" not in block
    start = 0
    for number, line in enumerate(lines):
        if line[:1] in (" ", "\t"):
            if values is None:
                clean = False
            else:
                values[-1] += line
        elif found := _FIELD.match(line):
            values = fields.setdefault(found[1].lower(), [])
            values.append(line[found.end() :])
        elif number == 0 and line.startswith("From "):  # the separator line of an mbox file
            clean = False
        elif line:
            return Headers(fields, start, False, problem)
        start += len(line) + 1
    return Headers(fields, min(end + 2, len(data)) if end else 1, clean, problem)


def readable(value: str) -> str:
    """A header value with its 8-bit bytes read as UTF-8 (RFC 6532), else as Windows-1252."""
    return value if value.isascii() else decode(value.encode("latin-1", "replace"), "utf-8")


def decoded(value: str, limit: int = SUBJECT_CHARS) -> str:
    """A header value for people: cut to `limit`, encoded words decoded (RFC 2047), one line, no control characters."""
    text = readable(value[:limit])
    if "=?" in text:
        text = _decode_words(text)
    if not text.isprintable():
        text = "".join(c if c.isprintable() else " " for c in text)
    return " ".join(text.split())


def _decode_words(text: str) -> str:
    try:
        pieces = decode_header(text)
    except (MessageError, binascii.Error, ValueError):
        return text
    return "".join(piece if isinstance(piece, str) else decode(piece, charset or "utf-8") for piece, charset in pieces)


# No NUL, which PostgreSQL accepts in no text; an altered address would be somebody else's.
_ADDRESS = r"[^\s\0<>@\",;:()\\\[\]]{1,64}@[A-Za-z0-9_.\-\u0080-\U0010ffff]{1,255}"
_ONE_ADDRESS = re.compile(_ADDRESS)
_TWICE = re.compile(rf"({_ADDRESS})\s*<({_ADDRESS})>")
_COMMENTED = re.compile(rf"({_ADDRESS})\s*\(([^()\\@]*)\)")
_PLAIN_FROM = re.compile(rf"\s*(?:\"((?:[^\"\\]|\\.)*)\"|([^<>\"(),:;@]*))\s*<\s*({_ADDRESS})\s*>\s*")


class Author(NamedTuple):
    """Who wrote a message, by its From field: the address, folded, and the name; or "" and in `doubt` why that proves
    nobody."""

    address: str
    name: str = ""
    doubt: str = ""


def author(values: list[str]) -> Author:
    """The author in the From fields, if they name exactly one address without doubt.

    Several From fields, several addresses, a group (RFC 5322, 3.6.2 and 3.4), or a name that could be taken for another address
    prove nothing about the sender: a server that checked them on the way may have looked at a different one.
    """
    if len(values) != 1:
        return Author("", doubt="it has several From fields" if values else "it has no From field")
    if len(values[0]) > ADDRESS_CHARS:
        return Author("", doubt="its From field is too long")
    value = readable(values[0]).strip()
    return _plain_author(value) or _parsed_author(value)


def _plain_author(value: str) -> Author | None:
    """The author, if a From field looks as nearly all do: an address, or a name and an address."""
    if found := _PLAIN_FROM.fullmatch(value):
        name = found[1].replace("\\", "") if found[1] is not None else found[2]
        return Author(folded(found[3]), decoded(name))
    if _ONE_ADDRESS.fullmatch(value):
        return Author(folded(value))
    if (found := _TWICE.fullmatch(value)) and folded(found[1]) == folded(found[2]):
        return Author(folded(found[2]), found[1])
    if found := _COMMENTED.fullmatch(value):  # an old form; some versions of the standard library give up at commas in it
        return Author(folded(found[1]), decoded(found[2]))
    return None


def _parsed_author(value: str) -> Author:
    """The author of any other From field, if it names only one."""
    if doubt := _LISTED.get((_LIST_MARK.search(_QUOTED.sub("", value[:SUBJECT_CHARS])) or [""])[0]):
        return Author("", doubt=doubt)
    try:
        pairs = getaddresses([value[:SUBJECT_CHARS]])
    except (RecursionError, ValueError, IndexError):
        return Author("", doubt=_NO_ADDRESS)
    if len(pairs) != 1 or not _ONE_ADDRESS.fullmatch(pairs[0][1]):
        return Author("", doubt=_NO_ADDRESS if len(pairs) < 2 else _SEVERAL)
    name, address = pairs[0]
    others = {folded(found) for found in _ONE_ADDRESS.findall(value)} - {folded(address)}
    return Author("", doubt=_SEVERAL) if others else Author(folded(address), decoded(name))


_SEVERAL, _GROUP = "its From field names several addresses", "its From field names a group"
_NO_ADDRESS = "its From field has no address that can be read"
_QUOTED = re.compile(r"\"(?:[^\"\\]|\\.)*\"|\((?:[^()\\]|\\.)*\)|=\?[^?\s]{1,80}\?[bq]\?[^?\s]*\?=", re.IGNORECASE)
_LIST_MARK = re.compile(r"[:;,]")
_LISTED = {",": _SEVERAL, ":": _GROUP, ";": _GROUP}
"""What makes a list or group of addresses, unless it is quoted, encoded or in a comment."""


def addresses(values: list[str]) -> list[str]:
    """Every address in these fields, folded, in order, each once; including those in names."""
    found: dict[str, None] = {}
    for value in values:
        found.update(dict.fromkeys(folded(each) for each in _ONE_ADDRESS.findall(readable(value[:ADDRESS_CHARS]))))
    return list(found)


_ID = re.compile(r"<[^<>\s\0]{1,998}>")


def message_ids(values: list[str]) -> list[str]:
    """Every ``<id>`` in these fields, in order, each once; of a very long field only the end is read."""
    return list(dict.fromkeys(found for value in values for found in _ID.findall(readable(value[-REFERENCES_CHARS:]))))


def topmost_results(fields: Headers) -> str:
    """The value of the topmost Authentication-Results field, "" if there is none that may be relied upon."""
    value = fields.first("authentication-results")
    return readable(value).strip() if fields.clean and len(value) <= RESULTS_CHARS else ""


def message_id(value: str) -> str:
    """The id of a Message-ID field with its angle brackets, or ""."""
    found = _ID.search(value[: ID_CHARS + 2])
    return found[0] if found else ""


_NOT_TEXT = re.compile(r"[()\"\\]")


def uncommented(value: str) -> str:
    """A structured value without its comments (RFC 5322, 3.2.2), each of which counts as a blank; cut first.

    Comments can be nested and contain quoted characters; a quoted string contains none. One that is not closed reaches to the
    end of the field.
    """
    if "(" not in value:
        return value
    value = value[:PARAMETERS_CHARS]
    kept: list[str] = []
    depth, quoted, start, place = 0, False, 0, 0
    while found := _NOT_TEXT.search(value, place):
        place = found.end()
        mark = found[0]
        if mark == "\\":
            place += 1  # the next character stands for itself
        elif mark == '"' and not depth:
            quoted = not quoted
        elif mark == "(" and not quoted:
            if not depth:
                kept.append(value[start : found.start()])
            depth += 1
        elif mark == ")" and depth:
            depth -= 1
            start = place
    return " ".join([*kept, value[start:]] if not depth else kept)


_PARAMETER = re.compile(r";\s*([!#-'*+.0-9A-Z^-~-]{1,60})\s*=\s*(?:\"((?:[^\"\\]|\\.)*)\"|([^;\s]*))", re.IGNORECASE)


def parameters(value: str) -> dict[str, str]:
    """The parameters of a Content-Type or Content-Disposition value (RFC 2045, 5.1), names in lower case, the first of each."""
    found: dict[str, str] = {}
    for match in _PARAMETER.finditer(uncommented(value[:PARAMETERS_CHARS])):
        found.setdefault(match[1].lower(), match[2].replace("\\", "") if match[2] is not None else match[3])
    return found


# --- Which mail must not be answered, and which must not even be read: the header rule (RFC 3834, RFC 5230, and practice) ---

MAX_RECEIVED = 25
"""More Received fields than this mean a loop."""

_BULK = ("bulk", "junk", "list", "auto_reply")
_MACHINE_FIELDS = (
    # Field, and whether mail that has it is a vacation reply or a bounce, whose text is never read for orders.
    ("x-autoreply", True),
    ("x-autorespond", True),
    ("x-autoresponder", True),
    ("x-auto-reply-from", True),
    ("x-mail-autoreply", True),
    ("x-failed-recipients", True),
    ("x-ms-exchange-inbox-rules-loop", True),
    ("x-vacation", True),
    ("x-loop", False),
    ("x-mlserver", False),
    ("x-ml-name", False),
    ("x-auto-response-suppress", False),
    ("feedback-id", False),
    ("x-csa-complaints", False),
)
_MACHINE_SENDERS = (
    "mailer-daemon",
    "postmaster",
    "post_master",
    "no-reply",
    "noreply",
    "no_reply",
    "do-not-reply",
    "donotreply",
    "bounce",
    "bounces",
)
_BOUNCE_SENDERS = ("mailer-daemon", "postmaster", "post_master")
_VACATION_SUBJECTS = (
    "automatic reply:", "auto reply:", "auto-reply:", "autoreply:", "auto response:", "autoresponse:",
    "out of office autoreply:", "out of office reply:", "out of office:", "out of the office:", "automatische antwort:",
    "abwesenheitsnotiz", "abwesenheit:", "réponse automatique", "absence du bureau", "respuesta automática",
    "fuera de la oficina", "risposta automatica", "fuori sede", "resposta automática", "automatisch antwoord:",
    "afwezigheidsbericht", "autosvar", "automatiskt svar", "automatisk svar", "automaattinen vastaus",
    "automatyczna odpowiedź", "automatická odpověď", "automatikus válasz", "otomatik yanıt", "răspuns automat", "автоответ",
    "автоматический ответ", "автоматична відповідь", "自動返信", "自動回覆", "自动答复", "자동 회신",
)  # fmt: skip


_FROM_CHARS = 500
_MAX_FIELDS = 10


def _names_nobody(value: str) -> bool:
    """Whether a From field is one of those without an address that mail servers write (RFC 5321, 6.1); people have one."""
    return "<>" in value or "mailer-daemon" in value


def _values(headers: Headers, name: str) -> set[str]:
    """What the fields of a name say, in lower case. A relay may add a field that is there already: the milder value does not
    cancel the other."""
    return {uncommented(value).strip().lower() for value in headers.all(name)[:_MAX_FIELDS]}


def automatic(headers: Headers, sender: str, subject: str, content_type: str) -> tuple[str, bool]:
    """Why this mail must not be answered ("" if it may be), and whether it is a vacation reply or a bounce.

    `sender` is the From address or "", `subject` the decoded Subject, `content_type` the lower-case type of the whole message.
    """
    marks = list(_marks(headers, sender, subject, content_type))
    return (marks[0][0] if marks else ""), any(unread for _, unread in marks)


def _marks(headers: Headers, sender: str, subject: str, content_type: str) -> Iterator[tuple[str, bool]]:
    """Every sign that nobody wrote this mail by hand, strongest first: the reason, and whether the text must not be read."""
    submitted = {value.partition(";")[0].strip() for value in _values(headers, "auto-submitted")} - {"", "no"}
    for said in sorted(submitted):
        # A script of a player may send orders as "auto-generated"; every other value is an answer to something.
        yield f"Auto-Submitted: {said[:40]}", said != "auto-generated"
    if "".join(uncommented(headers.first("return-path")).split()) == "<>":
        yield "it has an empty Return-Path", True
    if content_type == "multipart/report":
        yield "it is a delivery report", True
    from_list = headers.from_list
    for precedence in sorted(_values(headers, "precedence").intersection(_BULK)):
        # Old vacation programs say bulk or junk; so do mailing lists, whose mail is a person's.
        yield f"Precedence: {precedence}", precedence != "list" and not from_list
    if from_list:
        yield "it comes from a mailing list", False
    for field, unread in _MACHINE_FIELDS:
        if field in headers.fields:
            yield f"it has {field}", unread
    local = sender.partition("@")[0].partition("+")[0]
    if local in _MACHINE_SENDERS:
        yield f"it comes from {local}", local in _BOUNCE_SENDERS
    if not sender and _names_nobody(headers.first("from")[:_FROM_CHARS].lower()):
        yield "it names no sender, as bounces do", True
    if subject.lower().startswith(_VACATION_SUBJECTS):
        yield "its subject is that of a vacation reply", True
    if len(headers.all("received")) > MAX_RECEIVED:
        yield "it has been passed on too often", False
