"""The text of a mail, read into blocks by the conventions that all our texts keep (docs/ruleset-kit.md)."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import groupby, pairwise

from pbmd.rendering.blocks.kinds import Block, Foot, Form, Heading, Items, Lines, Paragraph, Speech, Table, Verbatim

_FOOT, _BEGIN, _END = "--", "#orders", "#end"
_HEADING = re.compile(r"(?=[^a-z]*[A-Z]{3})[A-Z][^a-z(]*?(?:$|(?<=[^\s,:])(?:, | \(|: )(?P<more>.*))")
_OVER_COLUMNS = re.compile(r"([A-Z][A-Z' ]*[A-Z])( {2,}[a-z]+(?: +[a-z]+)+)")
"""A heading, and behind it on the same line the names of columns."""
_UNDERLINE = re.compile(r"={3,}|-{3,}")
_LONGEST_HEADING = 66
_SENTENCE = re.compile(r"\w[.;!?](?: |$)")
_MARKED = re.compile(r" *(?:-|\d{1,3}[.)]) +(?=\S)")


def blocks_of(text: str) -> tuple[Block, ...]:
    """All of the text, in its order."""
    lines = [line.rstrip() for line in text.expandtabs().split("\n")]
    blocks: list[Block] = []
    place = 0
    while place < len(lines):
        line = lines[place]
        if not line:
            place += 1
        elif line == _FOOT:
            blocks.append(Foot())
            place += 1
        else:
            last = _last_of_form(lines, place) if line.startswith(_BEGIN) else _last_of_group(lines, place)
            group = lines[place:last]
            blocks += [Form(tuple(group))] if line.startswith(_BEGIN) else _in_group(tuple(group))
            place = last
    return tuple(blocks)


def _last_of_form(lines: Sequence[str], place: int) -> int:
    """Behind the mark with which a form ends, or behind the last line if it has none."""
    return next((at + 1 for at in range(place, len(lines)) if lines[at] == _END), len(lines))


def _last_of_group(lines: Sequence[str], place: int) -> int:
    for at in range(place, len(lines)):
        line = lines[at]
        if not line or line == _FOOT or (line[0] == "#" and line.startswith(_BEGIN)):
            return at
    return len(lines)


@lru_cache(maxsize=256)
def _in_group(group: tuple[str, ...]) -> tuple[Block, ...]:
    """The blocks of lines that stand together without a blank one: most of those of a mail stand in many."""
    return tuple(_of_group(group))


def _of_group(group: Sequence[str]) -> Iterator[Block]:
    if "# " in {line[:2] for line in group}:
        yield Form(tuple(group))
        return
    if len(group) > 1 and _UNDERLINE.fullmatch(group[1]):
        yield Heading(group[0].strip())
        group = group[2:]
    elif _is_heading(group[0]):
        yield Heading(group[0])
        group = group[1:]
    elif (found := _OVER_COLUMNS.fullmatch(group[0])) and len(group) > 1:
        yield Heading(found[1])
        yield from _below_names([" " * len(found[1]) + found[2], *group[1:]])
        return
    for kind, lines in groupby(group, _kind):
        yield from _OF_KIND[kind]([*lines])


def _below_names(lines: Sequence[str]) -> Iterator[Block]:
    """What stands below the names of columns, which are the first line: a table where that is sure."""
    table, rest = _ragged_table_of(lines)
    if table is not None:
        yield table
    if rest:
        yield from _ours(rest)


def _is_heading(line: str) -> bool:
    found = _HEADING.fullmatch(line) if len(line) <= _LONGEST_HEADING else None
    return found is not None and ". " not in (found["more"] or "")


def _kind(line: str) -> str:
    return line[0] if line[0] in "|?" else ""


def _said(lines: Sequence[str]) -> Iterator[Block]:
    bodies = [line[1:].removeprefix(" ") for line in lines]
    if any("  " in body.strip() for body in bodies):
        yield Verbatim(tuple(lines))
        return
    joined = [bodies[0]]
    for before, body in pairwise(bodies):
        if before and _was_one(before, body):
            joined[-1] += f" {body.strip()}"
        else:
            joined.append(body)
    yield Speech(tuple(joined))


def _was_one(line: str, following: str) -> bool:
    """Whether a line of what was said was broken before the following one: where it may be another, it stays one."""
    return following.strip()[:1].islower() and indent_of(line) == indent_of(following) and _goes_on(line, following, _MOST - 6)


def _supposed(lines: Sequence[str]) -> Iterator[Block]:
    yield Verbatim(tuple(lines))


def _ours(lines: Sequence[str]) -> Iterator[Block]:
    """Lines of our own: a table, or prose and indented lines one below the other."""
    if (table := _table_of(lines)) is not None:
        yield table
        return
    kinds = groupby(_kinds(_rows(lines)), lambda kind: kind[:2])
    for (is_indented, is_marked), run in kinds:
        rows = [row for _, _, row in run]
        if is_marked:
            yield _list(rows)
            continue
        for column, runs in groupby(_by_column(rows, is_indented=is_indented), lambda each: each[0]):
            rows = [row for _, rows in runs for row in rows]
            yield labelled(rows, column) if column else _prose(rows, is_indented=is_indented)


def _kinds(rows: Sequence[list[str]]) -> Iterator[tuple[bool, bool, list[str]]]:
    """Each row, whether it is indented, and whether it is an item: a number is none that a sentence goes on with."""
    above = ""
    for row in rows:
        is_marked = _is_marked(row[0])
        is_number = is_marked and row[0][0].isdecimal() and _leads_on(above) and _goes_on(above, row[0], _MOST)
        yield _is_indented(row[0]), is_marked and not is_number, row
        above = row[-1]


def _leads_on(line: str) -> bool:
    """Whether a sentence may go on below a line."""
    return bool(line) and not _is_indented(line) and not line.endswith((".", "!", "?", ":")) and not _is_marked(line)


def _prose(rows: Sequence[Sequence[str]], *, is_indented: bool) -> Block:
    if is_indented:
        return Items(tuple([_unwrapped(row) for row in rows]))
    return Paragraph(_unwrapped([line for row in rows for line in row]))


def _list(rows: Sequence[Sequence[str]]) -> Block:
    parts = [row[0].split(None, 1) for row in rows]
    items = (_unwrapped([words, *row[1:]]) for (_, words), row in zip(parts, rows, strict=True))
    return Items(tuple(items), tuple(mark for mark, _ in parts))


def _is_marked(line: str) -> bool:
    return _MARKED.match(line) is not None


_INDENTED = 2
"""Blanks before a line that is indented."""


def _is_indented(line: str) -> bool:
    return line.startswith(("  ", "* ", "+ "))


def _rows(lines: Sequence[str]) -> list[list[str]]:
    """Each line with those below it that are indented deeper and belong to it."""
    rows: list[list[str]] = []
    column = first = last = 0
    for line in lines:
        column = _label_column(line) or column
        depth = indent_of(line)
        if rows and depth and _belongs(rows[-1], line, column, (first, last, depth)):
            rows[-1].append(line)
        else:
            rows.append([line])
            first = depth
        last = depth
    return rows


def _belongs(row: Sequence[str], line: str, column: int, depths: tuple[int, int, int]) -> bool:
    """Whether an indented line goes on with what the row says: it is indented deeper, to the second column if there is one, or,
    in prose, could not be longer. `depths`: those of the row's first line and its last, and of the line."""
    first, last, depth = depths
    if depth > first and (depth > _INDENTED or not _is_indented(row[0])):
        return _is_indented(row[0]) or _is_marked(row[0]) or depth == column
    if not depth == first == last or not _goes_on(row[-1], line, _MOST):
        return False
    return line.strip()[0].islower() or _is_in_sentence(row[-1], line)


