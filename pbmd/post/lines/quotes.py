"""Which lines of a mail the writer did not write for this mail: quotes, what introduces them, originals, signatures.

The rules look at a few lines at a time, so they take linear time. A line is only ever marked with a reason, never lost;
everything below a point is marked only where the original of an answered mail follows without quote marks.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import NamedTuple

from pbmd.post.lines.copied_mails import head_of_copied_mail, head_of_memo
from pbmd.post.lines.letterhead import LABEL, NO_LETTERHEAD, Letterhead, dated, may_be_of_head, stamped
from pbmd.post.lines.mail_program_words import MOBILE, OPENERS, ORIGINAL, OTHER_LABELS, SENDER_LABELS, WROTE
from pbmd.post.lines.quote_marks import MOST_ASKED, IsOrder, is_none, messages_in, unmark
from pbmd.post.lines.text import normal

QUOTED = "quoted text"
INTRODUCTION = "the line above a quote"
EARLIER = "the earlier mail below yours"
SIGNATURE = "a signature"
PROGRAM = "your mail program wrote it"
LIST_FOOTER = "the footer of a mailing list"
COPIED_MAIL = "it stands below what seems to introduce somebody's mail"
ORIGINALS = frozenset((EARLIER, COPIED_MAIL))
"""Why what stands below the head of a mail without quote marks is not read."""


@dataclass(frozen=True, slots=True)
class Lines:
    """The lines of a mail, three lists of one length: how deep quoted, what stands behind the marks, the whole; and what is
    known of who reads it: what the header of their own mails says, what is an order there or like one, and what is taken as it
    stands."""

    depths: list[int]
    bodies: list[str]
    originals: Sequence[str]
    head: Letterhead = NO_LETTERHEAD
    is_order: IsOrder = is_none
    is_taken: IsOrder = is_none


_OPEN_ADDRESS = re.compile(r"<[^<>\s]{1,100}@[^<>\s]{1,255}$")
"""An address whose ">" a mail program has put on the next line."""


def quoted_lines(
    lines: Sequence[str],
    head: Letterhead = NO_LETTERHEAD,
    is_order: IsOrder = is_none,
    is_taken: IsOrder | None = None,
    is_ours: IsOrder = is_none,
) -> Lines:
    """Remove the quote marks from each line. A ">" that ends an address which the line above began is none. Marks with the
    initials or the name of who is quoted ("AB> ") are known where it is known what `is_taken` as an order as it stands, and
    any before lines that are `is_ours`."""
    bodies = [line.strip() for line in lines]
    depths = [0] * len(bodies)
    for i, body in enumerate(bodies):
        if body[:1] == ">" and not (i and not depths[i - 1] and _OPEN_ADDRESS.search(bodies[i - 1])):
            bodies[i] = body.lstrip("> \t")
            depths[i] = body.count(">", 0, len(body) - len(bodies[i]))
    unmark(lines, bodies, depths, is_order, is_taken or is_order, is_ours)
    return Lines(depths, bodies, lines, head, is_order, is_taken or is_order)


def reasons(lines: Lines) -> list[str]:
    """For each line "" if it is the writer's own, else why it is not."""
    depths, bodies = lines.depths, lines.bodies
    result = [QUOTED if depth else "" for depth in depths]
    context = _Context(_naming(lines), messages_in(bodies, depths), iter(range(_MOST_TRIES)), _memo(lines))
    i, signature = -1, False
    while (i := i + 1) < len(bodies):
        if depths[i]:
            signature = False
        elif (body := bodies[i]) and (signature or not _is_plain(body, names_us=i in context.naming)):
            head = _head(lines, i, context)
            if head is not None:
                _mark_head(lines, result, head)
                i = head.last
                if _is_of_original(lines, head):
                    _mark_original(lines, result, head)
                    return result
            elif signature or _signature(lines, i, context):
                result[i], signature = SIGNATURE, True
            elif (part := _foreign_part(lines, i, context)) is not None:
                result[part.first : part.end] = [part.reason] * (part.end - part.first)
                i = part.end - 1
            elif _by_program(body):
                result[i] = PROGRAM
    return result


def _memo(lines: Lines) -> range:
    """The lines of the head of a memo at the top, if there is one."""
    may_be = lines.head.seat and ":" in next(filter(None, lines.bodies), "")[: LABEL + 1]
    return head_of_memo(lines.bodies, lines.depths, lines.head) if may_be else range(0)


def reasons_from(lines: Lines, start: int) -> list[str]:
    """The same for the lines from `start` on, as if none stood above them."""
    return reasons(replace(lines, depths=lines.depths[start:], bodies=lines.bodies[start:], originals=lines.originals[start:]))


