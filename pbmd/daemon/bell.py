"""The bell that wakes workers: jobs of Procrastinate (https://procrastinate.readthedocs.io), for each game one at most.

It holds nothing that counts: what is to be done is in the ledger, and a game's row is the lock. So jobs are not tried again,
and have no time and no lock of their own. Whoever leads rings again whatever became of a worker: a job that is begun is in
nobody's way, and is forgotten in the end. The bell's tables are in a schema of their own, ``bell``, which is made anew for
another version of Procrastinate.
"""

import asyncio
import logging
import signal
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from importlib.metadata import version
from typing import Any

import procrastinate
import psycopg
from procrastinate import jobs
from procrastinate.exceptions import AlreadyEnqueued, ConnectorException
from procrastinate.schema import SchemaManager
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg_pool import ConnectionPool
from sqlalchemy.engine import make_url

from pbmd.ledger.damage import said_by
from pbmd.ledger.postgresql import waits as waits_for
from pbmd.post.outage import Outage

QUEUE = "games"
TASK = "game"
ROLL_CALL = "roll call"
"""A job for nothing. A worker that was given up, or is in the books of a bell that is not there any more, finds that out, and
enters itself again, only when there is something for it to do."""
HEARTBEAT_SECONDS = 5.0
STALLED_SECONDS = 20.0
"""A worker of which nothing was heard for so long is not counted on: it is gone, or slow, for nothing is heard of it while it
deals with a game."""
GONE_SECONDS = 3_600.0
"""A worker of which nothing was heard for so long is gone, and so is what it had begun."""
LOOK_SECONDS = 2.0
"""So often it is looked whether there are workers."""
POLL_SECONDS = 1.0
"""So long a worker waits at most that has not heard the bell."""
WAIT_SECONDS = 3.0
"""So long whoever rings waits for the database: it has games to look after."""
TROUBLE = (ConnectorException, psycopg.Error)
"""What is raised when the bell cannot be used."""
_log = logging.getLogger("pbmd.bell")
_WAITING = "SELECT queueing_lock FROM procrastinate_jobs WHERE status = 'todo'"
_HEARD = "SELECT id FROM procrastinate_workers WHERE last_heartbeat > now() - %(seconds)s * interval '1 second'"
_FORGET = """
    DELETE FROM procrastinate_jobs WHERE status <> 'todo' AND (worker_id IS NULL OR worker_id NOT IN
    (SELECT id FROM procrastinate_workers WHERE last_heartbeat > now() - %(seconds)s * interval '1 second'))
"""
_MADE_BY = "SELECT to_regclass('bell.made_by') IS NOT NULL AS known"


def libpq_address(url: str) -> str:
    """The address of a ledger (``postgresql+psycopg://…``) as PostgreSQL's own library takes it."""
    parsed = make_url(url)
    # Not as an address: SQLAlchemy writes blanks in it, as those of `options`, in a way that this library does not read.
    return make_conninfo(**parsed.get_dialect()().create_connect_args(parsed)[1])


def _connection(url: str) -> dict[str, Any]:
    """How a connection finds the bell's tables, and waits no longer for the database than whoever rings may; what the address
    says besides holds."""
    chosen = waits_for(make_url(url), WAIT_SECONDS)
    options = chosen.get("options") or conninfo_to_dict(libpq_address(url)).get("options")
    return chosen | {"options": f"{options} -c search_path=bell"}


class Bell:
    """Rings for games, from the process that leads. What goes wrong with it is told once, and stops nothing: whoever rings does
    all of the work if nobody comes, and tries again later and later."""

    def __init__(self, url: str) -> None:
        # Not the pool that Procrastinate would make, which waits half a minute for its first connection.
        self._pool = ConnectionPool(
            conninfo=libpq_address(url),
            min_size=1,
            max_size=1,
            kwargs=_connection(url),
            check=ConnectionPool.check_connection,
            timeout=WAIT_SECONDS,
            reconnect_timeout=WAIT_SECONDS,
            open=False,
        )
        self._connector = procrastinate.SyncPsycopgConnector()
        self._app = procrastinate.App(connector=self._connector)
        self._is_made = False  # looked at again after any trouble: somebody may have taken it away
        self._looked, self._workers = float("-inf"), 0
        self._outage, self._again = Outage(), float("-inf")

    def ring(self, games: Iterable[int]) -> None:
        """Wake workers for these games, unless they are being woken for them."""
        if wanted := [_job(game) for game in games]:
            self._try(lambda: self._wake(wanted))

    def has_workers(self) -> bool:
        """Whether a worker was heard of lately. Asked for in the ledger only every few seconds; then what workers that are gone
        had begun is forgotten, too."""
        if time.monotonic() - self._looked > LOOK_SECONDS:
            self._looked = time.monotonic()
            self._try(self._look)
        return self._workers > 0

    def _try(self, act: Callable[[], object]) -> None:
        if time.monotonic() < self._again:
            return
        try:
            self._prepare()
            act()
        except TROUBLE as problem:
            self._is_made, self._workers = False, 0
            self._again = time.monotonic() + self._outage.pause()
            if self._outage.begins():
                why = problem.__cause__ or problem
                told = "workers cannot be woken just now, and all is done here; trying again now and then (%s: %s)"
                _log.warning(told, type(why).__name__, said_by(why))
        else:
            self._outage.ends()

    def _look(self) -> None:
        self._connector.execute_query(_FORGET, seconds=GONE_SECONDS)
        self._workers = len(self._connector.execute_query_all(_HEARD, seconds=STALLED_SECONDS))
        if not self._workers:
            self._wake([jobs.Job(queue=QUEUE, lock=None, queueing_lock=ROLL_CALL, task_name=ROLL_CALL)])

    def _wake(self, wanted: Sequence[jobs.Job]) -> None:
        waiting = {row["queueing_lock"] for row in self._connector.execute_query_all(_WAITING)}
        if new := [job for job in wanted if job.queueing_lock not in waiting]:
            with suppress(AlreadyEnqueued):  # somebody else who leads, or thinks so, has just rung
                self._app.job_manager.batch_defer_jobs(new)

    def close(self) -> None:
        """Give the connection back."""
        self._pool.close()

    def _prepare(self) -> None:
        """Open the connection, and make the bell's tables if they are not there or of another version of Procrastinate."""
        if self._pool.closed:
            self._pool.open()
            self._app.open(self._pool)
        if not self._is_made:
            prepare(self._connector)
            self._is_made = True


