"""Wrong passwords that were tried, and the letters that wait for their player"""

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
    held = sa.text("state = 'held'")
    op.create_index("ix_letter_held", "letter", ["seat_id", "arrived_at"], sqlite_where=held, postgresql_where=held)


def downgrade() -> None:
    op.drop_index("ix_letter_held", table_name="letter")
    op.drop_index("ix_passwordtry_at", table_name="passwordtry")
    op.drop_table("passwordtry")