def _is_plain(body: str, *, names_us: bool) -> bool:
    """Whether none of the rules below can apply to the line, as is the case with nearly every order."""
    start = body[:2].lower()
    return (
        not names_us
        and (":" not in body or (start not in _LABEL_STARTS and not stamped(body)))
        and body[0] not in "-=_*"
        and body[-1] not in ">:"
        and "@" not in body
        and start not in _MOBILE_STARTS
        and body.isascii()
    )


def _next_is_quoted(lines: Lines, i: int) -> bool:
    """Whether the next line with text after line `i` is quoted. Looks at 5 lines, since no program leaves more blank."""
    following = range(i + 1, min(i + 6, len(lines.bodies)))
    return next((lines.depths[j] > 0 for j in following if lines.bodies[j]), False)


class _Head(NamedTuple):
    """What stands above a quote or an original, from the first line to the last; the header of an original `belongs` to it if
    no quote follows."""

    first: int
    last: int
    belongs: bool


class _Context(NamedTuple):
    """The unquoted lines that name us; those of messages to others, of which all is the writer's; how often it is tried
    whether a line is of the head of somebody's mail; and the lines with which the writer has headed the letter."""

    naming: frozenset[int]
    messages: frozenset[int]
    tries: Iterator[int]
    memo: range


def _naming(lines: Lines) -> frozenset[int]:
    """The unquoted lines that name us: hardly any mail has one."""
    if not (lines.head.addresses or lines.head.names) or not lines.head.stands_in("\n".join(lines.bodies)):
        return frozenset()
    own = (i for i, body in enumerate(lines.bodies) if body and not lines.depths[i])
    return frozenset(islice((i for i in own if lines.head.kind_of(lines.bodies[i]) == "from"), _NAMING))


_NAMING = 40
"""This many lines that name us are examined: each may be part of a header."""


def _is_of_original(lines: Lines, head: "_Head") -> bool:
    """Whether what stands below a head is a mail without quote marks."""
    return not _next_is_quoted(lines, head.last) and not _introduces_quote(lines, head)


def _introduces_quote(lines: Lines, head: "_Head") -> bool:
    """Whether a head is that of a mail of ours, and that is quoted further below: what stands between is the writer's."""
    last = head.last
    while last + 1 < min(len(lines.bodies), head.first + _HEADER) and lines.bodies[last + 1] and not lines.depths[last + 1]:
        last += 1
    names_us = lines.head.introduces(" ".join(lines.bodies[head.first : last + 1]))
    return names_us and any(lines.depths[last + 1 :])


def header_at(lines: Lines, i: int) -> "_Head | None":
    """The header of an original in which line `i` names us, in whatever language: it says besides two of to whom it was, when,
    and about what. None if the lines around it are none."""
    first, above = _known(lines, i, -1)
    last, below = _known(lines, i, 1)
    return _Head(first, last, belongs=True) if len({"from"} | above | below) >= _MIN_LABELS else None


_HEADER = 16
"""How many lines a header has, including blank ones."""
_REST = 2
"""So many lines above one may have the pieces of a subject that ends in it."""
_GAP = 4
"""From one line that says something to the next: between them may stand labels on lines of their own, and blank lines."""


def _known(lines: Lines, i: int, way: int) -> tuple[int, set[str]]:
    """The last line, above or below line `i`, of those that say what a header says, and what they say. A label may stand
    between two of them, or a blank line."""
    end, kinds = i, set[str]()
    j = i + way
    while 0 <= j < len(lines.bodies) and abs(j - i) < _HEADER and abs(j - end) <= _GAP and not lines.depths[j]:
        body = lines.bodies[j]
        kind = lines.head.kind_of(body) if body else ""
        is_rest = bool(body) and lines.head.goes_on(" ".join(lines.bodies[max(j - _REST, 0) : j]), body)
        if (kind or len(body) > LABEL) and (not kind or lines.is_order(body)) and not is_rest:
            break
        if kind or is_rest:
            end = j
            kinds.add(kind or "subject")
        j += way
    return end, kinds


def _head(lines: Lines, i: int, context: _Context) -> _Head | None:
    """What stands above a quote or an original, if that is what line `i` is of; in a message no original is looked for but one
    of ours, or the message would have no end."""
    if i in context.naming and (header := header_at(lines, i)) is not None:
        return header
    head = None if i in context.memo else _head_at(lines, i)
    if head is None or i not in context.messages or not _is_of_somebody(lines, head):
        return head
    return None if _is_of_original(lines, head) else head


