"""Ledgers of one run share what SQLAlchemy has made of statements: that takes longer than SQLite takes to answer.

SQLAlchemy keeps that for each engine, and by the engine's dialect; a test has an engine of its own. All dialects of the tests'
ledgers are alike, and so they are told to say.
"""

from typing import Any

from sqlalchemy import Engine
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.util import LRUCache
from sqlmodel import create_engine

from pbmd.ledger import database

_COMPILED = LRUCache[Any, Any](5000)


def share() -> None:
    """Let every ledger that is opened from now on share them."""
    SQLiteDialect_pysqlite.__eq__ = lambda self, other: type(self) is type(other)
    SQLiteDialect_pysqlite.__hash__ = lambda self: hash(type(self))
    database.create_engine = _sharing


def _sharing(url: str, **how: Any) -> Engine:
    return create_engine(url, execution_options={"compiled_cache": _COMPILED}, **how)
