"""Whatever is done ends between two statements, each in its turn: PostgreSQL ends the connection, or the process is gone."""

import gc
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from sqlalchemy import event
from sqlalchemy.exc import OperationalError

from pbmd.ledger.database import open_engine, reading
from tests.desk.world import World

MOST = 120
"""Far more statements than any of it has."""


class Gone(BaseException):
    """The process is gone: nothing is done any more that could be done on the way out."""


@contextmanager
def connection_ends_before(world: World, statement: int) -> Iterator[list[str]]:
    """The connection is gone when that statement is to be carried out. Gives what was asked until then."""
    other, asked = open_engine(world.database), list[str]()

    def listen(connection: Any, _cursor: Any, text: str, *_: Any) -> None:
        asked.append(text)
        if len(asked) == statement:
            with reading(other).connect() as ending:
                ending.exec_driver_sql(
                    f"SELECT pg_terminate_backend({connection.connection.dbapi_connection.info.backend_pid}, 5000)"
                )

    with _heard(world, listen):
        yield asked
    other.dispose()


@contextmanager
def process_ends_before(world: World, statement: int) -> Iterator[list[str]]:
    """The process is gone when that statement is to be carried out, and none after it is."""
    asked = list[str]()

    def listen(_connection: Any, cursor: Any, text: str, *_: Any) -> None:
        asked.append(text)
        if len(asked) >= statement:
            cursor.close()  # it goes with the process
            raise Gone

    with _heard(world, listen):
        yield asked


@contextmanager
def _heard(world: World, listen: Callable[..., None]) -> Iterator[None]:
    event.listen(world.desk.engine, "before_cursor_execute", listen)
    try:
        yield
    finally:
        event.remove(world.desk.engine, "before_cursor_execute", listen)


Ending = Callable[[World, int], AbstractContextManager[list[str]]]
ENDINGS: dict[str, Ending] = {"the connection ends": connection_ends_before, "the process ends": process_ends_before}


def each_statement(
    world: World,
    prepare: Callable[[], object],
    do: Callable[[], object],
    done: Callable[[int], object],
    ends_before: Ending = connection_ends_before,
    every: int = 1,
) -> int:
    """Prepare, and do it with an end before the first statement; then again before the second, and so on until there is none
    left. It is done again after each, as the daemon does, and `done` looks at how it is then. Gives how often that was. With
    `every` 2 it is every second statement, for one ending the odd ones, for the other the even ones."""
    gc.collect()
    gc.freeze()  # what thousands of tests have left is not looked through each time
    first = 1 + list(ENDINGS.values()).index(ends_before) % every
    try:
        return _each_statement(world, prepare, do, done, ends_before, range(first, MOST, every))
    finally:
        gc.unfreeze()  # others look for what is kept


def _each_statement(
    world: World,
    prepare: Callable[[], object],
    do: Callable[[], object],
    done: Callable[[int], object],
    ends_before: Ending,
    statements: range,
) -> int:
    for number, statement in enumerate(statements, start=1):
        prepare()
        with ends_before(world, statement) as asked:
            try:
                do()
            except (OperationalError, Gone):
                assert len(asked) >= statement
        gc.collect()  # what was left open is an error now, not in a test to come
        is_over = len(asked) < statement
        do()
        done(number)
        if is_over:
            assert statement > 5, asked
            return number
    raise AssertionError("it never came to its end")
