"""The pages of an archive in a real browser, from the disk: they load nothing else, can be searched, and fit every screen."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.archive.kept import archived, conquered
from tests.dashboard.browser import MISSING, chromium
from tests.desk.world import World

pytestmark = pytest.mark.skipif(bool(MISSING), reason=MISSING)


@pytest.fixture(scope="module")
def payload(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("site")
    with closing(conquered(home)) as world:
        world.send("Red", 'PRESS TO ALL\n<script>alert("Vogon")</script> & <b>poetry</b>\nEND PRESS\nPass')
        for seat in ("Purple", "Green"):
            world.send(seat, "Pass")
        finish(world)
        return archived(world, home / "archive")


def finish(world: World) -> None:
    """The open turn ends, so that the archive has it."""
    world.pass_time(world.game().deadline - world.now)  # pyright: ignore[reportOperatorIssue, reportOptionalOperand]
    assert world.game().step == 3


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as running:
        yield running


@pytest.fixture
def visit(browser: Any, payload: Path) -> Iterator[Any]:
    """Opens a page from the disk, and fails if the browser has anything to complain of or asks for anything but a file."""
    contexts, complaints = [], list[str]()

    def open_page(path: str = "index.html", width: int = 1280, **more: Any) -> Any:
        context = browser.new_context(viewport={"width": width, "height": 900}, **more)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda problem: complaints.append(str(problem)))
        page.on("requestfailed", lambda request: complaints.append(request.url))
        page.on("request", lambda request: request.url.startswith("file:") or complaints.append(request.url))
        page.on("dialog", lambda dialog: (complaints.append(dialog.message), dialog.dismiss()))
        page.goto((payload / path).as_uri())
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []


def all_pages(payload: Path) -> list[str]:
    return ["index.html", *sorted(path.relative_to(payload).as_posix() for path in payload.glob("assets/turns/*.html"))]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_on_any_page(visit: Any, payload: Path, scheme: str) -> None:
    from axe_playwright_python.base import AXE_FILE_PATH

    axe = Path(AXE_FILE_PATH).read_text(encoding="utf-8")
    found = []
    for path in all_pages(payload):
        page = visit(path, color_scheme=scheme)
        for closed in page.query_selector_all("details"):
            closed.evaluate("details => details.open = true")
        page.evaluate(axe)
        kinds = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
        # It would load the style sheet once more, which the page does not allow.
        result = page.evaluate("kinds => axe.run(document, {preload: false, runOnly: kinds})", kinds)
        found += [(path, one["id"], [node["html"] for node in one["nodes"]]) for one in result["violations"]]
        page.close()
    assert found == []


@pytest.mark.parametrize("width", [390, 1280])
def test_no_page_is_wider_than_the_screen(visit: Any, payload: Path, width: int) -> None:
    for path in all_pages(payload):
        page = visit(path, width)
        assert page.locator("html").evaluate("html => html.scrollWidth") <= width, path
        page.close()


def test_every_link_leads_to_a_file_of_the_archive(visit: Any, payload: Path) -> None:
    for path in all_pages(payload):
        page = visit(path, java_script_enabled=False)
        for link in page.locator("a[href], img[src], script[src], link[href]").all():
            target = link.get_attribute("href") or link.get_attribute("src") or ""
            if not target.startswith("#"):
                place = ((payload / path).parent / target.partition("#")[0]).resolve()
                assert place.exists(), (path, target)
                assert place.is_relative_to(payload)
        page.close()


def found(page: Any, words: str) -> list[str]:
    page.fill("#search-words", words)
    page.wait_for_function("words => document.getElementById('search-words').value === words", arg=words)
    page.wait_for_timeout(400)
    return page.locator("#search-found a").all_inner_texts()


def test_words_are_found_without_a_server(visit: Any) -> None:
    page = visit()
    assert "Turn 2: orders" in found(page, "bartholomew")
    assert found(page, "barth") == found(page, "Bartholomew")
    assert "Turn 3: press" in found(page, "vogon POETRY")
    assert found(page, "vogon bartholomew") == []
    assert found(page, "Qwertz") == []
    assert page.inner_text("#search-count") == "0 found"


def test_what_was_found_is_open_when_it_is_gone_to(visit: Any) -> None:
    page = visit()
    assert "Turn 2: report of Green" in found(page, "aldebaran")
    page.locator("#search-found a", has_text="Turn 2: report of Green").click()
    page.wait_for_url("**/002.html**")
    assert page.locator("#r-3-green pre").is_visible()


def test_the_slider_shows_the_map_of_each_turn_as_each_reader_saw_it(visit: Any) -> None:
    page = visit()
    image = page.locator("#map-box img")
    assert image.get_attribute("src") == "turns/003/maps/public.svg"
    page.locator("#map-box input").fill("1")
    assert image.get_attribute("src") == "turns/001/maps/public.svg"
    page.select_option("#map-reader", label="Green")
    assert image.get_attribute("src") == "turns/001/maps/3-green.svg"
    assert image.evaluate("image => image.decode().then(() => image.naturalWidth)") > 100


def test_without_a_script_the_last_map_the_charts_and_all_turns_are_there(visit: Any) -> None:
    page = visit(java_script_enabled=False)
    assert page.locator("#map-box img").is_visible()
    assert page.locator("svg.chart").count() >= 2
    assert page.locator("#turns ~ .scroll a").count() == 4
    page.get_by_role("link", name="Turn 3", exact=True).click()
    assert '<script>alert("Vogon")</script> & <b>poetry</b>' in page.locator("#press").inner_text()
