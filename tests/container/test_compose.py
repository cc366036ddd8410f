"""The container files are built, and a game goes by mail through what compose.yaml starts. `make container` runs it.

It takes root, podman, mmdebstrap and podman-compose; what is missing is said. Settings are made as docs/container.md says.
"""

import imaplib
import importlib.util
import json
import re
import shutil
import smtplib
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from email import message_from_bytes
from email.message import Message
from pathlib import Path

import pytest

from pbmd import __version__
from tests.container.podman import Podman, a_podman, for_builds
from tests.docs.pages import ROOT, blocks

PAGE = ROOT / "docs" / "container.md"
DOMAIN, LISTEN, SECONDS = "orders.test", "127.0.53.25", 120.0
SERVER, GAMES, GM = f"mail.{DOMAIN}", f"games@{DOMAIN}", f"gm@{DOMAIN}"
PASSWORDS = {"games": "the games' own password", "gm": 'another "password"'}
PLAYERS = "".join(f'[[players]]\nseat = "{seat}"\naddress = "gm+{seat.lower()}@{DOMAIN}"\n' for seat in ("Altair", "Borealis"))


@pytest.fixture(scope="module")
def podman(tmp_path_factory: pytest.TempPathFactory, environment: dict[str, str]) -> Iterator[Podman]:
    """With both images, built as compose.yaml says."""
    podman = a_podman(tmp_path_factory.mktemp("podman"))
    try:
        podman.compose("--podman-build-args", for_builds(podman), "build", environment=environment)
        yield podman
    finally:
        podman.end()
        shutil.rmtree(podman.base, ignore_errors=True)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a game master has in /srv/pbmd."""
    folder = tmp_path_factory.mktemp("srv")
    certificate = folder / "letsencrypt" / "live" / SERVER
    certificate.mkdir(parents=True)
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
    command += ["-subj", f"/CN={SERVER}", "-addext", f"subjectAltName=DNS:{SERVER}"]
    command += ["-keyout", str(certificate / "privkey.pem"), "-out", str(certificate / "fullchain.pem")]
    subprocess.run(command, check=True, capture_output=True)
    for name, password in PASSWORDS.items():
        (folder / f"{name}.password").write_text(f"{password}\n")
    [steps] = [block.text for block in blocks("sh", PAGE) if "sed " in block.text]
    steps = steps.replace("YOUR-DOMAIN", DOMAIN).replace("/srv/pbmd", str(folder))
    subprocess.run(["sh", "-euc", steps], cwd=ROOT / "deploy" / "container", check=True)
    settings = folder / "settings" / "pbmd.toml"
    settings.write_text(settings.read_text().replace("\nhost =", '\nca_file = "/etc/pbmd/ca.pem"\nhost ='))
    shutil.copy(certificate / "fullchain.pem", folder / "settings" / "ca.pem")
    (folder / "settings" / "players.toml").write_text(PLAYERS)
    return folder


@pytest.fixture(scope="module")
def environment(folder: Path) -> dict[str, str]:
    """What else stands in .env."""
    if importlib.util.find_spec("podman_compose") is None:
        pytest.skip("podman-compose is not installed: make container")
    return {"MAIL_DOMAIN": DOMAIN, "PBMD_FOLDER": str(folder), "CERTIFICATES": str(folder / "letsencrypt"), "LISTEN": LISTEN}


@pytest.fixture
def running(podman: Podman, environment: dict[str, str]) -> Iterator[None]:
    """All containers are up and healthy."""
    try:
        start(podman, environment)
        yield
    finally:
        podman.compose("down", environment=environment)


def start(podman: Podman, environment: dict[str, str]) -> None:
    podman.compose("up", "--detach", "--no-build", environment=environment)
    for service in ("postfix", "dovecot", "opendkim", "pbmd"):
        wait_until_healthy(podman, service)


def wait_until_healthy(podman: Podman, service: str) -> None:
    """Its own health check says so."""
    ends = time.monotonic() + SECONDS
    while not is_healthy(podman, service):
        assert time.monotonic() < ends, podman.run("logs", f"pbmd_{service}_1")
        time.sleep(0.2)


def is_healthy(podman: Podman, service: str) -> bool:
    return podman.succeeds("healthcheck", "run", f"pbmd_{service}_1")


def mailbox(folder: Path) -> list[Message]:
    """What the game master finds in the mailbox, oldest first."""
    context = ssl.create_default_context(cafile=folder / "settings" / "ca.pem")
    context.check_hostname = False  # no name leads to this address
    with imaplib.IMAP4_SSL(LISTEN, 993, ssl_context=context, timeout=SECONDS) as imap:
        imap.login(GM, PASSWORDS["gm"])
        imap.select("INBOX", readonly=True)
        numbers = imap.search(None, "ALL")[1][0].split()
        parts = [part for number in numbers for part in imap.fetch(number, "(BODY.PEEK[])")[1]]
        return [message_from_bytes(part[1]) for part in parts if isinstance(part, tuple)]


def arrived(podman: Podman, folder: Path, player: str, pattern: str) -> Message:
    """The first mail to a player with such a subject, as soon as it is there."""
    ends = time.monotonic() + SECONDS
    while time.monotonic() < ends:
        for mail in mailbox(folder):
            if f"gm+{player}@" in str(mail["To"]) and re.search(pattern, " ".join(str(mail["Subject"]).split())):
                return mail
        time.sleep(0.3)
    raise AssertionError("\n".join(podman.run("logs", f"pbmd_{service}_1") for service in ("pbmd", "postfix", "dovecot")))


def reply(folder: Path, report: Message, text: str) -> None:
    context = ssl.create_default_context(cafile=folder / "settings" / "ca.pem")
    context.check_hostname = False
    to = str(report["Reply-To"])
    lines = [f"From: {report['To']}", f"To: {to}", f"Subject: Re: {report['Subject']}", "Message-ID: <reply@orders.test>"]
    with smtplib.SMTP_SSL(LISTEN, 465, timeout=SECONDS, context=context) as smtp:
        smtp.login(GM, PASSWORDS["gm"])
        smtp.sendmail(GM, [to], "\r\n".join([*lines, "", text, ""]).encode())


class TestTheImageOfPbmd:
    def test_has_the_command_and_plays_a_game_with_no_right_at_all(self, podman: Podman) -> None:
        nothing = ["--rm", "--init", "--read-only", "--cap-drop", "all", "--network", "none", "localhost/pbmd"]
        assert podman.run("run", *nothing, "--version") == f"pbmd {__version__}\n"
        assert "Galactic Overlord. " in podman.run("run", *nothing, "demo", "--to", "/tmp/demo")


class TestTheImageOfTheMailServer:
    def test_has_neither_key_nor_password(self, podman: Podman) -> None:
        find = ["run", "--rm", "--network", "none", "--entrypoint", "find", "localhost/pbmd-mail"]
        folders = ["/etc/dkimkeys", "/etc/dovecot/private", "/etc/ssl/private", "/var/vmail", "-type", "f"]
        assert podman.run(*find, *folders) == ""
        assert podman.run(*find, "/etc/dovecot", "-name", "users") == ""

    @pytest.mark.parametrize("domain", ["", "a/b.org", ".org", "a b", "x..org", "ex.org;id"])
    def test_starts_nothing_for_what_is_no_domain(self, podman: Podman, domain: str) -> None:
        start = ["run", "--rm", "--network", "none", "--env", f"MAIL_DOMAIN={domain}", "localhost/pbmd-mail", "postfix"]
        assert podman.run(*start, code=1) == ""


@pytest.mark.usefixtures("running")
class TestAllTogether:
    def test_a_game_goes_by_mail_and_goes_on_in_new_containers(
        self, podman: Podman, folder: Path, environment: dict[str, str]
    ) -> None:
        checks = json.loads(podman.inside("pbmd", "pbmd", "check", "--json", code=None))["checks"]
        assert {"settings", "data", "IMAP login", "SMTP login"} <= {check["name"] for check in checks if check["ok"]}
        new = ["pbmd", "new", "galaxy-1", "--ruleset", "galactic_overlord", "--second-thought", "0m"]
        podman.inside("pbmd", *new, "--players", "players.toml")
        report = arrived(podman, folder, "altair", "t1]")
        assert f"d={DOMAIN};" in "".join(str(report["DKIM-Signature"]).split())
        reply(folder, report, "Build 1 base named Rigel")
        arrived(podman, folder, "altair", "orders in")
        key = podman.inside("opendkim", "cat", "/etc/dkimkeys/pbmd.private")

        podman.run("kill", "pbmd_pbmd_1")  # so that it cannot give the mailbox back
        podman.compose("down", environment=environment)
        start(podman, environment)
        assert [game["name"] for game in json.loads(podman.inside("pbmd", "pbmd", "status", "--json"))["games"]] == ["galaxy-1"]
        assert podman.inside("opendkim", "cat", "/etc/dkimkeys/pbmd.private") == key
        reply(folder, arrived(podman, folder, "borealis", "t1]"), "Build 1 base named Vega")
        arrived(podman, folder, "altair", "t2]")

    def test_the_mail_server_does_what_it_must_and_nothing_else(self, podman: Podman) -> None:
        package = podman.inside("pbmd", "/usr/lib/pbmd/bin/python3", "-c", "import pbmd; print(*pbmd.__path__)").strip()
        trial = ["/usr/lib/pbmd/bin/python3", f"{package}/deploy/mailserver/try.py", SERVER, GAMES]
        said = podman.inside("pbmd", *trial, "/run/secrets/games_password", "--ca-file", "/etc/pbmd/ca.pem", code=None)
        assert [line.split()[0] for line in said.splitlines()] == ["ok"] * 9, said

    def test_a_server_that_ends_begins_again_beside_the_others(self, podman: Podman) -> None:
        podman.run("restart", "pbmd_postfix_1")
        wait_until_healthy(podman, "postfix")
        with closing(socket.create_connection((LISTEN, 25), timeout=SECONDS)) as connection:
            assert connection.recv(100).startswith(f"220 {SERVER}".encode())


def test_the_container_files_pass_the_linter() -> None:
    if not (hadolint := Path(sys.executable).with_name("hadolint")).exists():
        pytest.skip("hadolint is not installed: make container")
    files = [str(ROOT / "deploy" / "container" / name) for name in ("Containerfile", "Containerfile.mail")]
    done = subprocess.run([str(hadolint), "--no-color", *files], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")
