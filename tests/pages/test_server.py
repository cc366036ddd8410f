"""The server of the pages: it shows them to this machine, and nothing else to nobody else."""

import itertools
import re
import socket
import struct
import threading
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, contextmanager
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from threading import Thread

import pytest

from pbmd.pages import server as server_module
from pbmd.pages.server import MOST_CONNECTIONS, server


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
        thread = Thread(target=web.serve_forever, args=(0.01,))  # how soon it ends
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


def raw(port: int, request: bytes) -> bytes:
    """What comes back, until the server ends the connection."""
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        connection.sendall(request)
        return connection.makefile("rb").read()


HOSTILE = {
    "NUL": (b"/%00", 404),
    "NUL in a name": (b"/index.html%00.svg", 404),
    "an over-long name": (b"/" + b"a" * 300 + b".html", 404),
    "an over-long path": (b"/" + b"a/" * 5000 + b"x.html", 404),
    "half a percent": (b"/%", 404),
    "a percent of nothing": (b"/%zz.html", 404),
    "no UTF-8, encoded": (b"/%ff%fe.html", 404),
    "half a surrogate pair": (b"/%ed%a0%80.html", 404),
    "no UTF-8, as it is": (b"/\xff\xfe.html", 404),
    "up, encoded": (b"/%2e%2e%2fserver.html", 404),
    "up, encoded twice": (b"/%252e%252e/server.html", 404),
    "up, the other way": (b"/..%5cserver.html", 404),
    "an absolute path": (b"//etc/passwd", 404),
    "an absolute URI": (b"http://127.0.0.1/server.html", 404),
    "another's URI": (b"http://evil.example/", 404),
    "no path": (b"*", 404),
    "a query alone": (b"?", 404),
}


@pytest.mark.parametrize(("path", "status"), HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize("method", [b"GET", b"HEAD"])
def test_a_path_that_is_none_is_not_found_and_no_trouble(
    port: int, capfd: pytest.CaptureFixture[str], path: bytes, status: int, method: bytes
) -> None:
    answer = raw(port, method + b" " + path + b" HTTP/1.1\r\nHost: localhost\r\n\r\n")
    assert answer.startswith(f"HTTP/1.0 {status} ".encode())
    assert b"secret" not in answer
    assert ask(port, "/")[0].status == 200
    assert capfd.readouterr() == ("", "")


REQUESTS = {
    "another server's folder": (b"GET //evil.example/%2e%2e HTTP/1.1\r\nHost: localhost\r\n\r\n", b"301"),
    "no HTTP": (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", b"400"),
    "a version to come": (b"GET / HTTP/9.9\r\nHost: localhost\r\n\r\n", b"505"),
    "a line without an end": (b"GET /" + b"a" * 70_000, b"414"),
    "a header without an end": (b"GET / HTTP/1.1\r\nX: " + b"a" * 70_000 + b"\r\n\r\n", b"431"),
    "too many fields": (b"GET / HTTP/1.1\r\n" + b"X: a\r\n" * 200 + b"\r\n", b"431"),
    "no Host": (b"GET / HTTP/1.1\r\n\r\n", b"403"),
    "a method in small letters": (b"get / HTTP/1.1\r\nHost: localhost\r\n\r\n", b"501"),
    "a method of others": (b"PROPFIND / HTTP/1.1\r\nHost: localhost\r\n\r\n", b"501"),
    "a tunnel": (b"CONNECT evil.example:443 HTTP/1.1\r\nHost: localhost\r\n\r\n", b"501"),
    "a length that is none": (b"GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n", b"200"),
}


@pytest.mark.parametrize(("request_", "status"), REQUESTS.values(), ids=REQUESTS)
def test_a_request_that_is_none_is_answered_and_no_trouble(
    port: int, capfd: pytest.CaptureFixture[str], request_: bytes, status: bytes
) -> None:
    answer = raw(port, request_)
    # Who says no version is given no status line, but a page that says the same.
    said = re.search(rb"\AHTTP/1\.0 (\d+)|Error code: (\d+)", answer)
    assert said is not None
    assert status in said.groups()
    assert b"Location: //" not in answer
    assert ask(port, "/")[0].status == 200
    assert capfd.readouterr() == ("", "")


def test_the_first_version_of_http_is_spoken_to_nobody(port: int) -> None:
    """It has no field that could say by which name the server was asked."""
    assert b"index.html" not in raw(port, b"GET /\r\n\r\n")


def test_who_hangs_up_leaves_no_word(port: int, capfd: pytest.CaptureFixture[str]) -> None:
    for request in (b"", b"GET / HTTP", b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"):
        connection = socket.create_connection(("127.0.0.1", port))
        connection.sendall(request)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        connection.close()
    assert ask(port, "/")[0].status == 200
    assert capfd.readouterr() == ("", "")


def threads_of_requests() -> int:
    return sum("process_request_thread" in thread.name for thread in threading.enumerate())


class TestManyConnections:
    def test_that_ask_for_nothing_keep_nobody_out_and_hold_few_threads(self, port: int) -> None:
        with ExitStack() as stack:
            for _ in range(4 * MOST_CONNECTIONS):
                half_open = stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=60))
                half_open.sendall(b"GET / HTTP/1.1\r\n")
            assert ask(port, "/")[0].status == 200
            wait_until(lambda: threads_of_requests() <= MOST_CONNECTIONS)

    def test_that_ask_for_nothing_end(self, port: int, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(server_module, "REQUEST_SECONDS", 0.5)
        with socket.create_connection(("127.0.0.1", port), timeout=60) as silent:
            assert silent.recv(1) == b""

    def test_that_send_now_and_then_end_as_well(self, port: int, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(server_module, "REQUEST_SECONDS", 0.5)

        def drip(connection: socket.socket) -> None:
            for byte in itertools.cycle(b"X: y\r\n"):
                connection.send(bytes([byte]))
                time.sleep(0.01)

        with socket.create_connection(("127.0.0.1", port), timeout=60) as dripping, pytest.raises(OSError):
            drip(dripping)

    def test_that_take_no_answer_end(self, folder: Path, port: int, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(server_module, "ANSWER_SECONDS", 1.0)
        (folder / "large.html").write_bytes(b"x" * 30_000_000)
        with socket.create_connection(("127.0.0.1", port), timeout=60) as deaf:
            deaf.sendall(b"GET /large.html HTTP/1.1\r\nHost: localhost\r\n\r\n")
            wait_until(lambda: threads_of_requests() == 1)
            wait_until(lambda: threads_of_requests() == 0)

    def test_beyond_the_limit_are_told_so_when_all_are_being_answered(
        self, folder: Path, port: int, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(server_module, "MOST_CONNECTIONS", 2)
        (folder / "large.html").write_bytes(b"x" * 30_000_000)
        with ExitStack() as stack:
            for _ in range(2):
                deaf = stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=60))
                deaf.sendall(b"GET /large.html HTTP/1.1\r\nHost: localhost\r\n\r\n")
                assert deaf.recv(4) == b"HTTP"  # it is being answered
            answer, _ = ask(port, "/")
            assert (answer.status, answer.headers["Retry-After"]) == (503, "1")
        wait_until(lambda: ask(port, "/")[0].status == 200)


def wait_until(condition: Callable[[], bool]) -> None:
    ends = time.monotonic() + 120
    while not condition():
        assert time.monotonic() < ends
        time.sleep(0.02)


def test_other_machines_cannot_reach_it(tmp_path: Path) -> None:
    with server(tmp_path, 0) as web:
        assert web.server_address[0] == "127.0.0.1"
