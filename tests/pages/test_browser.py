"""The pages in a real browser: they load nothing from elsewhere, can be used by everybody, and fit every screen."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from shutil import copytree
from threading import Thread
from typing import Any

import pytest

from pbmd.pages.server import server
from pbmd.rendering.blocks.page import WRITE, Button, html_of
from tests.docs.mails.written import kept
from tests.doses import dose
from tests.pages.browser import MISSING, chromium
from tests.pages.conftest import AUDIENCES

pytestmark = pytest.mark.skipif(bool(MISSING), reason=MISSING)
GAME = "games/conquest-2/index.html"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
AXE = "rules => axe.run(document, {runOnly: rules, resultTypes: ['violations'], preload: false})"
"""The policy would not let it load the style once more."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as running:
        yield running


@pytest.fixture(params=dose(("gm",), AUDIENCES))
def pages(request: pytest.FixtureRequest, played: Path) -> Path:
    """The pages for the game master, which have all that is on those for everybody; in a large dose these as well."""
    return played / request.param


@pytest.fixture
def visit(browser: Any, pages: Path) -> Iterator[Any]:
    """Opens one of the pages from the disk, and fails if the browser has anything to complain of."""
    contexts, complaints = [], list[str]()

    def open_page(path: str, width: int = 1280, at: datetime | None = None, **more: Any) -> Any:
        context = browser.new_context(viewport={"width": width, "height": 900}, **more)
        contexts.append(context)
        page = context.new_page()
        if at:
            page.clock.set_fixed_time(at)
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda problem: complaints.append(str(problem)))
        page.on("requestfailed", lambda request: complaints.append(request.url))
        page.goto((pages / path).as_uri())
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []


def all_pages(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.html"))


def each_page(visit: Any, files: Sequence[Path], *how: Any, **more: Any) -> Iterator[tuple[str, Any]]:
    """All pages, one after the other in one window: a window for each takes longer than what is looked at in it."""
    first, *others = files
    page = visit(first, *how, **more)
    yield str(first), page
    for file in others:
        page.goto(file.as_uri())
        yield str(file), page


MAILS = (
    *("ask-join", "ask-letter", "digest", "gm-help", "help", "list-of-games", "notice-deadline", "orders-replaced", "press"),
    *("orders-some-refused", "preview", "public-report", "reminder", "report-again", "told-event", "welcome"),
)


@pytest.fixture(scope="module")
def mails(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The HTML of mails, made of the samples in docs/mails, each with a button."""
    folder = tmp_path_factory.mktemp("mails")
    samples = kept()
    for name in MAILS:
        text = samples[name].partition("\n\n")[2]
        (folder / f"{name}.html").write_text(html_of(text, (Button(WRITE, "mailto:games@pbmd.test"),)))
    return folder


@pytest.mark.parametrize(
    ("scheme", "width", "rules"), [("light", 1280, RULES), ("dark", 390, ["cat.color", "cat.tables", "wcag22aa"])]
)
def test_axe_finds_nothing_on_any_page(visit: Any, pages: Path, mails: Path, scheme: str, width: int, rules: list[str]) -> None:
    from axe_playwright_python.base import AXE_SCRIPT

    found = []
    # Mails are of one make: half of them are looked at in each scheme, and all of them in both in a large dose.
    of_mails = all_pages(mails)[dose(int(scheme == "dark"), 0) :: dose(2, 1)]
    for path, page in each_page(visit, [*all_pages(pages), *of_mails], width, color_scheme=scheme):
        page.evaluate("for (const closed of document.querySelectorAll('details')) closed.open = true")
        page.evaluate(AXE_SCRIPT)  # from outside the page, which would not let it in
        result = page.evaluate(AXE, rules)
        assert result["passes"]
        found += [(path, one["id"], [node["html"] for node in one["nodes"]]) for one in result["violations"]]
    assert found == []


@pytest.mark.in_turn(4)
@pytest.mark.parametrize(("width", "script"), [(390, True), (390, False), (1280, True)])
def test_no_page_is_wider_than_the_screen(visit: Any, pages: Path, mails: Path, width: int, script: bool) -> None:
    for path, page in each_page(visit, [*all_pages(pages), *all_pages(mails)], width, java_script_enabled=script):
        assert page.locator("html").evaluate("html => html.scrollWidth") <= width, path


def test_without_a_script_the_last_map_shows_and_links_lead_to_the_others(visit: Any) -> None:
    page = visit(GAME, java_script_enabled=False)
    figures = page.locator(".maps figure")
    assert figures.count() > 2
    assert [figures.nth(place).is_visible() for place in range(figures.count())].index(True) == figures.count() - 1
    assert page.locator(".slider").is_hidden()
    assert page.locator(".filter").is_hidden()
    page.get_by_role("link", name="Map after turn 1", exact=True).click()
    assert [place for place in range(figures.count()) if figures.nth(place).is_visible()] == [1]


def test_the_slider_shows_the_map_of_each_turn_and_works_with_the_keyboard(visit: Any) -> None:
    page = visit(GAME)
    figures, slider = page.locator(".maps figure"), page.get_by_role("slider")
    last = figures.count() - 1
    assert figures.nth(last).is_visible()
    slider.focus()
    page.keyboard.press("Home")
    assert figures.nth(0).is_visible()
    assert not figures.nth(last).is_visible()
    assert slider.get_attribute("aria-valuetext") == "at the beginning"
    page.keyboard.press("ArrowRight")
    assert figures.nth(1).is_visible()
    assert figures.nth(1).locator("img").evaluate("async image => { await image.decode(); return image.naturalWidth }") > 100


def test_the_time_left_is_counted_down_and_the_time_itself_stands_there_without_a_script(visit: Any) -> None:
    page = visit("index.html", java_script_enabled=False)
    at = page.locator(".countdown").first.get_attribute("data-countdown")
    assert page.locator(f"time[datetime='{at}']").first.is_visible()
    deadline = datetime.fromisoformat(at)
    for before, words in ((timedelta(days=2, hours=3), "in 2 days 3 h"), (timedelta(minutes=-5), "5 min ago")):
        page = visit("index.html", at=deadline - before)
        assert page.locator(".countdown").first.inner_text() == words


def test_the_log_can_be_filtered(visit: Any) -> None:
    page = visit(GAME)
    page.get_by_text("Log of this game").click()
    rows = page.locator("#game-log tbody tr")
    many = rows.count()
    page.get_by_label("Only").select_option("resolved")
    shown = [row for row in rows.all() if row.is_visible()]
    assert 0 < len(shown) < many
    assert {row.locator(".what").inner_text() for row in shown} == {"resolved"}


def test_everything_can_be_reached_with_the_keyboard(visit: Any) -> None:
    page = visit("index.html")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "To the content"
    assert page.evaluate("document.activeElement.getBoundingClientRect().left") >= 0
    wanted = page.locator("a:visible").count()
    reached = {page.evaluate("document.activeElement.outerHTML")}
    for _ in range(wanted + 5):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.outerHTML"))
    assert sum(element.startswith("<a") for element in reached) == wanted


def test_printed_it_is_ink_on_paper(visit: Any) -> None:
    page = visit(GAME, color_scheme="dark")
    page.emulate_media(media="print", color_scheme="light")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert page.locator(".slider").is_hidden()
    assert page.locator(".maps figure.shown").is_visible()


def test_a_script_that_got_into_a_page_would_not_run(browser: Any, pages: Path, tmp_path: Path) -> None:
    page = browser.new_page()
    html = (pages / "index.html").read_text(encoding="utf-8")
    assert "unsafe" not in html
    copytree(pages, tmp_path, dirs_exist_ok=True)
    stolen = html.replace("</h1>", "</h1><script>window.stolen = true</script><img src=x onerror='window.stolen = true'>", 1)
    (tmp_path / "index.html").write_text(stolen, encoding="utf-8")
    page.goto((tmp_path / "index.html").as_uri())
    assert page.evaluate("window.stolen === undefined")
    # Its own script does run.
    assert page.locator(".countdown").first.inner_text()
    page.close()


def test_the_pages_look_the_same_from_the_server(browser: Any, pages: Path) -> None:
    with server(pages, 0) as web:
        Thread(target=web.serve_forever, daemon=True).start()
        context = browser.new_context()
        page = context.new_page()
        asked = list[str]()
        page.on("request", lambda request: asked.append(request.url))
        home = f"http://127.0.0.1:{web.server_address[1]}/"
        page.goto(home)
        page.get_by_role("link", name="conquest-2").first.click()
        page.wait_for_url("**/games/conquest-2/**")
        page.wait_for_load_state("networkidle")
        assert page.locator("h1").inner_text().startswith("conquest-2")
        assert page.locator(".maps figure.shown img").evaluate("image => image.naturalWidth") > 100
        assert all(url.startswith(home) for url in asked)
        context.close()
        web.shutdown()
