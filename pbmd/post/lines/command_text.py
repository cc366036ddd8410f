"""From the lines of a mail to its command text: the order form first, the rules for quotes and signatures for the rest."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from typing import Literal, NamedTuple

from pbmd.post.lines import quotes
from pbmd.post.lines.copies import NOTHING_SENT, Copies, Sent
from pbmd.post.lines.foreign_forms import is_changed_in_quote, leave_out_foreign, name_foreign
from pbmd.post.lines.form_line import HEAD, Mark, form_mark, form_note, is_sheet, sheet_digest, tells
from pbmd.post.lines.headings import mark_headings
from pbmd.post.lines.quote_marks import IsOrder, is_none
from pbmd.post.lines.quotes import Lines
from pbmd.post.lines.sent import EDITED, SENT, mark_sent
from pbmd.post.lines.sorted_lines import FORM, LeftOut, TextLine, left_out_of, text_lines
from pbmd.post.lines.text import comments_in, is_comment, normal, without_bullet


class FormTrace(NamedTuple):
    """What an order form brings back by itself: the head of a journal that its mail showed, perhaps among those of other games
    that were pasted into it; and the word for the dice that was made for it, or that the player wrote in its place. All as
    written, empty where there is none."""

    heads: tuple[str, ...] = ()
    word: str = ""


SheetBack = Literal["", "as it was", "changed", "emptied", "changed in a quote", "of another seat"]
"""What became of the sheet that one of our answers ended with: it is not there, or it came back, quoted or as it was; or with
its end mark and something in it changed, so that it is a whole sheet again; or changed so that no line of it counts, or where
it is not read. That of another seat is not read."""


class CommandText(NamedTuple):
    """What is to be read and what is not, the tags of all order forms in the mail, whosever they are, what the seat's own
    brings back, and whether it is the sheet of an answer."""

    lines: tuple[TextLine, ...]
    left_out: tuple[LeftOut, ...]
    form_tags: tuple[str, ...]
    brought: FormTrace = FormTrace()
    sheet: SheetBack = ""


def _never(_text: str) -> bool:
    return False


def _no_commands(_texts: Sequence[str]) -> frozenset[int]:
    return frozenset()


@dataclass(frozen=True, slots=True)
class Own:
    """What is known of the seat for which a mail is read: whether a tag, as it stands behind "#orders", is one of its forms and
    sheets, whether a `sheet_digest` is that of the orders that it has on file, which of some lines, by their places among
    them, are commands that stand beside orders, whether a line is an order as it stands, and what the seat is called."""

    has_tag: Callable[[str], bool]
    has_on_file: Callable[[str], bool] = _never
    commands_in: Callable[[Sequence[str]], frozenset[int]] = _no_commands
    takes: Callable[[str], bool] | None = None
    name: str = ""


NOBODY = Own(_never)
"""For people without a seat."""


OUTSIDE = "it stands outside the order form"
CUT = "it stands in a list of ours whose end is missing"
COMMENT = "it begins with #, so it is a comment"
WRAPPED = "it looks like the rest of the comment above it"
UNFILLED = "it stood in the order form already, and nothing was filled in"
SWITCHED_OFF = "it has a # before it"
_MAX_HEADS = 20
_MAX_TAGS = 20
"""A mail has the form of one seat, perhaps quoted a few times; checking a tag costs a look into the ledger."""


@dataclass(frozen=True, slots=True)
class _Form:
    """An order form in the mail: its mark, and the line of the next mark below it or the end of the mail.

    `closed` says that this is its end mark; `press` are the lines of messages.
    """

    mark: Mark
    end: int
    closed: bool
    press: frozenset[int]

    @property
    def start(self) -> int:
        """The line of its mark."""
        return self.mark.line

    @property
    def tag(self) -> str:
        """The tag in its mark."""
        return self.mark.tag

    @property
    def is_sheet(self) -> bool:
        """Whether it is the sheet of an answer."""
        return is_sheet(self.tag)


def command_text(
    lines: Sequence[str],
    own: Own,
    sent: Sent = NOTHING_SENT,
    marked: Sequence[str] = (),
    is_order: IsOrder = is_none,
) -> CommandText:
    """Pick out the command lines of a mail, for the seat that `own` knows and that may answer what was `sent`. What
    `is_order` says of was written by its writer, whatever it looks like.

    The seat's own order form, if it is not quoted, counts alone, or with the text above it when nothing was filled in. In its
    own quoted form the lines count that are no comments, besides the unquoted lines of the mail. In a form, all that begins
    with "#" is a comment. A form with another tag is none: anybody can write "#orders" into a message that is then quoted.
    The sheet of an answer counts where it is not quoted and something in it is changed, or it is not what is on file any more
    and stands in no copy of that answer; that of another seat does not.
    Nor is what stands in an unquoted message, between PRESS TO and END PRESS. What a form brings back counts in the seat's own,
    and, if the mail has none, where it stands among what is to be read: a form may have lost its mark.
    """
    parts = quotes.quoted_lines(lines, sent.head, is_order, own.takes, _line_test(sent))
    copies = Copies(parts, sent) if sent.text else None
    why = _reasons(parts, copies)
    marks = _mended_marks(parts, copies, why)
    press = _press_in(parts) if marks else frozenset[int]()
    marks = [mark for mark in marks if mark.line not in press]
    if not marks:
        brought = _without_mark(parts, press or _press_in(parts), why)
        return CommandText(text_lines(parts, why, marked), left_out_of(parts, why), (), brought)
    tags = tuple(dict.fromkeys(mark.tag for mark in marks if mark.tag))[:_MAX_TAGS]
    owned = {tag for tag in tags if own.has_tag(tag)}
    form = _form(parts, marks, press, owned)
    name_foreign(parts, marks, owned, why)
    sheet: SheetBack = ""
    if form is None:
        brought = _without_mark(parts, press, why)
    else:
        brought = _first(parts, _brought_back(parts, form), form.mark)
        if form.is_sheet:
            sheet = _read_sheet(parts, form, why, copies, own)
        elif parts.depths[form.start]:
            _read_quoted_form(parts, form, why, copies)
        else:
            _read_form(parts, form, why, copies)
    unread = _unread_sheet(parts, marks, owned, why, own)
    return CommandText(text_lines(parts, why, marked), left_out_of(parts, why), tags, brought, sheet or unread)


def _line_test(sent: Sent) -> IsOrder:
    """Tells the lines of what was sent; of most letters there is nothing to tell."""
    return sent.has_line if sent.text else is_none


def _marks_in(lines: Lines) -> list[Mark]:
    """The marks among the lines, each with the number of its line."""
    found = [Mark(i, *form_mark(lines.bodies[i])) for i in comments_in(lines.bodies)]
    return [mark for mark in found if mark.word]


_REST = re.compile(rf"(?P<head>{HEAD})?(?: ?(?=[a-z]*[2-7])(?P<word>[a-z2-7]{{13}}))?", re.IGNORECASE)
"""What can only be the rest of a mark: a head, and a word of our making. A word of letters alone may be an order."""


def _mended_marks(lines: Lines, copies: Copies | None, why: list[str]) -> list[Mark]:
    """The marks, each of which a mail program has broken into several lines made one again: with the lines below that are
    together the rest of one in the mails that a letter answers, or can be nothing else."""
    marks, is_mended = _marks_in(lines), False
    for mark in marks:
        copy = copies.at(mark.line) if copies and mark.word == "orders" else None
        last = max(copy.last if copy else mark.line, _last_of(lines, mark))
        if last > mark.line:
            is_mended = True
            lines.bodies[mark.line] = " ".join(lines.bodies[mark.line : last + 1])
            for piece in range(mark.line + 1, last + 1):
                lines.bodies[piece], why[piece] = "", FORM
    return _marks_in(lines) if is_mended else marks


def _last_of(lines: Lines, mark: Mark) -> int:
    """The last line that can only be a part of a mark."""
    last, head, said = mark.line, mark.head, mark.said
    while mark.tag and not said and last + 1 < len(lines.bodies):
        body, depth = lines.bodies[last + 1], lines.depths[last + 1]
        found = _REST.fullmatch(body) if body and depth in (lines.depths[mark.line], 0) else None
        if found is None or bool(head) == bool(found["head"]):
            break
        last, head, said = last + 1, head or found["head"], found["word"] or ""
    return last


_PRESS = re.compile(r"(?:anonymous(?:ly)? )?press to .+", re.IGNORECASE)
_END_PRESS = re.compile(r"end\s+press[.!]?", re.IGNORECASE)


def _press_in(lines: Lines) -> frozenset[int]:
    """The lines of unquoted messages that are closed by END PRESS: what stands there is text for others."""
    inside: set[int] = set()
    start: int | None = None
    for i, body in enumerate(lines.bodies):
        if lines.depths[i] or "press" not in body[:200].lower():
            continue
        text = without_bullet(normal(body))
        if start is None and _PRESS.fullmatch(text):
            start = i
        elif start is not None and _END_PRESS.fullmatch(text):
            inside.update(range(start, i + 1))
            start = None
    return frozenset(inside)


def _reasons(lines: Lines, copies: Copies | None) -> list[str]:
    """Why lines are not the writer's own: by the rules for quotes, by what we sent, and by the headings above that."""
    why = quotes.reasons(lines)
    if copies:
        mark_sent(copies, why)
    if lines.head.addresses or lines.head.names:
        mark_headings(lines, why, [reason in (SENT, EDITED) for reason in why])
    return why


