"""A room for a server of Debian that is not installed: its packages lie unpacked in a folder (`.ci/unpacked-packages`), and
in the room they look as if they were installed, with users, settings and data of their own.

A room is a set of namespaces of Linux: over /usr, /etc and /var lie the unpacked packages and a disk in memory that takes what
is written, /run and /dev are new, and processes see those of the room only. When it is closed all of it is gone. Needs root.
"""

import os
import re
import shlex
import shutil
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.mailservers import START_SECONDS, certificate

UNPACKED = Path(__file__).parents[1] / ".cache" / "debian"

_ENTER = """\
set -e
mount -t tmpfs -o mode=755 tmpfs {base}/disk
for name in usr etc var; do
    mkdir {base}/disk/$name {base}/disk/$name.work
    below=/$name
    if [ -d {packages}/$name ]; then below={packages}/$name:/$name; fi
    mount -t overlay overlay -o lowerdir=$below,upperdir={base}/disk/$name,workdir={base}/disk/$name.work /$name
done
mount -t tmpfs -o mode=755 tmpfs /run
mkdir {base}/disk/dev
cp -a /dev/null /dev/zero /dev/full /dev/random /dev/urandom {base}/disk/dev
ln -s {base}/syslog {base}/disk/dev/log
mount --bind {base}/disk/dev /dev
cp -r {base}/files/. /
touch {base}/ready
{start}
"""


@dataclass(frozen=True)
class Room:
    """An open room. `base` is a folder that looks the same from outside, with a certificate for localhost in it."""

    base: Path
    process: subprocess.Popen[bytes]

    def run(self, *command: str) -> str:
        """Run a command in the room and give what it printed."""
        [inside] = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        done = subprocess.run(
            ["nsenter", "--target", inside, "--mount", "--pid", "--", *command], capture_output=True, timeout=START_SECONDS
        )
        if done.returncode:
            raise RuntimeError(f"{shlex.join(command)} failed:\n{(done.stdout + done.stderr).decode()}\n{self.told()}")
        return done.stdout.decode()

    def told(self) -> str:
        """What its processes have written and logged."""
        return "".join(file.read_text(errors="replace") for file in sorted(self.base.glob("*.log")))


def version_of(package: str) -> str:
    """The version of an unpacked package, without what Debian adds to it; skips the test where it is not there, or where no
    room can be made."""
    if os.geteuid() != 0:
        pytest.skip("only root can start mail servers with users of their own")
    if missing := next((tool for tool in ("unshare", "nsenter", "setpriv") if shutil.which(tool) is None), ""):
        pytest.skip(f"{missing} is not there")
    if subprocess.run(["unshare", "--mount", "true"], capture_output=True, check=False).returncode:
        pytest.skip("this machine, or the container that it is, lets nobody make namespaces")
    file = UNPACKED / package / "version"
    if not file.exists():
        pytest.skip(f"{package} is not unpacked: .ci/unpacked-packages 'the tests with other mail servers' {package}")
    return re.split("[-+~]", file.read_text().strip())[0]


@contextmanager
def open_room(package: str, start: str, files: Mapping[str, str]) -> Generator[Room]:
    """A room with an unpacked package, for the time of the block.

    `files` are written before `start`, the last lines of a shell script that ends as the server does; in both `{base}` stands
    for the folder of the room.
    """
    base = Path(tempfile.mkdtemp(prefix=f"pbmd-{package}-"))  # short: the paths of sockets are limited to 107 bytes
    base.chmod(0o755)
    for folder in ("disk", "files"):
        (base / folder).mkdir()
    certificate(base)
    for name, text in files.items():
        file = base / "files" / name.lstrip("/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text.replace("{base}", str(base)))
    (base / "enter").write_text(_ENTER.format(base=base, packages=UNPACKED / package, start=start.replace("{base}", str(base))))
    try:
        with _syslog(base), _inside(base) as process:
            room = Room(base, process)
            _wait_until_ready(room)
            yield room
    finally:
        shutil.rmtree(base, ignore_errors=True)


@contextmanager
def _inside(base: Path) -> Generator[subprocess.Popen[bytes]]:
    # All ends with the room, and the room with this process, even if that is killed.
    command = ["setpriv", "--pdeathsig", "KILL", "unshare", "--mount", "--pid", "--fork", "--mount-proc", "--kill-child"]
    with (base / "output.log").open("wb") as output:
        process = subprocess.Popen(
            [*command, "sh", str(base / "enter")], stdin=subprocess.DEVNULL, stdout=output, stderr=output
        )
    try:
        yield process
    finally:
        process.kill()
        process.wait(START_SECONDS)


def _wait_until_ready(room: Room) -> None:
    ends = time.monotonic() + START_SECONDS
    while not (room.base / "ready").exists():
        if room.process.poll() is not None or time.monotonic() > ends:
            raise RuntimeError(f"the room could not be made:\n{room.told()}")
        time.sleep(0.02)


@contextmanager
def _syslog(base: Path) -> Generator[None]:
    """What the room sends to syslog goes into a file."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as receiver, (base / "syslog.log").open("ab", buffering=0) as file:
        receiver.bind(str(base / "syslog"))
        (base / "syslog").chmod(0o666)

        def receive() -> None:
            with suppress(OSError):
                while line := receiver.recv(65536):
                    file.write(line.rstrip(b"\n\0") + b"\n")

        thread = threading.Thread(target=receive, daemon=True)
        thread.start()
        try:
            yield
        finally:
            with suppress(OSError):
                receiver.shutdown(socket.SHUT_RDWR)
            thread.join(START_SECONDS)
