"""How much there is to read: who has to look something up reads none of it if there is too much."""

import re

from tests.docs.pages import ROOT

DOCS = ROOT / "docs"

MOST_WORDS = 90_000
"""Of all pages together, without what is made from code, examples and samples of mails."""
_MADE_PAGE = "<!-- This page is made from"
_MADE_PART = re.compile(r"<!-- (?!end)[^>]*-->.*?<!-- end[^>]*-->", re.DOTALL)
_EXAMPLE = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)


def written_words(text: str) -> int:
    """How many words of a page somebody has written."""
    return 0 if _MADE_PAGE in text else len(_EXAMPLE.sub("", _MADE_PART.sub("", text)).split())


def test_what_is_written_by_hand_can_be_read_in_a_day() -> None:
    pages = [ROOT / "README.md", *DOCS.glob("*.md"), *DOCS.glob("course/*.md")]
    words = {page.name: written_words(page.read_text(encoding="utf-8")) for page in pages}
    assert sum(words.values()) <= MOST_WORDS, sorted(words.items(), key=lambda each: -each[1])[:10]


def test_what_is_made_and_what_is_an_example_does_not_count() -> None:
    assert written_words("One two <!-- table: made --> three <!-- end --> four\n```\nfive\n```\n") == 3
    assert written_words(f"{_MADE_PAGE} the commands -->\none two") == 0