def _first(lines: Lines, these: Iterable[int], mark: Mark | None = None) -> FormTrace:
    """What the lines bring back, and the mark above them: all heads, and the first word. One in a line of its own was written
    by the player."""
    notes = [form_note(lines.bodies[i]) for i in these]
    marked = [("head", mark.head), ("word", mark.said)] if mark else []
    heads = tuple(dict.fromkeys(said for kind, said in (*marked, *notes) if kind == "head" and said))
    return FormTrace(heads[:_MAX_HEADS], next((said for kind, said in (*notes, *marked) if kind == "word" and said), ""))


def _brought_back(lines: Lines, form: _Form) -> Iterator[int]:
    """The lines of a form that may bring something back: those as deep as it, or written into it."""
    depths = (lines.depths[form.start], 0)
    return (i for i in range(form.start + 1, form.end) if i not in form.press and lines.depths[i] in depths)


def _without_mark(lines: Lines, press: frozenset[int], why: list[str]) -> FormTrace:
    """What a form whose mark is gone brings back; it is not to be read."""
    comments = [i for i in comments_in(lines.bodies) if not why[i] and i not in press]
    these = [i for i in comments if form_note(lines.bodies[i])[0]]
    for i in these:
        why[i] = FORM
    return _first(lines, these)


def _form(lines: Lines, marks: Sequence[Mark], press: frozenset[int], owned: Set[str]) -> _Form | None:
    """The seat's form that counts: the first of those that are quoted least. Deeper ones are older. The sheet of an answer is
    no form to be filled in, so a quoted one is nothing but a quote."""
    starts = [
        (depth, mark.line, mark)
        for mark in marks
        if mark.tag in owned and not ((depth := lines.depths[mark.line]) and is_sheet(mark.tag))
    ]
    if not starts:
        return None
    depth, start, own = min(starts, key=lambda each: each[:2])
    following = next((mark for mark in marks if mark.line > start and lines.depths[mark.line] <= depth), None)
    if following is None:
        return _Form(own, len(lines.bodies), False, press)
    return _Form(own, following.line, following.word == "end", press)


