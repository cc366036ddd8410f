"""What the lines of a mail state: the values in it, those together that stand together; reports, press, notices, reminders.

What our mails pass on in somebody else's words stands after a mark (`pbmd.rendering.render.said`) and claims nothing, whatever
it looks like.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from email.message import Message
from itertools import islice
from typing import NamedTuple

from pbmd.archive.evidence.mail_kinds.answers import says_orders_are_in
from pbmd.archive.evidence.mail_kinds.done import told_done
from pbmd.archive.evidence.mail_patterns import (
    AFTER,
    ANSWER,
    ARRIVED,
    BEFORE_REPORT,
    DUE,
    FOOT,
    FORM_HEAD,
    GAMES,
    HEAD,
    NOT_SENT,
    NOTICE,
    NOTICE_MAIL,
    ORDERS_DUE,
    ORDERS_DUE_NOW,
    OTHER_NOTICE,
    PATTERNS,
    PRESS,
    PRESS_IN_REPORT,
    REMINDER,
    REMINDS,
    REPLACED,
    SEAT_TAG,
    SECRET,
    STANDS,
    TAKEN_BACK,
    TITLES,
    WITHOUT_FOOT,
    WORD,
    press_mail,
    value_of,
    with_words_told,
)
from pbmd.archive.format.press_and_deadlines import SAID_LINE, SKIPPED_LINES, header_of, in_one_line, without_said
from pbmd.ledger.tables import called
from pbmd.rendering.entry_notices import AGAIN, headline_now

REPORT = "report"
"""The kind of a mail that brings a report."""
_LETTER = re.compile(r"[^\W_]")
_SAID = re.compile(r"^[ \t>]*\|(?:[^\w\n]|_)*[^\W_].*", re.MULTILINE)
"""A line of somebody else's words; those without any need no masking."""
_MOST_STATEMENTS, _MOST_REPORTS = 10_000, 200


class NoReceipt(ValueError):
    """The argument is no receipt and no value from one; the message says what would be."""


@dataclass(frozen=True, slots=True)
class Value:
    """One value. `entry` is the number of the entry that a head is claimed to belong to, 0 if none; `step` the claimed step of
    a secret or commitment; `game` the game that the value itself names."""

    what: str
    value: str
    entry: int = 0
    step: str = ""
    game: str = ""


@dataclass(frozen=True, slots=True)
class Statement:
    """What stands together. `report` is the text of a report, from after its opening words up to its foot, with blanks for line
    breaks; None if there is none. It is the one for a seat, the public one, or one that was sent again; `step` is the step that
    it names, if it does. `press` is what another player, the `writer`, wrote to the `readers`, in a mail that passes it on.
    `headline` is the first sentence of a notice, `told` what stands behind it, and `said` what of that is in somebody else's
    words."""

    values: tuple[Value, ...]
    game: str = ""
    report: str | None = None
    kind: str = "seat"
    step: str = ""
    press: str | None = None
    writer: str = ""
    readers: str = ""
    headline: str = ""
    told: str = ""
    said: str = ""

    def first(self, what: str) -> str:
        """The first value of that kind; empty if none is claimed."""
        return next((each.value for each in self.values if each.what == what), "")

    def without(self, what: str) -> "Statement":
        """The same without values of that kind."""
        return replace(self, values=tuple(each for each in self.values if each.what != what))


def stated(lines: str, subject: str, number: str, kind: str) -> tuple[Statement, ...]:
    """What the lines of a mail state; `kind` is that of one of pbmd's own mails. Raises `NoReceipt`."""
    if kind == PRESS:
        return tuple(_press(lines))
    statements = tuple(islice(_statements(lines, subject, number), _MOST_STATEMENTS + 1))
    if kind == NOTICE:
        notice = tuple(_notice(lines))
        is_known = notice or any(each.report is not None or each.first(REPLACED) for each in statements)
        if not is_known and (game := game_in(subject)):
            notice = (Statement((), game, kind=NOTICE),)
        statements = (*notice, *statements)
    if kind == ANSWER and not statements:
        statements = (*_of_answer(without_said(lines), game_in(subject)),)
    if kind == REMINDER:
        statements = (*_reminder(lines), *statements)
    if kind == REPORT:
        statements = (*statements, *_press_in_report(lines, subject))
    if len(statements) > _MOST_STATEMENTS or sum(each.report is not None for each in statements) > _MOST_REPORTS:
        raise NoReceipt(f"it has more than {_MOST_STATEMENTS} receipts or {_MOST_REPORTS} reports, which no mail of pbmd has")
    return statements


