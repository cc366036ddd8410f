"""What stands above a mail of somebody that is copied in without quote marks, in whatever language: no words tell it, but an
address, a day and a time, and how the lines around them are laid out."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile

from pbmd.post.lines.letterhead import LABEL, Letterhead, dated, names_day, stamped
from pbmd.post.lines.mail_program_words import OTHER_LABELS, SENDER_LABELS
from pbmd.post.lines.text import normal

_LOOK_AROUND = 7
"""So many lines above and below one may be of the same head."""
_LONGEST = 400
"""So much of each line is looked at: as one is looked at for each line around it, long ones would take seconds."""
_SPAN = 3
"""Over how many lines mail programs break the line that introduces a mail."""
_FIELDS = 3
"""A header has so many fields; of one with a name before an address it may be one less."""
_NAME_WORDS = 3
_FIELD = re.compile(r"[*_]{0,2}[^\W\d_][^:：<@]{0,23}[:：]\s*\S")
"""A label and what it says; the label may be between the marks of bold."""
_NAMED = re.compile(r"[^\W_][\"'’”]? ?[<(\[](?:mailto:)?[^<>()\[\]\s]+@", re.IGNORECASE)
"""A name, and its address in brackets."""
_RULE_WITH_WORDS = re.compile(r"[-=_*]{3,} ?[^\W_][^-=_*]{0,60} ?[-=_*]{3,}")
_WORD = re.compile(r"[^\W\d_]{2,}")
_SENTENCE_ENDS = ".!?,;"
_STAMP_ENDS = ")]"
_MEMO_WORDS = frozenset(
    (
        *("the", "my", "our", "for", "of", "and", "order", "orders", "move", "moves", "turn", "game"),
        *("gm", "gamemaster", "master", "judge", "host", "moderator", "referee", "pbmd"),
    )
)
"""What the fields of a memo say besides numbers and who sends it: what it is about, and that it is to the game master."""


@dataclass(frozen=True, slots=True)
class _Paragraph:
    """Unquoted lines one below the other, and where the first of them stands; whether the lines above and below are blank."""

    first: int
    bodies: Sequence[str]
    is_apart_above: bool
    is_apart_below: bool

    def part(self, begin: int, end: int) -> range:
        """The numbers of its lines from one to another, that one excluded."""
        return range(self.first + begin, self.first + end)


def head_of_copied_mail(bodies: Sequence[str], depths: Sequence[int], i: int) -> range | None:
    """The lines that introduce a mail of somebody, of which line `i`, which `may_be_of_head`, is one; None if it seems to be of
    nothing of the kind."""
    paragraph = _paragraph(bodies, depths, i)
    return (
        _header(paragraph.first, paragraph.bodies)
        or _parted_header(bodies, depths, i)
        or _below_rule(paragraph)
        or _introduction(paragraph, i - paragraph.first)
    )


def head_of_memo(bodies: Sequence[str], depths: Sequence[int], head: Letterhead) -> range:
    """The lines at the top of a letter with which its writer has headed it, as a memo: fields, of which the sender's has the
    name of the seat. The header of a mail has addresses, or names who gets it, or says what it is about; nothing in it may."""
    begin = next((i for i, body in enumerate(bodies) if body), len(bodies))
    if not head.seat or begin == len(bodies) or not _FIELD.match(bodies[begin]):
        return range(0)
    lines = list(_run(bodies, begin, 1, lambda i: not depths[i] and _FIELD.match(bodies[i]) is not None, _MEMO_LINES))
    is_mail = any("@" in bodies[i] or head.kind_of(bodies[i]) in ("from", "subject") for i in lines)
    is_memo = not is_mail and _is_memo_of(head.seat, [_field(bodies[i]) for i in lines])
    return range(lines[0], lines[-1] + 1) if is_memo else range(0)


def _is_memo_of(name: str, fields: Sequence[tuple[str, list[str]]]) -> bool:
    """Whether fields are from the seat of that name, and none says what one of somebody's mail would."""
    seat = _TOKEN.findall(name.casefold())
    is_ours = any(label in SENDER_LABELS and value == seat for label, value in fields)
    return is_ours and all(_is_of_memo(label, value, seat) for label, value in fields if label in SENDER_LABELS | OTHER_LABELS)


_MEMO_LINES = 12
_TOKEN = re.compile(r"[^\W_]+")


def _field(body: str) -> tuple[str, list[str]]:
    """The label of a field in small letters, and the words behind it."""
    label, _, value = normal(body[:_LONGEST]).casefold().partition(":")
    return label.strip(" *_")[:LABEL], _TOKEN.findall(value)


def _is_of_memo(label: str, value: Sequence[str], seat: Sequence[str]) -> bool:
    """Whether a field with a label of mails says nothing that one of somebody's mail would: it has the seat and nobody else, a
    day and nothing before it, or what it is about."""
    if label in SENDER_LABELS:
        return list(value) == list(seat)
    is_day = value[:1] and (value[0].isdigit() or value[0][:3] in _WEEKDAYS) and dated(" ".join(value))
    is_about_orders = _MEMO_WORDS.issuperset(word for word in value if not word.isdigit())
    return bool(is_day) or is_about_orders or _MEMO_WORDS.union(seat).issuperset(value)