def _read_form(lines: Lines, form: _Form, why: list[str], copies: Copies | None) -> None:
    """An unquoted form: its lines count; the text above it counts only if there is none in it."""
    before = list(why)
    end = form.end if form.closed else _end_of_open_form(form, range(form.start + 1, form.end), copies)
    inside = range(form.start + 1, end)
    why[form.start :] = [SENT if reason == SENT else OUTSIDE for reason in before[form.start :]]
    # Without an end mark the form runs into signature and quote, for which the rules are asked again from here on.
    why[form.start + 1 : end] = [""] * len(inside) if form.closed else quotes.reasons_from(lines, form.start + 1)[: len(inside)]
    _read_lines(lines, form, inside, why, copies)
    if any(not why[i] and lines.bodies[i] for i in inside):
        why[: form.start] = [reason or OUTSIDE for reason in why[: form.start]]
    elif copies:
        # We know what we wrote below the form, so anything else there is the player's.
        why[end + form.closed :] = before[end + form.closed :]
        _skip_below(range(end + form.closed, len(why)), why, copies)


def _read_sheet(lines: Lines, form: _Form, why: list[str], copies: Copies | None, own: Own) -> SheetBack:
    """The sheet of an answer, which is not quoted. As it was, it is no orders, and the lines around it count; but the sheet of
    an older answer that stands in no copy of it was put there, and counts. So does one that is changed, and the commands beside
    it. Without its end mark nothing can be said to be missing in it: it is no whole sheet, and in a copy was cut off."""
    before, in_copy = list(why), _is_in_copy(lines, form, why)
    _read_form(lines, form, why, copies)
    inside = _to_be_read(lines, range(form.start + 1, form.end), why)
    came_back = _came_back(lines, form, inside, before, copies, own)
    if came_back or (in_copy and not form.closed):
        _name_old(inside, why, None if came_back else copies)
        why[: form.start] = before[: form.start]
        _read_below(lines, range(form.end + form.closed, len(why)), before, why, copies)
        return "as it was"
    if not form.closed:
        return ""
    if not inside:
        return "emptied"
    if not in_copy:
        _read_commands(lines, _to_be_read(lines, range(form.start), before), why, own)
        _read_commands(lines, _to_be_read(lines, range(form.end + 1, len(why)), before), why, own)
    return "changed"