def _head_at(lines: Lines, i: int) -> _Head | None:
    """The head that begins or ends at line `i` by the words of mail programs."""
    last = _original_header(lines, i)
    if last is not None:
        return _Head(i, last, belongs=True)
    first = _introduction(lines, i)
    return None if first is None else _Head(first, i, belongs=False)


def _mark_head(lines: Lines, result: list[str], head: _Head) -> None:
    result[head.first : head.last + 1] = [INTRODUCTION] * (head.last + 1 - head.first)
    if head.belongs:
        _mark_rule_above(lines, result, head.first, INTRODUCTION)


def _mark_original(lines: Lines, result: list[str], head: _Head) -> None:
    """Mark everything below a head as an original without quote marks: that of a mail of ours, which a program has put there,
    or of somebody else's."""
    begin = head.first if head.belongs else head.last + 1
    reason = COPIED_MAIL if _has_letterhead(lines) and _is_of_somebody(lines, head) else EARLIER
    if head.belongs:
        _mark_rule_above(lines, result, begin, reason)
    result[begin:] = [reason] * (len(result) - begin)


def _has_letterhead(lines: Lines) -> bool:
    """Whether it is known who we are."""
    return bool(lines.head.addresses or lines.head.names)


def _is_of_somebody(lines: Lines, head: _Head) -> bool:
    """Whether a head, or what stands right below a line like "-----Original Message-----", names neither us nor our reader as
    the writer."""
    end = head.last + 1 if head.last > head.first or not head.belongs else head.last + _HEADER
    said = lines.bodies[head.first : end]
    first = lines.head.first_named(" ".join(said))
    return first == "somebody" or (not first and not lines.head.stands_in("\n".join(said)))


def _mark_rule_above(lines: Lines, result: list[str], i: int, reason: str) -> None:
    """The rule that Outlook draws above an original belongs to it."""
    above = next((j for j in range(i - 1, max(i - 4, -1), -1) if lines.bodies[j]), None)
    if above is not None and len(lines.bodies[above]) >= 5 and not lines.bodies[above].strip("_-="):
        result[above] = reason


_LOOK_AHEAD = 7
"""How many lines a header block above an original has at most, wrapped ones counted."""


def _original_header(lines: Lines, i: int) -> int | None:
    """The last line of the header block of an unquoted original that begins at line `i`, or None.

    It is a line like "-----Original Message-----", or at least three lines "label: value" with labels of mail headers, one of
    them the sender's.
    """
    body = lines.bodies[i]
    if body[0] in "-=_*" or body[-1] == ":":
        between = normal(body).strip("-=_*: ").lower()
        if between in _ORIGINAL and (body[0] in "-=_*" or body[0].isupper()):
            return i
    if _label(body) not in _LABELS:
        return None
    found: set[str] = set()
    last, seen = i, 0
    for j in range(i, min(i + 2 * _LOOK_AHEAD, len(lines.bodies))):
        if lines.depths[j] or seen == _LOOK_AHEAD or (not lines.bodies[j] and len(found) >= _MIN_LABELS):
            break
        seen += bool(lines.bodies[j])
        label = _label(lines.bodies[j])
        if label in _LABELS:
            found.add(label)
            last = j
    return last if len(found) >= _MIN_LABELS and found & SENDER_LABELS else None


_ORIGINAL = frozenset(ORIGINAL)
_LABELS = SENDER_LABELS | OTHER_LABELS
_LABEL_STARTS = frozenset(f"{label}{after}"[:2] for label in _LABELS for after in ": ")
_MIN_LABELS = 3
_LABEL_CHARS = 24


def _label(body: str) -> str:
    """What stands before the first colon of a line when it is short enough for a label, else ""."""
    head = body[: _LABEL_CHARS + 4]
    if ":" not in head and "：" not in head:
        return ""
    if head.isascii():
        return " ".join(head.partition(":")[0].split()).strip(" *_").lower()
    return normal(head).partition(":")[0].strip(" *_").lower()


_SPAN = 3
"""Over how many lines mail programs break the line that introduces a quote."""


def _introduction(lines: Lines, i: int) -> int | None:
    """The first line of what introduces a quote and ends at line `i` ("On … Ada wrote:"), or None."""
    body = lines.bodies[i]
    if body[-1] not in ":：>" or len(body) > 400:
        return None
    quote_follows = _next_is_quoted(lines, i)
    if body[-1] == ">" and not quote_follows:
        return None
    # The shortest that has all signs: what stands above may be an order that begins as some language's "on" does.
    for first in range(i, _paragraph_start(lines, i) - 1, -1):
        text = " ".join(normal(line[:400]).lower() for line in lines.bodies[first : i + 1])
        if _introduces(text, quote_follows=quote_follows, is_last=first == i):
            return first
    text = normal(body).lower()
    return i if quote_follows and (_says_wrote(text) or dated(text) or "@" in text) else None


