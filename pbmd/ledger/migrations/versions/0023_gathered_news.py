"""What a mail that waits for more of the same kind tells so far."""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"


def upgrade() -> None:
    op.add_column("outbox", sa.Column("gathered", sa.Text(), nullable=False, server_default=""))


def downgrade() -> None:
    op.drop_column("outbox", "gathered")
