"""Tables in plain text that no mail program has to wrap: rows are as wide as a mail of 72 columns lets them be.

A name that is too long for its column is not cut: it stands on a line of its own, and the rest of its row below it.
"""

import textwrap
import unicodedata
from collections.abc import Iterable, Iterator, Sequence

WIDTH = 70
"""Of 72 columns, two are for the mark before what is quoted (`pbmd.rendering.render.said`)."""
_LABEL = 12
_NAME = 20
"""So wide the first column of a table is at most."""
_LEAST = 24
"""What has less room at the end of a row begins on the next line."""
_GAP = "  "


def labelled(label: str, text: str, width: int = WIDTH) -> str:
    """A label, and a text behind it that goes on below itself."""
    body = _wrapped(text, width - _LABEL) or [""]
    if width_of(label) + 2 > _LABEL:
        return "\n".join([label, *(" " * _LABEL + line for line in body)]).rstrip()
    first, *rest = body
    return "\n".join([f"{_filled(label, _LABEL)}{first}", *(" " * _LABEL + line for line in rest)]).rstrip()


def indented(text: str, width: int = WIDTH) -> str:
    """A text below what it explains."""
    return textwrap.indent("\n".join(_wrapped(text, width - 4)), "    ")


def table(head: Sequence[str], rows: Iterable[Sequence[str]], width: int = WIDTH) -> str:
    """A table with a head; the last column has texts of any length, the others short ones."""
    body = [tuple(row) for row in rows]
    sizes = [max(width_of(row[place]) for row in (head, *body)) for place in range(len(head) - 1)]
    sizes[0] = min(sizes[0], _NAME)
    lines = [_row(row, sizes, width) for row in (head, *body)]
    return "\n".join(line for row in lines for line in row)


def _row(cells: Sequence[str], sizes: Sequence[int], width: int) -> list[str]:
    name, *others, text = cells
    above: list[str] = []
    if width_of(name) > sizes[0]:
        above, name = _wrapped(name, width), ""
    start = "".join(f"{_filled(cell, size)}{_GAP}" for cell, size in zip((name, *others), sizes, strict=True))
    indent = " " * width_of(start)
    room = width - len(indent)
    if room < min(_LEAST, width_of(text)):
        return [*above, start.rstrip(), *(f"    {line}" for line in _wrapped(text, width - 4))]
    first, *rest = _wrapped(text, room) or [""]
    return [*above, *filter(None, [(start + first).rstrip()]), *(indent + line for line in rest)]


def width_of(text: str) -> int:
    """How many columns a text takes: letters of East Asia take two, accents that are letters of their own none."""
    return len(text) if text.isascii() else sum(map(_columns, text))


def _columns(char: str) -> int:
    if unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def _filled(text: str, width: int) -> str:
    return text + " " * (width - width_of(text))


def _wrapped(text: str, width: int) -> list[str]:
    if text.isascii():
        return textwrap.wrap(text, width, break_on_hyphens=False)
    lines = [""]
    for piece in (piece for word in text.split() for piece in _pieces(word, width)):
        longer = f"{lines[-1]} {piece}" if lines[-1] else piece
        if width_of(longer) <= width:
            lines[-1] = longer
        else:
            lines.append(piece)
    return list(filter(None, lines))


def _pieces(word: str, width: int) -> Iterator[str]:
    """A word, in parts if it is wider than a line."""
    part = ""
    for char in word:
        if width_of(part + char) > width:
            yield part
            part = ""
        part += char
    yield part
