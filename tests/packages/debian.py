"""A small Debian in a folder, with as much of systemd as the scripts of a package ask for."""

import os
import re
import shlex
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

SECONDS = 120.0
"""No test goes by how fast the machine is."""
SYSTEMCTL = """\
#!/bin/sh
# One service can be enabled here, and runs as its unit says: pbmd.
for unit; do :; done
case $1 in
    is-enabled | disable | enable | start | stop) [ "$unit" = pbmd ] || exit 1 ;;
esac
running() { [ -e /run/pbmd.pid ] && grep -q '^State:[[:space:]][^XZ]' /proc/$(cat /run/pbmd.pid)/status; } 2>/dev/null
start() {
    running && return
    command=$(sed -n 's/^ExecStart=//p' /lib/systemd/system/pbmd.service)
    (umask 077; cd /; exec setpriv --reuid=pbmd --regid=pbmd --init-groups $command) </dev/null >>/tmp/daemon.log 2>&1 &
    echo $! >/run/pbmd.pid
}
stop() {
    running || return 0
    kill "$(cat /run/pbmd.pid)"
    while running; do sleep 0.1; done
}
case $1 in
    is-active) running ;;
    is-enabled) [ -e /run/pbmd.enabled ] ;;
    enable) touch /run/pbmd.enabled; start ;;
    disable) rm -f /run/pbmd.enabled ;;
    start) start ;;
    stop) stop ;;
esac
"""
_ELSEWHERE = ("dev", "proc", "run", "sys", "tmp", "var/cache", "var/lib/dpkg", "var/log")
"""Folders that are no package's, or tell what was installed."""


@dataclass(frozen=True)
class Debian:
    """The folder."""

    root: Path

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

    def with_systemd(self) -> None:
        """From here on it is one that was started by systemd."""
        (self.root / "run" / "systemd" / "system").mkdir(parents=True)
        program = self.root / "usr" / "bin" / "systemctl"
        program.write_text(SYSTEMCTL)
        program.chmod(0o755)

    def service(self) -> int:
        """The process of the service that runs; 0 if none does."""
        with suppress(FileNotFoundError, ProcessLookupError):
            process = int((self.root / "run" / "pbmd.pid").read_text())
            status = Path(f"/proc/{process}/status").read_text()
            if not re.search(r"^State:\s[XZ]", status, re.MULTILINE):  # one that has ended stays there until its parent looks
                return process
        return 0

    def until(self, true: Callable[[], bool]) -> None:
        """Wait for what the service is to do."""
        ends = time.monotonic() + SECONDS
        while not true():
            assert time.monotonic() < ends, (self.root / "tmp" / "daemon.log").read_text()
            time.sleep(0.1)

    def files(self) -> set[str]:
        """All that a package can have left."""
        found = set[str]()
        for folder, folders, names in os.walk(self.root):
            place = Path(folder).relative_to(self.root)
            folders[:] = [name for name in folders if str(place / name) not in _ELSEWHERE]
            found |= {str(place / name) for name in (*folders, *names)}
        return found
