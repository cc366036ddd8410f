"""The pages of a game that is played at one machine: what a mail does elsewhere a button does here."""

import threading
from collections.abc import Callable, Iterator
from urllib.error import HTTPError
from urllib.parse import urlencode, urlsplit
from urllib.request import urlopen

import pytest

from pbmd.play.browser import pages
from pbmd.play.game import PlayedGame
from tests.play.conftest import Sit

Visit = Callable[..., str]


@pytest.fixture
def game(sit: Sit) -> PlayedGame:
    return sit("Altair", "Borealis")


@pytest.fixture
def address(game: PlayedGame) -> Iterator[str]:
    with pages(lambda: game, threading.RLock(), 0) as address_of:
        yield address_of("Altair")


def visit(address: str, **fields: str) -> str:
    data = urlencode(fields).encode() if fields else None
    with urlopen(address, data) as answer:
        return answer.read().decode()


def test_the_page_of_a_seat_has_the_buttons_and_the_other_seat(address: str) -> None:
    page = visit(address)
    assert "Resolve turn 1" in page
    assert "Borealis</a>" in page
    assert "goes nowhere else" in page


def test_orders_are_sent_by_a_button_and_answered_on_the_page(address: str, game: PlayedGame) -> None:
    assert 'formaction="send"' in visit(f"{address}orders.html")
    page = visit(f"{address}send", orders="Add 3\r\nAdd 30")
    assert "1 line was refused" in page
    assert game.state().sent == ("Altair",)


def test_resolve_leads_to_the_new_report_and_undo_takes_it_back(address: str, game: PlayedGame) -> None:
    visit(f"{address}send", orders="Add 3")
    assert "Turn 1: what happened" in visit(f"{address}resolve", go="1")
    assert game.state().step == "turn 2"
    assert "Resolve turn 1" in visit(f"{address}undo", go="1")


def test_nothing_is_done_by_looking_or_without_the_seats_address(address: str, game: PlayedGame) -> None:
    with pytest.raises(HTTPError, match="404"):
        visit(f"{address}resolve")
    parts = urlsplit(address)
    with pytest.raises(HTTPError, match="404"):
        visit(f"{parts.scheme}://{parts.netloc}/s/g1p1.aaaaaaaaaaaaaaaa/resolve", go="1")
    assert game.state().step == "turn 1"


def test_a_body_that_is_no_form_sends_nothing(address: str, game: PlayedGame) -> None:
    with urlopen(f"{address}send", b"\xff\xfe") as answer:
        assert answer.status == 200
    assert game.state().sent == ()
