"""The server of the pages: it shows them to this machine, and nothing else to nobody else."""

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from threading import Thread

import pytest

from pbmd.dashboard.server import server


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    pages = tmp_path / "dashboard"
    (pages / "games" / "galaxy-7").mkdir(parents=True)
    for file in ("index.html", "games/galaxy-7/index.html", "games/galaxy-7/feed.xml", "games/galaxy-7/map-1.svg"):
        (pages / file).write_text(file)
    (pages / "games/galaxy-7/steps.json").write_text("{}")
    (pages / "games/galaxy-7/.index.html.7").write_text("half")
    (tmp_path / "server.key").write_text("secret")
    (tmp_path / "server.html").write_text("secret")
    (pages / "outside.html").symlink_to(tmp_path / "server.html")
    return pages


@contextmanager
def shown(folder: Path, word: str = "") -> Generator[int]:
    """The port at which the folder is shown."""
    with server(folder, 0, word) as web:
        thread = Thread(target=web.serve_forever)
        thread.start()
        yield web.server_address[1]
        web.shutdown()
        thread.join()


@pytest.fixture
def port(folder: Path) -> Iterator[int]:
    with shown(folder) as port:
        yield port


def ask(port: int, path: str, method: str = "GET", host: str = "") -> tuple[HTTPResponse, str]:
    connection = HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request(method, path, headers={"Host": host or f"127.0.0.1:{port}"})
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer, text


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/", "text/html; charset=utf-8"),
        ("/games/galaxy-7/", "text/html; charset=utf-8"),
        ("/games/galaxy-7/feed.xml", "application/atom+xml; charset=utf-8"),
        ("/games/galaxy-7/map-1.svg", "image/svg+xml"),
    ],
)
def test_pages_feeds_and_maps_are_shown_and_may_load_nothing(port: int, path: str, kind: str) -> None:
    answer, text = ask(port, path)
    assert answer.status == 200
    assert text.endswith((".html", ".xml", ".svg"))
    assert answer.headers["Content-Type"] == kind
    assert answer.headers["Content-Security-Policy"].startswith("default-src 'none'")
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize(
    "path",
    [
        "/games/",
        "/games/galaxy-7/steps.json",
        "/games/galaxy-7/.index.html.7",
        "/../server.key",
        "/%2e%2e/server.html",
        "/games/../../server.html",
        "/outside.html",
        "/nothing.html",
    ],
)
def test_nothing_else_is_shown(port: int, path: str) -> None:
    answer, text = ask(port, path)
    assert answer.status == 404
    assert "secret" not in text


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8025", "127.0.0.1.evil.example", "localhost.evil.example:1"])
def test_a_page_of_somebody_else_cannot_read_them_under_its_own_name(port: int, host: str) -> None:
    assert ask(port, "/", host=host)[0].status == 403


def test_localhost_is_a_name_of_this_machine(port: int) -> None:
    assert ask(port, "/", host=f"localhost:{port}")[0].status == 200


def test_only_looking_is_possible(port: int) -> None:
    assert ask(port, "/", "HEAD")[0].status == 200
    for method in ("POST", "PUT", "DELETE"):
        assert ask(port, "/", method)[0].status == 501


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/word/", 200),
        ("/word/games/galaxy-7/", 200),
        ("/word/games/galaxy-7/map-1.svg?again", 200),
        ("/word/../server.html", 404),
        ("/word/games/../../server.html", 404),
        ("/word/outside.html", 404),
        ("/word", 404),
        ("/wordy/", 404),
        ("/", 404),
        ("/index.html", 404),
        ("//", 404),
        ("/%77ord/../index.html", 404),
        ("/w%F6rd/", 404),
    ],
)
def test_with_a_word_only_who_knows_it_is_shown_anything(folder: Path, path: str, status: int) -> None:
    with shown(folder, "word") as port:
        answer, text = ask(port, path)
        assert answer.status == status
        assert "secret" not in text


def test_a_folder_without_its_slash_is_found_behind_the_word(folder: Path) -> None:
    with shown(folder, "word") as port:
        answer, _ = ask(port, "/word/games/galaxy-7")
        assert (answer.status, answer.headers["Location"]) == (301, "/word/games/galaxy-7/")


def test_other_machines_cannot_reach_it(tmp_path: Path) -> None:
    with server(tmp_path, 0) as web:
        assert web.server_address[0] == "127.0.0.1"
