"""Private mail servers for the tests: Dovecot (IMAP, IMAP over TLS, LMTP) and Postfix (SMTP) in front of it.

Each is started from a configuration of its own in a new folder, on free ports of 127.0.0.1, and never touches what the machine
runs. Every test takes a mailbox of a new name, so tests do not see each other's mail.
"""

from __future__ import annotations

import itertools
import os
import pwd
import random
import shutil
import smtplib
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from pbmd.post.accounts import ImapAccount, Secret

PASSWORD = "Mellon-4711"  # no word of any text, so that it can be looked for where it must not be
DOMAIN = "pbmd.test"
START_SECONDS = 120.0
"""No test goes by how fast the machine is: so long a server may take to start, to end and to answer."""


def letter(subject: str = "Orders", body: str = "Move 3 from Terra to Sirius\n", *, sender: str = "anna@example.org") -> bytes:
    """A small letter with CRLF line ends."""
    text = f"From: {sender}\nTo: gm@{DOMAIN}\nSubject: {subject}\nMessage-ID: <{subject}@example.org>\n\n{body}"
    return text.replace("\n", "\r\n").encode()


def free_ports(count: int) -> list[int]:
    """Ports below those that the system gives to whoever asks for any port, and each worker of the tests has its own, so that
    nobody takes one before it is used."""
    free: list[int] = []
    worker, workers = os.environ.get("PYTEST_XDIST_WORKER", "gw0"), os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1")
    for port in random.sample(range(15_000 + int(worker.removeprefix("gw")), 32_000, int(workers)), 500):
        with suppress(OSError), socket.create_server(("127.0.0.1", port)):
            free.append(port)
        if len(free) == count:
            return free
    raise RuntimeError("no free ports on 127.0.0.1")


def wait_for(port: int, greeting: bytes | None, told: Callable[[], str]) -> None:
    """Wait until the server greets on the port, or takes connections if it has no greeting; `told` gives what it has said where
    it never does."""
    ends = time.monotonic() + START_SECONDS
    while time.monotonic() < ends:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
            if greeting is None or greeting in connection.recv(1000):
                return
        time.sleep(0.02)
    raise RuntimeError(f"no greeting on port {port}; it says:\n{told()}")


def _read(log: Path) -> Callable[[], str]:
    return lambda: log.read_text(errors="replace") if log.exists() else "(no log)"


def _program(name: str) -> str | None:
    return shutil.which(name, path=os.environ.get("PATH", "") + os.pathsep + "/usr/sbin:/sbin")


@dataclass
class Dovecot:
    """A running Dovecot. Every user exists, with the password PASSWORD."""

    base: Path
    imap_port: int
    imaps_port: int
    lmtp_port: int
    as_user: list[str]
    """What stands before a command to run it as the owner of the mail."""
    _names: Iterator[int] = field(default_factory=lambda: itertools.count(1))
    _process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it and wait until it greets."""
        command = [*self.as_user, str(_program("dovecot")), "-F", "-c", str(self.base / "dovecot.conf")]
        # Foreground with its output in a file: a pipe would be held open by every child.
        with (self.base / "output.log").open("ab") as output:
            self._process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=output)
        wait_for(self.imap_port, b"* OK", _read(self.base / "dovecot.log"))

    def stop(self) -> None:
        """End it, with all its connections."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait(START_SECONDS)

    @property
    def ca_file(self) -> Path:
        return self.base / "cert.pem"

    def new_user(self) -> str:
        """A mailbox that nobody used before."""
        return f"user{next(self._names)}"

    def account(self, user: str, **changes: Any) -> ImapAccount:
        """How to read a user's INBOX; over TLS with `tls="tls"`."""
        port = self.imaps_port if changes.get("tls") == "tls" else self.imap_port
        values: dict[str, Any] = {"tls": "none", "timeout_seconds": START_SECONDS, "ca_file": self.ca_file}
        return ImapAccount(
            **{"host": "localhost", "port": port, "user": user, "secret": Secret.literal(PASSWORD), **values, **changes}
        )

    def deliver(self, user: str, *letters: bytes, sender: str = "anna@example.org") -> None:
        """Hand letters over by LMTP, as a mail server would; `user` may have a plus-tag."""
        with smtplib.LMTP("127.0.0.1", self.lmtp_port, timeout=START_SECONDS) as lmtp:
            for each in letters:
                lmtp.sendmail(sender, [f"{user}@{DOMAIN}"], each)

    def doveadm(self, *arguments: str, standard_input: bytes = b"") -> str:
        """Run Dovecot's own tool, for what no mail client can do."""
        command = [*self.as_user, "doveadm", "-c", str(self.base / "dovecot.conf"), *arguments]
        done = subprocess.run(command, check=True, input=standard_input, capture_output=True, timeout=START_SECONDS)
        return done.stdout.decode()

    def set_uidvalidity(self, user: str, value: int) -> None:
        """Give the INBOX another UIDVALIDITY, as after a restore from backup."""
        self.doveadm("mailbox", "update", "-u", user, "--uid-validity", str(value), "INBOX")


