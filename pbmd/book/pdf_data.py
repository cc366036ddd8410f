"""A book as plain data, for the template that sets the PDF."""

import re
from collections.abc import Sequence
from datetime import UTC
from itertools import groupby
from typing import Any

from pbmd.book.clean_text import breakable, shortened
from pbmd.book.elements import (
    Block,
    Book,
    Box,
    Cell,
    Heading,
    Items,
    Paragraph,
    Picture,
    Press,
    Runs,
    Table,
    Verbatim,
    plain_words,
)
from pbmd.book.glyphs import UNKNOWN, spelt

_SIDES = re.compile(r'<svg [^>]*?\bwidth="([\d.]+)"[^>]*?\bheight="([\d.]+)"')
_LARGE, _TALL = 800, 1.6
"""A drawing that is wider, or higher than this many times its width, gets all the room there is: else its letters could not be
read."""
_LONGEST_HEAD = 600
"""In letters, for a heading: nobody reads a long one, and Typst does not break a word in hundreds of places there."""
_BLANK = " \N{NO-BREAK SPACE}\N{SOFT HYPHEN}"
_IN_HEADS, _IN_LINES = 16, 64
"""The letters of a word that fit into a line of a heading, and of verbatim text."""
_FEW_LINES, _SHORT_LINE = 14, 20
"""The lines of a table that fits on one page, and the minimum of letters that count as such a line."""
_LINES_OF_ROW, _WIDE_COLUMNS = 30, 3
"""The lines of a row that fits on one page, in a table of so few columns that they are not narrow."""
_NARROW = 70
"""The letters that fit into a line of a table."""
_LONG = 24
"""The letters of a cell that may be set in several lines."""
_SHORT, _SHORTER = 170, 110
"""The letters of a box that may stand beside one or two others."""
_WHOLE = 700
"""The letters of a box that fits on one page."""


def document(book: Book) -> dict[str, Any]:
    """The whole book."""
    at = book.at.astimezone(UTC)
    return {
        "kind": book.kind,
        "name": book.title,
        "title": breakable(book.title, _IN_HEADS),
        "subtitle": book.subtitle,
        "lines": [breakable(line) for line in book.lines],
        "at": {part: getattr(at, part) for part in ("year", "month", "day", "hour", "minute", "second")},
        "cover": _block(book.cover) if book.cover else None,
        "chapters": [{"title": breakable(each.title, _IN_HEADS), "blocks": _blocks(each.blocks)} for each in book.chapters],
    }


def _blocks(blocks: Sequence[Block]) -> list[dict[str, Any]]:
    """The blocks; consecutive boxes are set in columns if all of them are short."""
    found: list[dict[str, Any]] = []
    for are_boxes, group in groupby(blocks, key=lambda block: isinstance(block, Box)):
        there = [*group]
        told = [_block(block) for block in there]
        longest = max(map(_length_of, there))
        if are_boxes and len(there) > 1 and longest <= _SHORT:
            columns = 3 if len(there) % 3 == 0 and longest <= _SHORTER else 2
            told = [{"kind": "boxes", "columns": columns, "boxes": told}]
        found += told
    return found


def _block(block: Block) -> dict[str, Any]:
    match block:
        case Heading(level, text):
            return {"kind": "heading", "level": level, "text": _head(text)}
        case Paragraph(runs):
            return {"kind": "paragraph", "runs": _runs(runs)}
        case Verbatim(text):
            return {"kind": "verbatim", "text": breakable(text, _IN_LINES)}
        case Items(items):
            return {"kind": "items", "items": [_blocks(item) for item in items]}
        case Table():
            return _table(block)
        case Picture(svg, alt):
            width, height = _sides(svg)
            large = width > _LARGE or height > _TALL * width
            return {"kind": "picture", "svg": svg, "alt": alt, "ratio": height / width, "large": large}
        case Box(blocks):
            return {"kind": "box", "blocks": _blocks(blocks), "long": _length(blocks) > _WHOLE}
        case Press(who, text):
            paragraphs = [each.split("\n") for each in breakable(text).split("\n\n")]
            return {"kind": "press", "who": breakable(who), "text": paragraphs}


def _head(text: str) -> str:
    """A heading that can be set: Typst refuses one in which nothing is visible."""
    is_seen = any(spelt(letter) and letter not in _BLANK for letter in text)
    return breakable(shortened(text, _LONGEST_HEAD), _IN_HEADS) if is_seen else UNKNOWN


def _length(blocks: Sequence[Block]) -> int:
    """About how many letters these blocks have."""
    return sum(_length_of(block) for block in blocks)


def _length_of(block: Block) -> int:
    match block:
        case Paragraph(runs):
            return len(plain_words(runs))
        case Box(blocks):
            return _length(blocks)
        case _:
            return _WHOLE


def _runs(runs: Runs) -> list[dict[str, str]]:
    return [{"text": breakable(run.text), "style": run.style} for run in runs]


def _sides(svg: str) -> tuple[float, float]:
    """Width and height of a drawing."""
    found = _SIDES.search(svg)
    width, height = (float(side) for side in found.groups()) if found else (1.0, 1.0)
    return max(width, 1.0), max(height, 1.0)


def _table(table: Table) -> dict[str, Any]:
    return {
        "kind": "table",
        "columns": table.columns,
        "widths": _widths(table),
        "whole": sum(map(_lines, table.rows)) <= _FEW_LINES,
        "head": [_row(row) for row in table.rows[: table.head]],
        "rows": [_row(row) for row in table.rows[table.head :]],
    }


def _row(row: Sequence[Cell]) -> list[dict[str, Any]]:
    whole = len(row) <= _WIDE_COLUMNS and _lines(row) <= _LINES_OF_ROW
    return [
        {"runs": _runs(cell.runs), "head": cell.head, "right": cell.right, "span": cell.span, "whole": whole} for cell in row
    ]


def _lines(row: Sequence[Cell]) -> int:
    """About how many lines a row takes."""
    return max(sum(1 + len(line) // _SHORT_LINE for line in plain_words(cell.runs).split("\n")) for cell in row)


def _widths(table: Table) -> list[int]:
    """A share of the width for each long column, if they do not all fit; 0 for one that is as wide as it needs."""
    longest = [0] * table.columns
    for row in table.rows:
        at = 0
        for cell in row:
            if cell.span == 1:
                longest[at] = max(longest[at], *map(len, plain_words(cell.runs).split("\n")))
            at += cell.span
    if sum(longest) <= _NARROW:
        return [0] * table.columns
    return [min(length, 2 * _NARROW) if length > _LONG else 0 for length in longest]
