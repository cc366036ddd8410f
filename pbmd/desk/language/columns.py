"""Tables in plain text that no mail program has to wrap: rows are as wide as a mail of 72 columns lets them be.

A name that is too long for its column is not cut: it stands on a line of its own, and the rest of its row below it.
"""

import textwrap
from collections.abc import Iterable, Sequence

WIDTH = 70
"""Of 72 columns, two are for the mark before what is quoted (`pbmd.reports.render.said`)."""
_LABEL = 12
_NAME = 20
"""So wide the first column of a table is at most."""
_LEAST = 24
"""What has less room at the end of a row begins on the next line."""
_GAP = "  "


def labelled(label: str, text: str, width: int = WIDTH) -> str:
    """A label, and a text behind it that goes on below itself."""
    body = _wrapped(text, width - _LABEL) or [""]
    if len(label) + 2 > _LABEL:
        return "\n".join([label, *(" " * _LABEL + line for line in body)]).rstrip()
    first, *rest = body
    return "\n".join([f"{label:<{_LABEL}}{first}", *(" " * _LABEL + line for line in rest)]).rstrip()


def indented(text: str, width: int = WIDTH) -> str:
    """A text below what it explains."""
    return textwrap.indent("\n".join(_wrapped(text, width - 4)), "    ")


def table(head: Sequence[str], rows: Iterable[Sequence[str]], width: int = WIDTH) -> str:
    """A table with a head; the last column has texts of any length, the others short ones."""
    body = [tuple(row) for row in rows]
    sizes = [max(len(row[place]) for row in (head, *body)) for place in range(len(head) - 1)]
    sizes[0] = min(sizes[0], _NAME)
    lines = [_row(row, sizes, width) for row in (head, *body)]
    return "\n".join(line for row in lines for line in row)


def _row(cells: Sequence[str], sizes: Sequence[int], width: int) -> list[str]:
    name, *others, text = cells
    above: list[str] = []
    if len(name) > sizes[0]:
        above, name = _wrapped(name, width), ""
    start = "".join(f"{cell:<{size}}{_GAP}" for cell, size in zip((name, *others), sizes, strict=True))
    room = width - len(start)
    if room < min(_LEAST, len(text)):
        return [*above, start.rstrip(), *(f"    {line}" for line in _wrapped(text, width - 4))]
    first, *rest = _wrapped(text, room) or [""]
    return [*above, *filter(None, [(start + first).rstrip()]), *(" " * len(start) + line for line in rest)]


def _wrapped(text: str, width: int) -> list[str]:
    return textwrap.wrap(text, width, break_on_hyphens=False)
