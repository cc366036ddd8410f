"""From the text of a mail to its order lines: the bold rule (section 6.1, CC-43)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from pbmd.rules import Line

Bold = Literal["auto", "required", "off"]

_BOLD = re.compile(r"\[(/?)b\]", re.IGNORECASE)
_TAG = re.compile(r"\[/?(?:\*|[a-z]+)(?:=[^\]\n]*)?\]", re.IGNORECASE)
_STARRED = re.compile(r"\*([^*]+)\*")

NOT_MARKED = "put your orders between [b] and [/b]: in this game only what is marked so is read"
UNBALANCED = "a [b] or [/b] in your mail has no partner"
NESTED = "a [b] stands inside another [b]"


@dataclass(frozen=True, slots=True)
class OrderText:
    """The order lines of a mail, the lines that are only talk, and why the mail is refused ("" if it is not)."""

    lines: tuple[Line, ...]
    talk: tuple[Line, ...] = ()
    problem: str = ""


def order_lines(lines: Sequence[Line], bold: Bold) -> OrderText:
    """Pick out the order lines. A line of which several parts are bold becomes several lines of the same number."""
    written = _written(lines)
    marked = any(_BOLD.search(line.text) for line in written)
    if marked and bold != "off":
        return _between_tags(written)
    if bold == "required":
        return OrderText((), tuple(written), NOT_MARKED if written else "")
    plain = (Line(line.number, _without_tags(line.text)) for line in written)
    if bold == "auto":
        plain = (Line(line.number, _without_stars(line.text)) for line in plain)
    return OrderText(tuple(line for line in plain if line.text))


def marked(line: str, bold: Bold) -> str:
    """An order line as it has to stand in a mail of this game."""
    return f"[b]{line}[/b]" if bold == "required" else line


def _written(lines: Sequence[Line]) -> list[Line]:
    """Without quotes, comments of the order form, blank lines, and everything from a line "--" on."""
    kept: list[Line] = []
    for line in lines:
        text = line.text.strip()
        if text == "--":
            break
        if text and text[0] not in ">#":
            kept.append(Line(line.number, text))
    return kept


def _between_tags(lines: Sequence[Line]) -> OrderText:
    orders: list[Line] = []
    talk: list[Line] = []
    inside = False
    for line in lines:
        start = 0
        for tag in (*_BOLD.finditer(line.text), None):
            piece = Line(line.number, _without_tags(line.text[start : tag.start() if tag else None]))
            if piece.text:
                (orders if inside else talk).append(piece)
            if tag is None:
                continue
            start, closes = tag.end(), bool(tag[1])
            if closes != inside:
                return OrderText((), (), UNBALANCED if closes else NESTED)
            inside = not inside
    return OrderText((), (), UNBALANCED) if inside else OrderText(tuple(orders), tuple(talk))


def _without_tags(text: str) -> str:
    return _TAG.sub("", text).strip()


def _without_stars(text: str) -> str:
    starred = _STARRED.fullmatch(text)
    return starred[1].strip() if starred else text