def _introduces(text: str, *, quote_follows: bool, is_last: bool) -> bool:
    """Whether a text, in lower case, has the signs of one that introduces what stands below."""
    with_year, wrote = text[:4].isdigit(), _says_wrote(text)
    if not dated(text):
        return False
    if is_last and quote_follows and wrote:
        return True
    return (with_year or text.startswith(OPENERS)) and (wrote or (with_year and quote_follows))


def _says_wrote(text: str) -> bool:
    return any(verb in text for verb in WROTE)


def _paragraph_start(lines: Lines, i: int) -> int:
    """The first of the lines directly above line `i` that may belong to one introduction with it."""
    first = i
    while first > i - _SPAN + 1 and first > 0 and lines.bodies[first - 1] and not lines.depths[first - 1]:
        first -= 1
    return first


class _Part(NamedTuple):
    """Lines, the last of which stands above `end`, that are somebody else's, and why."""

    first: int
    end: int
    reason: str


def _tells_of_mail(lines: Lines, head: range) -> bool:
    """Whether a head is of somebody's mail even if no order stands above it: it has an address that is neither ours nor our
    reader's, and a day and a time. The head of a sheet of orders may have the address of its writer."""
    said = " ".join(lines.bodies[head.start : head.stop])
    return _has_letterhead(lines) and stamped(said) and lines.head.names_somebody(said)


_MOST_TRIES = 500


def _foreign_part(lines: Lines, i: int, context: _Context) -> _Part | None:
    """The lines of somebody else that line `i` shows to begin there: the footer of a list, or a mail that is copied in below
    an order. None in a message to others."""
    body, naming = lines.bodies[i], context.naming
    if i in context.messages:
        return None
    if body[0] == "_" and _list_footer(lines, i):
        return _Part(i, len(lines.bodies), LIST_FOOTER)
    if not may_be_of_head(body) or next(context.tries, None) is None:
        return None
    head = _head_of_copied_mail(lines, i)
    if head is None or not naming.isdisjoint(head) or not (_tells_of_mail(lines, head) or _has_order_above(lines, head.start)):
        return None
    following = range(head.stop, len(lines.bodies))
    end = next((j for j in following if lines.depths[j] or j in naming), len(lines.bodies))
    return _Part(head.start, end, COPIED_MAIL)


def _head_of_copied_mail(lines: Lines, i: int) -> range | None:
    """The head of somebody's mail of which line `i` is one; an order is no field of it, though it may look so ("Q1: 0506")."""
    head = head_of_copied_mail(lines.bodies, lines.depths, i)
    orders = {j for j in head or () if lines.bodies[j] and lines.is_taken(lines.bodies[j])}
    if not orders:
        return head
    apart = [depth or j in orders for j, depth in enumerate(lines.depths)]
    return None if i in orders else head_of_copied_mail(lines.bodies, apart, i)


def _has_order_above(lines: Lines, i: int) -> bool:
    """Whether an order, or what is like one, stands above line `i` without quote marks."""
    above = (body for body, depth in zip(lines.bodies[:i], lines.depths, strict=False) if body and not depth)
    return any(map(lines.is_order, islice(above, MOST_ASKED)))


_MAX_SIGNATURE = 10


def _signature(lines: Lines, i: int, context: _Context) -> bool:
    """Whether a signature begins, outside of a message: "-- " always; "--" without its blank only when no more follows than a
    signature has."""
    original = lines.originals[i]
    if not original.startswith("--") or original.rstrip() != "--" or i in context.messages:
        return False
    if original == "-- ":
        return True
    below = 0
    for j in range(i + 1, min(i + 1 + 2 * _MAX_SIGNATURE, len(lines.bodies))):
        if lines.depths[j]:
            break
        below += bool(lines.bodies[j])
    return below <= _MAX_SIGNATURE


def _list_footer(lines: Lines, i: int) -> bool:
    rule = lines.bodies[i]
    return len(rule) >= 30 and not rule.strip("_") and "mailing list" in "".join(lines.bodies[i + 1 : i + 2])


def _by_program(body: str) -> bool:
    start = body[:60].lower().lstrip("-_ ")
    return start[:2] in _MOBILE_STARTS and normal(start).startswith(MOBILE)


_MOBILE_STARTS = frozenset(start[:2] for start in MOBILE)
