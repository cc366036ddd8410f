"""A players' handbook for a mail: as text and as HTML, whole with its contents, or a chapter of it.

The ids of rules stand behind each paragraph and not in its sentences: they are for asking the game master, not for reading.
"""

import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import escape

from pbmd.rendering.handbook_tables import table_lines

WIDTH = 72
_ID = r"[A-Z]{2}-R?\d{1,3}"
_IDS = rf"{_ID}(?:(?:,\s|\sand\s|\sto\s|;\s){_ID})*"
_ALONE = re.compile(rf"\s*\(({_IDS})\)")
_FIRST, _LAST = re.compile(rf"\(({_IDS})[;,:]\s"), re.compile(rf"[;,]\s({_IDS})\)")
_AHEAD = re.compile(rf"^\*\*({_IDS})\*\*[.:]? ")
_PAGE = (
    '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
    '<meta name="viewport" content="width=device-width, initial-scale=1">\n<meta name="color-scheme" content="light dark">\n'
    '<meta name="supported-color-schemes" content="light dark">\n'
    "<title>{title}</title>\n</head>\n"
    "<body style=\"margin:0;padding:16px;font-family:system-ui,-apple-system,'Segoe UI',sans-serif;font-size:16px;"
    'line-height:1.45;overflow-wrap:anywhere">\n<div role="main" style="max-width:600px;margin:0 auto">\n'
    "{body}</div>\n</body>\n</html>\n"
)
_STYLES = {
    "h1": "margin:0 0 12px;font-size:24px;line-height:1.2",
    "h2": "font-size:19px;margin:28px 0 8px",
    "h3": "font-size:16px;margin:20px 0 6px",
    "table": "border-collapse:collapse;font-size:14px;margin:0 0 12px",
    "th": "border:1px solid #888888;padding:4px 8px;text-align:left",
    "td": "border:1px solid #888888;padding:4px 8px;text-align:left;vertical-align:top",
    "pre": "margin:0 0 12px;padding:12px;border:1px solid #888888;font-size:14px;white-space:pre-wrap",
}
_SMALL = '<span style="font-size:11px"> {}</span>'


@dataclass(frozen=True, slots=True)
class Chapter:
    """A chapter with its title, as Markdown."""

    title: str
    source: str


@lru_cache(maxsize=64)
def chapters(handbook: str) -> tuple[Chapter, ...]:
    """The chapters of a handbook, in order."""
    parts = ("\n" + handbook).split("\n## ")[1:]
    return tuple(Chapter(part.partition("\n")[0].strip(), f"## {part.rstrip()}\n") for part in parts)


@lru_cache(maxsize=64)
def handbook_text(handbook: str) -> str:
    """The whole handbook in lines of at most `WIDTH` characters but for examples, with its contents."""
    told = [*(chapter.title for chapter in chapters(handbook))]
    numbered = [f"{number:>2}  {title}" for number, title in enumerate(told, start=1)]
    begin, _, rest = ("\n" + handbook).partition("\n## ")
    contents = "\n".join(["CONTENTS", "RULES and a word of a title send that chapter alone.", "", *numbered])
    parts = [markdown_text(begin).strip("\n"), *([contents, markdown_text(f"## {rest}")] if told else [])]
    return "\n\n".join(parts).rstrip() + "\n"


@lru_cache(maxsize=64)
def handbook_html(handbook: str) -> str:
    """The whole handbook as a page, with its contents."""
    tokens = _parsed(handbook, small=True)
    items: list[str] = []
    for place, token in enumerate(tokens):
        if token.type == "heading_open" and token.tag == "h2":
            token.attrSet("id", f"c{len(items) + 1}")
            items.append(
                f'<li style="margin:0 0 4px"><a href="#c{len(items) + 1}">{escape(_plain(tokens[place + 1]))}</a></li>\n'
            )
        if token.nesting >= 0 and (style := _STYLES.get(token.tag)):
            token.attrSet("style", style)
    at = next((place for place, token in enumerate(tokens) if token.type == "heading_open" and token.tag == "h2"), len(tokens))
    parts = [_markdown().renderer.render(each, _markdown().options, {}) for each in (tokens[:at], tokens[at:])]
    contents = f'<h2 style="{_STYLES["h2"]}">Contents</h2>\n<ol>\n{"".join(items)}</ol>\n' if items else ""
    title = next((_plain(tokens[place + 1]) for place, token in enumerate(tokens) if token.tag == "h1"), "Handbook")
    body = contents.join(parts).replace("<pre><code", f'<pre style="{_STYLES["pre"]}"><code')
    return _PAGE.format(title=escape(title), body=body)


@lru_cache(maxsize=256)
def markdown_text(source: str) -> str:
    """Markdown as plain text in lines of at most `WIDTH` characters but for examples."""
    return "\n".join(_blocks(_parsed(source, small=False), WIDTH)).strip("\n") + "\n"


@cache
def _markdown() -> MarkdownIt:
    # What is HTML in a handbook stays text.
    return MarkdownIt("commonmark", {"html": False}).enable("table")


