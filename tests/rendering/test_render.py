"""Views into text and HTML."""

import re
import shutil
from dataclasses import replace
from pathlib import Path

import jinja2
import pytest

from pbmd.rendering.render import environment, load_templates, report_html, report_text
from pbmd.resources import folder
from pbmd.rules import PUBLIC, View, seat_reader
from pbmd.rules.registry import from_folder
from tests.rules import count

VIEW = View(seat_reader("Ann & Bob"), 4, {"greeting": "<b>Hello</b>", "events": ["total 9", "missed Cid"], "total": 9})


def test_a_ruleset_from_elsewhere_brings_its_templates():
    assert report_text(count.ruleset, VIEW) == "<b>Hello</b>, Ann & Bob\ntotal 9\nmissed Cid\nTotal 9 after turn 3 of Count\n"


def test_html_is_escaped_and_text_is_not():
    assert report_html(count.ruleset, VIEW) == "<p>&lt;b&gt;Hello&lt;/b&gt;, Ann &amp; Bob: 9</p>\n"


def test_an_order_without_a_result_has_the_whole_width_of_the_table():
    you = {"headline": "", "orders": [("Build 2 ships", ""), ("Attack Altair", "won")], "more": []}
    rows = report_html(count.ruleset, replace(VIEW, data={**VIEW.data, "you": you})).split("<tr>")[1:]
    assert [row.count("<td") for row in rows] == [1, 2]
    assert 'colspan="2"' in rows[0]


def test_a_template_cannot_ask_for_what_the_view_lacks():
    with pytest.raises(jinja2.UndefinedError, match="greeting"):
        report_text(count.ruleset, View(PUBLIC, 4, {"events": [], "total": 9}))


def test_a_template_gets_nothing_but_view_and_info(tmp_path):
    elsewhere = tmp_path / "count"
    shutil.copytree(Path(count.__file__).parent, elsewhere)
    template = elsewhere / "templates" / "reports" / "count" / "report.txt.j2"
    template.write_text("{{ position }}", encoding="utf-8")
    with pytest.raises(jinja2.UndefinedError, match="position"):
        report_text(from_folder(elsewhere), VIEW)


def test_a_ruleset_without_template_is_an_error_that_names_it():
    info = replace(count.info, slug="nowhere")
    with pytest.raises(jinja2.TemplateNotFound, match=r"reports/nowhere/report\.txt\.j2"):
        report_text(replace(count.ruleset, info=info), VIEW)


def test_the_environment_is_made_once():
    assert environment() is environment()


def test_loaded_templates_need_not_be_compiled_when_a_report_is_due(monkeypatch):
    environment.cache_clear()
    load_templates([count.info])
    monkeypatch.setattr(jinja2.Environment, "compile", None)
    assert report_text(count.ruleset, VIEW)
    assert report_html(count.ruleset, VIEW)
    assert environment().get_template("mail/report.txt.j2")


def test_templates_are_found():
    assert (folder("templates") / "reports").is_dir()


def test_the_html_of_mails_has_nothing_that_outlook_does_not_show() -> None:
    templates = folder("templates")
    pages = [*templates.glob("mail/*.html.j2"), *templates.glob("reports/**/*.html.j2")]
    assert len(pages) > 6
    left_out = re.compile(r"opacity|float:|display:\s*(?:flex|grid)|#[0-9a-f]{8}\b|#[0-9a-f]{4}\b|rgba", re.IGNORECASE)
    assert {path.parent.name: found for path in pages if (found := left_out.findall(path.read_text()))} == {}
