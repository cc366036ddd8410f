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


def is_newest(engine: Engine, migrations: Path) -> bool:
    """Whether a database has all of the migrations in a folder. Raises `sqlalchemy.exc.SQLAlchemyError`."""
    with engine.connect() as connection:
        if not inspect(connection).has_table("alembic_version"):
            return False
        has = set(connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalars())
    return has == _last(migrations)


def _last(migrations: Path) -> set[str]:
    """The migrations after which none comes."""
    texts = [path.read_text(encoding="utf-8") for path in (migrations / "versions").glob("*.py")]
    named = [found.groups() for text in texts for found in _NAMED.finditer(text)]
    return {name for down, name in named if not down} - {name for down, name in named if down}
