"""Tables in a text: aligned columns, read as such only where that is sure."""

import re
from collections.abc import Iterable, Sequence
from itertools import groupby

from pbmd.rendering.blocks.kinds import Lines, Table
from pbmd.rendering.blocks.wrapped_lines import indent_of, unwrapped

_MOST_COLUMNS = 6
"""What has more of them is a map or the like."""
_LEAST_ROWS = 3
_NUMBER = re.compile(r"[-+]?\d[\d.,]*%?|[-–.]")
_LABEL = re.compile(r" {0,2}(?:[*+] )?[^\s|?#](?:(?!  ).){0,24} {2,}(?=[^\s(])")
_IN_SENTENCES = (",", ";", ".")
"""What ends no label."""
_Span = tuple[int, int]


def table_of(lines: Sequence[str]) -> Table | None:
    """The table that all of these lines are together: at least three, with the same columns blank between all cells."""
    if len(lines) < _LEAST_ROWS or not any("  " in line.strip() for line in lines):
        return None
    spans = _spans(lines)
    cut = [[line[begin:end].strip() for begin, end in spans] for line in lines]
    has_head = not cut[0][0] and all(cut[0][1:])
    if not 1 < len(spans) <= _MOST_COLUMNS or not (has_head or all(map(_has_cells, cut))):
        return None
    rows = _rows(cut)
    return Table(tuple(tuple((cell,) for cell in row) for row in rows), has_head, _numbers(rows[has_head:]))


def ragged_table_of(lines: Sequence[str]) -> tuple[Table | None, Sequence[str]]:
    """The table that begins with the names of its columns and has words of any length below its rows, indented deeper, each
    of which is a row of one cell; and the lines behind it. All of them are behind it if it is no such table."""
    depth, last = indent_of(lines[1]), 1
    while last < len(lines) and (indent_of(lines[last]) > depth or "  " in lines[last].strip()):
        last += 1
    table = table_of([line for line in lines[:last] if "  " in line.strip()])
    if table is None or not table.head or len(table.rows) != 1 + sum(indent_of(line) == depth for line in lines[1:last]):
        return None, lines
    rows: list[tuple[Lines, ...]] = []
    cells = iter(table.rows)
    for is_row, run in groupby(lines[:last], lambda line: "  " in line.strip()):
        below = [*run]
        rows += [next(cells) for _ in below] if is_row else [(unwrapped(below),)]
    return Table(tuple(rows), head=True, numbers=table.numbers), lines[last:]


def _numbers(rows: Sequence[Sequence[str]]) -> frozenset[int]:
    """The columns of numbers, of which the first is none."""
    columns = [*zip(*rows, strict=True)]
    return frozenset(place for place in range(1, len(columns)) if _are_numbers(columns[place]))


def _has_cells(cells: Sequence[str]) -> bool:
    return len([*filter(None, cells)]) > 1


def _rows(cut: Sequence[list[str]]) -> list[list[str]]:
    """The cells of each row; a line without a first cell goes on with the row above."""
    rows: list[list[str]] = []
    for cells in cut:
        if cells[0] or not rows:
            rows.append(cells)
        else:
            rows[-1] = [" ".join(filter(None, pair)) for pair in zip(rows[-1], cells, strict=True)]
    return rows


def _are_numbers(cells: Iterable[str]) -> bool:
    said = [cell for cell in cells if cell]
    return bool(said) and all(map(_NUMBER.fullmatch, said))


def _spans(lines: Sequence[str]) -> list[_Span]:
    """From where to where each column goes."""
    width = max(map(len, lines))
    blank = set(range(width))
    for line in lines:
        blank &= {place for place, sign in enumerate(line) if sign == " "} | set(range(len(line), width))
    spans: list[_Span] = []
    for place in range(width):
        if place in blank:
            continue
        if spans and (spans[-1][1] == place or not _is_gap(lines, spans[-1][1], place)):
            spans[-1] = (spans[-1][0], place + 1)
        else:
            spans.append((place, place + 1))
    return spans


def _is_gap(lines: Sequence[str], begin: int, end: int) -> bool:
    """Whether what is blank in all lines stands between two columns: two blanks, or one where most of what begins behind it
    has more."""
    if end - begin > 1:
        return True
    beginning = [line for line in lines if line[end : end + 1].strip()]
    wide = sum(not line[begin - 1 : end].strip() for line in beginning)
    return wide > 1 and wide * 2 > len(beginning) and not any(line[:begin].endswith(_IN_SENTENCES) for line in beginning)


def label_column(line: str) -> int:
    """Where the second column of a line begins that has a label before two blanks or more; 0 if it has none."""
    found = _LABEL.match(line)
    return found.end() if found else 0


def has_column(line: str, column: int) -> bool:
    """Whether something begins there, too, behind a blank and what can be a label."""
    is_there = line[column - 1 : column] == " " and line[column : column + 1].strip() != "" and indent_of(line) < column
    return is_there and not line[: column - 1].endswith(_IN_SENTENCES)


def in_column(row: Sequence[str], column: int) -> bool:
    """Whether a row has something there: in its first line, or, if that is a long label and nothing else, below."""
    return has_column(row[0], column) or _is_below(row, column)


def _is_below(row: Sequence[str], column: int) -> bool:
    return len(row) > 1 and indent_of(row[1]) == column and not label_column(row[0])


def labelled(rows: Sequence[Sequence[str]], column: int) -> Table:
    """A table of labels and what belongs to each, from the lines of its rows."""
    return Table(tuple(_labelled(row, column) for row in rows))


def _labelled(row: Sequence[str], column: int) -> tuple[Lines, Lines]:
    if _is_below(row, column) and not has_column(row[0], column):
        return (row[0].strip(),), unwrapped(row[1:])
    first = " " * column + row[0][column:]
    if any("  " in line.strip() for line in (first, *row[1:])):
        return (" ".join(row[0][:column].split()),), tuple(line.strip() for line in (first, *row[1:]))
    return (" ".join(row[0][:column].split()),), unwrapped([first, *row[1:]])