def prepare(connector: procrastinate.SyncPsycopgConnector) -> None:
    """Make the bell's tables if they are not there, or of another version of Procrastinate. Raises `TROUBLE`."""
    ours = version("procrastinate")
    known = connector.execute_query_one(_MADE_BY)["known"]
    if known and connector.execute_query_one("SELECT version FROM bell.made_by")["version"] == ours:
        return
    connector.execute_query("DROP SCHEMA IF EXISTS bell CASCADE")
    connector.execute_query("CREATE SCHEMA bell")
    SchemaManager(connector).apply_schema()
    connector.execute_query("CREATE TABLE bell.made_by (version text NOT NULL)")
    connector.execute_query("INSERT INTO bell.made_by (version) VALUES (%(version)s)", version=ours)


def _job(game: int) -> jobs.Job:
    return jobs.Job(queue=QUEUE, lock=None, queueing_lock=f"game:{game}", task_name=TASK, task_kwargs={"game": game})


async def listen(
    url: str, deal: Callable[[int], object], stopping: threading.Event | None = None, *, waits: bool = True
) -> bool:
    """Hear the bell, and deal with the games it rings for, one after the other, in the main thread: only there the processor's
    time that a letter may take can be limited. What `deal` raises is lost. Returns True when the process is asked to end
    (SIGTERM, SIGINT) or `stopping` is set, after the game at hand, and False when the bell cannot be heard any more; if it does
    not wait, also as soon as the bell does not ring. Raises `TROUBLE` if the database cannot be reached."""
    connector = procrastinate.PsycopgConnector(conninfo=libpq_address(url), min_size=1, max_size=4, kwargs=_connection(url))
    app = procrastinate.App(connector=connector)

    @app.task(name=TASK, queue=QUEUE)
    async def deal_with(game: int) -> None:  # pyright: ignore[reportUnusedFunction]
        deal(game)

    @app.task(name=ROLL_CALL, queue=QUEUE)
    async def answer() -> None:  # pyright: ignore[reportUnusedFunction]
        """By being there."""

    asyncio.get_running_loop().set_exception_handler(_unnoted)
    async with app.open_async():
        worker = app.run_worker_async(
            queues=[QUEUE],
            concurrency=1,
            wait=waits,
            delete_jobs="always",
            fetch_job_polling_interval=POLL_SECONDS,
            update_heartbeat_interval=HEARTBEAT_SECONDS,
            stalled_worker_timeout=GONE_SECONDS,
            # With its own it would end in the same way when it is asked to and when it has lost a connection.
            install_signal_handlers=False,
        )
        listening = asyncio.create_task(worker)
        watching = asyncio.create_task(_end_when(stopping, listening)) if stopping else None
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, listening.cancel)
        try:
            await listening
        except asyncio.CancelledError:
            return True
        finally:
            if watching is not None:
                watching.cancel()
        return False


def _unnoted(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """That a game was dealt with could not be noted at the bell, which lost its connection or was made anew meanwhile. Nobody
    waits for what Procrastinate raises then, and asyncio would tell it as a traceback."""
    if isinstance(problem := context.get("exception"), TROUBLE):
        why = problem.__cause__ or problem
        _log.warning("a game was dealt with, which could not be noted (%s: %s)", type(why).__name__, said_by(why))
    else:
        loop.default_exception_handler(context)


async def _end_when(stopping: threading.Event, listening: "asyncio.Task[None]") -> None:
    """It may be set in any thread, and in the midst of a game."""
    while not stopping.is_set():
        await asyncio.sleep(POLL_SECONDS)
    listening.cancel()
