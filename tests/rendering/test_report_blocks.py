"""One template for text and HTML: both are made of the same blocks, and say the same."""

import re
import shutil
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import jinja2
import pytest
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import Markup

from pbmd.conformance.ruleset_folder import templates_can_be_read
from pbmd.rendering.blocks.kinds import Heading, Items, Table
from pbmd.rendering.blocks.parse import blocks_of
from pbmd.rendering.render import load_templates, report_html, report_text, templates_of
from pbmd.rendering.report_blocks import BLOCKS, WIDTH
from pbmd.rules import PUBLIC, Ruleset, View
from pbmd.rules.registry import from_folder
from tests.rules import count

TEMPLATE = """\
{% macro bold(name) %}<{{ name }}>{% endmacro %}
{{ picture }}
{{ heading("The dike & the sea") }}
{{ paragraph(view.data.words) }}
{{ list(view.data.names) }}

{{ table(view.data.rows, ["who", "gold"]) }}

{{ bars(view.data.bars, of=10) }}
{% call card(bold(view.data.who)) %}
{{ paragraph("Yours: " ~ bold(view.data.who)) }}
{% endcall %}
"""
DATA: dict[str, Any] = {
    "words": "Ann <b>holds</b> " + "very " * 20 + "well.",
    "names": ["Ann & Bob", "Cid"],
    "rows": [["Ann", 12], ["Bob", 3]],
    "bars": {"North": 5, "South": 0},
    "who": "Eve",
}


