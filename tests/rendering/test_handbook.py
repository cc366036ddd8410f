"""A handbook in a mail: made for players, in lines that fit, whole or by chapters."""

import re

import pytest

from pbmd.rendering.handbook import WIDTH, chapters, handbook_html, handbook_text, markdown_text
from pbmd.rules import registry

_ID = re.compile(r"\b[A-Z]{2}-R?\d{1,3}\b")
BOOK = """# Sea

Ships sail (SE-01, SE-02) and *sink* (SE-R03; option `storms`). See SE-04.

## Winds

- **SE-05** `Sail 3`: it goes
  three knots.
- A second item

| wind | knots |
|---|---|
| a very long description of the wind that blows from the north and of what it does to sails (SE-06) | 7 |

```
Sail 3
```

## Ports & <b>

1. one
2. two
"""


@pytest.mark.parametrize("slug", registry.slugs())
def test_each_handbook_fits_and_loses_no_word(slug: str) -> None:
    source = registry.get(slug).info.handbook
    text = handbook_text(source)
    assert [line for line in text.splitlines() if len(line) > WIDTH] == []
    assert set(_ID.findall(text)) >= set(_ID.findall(source))
    known = set(re.findall(r"[^\W_]{4,}", text.casefold()))
    assert {word for word in re.findall(r"[^\W_]{4,}", source.casefold()) if word not in known and len(word) < 9} == set()
    assert "CONTENTS" in text
    assert all(each.title in text for each in chapters(source))


def test_ids_stand_behind_the_paragraph_and_tables_and_lists_are_kept() -> None:
    assert (
        handbook_text(BOOK)
        == """\
Sea
===

Ships sail and sink (option `storms`). See SE-04. [SE-01, SE-02, SE-R03]

CONTENTS
RULES and a word of a title send that chapter alone.

 1  Winds
 2  Ports & <b>

WINDS
-----

- `Sail 3`: it goes three knots. [SE-05]
- A second item

wind                                                               knots
-----------------------------------------------------------------  -----
a very long description of the wind that blows from the north and  7
of what it does to sails

[SE-06]

  Sail 3

PORTS & <B>
-----------

1. one
2. two
"""
    )


def test_the_page_has_contents_and_nothing_of_a_handbook_is_markup() -> None:
    page = handbook_html(BOOK)
    assert '<a href="#c2">Ports &amp; &lt;b&gt;</a></li>' in page
    assert re.search(r'<h2 id="c1"[^>]*>Winds</h2>', page)
    assert "<b>" not in page
    assert 'font-size:11px"> [SE-05]</span>' in page
    assert "<table" in page
    assert "<script" not in handbook_html("# A\n\n<script>x</script>\n\n## B\n\n[x](javascript:y)\n")
    assert "javascript" not in re.findall(r'href="([^"]*)"', handbook_html("# A\n\n## B\n\n[x](javascript:y)\n"))


def test_a_chapter_alone_is_told_in_the_same_way() -> None:
    (winds, _) = chapters(BOOK)
    assert winds.title == "Winds"
    assert markdown_text(winds.source).startswith("WINDS\n-----\n\n- `Sail 3`")


def test_a_handbook_without_chapters_is_one() -> None:
    assert handbook_text("# A\n\nwords").startswith("A\n=\n\nwords")
    assert "<h1" in handbook_html("# A\n\nwords")


def test_a_handbook_without_chapters_has_no_contents() -> None:
    assert "CONTENTS" not in handbook_text("# A\n\nwords")
    assert "Contents" not in handbook_html("# A\n\nwords")
