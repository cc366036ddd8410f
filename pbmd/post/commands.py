"""From the lines of a mail to its command text: the order form first, the rules for quotes and signatures for the rest."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pbmd.post import quotes
from pbmd.post.quotes import Lines
from pbmd.post.text import normal, without_bullet


@dataclass(frozen=True, slots=True)
class TextLine:
    """A line to be read as a command: `text` for parsing, `original` as written. `number` counts from 1, blank lines too."""

    number: int
    text: str
    original: str


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Some lines one below the other that were not read: their beginning, why, and how many they are."""

    text: str
    reason: str
    lines: int


@dataclass(frozen=True, slots=True)
class CommandText:
    """What is to be read, what is not, and the tag of the order form ("" without one)."""

    lines: tuple[TextLine, ...]
    left_out: tuple[LeftOut, ...]
    form_tag: str


OUTSIDE = "it stands outside the order form"
_COMMENT = "a comment"
_MARK = re.compile(r"# ?(orders|end)\b[ :]*([^ ]{0,80})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Form:
    """An order form in the mail: its mark line, its tag, and the line of its end mark, or None."""

    start: int
    tag: str
    end: int | None


def command_text(lines: Sequence[str]) -> CommandText:
    """Pick out the command lines of a mail.

    An order form that is not quoted counts alone, or with the text above it when nothing was filled in. In a quoted form the
    lines count that are no comments, besides the unquoted lines of the mail. In a form, all that begins with "#" is a comment.
    """
    parts = quotes.quoted_lines(lines)
    form = _form(parts)
    why = quotes.reasons(parts)
    if form is not None and parts.depths[form.start]:
        _read_quoted_form(parts, form, why)
    elif form is not None:
        _read_form(parts, form, why)
    return CommandText(_text_lines(parts, why), _left_out(parts, why), form.tag if form else "")


def _form(lines: Lines) -> _Form | None:
    """The form that counts: the first of those that are quoted least. Deeper ones are older."""
    marks = [
        (i, found[1].lower(), found[2])
        for i, body in enumerate(lines.bodies)
        if body[:1] == "#" and (found := _MARK.fullmatch(normal(body[:120])))
    ]
    starts = [(lines.depths[i], i, tag) for i, word, tag in marks if word == "orders"]
    if not starts:
        return None
    depth, start, tag = min(starts)
    following = next(((i, word) for i, word, _ in marks if i > start and lines.depths[i] <= depth), None)
    end = following[0] if following and following[1] == "end" else None
    return _Form(start, tag, end)


def _read_form(lines: Lines, form: _Form, why: list[str]) -> None:
    """An unquoted form: its lines count; the text above it counts only if there is none in it."""
    above = why[: form.start]
    count = len(lines.bodies)
    end = count if form.end is None else form.end
    inside = range(form.start + 1, end)
    why[form.start :] = [OUTSIDE] * (count - form.start)
    # Without an end mark the form runs into signature and quote, for which the rules are asked again from here on.
    why[form.start + 1 : end] = _reasons_from(lines, form.start + 1) if form.end is None else [""] * len(inside)
    _skip_comments(lines, form, inside, why)
    if any(not why[i] and lines.bodies[i] for i in inside):
        why[: form.start] = [reason or OUTSIDE for reason in above]


def _reasons_from(lines: Lines, start: int) -> list[str]:
    return quotes.reasons(Lines(lines.depths[start:], lines.bodies[start:], lines.originals[start:]))


def _read_quoted_form(lines: Lines, form: _Form, why: list[str]) -> None:
    """A quoted form: what is in it counts unless it is a comment. Without its end mark it ends with the quote."""
    depth = lines.depths[form.start]
    end = form.end
    if end is None:
        count = len(lines.bodies)
        end = next((i for i in range(form.start + 1, count) if lines.depths[i] != depth and lines.bodies[i]), count)
    inside = range(form.start + 1, end)
    for i in inside:
        why[i] = ""
    _skip_comments(lines, form, inside, why)


def _skip_comments(lines: Lines, form: _Form, inside: range, why: list[str]) -> None:
    for i in inside:
        if lines.bodies[i][:1] == "#":
            why[i] = _COMMENT
    why[form.start] = _COMMENT
    if form.end is not None:
        why[form.end] = _COMMENT


def _text_lines(lines: Lines, why: Sequence[str]) -> tuple[TextLine, ...]:
    kept = [i for i, reason in enumerate(why) if not reason]
    first = next((n for n, i in enumerate(kept) if lines.bodies[i]), len(kept))
    del kept[:first]
    while kept and not lines.bodies[kept[-1]]:
        del kept[-1]
    return tuple(
        TextLine(number, without_bullet(normal(lines.bodies[i])), lines.bodies[i] if lines.depths[i] else lines.originals[i])
        for number, i in enumerate(kept, start=1)
    )


_SHOWN_LINES = 3
_SHOWN_CHARS = 200
_MAX_ENTRIES = 20


def _left_out(lines: Lines, why: Sequence[str]) -> tuple[LeftOut, ...]:
    """Runs of lines with the same reason; blank lines and the comments of the form are not worth a word."""
    runs: list[tuple[str, list[int]]] = []
    for i, reason in enumerate(why):
        if reason and reason != _COMMENT and lines.bodies[i]:
            if not runs or runs[-1][0] != reason:
                runs.append((reason, []))
            runs[-1][1].append(i)
    if len(runs) > _MAX_ENTRIES:  # interleaved answers: one entry a reason
        runs = [(name, [i for reason, run in runs if reason == name for i in run]) for name in dict(runs)]
    return tuple(LeftOut(_shown(lines, run), reason, len(run)) for reason, run in runs)


def _shown(lines: Lines, run: Sequence[int]) -> str:
    return "\n".join(lines.originals[i].strip() for i in run[:_SHOWN_LINES])[:_SHOWN_CHARS]
