"""10,000 order mails from Dovecot: fetched, parsed and stored, and acknowledged, against mbsync pulling the same mailbox.

Storing waits for the disk, as mbsync does: it is measured by the clock on the wall. Acknowledging computes, and is measured by
the processor's time of both: by the clock it said more about the disk, for which mbsync does little but wait."""

import os
import shutil
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from tests.benchmarks.estate import Mailbox, child, dovecot, needs, numbers, run, scratch, start_games, write_settings
from tests.benchmarks.letters import letters
from tests.benchmarks.measure import Result, children_cpu_seconds, columns, in_turn
from tests.mailservers import PASSWORD, Dovecot

LETTERS = int(os.environ.get("BENCH_LETTERS", "10000"))
GAMES = int(os.environ.get("BENCH_GAMES", "100"))
GOAL = 15.0
"""What was measured on a busy machine: mbsync decides nothing, and a letter that is answered is some hundred decisions."""

_MBSYNC = """\
IMAPAccount far
Host 127.0.0.1
Port {port}
User {user}
Pass {password}
SSLType None
AuthMechs LOGIN

IMAPStore far
Account far

MaildirStore near
Path {folder}/
Inbox {folder}/INBOX

Channel all
Far :far:
Near :near:
Patterns INBOX
Create Near
Sync Pull
SyncState *
"""


def measure(repeats: int) -> list[Result]:
    """Both rows of intake, with mbsync once for both."""
    needs("mbsync", "isync")
    with scratch() as folder, dovecot() as server:
        trial = _Trial.prepared(folder, server)
        trial.mbsync(), trial.acknowledge()  # Dovecot's index and everybody's files in memory
        stored, pulled = columns(list(in_turn(repeats, lambda: trial.read().wall, lambda: trial.mbsync().wall)))
        acknowledged, computed = columns(list(in_turn(repeats, lambda: trial.acknowledge().cpu, lambda: trial.mbsync().cpu)))
    against = "mbsync, default fsync, to a Maildir"
    computing = f"{against}; the processor's time of both"
    size = sum(trial.sizes) / len(trial.sizes) / 1000
    note = f"{LETTERS} letters, {size:.1f} KB on average; whole processes, start-up included"
    detail = f"{note}; {GAMES} games of 6 players, letters in random order, 8 order lines each"
    return [
        Result("store", "fetched, parsed and stored", against, "s", 1.0, stored, pulled, note),
        Result("acknowledge", "and trusted, validated, answer queued", computing, "s", GOAL, acknowledged, computed, detail),
    ]


class _Took(NamedTuple):
    """Seconds by the clock on the wall, and of the processor."""

    wall: float
    cpu: float


def _took(command: Sequence[str]) -> _Took:
    began = time.perf_counter()
    cpu = children_cpu_seconds(lambda: run(command))
    return _Took(time.perf_counter() - began, cpu)


@dataclass(frozen=True)
class _Trial:
    """A full mailbox, and a ledger as it was before the mail came."""

    folder: Path
    mbsyncrc: Path
    sizes: list[int]

    @classmethod
    def prepared(cls, folder: Path, server: Dovecot) -> "_Trial":
        mailbox = Mailbox(server, server.new_user())
        before = folder / "before"
        before.mkdir()
        players = start_games(write_settings(before, server.imap_port, mailbox.user), GAMES)
        all_letters = list(letters(players, LETTERS, seed=3))
        mailbox.fill(all_letters, first=time.time() + 1)
        rc = folder / "mbsyncrc"
        rc.write_text(_MBSYNC.format(port=server.imap_port, user=mailbox.user, password=PASSWORD, folder=folder / "maildir"))
        return cls(folder, rc, [len(letter) for letter in all_letters])

    def mbsync(self) -> _Took:
        """Pull everything into an empty Maildir."""
        maildir = self.folder / "maildir"
        shutil.rmtree(maildir, ignore_errors=True)
        maildir.mkdir()
        os.sync()
        took = _took(["mbsync", "-q", "-c", str(self.mbsyncrc), "all"])
        pulled = sum(1 for folder in ("new", "cur") for _ in (maildir / "INBOX" / folder).iterdir())
        assert pulled == LETTERS, f"mbsync pulled {pulled} of {LETTERS} letters"
        return took

    def read(self) -> _Took:
        """Fetch, parse and store everything."""
        took, settings = self._fresh("read")
        stored = numbers(settings, "SELECT count(*) FROM letter WHERE state = 'new'")
        assert stored == (LETTERS,), f"{stored} of {LETTERS} letters are stored"
        return took

    def acknowledge(self) -> _Took:
        """The same, and answer everything."""
        took, settings = self._fresh("acknowledge")
        queries = (
            "SELECT count(*) FROM outbox WHERE kind = 'acknowledgement' AND state = 'queued'",
            "SELECT count(*) FROM submission WHERE state = 'filed'",
            "SELECT count(*) FROM letter WHERE state = 'done'",
        )
        found = numbers(settings, *queries)
        assert found == (LETTERS, LETTERS, LETTERS), f"answered, filed, done: {found} of {LETTERS} letters"
        return took

    def _fresh(self, what: str) -> tuple[_Took, Path]:
        """Run pbmd on a copy of the ledger; gives what it took and the settings file."""
        place = self.folder / "run"
        shutil.rmtree(place, ignore_errors=True)
        shutil.copytree(self.folder / "before", place)
        os.sync()
        settings = place / "pbmd.toml"
        return _took(child(what, settings)), settings
