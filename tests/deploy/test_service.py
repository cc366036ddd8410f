"""The unit for systemd: what its head says to do leaves everything usable, and it is not restarted in vain."""

import re
import stat
import subprocess
from pathlib import Path

from pbmd.cli.common import ALREADY_RUNNING, DAMAGED, WENT_WRONG, WRONG_USE

UNIT = (Path(__file__).parents[2] / "deploy" / "pbmd.service").read_text(encoding="utf-8")


def test_what_its_head_says_of_modes_leaves_a_program_for_tokens_executable(tmp_path: Path) -> None:
    for name, mode in (("pbmd.toml", 0o600), ("imap.password", 0o644), ("oauth2-token", 0o750)):
        (tmp_path / name).touch()
        (tmp_path / name).chmod(mode)
    told = re.findall(r"chmod \d+ /etc/pbmd/\S+", UNIT)
    assert told
    for command in told:
        subprocess.run(command.rstrip(";").replace("/etc/pbmd", str(tmp_path)), shell=True, check=True)
    assert {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()} == {
        "pbmd.toml": 0o640,
        "imap.password": 0o640,
        "oauth2-token": 0o750,
    }


def test_it_is_started_again_only_when_that_may_help() -> None:
    never = {int(code) for code in re.findall(r"^RestartPreventExitStatus=(.*)$", UNIT, re.MULTILINE)[0].split()}
    assert never == {WRONG_USE, ALREADY_RUNNING, DAMAGED}
    assert WENT_WRONG not in never