def _statements(lines: str, subject: str, number: str) -> Iterator[Statement]:
    """The statements of a text; `number` is the number of its game."""
    lines = with_words_told(lines)
    text, own = in_one_line(lines), in_one_line(own_words(lines))
    named = game_in(subject)
    games = sorted((match.start(), match["game"]) for pattern in GAMES for match in pattern.finditer(own))
    games.insert(0, (-1, named))
    titles = _titles(own)
    last = 0
    for group in _groups(own, number):
        begin, end = group[0][0], group[-1][0]
        values = tuple(value for _, value in group)
        game = values[0].game or games[bisect_right(games, (end, "\uffff")) - 1][1]
        title = _title_between(titles, last, begin)
        if title is not None and any(each.what == HEAD for each in values) and own.endswith(f"{FOOT} ", 0, begin):
            report = text[title.end : begin - len(FOOT) - 1].strip()
            yield Statement((*_orders_due(own, title.end, begin), *values), game, report, step=_step_of(title, values))
            last = end
        elif not {value.what for value in values} <= {ARRIVED, DUE, WORD}:  # it does not say of what
            yield Statement(values, game)
    yield from _without_foot(text, own, named)


def _title_between(titles: Sequence["_Title"], last: int, begin: int) -> "_Title | None":
    """The first title after the previous foot: anything further down is inside the report, and may be a player's words."""
    at = bisect_left(titles, last, key=lambda title: title.begin)
    return titles[at] if at < len(titles) and titles[at].end <= begin else None


def _orders_due(own: str, begin: int, end: int) -> Iterator[Value]:
    """When orders are due, as a report says before its own words."""
    if due := ORDERS_DUE.search(own, begin, min(begin + BEFORE_REPORT, end)):
        yield Value(DUE, due["value"])


def _press(lines: str) -> Iterator[Statement]:
    """Press that a mail passes on. What it says is a player's word, and claims nothing else."""
    if match := press_mail(lines):
        yield Statement(
            (),
            match["game"],
            step=match["step"],
            press=in_one_line(match["text"]),
            writer=in_one_line(match["writer"]),
            readers=in_one_line(match["readers"]),
        )


def _press_in_report(lines: str, subject: str) -> Iterator[Statement]:
    """The press that a report brings."""
    game = game_in(subject)
    for match in islice(PRESS_IN_REPORT.finditer(lines), _MOST_REPORTS):
        press, writer, readers = (in_one_line(match[name]) for name in ("text", "writer", "readers"))
        yield Statement((), game, step="a report", press=press, writer=writer, readers=readers)


def _notice(lines: str) -> Iterator[Statement]:
    """A notice: what it says, what stands above it last, and the deadline that it gives."""
    own = f"{in_one_line(SAID_LINE.sub('', lines))} "
    if match := TAKEN_BACK.search(own):
        yield _of_rollback(match, lines)
        return
    match = NOTICE_MAIL.search(own) or OTHER_NOTICE.match(own)
    if match is None:
        return
    due = ORDERS_DUE_NOW.search(own, match.end())
    said = in_one_line("\n".join(line[0] for line in SAID_LINE.finditer(lines)))
    values = (Value(DUE, due["value"]),) if due else ()
    headline = headline_now(match.groupdict().get("headline") or "")
    told = own[match.end() :] + own[: match.start()]
    yield Statement(values, match["game"], None, NOTICE, match["step"], headline=headline, told=told, said=said)


def _of_rollback(match: re.Match[str], lines: str) -> Statement:
    """What a mail that a turn is played again says of that."""
    above = STANDS.split(lines, maxsplit=1)[0]
    own, said = in_one_line(SAID_LINE.sub("", above)), in_one_line("\n".join(line[0] for line in SAID_LINE.finditer(above)))
    begins = own.partition(match[0])
    told = f"{begins[2]} {begins[0].removesuffix('The game master ')}"
    return Statement((), match["game"], None, NOTICE, match["left"], headline=AGAIN.format(match["turn"]), told=told, said=said)


def _of_answer(own: str, game: str) -> Iterator[Statement]:
    """What an answer without a receipt says that books can have: that orders are in, what was done, and a deadline."""
    due = ORDERS_DUE_NOW.search(own)
    if due or says_orders_are_in(own) or told_done(own):
        yield Statement((Value(DUE, due["value"]),) if due else (), game)


