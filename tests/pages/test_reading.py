"""The pages read to who does not see them: in an order that makes sense, with a name for all that has no words."""

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from tests.doses import dose
from tests.pages.browser import MISSING, chromium
from tests.pages.reading import NO_W3M, W3M, Node, complaints, headings, in_text, seen_in_order, tree_of

browser_needed = pytest.mark.skipif(bool(MISSING), reason=MISSING)
WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
MAILED = ("reports", "handbooks")
"""All that comes as HTML in mails."""
GAME = "games/conquest-2/index.html"
CHARTS = ["Systems", "Output of their systems", "Resource units"]
FOLDED = [
    "Numbers, turn by turn",
    "Turns, and why each ended when it did",
    "When orders came",
    "Log of this game",
    "Public report of turn",
    "Key with which its records are signed",
]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as running:
        yield running


def all_pages(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.html"))


@browser_needed
@pytest.mark.parametrize(("audience", "width"), [("gm", 390), ("public", 1280)])
def test_nothing_hinders_who_has_a_page_read_to_them(browser: Any, played: Path, audience: str, width: int) -> None:
    context = browser.new_context(viewport={"width": width, "height": 900})
    page = context.new_page()
    for path in all_pages(played / audience):
        page.goto(path.as_uri())
        page.evaluate("for (const closed of document.querySelectorAll('details')) closed.open = true")
        tree = tree_of(page)
        assert complaints(tree) == [], path
        assert [name for _, name in headings(tree)] == seen_in_order(page), path
        assert page.locator("[tabindex]:not([tabindex='0'])").count() == 0, path
    context.close()


@browser_needed
def test_a_page_is_read_from_what_matters_most_to_the_details(browser: Any, played: Path) -> None:
    page = browser.new_page()
    page.goto((played / "public" / GAME).as_uri())
    of_public = [name.rstrip("0123456789") for _, name in headings(tree_of(page))]
    assert of_public == ["conquest-2: turn ", "The map", "Who stands where", "What happened in turn "]
    page.goto((played / "gm" / GAME).as_uri())
    of_master = [name.rstrip("0123456789") for _, name in headings(tree_of(page))]
    assert of_master == [*of_public, "Players"]
    page.evaluate("for (const closed of document.querySelectorAll('details')) closed.open = true")
    tree = tree_of(page)
    pictures = [node.name for node in tree.all() if node.role == "image"]
    assert pictures[0].startswith("Public map of conquest-2 after turn")
    assert [name.partition(" of each by turn;")[0] for name in pictures[1:4]] == CHARTS
    assert pictures[4].startswith("When orders came: turn ")
    page.goto((played / "gm" / "index.html").as_uri())
    assert [name for _, name in headings(tree_of(page))] == [
        "1 thing waits for you",
        "5 games under way",
        "Open for players",
    ]
    page.close()


@browser_needed
@pytest.mark.parametrize("kind", MAILED)
def test_nothing_hinders_who_has_a_mail_read_to_them(browser: Any, played: Path, kind: str) -> None:
    """The HTML of mails: no landmarks, for a mail is a part of the page of a mail program, but all else."""
    from axe_playwright_python.base import AXE_SCRIPT

    page = browser.new_page(viewport={"width": 390, "height": 900})
    # Reports differ from game to game; handbooks are all made of the same Markdown, half of them in every run.
    for path in all_pages(played / kind)[:: dose(2, 1) if kind == "handbooks" else 1]:
        page.goto(path.as_uri())
        tree = tree_of(page)
        assert complaints(tree) == [], path
        assert [name for _, name in headings(tree)] == seen_in_order(page), path
        assert page.locator("html").evaluate("html => html.scrollWidth") <= 390, path
        if kind == "handbooks" and path.stem != "handbook-diplomacy":
            continue  # they differ in words alone, and axe takes a second for each
        page.evaluate(AXE_SCRIPT)
        result = page.evaluate("rules => axe.run(document, {runOnly: rules, resultTypes: ['violations']})", WCAG)
        assert [(one["id"], [each["html"] for each in one["nodes"]]) for one in result["violations"]] == [], path
    page.close()


def node(role: str, name: str = "", *children: Node, level: int = 0) -> Node:
    return Node(role, name, level, children)


HEADS = node("row", "", *(node("columnheader", name) for name in "ABC"))


@pytest.mark.parametrize(
    ("part", "said"),
    [
        (node("heading", "A", level=3), "a heading of level 3 follows one of 1"),
        (node("heading", "A", level=1), "not the only one of level 1"),
        (node("image"), "a image has no name"),
        (node("image", "Chart", node("graphics-symbol", "a dot")), "one by one"),
        (node("table", "", node("row", "", node("cell", "a"))), "no headers"),
        (node("table", "", HEADS, node("row", "", node("cell", "a"), node("cell", "b"))), "stands ['a', 'b']"),
        (node("table", "", node("row", "", node("rowheader")), HEADS), "no headers"),
    ],
)
def test_what_hinders_is_found(part: Node, said: str) -> None:
    title = node("heading", "Title", level=1)
    assert complaints(node("RootWebArea", "", title)) == []
    assert any(said in each for each in complaints(node("RootWebArea", "", title, part)))


@pytest.mark.skipif(not W3M, reason=NO_W3M)
class TestInTextAlone:
    @pytest.mark.parametrize("kind", MAILED)
    def test_every_mail_has_its_sections_in_the_same_order(self, played: Path, kind: str) -> None:
        for path in all_pages(played / kind):
            text = in_text(path)
            sections = re.findall(r"<h[12][^>]*>(.*?)</h[12]>", path.read_text("utf-8"), re.DOTALL)
            places = [text.find(" ".join(unescape(re.sub(r"<[^>]*>", "", words)).split())) for words in sections]
            assert -1 not in places, path
            assert places == sorted(places), path
            assert not re.search(r"font-family|@media|<\w+ ", text), path

    def test_every_page_has_its_words_and_nothing_of_style_and_script(self, pages: Path) -> None:
        for path in all_pages(pages):
            text = in_text(path)
            (title,) = re.findall(r"<title>(.*?) – pbmd</title>", path.read_text("utf-8"))
            assert title in text, path
            assert not re.search(r"use strict|--page|addEventListener|<\w+", text), path
            assert max(map(len, text.splitlines())) <= 150, path

    def test_a_game_reads_from_top_to_bottom(self, played: Path) -> None:
        text = in_text(played / "gm" / GAME)
        found = [text.index(f"\n{words}") for words in ("The map", "Who stands where", "What happened in", "Players", *FOLDED)]
        assert found == sorted(found)
        assert re.search(r"Red +\d+ +\d+ +(in|missing)\n", text)
        assert re.search(r"Red +player 0 +0 of \d turns? +1 day", " ".join(text.partition("Players")[2].split()))
        assert "Public map of conquest-2 after turn 1. Turn 1: who holds which system." in text
        assert re.search(r"Turn +Red +Yellow +Green +Cyan +Orange\n *start( +\d+){5}\n", text)

    def test_what_needs_the_game_master_is_told_with_the_command(self, played: Path) -> None:
        text = " ".join(in_text(played / "gm" / "index.html").split())
        assert re.search(r"1 thing waits for you .*Mail waits to be sent.* pbmd outbox .*5 games under way", text)
