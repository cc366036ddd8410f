"""A worker that tells what it deals with, and waits as many seconds before as a file says:
``python -m tests.daemon_shared.slow_worker LEDGER FOLDER NOW FILE``. It is one of the `prepared_processes`.
"""

import sys
import time
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from secrets import token_bytes

from pbmd.daemon import bell, worker
from pbmd.desk.books.desk import Desk
from tests.desk.world import World


def main(ledger: str, folder: str, now: str, waits: str) -> None:
    """Work until it is ended."""
    bell.HEARTBEAT_SECONDS, bell.GONE_SECONDS, bell.POLL_SECONDS, worker.AGAIN_SECONDS = 0.3, 2.0, 0.2, 0.2
    world = World(Path(folder), database=ledger, now=datetime.fromisoformat(now))
    world.settle(server={"database": ledger})
    dealt_with = worker.game_pass

    def game_pass(desk: Desk, game: int) -> None:
        sys.stdout.write(f"begins {game}\n")
        sys.stdout.flush()
        time.sleep(float(Path(waits).read_text()))
        dealt_with(desk, game)
        sys.stdout.write(f"done {game}\n")
        sys.stdout.flush()

    worker.game_pass = game_pass
    worker.work(replace(world.desk, entropy=token_bytes))


if __name__ == "__main__":
    main(*sys.argv[1:])
