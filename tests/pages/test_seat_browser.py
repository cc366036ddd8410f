"""The pages of seats in a real browser, most of all on a phone: they load nothing from elsewhere, and the form checks orders as
they are typed."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.desk.world import World
from tests.pages.browser import MISSING, chromium
from tests.pages.seats import path_of, served, site_of, with_pages
from tests.pages.test_browser import RULES

pytestmark = pytest.mark.skipif(bool(MISSING), reason=MISSING)
PHONE = 390
OOB = "OOB default: LFTLTF"
LOOKED_AT = [
    *(("galaxy-7", name) for name in ("orders.html", "", "reports.html", "sent.html")),
    *(("societies-3", name) for name in ("map.html", "report-0.html")),
]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as running:
        yield running


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """Where the pages of a seat in two games are, a turn on: one of many orders, one with a map."""
    folder: Path = tmp_path_factory.mktemp("seats")
    world = with_pages(World(folder))
    world.start("galaxy-7")
    world.start("societies-3", ruleset="societies")
    for seat in ("Altair", "Borealis", "Cygnus"):
        world.send(seat, f"Build 2 Laserfrigates\n{OOB}\nnonsense", game="galaxy-7")
    world.pass_time(timedelta(days=8))
    try:
        with served(site_of(world)) as port:
            yield {game: f"http://127.0.0.1:{port}{path_of(world, game=game)}" for game in ("galaxy-7", "societies-3")}
    finally:
        world.close()


@pytest.fixture
def visit(browser: Any) -> Iterator[Any]:
    """Opens a page, and fails if the browser has anything to complain of, or asked anybody else for anything."""
    contexts, complaints = [], list[str]()

    def open_page(address: str, width: int = PHONE, **more: Any) -> Any:
        context = browser.new_context(viewport={"width": width, "height": 844}, **more)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda problem: complaints.append(str(problem)))
        page.on("request", lambda request: complaints.append(request.url) if "127.0.0.1" not in request.url else None)
        page.goto(address)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.mark.parametrize(
    ("scheme", "rules", "looked_at"), [("light", RULES, LOOKED_AT), ("dark", ["cat.color"], LOOKED_AT[:1])]
)
def test_axe_finds_nothing_on_any_page(
    visit: Any, pages: dict[str, str], scheme: str, rules: list[str], looked_at: list[tuple[str, str]]
) -> None:
    from axe_playwright_python.base import AXE_SCRIPT

    found = []
    page = visit(pages["galaxy-7"], color_scheme=scheme)
    for game, name in looked_at:
        page.goto(pages[game] + name)
        assert page.locator("html").evaluate("html => html.scrollWidth") <= PHONE, name
        if name == "orders.html":
            page.get_by_label("Your orders").fill("Build 2 Laserfrigates\nBild x\nWAIT")
            page.locator("[data-open][href]").wait_for()
        page.evaluate("for (const closed of document.querySelectorAll('details')) closed.open = true")
        page.evaluate(AXE_SCRIPT)
        result = page.evaluate("rules => axe.run(document, {runOnly: rules, resultTypes: ['violations']})", rules)
        assert result["passes"]
        found += [(game, name, one["id"], [node["html"] for node in one["nodes"]]) for one in result["violations"]]
    assert found == []


def test_without_a_script_no_page_is_wider_than_a_phone_either(visit: Any, pages: dict[str, str]) -> None:
    page = visit(pages["galaxy-7"], java_script_enabled=False)
    for game, name in LOOKED_AT:
        page.goto(pages[game] + name)
        assert page.locator("html").evaluate("html => html.scrollWidth") <= PHONE, name


def test_orders_are_checked_as_they_are_typed_and_end_in_a_mail(visit: Any, pages: dict[str, str]) -> None:
    page = visit(f"{pages['galaxy-7']}orders.html")
    orders = page.get_by_label("Your orders")
    orders.fill("")
    orders.press_sequentially("Bild 2 Laserfrigates")
    page.get_by_text("Nothing of it would be taken.").wait_for()
    assert "did you mean" in page.locator(".verdicts").inner_text()
    orders.fill(f"Build 2 Laserfrigates\n{OOB}")
    page.get_by_text("Nothing would be refused.").wait_for()
    link = page.get_by_role("link", name="Open the mail")
    mail = urlsplit(link.get_attribute("href"))
    body = parse_qs(mail.query)["body"][0].splitlines()
    assert mail.path.startswith("games+g1p1.")
    assert body[-4:] == ["ORDERS FOR TURN 2", "Build 2 Laserfrigates", OOB, "#end"]
    box = link.bounding_box()
    assert box["height"] >= 44  # a thumb's
    assert box["width"] > 300


def test_as_long_as_it_is_not_checked_there_is_no_mail_of_what_stood_there_before(visit: Any, pages: dict[str, str]) -> None:
    page = visit(f"{pages['galaxy-7']}orders.html")
    page.get_by_label("Your orders").fill(OOB)
    link = page.locator("[data-open][href]")
    link.wait_for()
    page.get_by_label("Your orders").fill("Stockpile")
    assert link.count() == 0
    assert page.locator("#body").input_value() == ""
    link.wait_for()
    assert "Stockpile" in page.locator("#body").input_value()


def test_when_the_link_has_ended_it_says_so_and_asks_no_more(browser: Any, pages: dict[str, str]) -> None:
    """Else who goes on writing would soon be taken for one who guesses addresses."""
    asked = list[str]()
    page = browser.new_page()
    page.goto(f"{pages['galaxy-7']}orders.html")
    page.get_by_text("Checked.").wait_for()
    page.route("**/check", lambda route: (asked.append("check"), route.fulfill(status=404)))
    check = page.get_by_role("button", name="Check")
    check.click()
    page.get_by_text("The address of this page has ended").wait_for()
    page.get_by_label("Your orders").fill(OOB)
    check.click()
    page.wait_for_timeout(100)
    assert asked == ["check"]
    assert page.get_by_text("The address of this page has ended").is_visible()
    page.close()


def test_without_a_script_check_is_a_button_and_times_are_the_seats(visit: Any, pages: dict[str, str]) -> None:
    page = visit(f"{pages['galaxy-7']}orders.html", java_script_enabled=False)
    assert "UTC" in page.locator("time").first.inner_text()
    page.get_by_label("Your orders").fill(f"{OOB}\nBild x")
    page.get_by_role("button", name="Check").click()
    assert page.get_by_text("1 line would be refused.").is_visible()
    assert "LFTLTF" in page.get_by_role("link", name="Open the mail").get_attribute("href")
    assert page.get_by_label("Your orders").input_value() == f"{OOB}\nBild x"


def test_the_deadline_is_told_by_the_readers_clock(visit: Any, pages: dict[str, str]) -> None:
    page = visit(pages["galaxy-7"], timezone_id="Asia/Tokyo", locale="en-GB")
    shown = page.locator(".clock time")
    assert "UTC" in shown.get_attribute("title")
    assert shown.inner_text().endswith("GMT+9")


def test_a_report_has_its_look_under_a_policy_that_allows_no_style_within_it(visit: Any, pages: dict[str, str]) -> None:
    page = visit(f"{pages['galaxy-7']}report-0.html")
    assert page.locator("[style]").count() == 0
    assert page.locator(".report h1").evaluate("heading => getComputedStyle(heading).fontSize") == "26px"


def test_the_maps_go_by_turn(visit: Any, pages: dict[str, str]) -> None:
    page = visit(f"{pages['societies-3']}map.html")
    figures = page.locator(".maps figure")
    assert figures.count() == 2
    assert [figures.nth(place).is_visible() for place in (0, 1)] == [False, True]
    page.get_by_role("slider").press("Home")
    assert figures.nth(0).is_visible()
    assert figures.nth(0).locator("img").evaluate("async image => { await image.decode(); return image.naturalWidth }") > 100
