"""Whither a ledger was moved, and whence one comes."""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"


def upgrade() -> None:
    for name in ("left_for", "arrives_from"):
        op.add_column("era", sa.Column(name, sa.String(), nullable=False, server_default=sa.text("''")))


def downgrade() -> None:
    for name in ("arrives_from", "left_for"):
        op.drop_column("era", name)
