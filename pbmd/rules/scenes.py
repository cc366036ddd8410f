"""The stories of a ruleset as chapters of its handbook: played scenes, to be read as examples."""

import re
import textwrap
from collections.abc import Iterator
from importlib.resources.abc import Traversable

FOLDER = "stories"
"""Where the stories of a ruleset are, in its folder."""
_WIDTH = 72
_BEGINS = re.compile(r"^(?:(?:seats|options|position|dice): .*|the step ends\.?|.+\n[ \t]+\S.*)$", re.MULTILINE | re.IGNORECASE)
"""Where the prose of a story is over and its game begins."""


def scenes(folder: Traversable) -> str:
    """A chapter for each story, as Markdown: its title, its prose, and the rest as it is written. Empty without stories.

    What cannot be read is left as it is; `pbmd try` says what is wrong with it.
    """
    return "".join(_chapter(text) for text in _texts(folder / FOLDER))


def _texts(place: Traversable) -> Iterator[str]:
    files = sorted(place.iterdir(), key=lambda file: file.name) if place.is_dir() else ()
    for file in files:
        if file.name.endswith(".txt") and (text := file.read_bytes().decode("utf-8", "replace").strip()):
            yield text


def _wrapped(line: str) -> list[str]:
    """A line as it fits into a mail."""
    indent = " " * (len(line) - len(line.lstrip()) + 4)
    return textwrap.wrap(line, _WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False) or [""]


def _chapter(text: str) -> str:
    title, _, rest = text.partition("\n")
    begins = found.start() if (found := _BEGINS.search(rest)) else len(rest)
    prose = rest[:begins].strip()
    game = "\n".join(wrapped for line in rest[begins:].strip().splitlines() for wrapped in _wrapped(line))
    parts = [f"## Scene: {title.lstrip('# ')}", prose, f"```text\n{game}\n```" if game else ""]
    return "\n" + "\n\n".join(part for part in parts if part) + "\n"
