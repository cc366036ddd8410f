"""Ledgers of one run share what SQLAlchemy has made of statements: that takes longer than a database takes to answer.

SQLAlchemy keeps that for each engine, and by the engine's dialect; a test has an engine of its own. All dialects of the tests'
ledgers are alike, and so they are told to say.
"""

from typing import Any

from sqlalchemy import Engine
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.util import LRUCache
from sqlmodel import create_engine

from pbmd.ledger import database

_COMPILED = LRUCache[Any, Any](5000)


def share() -> None:
    """Let every ledger that is opened from now on share them."""
    SQLiteDialect_pysqlite.__eq__ = PGDialect_psycopg.__eq__ = _are_alike
    SQLiteDialect_pysqlite.__hash__ = PGDialect_psycopg.__hash__ = _hash_of_type
    database.create_engine = _sharing


def _are_alike(self: object, other: object) -> bool:
    return type(self) is type(other)


def _hash_of_type(self: object) -> int:
    return hash(type(self))


def _sharing(url: str, **how: Any) -> Engine:
    return create_engine(url, execution_options={"compiled_cache": _COMPILED}, **how)
