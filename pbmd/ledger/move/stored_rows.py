"""The rows of a ledger as its database stores them: nothing is unpacked, and an unknown state is a text like any other."""

import hashlib
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Column, Connection, Enum, LargeBinary, MetaData, String, Table, Text, func, select
from sqlmodel import SQLModel

from pbmd.ledger.tables import CompressedText, PackedBytes

Row = tuple[Any, ...]
_AT_ONCE = {"yield_per": 100, "stream_results": True}


def stored_tables() -> tuple[Table, ...]:
    """The tables of the ledger, each after those to which it points, with the types that the databases have."""
    metadata = MetaData()
    return tuple(
        Table(table.name, metadata, *(_stored(column) for column in table.columns)) for table in SQLModel.metadata.sorted_tables
    )


def _stored(column: "Column[Any]") -> "Column[Any]":
    kind: Any = column.type
    if isinstance(kind, (CompressedText, PackedBytes)):
        kind = LargeBinary()
    elif isinstance(kind, Enum):
        kind = Text()
    return Column(column.name, kind, primary_key=column.primary_key, autoincrement=False)


def rows_by_key(connection: Connection, table: Table) -> Iterator[Row]:
    """All rows of a table by its key, a few at a time. Texts come in the order of their letters' numbers, as Python has it, and
    not as a language sorts them."""
    order = [_ordered(column, connection.dialect.name) for column in table.primary_key]
    with connection.execute(select(table).order_by(*order), execution_options=_AT_ONCE) as rows:
        for row in rows:
            yield tuple(row)


def _ordered(column: "Column[Any]", dialect: str) -> Any:
    return column.collate("C") if dialect == "postgresql" and isinstance(column.type, String) else column


def key_of(table: Table, row: Row) -> Row:
    """The key of a row."""
    return tuple(value for column, value in zip(table.columns, row, strict=True) if column.primary_key)


def named(table: Table, row: Row) -> Mapping[str, Any]:
    """The values of a row by their columns."""
    return dict(zip(table.columns.keys(), row, strict=True))


def count_of(connection: Connection, table: Table) -> int:
    """How many rows a table has."""
    return connection.execute(select(func.count()).select_from(table)).scalar_one()


def digest_of(rows: Iterator[Row]) -> str:
    """The SHA-256 of rows, in hexadecimal: the same in every database."""
    digest = hashlib.sha256()
    for row in rows:
        digest.update(repr(tuple(_plain(value) for value in row)).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    return hashlib.sha256(value).digest() if isinstance(value, bytes) else value
