"""What mail programs write above a copy of the mail that is answered, and below a mail, in the languages that were tried
(`mail_programs.toml`)."""

import re
import textwrap
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_FILE = Path(__file__).with_suffix(".toml")


@dataclass(frozen=True)
class Introduction:
    """What a program writes above the mail that is answered, and what it makes of that: `below` is "quoted", "quoted, after a
    blank line", or "a copy" without quote marks. In its text stand {name} and {address} of who wrote it, {to} and {subject}."""

    program: str
    language: str
    text: str
    below: str


@dataclass(frozen=True)
class Ending:
    """What a program writes below a mail by itself."""

    program: str
    language: str
    text: str


def _data() -> dict[str, list[dict[str, Any]]]:
    return tomllib.loads(_FILE.read_text(encoding="utf-8"))


INTRODUCTIONS = tuple(Introduction(**row) for row in _data()["introduction"])
ENDINGS = tuple(Ending(**row) for row in _data()["ending"])


def broken(text: str, address: str) -> Iterator[str]:
    """An introduction as it is, and broken wherever programs break one of a single line."""
    yield text
    if "\n" not in text:
        for width in (50, 64, 76):
            yield "\n".join(textwrap.wrap(text, width, break_long_words=False, break_on_hyphens=False))
        yield text.replace(f"<{address}", f"<\n{address}")
        yield re.sub(rf"{re.escape(address)}>", f"{address}\n>", text)
