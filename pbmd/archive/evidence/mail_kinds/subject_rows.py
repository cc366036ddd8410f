"""What the subject of a mail can be by what the mail says first: a row for each beginning."""

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import product
from typing import NamedTuple

from pbmd.archive.format.press_and_deadlines import NOBODY
from pbmd.rendering.entry_notices import HEADLINES, OLD_HEADLINES, OTHER_HEADLINES
from pbmd.rules.words import counted

_LENGTH = r"(?:less than )?\d{1,6} (?:days?|h|min|s)(?: \d{1,2} (?:h|min|s))?"
_STEP = r"[^:.]{1,80}?"
DUE = re.compile(
    r"\b(?:Deadline|Due|Until|Orders (?:for [^:.]{1,80} )?are due(?: \d{1,6} h after [^.]{1,200}? not before)?|It ends by) "
    r"(?P<weekday>\w{3}) (?P<day>\d{1,2} \w{3}) \d{4} (?P<hour>\d\d:\d\d) UTC"
    r"(?: \((?:(?P<there_weekday>\w{3}) (?P<there>\d{1,2} \w{3}) \d{4} )?(?P<local>\d\d:\d\d) [^()]{1,40}\))?"
    rf"(?:,? \(?in (?P<left>(?:at least )?{_LENGTH}))?"
)


class Row(NamedTuple):
    """What a mail says; and what its subject can be then, with names for what is found there or made of it, or what makes
    it."""

    says: re.Pattern[str]
    subjects: tuple[str, ...] = ()
    made: Callable[[str, re.Match[str]], Iterable[str]] | None = None


def _row(says: str, *subjects: str, made: Callable[[str, re.Match[str]], Iterable[str]] | None = None) -> Row:
    return Row(re.compile(rf"(?<![^ ])(?:{says})"), subjects, made)


ZONE = "(zone)"
"""What stands for the name of the reader's zone."""


def times_of(due: re.Match[str] | None) -> list[str]:
    """A deadline as subjects have it, in UTC, or in the reader's zone, whose name is not compared."""
    if due is None:
        return []
    utc = f"{due['weekday']} {due['day']} {due['hour']} UTC"
    day = f"{due['there_weekday']} {due['there']}" if due["there"] else f"{due['weekday']} {due['day']}"
    return [utc, f"{day} {due['local']} {ZONE}"] if due["local"] else [utc]


def days_of(due: re.Match[str] | None) -> list[str]:
    """The day of a deadline as subjects have it, in UTC, or in the reader's zone."""
    if due is None:
        return []
    own = (f"{due['there_weekday']} {due['there']}", due["there"]) if due["there"] else ()
    return [f"{due['weekday']} {due['day']}", due["day"], *own]


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
    following, due, you = _NEXT.search(text), DUE.search(text), _YOU.match(text)
    yield from _of_turn(found, due)
    if following and following["mine"]:
        times = (*(f", by {at}" for at in times_of(due)), "")
        of = (*(f" in {step}" for step in _IN.findall(following["rest"])), "")
        yield from (f"your move{each}" for each in map("".join, product(of, times)))
        return
    there = following["rest"] if following else ""
    if all(each in there or _COUNT.fullmatch(each) or (you and you[1] in each) for each in words.split("; ")):
        yield words


def _of_turn(found: re.Match[str], due: re.Match[str] | None) -> Iterator[str]:
    """The same where all move at once."""
    wanted = [*(f"; orders by {day}" for day in days_of(due)), "; orders, please", ""]
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


ATTACHED = "A mail is attached to yours; attached mails are not opened"
_HANDBOOK = "the players' handbook"
_NOT_TAKEN, _IN_SUBJECT = "NOT TAKEN", "NOT READ: orders in the subject"
_UNREAD = "(?P<unread>, but lines that could be orders were not read)?"
_REFUSED = (
    r"(?:,(?: but| and)? (?P<refused>\d{1,6}) lines? (?:was|were) refused)?"
    r"(?:,? (?:but|and) a part of (?P<parts>a|\d{1,6}) lines? was refused)?"
)
_WHAT, _NOTICE = "your [a-z ]{1,40}?", r"[a-z0-9-]{1,64}, (?P<step>[^:.,]{1,80}): "
ROWS = (
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
    _row(
        r"In your mail (?:an order stands|(?P<under>\d{1,6}) lines stand) below the head of another game, where",
        "NOT TAKEN: {under} for another game not read",
    ),
    _row(
        r"In your mail (?:an order stands|(?P<under>\d{1,6}) lines stand) below a heading of orders that count no more, where",
        "NOT TAKEN: {under} of other orders not read",
    ),
    _row(r"(?P<count>\d{1,6}) lines? that (?:is an order stands|are orders stand) in a quote", "NOT READ: {quoted} in a quote"),
    _row("Orders in the subject are not read: write", _IN_SUBJECT),
    _row("A command in the subject is not read: ", "NOT READ: a command in the subject"),
    _row("Your mail says nothing beside a list of ours that is ", "nothing was changed; no orders are in"),
    _row("The list of your orders was changed inside a quote", "NOT READ: a list changed in a quote"),
    _row("No line in the list of your mail counts: ", "the list is empty: nothing was changed"),
    _row("The list in your mail was not sent to your seat", "NOT READ: a list of another seat"),
    _row("Your mail is encrypted, and that cannot be read here", "NOT READ: your mail is encrypted"),
    _row(ATTACHED, "NOT READ: an attached mail"),
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
