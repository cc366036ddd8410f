"""A process that is forked is what ``python -m pbmd`` is."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests import prepared_processes

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has processes adopted")
COMMAND = [sys.executable, "-m", "pbmd"]


def ends(*words: str, **how: Any) -> tuple[int, str, str]:
    done = subprocess.run([*COMMAND, *words], capture_output=True, text=True, check=False, **how)
    return done.returncode, done.stdout, done.stderr


def loaded_by_itself(monkeypatch: pytest.MonkeyPatch, *words: str, **how: Any) -> tuple[int, str, str]:
    with monkeypatch.context() as patch:
        patch.setattr(subprocess.Popen, "_execute_child", prepared_processes._start)
        return ends(*words, **how)


@pytest.mark.parametrize(
    ("words", "variables"),
    [
        (["log", "--help"], {"COLUMNS": "60"}),
        (["status"], {}),
        (["status"], {"PBMD_SETTINGS": "elsewhere.toml"}),
        (["rules", "nowhere"], {"PYTHONUNBUFFERED": ""}),
    ],
)
def test_it_prints_and_ends_as_one_that_loads_all_by_itself(
    words: list[str], variables: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    how = {"cwd": tmp_path, "env": os.environ | variables}
    assert ends(*words, **how) == loaded_by_itself(monkeypatch, *words, **how)


def test_it_is_a_child_of_whoever_started_it_and_is_forked() -> None:
    with subprocess.Popen([*COMMAND, "completion", "bash"], stdout=subprocess.PIPE) as process:
        parent = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()[1]
        assert int(parent) == os.getpid()
        assert prepared_processes.__name__.encode() in Path(f"/proc/{process.pid}/cmdline").read_bytes()
        assert process.stdout is not None
        assert b"_PBMD_COMPLETE" in process.stdout.read()


@pytest.mark.parametrize(
    "unusual", [{"start_new_session": True}, {"umask": 0o77}, {"preexec_fn": os.getpid}, {"process_group": 0}]
)
def test_what_is_started_in_an_unusual_way_loads_all_by_itself(unusual: dict[str, Any]) -> None:
    with subprocess.Popen([*COMMAND, "completion", "bash"], stdout=subprocess.DEVNULL, **unusual) as process:
        assert prepared_processes.__name__.encode() not in Path(f"/proc/{process.pid}/cmdline").read_bytes()
