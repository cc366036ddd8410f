"""The eleven things that happen to games by mail everywhere, as `docs/did-not-arrive.md` numbers them, and which of them the
lines of other commands are signs of."""

import re
from collections.abc import Iterable, Iterator
from enum import IntEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # the reader of letters need not be loaded where there is no letter
    from pbmd.post.read.letter import Letter

PAGE = "did-not-arrive"
"""The page, as `pbmd docs` calls it."""


class Symptom(IntEnum):
    """The number of a chapter of that page."""

    SPAM = 1
    LOGIN = 2
    FORWARDED = 3
    MAILING_LIST = 4
    PLUS_ADDRESS = 5
    LOOP = 6
    FULL = 7
    CLOCK = 8
    QUOTE = 9
    ATTACHMENT = 10
    UNREADABLE = 11


def more(*symptoms: Symptom) -> str:
    """The commands that tell more of these, for the end of a line; empty if there are none."""
    return ", ".join(f"pbmd docs {PAGE} {symptom.value}" for symptom in sorted(set(symptoms)))


_ALONE = r"(?<!mail )(?<![\d.])"
"""Before a code: it is neither the number of a mail nor part of an address."""
_OF_REFUSALS: tuple[tuple[str, Symptom], ...] = (
    (rf"{_ALONE}(?:552\b(?!\W5\.(?!2\.2))|[45]\.2\.2\b)|quota|mailbox (?:is )?full|over ?quota", Symptom.FULL),
    # Codes of logins (RFC 4954), and those of Gmail and Microsoft 365, before what else begins with 5.7.
    (rf"{_ALONE}535\b|{_ALONE}5\.7\.(?:8|9|14|139)\b", Symptom.LOGIN),
    (rf"{_ALONE}[45]\.7\.\d+\b(?!\.)|\bspam|blocked|black ?list|reputation|\bSPF\b|\bDKIM\b|\bDMARC\b", Symptom.SPAM),
    (r"authentication (?:failed|unsuccessful)|username and password", Symptom.LOGIN),
)
"""What mail servers say, the first that fits."""
PUT_OFF = " puts off the login of "
"""So the detail says that a refused login has nothing to do with the password; it is a sign of nothing but that."""
_ANY = ""
_OF_LOG: tuple[tuple[str, str, tuple[Symptom, ...]], ...] = (
    ("imap-lost", r"no letters just now|fetching letters", (Symptom.UNREADABLE,)),
    ("no-text", _ANY, (Symptom.UNREADABLE,)),
    ("letter-given-up", _ANY, (Symptom.UNREADABLE,)),
    ("imap-refused", _ANY, (Symptom.LOGIN,)),
    ("smtp-lost", r"\b535\b|[Aa]uthentication|refused the login|password", (Symptom.LOGIN,)),
    ("held", r"does not vouch", (Symptom.FORWARDED,)),
    ("held", r"another sender's address", (Symptom.FORWARDED,)),
    ("held", r"no token", (Symptom.PLUS_ADDRESS,)),
    ("letter", r"no token", (Symptom.PLUS_ADDRESS,)),
    ("letter", r"mailing list|Precedence: list", (Symptom.MAILING_LIST,)),
    ("unheard", _ANY, (Symptom.MAILING_LIST,)),
    ("letter", r"vacation|Auto-Submitted|Precedence: ", (Symptom.LOOP,)),
    ("brake", _ANY, (Symptom.LOOP,)),
    ("late", _ANY, (Symptom.CLOCK,)),
    ("seen-late", _ANY, (Symptom.SPAM,)),
    ("server-clock", _ANY, (Symptom.CLOCK,)),
    ("refused", r"no usable orders", (Symptom.QUOTE, Symptom.ATTACHMENT)),
)
"""Word of the log, what stands in its detail, and what that is a sign of: the first that fits."""
_REFUSALS = ("unsent", "bounce", "imap-lost", "smtp-lost")
"""Words of the log whose detail has what a mail server said."""


def of_refusal(said: str) -> tuple[Symptom, ...]:
    """What a mail server's words are a sign of."""
    return tuple(symptom for pattern, symptom in _OF_REFUSALS if re.search(pattern, said, re.IGNORECASE))[:1]


def of_log(what: str, detail: str) -> tuple[Symptom, ...]:
    """What a line of the log is a sign of."""
    if PUT_OFF in detail:
        return ()
    for word, pattern, symptoms in _OF_LOG:
        if word == what and re.search(pattern, detail):
            return symptoms
    return of_refusal(detail) if what in _REFUSALS else ()


def of_letter(letter: "Letter", note: str) -> tuple[Symptom, ...]:
    """What a letter that came, with the note beside it, is a sign of."""
    found = [*of_log("letter", note or letter.automatic)]
    if letter.left_out and not letter.lines:
        found.append(Symptom.QUOTE)
    if any(file.unread for file in letter.files):
        found.append(Symptom.ATTACHMENT)
    return tuple(sorted(set(found)))


def of_receipt(words: str) -> tuple[Symptom, ...]:
    """What the words on what became of orders are a sign of."""
    if "too late" in words:
        return (Symptom.CLOCK,)
    return (Symptom.QUOTE, Symptom.ATTACHMENT) if "they were refused" in words else ()


def more_told(signs: Iterable[tuple[str, tuple[Symptom, ...]]]) -> Iterator[str]:
    """From what was seen, and what each of it is a sign of, a line for each chapter that helps: ``late: pbmd docs …``."""
    seen: dict[tuple[Symptom, ...], dict[str, None]] = {}
    for what, symptoms in signs:
        if symptoms:
            seen.setdefault(symptoms, {})[what] = None
    for symptoms in sorted(seen):
        yield f"{', '.join(seen[symptoms])}: {more(*symptoms)}"
