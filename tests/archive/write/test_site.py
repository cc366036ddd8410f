"""The pages of an archive in a real browser, from the disk: they load nothing else, can be searched, and fit every screen."""

import re
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from pbmd.desk.changes.gm import abandon, announce
from tests.archive.kept import archived, conquered
from tests.desk.world import World
from tests.doses import dose
from tests.pages.browser import MISSING, chromium
from tests.pages.reading import NO_W3M, W3M, complaints, headings, in_text, seen_in_order, tree_of

END = "assets/turns/end.html"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
VIEWS = ("all", "public", "seat:Altair")

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


@pytest.fixture(scope="module")
def ended(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Archives of a game that was abandoned in the middle of a turn, by view."""
    home = tmp_path_factory.mktemp("ended")
    with closing(World(home)) as world:
        world.count()
        world.pass_time(timedelta(days=4))
        for text in (
            "PRESS TO ALL\nfarewell, Slartibartfast\nEND PRESS\nAdd 4",
            "PRESS TO Borealis\nour secret pact\nEND PRESS\nAdd 5\nAdd 1",
        ):
            world.send("Altair", text)
            world.now += timedelta(minutes=1)
        world.send("Borealis", "Add 6")
        world.send("Borealis", "CANCEL ORDERS")
        world.send("Cygnus", "I have no idea")
        world.act("galaxy-7", announce, "thank you for the fish")
        world.act("galaxy-7", abandon, "the snow is too deep")
        return {view: archived(world, home / view.partition(":")[0], view, game="galaxy-7") for view in VIEWS}


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

    def open_page(path: str = "index.html", width: int = 1280, archive: Path = payload, **more: Any) -> Any:
        context = browser.new_context(viewport={"width": width, "height": 900}, **more)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda problem: complaints.append(str(problem)))
        page.on("requestfailed", lambda request: complaints.append(request.url))
        page.on("request", lambda request: request.url.startswith("file:") or complaints.append(request.url))
        page.on("dialog", lambda dialog: (complaints.append(dialog.message), dialog.dismiss()))
        page.goto((archive / path).as_uri())
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture
def pages(payload: Path, ended: dict[str, Path]) -> list[tuple[Path, str]]:
    """All pages of a game that runs, and those that only one has that is over."""
    paths = ["index.html", *sorted(path.relative_to(payload).as_posix() for path in payload.glob("assets/turns/*.html"))]
    return [*((payload, path) for path in paths), *((ended["all"], path) for path in ("index.html", END))]


def each_page(visit: Any, pages: list[tuple[Path, str]], *how: Any, **more: Any) -> Iterator[tuple[Path, str, Any]]:
    """All pages, one after the other in one window: a window for each takes longer than what is looked at in it."""
    page = None
    for archive, path in pages:
        if page is None:
            page = visit(path, *how, archive=archive, **more)
        else:
            page.goto((archive / path).as_uri())
        yield archive, path, page


@pytest.mark.parametrize(("scheme", "rules"), [("light", RULES), ("dark", ["cat.color"])])
def test_axe_finds_nothing_on_any_page(visit: Any, pages: list[tuple[Path, str]], scheme: str, rules: list[str]) -> None:
    from axe_playwright_python.base import AXE_FILE_PATH

    axe = Path(AXE_FILE_PATH).read_text(encoding="utf-8")
    found = []
    # Colours are those of a style sheet that all pages have: half of them are looked at in the dark, and all in a large dose.
    some = pages[:: dose(2, 1)] if scheme == "dark" else pages
    for _, path, page in each_page(visit, some, color_scheme=scheme):
        page.evaluate("for (const closed of document.querySelectorAll('details')) closed.open = true")
        page.evaluate(axe)
        # It would load the style sheet once more, which the page does not allow.
        result = page.evaluate(
            "rules => axe.run(document, {preload: false, runOnly: rules, resultTypes: ['violations']})", rules
        )
        assert result["passes"]
        found += [(path, one["id"], [node["html"] for node in one["nodes"]]) for one in result["violations"]]
    assert found == []


def test_nothing_hinders_who_has_a_page_read_to_them(visit: Any, pages: list[tuple[Path, str]]) -> None:
    for _, path, page in each_page(visit, pages, 390):
        page.evaluate("for (const closed of document.querySelectorAll('details')) closed.open = true")
        tree = tree_of(page)
        assert complaints(tree) == [], path
        assert [name for _, name in headings(tree)] == seen_in_order(page), path


@pytest.mark.skipif(not W3M, reason=NO_W3M)
def test_every_page_can_be_read_in_text_alone(pages: list[tuple[Path, str]]) -> None:
    for archive, path in pages:
        text = in_text(archive / path)
        assert archive_name(archive) in text, path
        # What is to be filled in stands in <> there, and press may have what looks like tags.
        said = re.sub(r'write it as "[^"]*"', "", text.replace("<script>alert", "").replace("<b>poetry", ""))
        assert not re.search(r"--page|addEventListener|<\w+", said), path


def archive_name(archive: Path) -> str:
    """The name of its game."""
    found = re.search(r'^name = "(.*)"$', (archive / "game.toml").read_text("utf-8"), re.MULTILINE)
    assert found
    return found[1]


@pytest.mark.parametrize("width", dose((390,), (390, 1280)))
def test_no_page_is_wider_than_the_screen(visit: Any, pages: list[tuple[Path, str]], width: int) -> None:
    for _, path, page in each_page(visit, pages, width):
        assert page.locator("html").evaluate("html => html.scrollWidth") <= width, path


def test_every_link_leads_to_a_file_of_the_archive(visit: Any, pages: list[tuple[Path, str]]) -> None:
    """Not to a folder: servers need not list what is in one."""
    targets = "links => links.map(link => link.getAttribute('href') || link.getAttribute('src') || '')"
    for archive, path, page in each_page(visit, pages, java_script_enabled=False):
        for target in page.locator("a[href], img[src], script[src], link[href]").evaluate_all(targets):
            if not target.startswith("#"):
                place = ((archive / path).parent / target.partition("#")[0]).resolve()
                assert place.is_file(), (path, target)
                assert place.is_relative_to(archive)


def found(page: Any, words: str) -> list[str]:
    page.evaluate("document.getElementById('search-count').textContent = ''")
    page.fill("#search-words", words)
    page.wait_for_function("() => document.getElementById('search-count').textContent !== ''")
    return page.locator("#search-found a").all_inner_texts()


def line_of(page: Any, title: str) -> str:
    """The line that is shown of what was found under this title."""
    return (
        page.locator("#search-found li").filter(has=page.get_by_role("link", name=title, exact=True)).locator("p").inner_text()
    )


def test_words_are_found_without_a_server(visit: Any) -> None:
    page = visit()
    assert "Turn 2: orders" in found(page, "bartholomew")
    assert found(page, "barth") == found(page, "Bartholomew")
    assert "Turn 3: press" in found(page, "vogon POETRY")
    assert line_of(page, "Turn 3: press") == 'Red: <script>alert("Vogon")</script> & <b>poetry</b>'
    assert page.locator("#search-found mark").all_inner_texts() == ["Vogon"]
    assert found(page, "wedding yellow") == []
    assert found(page, "my wedding") == ["Turn 2: what happened to the game"]
    assert line_of(page, "Turn 2: what happened to the game").endswith("my wedding")
    assert found(page, "vogon bartholomew") == []
    assert found(page, "Qwertz") == []
    assert page.inner_text("#search-count") == "0 found"


def test_what_was_found_is_open_when_it_is_gone_to(visit: Any) -> None:
    page = visit()
    assert "Turn 2: orders" in found(page, "bartholomew")
    page.get_by_role("link", name="Turn 2: orders").click()
    page.wait_for_url("**/002.html**")
    assert page.get_by_text("Conquer as Bartholomew wishes it").is_visible()


def test_the_report_of_a_seat_opens_as_it_was_mailed(visit: Any, payload: Path) -> None:
    page = visit()
    assert "Turn 2: report of Green" in found(page, "aldebaran")
    report = (payload / "turns" / "002" / "reports" / "3-green.html").as_uri()
    assert page.get_by_role("link", name="Turn 2: report of Green").evaluate("link => link.href").startswith(report)
    page = visit("assets/turns/002.html")
    assert (
        page.get_by_role("navigation", name="The report as it was mailed to")
        .get_by_role("link", name="Green")
        .evaluate("link => link.href")
        == report
    )


def test_a_turn_opens_as_its_public_report_with_the_map(visit: Any, payload: Path) -> None:
    page = visit("assets/turns/002.html", 390)
    report = page.get_by_role("region", name="Public report")
    heads = re.findall(r"<h2[^>]*>(.*?)</h2>", (payload / "turns" / "002" / "reports" / "public.html").read_text("utf-8"))
    assert heads
    assert report.locator("h2").all_text_contents() == heads
    image = report.locator("img")
    assert image.evaluate("image => image.decode().then(() => image.clientWidth)") > 250
    assert len(image.get_attribute("alt")) > len("Map. The report has the same in words.")


def test_who_has_won_stands_first_and_keys_and_checksums_last(visit: Any, ended: dict[str, Path]) -> None:
    page = visit(archive=ended["public"])
    assert page.locator("h1 + p").inner_text() == "The game master has abandoned the game: the snow is too deep"
    assert page.locator("h2").all_inner_texts()[-2:] == ["Files", "Keys and checksums"]
    head = next(code for code in page.locator("code").all_inner_texts() if len(code) == 64)
    assert page.locator("main").inner_text().rindex(head) > page.locator("main").inner_text().rindex("verify.py")


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
    assert page.locator("#story + ol > .turn a").count() == 4
    page.get_by_role("link", name="Turn 3", exact=True).click()
    assert '<script>alert("Vogon")</script> & <b>poetry</b>' in page.locator("#before").inner_text()


class TestAfterTheLastTurn:
    def test_is_the_last_page_to_page_to(self, visit: Any, ended: dict[str, Path]) -> None:
        page = visit("assets/turns/001.html", archive=ended["public"])
        page.get_by_role("link", name="After turn 1 →").click()
        assert page.inner_text("h1") == "After turn 1"
        assert "The game master has abandoned the game: the snow is too deep" in page.inner_text("#end")
        page.get_by_role("link", name="← Turn 1").click()
        page.get_by_role("link", name="Overview").click()
        page.get_by_role("link", name="After turn 1", exact=True).click()
        assert page.url.endswith(END)

    def test_what_was_said_is_there_and_found(self, visit: Any, ended: dict[str, Path]) -> None:
        page = visit(archive=ended["public"])
        assert found(page, "slartibartfast") == found(page, "fish") == ["After turn 1: press"]
        assert found(page, "snow") == ["After turn 1: the end"]
        assert found(page, "pact") == []
        said = visit(END, archive=ended["public"]).inner_text("#before")
        assert said.index("farewell, Slartibartfast") < said.index("thank you for the fish")

    @pytest.mark.parametrize(
        ("view", "letters"),
        [
            ("public", []),
            ("seat:Altair", ["Altair: replaced", "Altair: would have counted"]),
            ("all", ["Altair: replaced", "Altair: would have counted", "Borealis: cancelled", "Cygnus: refused"]),
        ],
    )
    def test_orders_that_waited_are_there_for_those_who_may_know_them(
        self, visit: Any, ended: dict[str, Path], view: str, letters: list[str]
    ) -> None:
        page = visit(END, archive=ended[view])
        told = page.locator("#orders summary").all_inner_texts()
        assert [words.partition(",")[0] for words in told] == letters
        for closed in page.locator("#orders details").all():
            closed.locator("summary").click()
        lines = [lines.inner_text() for lines in page.locator("#orders pre").all()]
        assert lines == ["Add 4", "Add 5\nAdd 1", "Add 6", "I have no idea"][: len(letters)]
        index = visit(archive=ended[view])
        assert ("After turn 1: orders" in found(index, "add")) is bool(letters)

    def test_there_is_none_of_a_game_that_runs(self, payload: Path) -> None:
        assert not (payload / END).exists()


def test_no_number_of_a_turn_stands_for_the_beginning(visit: Any) -> None:
    chart = visit().locator("svg.chart").first
    assert chart.locator("text[text-anchor=middle]").first.text_content() == "start"