def _is_in_sentence(line: str, following: str) -> bool:
    """Whether two lines are surely prose, and no sentence ends between them: orders and names one below the other have none."""
    return not line.endswith((".", "!", "?", ":")) and bool(_SENTENCE.search(line) or _SENTENCE.search(following))


def _by_column(rows: Sequence[Sequence[str]], *, is_indented: bool) -> Iterator[tuple[int, list[Sequence[str]]]]:
    """Runs of rows with labels, and the column behind these; of others with 0. A single row among others may just have two
    blanks in it."""
    runs: list[tuple[int, list[Sequence[str]]]] = []
    for row in rows:
        column = runs[-1][0] if runs and runs[-1][0] and _in_column(row, runs[-1][0]) else _label_column(row[0])
        if runs and runs[-1][0] == column:
            runs[-1][1].append(row)
        else:
            runs.append((column, [*_labels_above(runs, column), row]))
    for column, run in (each for each in runs if each[1]):
        is_alone = len(runs) == 1 and not is_indented
        is_sure = is_alone or len(run) > 1 or (len(run[0]) > 1 and indent_of(run[0][1]) == column)
        yield column if is_sure else 0, run


def _labels_above(runs: Sequence[tuple[int, list[Sequence[str]]]], column: int) -> list[Sequence[str]]:
    """The rows taken from the end of those above that have a label with a colon before the same column, and a single blank."""
    above = runs[-1][1] if column and runs and not runs[-1][0] else []
    first = len(above)
    while first and _has_column(above[first - 1][0], column) and above[first - 1][0][:column].endswith(": "):
        first -= 1
    taken = above[first:]
    del above[first:]
    return taken


