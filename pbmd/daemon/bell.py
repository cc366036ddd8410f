"""The bell that wakes workers: Procrastinate jobs (https://procrastinate.readthedocs.io), at most one for each game.

Nothing that matters is stored in it: the ledger says what is to be done, and a game's row is the lock. So jobs are not retried,
and have no time and no lock of their own. The leader rings again whatever became of a worker: a job that was begun is in
nobody's way, and is forgotten in the end. The bell's tables are in a schema of their own, ``bell``, which is recreated for a
different version of Procrastinate.
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
"""A job that does nothing. Only a job makes a worker find out that it was given up, or is registered with a bell that no longer
exists, and register again."""
HEARTBEAT_SECONDS = 5.0
STALLED_SECONDS = 20.0
"""A worker that has not been heard of for this long is not counted on: it is gone, or slow, for nothing is heard of it while it
works on a game."""
GONE_SECONDS = 3_600.0
"""A worker that has not been heard of for this long is gone, and so is what it had begun."""
LOOK_SECONDS = 2.0
"""How often to check whether there are workers."""
POLL_SECONDS = 1.0
"""How long a worker that has not heard the bell waits at most."""
WAIT_SECONDS = 3.0
"""How long the process that rings waits for the database: it has games to look after."""
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
    """The address of a ledger (``postgresql+psycopg://…``) in the form that PostgreSQL's own library takes."""
    parsed = make_url(url)
    # Not as an address: SQLAlchemy writes blanks in it, as those of `options`, in a way that this library does not read.
    return make_conninfo(**parsed.get_dialect()().create_connect_args(parsed)[1])


def _connection(url: str) -> dict[str, Any]:
    """How a connection finds the bell's tables, and waits for the database no longer than the process that rings may; whatever
    else the address says applies."""
    chosen = waits_for(make_url(url), WAIT_SECONDS)
    options = chosen.get("options") or conninfo_to_dict(libpq_address(url)).get("options")
    return chosen | {"options": f"{options} -c search_path=bell"}


class Bell:
    """Rings for games, from the process that leads. Trouble with it is logged once, and stops nothing: the leader does all of
    the work if nobody comes, and tries again at longer and longer intervals."""

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
        self._is_made = False  # checked again after any trouble: somebody may have deleted them
        self._looked, self._workers = float("-inf"), 0
        self._outage, self._again = Outage(), float("-inf")

    def ring(self, games: Iterable[int]) -> None:
        """Wake workers for these games, unless they are being woken for them."""
        if wanted := [_job(game) for game in games]:
            self._try(lambda: self._wake(wanted))

    def has_workers(self) -> bool:
        """Whether a worker was heard of lately. This asks the ledger only every few seconds; at the same time it forgets what
        workers that are gone had begun."""
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
            with suppress(AlreadyEnqueued):  # another process that leads, or thinks so, has just rung
                self._app.job_manager.batch_defer_jobs(new)

    def close(self) -> None:
        """Close the connection."""
        self._pool.close()

    def _prepare(self) -> None:
        """Open the connection, and create the bell's tables if they are missing or belong to another version of
        Procrastinate."""
        if self._pool.closed:
            self._pool.open()
            self._app.open(self._pool)
        if not self._is_made:
            prepare(self._connector)
            self._is_made = True


def prepare(connector: procrastinate.SyncPsycopgConnector) -> None:
    """Create the bell's tables if they are missing, or belong to another version of Procrastinate. Raises `TROUBLE`."""
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
    """Hear the bell, and work on the games it rings for, one after the other, in the main thread: only there can the processor
    time of a letter be limited. Whatever `deal` raises is lost. Returns True when the process is asked to end (SIGTERM, SIGINT)
    or `stopping` is set, after the current game, and False when the bell cannot be heard any more; if it does not wait, also as
    soon as the bell does not ring. Raises `TROUBLE` if the database cannot be reached."""
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
            # Its own signal handlers would make being asked to end look like a lost connection.
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
    """The bell could not note that a game was finished, because it lost its connection or was recreated meanwhile. Nobody
    awaits what Procrastinate raises then, and asyncio would log a traceback."""
    if isinstance(problem := context.get("exception"), TROUBLE):
        why = problem.__cause__ or problem
        _log.warning("a game was dealt with, which could not be noted (%s: %s)", type(why).__name__, said_by(why))
    else:
        loop.default_exception_handler(context)


async def _end_when(stopping: threading.Event, listening: "asyncio.Task[None]") -> None:
    """It may be set in any thread, and in the middle of a game."""
    while not stopping.is_set():
        await asyncio.sleep(POLL_SECONDS)
    listening.cancel()
