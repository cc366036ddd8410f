"""Wrong passwords that were tried"""

import sqlalchemy as sa
from alembic import op

from pbmd.ledger.tables import UtcDateTime

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.create_table(
        "passwordtry",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("seat_id", sa.Integer(), nullable=False),
        sa.Column("at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(["seat_id"], ["seat.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_passwordtry_at", "passwordtry", ["at", "seat_id"])


def downgrade() -> None:
    op.drop_index("ix_passwordtry_at", table_name="passwordtry")
    op.drop_table("passwordtry")
