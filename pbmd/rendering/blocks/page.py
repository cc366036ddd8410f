"""Blocks as the HTML of a mail, as plain as a letter.

One column, tables instead of boxes, styles on the tags themselves: so it looks the same in Outlook, which lays mail out with
Word, and on a phone. There is no picture in it, nothing to load and nothing hidden. The text has no colour of its own, so that
the dark goes over it as over any other letter; rules are of a grey that shows on both.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from itertools import groupby, pairwise

from pbmd.rendering.blocks.kinds import Block, Foot, Form, Heading, Items, Lines, Paragraph, Speech, Table, Verbatim
from pbmd.rendering.blocks.parse import blocks_of, indent_of

GREY, BLUE, _WHITE = "#888888", "#1d3fa0", "#ffffff"
_SANS = "system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
_MONO = "ui-monospace,Consolas,Menlo,monospace"
_TABLE = '<table role="presentation" cellpadding="0" cellspacing="0" border="0"'
_HEAD = (
    '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
    '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
    '<meta name="color-scheme" content="light dark">\n<meta name="supported-color-schemes" content="light dark">\n'
    "<title>{title}</title>\n</head>\n"
    '<body style="margin:0;padding:0">\n<div role="main">\n'
    f'{_TABLE} width="100%"><tr><td align="center" style="padding:16px">\n'
    f'{_TABLE} width="100%" style="max-width:600px;table-layout:fixed;font-family:{_SANS};'
    'font-size:16px;line-height:1.45;text-align:left">'
    '<tr><td style="word-wrap:break-word;overflow-wrap:break-word">\n'
)
_RULE = f'<div style="margin:28px 0 12px;border-top:1px solid {GREY};font-size:1px;line-height:1px">&nbsp;</div>\n'
_END = "</td></tr></table>\n</td></tr></table>\n</div>\n</body>\n</html>\n"
_SENTENCE = re.compile(r".{12,}?[.?!](?= [A-Z])")
_LONG = 90
LONGEST_TITLE = 200


WRITE, ANSWER = "Write your orders", "Answer {}"
"""What stands on buttons; of the second kind with a word that the mail names."""


@dataclass(frozen=True, slots=True)
class Button:
    """What stands below the first words: `label`, and the address that it opens."""

    label: str
    url: str
    is_outline: bool = False
    """Whether it is the second choice, and does not look like the first."""


def html_of(text: str, buttons: Sequence[Button] = (), links: Sequence[str] = ()) -> str:
    """The HTML of a mail of this text, the same for the same. All that it says is in the text but for the labels of `buttons`.

    `links` are what becomes a link where it stands in our own words: the address of the host's pages, with all that goes on
    from there, and the one for mail. What others said, and what is there to be sent, has none, whatever it names.
    """
    blocks = blocks_of(text)
    first, rest = _opening(blocks)
    title, opening = (first, _first(first)) if first else ("", "")
    writer = _Writer(tuple(links))
    pieces = [_HEAD.format(title=escape(title[:LONGEST_TITLE], quote=False)), opening]
    if buttons and rest and isinstance(rest[0], Paragraph) and not rest[0].lines[-1].endswith(":"):
        pieces.append(writer.of(rest[0]))
        rest = rest[1:]
    pieces += [_buttons(buttons)] if buttons else []
    pieces += [writer.of(block) for block in rest]
    return "".join([*pieces, _END])


def html_of_block(block: Block) -> str:
    """One block without a page around it, and without links."""
    return _Writer(()).of(block)


def _opening(blocks: Sequence[Block]) -> tuple[str, Sequence[Block]]:
    """What a mail begins with, a heading or a sentence, and the rest."""
    match blocks[:1]:
        case [Heading(text)]:
            return text, blocks[1:]
        case [Paragraph((line, *more))]:
            found = _SENTENCE.match(line)
            sentence, rest = (found[0], line[found.end() + 1 :]) if found else (line, "")
            below = (rest, *more) if rest else tuple(more)
            return sentence, [*([Paragraph(below)] if below else []), *blocks[1:]]
        case [Speech((line, *more))]:
            return f"| {line}", [*([Speech(tuple(more))] if more else []), *blocks[1:]]
        case _:
            return "", blocks


def _first(text: str) -> str:
    size = "22px" if len(text) <= _LONG else "18px"
    return f'<h1 style="margin:0 0 14px;font-size:{size};line-height:1.3">{escape(text, quote=False)}</h1>\n'


def _buttons(buttons: Sequence[Button]) -> str:
    cells = '<td width="12" style="width:12px">&nbsp;</td>'.join(
        f'<td bgcolor="{ground}" style="background-color:{ground};border:2px solid {BLUE};border-radius:6px">'
        f'<a href="{escape(each.url)}" style="display:inline-block;padding:9px 18px;color:{ink};font-weight:bold;'
        f'text-decoration:none">{escape(each.label)}</a></td>'
        for each in buttons
        for ground, ink in [(_WHITE, BLUE) if each.is_outline else (BLUE, _WHITE)]
    )
    return f'{_TABLE} style="margin:0 0 18px"><tr>{cells}</tr></table>\n'


class _Writer:
    """Writes blocks one below the other; small behind the foot's line. `links` are our own addresses, in what it writes."""

    def __init__(self, links: tuple[str, ...]) -> None:
        self._links = _pattern(links) if links else None
        self._beginnings = [escape(link) for link in links]
        self._small = ""

    def of(self, block: Block) -> str:
        match block:
            case Heading(text):
                return (
                    '<h2 style="margin:26px 0 8px;font-size:14px;line-height:1.3;letter-spacing:0.05em">'
                    f"{self._words(text)}</h2>\n"
                )
            case Paragraph(lines):
                return f'<p style="margin:0 0 12px{self._small}">{self._lines(lines)}</p>\n'
            case Items(items, marks):
                return self._list(items, marks) if marks else self._items(items)
            case Table():
                return self._table(block)
            case Speech(lines):
                return _said(lines)
            case Verbatim(lines):
                return _verbatim(lines, "margin:0 0 12px")
            case Form(lines):
                return _verbatim(lines, f"margin:0 0 16px;padding:12px;border:1px solid {GREY}")
            case Foot():
                self._small = ";font-size:14px"
                return _RULE

    def _words(self, text: str) -> str:
        """Our own words: two blanks stay two, and our addresses are links."""
        # Few words have any of these, and to look for a fixed text is much faster.
        has_sign = "&" in text or "<" in text or ">" in text
        written = (escape(text, quote=False) if has_sign else text).replace("  ", "&nbsp; ")
        has_link = self._links is not None and [link for link in self._beginnings if link in written]
        return self._links.sub(_link, written) if self._links and has_link else written

    def _lines(self, lines: Lines) -> str:
        if len(lines) == 1:
            return self._words(lines[0])
        return "<br>\n".join(map(self._words, lines))

    def _items(self, items: Sequence[Lines]) -> str:
        lines = "\n".join([f'<div style="margin:0 0 5px">{self._lines(item)}</div>' for item in items])
        return f'<div style="margin:0 0 14px 14px{self._small}">\n{lines}\n</div>\n'

    def _list(self, items: Sequence[Lines], marks: Sequence[str]) -> str:
        runs = groupby(zip(items, marks, strict=True), key=lambda pair: pair[1] == "-")
        return "".join(self._of_one_kind(*zip(*run, strict=True)) for _, run in runs)

    def _of_one_kind(self, items: Sequence[Lines], marks: Sequence[str]) -> str:
        tag = "ul" if marks[0] == "-" else f'ol start="{marks[0][:-1]}"'
        values = (f' value="{mark[:-1]}"' if _skips(before, mark) else "" for before, mark in pairwise((marks[0], *marks)))
        lines = "\n".join(
            f'<li{value} style="margin:0 0 5px">{self._lines(item)}</li>' for value, item in zip(values, items, strict=True)
        )
        return f'<{tag} style="margin:0 0 14px;padding:0 0 0 24px{self._small}">\n{lines}\n</{tag[:2]}>\n'

    def _table(self, table: Table) -> str:
        rows = "\n".join(
            f"<tr>{''.join(self._cell(table, row, place, cell) for place, cell in enumerate(cells))}</tr>"
            for row, cells in enumerate(table.rows)
        )
        style = f"margin:0 0 14px;border-collapse:collapse{self._small}"
        return f'<table cellpadding="0" cellspacing="0" border="0" style="{style}">\n{rows}\n</table>\n'

    def _cell(self, table: Table, row: int, place: int, cell: Lines) -> str:
        is_head = table.head and not row
        tag = "th" if any(cell) and (is_head or not place) else "td"
        scope = f' scope="{"col" if is_head else "row"}"' if tag == "th" else ""
        if len(table.rows[row]) == 1:
            return f'<td colspan="{len(table.rows[0])}" style="padding:0 0 8px 14px">{self._lines(cell)}</td>'
        more = ";text-align:right" if place in table.numbers else ""
        more += ";white-space:nowrap" if not place and len(" ".join(cell)) <= _SHORT_LABEL else ""
        more += ";overflow-wrap:anywhere" if place == 1 and len(table.rows[0]) == 2 else ""
        weight = "bold" if is_head else "normal"
        style = f"padding:0 14px 6px 0;vertical-align:top;text-align:left;font-weight:{weight}{more}"
        return f'<{tag}{scope} style="{style}">{self._lines(cell)}</{tag[:2]}>'


