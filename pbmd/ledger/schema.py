"""Which schema a ledger has, and which is the newest that this version of pbmd knows."""

import re
from pathlib import Path

from sqlalchemy import Engine, inspect

_NAMED = re.compile(r'^(down_)?revision = "(\w+)"$', re.MULTILINE)


class WrongSchema(Exception):
    """A ledger that cannot be brought up to date; `foreign` if it has what no version up to this one knows."""

    def __init__(self, problem: str, *, foreign: bool) -> None:
        super().__init__(problem)
        self.foreign = foreign


def schema_of(engine: Engine) -> set[str]:
    """The last migrations that a database has had: one, or none. Raises `sqlalchemy.exc.SQLAlchemyError`."""
    with engine.connect() as connection:
        if not inspect(connection).has_table("alembic_version"):
            return set()
        return set(connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalars())


def is_newest(schema: set[str], migrations: Path) -> bool:
    """Whether that is the last of the migrations in a folder."""
    named = _named(migrations)
    return schema == {name for down, name in named if not down} - {name for down, name in named if down}


def is_older(schema: set[str], migrations: Path) -> bool:
    """Whether that is one of the migrations in a folder, and not the last."""
    return schema <= {name for down, name in _named(migrations) if down}


def _named(migrations: Path) -> list[tuple[str, str]]:
    """All migrations; the name of the one that a migration follows has "down_" before it, in a pair of its own."""
    texts = [path.read_text(encoding="utf-8") for path in (migrations / "versions").glob("*.py")]
    return [(found[1] or "", found[2]) for text in texts for found in _NAMED.finditer(text)]