def _to_be_read(lines: Lines, these: Iterable[int], why: Sequence[str]) -> list[int]:
    return [i for i in these if not why[i] and lines.bodies[i]]


def _name_old(inside: Iterable[int], why: list[str], copies: Copies | None) -> None:
    """Give the lines of a sheet that is not read a reason; `copies`: only some of them may be as they were sent."""
    for i in inside:
        why[i] = SENT if copies is None or _stood_there([i], copies) else CUT


def _came_back(
    lines: Lines, form: _Form, inside: Sequence[int], before: Sequence[str], copies: Copies | None, own: Own
) -> bool:
    """Whether the sheet is as it was in a copy of its answer, or as it is on file; `before`: the reasons of lines by other
    rules."""
    found = sheet_digest([lines.bodies[i] for i in inside])
    if own.has_on_file(found):
        return True
    if not form.closed:
        return _stood_there(inside, copies)
    is_copy = any(reason in _COPIED for reason in (*before[: form.start], *before[form.end + 1 :]))
    return is_copy and tells(form.tag, found)


def _read_commands(lines: Lines, these: Sequence[int], why: list[str], own: Own) -> None:
    """Of the writer's lines beside a sheet read the commands: they are no orders, and take nothing from it."""
    for place in own.commands_in([normal(lines.bodies[i]) for i in these]):
        why[these[place]] = ""


def _is_in_copy(lines: Lines, form: _Form, why: Sequence[str]) -> bool:
    """Whether a sheet that is not quoted stands in a copy of its answer that is not quoted either: below lines of it, or right
    above such."""
    above = any(why[i] in _COPIED and not lines.depths[i] for i in range(form.start))
    below = next((i for i in range(form.end + form.closed, len(why)) if lines.bodies[i]), None)
    return above or (below is not None and why[below] in (SENT, EDITED) and not lines.depths[below])


def _unread_sheet(lines: Lines, marks: Sequence[Mark], owned: Set[str], why: list[str], own: Own) -> SheetBack:
    """What there is of sheets besides that which was read."""
    is_foreign = own is not NOBODY and leave_out_foreign(lines, marks, owned, why)
    if not any(map(is_sheet, owned)):
        return "of another seat" if is_foreign else ""
    return "changed in a quote" if is_changed_in_quote(lines, marks, owned) else "as it was"