_SHORT_LABEL = 16


def _skips(before: str, mark: str) -> bool:
    """Whether a number of a list is not the next one after that before it, so that a program would count otherwise."""
    return mark[0].isdecimal() and int(mark[:-1]) not in (int(before[:-1]), int(before[:-1]) + 1)


def _said(lines: Lines) -> str:
    said = "".join(_said_line(line, indent_of(line)) for line in lines)
    return f'<div style="margin:0 0 14px">\n{said}</div>\n'


def _said_line(line: str, depth: int) -> str:
    """A line behind its mark, below which it goes on with the same indentation."""
    edge = _MARK_WIDTH + depth * _BLANK_WIDTH
    words = f"| {'&nbsp;' * depth}{escape(line.strip(), quote=False)}"
    return f'<div style="margin:0 0 4px {edge}px;text-indent:-{edge}px">{words}</div>\n'


_MARK_WIDTH, _BLANK_WIDTH = 12, 5
"""Pixels."""


def _verbatim(lines: Lines, style: str) -> str:
    words = escape("\n".join(lines), quote=False)
    return (
        f'<pre style="{style};font-family:{_MONO};font-size:14px;line-height:1.4;white-space:pre-wrap;word-wrap:break-word">'
        f"{words}</pre>\n"
    )


@lru_cache(maxsize=16)
def _pattern(links: tuple[str, ...]) -> re.Pattern[str]:
    """Finds in what is escaped already the addresses that begin like these, and these themselves if they are for mail."""
    pages = (rf"{re.escape(escape(each))}[\w./~%-]*(?<![.])" for each in links if "@" not in each)
    mail = (rf"(?<![\w.+-]){re.escape(escape(each))}(?![\w-]|\.\w)" for each in links if "@" in each)
    return re.compile("|".join((*pages, *mail)))


def _link(found: re.Match[str]) -> str:
    return f'<a href="{"mailto:" if "@" in found[0] else ""}{found[0]}">{found[0]}</a>'
