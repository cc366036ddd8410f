"""deploy/oauth2-token: an access token for `oauth2_command`, from a provider that is played here."""

from __future__ import annotations

import json
import subprocess
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import pytest

from pbmd.post.accounts import Secret, SecretError
from tests.docs.pages import ROOT

TOOL = ROOT / "deploy" / "oauth2-token"
FORM = {"grant_type": "refresh_token", "client_id": "pbmd", "client_secret": "s&cret", "refresh_token": "old"}


class Provider(HTTPServer):
    """Gives a new token to whoever shows FORM, and says what it was shown."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answer)
        self.shown: list[dict[str, str]] = []
        self.answer: dict[str, Any] = {"expires_in": 3600}

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/token"


class Answer(BaseHTTPRequestHandler):
    server: Provider

    def do_POST(self) -> None:
        shown = dict(parse_qsl(self.rfile.read(int(self.headers["Content-Length"])).decode()))
        self.server.shown.append(shown)
        good = shown["client_secret"] == FORM["client_secret"]
        said = (
            {"access_token": f"token {len(self.server.shown)}", **self.server.answer} if good else {"error": "invalid_client"}
        )
        self.send_response(200 if good else 401)
        self.end_headers()
        self.wfile.write(json.dumps(said).encode())

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  (the library's name)
        """Nothing."""


@pytest.fixture
def provider() -> Iterator[Provider]:
    with Provider() as provider:
        thread = threading.Thread(target=provider.serve_forever, args=(0.01,))
        thread.start()
        yield provider
        provider.shutdown()
        thread.join()


@pytest.fixture
def file(tmp_path: Path, provider: Provider) -> Path:
    path = tmp_path / "token.json"
    path.write_text(json.dumps({"url": provider.url, "form": FORM}))
    return path


def printed(file: Path) -> str:
    """What pbmd gets."""
    return Secret.token_from_command(f"{TOOL} {file}").reveal()


def test_a_token_is_had_for_what_the_file_says(file: Path, provider: Provider) -> None:
    assert printed(file) == "token 1"
    assert provider.shown == [FORM]


def test_it_is_asked_for_again_only_when_it_ends(file: Path, provider: Provider) -> None:
    assert [printed(file), printed(file)] == ["token 1", "token 1"]
    kept = json.loads(file.read_text())
    file.write_text(json.dumps(kept | {"ends_at": kept["ends_at"] - 3400}))
    assert printed(file) == "token 2"


def test_a_new_refresh_token_takes_the_place_of_the_old_one(file: Path, provider: Provider) -> None:
    provider.answer = {"expires_in": 0, "refresh_token": "new"}
    printed(file)
    printed(file)
    assert [shown["refresh_token"] for shown in provider.shown] == ["old", "new"]


def test_the_file_stays_readable_for_its_owner_alone(file: Path) -> None:
    printed(file)
    assert file.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in file.parent.iterdir()] == ["token.json"]


def test_a_refusal_is_told_on_standard_error_without_secrets(file: Path) -> None:
    file.write_text(file.read_text().replace("s&cret", "wr0ng"))
    done = subprocess.run([TOOL, file], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "no token: invalid_client\n")
    with pytest.raises(SecretError, match="failed with exit code 1"):
        printed(file)


def test_secrets_are_not_sent_in_the_clear(file: Path, provider: Provider) -> None:
    file.write_text(json.dumps({"url": "http://login.example.org/token", "form": FORM}))
    done = subprocess.run([TOOL, file], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "the url must begin with https://\n")