_DOVECOT_CONF = """\
protocols = imap lmtp
listen = 127.0.0.1
base_dir = {base}/run
state_dir = {base}/state
log_path = {base}/dovecot.log
default_internal_user = {user}
default_internal_group = {group}
default_login_user = {user}
first_valid_uid = 1
ssl = yes
ssl_cert = <{base}/cert.pem
ssl_key = <{base}/key.pem
disable_plaintext_auth = no
# The local part in lower case, so that LMTP for a full address and a login by name open the same mailbox.
mail_location = maildir:{base}/mail/%Ln
passdb {{
  driver = static
  args = password={password}
}}
userdb {{
  driver = static
  args = uid={user} gid={group} home={base}/mail/%Ln allow_all_users=yes
}}
namespace inbox {{
  inbox = yes
  prefix = {prefix}
  separator = {separator}
  mailbox Unsolicited {{
    special_use = \\Junk
  }}
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    port = {imap_port}
  }}
  inet_listener imaps {{
    port = {imaps_port}
    ssl = yes
  }}
}}
# Else one wrong password delays the next login from this address by seconds.
service anvil {{
  chroot =
  unix_listener anvil-auth-penalty {{
    mode = 0
  }}
}}
service lmtp {{
  inet_listener lmtp {{
    port = {lmtp_port}
  }}
}}
"""


@contextmanager
def running_dovecot(*, prefix: str = "", separator: str = "/") -> Iterator[Dovecot]:
    """Start a Dovecot for the time of the block; skips the test where it is not installed.

    All folders but the INBOX have names that begin with `prefix`, as on Courier and Cyrus with "INBOX.".
    """
    if _program("dovecot") is None or not Path("/usr/lib/dovecot/lmtp").exists():
        pytest.skip("dovecot-imapd is not installed: apt-get install dovecot-imapd dovecot-lmtpd")
    account = pwd.getpwnam("nobody") if os.geteuid() == 0 else pwd.getpwuid(os.geteuid())
    as_user = ["setpriv", f"--reuid={account.pw_uid}", f"--regid={account.pw_gid}", "--clear-groups"]
    imap_port, imaps_port, lmtp_port = free_ports(3)
    base = Path(tempfile.mkdtemp(prefix="pbmd-dovecot-"))  # short: the paths of sockets are limited to 107 bytes
    dovecot = Dovecot(base, imap_port, imaps_port, lmtp_port, as_user if os.geteuid() == 0 else [])
    try:
        certificate(base)
        conf = _DOVECOT_CONF.format(
            base=base,
            user=account.pw_name,
            group=_group_name(account.pw_gid),
            password=PASSWORD,
            imap_port=imap_port,
            imaps_port=imaps_port,
            lmtp_port=lmtp_port,
            prefix=prefix,
            separator=separator,
        )
        (base / "dovecot.conf").write_text(conf)
        (base / "mail").mkdir()
        if os.geteuid() == 0:
            for path in (base, *base.iterdir()):
                os.chown(path, account.pw_uid, account.pw_gid)
        try:
            dovecot.start()
            yield dovecot
        finally:
            dovecot.stop()
    finally:
        shutil.rmtree(base, ignore_errors=True)


def _group_name(gid: int) -> str:
    import grp

    return grp.getgrgid(gid).gr_name


def certificate(base: Path) -> None:
    """A certificate for the name localhost (not for 127.0.0.1), signed by itself, so that it is also the authority to trust."""
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
    command += ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    command += ["-keyout", str(base / "key.pem"), "-out", str(base / "cert.pem")]
    subprocess.run(command, check=True, capture_output=True, timeout=START_SECONDS)


