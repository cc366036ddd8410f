"""The page of a report as blocks of a book. Only what is known here gets through: no style, no link, no script.

If the archive may be anybody's, so may the page: it is parsed as a tree by the parser for hostile mail.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from selectolax.lexbor import LexborHTMLParser, LexborNode

from pbmd.book.clean_text import clean
from pbmd.book.elements import Block, Box, Cell, Heading, Items, Paragraph, Picture, Run, Runs, Style, Table, Verbatim

LARGEST = 4 << 20
"""In characters: a larger page is replaced by the text of the report."""
_DEEPEST, _WIDEST = 40, 60
_HEADS = {f"h{level}": level for level in range(1, 7)}
_GROUPS = frozenset({"div", "section", "article", "main", "header", "footer", "body", "blockquote", "dl", "center"})
_DROPPED = frozenset({"script", "style", "head", "title", "object", "iframe", "template", "form", "input", "select", "button"})
_WEIGHTS: dict[str, Style] = {"strong": "strong", "b": "strong", "code": "code", "tt": "code"}
_BLANKS = re.compile(r"[ \t\n\r\f]+")
_BORDER = re.compile(r"border:\s*\d")
_ASIDE = re.compile(r"float:\s*right")
_SOFT = re.compile(r"opacity:|font-size:\s*1[1-4]px")
_RIGHT = re.compile(r"text-align:\s*right")
_SPANS = re.compile(r"[1-9]\d?")


class OddPage(ValueError):
    """The page has tags nested deeper than in any report, or a table that is wider than any."""


def blocks_of(page: str, picture: Picture | None) -> tuple[Block, ...]:
    """The blocks of the page of a report; in place of its map comes `picture`, once. Raises `OddPage`."""
    body = LexborHTMLParser(page).body
    return tuple(_Reader(picture).blocks(body, 0)) if body is not None else ()


class _Reader:
    """Reads a tree; the picture is used once."""

    def __init__(self, picture: Picture | None) -> None:
        self._picture = picture

    def blocks(self, node: LexborNode, depth: int) -> Iterator[Block]:
        """The blocks of what is in a node; words between them become paragraphs of their own."""
        if depth > _DEEPEST:
            raise OddPage
        words: list[Run] = []
        for child in node.iter(include_text=True):
            tag = child.tag or ""
            if _is_inline(child):
                words += _runs(child, "", depth + 1)
                continue
            yield from _paragraph(words)
            words = []
            if tag in _HEADS:
                yield from _heading(child, _HEADS[tag], depth)
            elif tag == "p":
                yield from self.blocks(child, depth + 1)
            elif tag == "pre":
                yield Verbatim(clean(child.text(deep=True)).strip("\n"))
            elif tag in ("ul", "ol"):
                yield from self._items(child, depth)
            elif tag == "table":
                yield from self._table(child, depth)
            elif tag in ("img", "figure", "svg"):
                yield from self._map()
            elif tag in _GROUPS or tag in ("dt", "dd"):
                yield from self._group(child, depth)
        yield from _paragraph(words)

    def _map(self) -> Iterator[Picture]:
        if self._picture is not None:
            yield self._picture
            self._picture = None

    def _group(self, node: LexborNode, depth: int) -> Iterator[Block]:
        found = tuple(self.blocks(node, depth + 1))
        if found and _BORDER.search(_style(node)):
            yield Box(found)
        else:
            yield from found

    def _items(self, node: LexborNode, depth: int) -> Iterator[Items]:
        items = tuple(tuple(self.blocks(item, depth + 1)) for item in node.iter() if item.tag == "li")
        if any(items):
            yield Items(tuple(item for item in items if item))

    def _table(self, node: LexborNode, depth: int) -> Iterator[Table]:
        rows = [tuple(_cell(cell, depth) for cell in row.iter() if cell.tag in ("td", "th")) for row in _rows(node)]
        rows = [row for row in rows if row]
        if not rows:
            return
        columns = Table(tuple(rows)).columns
        if columns > _WIDEST:
            raise OddPage
        squared = tuple(_filled(row, columns) for row in rows)
        heads = 0
        while heads < len(rows) and all(cell.head for cell in rows[heads]) and len(rows[heads]) > 1:
            heads += 1
        yield Table(squared, heads if heads < len(rows) else 0)


def _is_inline(node: LexborNode) -> bool:
    tag = node.tag or ""
    blocks = tag in _HEADS or tag in _GROUPS or tag in ("p", "pre", "ul", "ol", "table", "img", "figure", "svg", "dt", "dd")
    return not blocks and tag not in _DROPPED


def _rows(table: LexborNode) -> Iterator[LexborNode]:
    """The rows of a table, without those of tables inside it."""
    for child in table.iter():
        if child.tag == "tr":
            yield child
        elif child.tag in ("thead", "tbody", "tfoot"):
            yield from (row for row in child.iter() if row.tag == "tr")


def _filled(row: tuple[Cell, ...], columns: int) -> tuple[Cell, ...]:
    missing = columns - sum(cell.span for cell in row)
    return (*row, *(Cell(()) for _ in range(missing)))


def _cell(node: LexborNode, depth: int) -> Cell:
    span = node.attributes.get("colspan") or "1"
    right = node.attributes.get("align") == "right" or bool(_RIGHT.search(_style(node)))
    head = node.tag == "th"
    words = _trimmed([run for child in node.iter(include_text=True) for run in _runs(child, "", depth + 1)])
    return Cell(words, head, right, int(span) if _SPANS.fullmatch(span) else 1)


def _heading(node: LexborNode, level: int, depth: int) -> Iterator[Heading]:
    words = "".join(" " if run.text == "\n" else run.text for run in _runs(node, "", depth + 1)).strip()
    if words:
        yield Heading(level, words)


def _paragraph(words: Sequence[Run]) -> Iterator[Paragraph]:
    if runs := _trimmed(words):
        yield Paragraph(runs)


def _runs(node: LexborNode, style: Style, depth: int) -> list[Run]:
    """The words in a node, and in everything inside it, as runs. Blocks inside it (in a cell) stand on lines of their own."""
    if depth > _DEEPEST:
        raise OddPage
    tag = node.tag or ""
    if tag == "-text":
        text = _BLANKS.sub(" ", clean(_BLANKS.sub(" ", node.text(deep=False) or "")))
        return [Run(text, style)] if text else []
    if tag == "br":
        return [Run("\n")]
    if tag in _DROPPED or tag.startswith("-"):
        return []
    own = _look(node, style)
    found = [run for child in node.iter(include_text=True) for run in _runs(child, own, depth + 1)]
    return [Run("\n"), *found, Run("\n")] if not _is_inline(node) or tag in ("li", "tr") else found


def _look(node: LexborNode, style: Style) -> Style:
    looks = _style(node)
    if _ASIDE.search(looks):
        return "aside"
    if style in ("aside", "code"):
        return style
    return _WEIGHTS.get(node.tag or "", "soft" if _SOFT.search(looks) else style)


def _style(node: LexborNode) -> str:
    return node.attributes.get("style") or ""


def _trimmed(runs: Sequence[Run]) -> Runs:
    """The runs without blanks at the ends of lines, and without empty lines; what stands aside comes last in its line."""
    lines: list[list[Run]] = [[]]
    for run in runs:
        if run.text == "\n":
            lines.append([])
        else:
            lines[-1].append(run)
    found: list[Run] = []
    for line in lines:
        if kept := _line(line):
            found += [Run("\n"), *kept] if found else kept
    return tuple(found)


def _line(line: Sequence[Run]) -> list[Run]:
    ordered = [*(run for run in line if run.style != "aside"), *(run for run in line if run.style == "aside")]
    kept: list[Run] = []
    for run in ordered:
        text = run.text
        if run.style == "aside" and not (kept and kept[-1].style == "aside"):
            kept = _ended(kept)
            text = text.lstrip(" ")
        elif not kept or kept[-1].text.endswith(" "):
            text = text.lstrip(" ")
        if not text:
            continue
        if kept and kept[-1].style == run.style:
            kept[-1] = replace(kept[-1], text=kept[-1].text + text)
        else:
            kept.append(replace(run, text=text))
    return _ended(kept)


def _ended(runs: list[Run]) -> list[Run]:
    """The runs without trailing blanks."""
    while runs and not runs[-1].text.rstrip(" "):
        runs = runs[:-1]
    return [*runs[:-1], replace(runs[-1], text=runs[-1].text.rstrip(" "))] if runs else []