_OF_KIND = {"|": _said, "?": _supposed, "": _ours}


# --- Lines that were wrapped ----------------------------------------------------------------------------------------------

_LEAST, _MOST = 68, 72
"""At so many columns the texts of mails are wrapped."""


def indent_of(line: str) -> int:
    """How many blanks a line begins with."""
    return len(line) - len(line.lstrip(" ")) if line[:1] == " " else 0


def _goes_on(line: str, following: str, width: int = _LEAST) -> bool:
    """Whether the first word of the following line would not have fitted into this one."""
    return len(line) + 1 + len(following.split(None, 1)[0]) > width


def _unwrapped(lines: Sequence[str]) -> tuple[str, ...]:
    """The lines, stripped, with those put together of which one goes on in the next."""
    joined = [lines[0].strip()]
    for before, line in pairwise(lines):
        if _goes_on(before, line):
            joined[-1] = f"{joined[-1]} {line.strip()}"
        else:
            joined.append(line.strip())
    return tuple(joined)


# --- Tables: aligned columns, read as such only where that is sure --------------------------------------------------------

_MOST_COLUMNS = 6
"""What has more of them is a map or the like."""
_LEAST_ROWS = 3
_NUMBER = re.compile(r"[-+]?\d[\d.,]*%?|[-–.]")
_LABEL = re.compile(r" {0,2}(?:[*+] )?[^\s|?#](?:(?!  ).){0,24} {2,}(?=[^\s(])")
_IN_SENTENCES = (",", ";", ".")
"""What ends no label."""
_Span = tuple[int, int]


def _table_of(lines: Sequence[str]) -> Table | None:
    """The table that all of these lines are together: at least three, with the same columns blank between all cells."""
    if len(lines) < _LEAST_ROWS or not [line for line in lines if "  " in line.strip()]:
        return None
    spans = _spans(lines)
    cut = [[line[begin:end].strip() for begin, end in spans] for line in lines]
    has_head = not cut[0][0] and all(cut[0][1:])
    if not 1 < len(spans) <= _MOST_COLUMNS or not (has_head or all(map(_has_cells, cut))):
        return None
    rows = _table_rows(cut)
    return Table(tuple(tuple((cell,) for cell in row) for row in rows), has_head, _numbers(rows[has_head:]))


