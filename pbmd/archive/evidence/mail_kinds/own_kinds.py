"""Whether a mail of pbmd is of the kind that its header says. What is checked of a mail depends on its kind: words under a kind
of which nothing is checked would escape."""

import re
from collections.abc import Iterator, Mapping, Sequence

from pbmd.archive.appearance.html_against_text import ClaimResult
from pbmd.archive.appearance.mail_header import Own
from pbmd.archive.evidence.mail_patterns import BALLOT
from pbmd.archive.format.press_and_deadlines import in_one_line

ITS_KIND = "its kind"
_TO_SEATS = frozenset({"acknowledgement", "report", "reminder", "notice", "press", "handbook", "silence", "preview"})
_TO_OTHERS = frozenset({"alarm", "question", "hint", "refusal", "visit", "gm", "digest"})
"""Those that show no token of a seat."""
_MASTER = re.compile(r"g\d+p0")
_SAYS: Mapping[str, re.Pattern[str]] = {
    "reminder": re.compile(r": no orders of yours (?:have come|could be used|could be read) yet for "),
    "silence": re.compile(r"\bwe stop answering for a while\b"),
    "preview": re.compile(r"\bONLY A PREVIEW: "),
    "hint": re.compile(r"\bWe could not match your mail to a player\b"),
    "question": re.compile(
        r"\b[Dd]o you (?:want (?:to play|to give up your seat in|to be asked when|the public reports of|this\?)|play )"
        r"|\bdid you send this mail for |\bWhich game is your mail for\? "
    ),
}
"""What each mail of a kind says that has always the same words."""


def examine_kind(own: Own, text: str) -> Iterator[ClaimResult]:
    """Whether mails with a header like this have such a text, of which the lines of others are masked."""
    if not text.strip():
        return
    is_to_seat = bool(own.seat) and _MASTER.fullmatch(own.seat) is None
    says = _SAYS.get(own.kind)
    if own.kind not in _TO_SEATS | _TO_OTHERS:
        yield ClaimResult(ITS_KIND, own.kind, None, f'pbmd sends no mails of the kind "{own.kind}"')
    elif is_to_seat and own.kind in _TO_OTHERS:
        yield ClaimResult(ITS_KIND, own.kind, None, f'pbmd sends no mails of the kind "{own.kind}" to seats')
    elif says is not None and says.search(text) is None:
        yield ClaimResult(ITS_KIND, own.kind, None, f'it does not say what each mail of the kind "{own.kind}" says')


_OF_VOTE = re.compile(r"\bRECEIPT of [a-z0-9-]{1,64}, vote (?P<vote>\d{1,9}), for ")
_STATED = re.compile(
    r"\bYou have (?:voted (?:yes|no)|no ballot) in vote (?P<vote>\d{1,9}),"
    r"|\bVote (?P<own>\d{1,9}) has begun, on [^.]{1,1000}\. You have voted yes\. "
)
_VOTED = re.compile(r"\b[Yy]ou have voted\b")


def examine_vote(text: str, files: Sequence[str]) -> Iterator[ClaimResult]:
    """Whether an answer to a vote states the ballot in the words in which each such answer does."""
    proved = {found["vote"] for each in files if (found := _OF_VOTE.search(in_one_line(each)))}
    stated = {found["vote"] or found["own"] for found in _STATED.finditer(text)}
    if lacking := sorted(proved - stated):
        yield ClaimResult(BALLOT, "", None, f"it states no ballot in vote {', '.join(lacking)}, as each such answer does")
    elif len(_VOTED.findall(_STATED.sub("", text))):
        yield ClaimResult(BALLOT, "", None, "it states a ballot in other words than each such answer does")
