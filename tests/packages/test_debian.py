"""The Debian package, in a Debian that has nothing else: installed, played with, upgraded while a game runs, and removed.

`make packages` runs it. It takes root, mmdebstrap, and a mirror of Debian's; what is missing is said.
"""

import hashlib
import json
import os
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from importlib.metadata import distributions
from pathlib import Path

import pytest

from pbmd import __version__
from tests.acceptance.house import Sink
from tests.benchmarks.sink import running_sink
from tests.mailservers import PASSWORD, Dovecot, running_dovecot
from tests.packages.conftest import TOOLS

ROOT = Path(__file__).resolve().parents[2]
OLDER, NEWER = "0.9.0", "0.9.1"
PLAYERS = "".join(f'[[players]]\nseat = "{seat}"\naddress = "{seat.lower()}@players.test"\n' for seat in ("Altair", "Borealis"))
MISSING = next((tool for tool in ("mmdebstrap", "dpkg-deb", "unshare") if shutil.which(tool) is None), "")
pytestmark = [
    pytest.mark.skipif(os.geteuid() != 0, reason="only root can change the root"),
    pytest.mark.skipif(bool(MISSING), reason=f"{MISSING} is not installed"),
]


class Debian:
    """A small Debian in a folder."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def run(self, command: str, code: int = 0) -> str:
        """What a command prints there, as root."""
        mounts = f"mount --rbind /dev {self.root}/dev; mount -t proc proc {self.root}/proc; cd /"
        inside = f"{mounts}; exec chroot {self.root} sh -c {shlex.quote(command)}"
        environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LC_ALL": "C.UTF-8", "COLUMNS": "120"}
        done = subprocess.run(["unshare", "--mount", "sh", "-c", inside], env=environment, capture_output=True, text=True)
        assert done.returncode == code, f"{command}: {done.returncode}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def as_pbmd(self, command: str, code: int = 0) -> str:
        """The same as the user whom the package makes."""
        return self.run(f"cd /var/lib/pbmd && su -s /bin/sh pbmd -c {shlex.quote(command)}", code)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The package of one version, built twice at the same time: in other folders, and for users with other habits."""
    folders = [tmp_path_factory.mktemp(name) for name in ("packages", "again")]
    build = [str(ROOT / "deploy" / "debian" / "build"), "--fast", "--version", OLDER]
    environment = {**os.environ, "SOURCE_DATE_EPOCH": "1767323045", "PBMD_TOOLS": str(TOOLS)}
    builds = [
        subprocess.Popen([*build, str(folder)], stdout=subprocess.PIPE, text=True, umask=mask, env={**environment, "TZ": zone})
        for folder, mask, zone in zip(folders, (0o022, 0o077), ("UTC", "Pacific/Kiritimati"), strict=True)
    ]
    told = [each.communicate()[0] for each in builds]
    assert [each.returncode for each in builds] == [0, 0]
    return [Path(each.splitlines()[-1]) for each in told]


@pytest.fixture(scope="module")
def packages(built: list[Path]) -> list[Path]:
    """The package in two versions, the older first."""
    older, folder = built[0], built[0].parent
    newer = older.with_name(older.name.replace(OLDER, NEWER))
    subprocess.run(["dpkg-deb", "-R", str(older), str(folder / "files")], check=True)
    control = folder / "files" / "DEBIAN" / "control"
    control.write_text(control.read_text().replace(f"Version: {OLDER}", f"Version: {NEWER}"))
    subprocess.run(["dpkg-deb", "-Zgzip", "-z1", "-b", str(folder / "files"), str(newer)], check=True, capture_output=True)
    return [older, newer]


