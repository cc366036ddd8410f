"""Alembic at work. It takes a tenth of a second to load, so it is loaded only for a ledger that is not up to date."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.script.revision import ResolutionError
from alembic.util.exc import CommandError

from pbmd.ledger.schema import WrongSchema


def upgrade(url: str, migrations: Path) -> None:
    """Apply all migrations that a database has not had yet. Raises `WrongSchema` and `sqlalchemy.exc.SQLAlchemyError`."""
    config = Config()
    config.set_main_option("script_location", str(migrations))
    config.set_main_option("sqlalchemy.url", url.replace("%", "%%"))
    try:
        command.upgrade(config, "head")
    except CommandError as problem:
        raise WrongSchema(str(problem), foreign=isinstance(problem.__cause__, ResolutionError)) from problem
