"""Moving a ledger. The one that is left stays in force until the other has all of it, and from then on refuses to be opened;
the other refuses until then. So wherever a move is broken off, one of them at most can be used, and another try finishes it."""

import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass

from sqlalchemy import Connection, Engine, Table, func, select, update
from sqlalchemy.engine import make_url
from sqlmodel import col

from pbmd.ledger.damage import UnfitLedger
from pbmd.ledger.damage_check import Progress
from pbmd.ledger.database import MIGRATIONS, NAME_THE_OTHER, leave, migrate, moving, number_on, open_engine, reading
from pbmd.ledger.move.row_copy import copy_rows, delete_strangers
from pbmd.ledger.move.stored_rows import count_of, digest_of, rows_by_key, stored_tables
from pbmd.ledger.postgresql import identity, others_at_work
from pbmd.ledger.schema import is_newest, schema_of
from pbmd.ledger.tables import Era

_ERA = str(Era.__tablename__)
_OF_ITS_OWN = (_ERA, "serverkey")
"""What a new ledger may have already."""
_LEAVE_SECONDS = 5.0
"""So long it takes at most until the server knows that a connection is closed."""


@dataclass(frozen=True, slots=True)
class Moved:
    """What a ledger has after a move: the number of rows of each table, and the SHA-256 of each, which is that of the ledger
    that was left. `was_all_there`: an earlier try had brought all."""

    rows: dict[str, int]
    digests: dict[str, str]
    was_all_there: bool = False


def without_password(address: str) -> str:
    """The address of a ledger as it can be shown, and kept."""
    url = make_url(address)
    return address if url.password is None else url._replace(password=None).render_as_string()


def _is_same(one: str, other: str) -> bool:
    return bool(one) and bool(other) and make_url(one) == make_url(other)


def left_for(address: str) -> str:
    """Whither the ledger there was moved; empty if it is in use, or there is none. Raises `SQLAlchemyError`."""
    with _open(address) as engine:
        if not is_newest(schema_of(reading(engine)), MIGRATIONS):
            return ""
        with reading(engine).connect() as connection:
            return connection.execute(select(col(Era.left_for))).scalar_one()


def move_ledger(source: str, target: str, progress: Progress) -> Moved:
    """Move the ledger at the address `source`, which must be up to date, to `target`: an empty database, one to which a move
    from there was broken off, or one that was left itself. Raises `UnfitLedger` where that cannot be, and
    `SQLAlchemyError`; `source` is in force still, unless `target` has all of it."""
    if make_url(source) == make_url(target):
        raise UnfitLedger("it is there already", "give the address of another database")
    migrate(target)
    with _open(source) as old, _open(target) as new:
        was_all_there = _has_all(old, new, target)
        with old.begin() as holding:
            _must_be_alone(holding)
            if not was_all_there:
                _make_ready(new, source)
            in_all = sum(count_of(holding, table) for table in _tables())
            moved = _moved(holding, new, progress, in_all, copies=not was_all_there)
            _must_be_alone(holding)
            leave(holding, without_password(target))
        _arrive(old, new)
    return Moved(*moved, was_all_there)


@contextmanager
def _open(address: str) -> Generator[Engine]:
    engine = open_engine(address)
    try:
        yield moving(engine)
    finally:
        engine.dispose()


def _has_all(old: Engine, new: Engine, target: str) -> bool:
    """Whether an earlier move to the target has only not said yet that it is over. Raises `UnfitLedger` if it has, or if the
    ledger was moved elsewhere."""
    with reading(old).connect() as here, reading(new).connect() as there:
        left = here.execute(select(col(Era.left_for))).scalar_one()
        arrives = there.execute(select(col(Era.arrives_from))).scalar_one()
    if left and not (arrives and _is_same(left, without_password(target))):
        raise UnfitLedger(f"it was moved to {left}", NAME_THE_OTHER)
    return bool(left)


def _tables() -> tuple[Table, ...]:
    return tuple(table for table in stored_tables() if table.name != _ERA)


def _must_be_alone(holding: Connection) -> None:
    """Others would go on writing to what is left. Raises `UnfitLedger`; a file is held by whoever moves it."""
    if holding.dialect.name != "postgresql":
        return
    # It waits while the other database is read.
    holding.exec_driver_sql("SET LOCAL idle_in_transaction_session_timeout = 0")
    until = time.monotonic() + _LEAVE_SECONDS
    while others := others_at_work(holding):
        if time.monotonic() > until:
            raise UnfitLedger(f"others are at work on it ({', '.join(others)})", "stop pbmd and its workers on all hosts first")
        time.sleep(0.1)


def _make_ready(new: Engine, source: str) -> None:
    """Raises `UnfitLedger` for a database with games that are nowhere else."""
    whence = without_password(source)
    with new.begin() as connection:
        number, left, arriving = connection.execute(select(col(Era.number), col(Era.left_for), col(Era.arrives_from))).one()
        is_new = not number and not any(count_of(connection, table) for table in _tables() if table.name not in _OF_ITS_OWN)
        if not (left or _is_same(arriving, whence) or is_new):
            raise UnfitLedger("the database that was named has a ledger of its own", "make an empty one, and name that")
        leave(connection, "")
        connection.execute(update(Era).values(arrives_from=whence))


def _moved(
    holding: Connection, new: Engine, progress: Progress, in_all: int, *, copies: bool
) -> tuple[dict[str, int], dict[str, str]]:
    """Copy all tables, and compare them. Raises `UnfitLedger` if a copy is not what it should be."""
    done = 0

    def tell(more: int) -> None:
        nonlocal done
        done += more
        progress(done, 2 * in_all)

    if copies:
        for table in reversed(_tables()):
            delete_strangers(holding, new, table)
        for table in _tables():
            copy_rows(holding, new, table, tell)
            _number_on(holding, new, table)
    digests: dict[str, str] = {}
    rows: dict[str, int] = {}
    for table in _tables():
        rows[table.name] = count_of(holding, table)
        with reading(new).connect() as connection:
            digests[table.name] = digest_of(rows_by_key(connection, table))
        if digests[table.name] != digest_of(rows_by_key(holding, table)):
            raise UnfitLedger(f"the table {table.name} is not the same on both sides", "give `pbmd ledger move` again")
        tell(rows[table.name])
    return rows, digests


def _number_on(holding: Connection, new: Engine, table: Table) -> None:
    """Have further rows numbered as they would have been in the ledger that is left: no number is given twice."""
    if "id" not in table.columns:
        return
    last = holding.execute(select(func.max(table.columns["id"]))).scalar() or 0
    if holding.dialect.name == "postgresql":
        sequence = f"SELECT pg_sequence_last_value(pg_get_serial_sequence('{table.name}', 'id')::regclass)"
        last = max(last, holding.exec_driver_sql(sequence).scalar() or 0)
    if last:
        with new.begin() as connection:
            number_on(connection, table.name, last)


def _arrive(old: Engine, new: Engine) -> None:
    with reading(old).connect() as connection:
        number = connection.execute(select(col(Era.number))).scalar_one()
    with new.begin() as connection:
        place = identity(connection) if connection.dialect.name == "postgresql" else ""
        connection.execute(update(Era).values(number=number, place=place, arrives_from=""))
