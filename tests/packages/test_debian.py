"""The Debian package, in a Debian that has nothing else: installed, played with, upgraded while a game runs, taken
back, and removed.

`make packages` runs it. It takes root, mmdebstrap, and a mirror of Debian's; what is missing is said.
"""

import hashlib
import json
import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from importlib.metadata import distributions
from pathlib import Path

import pytest

from pbmd import __version__
from pbmd.ledger.backup import backups_in
from tests.acceptance.house import Sink
from tests.benchmarks.sink import running_sink
from tests.ledger.in_the_air import GAMES as IN_THE_AIR
from tests.ledger.in_the_air import put_installation
from tests.ledger.migrations import MIGRATION
from tests.mailservers import PASSWORD, Dovecot, running_dovecot
from tests.packages.conftest import TOOLS
from tests.packages.debian import Debian

ROOT = Path(__file__).resolve().parents[2]
OLDER, NEWER, AFTER = "0.9.0", "0.9.1", "0.9.2"
LEFT = {f"etc/{name}" for name in (".pwd.lock", "group-", "gshadow-", "passwd-", "shadow-", "subgid-", "subuid-")}
"""What adding and removing a user leaves in any Debian."""
PLAYERS = "".join(f'[[players]]\nseat = "{seat}"\naddress = "{seat.lower()}@players.test"\n' for seat in ("Altair", "Borealis"))
MISSING = next((tool for tool in ("mmdebstrap", "dpkg-deb", "unshare") if shutil.which(tool) is None), "")
pytestmark = [
    pytest.mark.skipif(os.geteuid() != 0, reason="only root can change the root"),
    pytest.mark.skipif(bool(MISSING), reason=f"{MISSING} is not installed"),
]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The package of one version, built twice at the same time: in other folders, most often of other file systems too, and for
    users with other habits."""
    folders = [tmp_path_factory.mktemp(name) for name in ("packages", "again")]
    build = [str(ROOT / "deploy" / "debian" / "build"), "--fast", "--version", OLDER]
    environment = {**os.environ, "SOURCE_DATE_EPOCH": "1767323045", "PBMD_TOOLS": str(TOOLS)}
    habits = ((0o022, {"TZ": "UTC", "TMPDIR": "/tmp"}), (0o077, {"TZ": "Pacific/Kiritimati", "TMPDIR": str(folders[1])}))
    builds = [
        subprocess.Popen([*build, str(folder)], stdout=subprocess.PIPE, text=True, umask=mask, env={**environment, **more})
        for folder, (mask, more) in zip(folders, habits, strict=True)
    ]
    told = [each.communicate()[0] for each in builds]
    assert [each.returncode for each in builds] == [0, 0]
    return [Path(each.splitlines()[-1]) for each in told]


@pytest.fixture(scope="module")
def packages(built: list[Path]) -> list[Path]:
    """The package in two versions, the older first. The newer has another form of ledger, and other sample settings."""
    older, folder = built[0], built[0].parent
    newer = older.with_name(older.name.replace(OLDER, NEWER))
    files = folder / "files"
    subprocess.run(["dpkg-deb", "-R", str(older), str(files)], check=True)
    control = files / "DEBIAN" / "control"
    control.write_text(control.read_text().replace(f"Version: {OLDER}", f"Version: {NEWER}"))
    [migrations] = files.glob("usr/lib/pbmd/lib/python*/site-packages/pbmd/ledger/migrations/versions")
    (migrations / "later.py").write_text(MIGRATION)
    with (files / "etc" / "pbmd" / "pbmd.toml").open("a") as settings:
        settings.write("# There is more to be set.\n")
    subprocess.run(["dpkg-deb", "-Znone", "-b", str(files), str(newer)], check=True, capture_output=True)
    return [older, newer]


@pytest.fixture(scope="module")
def debian(packages: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Debian]:
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
    debian = Debian(root)
    debian.with_systemd()
    yield debian
    if process := debian.service():
        os.kill(process, signal.SIGKILL)


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
    fonts = ("The Libertinus Project Authors", "Bitstream Vera Fonts Copyright", "The GUST Font License")  # in typst
    assert [words for words in fonts if words not in told] == []
    assert "\n  openssl " in told  # in cryptography
    bill = json.loads((about / "pbmd.cdx.json").read_text(encoding="utf-8"))
    assert {(part["name"], part["version"]) for part in bill["components"]} == inside - {own}
    compiled = {part["name"]: {each["name"] for each in part.get("components", ())} for part in bill["components"]}
    assert "openssl" in compiled["cryptography"]
    assert "typst-assets" in compiled["typst"]


@pytest.mark.timeout(1800)  # it starts some forty programs
def test_it_is_installed_played_with_upgraded_taken_back_and_removed(
    debian: Debian, packages: list[Path], dovecot: Dovecot
) -> None:
    older, newer = (f"dpkg --force-confold -i /tmp/{package.name}" for package in packages)
    at, sink, before = "--settings /etc/pbmd/pbmd.toml", Sink(), debian.files()

    assert "Edit /etc/pbmd/pbmd.toml" in debian.run(older)
    assert not debian.service()  # nobody has edited the settings yet
    assert debian.run("pbmd --version") == f"pbmd {__version__}\n"
    assert "play\\-by\\-mail games" in debian.run("zcat /usr/share/man/man1/pbmd.1.gz")
    assert "\\-\\-wait" in debian.run("zcat /usr/share/man/man1/pbmd.1.gz")
    assert "plus_addresses" in debian.run("zcat /usr/share/man/man5/pbmd.toml.5.gz")
    modes = debian.run("stat -c '%U:%G %a' /etc/pbmd /etc/pbmd/pbmd.toml /var/lib/pbmd").splitlines()
    assert modes == ["root:pbmd 750", "root:pbmd 640", "pbmd:pbmd 750"]
    assert '"/var/lib/pbmd/dashboard.log"' in debian.run("cat /etc/logrotate.d/pbmd")
    assert "FAILED" in debian.as_pbmd(f"pbmd check {at}", code=1)

    assert " 1 turn, " in debian.as_pbmd("pbmd demo --turns 1 --to /tmp/demo")

    opens_what_1_0_has_left(debian)

    with running_sink(sink) as port:
        user = dovecot.new_user()
        settings = debian.root / "etc" / "pbmd" / "pbmd.toml"
        settings.write_text(text := _settings(user, dovecot, port))
        shutil.copy(dovecot.ca_file, debian.root / "etc" / "ssl" / "games.pem")
        (debian.root / "tmp" / "players.toml").write_text(PLAYERS)
        debian.run("systemctl enable --now pbmd")
        debian.as_pbmd(f"pbmd new galaxy-1 --ruleset galactic_overlord --second-thought 0m --players /tmp/players.toml {at}")
        debian.until(lambda: _has(sink, "altair", "t1]"))
        _reply(dovecot, sink, "altair", "Build 1 base named Rigel")
        debian.until(lambda: _has(sink, "altair", "orders in"))
        was = debian.service()
        assert was

        debian.run(newer)
        assert NEWER in debian.run("dpkg-query -W pbmd")
        assert debian.service() not in (0, was)
        assert settings.read_text() == text
        debian.until(lambda: len(_backups(debian)) == 1)  # before the ledger was brought up to date
        assert "galaxy-1" in debian.as_pbmd(f"pbmd status {at}")
        debian.until(lambda: _has(sink, "borealis", "t1]"))
        _reply(dovecot, sink, "borealis", "Build 1 base named Vega")
        debian.until(lambda: _has(sink, "altair", "t2]"))

        # What dpkg does where the next version cannot be unpacked.
        debian.run(f"/var/lib/dpkg/info/pbmd.prerm upgrade {AFTER}")
        assert not debian.service()
        debian.run(f"/var/lib/dpkg/info/pbmd.postinst abort-upgrade {AFTER}")
        assert debian.service()

        # The way back; whose settings are in another file may have deleted that of the package.
        debian.run("systemctl stop pbmd; systemctl disable pbmd")
        settings.rename(settings.with_name("mine.toml"))
        debian.run(older)
        assert not settings.exists()
        assert not debian.service()
        mine = "--settings /etc/pbmd/mine.toml"
        debian.as_pbmd(f"pbmd status {mine} 2>/tmp/told", code=1)
        assert "written by another version of pbmd" in debian.run("cat /tmp/told")
        restore = f"pbmd restore {_backups(debian)[0]} {mine}"
        debian.as_pbmd(f"{restore} 2>/tmp/told", code=2)
        assert "have gone out since this backup" in debian.run("cat /tmp/told")  # turn 2
        debian.as_pbmd(f"{restore} --force")
        assert "galaxy-1" in debian.as_pbmd(f"pbmd status {mine}")

        settings.with_name("mine.toml").rename(settings)
        debian.run("systemctl enable --now pbmd")
        assert debian.service()
        debian.run("dpkg --remove pbmd")
        assert not debian.service()
    assert (debian.root / "var" / "lib" / "pbmd" / "ledger.sqlite").stat().st_size
    assert settings.read_text() == text
    assert debian.run("command -v pbmd || true") == ""
    (debian.root / "etc" / "ssl" / "games.pem").unlink()
    debian.run("dpkg --purge pbmd")
    assert debian.run("getent passwd pbmd; getent group pbmd; true") == ""
    assert debian.files() - before <= LEFT


def opens_what_1_0_has_left(debian: Debian) -> None:
    """It is brought up to date, with a backup, and its games can be exported and verified."""
    (old := debian.root / "tmp" / "old").mkdir()
    put_installation(old)
    debian.run("chown -R pbmd /tmp/old")
    assert all(game in debian.as_pbmd("pbmd status --json --settings /tmp/old/pbmd.toml") for game in IN_THE_AIR)
    assert len(backups_in(old / "backups")) == 1
    debian.as_pbmd("pbmd export galaxy-7 --to /tmp/old/galaxy-7 --settings /tmp/old/pbmd.toml")
    assert "Nothing is wrong" in debian.as_pbmd("pbmd verify /tmp/old/galaxy-7")


def _has(sink: Sink, player: str, words: str) -> bool:
    return any(words in str(mail["Subject"]) for mail in sink.of(f"{player}@players.test"))


def _backups(debian: Debian) -> list[str]:
    return [f"/var/lib/pbmd/backups/{path.name}" for path in backups_in(debian.root / "var" / "lib" / "pbmd" / "backups")]


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