@dataclass(frozen=True)
class Postfix:
    """A running Postfix that hands mail for DOMAIN to the Dovecot and bounces all other."""

    smtp_port: int
    dovecot: Dovecot

    def send(self, user: str, *letters: bytes, sender: str = "anna@example.org") -> None:
        """Send letters over SMTP; they are in the mailbox shortly after."""
        with smtplib.SMTP("127.0.0.1", self.smtp_port, timeout=START_SECONDS) as smtp:
            for each in letters:
                smtp.sendmail(sender, [f"{user}@{DOMAIN}"], each)


_POSTFIX_MAIN = """\
compatibility_level = 3.6
queue_directory = {base}/queue
data_directory = {base}/data
mail_owner = postfix
setgid_group = postdrop
command_directory = /usr/sbin
daemon_directory = {daemons}
maillog_file = {base}/postfix.log
maillog_file_prefixes = {base}
myhostname = mail.{domain}
mydestination =
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
mynetworks = 127.0.0.0/8
virtual_mailbox_domains = {domain}
recipient_delimiter = +
alias_maps =
alias_database =
smtpd_peername_lookup = no
{routes}
"""

# service type private unpriv chroot wakeup maxproc command
_POSTFIX_MASTER = """\
127.0.0.1:{port} inet n - n - - smtpd
pickup    unix n - n 60 1 pickup
cleanup   unix n - n - 0 cleanup
qmgr      unix n - n 300 1 qmgr
rewrite   unix - - n - - trivial-rewrite
bounce    unix - - n - 0 bounce
defer     unix - - n - 0 bounce
trace     unix - - n - 0 bounce
flush     unix n - n 1000? 0 flush
proxymap  unix - - n - - proxymap
error     unix - - n - - error
retry     unix - - n - - error
lmtp      unix - - n - - lmtp
smtp      unix - - n - - smtp
virtual   unix - n n - - virtual
anvil     unix - - n - 1 anvil
scache    unix - - n - 1 scache
tlsmgr    unix - - n 1000? 1 tlsmgr
postlog   unix-dgram n - n - 1 postlogd
"""


@contextmanager
def running_postfix(dovecot: Dovecot) -> Iterator[Postfix]:
    """Start a Postfix in front of the Dovecot; skips the test where that is not possible."""
    lmtp = f"virtual_transport = lmtp:inet:127.0.0.1:{dovecot.lmtp_port}"
    with postfix_with(f"{lmtp}\ndefault_transport = error:this server sends nothing out\nsmtpd_tls_security_level = none") as (
        port,
        _,
    ):
        yield Postfix(port, dovecot)


@contextmanager
def postfix_with(routes: str) -> Iterator[tuple[int, Path]]:
    """Start a Postfix whose main.cf ends with `routes`, in which `{base}` stands for a folder with a certificate; gives its
    port and that folder. Skips the test where that is not possible."""
    if os.geteuid() != 0:
        pytest.skip("Postfix starts as root only")
    program = _program("postfix")
    if program is None:
        pytest.skip("postfix is not installed: apt-get install postfix")
    [port] = free_ports(1)
    base = Path(tempfile.mkdtemp(prefix="pbmd-postfix-"))
    base.chmod(0o755)
    try:
        certificate(base)
        conf = base / "conf"
        for folder in (conf, base / "queue", base / "data"):
            folder.mkdir()
        os.chown(base / "data", pwd.getpwnam("postfix").pw_uid, -1)
        daemons = postconf("daemon_directory")
        main = _POSTFIX_MAIN.format(base=base, daemons=daemons, domain=DOMAIN, routes=routes.replace("{base}", str(base)))
        (conf / "main.cf").write_text(main)
        (conf / "master.cf").write_text(_POSTFIX_MASTER.format(port=port))
        _postfix(program, base, "start")
        try:
            wait_for(port, f"220 mail.{DOMAIN}".encode(), _read(base / "postfix.log"))
            yield port, base
        finally:
            _postfix(program, base, "stop")
    finally:
        shutil.rmtree(base, ignore_errors=True)


def postconf(name: str) -> str:
    """What Postfix says of itself."""
    return subprocess.run(["postconf", "-dh", name], check=True, capture_output=True, text=True).stdout.strip()


def _postfix(program: str, base: Path, verb: str) -> None:
    """Start or stop and wait until it is done. The output goes to a file, since the daemon keeps it open."""
    with (base / "output.log").open("ab") as output:
        command = [program, "-c", str(base / "conf"), verb]
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, timeout=START_SECONDS, check=False
        )
    if done.returncode:
        told = "".join(log.read_text(errors="replace") for log in base.glob("*.log"))
        raise RuntimeError(f"postfix {verb} failed:\n{told}")
