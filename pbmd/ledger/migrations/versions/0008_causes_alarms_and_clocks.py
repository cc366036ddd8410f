"""Causes of log lines, alarms, when the mailbox could not be read, and the clock that is trusted"""

import sqlalchemy as sa
from alembic import op

from pbmd.ledger.tables import UtcDateTime

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    op.add_column("log", sa.Column("cause", sa.Text(), nullable=False, server_default=sa.text("''")))
    op.create_table(
        "alarm",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("began", UtcDateTime(), nullable=False),
        sa.Column("mailed_at", UtcDateTime(), nullable=True),
        sa.Column("ended", UtcDateTime(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "outage",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("mailbox_id", sa.Integer(), nullable=False),
        sa.Column("began", UtcDateTime(), nullable=False),
        sa.Column("ended", UtcDateTime(), nullable=True),
        sa.ForeignKeyConstraint(["mailbox_id"], ["mailbox.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "clock",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("boot", sa.String(), nullable=False),
        sa.Column("ahead", sa.Float(), nullable=False),
        sa.Column("proved", sa.Boolean(), nullable=False),
        sa.Column("doubted_at", UtcDateTime(), nullable=True),
        sa.Column("doubt", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )


def downgrade() -> None:
    op.drop_table("clock")
    op.drop_table("outage")
    op.drop_table("alarm")
    op.drop_column("log", "cause")
