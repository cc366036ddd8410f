"""The subject of a mail, made again from its text: a list of mails shows little else.

What programs do to subjects on the way is none of it: marks before the name of the game, those of a reply or a list among them;
an end that is cut off; other signs in place of letters that are not ASCII.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import product
from typing import NamedTuple

from pbmd.archive.appearance.finding import Finding
from pbmd.archive.appearance.mail_header import Own
from pbmd.archive.format.press_and_deadlines import NOBODY, SAID_LINE, in_one_line, without_said
from pbmd.ledger.tables import called
from pbmd.rendering.entry_notices import HEADLINES, OLD_HEADLINES, OTHER_HEADLINES
from pbmd.rules.words import counted

SUBJECT = "its subject"
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
_LENGTH = r"\d{1,6} (?:days?|h|min|s)(?: \d{1,2} (?:h|min|s))?"
_STEP = r"[^:.]{1,80}?"
_DUE = re.compile(
    r"\b(?:Deadline|Due|Until|Orders (?:for [^:.]{1,80} )?are due(?: \d{1,6} h after [^.]{1,200}? not before)?|It ends by) "
    r"(?P<weekday>\w{3}) (?P<day>\d{1,2} \w{3}) \d{4} (?P<hour>\d\d:\d\d) UTC"
    r"(?: \((?:(?P<there_weekday>\w{3}) (?P<there>\d{1,2} \w{3}) \d{4} )?(?P<local>\d\d:\d\d) [^()]{1,40}\))?"
    rf"(?:,? \(?in (?P<left>(?:at least )?{_LENGTH}))?"
)


class _Row(NamedTuple):
    """What a mail says; and what its subject can be then, with names for what is found there or made of it, or what makes
    it."""

    says: re.Pattern[str]
    subjects: tuple[str, ...] = ()
    made: Callable[[str, re.Match[str]], Iterable[str]] | None = None


def _row(says: str, *subjects: str, made: Callable[[str, re.Match[str]], Iterable[str]] | None = None) -> _Row:
    return _Row(re.compile(rf"(?<![^ ])(?:{says})"), subjects, made)


def _of_the_end(words: str, found: re.Match[str]) -> Iterator[str]:
    """For a last report, with those who have won, if it tells of them."""
    head = _HEAD.match(words)
    before = head[0] if head else ""
    names = _HAVE.split(words.removeprefix(before))[0]
    if all(each in found["outcome"] for each in re.split(", | and ", names)):
        yield from (f"{before}{names} {each} won, the game is over" for each in ("has", "have"))
    yield f"{before}the game is over"


_HEAD, _HAVE = re.compile(r"[A-Z][\w -]{0,60}: "), re.compile(r" ha(?:s|ve)?\b")


def _of_step(words: str, found: re.Match[str]) -> Iterator[str]:
    """For a report of what happened, and of what is to be done."""
    text = found.string[found.start() :]
    following, due, you = _NEXT.search(text), _DUE.search(text), _YOU.match(text)
    yield from _of_turn(found, due)
    if following and following["mine"]:
        times = (*(f", by {at}" for at in _times(due)), "")
        of = (*(f" in {step}" for step in _IN.findall(following["rest"])), "")
        yield from (f"your move{each}" for each in map("".join, product(of, times)))
        return
    there = following["rest"] if following else ""
    if all(each in there or _COUNT.fullmatch(each) or (you and you[1] in each) for each in words.split("; ")):
        yield words


def _of_turn(found: re.Match[str], due: re.Match[str] | None) -> Iterator[str]:
    """The same where all move at once."""
    wanted = [*(f"; orders by {day}" for day in _days(due)), "; orders, please", ""]
    for when in (found["happened"], found["happened"].partition(" of turn ")[0]):
        yield from (f"{when}: what happened{each}" for each in (wanted if _FORM in found.string else [""]))
        if _IDLE in found.string:
            yield from (f"nothing to do; {when[:1].lower()}{when[1:]}: what happened", "nothing to do")


_NEXT = re.compile(r"\bNEXT(?P<mine>: YOUR MOVE)? (?P<rest>.{0,600})")
_IN = re.compile(r"\bin ([^:.,()]{1,80}?)\. Reply to this mail")
_COUNT = re.compile(r"\d{1,4} moves")
_YOU = re.compile(r"[^.]{1,80}\. You (?:are|were) ([^.]{1,80})\.")
_FORM, _IDLE = "the form is below", "You have nothing to do in "


def _of_press(_words: str, found: re.Match[str]) -> Iterator[str]:
    """For press. To all can be to one, where two play."""
    press = "anonymous press" if found["writer"] in NOBODY else f"press from {found['writer']}"
    count = len(found["readers"].split(", "))
    some = (f" to {each}" for each in (found["readers"], "all", counted(count, "player"), counted(count, "room")))
    yield from (press, *(f"{press}{each}" for each in some))


_ATTACHED = "A mail is attached to yours; attached mails are not opened"
_HANDBOOK = "the players' handbook"
_NOT_TAKEN, _IN_SUBJECT = "NOT TAKEN", "NOT READ: orders in the subject"
_UNREAD = "(?P<unread>, but lines that could be orders were not read)?"
_REFUSED = (
    r"(?:,(?: but| and)? (?P<refused>\d{1,6}) lines? (?:was|were) refused)?"
    r"(?:,? (?:but|and) a part of (?P<parts>a|\d{1,6}) lines? was refused)?"
)
_WHAT, _NOTICE = "your [a-z ]{1,40}?", r"[a-z0-9-]{1,64}, (?P<step>[^:.,]{1,80}): "
_ROWS = (
    _row(
        rf"your orders for (?P<step>{_STEP}) are in(?P<granted>, and your request is granted)?{_UNREAD}{_REFUSED}\."
        r"(?P<replaced> They replace those that came on [^.;]{1,80}?(?:, so (?P<gone>\d{1,6}) lines? no longer stands?)?\.)?"
        r"(?P<added> They were added to those that came on [^.;]{1,80}?(?:, in place of (?P<other>\d{1,6}) of them)?;)?",
        "orders {in_force}{not_read}{refused}",
    ),
    _row(
        rf"your orders for (?P<step>{_STEP}) are in, but commands in your mail were not read{_REFUSED}",
        "orders in, commands not read{refused}",
    ),
    _row(
        r"your mail is in(?P<granted>, and your request is granted)?; "
        rf"your orders for (?P<step>{_STEP}) are still missing{_UNREAD}{_REFUSED}",
        "in{granted}; orders still missing{not_read}{refused}",
    ),
    _row(r"a later mail of yours is in force\.", "a later mail is in force"),
    _row("(?:nothing in your mail could be used as orders|your mail was refused as a whole, and)", _NOT_TAKEN, _IN_SUBJECT),
    _row("a later mail of yours is in force, or cancelled", _NOT_TAKEN),
    _row("the game (?P<how>[a-z ]{1,40}), so your orders were not taken", "the game {how}: NOT TAKEN"),
    _row(
        r"your request is granted(?:, but (?P<refused>\d{1,6}) lines? (?:was|were) refused)?\.",
        "your request is granted{refused}",
    ),
    _row("a later mail of yours cancelled your orders", "NOT TAKEN: cancelled later"),
    _row("some of your orders are in bold type", "NOT TAKEN: only some are in bold type"),
    _row("some orders stand below a line that seems to introduce somebody else's mail", "NOT TAKEN: orders below another mail"),
    _row(
        rf"your (?P<what>[a-z ]{{1,40}}) say (?P<of>{_STEP}), but this is {_STEP}, so they were not accepted",
        "NOT TAKEN: your {what} say {of}",
        _NOT_TAKEN,
    ),
    _row(rf"your mail answers one of (?P<of>{_STEP}), but the game is in", "NOT TAKEN: {of} is over"),
    _row(
        rf"{_WHAT} for (?P<of>{_STEP}) came (?P<late>{_LENGTH}) (?:after the deadline|too late, and)",
        "{late} too late for {of}",
    ),
    _row(
        rf"{_WHAT} for (?P<of>{_STEP}) (?:came too late:|were confirmed too late|were read too late|came in time, but)",
        "NOT TAKEN: {of} was over",
    ),
    _row(rf"{_WHAT} came (?P<late>{_LENGTH}) too late for (?P<of>{_STEP}), and were", "{late} too late for {of}"),
    _row(rf"{_WHAT} came in time for (?P<of>{_STEP}), but were confirmed", "NOT TAKEN: {of} was over"),
    _row(
        rf"{_WHAT} (?:came )?(?P<how>{_LENGTH} too late|arrived before {_STEP} began) and were not taken",
        "NOT TAKEN: {how}",
        _NOT_TAKEN,
    ),
    _row(
        r"your orders for (?P<of>turn \d{1,6}) (?:came|were read, or confirmed,) only after",
        "NOT TAKEN: your move in {of} was over",
    ),
    _row(r"this is the move that you made in turn \d", "NOT TAKEN: made before"),
    _row("the (?P<what>move|orders) in your mail (?:was|were) cancelled by CANCEL ORDERS", "{what} cancelled"),
    _row("your move is waiting, and is made ", "move waits"),
    _row(f"your mail has taken effect at once{_REFUSED}", "done at once{refused}"),
    _row("nothing in your mail had any effect", _NOT_TAKEN),
    _row(
        "Your mail had no line with an order or a command",
        "NOT TAKEN: no order in your mail",
        "NOT TAKEN: lines not read",
        "NOT TAKEN: lines behind a #",
        "NOT READ: an attached file",
    ),
    _row("Lines behind a # are comments, which are not read", "NOT READ: lines behind a #"),
    _row(
        r"In your mail (?:an order stands|(?P<under>\d{1,6}) lines stand) below a condition, where",
        "NOT TAKEN: {under} below a condition not read",
    ),
    _row(
        r"In your mail (?:an order stands|(?P<under>\d{1,6}) lines stand) below the heading of another turn, where",
        "NOT TAKEN: {under} for another turn not read",
    ),
    _row(r"(?P<count>\d{1,6}) lines? that (?:is an order stands|are orders stand) in a quote", "NOT READ: {quoted} in a quote"),
    _row("Orders in the subject are not read: write", _IN_SUBJECT),
    _row("A command in the subject is not read: ", "NOT READ: a command in the subject"),
    _row("Your mail says nothing beside a list of ours that is ", "nothing was changed; no orders are in"),
    _row("The list of your orders was changed inside a quote", "NOT READ: a list changed in a quote"),
    _row("No line in the list of your mail counts: ", "the list is empty: nothing was changed"),
    _row("The list in your mail was not sent to your seat", "NOT READ: a list of another seat"),
    _row("Your mail is encrypted, and that cannot be read here", "NOT READ: your mail is encrypted"),
    _row(_ATTACHED, "NOT READ: an attached mail"),
    _row("Your mail has no text of its own, but a mail attached to it", "NOT READ: only an attached mail"),
    _row("CANCEL ORDERS stands in a sentence in your mail", "NOT CANCELLED: CANCEL ORDERS in a sentence"),
    _row(r"A mail was sent to [^ ]{1,255}\. When YES comes from there", "the new address is asked"),
    _row("Nothing was changed(?: by that mail)?\\.", "nothing was changed"),
    _row("Your mail has ORDERS, (?:but )?no order lines", "NOTHING CHANGED: ORDERS without orders"),
    _row("(?P<how>ADD|ONLY): your mail has no order lines", "NOTHING CHANGED: {how} without orders"),
    _row(
        rf"{_NOTICE}(?P<headline>the game master has looked at the (?:orders|secrets) of "
        r"(?P<seat>.{1,80}?(?=\. The game master has seen )|.{1,80}?))\. ",
        "{headline}",
        "the game master looked at {seat}'s orders",
        "the game master saw {seat}'s secrets",
    ),
    _row(rf"{_NOTICE}(?P<headline>a new deadline)\. ", "the new deadline: {due}", "due {due}", "{headline}"),
    _row(
        rf"{_NOTICE}(?P<headline>vote \d{{1,9}} has begun)\. [^.]{{1,90}}? proposes (?P<proposal>[^.]+)", "{headline}: {kind}"
    ),
    _row(
        rf"{_NOTICE}(?P<headline>{'|'.join((*HEADLINES, *OLD_HEADLINES, *OTHER_HEADLINES))})\. ",
        "{headline}",
        "{headline}: {due}",
        "{headline}, due {due}",
        "due {due}",
    ),
    _row(
        rf"no orders of yours (?:have come|could be used|could be read) yet for (?P<step>{_STEP}) of [a-z0-9-]{{1,64}}\. ",
        "no orders yet, {left} left",
        "{left} left",
    ),
    _row(
        rf"has taken [a-z0-9-]{{1,64}} back from {_STEP} to the beginning of (?P<turn>turn \d{{1,6}}), which",
        "{turn} is played again",
    ),
    _row(rf"[a-z0-9-]{{1,64}}: new dice for (?P<step>{_STEP}), since", "new dice"),
    _row("from now on reply to this mail of [a-z0-9-]{1,64}, or", "your seat has a new secret"),
    _row("your mail has arrived and is kept, but pbmd could not deal with it", "your mail waits"),
    _row("This address has sent us so many mails that we stop answering", "no answers for a while"),
    _row("PREVIEW for [^,]{1,80} in [a-z0-9-]{1,64}, ", "PREVIEW, nothing has happened", "PREVIEW"),
    _row("Somebody has agreed to play ", "a substitute has agreed"),
    _row("From now on a substitute plays ", "your substitute plays now"),
    _row("This is a copy of the report of ", "a copy of your substitute's report"),
    _row("[a-z0-9-]{1,64} begins, and you are ", "the game begins{orders_by}"),
    _row(r"Welcome to [^.]{1,300}\. From now on you are (?P<seat>[^.,]{1,80})[.,]", "{seat} is yours"),
    _row(r"Welcome to [^.]{1,300}\.(?: You are (?P<seat>.{1,80}?)\. )?", "welcome, {seat}", "welcome"),
    _row("(?P<seat>.{1,80}?) in [a-z0-9-]{1,64} is played from this address now", "{seat} is yours"),
    _row("(?P<seat>.{1,80}?) in [a-z0-9-]{1,64} is yours again, and", "{seat} is yours again"),
    _row(
        r"The archive of [a-z0-9-]{1,64}, with all that (?:[^:]{1,100}: part (?P<part>\d{1,4} of \d{1,4}))?",
        "the archive",
        "the archive, part {part}",
    ),
    _row("The players' handbook", made=lambda words, _found: [words.partition(": ")[0] + ": the players' handbook", _HANDBOOK]),
    _row(r"(?P<happened>[A-Z][\w -]{0,60}): what happened\. ", made=_of_step),
    _row(r"The game is over\. (?P<outcome>.{0,2000}?) ?\bYou (?:were|are|watch)\b", made=_of_the_end),
    _row(
        r"Press in [a-z0-9-]{1,64}, (?P<step>[^:]{1,80}) From: (?P<writer>(?:(?! To: ).){1,200}) To: "
        r"(?P<readers>.{1,2000}?) (?:--|\Z)",
        made=_of_press,
    ),
)
"""By what a mail says first. Of two that begin at one place the first counts."""


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
    return first is None and any(each.holds is not False for each in examine_subject(own, subject, lines))


def _without_marks(own: Own, subject: str, lines: str) -> list[Finding]:
    """The result for a subject without the marks that stand behind it, if that is the one of its text."""
    behind = _BEHIND.search(subject)
    found = [*examine_subject(own, subject[: behind.start()], lines)] if behind else []
    marks = behind[0].strip()[:80] if behind else ""
    return [*found, _not_compared(f'"{marks}" stands behind')] if any(each.holds for each in found) else []


def first_said(text: str) -> tuple[re.Match[str] | None, _Row]:
    """What a text in one line says first of all that has a row, and that row."""
    found = [(match.start(), place, match) for place, row in enumerate(_ROWS) if (match := row.says.search(text))]
    _, place, match = min(found, key=lambda each: each[:2], default=(0, 0, None))
    return match, _ROWS[place]


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


def _not_compared(words: str) -> Finding:
    return Finding(SUBJECT, "", None, f"not compared: {words}", whole=False)


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


_BESIDES = re.compile(
    r"(?:, (?:orders not cancelled|vote not counted|orders in the subject not read|(?:lines|words) not read"
    r"|\d{1,6} lines? (?:below a condition|for another turn) not read|and \d{1,4} things? more))*"
    r"(?:, (?:\d{1,6} lines? [bf]|(?:lines|words|vote) n|orders [ni])[^,]{0,40} …)?$"
)


def _can_be(row: _Row, words: str, found: re.Match[str]) -> Iterator[_Words]:
    """What the subject of a mail of that row can be, for a subject with these words; a text that names a seat first names the
    same."""
    above = found.string[: found.start()]
    for each in _without_more(words):
        if not each.seat or above.endswith(f"{each.seat}: ") or not above.endswith(": "):
            made = row.made(each.words, found) if row.made else ()
            yield from (each._replace(made=one) for one in (*made, *_filled(row, found)))


def _filled(row: _Row, found: re.Match[str]) -> Iterator[str]:
    for each in row.subjects:
        names = _NAMES.findall(each)
        for chosen in product(*(_values(name, found) for name in names)):
            yield each.format(**dict(zip(names, chosen, strict=True)))
    if _ATTACHED in found.string:
        yield "NOT TAKEN: attached mail not read"


_NAMES = re.compile(r"\{(\w+)\}")


def _values(name: str, found: re.Match[str]) -> list[str]:
    """What can stand for a name: what was found, in words for a subject."""
    said = found.groupdict(default="")
    return _MADE[name](said, _DUE.search(found.string, found.end())) if name in _MADE else [said[name]]


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


def _times(due: re.Match[str] | None) -> list[str]:
    """A deadline as subjects have it, in UTC, or in the reader's zone, whose name is not compared."""
    if due is None:
        return []
    utc = f"{due['weekday']} {due['day']} {due['hour']} UTC"
    day = f"{due['there_weekday']} {due['there']}" if due["there"] else f"{due['weekday']} {due['day']}"
    return [utc, f"{day} {due['local']} {_ZONE}"] if due["local"] else [utc]


