"""Which addresses a bounce is about and why: the fields of RFC 3464 where there are any, else what its text says.

Only mail that the header rule calls a bounce, or that came to a bounce address, is read here: everything else is what its
sender says it is. All loops are over the lines of a text that was cut first, so the work is linear.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from email import policy
from email.message import Message
from email.parser import BytesParser

from pbmd.post.lines.text import normal, split_lines
from pbmd.post.read import headers as header
from pbmd.post.read.charsets import decode
from pbmd.post.read.html import TooComplex, html_lines
from pbmd.post.read.limits import Limits
from pbmd.post.read.mime import CarefulMessage, problem_of_parts


@dataclass(frozen=True, slots=True)
class Bounce:
    """One notice that a mail did not arrive, or not yet.

    `recipients` are lower case, the address that was written to before the one it was forwarded to; at most 10. `status` is an
    enhanced status code (RFC 3463), X.0.0 if only the class is known, "" if nothing is. `hard` is class 5: trying again is
    pointless. `diagnostic` is one printable line of at most 300 characters, as the other server wrote it: hostile text.
    `message_ids` are those of the mail that is returned, with angle brackets; at most 10.
    """

    recipients: tuple[str, ...]
    hard: bool
    status: str
    diagnostic: str
    message_ids: tuple[str, ...]


def read_bounce(raw: bytes, limits: Limits | None = None) -> Bounce | None:
    """What a bounce says; None if it is no bounce, reports a success, or names neither an address nor an id.

    Never raises.
    """
    limits = limits or Limits()
    try:
        data = raw[:_READ_BYTES].replace(b"\r\n", b"\n")
        return _bounce(_MANY_BLANKS.sub(b"\n\n", data), limits)
    except Exception:  # including the parser's RecursionError: a bounce that cannot be read says nothing
        return None


_READ_BYTES = 200_000
"""A bounce says what it has to say above the mail that it returns."""
_MANY_BLANKS = re.compile(rb"\n{3,}")
"""The parser makes a message out of each blank line in a report."""
_MOST = 10
_DIAGNOSTIC_CHARS = 300


@dataclass(slots=True)
class _Found:
    """What the parts of a bounce say: fields by recipient, the text in words, and the header of what is returned."""

    blocks: list[dict[str, str]] = field(default_factory=list[dict[str, str]])
    words: list[str] = field(default_factory=list[str])
    returned: list[str] = field(default_factory=list[str])


def _bounce(data: bytes, limits: Limits) -> Bounce | None:
    fields = header.read_headers(data, limits)
    if any(kind in fields.first("content-type").lower() for kind in ("feedback-report", "disposition-notification")):
        return None
    found = _Found()
    if problem_of_parts(data, limits):
        _read_text(split_lines(decode(data[fields.body :], "utf-8")), found)
    else:
        _read_parts(BytesParser(CarefulMessage, policy=policy.compat32).parsebytes(data), found, limits)
    subject = header.decoded(fields.first("subject"))
    ids = tuple(header.message_ids([line for line in found.returned if _ID_FIELD.match(line)]))[:_MOST]
    reported = [block for block in found.blocks if "final-recipient" in block or "original-recipient" in block]
    if reported:
        return _from_report(reported, found, ids)
    if not _FAILURE.search(" ".join((subject, *(line[:_LINE_CHARS] for line in found.words[:_FAILURE_LINES]))).lower()):
        return None
    failed = header.addresses(fields.all("x-failed-recipients"))
    ours = set(header.addresses([*fields.all("to"), *fields.all("from"), *fields.all("delivered-to")]))
    recipients = failed or _named(found.words, ours) or _returned_to(found.returned) or _named(found.words, set())
    status, diagnostic = _explained(found.words)
    return _made(recipients, status, diagnostic, ids)


def _made(recipients: Sequence[str], status: str, diagnostic: str, ids: tuple[str, ...]) -> Bounce | None:
    if not recipients and not ids:
        return None
    kept = tuple(dict.fromkeys(recipients))[:_MOST]
    return Bounce(kept, status.startswith("5"), status, _shown(diagnostic), ids)


def _shown(text: str) -> str:
    cut = text[: 2 * _DIAGNOSTIC_CHARS]
    return " ".join("".join(c if c.isprintable() else " " for c in cut).split())[:_DIAGNOSTIC_CHARS]


# The report for machines


def _from_report(blocks: Sequence[dict[str, str]], found: _Found, ids: tuple[str, ...]) -> Bounce | None:
    """The bounce for the recipients that failed for good, else for those still being tried."""
    kinds = [_kind(block) for block in blocks]
    worst = next((kind for kind in ("failed", "delayed") if kind in kinds), None)
    if worst is None:
        return None
    chosen = [block for block, kind in zip(blocks, kinds, strict=True) if kind == worst]
    names = ("original-recipient", "final-recipient")
    recipients = [address for block in chosen for name in names for address in _addresses(block.get(name, ""))]
    code = chosen[0].get("diagnostic-code", "")
    diagnostic = code.partition(";")[2] or code
    told, line = _explained([diagnostic] if diagnostic else found.words)
    status = _status(chosen[0].get("status", ""), told) or ("5.0.0" if worst == "failed" else "4.0.0")
    return _made(recipients, status, diagnostic or line, ids)


def _status(value: str, told: str) -> str:
    """The status code that a report states; that of the words (`told`) if it states none, or only the class of that one."""
    found = _STATUS.search(value)
    stated = found[0] if found else ""
    is_vague = not stated or (stated.endswith(".0.0") and told[:1] == stated[0])
    return (told or stated) if is_vague else stated


def _kind(block: dict[str, str]) -> str:
    """What became of the mail: "failed", "delayed", or something that is no bounce. Some say it by the status only."""
    action = block.get("action", "").partition("(")[0].partition(";")[0].strip().lower()
    if action:
        return {"failure": "failed", "expired": "failed"}.get(action, action)
    return {"5": "failed", "4": "delayed", "2": "delivered"}.get(block.get("status", "").strip()[:1], "failed")


def _addresses(value: str) -> list[str]:
    """The address of a recipient field: ``rfc822; ada@example.org``."""
    return header.addresses([value.partition(";")[2] or value])[:1]


# The parts


_REPORTS = ("message/delivery-status", "message/global-delivery-status")
_HEADERS = ("text/rfc822-headers", "text/global-headers")


def _read_parts(message: "Message[str, str]", found: _Found, limits: Limits) -> None:
    waiting = [message]
    for _ in range(limits.parts):
        if not waiting:
            return
        part = waiting.pop(0)
        children = _children(part)
        if children and part.get_content_type().startswith("multipart/"):
            waiting = children + waiting
        else:
            _read_part(part, children, found, limits, is_last=not waiting)


def _children(part: "Message[str, str]") -> "list[Message[str, str]]":
    inner = part.get_payload()
    return [child for child in inner if isinstance(child, Message)] if isinstance(inner, list) else []


def _read_part(
    part: "Message[str, str]", children: "Sequence[Message[str, str]]", found: _Found, limits: Limits, *, is_last: bool
) -> None:
    """A part by itself. What is neither text nor a mail is only examined if there is nothing else."""
    kind = part.get_content_type()
    if kind in _REPORTS and children:
        found.blocks += [_fields(_header_lines(child)) for child in children]
    elif kind.startswith("message/") and kind not in _REPORTS:
        found.returned += [line for child in children[:1] for line in _header_lines(child)]
    elif kind in _HEADERS:
        found.returned += _unfolded(_text(part))
    elif kind == "text/html":
        _read_html(part, found, limits)
    elif is_last or kind in _REPORTS or kind.startswith(("text/", "multipart/")):
        _read_text(_text(part), found)


def _header_lines(message: "Message[str, str]") -> list[str]:
    return [f"{name}: {value}" for name, value in message.items()]


def _text(part: "Message[str, str]") -> list[str]:
    payload = part.get_payload(decode=True)
    charset = header.parameters(str(part.get("Content-Type", ""))).get("charset", "")
    return split_lines(decode(payload if isinstance(payload, bytes) else b"", charset))


def _read_html(part: "Message[str, str]", found: _Found, limits: Limits) -> None:
    """HTML repeats the plain text, unless there is none."""
    if found.words:
        return
    try:
        _read_text(html_lines("\n".join(_text(part)), limits.html_tags), found)
    except TooComplex:
        return


# Text for people


_RETURNED = re.compile(
    r"[>\s]*(?:return-path|received|delivered-to|dkim-signature|message-id|mime-version|x-mailer):", re.IGNORECASE
)
_QUOTE = re.compile(r"(?:> ?)*")
_FIELD = re.compile(r"[>\s]*([A-Za-z][A-Za-z-]{1,40}):[ \t]*(.*)")
_ID_FIELD = re.compile(r"message-id:", re.IGNORECASE)
_REPORT_FIELDS = ("final-recipient", "original-recipient", "action", "status", "diagnostic-code")


def _read_text(lines: Sequence[str], found: _Found) -> None:
    """Text up to the mail that it returns, and the header of that; report fields where somebody put them into the text."""
    start = next((i for i, line in enumerate(lines) if _RETURNED.match(line[:100])), len(lines))
    found.words += lines[:start]
    found.returned += _unfolded(lines[start:])
    block: list[str] = []
    for line in (*_unfolded(lines), ""):
        name = line.partition(":")[0].strip().lower()
        if name in _REPORT_FIELDS:
            block.append(line)
        elif not line.strip() and block:
            found.blocks.append(_fields(block))
            block = []


def _unfolded(lines: Sequence[str]) -> list[str]:
    """Header lines unfolded and without quote marks; other lines unchanged."""
    whole: list[str] = []
    pieces: list[str] = []
    for quoted in lines:
        line = _QUOTE.sub("", quoted, count=1)
        if line[:1] in (" ", "\t") and pieces and not _FIELD.match(line[:200]):
            pieces.append(line.strip())
            continue
        if pieces:
            whole.append(" ".join(pieces))
        pieces = [line.strip()]
    if pieces:
        whole.append(" ".join(pieces))
    return whole


def _fields(lines: Sequence[str]) -> dict[str, str]:
    """Fields by lower-case name, the first of each name, on one line."""
    found: dict[str, str] = {}
    for line in lines:
        name, _, value = line.partition(":")
        found.setdefault(name.strip().lower(), " ".join(value.split()))
    return found


_FAILURE_LINES = 60
_FAILURE = re.compile(
    r"undeliver|deliver\w{0,6} (?:has |have |was )?(?:been )?(?:fail|problem|error|status|delayed|tempor|suspend|report|notif)"
    r"|not (?:be |been )?(?:yet )?(?:deliver|reach)|(?:cannot|can't|un|not |n't )(?:able to )?(?:be )?(?:deliver|sent)"
    r"|unable to send|error (?:message|delivering)|mail (?:delivery|system|error|fail)|returned mail|rejected|quota"
    r"|fail\w{0,4} (?:notice|to deliver|deliver|address)|user unknown|unknown user|no such user|permanent (?:fatal )?error"
    r"|address\w{0,4} (?:had|fail)|bounce notification|mailbox (?:is )?(?:full|unavailable)|invalid (?:user|recipient|address)"
    r"|unzustellbar|配信|配送|届け|退信|投递"
)
"""What every bounce says somewhere, and no vacation reply does."""
_STATUS = re.compile(r"\b[245]\.\d{1,3}\.\d{1,3}\b")
_REPLY = re.compile(r"(?<![\d.])([45])\d\d(?:[ -]\(?#?([45]\.\d{1,3}\.\d{1,3})\b|(?![\d.]))")
_MARKED = re.compile(r"(?:#|\[|\(|status:? |error:? )([45]\.\d{1,3}\.\d{1,3})\b", re.IGNORECASE)
_SAID = (
    (
        "5.1.1",
        r"(?:user|recipient|mailbox|address) (?:is )?unknown|unknown (?:user|recipient|local)|no such (?:user|recipient|mail)",
    ),
    ("5.2.2", r"mailbox (?:is )?full|(?:over|exceeds|exceeded) (?:\w{1,10} )?quota|quota exceeded"),
    ("5.1.2", r"unrouteable|(?:host|domain) (?:is )?(?:unknown|not found)|unknown (?:host|domain)"),
    ("4.4.7", r"will (?:keep trying|retry|try again|be retried)|is delayed"),
)
"""Plain words for a code, for the servers that give none."""
_WORDS_LINES = 200
_LINE_CHARS = 1000


def _explained(lines: Sequence[str]) -> tuple[str, str]:
    """The status code in the text, and its line: an enhanced code goes before a reply code, that before words."""
    code = said = ("", "")
    for line in lines[:_WORDS_LINES]:
        cut = line[:_LINE_CHARS]
        reply, marked = _REPLY.search(cut), _MARKED.search(cut)
        if enhanced := (reply and reply[2]) or (marked and marked[1]):
            return enhanced, cut
        if reply and not code[0]:
            code = (f"{reply[1]}.0.0", cut)
        elif not said[0]:
            said = next(((status, cut) for status, words in _SAID if re.search(words, cut, re.IGNORECASE)), said)
    return code if code[0] else said


_NOT_OURS = re.compile(r"mail from|envelope-from|^\s*from\b|sender:|reporting-mta|contact|postmaster|help", re.IGNORECASE)


def _named(lines: Sequence[str], ours: set[str]) -> list[str]:
    """The addresses that the text names, without ours and those of postmasters."""
    named = [line for line in lines[:_WORDS_LINES] if "@" in line[:_LINE_CHARS] and not _NOT_OURS.search(line[:_LINE_CHARS])]
    return [
        address
        for address in header.addresses([normal(line[:_LINE_CHARS]) for line in named])
        if address not in ours and not address.startswith(("mailer-daemon@", "postmaster@"))
    ]


def _returned_to(returned: Sequence[str]) -> list[str]:
    """The recipient of the returned mail, if there was only one."""
    fields = _fields(returned)
    found = header.addresses([fields.get("to", "")])
    return found if len(found) == 1 else []
