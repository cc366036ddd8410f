"""Tables on screens of any width: where columns would be too narrow, each row is a block of lines."""

from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from pbmd.ledger.log_file import printable

NARROW = 80
"""On a screen of fewer characters there are blocks."""


def cell(text: str, style: str = "") -> Text:
    """Text as it is: what players and servers wrote is no markup and moves no cursor."""
    return Text(printable(text), style)


def show_rows(console: Console, head: Sequence[str], rows: Iterable[Sequence[Text]]) -> None:
    """Print a table; on a narrow screen a block for each row, with what there is to tell in it."""
    if console.width < NARROW:
        for row in rows:
            _block(console, zip(head, row, strict=True))
            console.print()
        return
    grid = Grid(*head)
    for row in rows:
        grid.add_row(*row)
    console.print(grid)


def show_pairs(console: Console, pairs: Sequence[tuple[str, Text]]) -> None:
    """Print a table of two columns without a head; on a narrow screen one line for each pair, or more if it is long."""
    if console.width < NARROW:
        _block(console, pairs)
        return
    grid = Grid(show_header=False)
    for name, text in pairs:
        grid.add_row(name, text)
    console.print(grid)


def _block(console: Console, pairs: Iterable[tuple[str, Text]]) -> None:
    for name, text in pairs:
        if text.plain:
            console.print(Text.assemble((f"{name}: ", "bold"), text))