def _parsed(source: str, *, small: bool) -> list[Token]:
    """The tokens of a text, the ids of rules behind each paragraph or table."""
    tokens = _markdown().parse(source)
    shown: list[Token] = []
    of_table: list[str] = []
    for place, token in enumerate(tokens):
        shown.append(token)
        if token.type == "table_close" and of_table:
            note = Token("inline", "", 0, children=[_note(of_table, small=small)])
            shown += [Token("paragraph_open", "p", 1), note, Token("paragraph_close", "p", -1)]
            of_table = []
        if token.type != "inline":
            continue
        content, ids = _without_ids(token.content)
        in_cell = tokens[place - 1].type in ("th_open", "td_open")
        if ids:
            _set(token, content, *([] if in_cell else [_note(ids, small=small)]))
        of_table += ids if in_cell else []
    return shown


def _set(token: Token, content: str, *more: Token) -> None:
    token.content = content
    token.children = [*(_markdown().parseInline(content)[0].children or []), *more]


def _note(ids: Sequence[str], *, small: bool) -> Token:
    words = f"[{', '.join(dict.fromkeys(ids))}]"
    return Token("html_inline", "", 0, content=_SMALL.format(words)) if small else Token("text", "", 0, content=f" {words}")


def _without_ids(content: str) -> tuple[str, list[str]]:
    """A paragraph without the ids in it, and those."""
    ids: list[str] = []

    def taken(found: re.Match[str], left: str) -> str:
        ids.append(" ".join(found[1].split()))
        return left

    for pattern, left in ((_AHEAD, ""), (_ALONE, ""), (_FIRST, "("), (_LAST, ")")):
        content = pattern.sub(lambda found, left=left: taken(found, left), content)
    return content, ids


# As text


def _blocks(tokens: Sequence[Token], width: int) -> Iterator[str]:
    """The lines of these blocks, each block with an empty line behind it."""
    place = 0
    while place < len(tokens):
        token = tokens[place]
        end = _end(tokens, place)
        inner = tokens[place + 1 : end]
        place = end + 1
        if token.type == "heading_open":
            yield from _heading(token, _plain(inner[0]), width)
        elif token.type == "paragraph_open":
            yield from (*_wrapped(_plain(inner[0]), width), "")
        elif token.type in ("bullet_list_open", "ordered_list_open"):
            yield from (*_list(token, inner, width), "")
        elif token.type in ("fence", "code_block"):
            yield from (*_example(token.content.rstrip("\n").split("\n"), width), "")
        elif token.type == "table_open":
            yield from (*table_lines(_rows(inner), width), "")
        elif token.type == "blockquote_open":
            yield from (f"  {line}".rstrip() for line in _blocks(inner, width - 2))


def _end(tokens: Sequence[Token], place: int) -> int:
    """Where the block that begins there ends."""
    if tokens[place].nesting != 1:
        return place
    level = 0
    for at in range(place, len(tokens)):
        level += tokens[at].nesting
        if level == 0:
            return at
    return len(tokens) - 1


def _example(lines: Sequence[str], width: int) -> Iterator[str]:
    """What is written as it stands, set in if there is room."""
    inset = "  " if max(map(len, lines)) + 2 <= width else ""
    yield from (f"{inset}{line}".rstrip() for line in lines)


def _heading(token: Token, words: str, width: int) -> Iterator[str]:
    lines = _wrapped(words.upper() if token.tag == "h2" else words, width)
    underline = {"h1": "=", "h2": "-"}.get(token.tag)
    yield from lines
    if underline:
        yield underline * max(map(len, lines), default=0)
    yield ""


def _list(opened: Token, tokens: Sequence[Token], width: int) -> Iterator[str]:
    number = int(opened.attrs.get("start", 1)) if opened.type == "ordered_list_open" else None
    place = 0
    while place < len(tokens):
        end = _end(tokens, place)
        mark = "- " if number is None else f"{number}. "
        lines = [line for line in _blocks(tokens[place + 1 : end], width - len(mark)) if line]
        for at, line in enumerate(lines):
            yield f"{' ' * len(mark) if at else mark}{line}"
        number = None if number is None else number + 1
        place = end + 1


def _rows(tokens: Sequence[Token]) -> list[list[str]]:
    rows: list[list[str]] = []
    for place, token in enumerate(tokens):
        if token.type == "tr_open":
            rows.append([])
        elif token.type in ("th_open", "td_open"):
            rows[-1].append(_plain(tokens[place + 1]))
    return rows


def _plain(inline: Token) -> str:
    """A paragraph without marks but those around orders."""
    return "".join(map(_plain_piece, inline.children or [])).strip()


def _plain_piece(token: Token) -> str:
    if token.type == "code_inline":
        return f"`{token.content}`"
    return " " if token.type in ("softbreak", "hardbreak") else token.content


def _wrapped(text: str, width: int) -> list[str]:
    return textwrap.wrap(text, width, break_long_words=False, break_on_hyphens=False)
