"""The rule for logrotate that `pbmd init --systemd` writes and the Debian package brings, carried out by logrotate itself."""

import gzip
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlmodel import Session
from typer.testing import CliRunner

from pbmd.cli import app
from pbmd.ledger.database import migrate, open_engine, sqlite_url
from pbmd.ledger.log_file import format_line, json_line, write_new_lines
from pbmd.ledger.tables import LogLine
from tests.desk.world import BEGIN
from tests.docs.pages import ROOT
from tests.mailservers import START_SECONDS
from tests.room import UNPACKED, open_room, version_of

LIBRARIES = UNPACKED / "logrotate" / "usr" / "lib" / f"{os.uname().machine}-linux-gnu"

_AS_INSTALLED = """\
set -e
echo 'pbmd:x:47115:47115::/:/bin/false' >>/etc/passwd
echo 'pbmd:x:47115:' >>/etc/group
mkdir -m 700 /var/lib/pbmd
echo line | tee /var/lib/pbmd/dashboard.log >/var/lib/pbmd/dashboard.jsonl
chmod 640 /var/lib/pbmd/*
chown -R pbmd:pbmd /var/lib/pbmd
"""


def logrotate(rule: Path) -> str:
    """Have logrotate carry a rule out, whatever the calendar says; gives what it complains of."""
    program = UNPACKED / "logrotate" / "usr" / "sbin" / "logrotate"
    if not program.exists():
        pytest.skip("logrotate is not unpacked: .ci/unpacked-packages 'the test of its rule' logrotate")
    done = subprocess.run(
        [str(program), "--force", "--state", str(rule.with_name("state")), str(rule)],
        env={**os.environ, "LD_LIBRARY_PATH": str(LIBRARIES)},
        capture_output=True,
        text=True,
        timeout=START_SECONDS,
        check=False,
    )
    return done.stdout + done.stderr


def lines_of(file: Path) -> Iterator[str]:
    """The lines of a file, packed or not."""
    data = file.read_bytes()
    yield from (gzip.decompress(data) if file.suffix == ".gz" else data).decode().splitlines()


@pytest.mark.parametrize("name", ["pbmd", "a folder of 100% for $5"])
def test_each_line_is_written_once_however_often_the_log_is_rotated(tmp_path: Path, name: str) -> None:
    home = tmp_path / name
    assert CliRunner().invoke(app, ["init", str(home), "--systemd"]).exit_code == 0
    data = home / "data"
    data.mkdir(mode=0o700)
    url = sqlite_url(data / "ledger.sqlite")
    migrate(url)
    engine = open_engine(url)
    try:
        with Session(engine, expire_on_commit=False) as session:
            lines = [LogLine(at=BEGIN, what=f"event{number}") for number in range(4)]
            for line in lines:
                session.add(line)
                session.commit()
                write_new_lines(engine, data / "dashboard.log")
                assert logrotate(home / "pbmd.logrotate") == ""
    finally:
        engine.dispose()
    for kind, written in (("log", format_line), ("jsonl", json_line)):
        files = [data / f"dashboard.{kind}.{ending}" for ending in ("4.gz", "3.gz", "2.gz", "1")]
        assert [line for file in files for line in lines_of(file)] == [written(line) for line in lines]
    assert not (data / "dashboard.log").exists()


def test_the_rule_of_the_debian_package_rotates_as_its_user() -> None:
    version_of("logrotate")
    rule = (ROOT / "deploy" / "pbmd.logrotate").read_text()
    with open_room("logrotate", "exec sleep infinity", {"/etc/logrotate.d/pbmd": rule}) as room:
        room.run("sh", "-c", _AS_INSTALLED)
        room.run("logrotate", "--force", "/etc/logrotate.d/pbmd")
        files = room.run("find", "/var/lib/pbmd", "-name", "dashboard*", "-printf", "%f %u %m\\n").splitlines()
    assert sorted(files) == ["dashboard.jsonl.1 pbmd 640", "dashboard.log.1 pbmd 640"]
