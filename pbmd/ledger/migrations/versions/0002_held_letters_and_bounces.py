"""Held letters and their confirmation, bounces, and what the brakes of the outbox look at"""

import sqlalchemy as sa
from alembic import op

from pbmd.ledger.tables import UtcDateTime

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.add_column("letter", sa.Column("arrival_estimated", sa.Boolean(), nullable=False, server_default="0"))
    op.add_column("seat", sa.Column("other_address", sa.String(), nullable=False, server_default=sa.text("''")))
    op.add_column("seat", sa.Column("unreachable_since", UtcDateTime(), nullable=True))
    op.add_column("seat", sa.Column("password", sa.String(), nullable=False, server_default=sa.text("''")))
    op.add_column("outbox", sa.Column("nonce", sa.String(), nullable=False, server_default=sa.text("''")))
    op.add_column("outbox", sa.Column("answers", sa.String(), nullable=False, server_default=sa.text("''")))
    op.add_column("outbox", sa.Column("bounced_at", UtcDateTime(), nullable=True))
    op.create_index("ix_outbox_nonce", "outbox", ["nonce"])
    op.create_index("ix_outbox_recipient", "outbox", ["recipient", "queued_at"])
    op.create_table(
        "confirmation",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("seat_id", sa.Integer(), nullable=False),
        sa.Column("letter_id", sa.Integer(), nullable=False),
        sa.Column("subject", sa.String(), nullable=False),
        sa.Column("payload", sa.Text(), nullable=False),
        sa.Column(
            "state",
            sa.Enum("open", "confirmed", "refused", "expired", name="confirmationstate", native_enum=False, length=20),
            nullable=False,
        ),
        sa.Column("asked_at", UtcDateTime(), nullable=False),
        sa.Column("expires_at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"]),
        sa.ForeignKeyConstraint(["seat_id"], ["seat.id"]),
        sa.ForeignKeyConstraint(["letter_id"], ["letter.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_confirmation_open", "confirmation", ["seat_id", "state"])
    op.create_table(
        "bounce",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("letter_id", sa.Integer(), nullable=False),
        sa.Column("outbox_id", sa.Integer(), nullable=True),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("at", UtcDateTime(), nullable=False),
        sa.Column("hard", sa.Boolean(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["letter_id"], ["letter.id"]),
        sa.ForeignKeyConstraint(["outbox_id"], ["outbox.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("letter_id"),
    )
    op.create_index("ix_bounce_address", "bounce", ["address", "at"])


def downgrade() -> None:
    op.drop_index("ix_bounce_address", "bounce")
    op.drop_table("bounce")
    op.drop_index("ix_confirmation_open", "confirmation")
    op.drop_table("confirmation")
    op.drop_index("ix_outbox_recipient", "outbox")
    op.drop_index("ix_outbox_nonce", "outbox")
    for table, column in (
        ("outbox", "bounced_at"),
        ("outbox", "answers"),
        ("outbox", "nonce"),
        ("seat", "password"),
        ("seat", "unreachable_since"),
        ("seat", "other_address"),
        ("letter", "arrival_estimated"),
    ):
        op.drop_column(table, column)
