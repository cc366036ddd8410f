"""The text of a mail, read into blocks by the conventions that all our texts keep (docs/ruleset-kit.md)."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise

from pbmd.rendering.blocks.columns import has_column, in_column, label_column, labelled, ragged_table_of, table_of
from pbmd.rendering.blocks.kinds import Block, Foot, Form, Heading, Items, Paragraph, Speech, Verbatim
from pbmd.rendering.blocks.wrapped_lines import MOST, goes_on, indent_of, unwrapped

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
            blocks += [Form(tuple(group))] if line.startswith(_BEGIN) else _of_group(group)
            place = last
    return tuple(blocks)


def _last_of_form(lines: Sequence[str], place: int) -> int:
    """Behind the mark with which a form ends, or behind the last line if it has none."""
    return next((at + 1 for at in range(place, len(lines)) if lines[at] == _END), len(lines))


def _last_of_group(lines: Sequence[str], place: int) -> int:
    stops = (at for at in range(place, len(lines)) if not lines[at] or lines[at] == _FOOT or lines[at].startswith(_BEGIN))
    return next(stops, len(lines))


def _of_group(group: Sequence[str]) -> Iterator[Block]:
    """What lines say that stand together without a blank one."""
    if any(line.startswith("# ") for line in group):
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
    table, rest = ragged_table_of(lines)
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
    return following.strip()[:1].islower() and indent_of(line) == indent_of(following) and goes_on(line, following, MOST - 6)


def _supposed(lines: Sequence[str]) -> Iterator[Block]:
    yield Verbatim(tuple(lines))


def _ours(lines: Sequence[str]) -> Iterator[Block]:
    """Lines of our own: a table, or prose and indented lines one below the other."""
    if (table := table_of(lines)) is not None:
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
        goes_below = above and not _is_indented(above) and not above.endswith((".", "!", "?", ":")) and not _is_marked(above)
        is_number = bool(goes_below) and row[0][0].isdecimal() and goes_on(above, row[0], MOST)
        yield _is_indented(row[0]), _is_marked(row[0]) and not is_number, row
        above = row[-1]


def _prose(rows: Sequence[Sequence[str]], *, is_indented: bool) -> Block:
    if is_indented:
        return Items(tuple(unwrapped(row) for row in rows))
    return Paragraph(unwrapped([line for row in rows for line in row]))


def _list(rows: Sequence[Sequence[str]]) -> Block:
    parts = [row[0].split(None, 1) for row in rows]
    items = (unwrapped([words, *row[1:]]) for (_, words), row in zip(parts, rows, strict=True))
    return Items(tuple(items), tuple(mark for mark, _ in parts))


def _is_marked(line: str) -> bool:
    return _MARKED.match(line) is not None


def _is_indented(line: str) -> bool:
    return line.startswith(("  ", "* ", "+ "))


def _rows(lines: Sequence[str]) -> list[list[str]]:
    """Each line with those below it that are indented deeper and belong to it."""
    rows: list[list[str]] = []
    column = 0
    for line in lines:
        column = label_column(line) or column
        if rows and _belongs(rows[-1], line, column):
            rows[-1].append(line)
        else:
            rows.append([line])
    return rows


def _belongs(row: Sequence[str], line: str, column: int) -> bool:
    """Whether a line goes on with what the row says: it is indented deeper, to the second column if there is one, or, in prose,
    could not be longer."""
    first, depth = row[0], indent_of(line)
    if depth > max(indent_of(first), 2 * _is_indented(first)):
        return _is_indented(first) or _is_marked(first) or depth == column
    is_level = 0 < depth == indent_of(first) == indent_of(row[-1])
    return is_level and (line.strip()[0].islower() or _is_in_sentence(row[-1], line)) and goes_on(row[-1], line, MOST)


def _is_in_sentence(line: str, following: str) -> bool:
    """Whether two lines are surely prose, and no sentence ends between them: orders and names one below the other have none."""
    return not line.endswith((".", "!", "?", ":")) and any(_SENTENCE.search(each) for each in (line, following))


def _by_column(rows: Sequence[Sequence[str]], *, is_indented: bool) -> Iterator[tuple[int, list[Sequence[str]]]]:
    """Runs of rows with labels, and the column behind these; of others with 0. A single row among others may just have two
    blanks in it."""
    runs: list[tuple[int, list[Sequence[str]]]] = []
    for row in rows:
        column = runs[-1][0] if runs and runs[-1][0] and in_column(row, runs[-1][0]) else label_column(row[0])
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
    while first and has_column(above[first - 1][0], column) and above[first - 1][0][:column].endswith(": "):
        first -= 1
    taken = above[first:]
    del above[first:]
    return taken


_OF_KIND = {"|": _said, "?": _supposed, "": _ours}
