"""Whether the rows of the ledger can be loaded: each value is read as the plain thing that the database stores, and compared
with what the table expects. So a check finds what nobody could load without an error.

A file of SQLite keeps no types: one flipped bit, or one slip of a hand, and a time is no time, a number is a text, a state is
unknown. PostgreSQL keeps types, except within texts.
"""

import json
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any

from sqlalchemy import (
    Boolean,
    Column,
    Connection,
    Dialect,
    Float,
    LargeBinary,
    Table,
    Text,
    case,
    cast,
    func,
    literal,
    select,
    text,
    true,
    type_coerce,
)
from sqlalchemy.types import NullType, TypeDecorator
from sqlmodel import SQLModel

from pbmd.ledger.tables import (
    ARCHIVE_WAITS,
    AWAITED,
    GIVEN_UP,
    HELD,
    NEW,
    NO_STATE_OF_LETTERS,
    NO_STATE_OF_MAILS,
    QUARANTINED,
    UNSENT,
    PackedBytes,
    is_packed,
    unpacked,
)

Read = Callable[[Any], object]
"""Read a value as its user does; raises whatever that raises."""
Place = tuple[str, str]
"""A table and a column of it."""
ReadInRow = Callable[[Mapping[str, Any]], object]
"""Read a value that another column of its row explains, from the values of the row; raises whatever that raises."""
_AT_ONCE = {"yield_per": 500}
_NONE_IN_ROW: Mapping[Place, ReadInRow] = {}
_FEW: Mapping[str, int] = {}
"""A few rows are fetched all at once: when PostgreSQL is asked for some at a time, it keeps a cursor open in between."""
_CURRENT = text("(game_id, step) IN (SELECT id, step FROM game WHERE status <> 'finished')")
_ALL = (true(),)
_IN_USE: Mapping[str, tuple[Any, ...]] = {
    **dict.fromkeys(("game", "seat", "mailbox", "visitor", "withheld", "webhook", "absence"), _ALL),
    **dict.fromkeys(("outage", "clock", "host", "era", "alarm", "serverkey"), _ALL),
    "letter": (NEW, HELD, QUARANTINED, NO_STATE_OF_LETTERS),
    "outbox": (UNSENT, GIVEN_UP, NO_STATE_OF_MAILS),
    "confirmation": (AWAITED, text("state NOT IN ('open', 'confirmed', 'refused', 'expired')")),
    "request": (text("state NOT IN ('approved', 'refused', 'ended')"),),
    "archiverequest": (ARCHIVE_WAITS,),
    "submission": (_CURRENT,),
}
"""For each table that holds work still to be done: which of its rows are that work. They are few."""
_LONG: tuple[Place, ...] = (("game", "position"),)
"""Only the type of these is checked in rows that are in use: the game itself reads the value, and is stopped if that fails."""
_READ_SOON = (NEW, UNSENT)
"""Of the rows that are in use, those of which all of a mail is read: it is about to be dealt with, or to go out."""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A value that cannot be read, by its table, the key of its row as it is stored, and its column. `dangling`: it is a
    number, but of something that does not exist, or not in this game."""

    table: str
    key: tuple[tuple[str, Any], ...]
    column: str
    dangling: bool = False

    @property
    def row(self) -> str:
        """The key of the row in words: the values alone."""
        return " ".join(str(value) for _, value in self.key).encode("utf-8", "backslashreplace").decode()


def unreadable(
    connection: Connection, further: Mapping[Place, Read], in_row: Mapping[Place, ReadInRow] = _NONE_IN_ROW, *, in_use: bool
) -> list[Unreadable]:
    """All values that cannot be read: only in rows that are `in_use`, which takes no time, or in all rows, and then also those
    that point to nothing. `further` reads the texts of which the ledger knows nothing else, and `in_row` those that only their
    row explains."""
    found: list[Unreadable] = []
    with _any_text(connection):
        for look in _looks(type(connection.dialect), in_use):
            found += _seen(connection, look, further, in_row, at_once=_FEW if in_use else _AT_ONCE)
        if not in_use:
            found += _dangling(connection)
            found += _of_another_game(connection)
    return found


@dataclass(frozen=True, slots=True)
class _Look:
    """The query for a table, in SQL: its columns, how each is read and whether it may be null, and where the key is among
    them."""

    table: str
    statement: str
    columns: tuple[tuple[str, Read, bool], ...]
    keys: tuple[int, ...]


@cache  # for all engines: building statements takes much longer than the ledger takes to answer them
def _looks(dialect: "type[Dialect]", in_use: bool) -> tuple[_Look, ...]:
    looks: list[_Look] = []
    for table in SQLModel.metadata.sorted_tables:
        looks += [_look(dialect(), table, condition, in_use) for condition in (_IN_USE.get(table.name, ()) if in_use else _ALL)]
    return tuple(looks)


def _look(dialect: Dialect, table: Table, condition: Any, in_use: bool) -> _Look:
    reads_mails = not in_use or any(condition is each for each in _READ_SOON)
    asked = [_asked(dialect, table, column, in_use=in_use, reads_mails=reads_mails) for column in table.columns]
    labelled = [what.label(f"c{number}") for number, (what, _) in enumerate(asked)]
    columns = tuple((column.name, read, bool(column.nullable)) for column, (_, read) in zip(table.columns, asked, strict=True))
    keys = tuple(number for number, column in enumerate(table.columns) if column.primary_key)
    statement = select(*labelled).select_from(table).where(condition)
    return _Look(table.name, _written(statement, dialect), columns, keys)


def _written(statement: Any, dialect: Dialect) -> str:
    return str(statement.compile(dialect=dialect, compile_kwargs={"literal_binds": True}))


def _seen(
    connection: Connection,
    look: _Look,
    further: Mapping[Place, Read],
    in_row: Mapping[Place, ReadInRow],
    at_once: Mapping[str, int],
) -> Iterator[Unreadable]:
    names = [name for name, _, _ in look.columns]
    more = [further.get((look.table, name)) for name in names]
    explained = [(name, in_row[look.table, name]) for name in names if (look.table, name) in in_row]
    with connection.exec_driver_sql(look.statement, execution_options=at_once) as rows:
        for row in rows:
            wrong = [
                name
                for (name, read, nullable), value, and_so in zip(look.columns, row, more, strict=True)
                if not (nullable if value is None else _can_be_read(value, read, and_so))
            ]
            if explained and not wrong:
                values = dict(zip(names, row, strict=True))
                wrong = [name for name, read in explained if not _can_be_read(values, read, None)]
            for name in wrong:
                yield Unreadable(look.table, tuple((names[key], row[key]) for key in look.keys), name)


def _can_be_read(value: Any, read: Callable[[Any], object], further: Read | None) -> bool:
    try:
        read(value)
        if further is not None:
            further(value)
    except Exception:  # reading it may fail in any way
        return False
    return True


def _asked(dialect: Dialect, table: Table, column: "Column[Any]", *, in_use: bool, reads_mails: bool) -> tuple[Any, Read]:
    """What is selected for a column, and how the result is read."""
    if reads_mails and isinstance(column.type, PackedBytes):
        return type_coerce(column, NullType()), _read_mail
    is_long = isinstance(column.type, (LargeBinary, PackedBytes))
    if is_long or (in_use and (table.name, column.name) in _LONG):
        kind = "blob" if is_long else "text"
        asked = func.typeof(column) if dialect.name == "sqlite" else literal(kind)
        return case((column.is_(None), None), else_=asked), _is_of(kind)
    load, document = _loads(dialect, column), _document(column)

    def read(value: Any) -> None:
        load(value)
        if document is not None and not isinstance(json.loads(value), document):
            raise TypeError

    return type_coerce(column, NullType()), load if document is None else read


def _read_mail(value: Any) -> None:
    if not isinstance(value, bytes):
        raise TypeError
    if is_packed(value):
        unpacked(value)


def _is_of(kind: str) -> Read:
    def read(value: str) -> None:
        if value != kind:
            raise TypeError

    return read


def _loads(dialect: Dialect, column: "Column[Any]") -> Read:
    """As SQLAlchemy loads it, and of the type that it must be."""
    kind = column.type
    # A float is loaded as it is; and PostgreSQL's driver, which must know the type, cannot be asked for it.
    process = None if isinstance(kind, Float) else kind.dialect_impl(dialect).result_processor(dialect, None)
    wanted: tuple[type, ...] = (str,) if _is_text(kind) else (_python_type(kind),)
    if isinstance(kind, Float):
        wanted = (int, float)

    def load(value: Any) -> None:
        if isinstance(kind, Boolean) and value not in (0, 1):
            raise ValueError
        loaded = process(value) if process is not None else value
        if not isinstance(loaded, wanted) or (isinstance(value, str) and not _is_unicode(value)):
            raise TypeError

    return load


def _python_type(kind: Any) -> type:
    """For a type that wraps another and says nothing itself, as texts do in older versions of SQLModel, that of the wrapped
    one."""
    try:
        return kind.python_type
    except NotImplementedError:
        return kind.impl_instance.python_type


def _is_text(kind: Any) -> bool:
    return isinstance(kind, TypeDecorator) and isinstance(kind.impl_instance, LargeBinary)  # a text that is stored compressed


def _is_unicode(value: str) -> bool:
    return value.isascii() or not any("\udc80" <= char <= "\udcff" for char in value)


def _document(column: "Column[Any]") -> type | None:
    """The JSON that a column holds when it is empty; None if it holds no JSON."""
    empty = getattr(column.default, "arg", None)
    return type(json.loads(empty)) if empty in ("{}", "[]") else None


@contextmanager
def _any_text(connection: Connection) -> Generator[None]:
    """Let SQLite return texts that are not UTF-8, with the wrong bytes as lone surrogates."""
    if connection.dialect.name != "sqlite":
        yield
        return
    driver: Any = connection.connection.driver_connection
    before, driver.text_factory = driver.text_factory, _decoded
    try:
        yield
    finally:
        driver.text_factory = before


def _decoded(given: bytes) -> str:
    return given.decode("utf-8", "surrogateescape")


def plain(connection: Connection, of: Unreadable, column: str) -> Any:
    """A value of that row, as it is stored; None if the row is gone."""
    return plain_row(connection, of).get(column)


def plain_row(connection: Connection, of: Unreadable) -> dict[str, Any]:
    """All values of that row, as they are stored, by the names of their columns; none if the row is gone."""
    columns = SQLModel.metadata.tables[of.table].columns
    with _any_text(connection):
        row = connection.execute(select(*(type_coerce(column, NullType()) for column in columns)).where(*row_of(of))).first()
    return {} if row is None else dict(zip(columns.keys(), row, strict=True))


def row_of(of: Unreadable) -> list[Any]:
    """The conditions by which that row is found."""
    table = SQLModel.metadata.tables[of.table]
    return [type_coerce(table.c[name], NullType()) == _plain_value(value) for name, value in of.key]


def _plain_value(value: Any) -> Any:
    """As SQLite stores it, even if it is not UTF-8."""
    if isinstance(value, str) and not _is_unicode(value):
        return cast(literal(value.encode("utf-8", "surrogateescape")), Text)
    return type_coerce(literal(value), NullType())


def _of_another_game(connection: Connection) -> Iterator[Unreadable]:
    """Seats of another game than the row that names them, so that nobody finds them among those of its game."""
    seats = SQLModel.metadata.tables["seat"]
    for table in SQLModel.metadata.sorted_tables:
        if "game_id" in table.c and "seat_id" in table.c and table.c.seat_id.foreign_keys:
            keys = [*table.primary_key.columns]
            names = [key.name for key in keys]
            elsewhere = (seats.c.id == table.c.seat_id) & (seats.c.game_id != table.c.game_id)
            for values in connection.execute(select(*keys).select_from(table).join(seats, elsewhere)).all():
                yield Unreadable(table.name, tuple(zip(names, values, strict=True)), "seat_id", dangling=True)


def _dangling(connection: Connection) -> Iterator[Unreadable]:
    """References to rows that do not exist. PostgreSQL allows none."""
    if connection.dialect.name != "sqlite":
        return
    for name, rowid, _, number in connection.exec_driver_sql("PRAGMA foreign_key_check").all():
        references = connection.exec_driver_sql(f'PRAGMA foreign_key_list("{name}")').all()
        column = next(reference[3] for reference in references if reference[0] == number)
        table = SQLModel.metadata.tables[name]
        keys = list(table.primary_key.columns)
        plain_keys = select(*(type_coerce(key, NullType()) for key in keys)).where(text("rowid = :rowid"))
        values = connection.execute(plain_keys, {"rowid": rowid}).one()
        yield Unreadable(name, tuple(zip((key.name for key in keys), values, strict=True)), column, dangling=True)
