"""The site has its versions side by side, and no link of it leads nowhere (`make site`)."""

from pathlib import Path

import pytest

from tests.docs.site import START, broken_links, newest_first, versions_page, write_lists


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
