"""The server of the pages of seats before whatever the net, or the web server in front, makes of a request."""

import socket
from contextlib import ExitStack

import pytest

from pbmd.desk.publish.dashboard import observers_source, show_to_observers
from pbmd.pages.request_limits import WRONG_OF_ONE
from pbmd.pages.server import MOST_CONNECTIONS
from tests.desk.world import World
from tests.pages.seats import ask, path_of, served, site_of


def raw(port: int, request: str) -> bytes:
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        connection.sendall(request.encode())
        return connection.recv(4096)


def test_what_a_browser_wrote_into_a_header_of_its_own_is_no_address(paged: World) -> None:
    """Some web servers write theirs below it instead of behind."""
    with served(site_of(paged)) as port:
        for number in range(WRONG_OF_ONE):
            lines = f"X-Forwarded-For: 203.0.113.{number}\r\nX-Forwarded-For: 198.51.100.7\r\n"
            assert b" 404 " in raw(port, f"GET /s/g1p1.aaaaaaaaaaaaaaaa/ HTTP/1.1\r\nHost: localhost\r\n{lines}\r\n")
        assert ask(port, path_of(paged), headers={"X-Forwarded-For": "198.51.100.7"})[0].status == 429
        assert ask(port, path_of(paged), headers={"X-Forwarded-For": "203.0.113.1"})[0].status == 200


def test_a_page_of_somebody_else_makes_nobody_a_guesser(paged: World, port: int) -> None:
    """It can have the browser of a player ask for as many pictures as it likes."""
    for site in ("cross-site", "same-site"):
        for method, kind in (("GET", "image"), ("GET", "iframe"), ("GET", "empty"), ("POST", "empty")):
            own = {"Sec-Fetch-Site": site, "Sec-Fetch-Dest": kind}
            for path in ["/s/g1p1.aaaaaaaaaaaaaaaa/"] * 5 + [path_of(paged)]:
                assert ask(port, path, method, "" if method == "POST" else None, own)[0].status == 404
    from_webmail = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "document"}
    assert ask(port, path_of(paged), headers=from_webmail)[0].status == 200


def test_posts_that_never_come_to_an_end_keep_nobody_out(paged: World, port: int) -> None:
    with ExitStack() as stack:
        for _ in range(2 * MOST_CONNECTIONS):
            slow = stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=60))
            slow.sendall(b"POST /s/x/check HTTP/1.1\r\nHost: localhost\r\nContent-Length: 50000\r\n\r\norders=")
        assert ask(port, path_of(paged))[0].status == 200


def test_a_post_of_which_only_a_part_came_is_not_looked_at(paged: World, port: int) -> None:
    with socket.create_connection(("127.0.0.1", port), timeout=60) as cut:
        cut.sendall(f"POST {path_of(paged)}check HTTP/1.1\r\nHost: localhost\r\nContent-Length: 50\r\n\r\norders=".encode())
        cut.shutdown(socket.SHUT_WR)
        assert cut.recv(1) == b""


@pytest.mark.parametrize(
    ("begins", "ends", "status"),
    [
        ("GET ", " bad words HTTP/1.1", 400),
        ("GET ", " HTTP/1.1.1", 400),
        ("OPTIONS ", " HTTP/1.1", 501),
        ("get ", " HTTP/1.1", 501),
        ("GET ", " HTTP/1.1\r\n" + "A: b\r\n" * 150, 431),
    ],
)
def test_no_answer_says_again_what_was_asked(paged: World, port: int, begins: str, ends: str, status: int) -> None:
    """It has the token, and web servers log the reasons of errors."""
    answer = raw(port, f"{begins}{path_of(paged)}{ends}\r\nHost: localhost\r\n\r\n")
    assert f" {status} ".encode() in answer or b"cannot be answered" in answer
    assert path_of(paged).encode() not in answer


@pytest.mark.parametrize("path", ["/games/galaxy-7", "//games/galaxy-7", "/games/galaxy-7?x=//evil.example/"])
def test_below_a_path_of_the_web_server_in_front_folders_are_found_too(paged: World, path: str) -> None:
    paged.settle(pages={"observers": True})
    assert show_to_observers(paged.desk)
    with served(site_of(paged, observers_source(paged.desk).folder)) as port:
        answer, _ = ask(port, path)
        assert (answer.status, answer.headers["Location"]) == (301, "galaxy-7/")
        answer, _ = ask(port, path_of(paged).rstrip("/"))
        assert (answer.status, answer.headers["Location"]) == (301, path_of(paged).removeprefix("/s/"))
