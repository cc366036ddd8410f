"""The chapter of a handbook that explains the game to a newcomer, as plain text for a mail."""

import re
import textwrap

TITLE = "The game in one page"
_WIDTH = 72
_IDS = re.compile(r"\s?\((?:[A-Z]{2}-R?\d{1,3}(?:, | to | and )?)+\)")
_MARKS = re.compile(r"\*\*|[*`]")
_ITEM = re.compile(r"(?:\d+\.|[-*]) ")


def one_page(handbook: str) -> str:
    """That chapter without ids and markup, in lines of at most 72 characters except for examples; empty if there is none."""
    chapters = ("\n" + handbook).split("\n## ")[1:]
    chapter = next((each for each in chapters if each.partition("\n")[0].strip() == TITLE), "")
    parts = chapter.partition("\n")[2].strip().split("```")
    # Every other part is an example, which is left unchanged.
    told = [textwrap.indent(part.strip("\n"), "  ") if place % 2 else _words(part) for place, part in enumerate(parts)]
    return "\n\n".join(part for part in told if part)


def _words(text: str) -> str:
    paragraphs = _IDS.sub("", text).strip().split("\n\n")
    return "\n\n".join("\n".join(map(_wrapped, _items(each))) for each in paragraphs if each)


def _items(paragraph: str) -> list[str]:
    """The paragraph, or each item of the list that it is."""
    items: list[str] = []
    for line in paragraph.split("\n"):
        if items and not _ITEM.match(line):
            items[-1] += f" {line.strip()}"
        else:
            items.append(line)
    return items


def _wrapped(text: str) -> str:
    item = _ITEM.match(text)
    return textwrap.fill(_MARKS.sub("", text), _WIDTH, subsequent_indent=" " * item.end() if item else "")
