"""docs/orders.md has the order lines of every game as HELP orders sends them."""

from pbmd.rules.registry import slugs
from tests.docs import orders_page


def test_the_page_is_what_the_handbooks_say() -> None:
    text = orders_page.FILE.read_text(encoding="utf-8")
    assert text == orders_page.page(), "python -m tests.docs.orders_page writes it anew"


def test_every_game_that_comes_along_is_on_the_page() -> None:
    assert {*orders_page.GAMES} == {*slugs()}