def _reminder(lines: str) -> Iterator[Statement]:
    """A reminder: that no orders have come, and until when they can."""
    own = without_said(lines)
    if match := REMINDS.search(own):
        due = ORDERS_DUE_NOW.search(own, match.end())
        not_sent = (Value(NOT_SENT, "orders"),) if match["how"] == "have come" else ()
        yield Statement((*not_sent, *((Value(DUE, due["value"]),) if due else ())), match["game"], kind=REMINDER)


class _Title(NamedTuple):
    """The opening words of a report for a seat: from where to where they stand, and the step that they name, by its name in the
    books or as players call it."""

    begin: int
    end: int
    step: str
    called: str


def _step_of(title: _Title, values: Iterable[Value]) -> str:
    """The step by its name in the books: where a report uses the players' name, the step whose secret it reveals, if that goes
    by this name, or else what it says."""
    if title.step:
        return title.step
    step = f"{title.called[:1].lower()}{title.called[1:]}"
    return next((said.step for said in values if said.what == SECRET and called(said.step) == step), step)


def _titles(text: str) -> list[_Title]:
    """All titles, in the order of the text."""
    found = (match for pattern in TITLES for match in pattern.finditer(text))
    said = ((match, match.groupdict()) for match in found)
    titles = (_Title(match.start(), match.end(), each.get("step") or "", each.get("called") or "") for match, each in said)
    return sorted(titles, key=lambda title: title.begin)


def _without_foot(text: str, own: str, named: str) -> Iterator[Statement]:
    for kind, pattern, behind in WITHOUT_FOOT:
        last = -1
        titles = [*pattern.finditer(own)]
        ends = [match.start() for match in re.finditer(behind, own)] if behind else []
        for place, match in enumerate(titles):
            following = titles[place + 1].start() if place + 1 < len(titles) else len(own)
            at = bisect_left(ends, match.end())
            end = following if not behind else ends[at] if at < len(ends) else -1
            if end <= last:
                continue  # it is inside the report that began above
            last, said = end, match.groupdict()
            step = (said.get("step") or "").lower()
            yield Statement((), said.get("game") or named, text[match.end() : end].strip(), kind, step)


def own_words(lines: str) -> str:
    """The lines of a mail with somebody else's words in it masked: they say nothing, and stand where they stood."""
    return SKIPPED_LINES.sub(_masked, _SAID.sub(_masked, lines))


def _masked(line: re.Match[str]) -> str:
    """Lines of somebody else's words, replaced by some of the same length that say nothing."""
    return _LETTER.sub("x", line[0])


def _groups(text: str, number: str) -> Iterator[list[tuple[int, Value]]]:
    """The values with their places, those of one statement together."""
    found = sorted(
        (match.start("value"), order, what, match)
        for order, (what, pattern) in enumerate(PATTERNS)
        for match in pattern.finditer(text)
    )
    group: list[tuple[int, Value]] = []
    for _, _, what, match in found:
        named = match.groupdict()
        entry, step, game = int(named.get("entry") or 0), named.get("step") or "", _game_named(what, named, number)
        value = Value(what, value_of(what, match), entry, step, game)
        kinds = {each.what for _, each in group}
        if group and (what in kinds or group[-1][1].what not in AFTER[what]):
            yield group
            group = []
        group.append((match.start(), value))
    if group:
        yield group


def _game_named(what: str, found: Mapping[str, str | None], number: str) -> str:
    """The game that a value itself names: in today's forms by its number, which means something only where that is another
    game."""
    of = found.get("of") or ""
    return (found.get("game") or (f"g{of}" if of.isdecimal() and of != number else "")) if what == FORM_HEAD else ""


def game_in(subject: str) -> str:
    """The game that a subject names; empty if it names none."""
    return next((match["game"] for pattern in GAMES if (match := pattern.search(subject))), "")


def game_number(message: Message, lines: str) -> str:
    """The number on its host of the game that a mail is about, from its header, else its first form; empty if nothing gives
    it."""
    fields = (header_of(message, name) for name in ("Message-ID", "To", "In-Reply-To", "References"))
    found = next((tag for text in (*fields, lines) if (tag := SEAT_TAG.search(text))), None)
    return found["of"] if found else ""