class _Words(HTMLParser):
    """What a page says, without its tags."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_data(self, data: str) -> None:
        self.found.append(data)


def said(page: str) -> str:
    """The letters and digits of a page, without tags, blanks and capitals."""
    words = _Words()
    words.feed(page)
    return letters(" ".join(words.found))


def letters(text: str) -> str:
    return "".join(sign for sign in text.upper() if sign.isalnum())


def rules_with(folder: Path, template: str, name: str = "report.j2") -> Ruleset[Any]:
    """A ruleset with this template alone."""
    shutil.copytree(Path(str(count.__file__)).parent, folder / "count")
    reports = folder / "count" / "templates" / "reports" / "count"
    for old in reports.iterdir():
        old.unlink()
    (reports / name).write_text(template, encoding="utf-8")
    return from_folder(folder / "count")


def shown(folder: Path, **data: Any) -> tuple[str, str]:
    rules, view = rules_with(folder, TEMPLATE), View(PUBLIC, 2, DATA | data)
    return report_text(rules, view), report_html(rules, view, Markup("<svg></svg>"))


def test_both_say_the_same(tmp_path: Path) -> None:
    text, page = shown(tmp_path)
    assert letters(text) == said(page)
    assert "<svg></svg>" in page
    assert "svg" not in text


def test_the_text_is_as_mails_are(tmp_path: Path) -> None:
    text, _ = shown(tmp_path)
    assert max(map(len, text.splitlines())) <= WIDTH
    assert "\n\n\n" not in text
    assert text.startswith("THE DIKE & THE SEA\n  Ann <b>holds</b> very")
    assert "\n  - Ann & Bob\n  - Cid\n" in text
    assert "\n  who  gold\n  Ann    12\n  Bob     3\n" in text
    assert "\n  North  ##########  5\n  South              0\n" in text
    assert "\n<Eve>\n-----\n  Yours: <Eve>\n" in text


def test_nothing_that_is_handed_over_is_html(tmp_path: Path) -> None:
    _, page = shown(tmp_path)
    assert "<b>" not in page
    assert "&lt;b&gt;holds&lt;/b&gt;" in page
    assert "&lt;Eve&gt;" in page


def test_what_is_not_there_leaves_nothing(tmp_path: Path) -> None:
    text, page = shown(tmp_path, names=[], rows=[], bars={})
    assert "- " not in text
    assert "<ul" not in page
    assert "<td width" not in page
    assert "<th" not in page


def test_the_text_is_read_as_the_same_blocks(tmp_path: Path) -> None:
    """Where a report is brought once more, its HTML is made of its text."""
    kinds = [type(block) for block in blocks_of(shown(tmp_path)[0])]
    assert {Heading, Items, Table} <= {*kinds}


def test_a_wide_table_has_its_cells_below_each_other() -> None:
    wide = BLOCKS["txt"]["table"]([["Ann", "x" * 40, "y" * 40]], ["who", "first", "second"])
    assert wide.splitlines() == ["  Ann", f"      first: {'x' * 40}", f"      second: {'y' * 40}"]


@given(st.lists(st.lists(st.text("ab <&-#1", max_size=50), min_size=1, max_size=4), max_size=5), st.booleans())
def test_a_table_says_the_same_in_both_and_no_line_is_long(rows: list[list[str]], head: bool) -> None:
    names = ("who", "what") if head else ()
    text, page = (BLOCKS[form]["table"](rows, names) for form in ("txt", "html"))
    assert all(len(line) <= WIDTH for line in text.splitlines() if " " in line.strip())
    fits = not head or "  who" in text
    assert not fits or sorted(letters(text)) == sorted(said(page))


@pytest.mark.parametrize(("value", "width"), [(-3, 0), (0, 0), (5, 10), (10, 20), (99, 20)])
def test_a_bar_is_never_longer_than_there_is_room(value: int, width: int) -> None:
    assert BLOCKS["txt"]["bars"]({"North": value}, of=10).count("#") == width
    assert (f'width="{width * 10}"' in BLOCKS["html"]["bars"]({"North": value}, of=10)) == bool(width)


def test_two_templates_come_before_the_one_for_both(tmp_path: Path) -> None:
    rules = rules_with(tmp_path, '{{ heading("both") }}')
    (tmp_path / "count/templates/reports/count/report.html.j2").write_text('{{ heading("page") }}')
    view = View(PUBLIC, 2, DATA)
    assert "BOTH" in report_text(rules, view)
    assert ">page<" in report_html(rules, view)


def test_it_is_loaded_beforehand_under_both_names(tmp_path: Path) -> None:
    rules = rules_with(tmp_path, TEMPLATE)
    load_templates([rules.info])
    names = templates_of(rules.info).list_templates(filter_func=lambda name: name.startswith("reports/count/"))
    assert names == ["reports/count/report.html.j2", "reports/count/report.txt.j2"]


def test_without_any_the_missing_one_is_named(tmp_path: Path) -> None:
    with pytest.raises(jinja2.TemplateNotFound, match=r"reports/count/report\.txt\.j2"):
        report_text(rules_with(tmp_path, "", "notes.txt"), View(PUBLIC, 2, DATA))


def test_a_name_that_it_does_not_get_is_found_in_it(tmp_path: Path) -> None:
    found = [*templates_can_be_read(rules_with(tmp_path, "{{ picture }}\n{{ headline('x') }}"))]
    assert {wrong.words for wrong in found} == {'the template uses "headline", which it is not handed'}
    assert {Path(str(getattr(wrong.at, "file", ""))).name for wrong in found} == {"report.j2"}


def test_a_text_template_of_its_own_gets_no_picture(tmp_path: Path) -> None:
    rules = rules_with(tmp_path, "{{ picture }}", "report.txt.j2")
    assert 'the template uses "picture", which it is not handed' in {wrong.words for wrong in templates_can_be_read(rules)}


def test_every_block_is_there_in_both() -> None:
    assert {form: [*blocks] for form, blocks in BLOCKS.items()} == {
        form: ["heading", "paragraph", "list", "table", "bars", "card"] for form in ("txt", "html")
    }
    pages = [BLOCKS["html"]["bars"]({"a": 1}), BLOCKS["html"]["card"]("b", lambda: "c")]
    assert not re.findall(r"opacity|float:|display:", "".join(pages))
