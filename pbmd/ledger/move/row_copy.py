"""The rows of one table brought to another database, in which some may be already, of a try that was broken off."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from heapq import merge
from itertools import groupby
from operator import itemgetter
from typing import Any

from sqlalchemy import ColumnElement, Connection, Engine, Table, and_, bindparam, delete, insert, update
from sqlalchemy.exc import DBAPIError, OperationalError

from pbmd.ledger.damage import UnfitLedger, said_by
from pbmd.ledger.database import reading
from pbmd.ledger.move.stored_rows import Row, count_of, key_of, named, rows_by_key

_MOST_ROWS, _MOST_BYTES = 500, 4_000_000
"""So much is written in a transaction."""
Copied = Callable[[int], object]
"""Called with how many rows more are dealt with."""
Pair = tuple[Row | None, Row | None]
"""The row of the source, and that of the target with the same key."""


def delete_strangers(source: Connection, target: Engine, table: Table) -> None:
    """Delete the rows of the target that the source does not have. Raises `SQLAlchemyError`."""
    with reading(target).connect() as there:
        if not count_of(there, table):
            return
        gone = [old for new, old in _pairs(table, rows_by_key(source, table), rows_by_key(there, table)) if new is None]
    with target.begin() as connection:
        for old in gone:
            connection.execute(delete(table).where(_has_key(table)), _key_values(table, old or ()))


def copy_rows(source: Connection, target: Engine, table: Table, copied: Copied) -> None:
    """Bring all rows of the table to the target, a few in each transaction; those that are there already are left as they are.
    Raises `UnfitLedger` for a row that cannot be kept there, and `SQLAlchemyError`."""
    with reading(target).connect() as there:
        old = rows_by_key(there, table) if count_of(there, table) else iter(())
        for pairs in _bundles(_pairs(table, rows_by_key(source, table), old)):
            with target.begin() as connection:
                _write(connection, table, pairs)
            copied(len(pairs))


def _pairs(table: Table, new: Iterator[Row], old: Iterator[Row]) -> Iterator[Pair]:
    """Both come by their keys."""
    both = merge(
        ((key_of(table, row), True, row) for row in new),
        ((key_of(table, row), False, row) for row in old),
        key=itemgetter(0),
    )
    for _, same in groupby(both, itemgetter(0)):
        rows = {is_new: row for _, is_new, row in same}
        yield rows.get(True), rows.get(False)


def _bundles(pairs: Iterator[Pair]) -> Iterator[list[Pair]]:
    bundle: list[Pair] = []
    size = 0
    for pair in pairs:
        bundle.append(pair)
        size += sum(len(value) for value in pair[0] or () if isinstance(value, (bytes, str)))
        if len(bundle) >= _MOST_ROWS or size >= _MOST_BYTES:
            yield bundle
            bundle, size = [], 0
    if bundle:
        yield bundle


def _write(connection: Connection, table: Table, pairs: Sequence[Pair]) -> None:
    added = [named(table, new) for new, old in pairs if new is not None and old is None]
    altered = [new for new, old in pairs if new is not None and old is not None and new != old]
    if added:
        _insert(connection, table, added)
    for row in altered:
        connection.execute(update(table).where(_has_key(table)).values(named(table, row)), _key_values(table, row))


def _insert(connection: Connection, table: Table, rows: Sequence[Mapping[str, Any]]) -> None:
    """All at once; if the database takes one of them not, that row is looked for, so that it can be named."""
    try:
        with connection.begin_nested():
            connection.execute(insert(table), rows)
    except OperationalError:
        raise
    except DBAPIError:
        for row in rows:
            try:
                connection.execute(insert(table), row)
            except DBAPIError as problem:
                key = " ".join(str(row[column.name]) for column in table.primary_key)
                why = said_by(problem.orig or problem)
                raise UnfitLedger(f"it cannot keep the row {key} of the table {table.name}", why) from None


def _has_key(table: Table) -> ColumnElement[bool]:
    return and_(*(column == bindparam(f"key_{column.name}") for column in table.primary_key))


def _key_values(table: Table, row: Row) -> Mapping[str, Any]:
    keys = [column.name for column in table.primary_key]
    return {f"key_{name}": value for name, value in zip(keys, key_of(table, row), strict=True)}
