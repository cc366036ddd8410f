"""Digests of what is kept of a game. Those of games that are there are taken when they are written the next time."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    op.add_column("game", sa.Column("digests", sa.Text(), nullable=False, server_default=sa.text("'{}'")))


def downgrade() -> None:
    op.drop_column("game", "digests")
