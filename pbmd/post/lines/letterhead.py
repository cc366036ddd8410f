"""What the header of our own mails says; by it a heading above a copy is recognised in any language."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from pbmd.post.lines.text import key, normal

Named = Literal["", "us", "reader", "somebody"]
"""Whose address it is: ours, that of who gets our mails, another; "" if there is none."""


@dataclass(frozen=True, slots=True)
class Letterhead:
    """Who our mails are from, to whom, and about what, as the header of a copy says it; all in lower case. `titles` are the
    whole subjects, as keys; `seat` is what the reader of our mails is called in the game."""

    addresses: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    recipients: tuple[str, ...] = ()
    subjects: tuple[str, ...] = ()
    titles: tuple[str, ...] = ()
    seat: str = ""

    def stands_in(self, text: str) -> bool:
        """Whether our address or our name is in a text."""
        plain = " ".join([normal(line) for line in text.split("\n")]).casefold()
        return _stands_in(self.addresses, plain) or _stands_in(self.names, plain)

    def introduces(self, text: str) -> bool:
        """Whether it names us as the writer: by our address, or by our name and a date."""
        plain = _plain(text)
        return _stands_in(self.addresses, plain) or (_stands_in(self.names, plain) and dated(plain))

    def first_named(self, text: str) -> Named:
        """Whose address stands first in a text, as in the header of a mail that of its writer does."""
        for named in self._named(text):
            return named
        return ""

    def names_somebody(self, text: str) -> bool:
        """Whether an address stands in the text that is neither ours nor the reader's of our mails."""
        return "somebody" in self._named(text)

    def _named(self, text: str) -> Iterator[Named]:
        ours, readers = (frozenset(map(_without_tag, each)) for each in (self.addresses, self.recipients))
        for found in _ADDRESS.finditer(normal(text[:_LONGEST_HEAD]).casefold()):
            address = _without_tag(found[0])
            yield "us" if address in ours else "reader" if address in readers else "somebody"

    def kind_of(self, line: str) -> str:
        """Which part of a header a line is: "from", "to", "subject" or "date"; empty if none that is known."""
        plain = _plain(line)
        if _stands_in(self.addresses, plain) or _stands_in(self.names, plain):
            return "from"
        if _stands_in(self.subjects, plain):
            return "subject"
        if _stands_in(self.recipients, plain):
            return "to"
        return "date" if dated(plain) else ""

    def goes_on(self, above: str, line: str) -> bool:
        """Whether a line is a further piece of a subject that begins above it, and that a mail program has broken."""
        said = key(f"{above[-_LONGEST:]} {line[:_LONGEST]}")
        return any((at := said.find(title[:_TAG])) >= 0 and title.startswith(said[at:]) for title in self.titles)

    def greets(self, line: str) -> bool:
        """Whether a short line addresses us by the name before the @, as some programs do above a quote."""
        plain = _plain(line)
        return len(plain) <= LABEL and any(address.partition("@")[0] in plain for address in self.addresses)


def letterhead(senders: Iterable[tuple[str, str]], recipients: Iterable[str] = (), subjects: Iterable[str] = ()) -> Letterhead:
    """The letterhead of mails from these names and addresses, to these addresses, with these subjects."""
    pairs, about = list(senders), [subject for subject in subjects if subject]
    return Letterhead(
        tuple(dict.fromkeys(_plain(address) for _, address in pairs if address)),
        tuple(dict.fromkeys(_plain(name) for name, _ in pairs if name)),
        tuple(dict.fromkeys(_plain(address) for address in recipients if address)),
        tuple(dict.fromkeys(tag for subject in about if (tag := _tag(subject)))),
        tuple(dict.fromkeys(key(subject) for subject in about)),
    )


_TAG = 12
"""Characters of a subject by which it is found: more of it may stand in another line."""
_IN_BRACKETS = re.compile(r"\[[^\[\]]+\]")


def _tag(subject: str) -> str:
    """What all answers keep of a subject: the part in brackets, or all of it."""
    plain = _plain(subject)
    found = _IN_BRACKETS.search(plain)
    return found[0] if found else plain


def _plain(text: str) -> str:
    return normal(text[:_LONGEST]).casefold()


def _stands_in(words: Iterable[str], plain: str) -> bool:
    return any(word in plain for word in words)


_ADDRESS = re.compile(r"[^\s<>()\[\]:;,\"'“”]{1,64}@[^\s<>()\[\]:;,\"'“”]{1,255}")
_LONGEST_HEAD = 2000


def _without_tag(address: str) -> str:
    """An address without what stands behind a plus in it."""
    local, at, domain = address.partition("@")
    return f"{local.partition('+')[0]}{at}{domain}"


_LONGEST = 400
LABEL = 24
"""Characters of a label, as "From:", in any language, and of a greeting."""


_DATE = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)|\d[:.h]\d\d(?!\d)|\d{1,2}[./]\d{1,2}[./]\d\d")


def dated(text: str) -> bool:
    """Whether a year, a time or a date stands in the text, as every mail program writes when it introduces a quote."""
    return _DATE.search(_with_digits(text)) is not None


_YEAR = r"(?<!\d)(?:19|20)\d\d(?!\d)"
_DAY = re.compile(
    rf"{_YEAR}\D{{1,20}}?\d{{1,2}}(?!\d)|(?<![\d.])\d{{1,2}}\D{{1,20}}?{_YEAR}|"
    rf"(?<![\d./])\d{{1,2}}[./]\d{{1,2}}[./]\d\d(?![\d./])|(?<!\d)\d{{1,2}} \d\d:\d\d(?::\d\d)?(?: [+-]?\w{{1,5}})? {_YEAR}"
)
_TIME = re.compile(r"(?<![\d.:])\d{1,2}[:.h]\d\d(?![.:]?\d{2}[.:])")


def names_day(text: str) -> bool:
    """Whether a day stands in the text: not a year alone, as of a firm, nor a number of a telephone."""
    return _DAY.search(_with_digits(text)) is not None


def stamped(text: str) -> bool:
    """Whether a day and a time stand in the text, as in the header of a mail, and hardly anywhere else."""
    return _has_time(text) and _DAY.search(_with_digits(text)) is not None


def _has_time(text: str) -> bool:
    """Whether a time stands in the text, in digits of any script."""
    return _TIME.search(text) is not None


def _with_digits(text: str) -> str:
    return text if text.isascii() else "".join(map(_digit, text))


def _digit(sign: str) -> str:
    """A digit of any script as that of ours, any other character as it is."""
    return str(unicodedata.digit(sign)) if sign.isdecimal() else sign


NO_LETTERHEAD = Letterhead()


def may_have_head(bodies: Sequence[str]) -> bool:
    """Whether one of the lines may be of a mail's head: of most letters one look at all of them tells that none is."""
    text = "\n".join(bodies)
    return ("@" in text or _has_time(text)) and any(map(may_be_of_head, bodies))


def may_be_of_head(body: str) -> bool:
    """Whether a line has an address, or a day and a time, as what stands above a mail has."""
    return "@" in body or stamped(body)