@pytest.fixture(scope="module")
def debian(packages: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Debian:
    """One with what the package depends on, and nothing else."""
    told = subprocess.run(["dpkg-deb", "-f", str(packages[0]), "Depends"], check=True, capture_output=True, text=True).stdout
    depends = ",".join(part.split()[0] for part in told.split(","))
    root = tmp_path_factory.mktemp("debian") / "root"
    release = dict(line.split("=", 1) for line in Path("/etc/os-release").read_text().splitlines() if "=" in line)
    name = release["VERSION_CODENAME"].strip('"')
    command = ["mmdebstrap", "--quiet", "--variant=minbase", "--mode=root", f"--include={depends}", name, str(root)]
    subprocess.run(command, check=True, capture_output=True)
    (root / "etc" / "hosts").write_text("127.0.0.1 localhost\n")  # as an installer writes it
    for package in packages:
        shutil.copy(package, root / "tmp" / package.name)
    return Debian(root)


@pytest.fixture(scope="module")
def dovecot() -> Iterator[Dovecot]:
    with running_dovecot() as dovecot:
        yield dovecot


def test_built_twice_it_is_the_same(built: list[Path]) -> None:
    one, other = built
    assert hashlib.sha256(one.read_bytes()).digest() == hashlib.sha256(other.read_bytes()).digest()


def test_it_tells_the_licences_of_all_that_is_in_it(packages: list[Path]) -> None:
    files = packages[0].parent / "files"
    about = files / "usr" / "share" / "doc" / "pbmd"
    told = (about / "copyright").read_text(encoding="utf-8")
    [packages_of] = files.glob("usr/lib/pbmd/lib/python*/site-packages")
    inside = {(found.metadata["Name"], found.version) for found in distributions(path=[str(packages_of)])}
    assert len(inside) > 40
    own = ("pbmd-games", __version__)
    assert told.startswith("{} {}\n".format(*own))
    assert [each for each in inside - {own} if "\n{} {}: ".format(*each) not in told] == []
    bill = json.loads((about / "pbmd.cdx.json").read_text(encoding="utf-8"))
    assert {(part["name"], part["version"]) for part in bill["components"]} == inside - {own}


def test_it_is_installed_played_with_upgraded_and_removed(debian: Debian, packages: list[Path], dovecot: Dovecot) -> None:
    older, newer = (f"/tmp/{package.name}" for package in packages)
    sink = Sink()

    told = debian.run(f"dpkg -i {older}")
    assert "Edit /etc/pbmd/pbmd.toml" in told
    assert debian.run("pbmd --version") == f"pbmd {__version__}\n"
    assert "play\\-by\\-mail games" in debian.run("zcat /usr/share/man/man1/pbmd.1.gz")
    assert "\\-\\-wait" in debian.run("zcat /usr/share/man/man1/pbmd.1.gz")
    assert "plus_addresses" in debian.run("zcat /usr/share/man/man5/pbmd.toml.5.gz")
    modes = debian.run("stat -c '%U:%G %a' /etc/pbmd/pbmd.toml /var/lib/pbmd").splitlines()
    assert modes == ["root:pbmd 640", "pbmd:pbmd 750"]
    assert "FAILED" in debian.as_pbmd("pbmd check --settings /etc/pbmd/pbmd.toml", code=1)  # nobody has edited it yet

    assert "Galactic Overlord. " in debian.as_pbmd("pbmd demo --to /tmp/demo")  # who that is, and in how many turns

    with running_sink(sink) as port:
        user = dovecot.new_user()
        settings = debian.root / "etc" / "pbmd" / "pbmd.toml"
        settings.write_text(_settings(user, dovecot, port))
        shutil.copy(dovecot.ca_file, debian.root / "etc" / "ssl" / "games.pem")
        at = "--settings /etc/pbmd/pbmd.toml"
        (debian.root / "tmp" / "players.toml").write_text(PLAYERS)
        debian.as_pbmd(f"pbmd new galaxy-1 --ruleset galactic_overlord --second-thought 0m --players /tmp/players.toml {at}")
        debian.as_pbmd(f"pbmd tick {at}")
        _reply(dovecot, sink, "altair", "Build 1 base named Rigel")
        debian.as_pbmd(f"pbmd tick {at}")
        assert "orders in" in str(sink.of("altair@players.test")[-1]["Subject"])

        debian.run(f"dpkg -i {newer}")
        assert NEWER in debian.run("dpkg-query -W pbmd")
        assert "galaxy-1" in debian.as_pbmd(f"pbmd status {at}")
        _reply(dovecot, sink, "borealis", "Build 1 base named Vega")
        debian.as_pbmd(f"pbmd tick {at}")
        debian.as_pbmd(f"pbmd tick {at}")
        assert "turn 2" in str(sink.of("altair@players.test")[-1]["Subject"])

    debian.run("dpkg --remove pbmd")
    assert debian.run("ls /var/lib/pbmd/data/ledger.sqlite /var/lib/pbmd/ledger.sqlite 2>/dev/null; true").strip()
    assert debian.run("command -v pbmd || true") == ""
    debian.run("dpkg --purge pbmd")
    assert debian.run("ls -d /var/lib/pbmd /etc/pbmd /usr/lib/pbmd 2>/dev/null; getent passwd pbmd; true") == ""


def _settings(user: str, dovecot: Dovecot, port: int) -> str:
    return f"""
[server]
address = "{user}@pbmd.test"
gm = "gm@pbmd.test"
data = "/var/lib/pbmd"
[imap]
host = "localhost"
port = {dovecot.imaps_port}
ca_file = "/etc/ssl/games.pem"
user = "{user}"
password = "{PASSWORD}"
clock_tolerance_seconds = 0
[smtp]
host = "127.0.0.1"
port = {port}
tls = "none"
"""


def _reply(dovecot: Dovecot, sink: Sink, player: str, text: str) -> None:
    report = sink.of(f"{player}@players.test")[0]
    to = str(report["Reply-To"])
    raw = (
        f"From: {player}@players.test\nTo: {to}\nSubject: Re: {report['Subject']}\nIn-Reply-To: {report['Message-ID']}\n"
        f"Message-ID: <{player}@players.test>\n\n{text}\n"
    )
    dovecot.deliver(to.partition("@")[0], raw.encode(), sender=f"{player}@players.test")
