"""`python -m tests.docs.log_page`: write the words of the log in docs/log.md anew, from the table that `pbmd log` has."""

import re
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from pbmd.ledger.log_words import LogWord, log_words

FILE = Path(__file__).parents[2] / "docs" / "log.md"
WORDS = re.compile(r"(?<=<!-- words -->\n).*?(?=<!-- end -->)", re.DOTALL)


def with_words(text: str) -> str:
    """The text with what stands between ``<!-- words -->`` and ``<!-- end -->`` made from the table."""
    return WORDS.sub(lambda _: "\n".join(_chapters()), text)


def _chapters() -> Iterator[str]:
    for title, words in groupby(log_words(), lambda each: each.group):
        yield from ("", f"### {title}", "", "| word | what happened, and what to do | detail |", "|---|---|---|")
        yield from map(_row, words)
    yield "\n"


def _row(word: LogWord) -> str:
    todo = f" **To do:** {word.todo}" if word.todo else ""
    return f"| `{word.word}` | {word.happened}{todo} | {word.detail} |"


if __name__ == "__main__":
    FILE.write_text(with_words(FILE.read_text(encoding="utf-8")), encoding="utf-8")
