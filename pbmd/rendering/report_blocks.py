"""The blocks that a template of reports can be made of: each as text and as HTML, with the same facts in the same order.

A ruleset whose report is made of them needs one template, ``report.j2``, for both. The HTML has the looks of that of other
mails (`pbmd.rendering.blocks`).
"""

import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from markupsafe import Markup, escape

from pbmd.rendering.blocks.kinds import Block, Items, Paragraph, Table
from pbmd.rendering.blocks.page import BLUE, html_of_block

WIDTH = 72
_INDENT = "  "
_BAR_WIDTH, _SIGN = 20, "#"


class _Grid(NamedTuple):
    """Rows of cells as text, the first of which may be a head; `numbers` are the columns with numbers alone."""

    rows: Sequence[tuple[str, ...]]
    head: bool
    numbers: frozenset[int]


def _plain(value: object) -> str:
    """What a template hands over, as text in one line; what it has escaped already, for HTML, as it was before."""
    return " ".join((value.unescape() if isinstance(value, Markup) else str(value)).split())


def _grid(rows: Iterable[Iterable[object]], head: Iterable[object]) -> _Grid:
    """Rows of different lengths are filled up."""
    first = tuple(map(_plain, head))
    cells = [tuple(map(_plain, row)) for row in rows]
    width = max(map(len, (first, *cells)))
    filled = [row + ("",) * (width - len(row)) for row in cells]
    numbers = frozenset(place for place in range(width) if _are_numbers([row[place] for row in filled]))
    return _Grid([*([first + ("",) * (width - len(first))] if first else []), *filled], bool(first), numbers)


def _are_numbers(column: Sequence[str]) -> bool:
    told = [cell for cell in column if cell]
    return bool(told) and all(cell.lstrip("-").replace(".", "", 1).isdecimal() for cell in told)


def _most(values: Mapping[Any, int], of: int) -> int:
    """What a whole bar stands for."""
    return of or max(values.values(), default=0)


def _share(value: int, most: int, whole: int) -> int:
    return round(whole * min(max(value, 0), most) / most) if most > 0 else 0


# --- As text --------------------------------------------------------------------------------------------------------------


def _wrapped(text: str, first: str, below: str) -> str:
    return textwrap.fill(text, WIDTH, initial_indent=first, subsequent_indent=below, break_long_words=False)


def _heading_text(text: object) -> str:
    return "\n" + _wrapped(_plain(text).upper(), "", "")


def _paragraph_text(text: object) -> str:
    return _wrapped(_plain(text), _INDENT, _INDENT)


def _list_text(items: Iterable[object]) -> str:
    return "\n".join(_wrapped(_plain(item), f"{_INDENT}- ", f"{_INDENT}  ") for item in items)


def _table_text(rows: Iterable[Iterable[object]], head: Iterable[object] = ()) -> str:
    cells = [*rows]
    if not cells:
        return ""
    grid = _grid(cells, head)
    widths = [max(map(len, column)) for column in zip(*grid.rows, strict=True)]
    if len(_INDENT) + sum(widths) + 2 * (len(widths) - 1) > WIDTH:
        return _rows_as_lists(grid)
    lines = (
        "  ".join(
            cell.rjust(width) if place in grid.numbers else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in grid.rows
    )
    return "\n".join((_INDENT + line).rstrip() for line in lines)


def _rows_as_lists(grid: _Grid) -> str:
    """A table that is too wide for a mail: what a row is about, and below it what its other cells say."""
    names = grid.rows[0] if grid.head else ("",) * len(grid.rows[0])
    lines: list[str] = []
    for first, *more in grid.rows[1:] if grid.head else grid.rows:
        lines.append(_wrapped(first, _INDENT, _INDENT * 2))
        told = (f"{name}: {cell}" if name else cell for name, cell in zip(names[1:], more, strict=True) if cell)
        lines += [_wrapped(each, _INDENT * 3, _INDENT * 4) for each in told]
    return "\n".join(lines)


def _bars_text(values: Mapping[Any, int], of: int = 0) -> str:
    most = _most(values, of)
    rows = [(name, _SIGN * _share(value, most, _BAR_WIDTH), value) for name, value in values.items()]
    return _table_text(rows)


def _card_text(title: object, caller: Callable[[], str]) -> str:
    name = _plain(title)
    return "\n{}\n{}\n{}\n".format(name, "-" * min(len(name), WIDTH), caller().strip("\n"))


# --- As HTML --------------------------------------------------------------------------------------------------------------


def _html(block: Block) -> Markup:
    return Markup(html_of_block(block))  # noqa: S704 – what is in it was escaped


def _heading_html(text: object) -> Markup:
    return Markup('<h2 style="font-size:19px;margin:24px 0 8px">{}</h2>\n').format(_plain(text))


def _paragraph_html(text: object) -> Markup:
    return _html(Paragraph((_plain(text),)))


def _list_html(items: Iterable[object]) -> Markup:
    lines = tuple((_plain(item),) for item in items)
    return _html(Items(lines, ("-",) * len(lines))) if lines else Markup()


def _table_html(rows: Iterable[Iterable[object]], head: Iterable[object] = ()) -> Markup:
    cells = [*rows]
    if not cells:
        return Markup()
    grid = _grid(cells, head)
    return _html(Table(tuple(tuple((cell,) for cell in row) for row in grid.rows), grid.head, grid.numbers))


def _bar_html(width: int) -> str:
    cell = f"width:{width}px;height:12px;background-color:{BLUE};font-size:1px;line-height:1px"
    return (
        '<table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr>'
        f'<td width="{width}" height="12" bgcolor="{BLUE}" style="{cell}">&nbsp;</td></tr></table>'
    )


def _bars_html(values: Mapping[Any, int], of: int = 0) -> Markup:
    most = _most(values, of)
    rows = "".join(
        '<tr><th scope="row" style="padding:0 14px 6px 0;text-align:left;font-weight:normal">'
        f"{escape(_plain(name))}</th>"
        f'<td width="200" style="width:200px;padding:0 0 6px">{_bar_html(width) if width else ""}</td>'
        f'<td style="padding:0 0 6px 10px;text-align:right">{value:d}</td></tr>\n'
        for name, value in values.items()
        for width in [_share(value, most, 200)]
    )
    style = "margin:0 0 14px;border-collapse:collapse"
    table = f'<table cellpadding="0" cellspacing="0" border="0" style="{style}">\n{rows}</table>\n' if rows else ""
    return Markup(table)  # noqa: S704 – what is in it was escaped


_CARD = Markup(
    '<table width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 14px"><tr>'
    '<td style="padding:10px 14px 2px;border:1px solid #888888">\n'
    '<p style="margin:0 0 8px"><strong>{}</strong></p>\n{}</td></tr></table>\n'
)


def _card_html(title: object, caller: Callable[[], Markup]) -> Markup:
    return _CARD.format(_plain(title), escape(caller()))


BLOCKS: Mapping[str, Mapping[str, Callable[..., str]]] = {
    "txt": {
        "heading": _heading_text,
        "paragraph": _paragraph_text,
        "list": _list_text,
        "table": _table_text,
        "bars": _bars_text,
        "card": _card_text,
    },
    "html": {
        "heading": _heading_html,
        "paragraph": _paragraph_html,
        "list": _list_html,
        "table": _table_html,
        "bars": _bars_html,
        "card": _card_html,
    },
}
"""By the form of a report (``txt``, ``html``) what its template can call, by the name that it has there."""