def _days(due: re.Match[str] | None) -> list[str]:
    if due is None:
        return []
    own = (f"{due['there_weekday']} {due['there']}", due["there"]) if due["there"] else ()
    return [f"{due['weekday']} {due['day']}", due["day"], *own]


_MADE: Mapping[str, Callable[[Mapping[str, str], re.Match[str] | None], list[str]]] = {
    "in_force": _in_force,
    "refused": _refused,
    "kind": _kind,
    "granted": lambda said, _due: [", request granted" if said["granted"] else ""],
    "not_read": lambda said, _due: [", lines not read" if said["unread"] else ""],
    "under": lambda said, _due: [counted(int(said["under"] or 1), "line")],
    "quoted": lambda said, _due: [counted(int(said["count"]), "order")],
    "due": lambda _said, due: _times(due),
    "left": lambda _said, due: [due["left"]] if due and due["left"] else [],
    "orders_by": lambda _said, due: [*(f"; orders by {day}" for day in _days(due)), "; orders, please", ""],
}
"""What stands in subjects in other words than in texts."""
_ZONE = "(zone)"
_IN_A_ZONE = re.compile(r"(?<=\d\d:\d\d )(?!UTC\b)[A-Z+\-\d]{2,6}\b")


def _is_same(words: str, wanted: str, room: int) -> bool:
    """Whether these are the words, or as many of them as there was room for; whatever stands for letters that are not ASCII."""
    one, other = _plain(words), _plain(wanted)
    if words.endswith("…") or len(wanted) > room:
        other = other[: len(one)] if one else other
    return one == other or (not other.isascii() and _OF_OTHERS.sub("?", one) == _OF_OTHERS.sub("?", other))


_OF_OTHERS = re.compile(r"(?:[^ -~]|\?)+")


def _plain(words: str) -> str:
    return _IN_A_ZONE.sub(_ZONE, words).rstrip(" .…")


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
