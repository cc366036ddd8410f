"""Which mails are of one kind: those of a template, told apart further where readers would."""

import re
from collections.abc import Iterable

from tests.docs.mails.found import Found

_PLAYED = "report-{slug}"
_SORTS: tuple[tuple[str, str, str], ...] = (
    # template or kind, words of the subject, and what such a mail is called
    ("report", r"the game begins", "report-first-{slug}"),
    ("report", r"is over|has won|have won|abandoned", "report-last-{slug}"),
    ("report", "", _PLAYED),
    ("public_report", "", "public-report"),
    ("acknowledgement", r"in a quote", "orders-in-a-quote"),
    ("acknowledgement", r"in the subject", "orders-in-the-subject"),
    ("acknowledgement", r"encrypted", "encrypted"),
    ("acknowledgement", r"what (they were|it was)", "orders-as-they-were"),
    ("acknowledgement", r"refused", "orders-some-refused"),
    ("acknowledgement", r"NOT TAKEN", "orders-nothing-taken"),
    ("acknowledgement", r"too late for", "orders-too-late"),
    ("acknowledgement", r"not taken|nothing taken", "orders-not-taken"),
    ("acknowledgement", r"orders replaced", "orders-replaced"),
    ("acknowledgement", r"orders added", "orders-joined"),
    ("acknowledgement", r"no orders in to cancel", "cancel-nothing"),
    ("acknowledgement", r": orders in$", "orders-in"),
    ("acknowledgement", r"move waits", "move-held"),
    ("acknowledgement", r"status", "status"),
    ("acknowledgement", r"report of", "report-again"),
    ("acknowledgement", r"help", "help"),
    ("acknowledgement", r"rules", "rules-chapter"),
    ("acknowledgement", r"what came of it", "what-came-of-it"),
    ("acknowledgement", "", "answer"),
    ("notice", r"deadline", "notice-deadline"),
    ("notice", r"paused|stands", "notice-paused"),
    ("notice", r"resumed", "notice-resumed"),
    ("notice", r"looked at", "notice-looked-at"),
    ("gm_answer", r"(?i)status", "gm-status"),
    ("gm_answer", r"(?i)log", "gm-log"),
    ("gm_answer", r"(?i)help", "gm-help"),
    ("handbook", "", "handbook"),
    ("ask_join", r"friday", "ask-join-by-preference"),
    ("welcome", r"friday", "welcome-by-preference"),
    ("visit", r"games", "list-of-games"),
)  # fmt: skip


_MISSED = re.compile(r"^ +You (?:sent no orders|made no move)", re.MULTILINE)
"""Stands in the report of a turn that its reader missed."""
_YOU = re.compile(r"^YOU\n((?:.+\n)*)", re.MULTILINE)
_TEXTS: tuple[tuple[str, str], ...] = (
    (r"These orders are final", "orders-final"),
    (r"\(none: you do nothing", "orders-none-on-purpose"),
    (r"(?s)nothing in your mail could be used as orders.*# Train", "orders-all-refused"),
)
"""Answers whose subjects do not tell of which sort they are: words that stand in their text."""


def sort_of(mail: Found, slug: str) -> str:
    """What kind of mail it is, as the name of a file."""
    for words, name in _TEXTS:
        if mail.template == "acknowledgement" and re.search(words, mail.text):
            return name
    for of, words, name in _SORTS:
        if name == _PLAYED and of == mail.template and _MISSED.search(mail.text):
            return "report-missed"
        if of == (mail.template or mail.kind) and re.search(words, mail.subject):
            return name.format(slug=slug.replace("_", "-"))
    return (mail.template or mail.kind).replace("_", "-")


def first_of_each(mails: Iterable[Found], slug: str) -> dict[str, Found]:
    """The first mail of each kind, by what it is called; of turns that were played the report that tells its reader most."""
    chosen: dict[str, Found] = {}
    for mail in mails:
        name = sort_of(mail, slug)
        kept = chosen.setdefault(name, mail)
        if name == _PLAYED.format(slug=slug.replace("_", "-")) and _told(mail) > _told(kept):
            chosen[name] = mail
    return chosen


def _told(mail: Found) -> int:
    """How many lines a report has for its reader alone."""
    found = _YOU.search(mail.text)
    return found[1].count("\n") if found else 0
