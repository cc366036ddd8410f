"""Whether a mail of pbmd is of the kind that its header says. What is checked of a mail depends on its kind: words under a kind
of which nothing is checked would escape."""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from pbmd.archive.appearance.finding import Finding, not_compared, said_besides
from pbmd.archive.appearance.mail_header import Own
from pbmd.archive.evidence.mail_patterns import BALLOT, NOTICE, PRESS, WITH_REPORT, beyond, fixed_sentences, press_mail
from pbmd.archive.format.press_and_deadlines import in_one_line, moment_in
from pbmd.rendering.entry_notices import TIME

ITS_KIND = "its kind"
_TO_SEATS = frozenset({"acknowledgement", "report", "reminder", "notice", "press", "handbook", "silence", "preview"})
_TO_OTHERS = frozenset({"alarm", "question", "hint", "refusal", "visit", "gm", "digest"})
"""Those that show no token of a seat."""
_MASTER = re.compile(r"g\d+p0")
_SAYS: Mapping[str, re.Pattern[str]] = {
    "reminder": re.compile(r": no orders of yours (?:have come|could be used|could be read) yet for "),
    "silence": re.compile(
        r"This address has sent us so many mails that we stop answering for a while, in case two programs are answering each "
        r"other\. Nothing that you send is lost: your mails are still read, and orders in them count\. \(If we cannot tell "
        rf"that a mail is yours, we ask you first\.\) Answers come again after {TIME}\."
    ),
    "press": re.compile(r"\bPress in [a-z0-9-]{1,64}, [^:]{1,80} From: "),
    "preview": re.compile(r"\bONLY A PREVIEW: "),
    "hint": re.compile(r"\bWe could not match your mail to a player\b"),
    "question": re.compile(
        r"\b[Dd]o you (?:want (?:to play|to give up your seat in|to be asked when|the public reports of|this\?)|play )"
        r"|\bdid you send this mail for |\bWhich game is your mail for\? |\bTo say yes, reply to this mail with the word YES\b"
    ),
}
"""What each mail of a kind says that has always the same words."""
_ANYTHING = re.compile("")
_UNTIL = re.compile(rf"\bAnswers come again after (?P<until>{TIME})")
_WHOLE = frozenset({"silence"})
"""The kinds that say no more than that."""
_NEW_DICE = re.compile(r"[a-z0-9-]{1,64}: new dice for [^.]{1,80}, since ")
_BELOW_PRESS = (
    r"To answer, (?:reply with PRESS TO @writer your text END PRESS|write to .{1,2000}? or to one player with PRESS TO, as far "
    r"as the rules let you now\. STATUS says to whom\.)|Only PRESS TO ALL reaches whoever wrote this\."
)


def examine_kind(own: Own, text: str) -> Iterator[Finding]:
    """Whether mails with a header like this have such a text, of which the lines of others are masked."""
    if not text.strip():
        return
    is_to_seat = bool(own.seat) and _MASTER.fullmatch(own.seat) is None
    says = _SAYS.get(own.kind)
    is_one = any(each.search(text) for each in (WITH_REPORT if own.kind == "report" else [says] if says else [_ANYTHING]))
    if own.kind not in _TO_SEATS | _TO_OTHERS:
        yield Finding(ITS_KIND, own.kind, None, f'pbmd sends no mails of the kind "{own.kind}"')
    elif is_to_seat and own.kind in _TO_OTHERS:
        yield Finding(ITS_KIND, own.kind, None, f'pbmd sends no mails of the kind "{own.kind}" to seats')
    elif not is_one:
        yield Finding(ITS_KIND, own.kind, None, f'it does not say what each mail of the kind "{own.kind}" says')
    elif own.kind == NOTICE:
        yield from _of_new_dice(text)
    elif says is not None and own.kind in _WHOLE and (more := says.sub("", text, 1).strip()):
        yield said_besides(ITS_KIND, own.kind, more)


def _of_new_dice(text: str) -> Iterator[Finding]:
    """Whether a mail that dice are promised anew says no more than each does."""
    more = " ".join(filter(None, beyond(text, fixed_sentences("new dice")))) if _NEW_DICE.search(text) else ""
    if more:
        yield said_besides(ITS_KIND, NOTICE, more)


def examine_press(lines: str) -> Iterator[Finding]:
    """Whether a mail that passes press on says no more around it than each does."""
    found = press_mail(lines)
    if found is None:
        yield not_compared(ITS_KIND, PRESS, "its lines are not those of press")
        return
    below = in_one_line(found.string[found.end() :])
    says = re.match(_BELOW_PRESS.replace("@writer", re.escape(in_one_line(found["writer"]))), below)
    if says is None:
        yield Finding(ITS_KIND, PRESS, None, f'it does not say what each mail of the kind "{PRESS}" says')
        return
    above = in_one_line(found.string[: found.start("game")]).removesuffix("Press in")
    if more := f"{above} {below[says.end() :]}".strip():
        yield said_besides(ITS_KIND, PRESS, more)


def silent_until(text: str) -> datetime | None:
    """Until when there are no answers, as a mail says in this text; None if it does not."""
    found = _UNTIL.search(text)
    return moment_in(found["until"].partition(" (")[0]) if found else None


_OF_VOTE = re.compile(r"\bRECEIPT of [a-z0-9-]{1,64}, vote (?P<vote>\d{1,9}), for ")
_STATED = re.compile(
    r"\bYou have (?:voted (?:yes|no)|no ballot) in vote (?P<vote>\d{1,9}),"
    r"|\bVote (?P<own>\d{1,9}) has begun, on .{1,1000}?\. You have voted yes\. "
)
_VOTED = re.compile(r"(?<!; )\b[Yy]ou have voted\b")
"""Behind a semicolon it ends a row of a list of open votes."""


def examine_vote(text: str, files: Sequence[str]) -> Iterator[Finding]:
    """Whether an answer to a vote states the ballot in the words in which each such answer does."""
    proved = {found["vote"] for each in files if (found := _OF_VOTE.search(in_one_line(each)))}
    stated = {found["vote"] or found["own"] for found in _STATED.finditer(text)}
    if lacking := sorted(proved - stated):
        yield Finding(BALLOT, "", None, f"it states no ballot in vote {', '.join(lacking)}, as each such answer does")
    elif len(_VOTED.findall(_STATED.sub("", text))):
        yield Finding(BALLOT, "", None, "it states a ballot in other words than each such answer does")
