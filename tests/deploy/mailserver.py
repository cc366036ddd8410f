"""The mail server of deploy/mailserver, started from those very files, with other paths and ports.

What the files call mail.example.org is localhost here. Nothing leaves the machine: what Postfix sends out ends in `outside`.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.controller import Controller

from pbmd.post.accounts import ImapAccount, Secret, SmtpAccount
from tests.docs.pages import ROOT
from tests.mailservers import START_SECONDS, _postfix, _program, certificate, free_ports, wait_for

FILES = ROOT / "deploy" / "mailserver"
GAMES = "games@example.org"
PASSWORDS = {GAMES: "the games' own password", "gm@example.org": "another password"}
_PACKAGES = {
    "postfix": "postfix",
    "dovecot": "dovecot-imapd",
    "/usr/lib/dovecot/lmtp": "dovecot-lmtpd",
    "opendkim": "opendkim",
    "opendkim-genkey": "opendkim-tools",
}


@dataclass
class MailServer:
    """The running server, and what went out of it."""

    base: Path
    smtp_port: int
    submission_port: int
    imaps_port: int
    outside: list[bytes] = field(default_factory=list[bytes])

    @property
    def ca_file(self) -> Path:
        return self.base / "tls" / "cert.pem"

    def imap(self, user: str = GAMES) -> ImapAccount:
        """How pbmd reads a mailbox of it."""
        secret = Secret.literal(PASSWORDS[user])
        return ImapAccount(host="localhost", port=self.imaps_port, user=user, secret=secret, ca_file=self.ca_file)

    def smtp(self, user: str = GAMES) -> SmtpAccount:
        """How pbmd sends by it."""
        secret = Secret.literal(PASSWORDS[user])
        return SmtpAccount(
            host="localhost", port=self.submission_port, tls="tls", user=user, secret=secret, ca_file=self.ca_file
        )

    def went_out(self, subject: str) -> bytes:
        """The mail with this subject as the outside world got it."""
        ends = time.monotonic() + START_SECONDS
        while time.monotonic() < ends:
            for raw in self.outside:
                if f"Subject: {subject}\r\n".encode() in raw:
                    return raw
            time.sleep(0.05)
        raise AssertionError((self.base / "postfix.log").read_text())

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802, ARG002  (aiosmtpd's name)
        """The outside world takes everything."""
        self.outside.append(bytes(envelope.original_content))
        return "250 taken"


@contextmanager
def running_mail_server() -> Iterator[MailServer]:
    """Start Postfix, Dovecot and OpenDKIM for the time of the block; skips the test where that is not possible."""
    if os.geteuid() != 0:
        pytest.skip("the sample mail server starts as root only")
    missing = [package for program, package in _PACKAGES.items() if not (_program(program) or Path(program).exists())]
    if missing:
        pytest.skip(f"not installed: apt-get install {' '.join(missing)}")
    base = Path(tempfile.mkdtemp(prefix="pbmd-server-"))  # short: the paths of sockets are limited to 107 bytes
    base.chmod(0o755)
    smtp, submission, imaps, milter, outside = free_ports(5)
    server = MailServer(base, smtp, submission, imaps)
    world = Controller(server, "127.0.0.1", outside)
    daemons: list[subprocess.Popen[bytes]] = []
    try:
        _configure(server, milter, outside)
        world.start()
        daemons += [
            _started(base, "opendkim", "-f", "-x", str(base / "opendkim.conf")),
            _started(base, "dovecot", "-F", "-c", str(base / "dovecot.conf")),
        ]
        postfix = str(_program("postfix"))
        _postfix(postfix, base, "start")
        try:
            wait_for(smtp, b"220 mail.example.org", (base / "postfix.log").read_text)
            _wait_until_there(base / "queue" / "private" / "dovecot-lmtp", base / "dovecot.log")
            yield server
        finally:
            _postfix(postfix, base, "stop")
    finally:
        for daemon in daemons:
            daemon.terminate()
            daemon.wait(START_SECONDS)
        world.stop()
        shutil.rmtree(base, ignore_errors=True)


def _configure(server: MailServer, milter: int, outside: int) -> None:
    """The files of deploy/mailserver in the server's folder, and what their README says to make besides."""
    base = server.base
    elsewhere = {
        "/etc/postfix": f"{base}/conf",
        "/var/spool/postfix": f"{base}/queue",
        "/etc/letsencrypt/live/mail.example.org/fullchain.pem": f"{base}/tls/cert.pem",
        "/etc/letsencrypt/live/mail.example.org/privkey.pem": f"{base}/tls/key.pem",
        "/etc/dovecot/users": f"{base}/users",
        "/var/vmail": f"{base}/vmail",
        "= vmail": "= nobody",  # an account of every Debian
        "mail_gid = nobody": "mail_gid = nogroup",
        "/etc/dkimkeys": f"{base}/dkim",
        "/run/opendkim": f"{base}/dkim",
        "127.0.0.1:8891": f"127.0.0.1:{milter}",
        "8891@127.0.0.1": f"{milter}@127.0.0.1",
        "port = 993": f"port = {server.imaps_port}",
    }
    listens = {
        r"^smtp( +inet)": rf"127.0.0.1:{server.smtp_port}\1",
        r"^submissions( +inet)": rf"127.0.0.1:{server.submission_port}\1",
    }
    more = {
        "conf/main.cf": f"queue_directory = {base}/queue\ndata_directory = {base}/data\nmaillog_file = {base}/postfix.log\n"
        f"maillog_file_prefixes = {base}\ninet_interfaces = 127.0.0.1\ninet_protocols = ipv4\n"
        f"relayhost = [127.0.0.1]:{outside}\nsmtpd_peername_lookup = no\n",
        "dovecot.conf": f"base_dir = {base}/run\nstate_dir = {base}/state\nlog_path = {base}/dovecot.log\nlisten = 127.0.0.1\n"
        "auth_failure_delay = 0\n"
        # Else one wrong password delays the next login by seconds.
        "service anvil {\n  unix_listener anvil-auth-penalty {\n    mode = 0\n  }\n}\n",
        # The tests are strangers, though they come from this machine; and there is no DNS.
        "opendkim.conf": f"InternalHosts 192.0.2.1\nTestPublicKeys {base}/dkim/public\nRequireSafeKeys no\n",
    }
    for folder in ("conf", "queue/private", "data", "tls", "vmail", "dkim"):
        (base / folder).mkdir(parents=True)
    sources = {f"conf/{path.name}": path for path in (FILES / "postfix").iterdir()}
    sources |= {name: FILES / name.partition(".")[0] / name for name in ("dovecot.conf", "opendkim.conf")}
    for name, source in sources.items():
        text = source.read_text()
        for there, here in elsewhere.items():
            text = text.replace(there, here)
        if name == "conf/master.cf":
            for there, here in listens.items():
                text, found = re.subn(there, here, text, flags=re.MULTILINE)
                assert found == 1, there
        (base / name).write_text(text + more.get(name, ""))
    certificate(base / "tls")
    hashed = {user: _printed("doveadm", "pw", "-s", "BLF-CRYPT", "-p", password) for user, password in PASSWORDS.items()}
    (base / "users").write_text("".join(f"{user}:{secret}::::::\n" for user, secret in hashed.items()))
    _printed("opendkim-genkey", "-D", str(base / "dkim"), "-d", "example.org", "-s", "pbmd")
    record = "".join(re.findall(r'"([^"]*)"', (base / "dkim" / "pbmd.txt").read_text()))
    (base / "dkim" / "public").write_text(f"pbmd._domainkey.example.org {record}\n")
    for path, owner in ((base / "data", "postfix"), (base / "queue/private", "postfix"), (base / "vmail", "nobody")):
        shutil.chown(path, owner)
    for path in (base / "dkim", *(base / "dkim").iterdir()):
        shutil.chown(path, "opendkim")


def _printed(*command: str) -> str:
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=START_SECONDS)
    return done.stdout.strip()


def _started(base: Path, name: str, *arguments: str) -> subprocess.Popen[bytes]:
    with (base / f"{name}.output").open("wb") as output:
        return subprocess.Popen([str(_program(name)), *arguments], stdin=subprocess.DEVNULL, stdout=output, stderr=output)


def _wait_until_there(path: Path, log: Path) -> None:
    ends = time.monotonic() + START_SECONDS
    while not path.exists():
        if time.monotonic() > ends:
            raise RuntimeError(log.read_text() if log.exists() else f"{path} does not come")
        time.sleep(0.02)
