"""Texts posted to a web address: to whom, how, and what becomes of it."""

import datetime as dt
import ipaddress
import json
import socket
import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from pbmd.post.webhook import LONGEST_TEXT, HookError, body, post, read_hook
from tests.post.hooked import Chat, chat

SECRET = "T0P/s3cr3t"


@pytest.fixture
def room() -> Iterator[Chat]:
    with chat() as told:
        yield told


def address(told: Chat, scheme: str = "http", host: str = "127.0.0.1") -> str:
    return f"{scheme}://{host}:{told.port}/hooks/{SECRET}?wait=true"


def failure(told: Chat, seconds: float = 5) -> HookError:
    with pytest.raises(HookError) as caught:
        post(read_hook(address(told)), "news", seconds)
    assert SECRET not in repr(caught.value)
    assert "ok" not in str(caught.value)
    return caught.value


class TestTheAddress:
    @pytest.mark.parametrize(
        "written",
        [
            "https://hooks.slack.com/services/T0/B0/x",
            "https://chat.example.org:8443/hooks/x?y=z",
            "http://127.0.0.1:9000/x",
            "http://localhost/x",
            "http://[::1]:9000/x",
        ],
    )
    def test_is_https_or_on_this_machine(self, written: str) -> None:
        assert read_hook(written).target.startswith("/")

    @pytest.mark.parametrize(
        "written",
        [
            "http://hooks.slack.com/services/secret",
            "http://10.0.0.1/secret",
            "http://localhost.example.org/secret",
            "http://127.0.0.1.example.org/secret",
            "ftp://example.org/secret",
            "file:///secret",
            "https:///secret",
            "https://me:secret@example.org/",
            "https://example.org@evil.example/secret",
            "https://example.org:secret/",
            "https://exa mple.org/secret",
            "https://example.org/secret\r\nX-Evil: 1",
            "https://ex%61mple.org/secret",
            "https://exämple.org/secret",
            "https://hooks..example.org/secret",
            "https://.example.org/secret",
            "https://-example.org/secret",
            f"https://{'a' * 64}.example.org/secret",
            f"https://{'a.' * 127}org/secret",
            "https://example.org/" + "secret" * 400,
            "",
            "secret",
        ],
    )
    def test_that_is_no_such_is_refused_and_not_quoted(self, written: str) -> None:
        with pytest.raises(HookError) as caught:
            read_hook(written)
        assert "secret" not in str(caught.value)

    def test_shows_nothing_but_its_host(self) -> None:
        assert repr(read_hook("https://example.org/secret")) == "Hook('example.org')"


class TestTheText:
    @pytest.mark.parametrize(
        ("host", "key"),
        [
            ("hooks.slack.com", "text"),
            ("discord.com", "content"),
            ("ptb.discord.com", "content"),
            ("notdiscord.com", "text"),
            ("matrix.example.org", "text"),
        ],
    )
    def test_stands_where_the_server_looks_for_it(self, host: str, key: str) -> None:
        told = json.loads(body(read_hook(f"https://{host}/x"), "galaxy-7: Turn 3 is resolved"))
        assert told.pop(key) == "galaxy-7: Turn 3 is resolved"
        assert set(told) <= {"allowed_mentions"}

    @pytest.mark.parametrize("host", ["hooks.slack.com", "discord.com", "chat.example.org"])
    def test_calls_up_nobody(self, host: str) -> None:
        told = json.loads(body(read_hook(f"https://{host}/x"), "<!channel> @everyone @all"))
        said = told.get("text") or told["content"]
        assert "<!channel>" not in said or host != "hooks.slack.com"
        assert told.get("allowed_mentions") == {"parse": []} or host != "discord.com"
        assert "@all" not in said or host != "chat.example.org"

    def test_has_an_end(self) -> None:
        told = json.loads(body(read_hook("https://discord.com/x"), "x" * 5000))["content"]
        assert len(told) == LONGEST_TEXT
        assert told.endswith("…")


class TestPosting:
    def test_is_one_request_in_json(self, room: Chat) -> None:
        post(read_hook(address(room)), "Zoë has joined", 5)
        ((path, headers, sent),) = room.came
        assert path == f"/hooks/{SECRET}?wait=true"
        assert headers["Content-Type"] == "application/json"
        assert json.loads(sent) == {"text": "Zoë has joined"}

    @pytest.mark.parametrize(
        ("status", "why"), [(404, "says 404 Not Found"), (500, "500 Internal Server Error"), (599, "says 599"), (199, "")]
    )
    def test_any_other_answer_is_a_failure(self, room: Chat, status: int, why: str) -> None:
        room.status = status
        assert why in str(failure(room, 1))

    @pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
    def test_no_redirect_is_followed(self, room: Chat, status: int) -> None:
        with chat() as inner:
            room.status, room.headers = status, {"Location": f"http://127.0.0.1:{inner.port}/secret"}
            problem = failure(room)
            assert inner.came == []
        assert "sends on to another address, which is not followed" in str(problem)
        assert str(inner.port) not in str(problem)

    @pytest.mark.parametrize(
        ("written", "seconds"), [("120", 120), ("99999999", 86400), ("-1", 0), ("soon", 0), ("9" * 400, 0)]
    )
    def test_a_server_says_when_to_come_again(self, room: Chat, written: str, seconds: int) -> None:
        room.status, room.headers = 429, {"Retry-After": written}
        assert failure(room).pause == timedelta(seconds=seconds)

    @pytest.mark.parametrize("how", [{"silent_seconds": 2}, {"drips": True}])
    def test_a_server_that_takes_its_time_is_left(self, room: Chat, how: dict[str, bool]) -> None:
        vars(room).update(how)
        begun = time.monotonic()
        assert str(failure(room, 0.3)) == "127.0.0.1: no answer within 0.3 s"
        assert time.monotonic() - begun < 30, "it drips for fifty seconds"

    def test_a_server_that_is_not_there_is_said_to_be_none(self) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        with pytest.raises(HookError, match=r"127\.0\.0\.1: Connection refused"):
            post(read_hook(f"http://127.0.0.1:{port}/{SECRET}"), "news", 2)


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """One for 127.0.0.1, signed by itself, and its key."""
    folder = tmp_path_factory.mktemp("tls")
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "chat")])
    now = dt.datetime.now(dt.UTC)
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    paths = folder / "cert.pem", folder / "key.pem"
    paths[0].write_bytes(made.public_bytes(serialization.Encoding.PEM))
    plain = serialization.NoEncryption()
    paths[1].write_bytes(key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain))
    return str(paths[0]), str(paths[1])


class TestTls:
    def test_to_a_server_whom_somebody_vouches_for(self, certificate: tuple[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("SSL_CERT_FILE", certificate[0])
        with chat(certificate) as told:
            post(read_hook(address(told, "https")), "news", 5)
            assert json.loads(told.said[0]) == {"text": "news"}

    def test_not_to_another(self, certificate: tuple[str, str]) -> None:
        with chat(certificate) as told:
            with pytest.raises(HookError, match=r"127\.0\.0\.1: its certificate is not good: self-signed"):
                post(read_hook(address(told, "https")), "news", 5)
            assert told.came == []

    def test_nor_under_another_name(self, certificate: tuple[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("SSL_CERT_FILE", str(Path(certificate[0])))
        with chat(certificate) as told:
            with pytest.raises(HookError, match="localhost: its certificate is not good"):
                post(read_hook(address(told, "https", "localhost")), "news", 5)
            assert told.came == []
