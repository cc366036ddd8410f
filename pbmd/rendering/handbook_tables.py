"""Tables as plain text, in columns that fit."""

import textwrap
from collections.abc import Sequence
from itertools import zip_longest

_BETWEEN = "  "
_NARROWEST = 6


def table_lines(rows: Sequence[Sequence[str]], width: int) -> list[str]:
    """The lines of a table, its first row above a rule; columns that are too wide are broken."""
    widths = _widths(rows, width)
    told = [_row(row, widths) for row in rows]
    rule = _BETWEEN.join("-" * each for each in widths)
    gap = [""] if any(len(lines) > 1 for lines in told[1:]) else []
    lines = [*(told[0] if told else []), rule]
    for place, row in enumerate(told[1:]):
        lines += [*(gap if place else []), *row]
    return lines


def _widths(rows: Sequence[Sequence[str]], width: int) -> list[int]:
    """How wide each column is: as its widest cell, if all fit; else those that need more share what the others leave."""
    wanted = [max(map(len, column)) for column in zip_longest(*rows, fillvalue="")]
    room = width - len(_BETWEEN) * (len(wanted) - 1)
    widths = dict[int, int]()
    for count, place in enumerate(sorted(range(len(wanted)), key=wanted.__getitem__)):
        share = (room - sum(widths.values())) // (len(wanted) - count)
        widths[place] = min(wanted[place], max(share, _NARROWEST))
    return [widths[place] for place in range(len(wanted))]


def _row(row: Sequence[str], widths: Sequence[int]) -> list[str]:
    cells = [textwrap.wrap(cell, width) or [""] for cell, width in zip(row, widths, strict=False)]
    return [
        _BETWEEN.join(f"{cell:<{width}}" for cell, width in zip(line, widths, strict=False)).rstrip()
        for line in zip_longest(*cells, fillvalue="")
    ]