def _ragged_table_of(lines: Sequence[str]) -> tuple[Table | None, Sequence[str]]:
    """The table that begins with the names of its columns and has words of any length below its rows, indented deeper, each
    of which is a row of one cell; and the lines behind it. All of them are behind it if it is no such table."""
    depth, last = indent_of(lines[1]), 1
    while last < len(lines) and (indent_of(lines[last]) > depth or "  " in lines[last].strip()):
        last += 1
    table = _table_of([line for line in lines[:last] if "  " in line.strip()])
    if table is None or not table.head or len(table.rows) != 1 + sum(indent_of(line) == depth for line in lines[1:last]):
        return None, lines
    rows: list[tuple[Lines, ...]] = []
    cells = iter(table.rows)
    for is_row, run in groupby(lines[:last], lambda line: "  " in line.strip()):
        below = [*run]
        rows += [next(cells) for _ in below] if is_row else [(_unwrapped(below),)]
    return Table(tuple(rows), head=True, numbers=table.numbers), lines[last:]


def _numbers(rows: Sequence[Sequence[str]]) -> frozenset[int]:
    """The columns of numbers, of which the first is none."""
    columns = [*zip(*rows, strict=True)]
    return frozenset(place for place in range(1, len(columns)) if _are_numbers(columns[place]))


def _has_cells(cells: Sequence[str]) -> bool:
    return len([*filter(None, cells)]) > 1


def _table_rows(cut: Sequence[list[str]]) -> list[list[str]]:
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


_SIGN, _WRITTEN = re.compile("[^ ]"), re.compile("1+")
_SIGNS = {code: "01"[code != ord(" ")] for code in range(128)}
"""The same for lines of nothing but ASCII, as nearly all are, in a tenth of the time."""


def _spans(lines: Sequence[str]) -> list[_Span]:
    """From where to where each column goes."""
    width = max(map(len, lines))
    written = 0
    for line in lines:
        signs = line.translate(_SIGNS) if line.isascii() else _SIGN.sub("1", line).replace(" ", "0")
        written |= int(signs.ljust(width, "0") or "0", 2)
    spans: list[_Span] = []
    for found in _WRITTEN.finditer(f"{written:0{width}b}"):
        if spans and not _is_gap(lines, spans[-1][1], found.start()):
            spans[-1] = (spans[-1][0], found.end())
        else:
            spans.append(found.span())
    return spans


def _is_gap(lines: Sequence[str], begin: int, end: int) -> bool:
    """Whether what is blank in all lines stands between two columns: two blanks, or one where most of what begins behind it
    has more."""
    if end - begin > 1:
        return True
    beginning = [line for line in lines if line[end : end + 1].strip()]
    wide = sum(not line[begin - 1 : end].strip() for line in beginning)
    return wide > 1 and wide * 2 > len(beginning) and not any(line[:begin].endswith(_IN_SENTENCES) for line in beginning)


def _label_column(line: str) -> int:
    """Where the second column of a line begins that has a label before two blanks or more; 0 if it has none."""
    found = _LABEL.match(line) if "  " in line and "  " in line.lstrip(" ") else None
    return found.end() if found else 0


def _has_column(line: str, column: int) -> bool:
    """Whether something begins there, too, behind a blank and what can be a label."""
    is_there = line[column - 1 : column] == " " and line[column : column + 1].strip() != "" and indent_of(line) < column
    return is_there and not line[: column - 1].endswith(_IN_SENTENCES)


def _in_column(row: Sequence[str], column: int) -> bool:
    """Whether a row has something there: in its first line, or, if that is a long label and nothing else, below."""
    return _has_column(row[0], column) or _is_below(row, column)


def _is_below(row: Sequence[str], column: int) -> bool:
    return len(row) > 1 and indent_of(row[1]) == column and not _label_column(row[0])


def labelled(rows: Sequence[Sequence[str]], column: int) -> Table:
    """A table of labels and what belongs to each, from the lines of its rows."""
    return Table(tuple(_labelled(row, column) for row in rows))


def _labelled(row: Sequence[str], column: int) -> tuple[Lines, Lines]:
    if _is_below(row, column) and not _has_column(row[0], column):
        return (row[0].strip(),), _unwrapped(row[1:])
    first = " " * column + row[0][column:]
    if any("  " in line.strip() for line in (first, *row[1:])):
        return (" ".join(row[0][:column].split()),), tuple(line.strip() for line in (first, *row[1:]))
    return (" ".join(row[0][:column].split()),), _unwrapped([first, *row[1:]])
