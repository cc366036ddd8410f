"""Podman with a store of its own in a folder: nothing of it is left on the machine, and nothing of the machine gets in."""

import os
import re
import resource
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.docs.pages import ROOT

BASE = "docker.io/library/debian:bookworm-slim"
"""What both container files begin with. It is made of Debian's packages here, since a test asks no registry."""
_CONF = """\
[engine]
cgroup_manager = "cgroupfs"
events_logger = "file"
lock_type = "file"
tmp_dir = "{base}/tmp"
{runtime}
[containers]
log_driver = "k8s-file"
default_ulimits = ["nofile={files}:{files}", "nproc={processes}:{processes}"]
[network]
network_config_dir = "{base}/networks"
"""


@dataclass(frozen=True)
class Podman:
    """The commands `podman` and `podman-compose`, as root."""

    base: Path
    environment: dict[str, str] = field(default_factory=dict[str, str])

    def run(self, *command: str, code: int | None = 0, where: Path = ROOT) -> str:
        """What `podman …` says."""
        return self._said(["podman", *command], {}, code, where)

    def succeeds(self, *command: str) -> bool:
        """Whether `podman …` does."""
        environment = {**os.environ, **self.environment}
        return (
            subprocess.run(["podman", *command], env=environment, capture_output=True, timeout=500, check=False).returncode == 0
        )

    def compose(self, *command: str, environment: Mapping[str, str]) -> str:
        """What `podman-compose …` says of our file, in the folder in which it is."""
        start = [sys.executable, "-m", "podman_compose", "--no-ansi", *command]
        return self._said(start, environment, 0, ROOT / "deploy" / "container")

    def inside(self, service: str, *command: str, code: int | None = 0) -> str:
        """What a command says in a container of compose.yaml."""
        return self.run("exec", f"pbmd_{service}_1", *command, code=code)

    def _said(self, command: list[str], more: Mapping[str, str], code: int | None, where: Path) -> str:
        environment = {**os.environ, **self.environment, **more}
        done = subprocess.run(command, env=environment, cwd=where, capture_output=True, text=True, timeout=500, check=False)
        assert code is None or done.returncode == code, f"{command}: {done.returncode}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def end(self) -> None:
        """Remove all that was made."""
        self.run("rm", "--all", "--force", "--time", "5", code=None)
        self.run("volume", "rm", "--all", "--force", code=None)
        self.run("network", "prune", "--force", code=None)
        self.run("system", "reset", "--force", code=None)


def a_podman(base: Path) -> Podman:
    """One that runs containers here; skips the test where there is none."""
    if os.geteuid() != 0:
        pytest.skip("only root can start a mail server in a container")
    if missing := [name for name in ("podman", "mmdebstrap") if shutil.which(name) is None]:
        pytest.skip(f"not installed: apt-get install {' '.join(missing)}")
    # Where a container may not be given more than its starter has, it is given as much.
    limits = {"files": min(4096, _limit(resource.RLIMIT_NOFILE)), "processes": min(4096, _limit(resource.RLIMIT_NPROC))}
    runtime = 'runtime = "runc"' if shutil.which("runc") else ""
    (base / "containers.conf").write_text(_CONF.format(base=base, runtime=runtime, **limits))
    (base / "storage.conf").write_text(f'[storage]\ndriver = "overlay"\ngraphroot = "{base}/graph"\nrunroot = "{base}/run"\n')
    conf = {"CONTAINERS_CONF": str(base / "containers.conf"), "CONTAINERS_STORAGE_CONF": str(base / "storage.conf")}
    podman = Podman(base, {**conf, "BUILDAH_ISOLATION": "chroot"})
    _debian(base / "debian.tar")
    podman.run("import", "--quiet", str(base / "debian.tar"), BASE)
    try:
        podman.run("run", "--rm", "--init", BASE, "true")
    except AssertionError as problem:
        podman.end()
        pytest.skip(f"podman can run no container here: {problem}")
    return podman


def for_builds(podman: Podman) -> str:
    """Arguments of builds here. What pip and uv fetch comes from a folder where that fits: the network is asked once."""
    given = ["--pull=never", "--network=host"]
    if sys.version_info[:2] == (3, 11):  # bookworm's
        wheels = podman.base / "wheels"
        _wheels(wheels)
        (podman.base / "pip.conf").write_text("[global]\nno-index = true\nfind-links = /wheels\n")
        (podman.base / "uv.toml").write_text('no-index = true\nfind-links = ["/wheels"]\n')
        given += [f"--volume={wheels}:/wheels:ro", f"--volume={podman.base}/pip.conf:/etc/pip.conf:ro"]
        given.append(f"--volume={podman.base}/uv.toml:/etc/uv/uv.toml:ro")
    return " ".join(given)


def _limit(which: int) -> int:
    hard = resource.getrlimit(which)[1]
    return sys.maxsize if hard == resource.RLIM_INFINITY else hard


def _debian(to: Path) -> None:
    command = ["mmdebstrap", "--quiet", "--variant=minbase", "--mode=root", "bookworm", str(to)]
    subprocess.run(command, check=True, capture_output=True, timeout=500)


def _wheels(to: Path) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    more = project["optional-dependencies"]
    extras = re.findall(r"[\w-]+\[(.+)\]", *more["all"])[0].split(",")
    build = (ROOT / "deploy" / "debian" / "build").read_text()
    by_pip = re.findall(r"tools/bin/pip\" install --quiet --disable-pip-version-check (.+)", build)
    by_uv = re.findall(r"tools/bin/uv\" pip install --quiet --python \"\$work/tools/bin/python\" (.+)", build)
    assert by_pip
    assert by_uv
    tools = [name for line in (*by_pip, *by_uv) for name in shlex.split(line)]
    wanted = [*project["dependencies"], *(name for extra in extras for name in more[extra]), *tools]
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--wheel-dir", str(to), *wanted]
    subprocess.run(pip, check=True, capture_output=True, timeout=500)
