"""The subject of a mail, made again from its text: a list of mails shows little else.

What programs do to subjects on the way is none of it: marks before the name of the game, those of a reply or a list among them;
an end that is cut off; other signs in place of letters that are not ASCII.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import product
from typing import NamedTuple

from pbmd.archive.appearance.finding import Finding, not_compared
from pbmd.archive.appearance.mail_header import Own
from pbmd.archive.evidence.mail_kinds.subject_rows import ATTACHED, DUE, ROWS, ZONE, Row, days_of, times_of
from pbmd.archive.format.press_and_deadlines import SAID_LINE, in_one_line, without_said
from pbmd.ledger.tables import called
from pbmd.rules.words import counted

SUBJECT = "its subject"
_not_compared = partial(not_compared, SUBJECT, "")
_ROOM, _LONGEST = 70, 500
"""In characters: what would be longer, pbmd cuts; and how much is looked at of what may stand there besides."""
_SUBJECT = re.compile(
    r"(?P<before>.*?)(?P<tag>\[pbmd(?: (?P<game>[a-z0-9-]{1,64}))?(?: t(?P<turn>\d{1,6})(?: (?P<name>[^\]]{1,60}))?)?\] ?)"
    r"(?P<words>.*?)(?: \([a-z0-9]{1,9}\.[a-z2-7]{16}\))?"
)
_MARKS = re.compile(r"(?>\[[^\]]{1,60}\]|\{[^}]{1,60}\}|\*+[^*]{1,30}\*+|\w{1,12}(?:\[\d\])?\s?[:：]|\s)*")
"""What programs, lists and gateways put before a subject."""
_BEHIND = re.compile(r"(?<![\])])(?:\s(?:\[[^\]]{1,60}\]|\([^)]{1,60}\)))+$")
"""What they put behind one."""


def examine_subject(own: Own, subject: str, lines: str) -> Iterator[Finding]:
    """Whether a subject is that of a mail with this text, in which the lines of others are marked; the value is what it calls
    its reader."""
    text, parts = f"{without_said(lines)} ", _SUBJECT.fullmatch(in_one_line(subject)[:_LONGEST])
    if parts is None or not text.strip():
        return
    if not _MARKS.fullmatch(parts["before"]):
        yield _not_compared(f'"{parts["before"][:80]}" stands in front')
    words, room = parts["words"], _ROOM - len(parts["tag"])
    match, can_be = _first_said(text, words)
    fitting = next((each for each in can_be if _is_same(each.words, each.made, room)), None)
    if fitting is None:
        fitting = next((each for each in _without_more(words) if _is_heading(each.words, lines, text, room)), None)
    step = _other_step(parts, match) if match and fitting else None
    if step:
        yield Finding(SUBJECT, "", None, f"it says {step[0]}, and its text {step[1]}")
    elif fitting:
        yield Finding(SUBJECT, fitting.seat, True, "it is that of its text")
    else:
        yield from _without_marks(own, subject, lines) or ([_unlike(words, match, can_be)] if own.seat else [])


def begins_as_sent(own: Own, subject: str, above: str, lines: str) -> bool:
    """Whether a text with this subject begins with these lines: no words of ours begin above, and the subject may be theirs."""
    first, _ = first_said(f"{without_said(above)} ")
    return first is None and any(each.holds for each in examine_subject(own, subject, lines))


def _without_marks(own: Own, subject: str, lines: str) -> list[Finding]:
    """The result for a subject without the marks that stand behind it, if that is the one of its text."""
    behind = _BEHIND.search(subject)
    found = [*examine_subject(own, subject[: behind.start()], lines)] if behind else []
    marks = behind[0].strip()[:80] if behind else ""
    return [*found, _not_compared(f'"{marks}" stands behind')] if any(each.holds for each in found) else []


def first_said(text: str) -> tuple[re.Match[str] | None, Row]:
    """What a text in one line says first of all that has a row, and that row."""
    found = [(match.start(), place, match) for place, row in enumerate(ROWS) if (match := row.says.search(text))]
    _, place, match = min(found, key=lambda each: each[:2], default=(0, 0, None))
    return match, ROWS[place]


def _first_said(text: str, words: str) -> tuple[re.Match[str] | None, list["_Words"]]:
    """The same, and what a subject with these words can be then."""
    match, row = first_said(text)
    return match, [*_can_be(row, words, match)] if match else []


def _unlike(words: str, found: re.Match[str] | None, can_be: Iterable["_Words"]) -> Finding:
    """Says that a subject is none of those that it can be; one that was cut off on the way is not compared."""
    early = next((each.made for each in can_be if _plain(each.made).startswith(_plain(each.words))), "")
    if early:
        return _not_compared(f'it ends early, after "{words[:80]}"; the whole is "{early[:80]}"')
    if found is None:
        return _not_compared(f'its text does not begin with "{words[:80]}"')
    return Finding(SUBJECT, "", None, f'it says "{words[:100]}", and its text "{found[0][:100].strip()}"')


class _Words(NamedTuple):
    """The words of a subject, without the `seat` that it names first, and what could be `made` of the text."""

    words: str
    seat: str = ""
    made: str = ""


def _without_more(words: str) -> Iterator[_Words]:
    """The words of a subject; and what is left of them without the seat in front, and without what is said besides."""
    for said in dict.fromkeys((words, _BESIDES.sub("", words))):
        yield _Words(said)
        seat, colon, rest = said.partition(": ")
        if colon:
            yield _Words(rest, seat)


_COMMANDS = "EXTEND|ABSENT|TIMEZONE|SUBSTITUTE|PROPOSE|PRESS|PREVIEW|USE ORDERS|ADDRESS|NEW TOKEN|PREFER"
"""Those of which a subject says that they were not carried out: of orders, it says whether they were taken."""
_BESIDES = re.compile(
    rf"(?:, (?:orders not cancelled|vote not counted|(?:{_COMMANDS}) not done|orders in the subject not read"
    r"|(?:lines|words) not read|\d{1,6} lines? (?:below a condition|for another (?:turn|game)|of other orders) not read"
    r"|and \d{1,4} things? more))*"
    rf"(?:, (?:\d{{1,6}} lines? [bfo]|(?:lines|words|vote|{_COMMANDS}) n|orders [ni])[^,]{{0,40}} …)?$"
)


def _can_be(row: Row, words: str, found: re.Match[str]) -> Iterator[_Words]:
    """What the subject of a mail of that row can be, for a subject with these words; a text that names a seat first names the
    same."""
    above = found.string[: found.start()]
    for each in _without_more(words):
        if not each.seat or above.endswith(f"{each.seat}: ") or not above.endswith(": "):
            made = row.made(each.words, found) if row.made else ()
            yield from (each._replace(made=one) for one in (*made, *_filled(row, found)))


def _filled(row: Row, found: re.Match[str]) -> Iterator[str]:
    for each in row.subjects:
        names = _NAMES.findall(each)
        for chosen in product(*(_values(name, found) for name in names)):
            yield each.format(**dict(zip(names, chosen, strict=True)))
    if ATTACHED in found.string:
        yield "NOT TAKEN: attached mail not read"


_NAMES = re.compile(r"\{(\w+)\}")


def _values(name: str, found: re.Match[str]) -> list[str]:
    """What can stand for a name: what was found, in words for a subject."""
    said = found.groupdict(default="")
    return _MADE[name](said, DUE.search(found.string, found.end())) if name in _MADE else [said[name]]


def _in_force(said: Mapping[str, str], _due: re.Match[str] | None) -> list[str]:
    gone, other = (int(said[each] or 0) for each in ("gone", "other"))
    if said["replaced"]:
        return [f"replaced; {counted(gone, 'old line')} dropped" if gone else "replaced"]
    if said["added"]:
        return [f"added; {counted(other, 'old line')} replaced" if other else "added to those before"]
    return ["in, request granted" if said["granted"] else "in"]


def _refused(said: Mapping[str, str], _due: re.Match[str] | None) -> list[str]:
    whole, parts = (int(each or 0) for each in (said["refused"], said.get("parts", "").replace("a", "1")))
    told = (f"{counted(whole, 'line')} refused" if whole else "", f"part of {counted(parts, 'line')} refused" if parts else "")
    return [f", {', '.join(filter(None, told))}", f", {whole + parts} refused"] if whole or parts else [""]


def _kind(said: Mapping[str, str], _due: re.Match[str] | None) -> list[str]:
    return [kind for kind, begins in _PROPOSALS.items() if re.match(begins, said["proposal"])]


_PROPOSALS = {
    "pause": "a pause ",
    "extension": ".{1,40} more for the turn",
    "replace": "another player for ",
    "draw": "the end of the game as a draw",
    "cancel": "the end of the game without",
}


_MADE: Mapping[str, Callable[[Mapping[str, str], re.Match[str] | None], list[str]]] = {
    "in_force": _in_force,
    "refused": _refused,
    "kind": _kind,
    "granted": lambda said, _due: [", request granted" if said["granted"] else ""],
    "not_read": lambda said, _due: [", lines not read" if said["unread"] else ""],
    "under": lambda said, _due: [counted(int(said["under"] or 1), "line")],
    "quoted": lambda said, _due: [counted(int(said["count"]), "order")],
    "due": lambda _said, due: times_of(due),
    "left": lambda _said, due: [due["left"]] if due and due["left"] else [],
    "orders_by": lambda _said, due: [*(f"; orders by {day}" for day in days_of(due)), "; orders, please", ""],
}
"""What stands in subjects in other words than in texts."""
_IN_A_ZONE = re.compile(r"(?<=\d\d:\d\d )(?!UTC\b)[A-Z+\-\d]{2,6}\b")


def _is_same(words: str, wanted: str, room: int) -> bool:
    """Whether these are the words, or as many of them as there was room for; whatever stands for letters that are not ASCII."""
    one, other = _plain(words), _plain(wanted)
    if words.endswith("…") or len(wanted) > room:
        other = other[: len(one)] if one else other
    return one == other or (not other.isascii() and _OF_OTHERS.sub("?", one) == _OF_OTHERS.sub("?", other))


_OF_OTHERS = re.compile(r"(?:[^ -~]|\?)+")


def _plain(words: str) -> str:
    return _IN_A_ZONE.sub(ZONE, words).rstrip(" .…")


def _other_step(parts: re.Match[str], found: re.Match[str]) -> tuple[str, str] | None:
    """What a subject and a text call the step that runs, if that is not the same. Subjects leave out names of steps for want of
    room."""
    following = _ORDERS_FOR.search(found.string) if _IS_REPORT.search(found[0]) else None
    said = (found.groupdict().get("step") or (following["step"] if following else "")).lower()
    if not said or parts["turn"] is None:
        return None
    turn, name = f"turn {int(parts['turn'])}", (parts["name"] or "").lower()
    if called(said) in (turn, called(f"{name} of {turn}")) or not (name or said.startswith("turn ")):
        return None
    return f"{name} of {turn}" if name else turn, said


_IS_REPORT = re.compile("what happened|begins, and you")
_ORDERS_FOR = re.compile(r"\bNEXT: ORDERS FOR (?P<step>[^:]{1,80}?) Due ")


def _is_heading(words: str, lines: str, text: str, room: int) -> bool:
    """Whether a subject tells how a text begins, or what its sections are called."""
    plain, said = _plain(words).casefold(), "\n".join(in_one_line(each[0]) for each in SAID_LINE.finditer(lines))
    own = {" ".join(line.split()) for line in lines.splitlines()}
    end = "" if len(words) > room - _CUT else r"(?:[.:,;!]|$)"
    begins = re.compile(rf"(?:^(?:[^:.]{{1,80}}: )?|[.!] ){re.escape(plain)}{end}", re.MULTILINE)
    return begins.search(f"{text[:_BEGINNING]}\n{said}".casefold()) is not None or own.issuperset(plain.upper().split(", "))


_BEGINNING, _CUT = 600, 25
"""In characters: how much of a text counts; and how much shorter pbmd makes a subject that it cuts."""