_WEEKDAYS = frozenset(("mon", "tue", "wed", "thu", "fri", "sat", "sun"))


def _paragraph(bodies: Sequence[str], depths: Sequence[int], i: int) -> _Paragraph:
    def is_own(j: int) -> bool:
        return bodies[j] != "" and not depths[j]

    first, last = min(_run(bodies, i, -1, is_own)), max(_run(bodies, i, 1, is_own))
    return _Paragraph(
        first, _starts(bodies, first, last), not any(bodies[max(first - 1, 0) : first]), not any(bodies[last + 1 : last + 2])
    )


def _starts(bodies: Sequence[str], first: int, last: int) -> list[str]:
    return [body[:_LONGEST] for body in bodies[first : last + 1]]


def _run(bodies: Sequence[str], i: int, way: int, holds: Callable[[int], bool], most: int = _LOOK_AROUND) -> Iterator[int]:
    """The lines from line `i` on, one way, as long as something holds for them."""
    end = max(i - most, -1) if way < 0 else min(i + most, len(bodies))
    return takewhile(holds, range(i, end, way))


def _header(first: int, bodies: Sequence[str]) -> range | None:
    """The header of a mail: most of its lines are fields, of which one has a day and a time, or a day beside two addresses. The
    fields of a signature have a year at most."""
    found = [place for place, body in enumerate(bodies) if _FIELD.match(body)]
    if not found:
        return None
    begin, end = found[0], found[-1] + 1
    said = [body for body in bodies[begin:end] if body]
    is_named = _NAMED.search(" ".join(said)) is not None
    if len(found) < _FIELDS - is_named or 2 * len(found) <= len(said):
        return None
    broken = [" ".join(pair) for pair in pairwise(said)]
    is_to_somebody = is_named or sum("@" in body for body in said) > 1
    is_dated = any(map(stamped, broken)) or (is_to_somebody and any(map(names_day, said)))
    return range(first + begin, first + end) if is_dated else None


def _parted_header(bodies: Sequence[str], depths: Sequence[int], i: int) -> range | None:
    """The same with blank lines between its fields."""
    if not _FIELD.match(bodies[i]):
        return None

    def is_of_fields(j: int) -> bool:
        return not depths[j] and (not bodies[j] or _FIELD.match(bodies[j]) is not None)

    first = min(_run(bodies, i, -1, is_of_fields, 2 * _LOOK_AROUND))
    last = max(_run(bodies, i, 1, is_of_fields, 2 * _LOOK_AROUND))
    return _header(first, _starts(bodies, first, last))


def _below_rule(paragraph: _Paragraph) -> range | None:
    """The lines below a rule with words in it, as "---- Forwarded ----", up to the last with an address or a day and a time: a
    name with its address is among them, or an address and a day."""
    if not _RULE_WITH_WORDS.fullmatch(paragraph.bodies[0]):
        return None
    telling = [place for place, body in enumerate(paragraph.bodies) if place and ("@" in body or stamped(body))]
    said = " ".join(paragraph.bodies[1:])
    is_head = _NAMED.search(said) is not None or ("@" in said and names_day(said))
    return paragraph.part(0, telling[-1] + 1) if telling and is_head else None


def _introduction(paragraph: _Paragraph, place: int) -> range | None:
    """The line, or up to three, with which a paragraph begins that introduces a mail: they end in a colon, or stand alone and
    do not end as a sentence does."""
    bodies = paragraph.bodies
    if place >= _SPAN or not paragraph.is_apart_above:
        return None
    end = next((n + 1 for n in range(place, min(_SPAN, len(bodies))) if normal(bodies[n])[-1:] == ":"), None)
    if end is not None:
        is_alone = end == len(bodies) and paragraph.is_apart_below
        return paragraph.part(0, end) if _introduces(" ".join(bodies[:end]), is_alone=is_alone) else None
    if place == 0 and _is_name_with_time(bodies[0]):
        return paragraph.part(0, 1)
    said = " ".join(bodies)
    is_head = len(bodies) <= _SPAN and said[-1] not in _SENTENCE_ENDS and _NAMED.search(said) is not None
    return paragraph.part(0, len(bodies)) if is_head and names_day(said) else None


def _introduces(text: str, *, is_alone: bool) -> bool:
    """Whether a text that ends in a colon introduces somebody's mail."""
    return _NAMED.search(text) is not None or ("@" in text and dated(text)) or (is_alone and stamped(text))


def _is_name_with_time(body: str) -> bool:
    """Whether a line is a name and when something was said, as programs for chats have it."""
    is_between = body[0].isalpha() and (body[-1].isdigit() or body[-1] in _STAMP_ENDS)
    return is_between and stamped(body) and len(_WORD.findall(body)) <= _NAME_WORDS