def _read_below(lines: Lines, below: range, before: Sequence[str], why: list[str], copies: Copies | None) -> None:
    """What stands below a sheet that is no orders is read where we know what we wrote there, down to the next form."""
    if copies:
        stop = next((i for i in below if is_comment(lines.bodies[i]) and form_mark(lines.bodies[i]).word), below.stop)
        why[below.start : stop] = before[below.start : stop]
        _skip_below(range(below.start, stop), why, copies)


_COPIED = quotes.ORIGINALS | {SENT, EDITED, quotes.INTRODUCTION}
"""Where one of these stands outside of a sheet, it came back with the mail in which it was."""


def _stood_there(these: Iterable[int], copies: Copies | None) -> bool:
    """Whether all these lines stood in the forms of the mails that a letter answers."""
    return copies is not None and all(copies.keys[i] in copies.sent.form for i in these)


def _skip_below(rest: range, why: list[str], copies: Copies) -> None:
    """Of what stands below an unquoted form, and may be read, give what we wrote there its reason."""
    for i in rest:
        copy = copies.at(i) if not why[i] and copies.keys[i] else None
        if copy is not None and copies.sent.text[copy.place : copy.end] in copies.sent.below:
            why[i : copy.last + 1] = [SENT] * (copy.last + 1 - i)


def _read_quoted_form(lines: Lines, form: _Form, why: list[str], copies: Copies | None) -> None:
    """A quoted form: what is in it counts unless it is a comment. Without its end mark it ends with the quote."""
    depth = lines.depths[form.start]
    inside = range(form.start + 1, form.end)
    if not form.closed:
        end = next((i for i in inside if lines.depths[i] != depth and lines.bodies[i]), form.end)
        inside = range(form.start + 1, _end_of_open_form(form, range(form.start + 1, end), copies))
    for i in inside:
        why[i] = ""
    _read_lines(lines, form, inside, why, copies)


def _end_of_open_form(form: _Form, inside: range, copies: Copies | None) -> int:
    """Where a form without an end mark ends: at the first line that we wrote below it, if there is one."""
    below = copies.sent.below if copies else frozenset[str]()
    return next((i for i in inside if copies and copies.keys[i] in below and i not in form.press), inside.stop)


def _read_lines(lines: Lines, form: _Form, inside: range, why: list[str], copies: Copies | None) -> None:
    """Give a reason to what is between the marks and not to be read."""
    why[form.start] = FORM
    if form.closed:
        why[form.end] = FORM
    at = 0
    for i in inside:
        if i in form.press or not lines.bodies[i] or why[i]:
            continue
        if is_comment(lines.bodies[i]):
            at = _mark_comment(i, at, inside, why, copies, reason=SWITCHED_OFF if form.is_sheet else COMMENT)
        else:
            _join(lines, i, inside, why, form.is_sheet, copies)
    written = [i for i in inside if not why[i] and lines.bodies[i]]
    if not form.is_sheet and _stood_there(written, copies):
        for i in written:
            why[i] = UNFILLED


def _mark_comment(i: int, at: int, inside: range, why: list[str], copies: Copies | None, *, reason: str) -> int:
    """Give a comment, and what was broken off it, a reason. `at` is where our mail is expected to go on; so is the result."""
    why[i] = FORM
    if copies is None:
        return at
    copy = copies.at(i, at)
    if copy is None:
        if copies.lines.bodies[i].strip("# ") and not form_note(copies.lines.bodies[i])[0]:
            why[i] = reason  # It may be an order whose "#" the player forgot to remove.
        return at
    for rest in range(i + 1, min(copy.last + 1, inside.stop)):
        why[rest] = WRAPPED
    return copy.end


def _join(lines: Lines, i: int, inside: range, why: list[str], in_sheet: bool, copies: Copies | None) -> None:
    """Join the lines of an order that was offered in the form and that a mail program has broken."""
    copy = (copies.offered(i) or (copies.at(i) if in_sheet else None)) if copies else None
    if copy is not None and i < copy.last < inside.stop:
        lines.bodies[i] = " ".join(lines.bodies[i : copy.last + 1])
        for piece in range(i + 1, copy.last + 1):
            lines.bodies[piece], why[piece] = "", FORM
