"""A pbmd that is newer than this one: its ledger has one table more."""

import shutil
from pathlib import Path

import pytest
from alembic.script import ScriptDirectory

from pbmd.ledger import database

LATER = "later"
HEAD = ScriptDirectory(str(database.MIGRATIONS)).get_current_head()
"""That of this pbmd."""
MIGRATION = f'''
import sqlalchemy as sa
from alembic import op

revision = "{LATER}"
down_revision = "{HEAD}"


def upgrade() -> None:
    op.add_column("letter", sa.Column("colour", sa.String(), nullable=False, server_default="blue"))


def downgrade() -> None:
    op.drop_column("letter", "colour")
'''


def be_newer(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """From here on ledgers are brought up to that."""
    migrations = folder / "migrations"
    shutil.copytree(database.MIGRATIONS, migrations)
    (migrations / "versions" / "later.py").write_text(MIGRATION)
    monkeypatch.setattr(database, "MIGRATIONS", migrations)
