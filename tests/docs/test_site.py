"""The site has its versions side by side, and no link of it leads nowhere (`make site`)."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.site import ROOT, START, broken_links, newest_first, versions_page, write_lists


def test_the_newest_version_stands_first() -> None:
    assert newest_first(["0.9.0", "1.10.0", "1.2.0", "1.10.0rc1"]) == ["1.10.0", "1.10.0rc1", "1.2.0", "0.9.0"]


def test_what_is_no_number_stands_last() -> None:
    assert newest_first(["next", "1.0.0"]) == ["1.0.0", "next"]


def test_the_site_begins_with_the_newest_version_and_lists_all(tmp_path: Path) -> None:
    for version in ("1.0.0", "1.1.0"):
        _write(tmp_path / version / START, "")
        _write(tmp_path / version / "CHANGELOG.html", "")
    (tmp_path / "images").mkdir()
    write_lists(tmp_path)
    assert f'url=1.1.0/{START}"' in (tmp_path / "index.html").read_text()
    assert (tmp_path / "versions.html").read_text().count("<li>") == 2
    assert broken_links(tmp_path) == []


def test_names_of_folders_are_text_on_the_page_of_versions() -> None:
    assert "<b>" not in versions_page(["<b>"])


@pytest.mark.parametrize(
    ("page", "wrong"),
    [
        ('<p id="here"><a href="#here">', []),
        ('<a href="#there">', ["a.html: #there: there is no such place"]),
        ('<a href="b.html">', ["a.html: b.html: there is no such file"]),
        ('<a href="sub/c.html#x">', []),
        ('<a href="sub/c.html#y">', ["a.html: sub/c.html#y: there is no such place"]),
        ('<img src="picture.png">', ["a.html: picture.png: there is no such file"]),
        ('<a href="https://example.org/x">', []),
    ],
)
def test_a_link_that_leads_nowhere_is_found(tmp_path: Path, page: str, wrong: list[str]) -> None:
    _write(tmp_path / "sub" / "c.html", '<h2 id="x">')
    _write(tmp_path / "a.html", page)
    assert [found.removeprefix(f"{tmp_path}/") for found in broken_links(tmp_path)] == wrong


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


@pytest.fixture(scope="module")
def small_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page of its own, built as the site is."""
    pytest.importorskip("sphinx")
    tree = tmp_path_factory.mktemp("tree")
    for name in ("docs/conf.py", "pbmd/__init__.py", "deploy/check.html"):
        _write(tree / name, (ROOT / name).read_text(encoding="utf-8"))
    shutil.copytree(ROOT / "docs" / "_templates", tree / "docs" / "_templates")
    for name, text in {
        "glossary": "# Words\n",
        "commands": "# pbmd\n",
        "settings": "# Settings\n\n## `[imap]`\n\nOf mail.\n",
    }.items():
        _write(tree / "docs" / f"{name}.md", text)
    toctree = "```{toctree}\nglossary\ncommands\nsettings\n```"
    _write(tree / "docs" / "index.md", f"# Start\n\n{toctree}\n\n## `ASK <seat>`\n\n{_TABLES}\n```text\nwide\n```\n")
    for builder in (("html",), ("man", "-t", "man")):
        # The pbmd of the tree is a version alone, and found first: without a handbook, nothing else of it may be needed.
        command = [sys.executable, "-m", "sphinx", "-q", "--fail-on-warning", "-b", *builder, "-c", "docs", ".", "out"]
        subprocess.run(command, cwd=tree, check=True, capture_output=True)
    return tree / "out" / "docs"


_TABLES = f"""\
| word | kind | what it is |
|---|---|---|
| `a` | | {"many words " * 9}|

| turns | seats | letters |
|---|---|---|
| 1 | 2 | 3 |
"""


def test_a_heading_in_the_index_of_all_is_text(small_site: Path) -> None:
    assert ">ASK &lt;seat&gt;</a> – Start" in (small_site / "headings.html").read_text(encoding="utf-8")


def test_a_manual_page_has_the_tables_of_settings_as_they_are_written(small_site: Path) -> None:
    assert "\n.SH [imap]\n" in (small_site.parent / "pbmd.toml.5").read_text(encoding="utf-8")


def test_the_page_that_checks_games_is_served_as_it_is(small_site: Path) -> None:
    assert (small_site.parent / "deploy" / "check.html").read_bytes() == (ROOT / "deploy" / "check.html").read_bytes()
    assert not [*small_site.parent.rglob("check*.html")][1:], "once, and not for each format"


def test_only_a_table_with_prose_becomes_blocks_on_a_phone(small_site: Path) -> None:
    read, compared = (small_site / "index.html").read_text(encoding="utf-8").split("<table ")[1:]
    assert "rows-as-blocks" in read[:60]
    assert '<span class="column">what it is: </span>many words' in read
    assert "kind: " not in read  # an empty cell stays empty
    assert "rows-as-blocks" not in compared[:60]
    assert 'class="column"' not in compared


def test_a_block_that_is_too_wide_can_be_scrolled_by_keys(small_site: Path) -> None:
    assert '<pre tabindex="0"><span></span>wide' in (small_site / "index.html").read_text(encoding="utf-8")
