"""Which mails brakes kept back, until their recipients are told."""

import sqlalchemy as sa
from alembic import op

from pbmd.ledger.tables import UtcDateTime

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    op.create_table(
        "withheld",
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("mails", sa.Integer(), nullable=False),
        sa.Column("first_at", UtcDateTime(), nullable=False),
        sa.Column("last_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("address", "reason"),
    )


def downgrade() -> None:
    op.drop_table("withheld")
