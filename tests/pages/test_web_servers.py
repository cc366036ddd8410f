"""The web servers that docs/gm-pages.md puts in front of the pages of players, with the settings that stand there."""

import socket
import ssl
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection

import pytest

from pbmd.pages.request_limits import WRONG_OF_ONE
from tests.desk.world import World
from tests.docs.pages import ROOT, blocks
from tests.mailservers import START_SECONDS, free_ports, wait_for
from tests.pages.seats import path_of, served, site_of
from tests.room import Room, open_room, version_of

PAGE = ROOT / "docs" / "gm-pages.md"
NAME = "games.example.org"
WRONG = "/s/g1p1.aaaaaaaaaaaaaaaa/"


@dataclass(frozen=True)
class WebServer:
    """A web server: the tag of its example, what is put in the place of words of it, where it goes, what stands beside it, and
    how it is started. OWN and PBMD are ports, BELOW is a path."""

    tag: str
    changes: Mapping[str, str]
    changes_below: Mapping[str, str]
    file: str
    more: Mapping[str, str]
    start: str


NGINX = WebServer(
    tag="nginx",
    changes={
        "listen 443": "listen 127.0.0.1:OWN",
        f"/etc/letsencrypt/live/{NAME}/fullchain": "{base}/cert",
        f"/etc/letsencrypt/live/{NAME}/privkey": "{base}/key",
        "127.0.0.1:8026": "127.0.0.1:PBMD",
    },
    changes_below={"location /": "location BELOW/", "8026;": "8026/;"},
    file="/etc/nginx/conf.d/pbmd.conf",
    more={"/etc/nginx/nginx.conf": "user www-data;\nevents {}\nhttp {\ninclude /etc/nginx/conf.d/*.conf;\n}\n"},
    start="mkdir -p /var/lib/nginx /var/log/nginx\nexec /usr/sbin/nginx -g 'daemon off;'",
)
CADDY = WebServer(
    tag="text caddy",
    changes={
        "{\n    log": "{\nlocal_certs\nskip_install_trust\nadmin off\nauto_https disable_redirects\n"
        "default_bind 127.0.0.1\nhttps_port OWN\n    log",
        "127.0.0.1:8026": "127.0.0.1:PBMD",
    },
    changes_below={"reverse_proxy 127.0.0.1:8026": "handle_path BELOW/* {\nreverse_proxy 127.0.0.1:8026\n}"},
    file="/etc/caddy/Caddyfile",
    more={},
    start="export XDG_DATA_HOME={base} XDG_CONFIG_HOME={base}\nexec /usr/bin/caddy run --config /etc/caddy/Caddyfile",
)
SERVERS = {"nginx": NGINX, "caddy": CADDY}


@dataclass(frozen=True)
class Front:
    """A web server that runs in front of pbmd."""

    port: int
    room: Room

    def ask(self, path: str, source: str = "127.0.0.1", **headers: str) -> tuple[int, str]:
        """Ask for a page, from one of the addresses of this machine."""
        connection = HTTPConnection(NAME)
        connection.sock = self.connected(source)
        connection.request("GET", path, headers={name.replace("_", "-"): value for name, value in headers.items()})
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        return answer.status, text

    def connected(self, source: str = "127.0.0.1") -> ssl.SSLSocket:
        """A connection to it. Raises `ssl.SSLError` as long as it has no certificate."""
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE  # who signs it is not in the example
        plain = socket.create_connection(("127.0.0.1", self.port), START_SECONDS, (source, 0))
        return context.wrap_socket(plain, server_hostname=NAME)

    def wait_for_certificate(self) -> None:
        """Caddy makes one only once it can be reached."""
        ends = time.monotonic() + START_SECONDS
        while True:
            try:
                self.connected().close()
            except ssl.SSLError:
                assert time.monotonic() < ends, self.room.told()
                time.sleep(0.1)
            else:
                return

    def has_written(self, words: str) -> bool:
        """Whether it has written them to any file, or said them."""
        found = self.room.run("sh", "-c", f"grep --recursive --text --fixed-strings {words} {self.room.base}/disk || true")
        return words in found + self.room.told()


@contextmanager
def front(package: str, pbmd: int, below: str = "") -> Iterator[Front]:
    """The server with its example in front of pbmd at that port, and `below` a path if there is one."""
    version_of(package)
    server = SERVERS[package]
    [own] = free_ports(1)
    [example] = [block.text for block in blocks(server.tag, PAGE)]
    for old, new in {**(server.changes_below if below else {}), **server.changes}.items():
        assert old in example
        example = example.replace(old, new.replace("BELOW", below).replace("OWN", str(own)).replace("PBMD", str(pbmd)))
    with open_room(package, server.start, {**server.more, server.file: example}) as room:
        wait_for(own, None, room.told)
        web = Front(own, room)
        web.wait_for_certificate()
        yield web


@pytest.mark.parametrize("package", SERVERS)
def test_the_example_brings_players_their_pages_and_tells_visitors_apart(paged: World, package: str) -> None:
    with served(site_of(paged)) as pbmd, front(package, pbmd) as web:
        status, text = web.ask(path_of(paged))
        assert (status, "Altair" in text) == (200, True)
        for number in range(WRONG_OF_ONE):
            assert web.ask(WRONG, X_Forwarded_For=f"203.0.113.{number}")[0] == 404
        assert web.ask(path_of(paged), X_Forwarded_For="203.0.113.200")[0] == 429
        assert web.ask(path_of(paged), source="127.0.0.2")[0] == 200


@pytest.mark.parametrize("package", SERVERS)
def test_the_example_writes_down_no_address_of_a_page_even_when_pbmd_is_down(paged: World, package: str) -> None:
    path = path_of(paged)
    with served(site_of(paged)) as pbmd:
        pass
    with front(package, pbmd) as web:
        assert web.ask(path)[0] == 502
        assert not web.has_written(path.split("/")[2])


@pytest.mark.parametrize("package", SERVERS)
def test_pages_may_stand_below_a_path(paged: World, package: str) -> None:
    with served(site_of(paged)) as pbmd, front(package, pbmd, "/pbmd") as web:
        status, text = web.ask(f"/pbmd{path_of(paged)}")
        assert (status, "Altair" in text) == (200, True)
