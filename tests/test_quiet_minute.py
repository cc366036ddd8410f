"""A daemon with nothing to do: it asks the system for little, and writes nothing.

What is counted does not hang on the machine's load: how often its threads wait, what they read and what they write. It has to
be so once within some time: after its start it has to look at everything, and every five minutes at the pages.
"""

import subprocess
import time
from pathlib import Path

import pytest

from tests.benchmarks.estate import ROOT, Mailbox, child, start_games, write_settings
from tests.benchmarks.resting import MOST_A_MINUTE, Use, used
from tests.mailservers import Dovecot

WINDOW_SECONDS = 20
PATIENCE_SECONDS = 200


@pytest.mark.skipif(not Path("/proc/self/io").exists(), reason="there is no /proc here that counts")
def test_it_rests(dovecot: Dovecot, tmp_path: Path) -> None:
    mailbox = Mailbox(dovecot, dovecot.new_user())
    settings = write_settings(tmp_path, dovecot.imap_port, mailbox.user)
    mailbox.fill([], time.time())
    start_games(settings, 3)
    with (tmp_path / "errors").open("wb") as errors:
        daemon = subprocess.Popen(child("daemon", settings), cwd=ROOT, stderr=errors)
    try:
        ends, windows = time.monotonic() + PATIENCE_SECONDS, list[Use]()
        while not any(_rests(window) for window in windows):
            assert time.monotonic() < ends, windows
            assert daemon.poll() is None, (tmp_path / "errors").read_text()
            before = used(daemon.pid)
            time.sleep(WINDOW_SECONDS)
            windows.append(used(daemon.pid) - before)
    finally:
        daemon.kill()
        daemon.wait()


def _rests(window: Use) -> bool:
    """Of the system calls only those that wait, read and write are counted here: half of all."""
    return window.calls <= MOST_A_MINUTE * WINDOW_SECONDS / 60 and window.written == 0
