"""Votes of the players."""

import sqlalchemy as sa
from alembic import op

from pbmd.ledger.tables import UtcDateTime

revision = "0021"
down_revision = "0020"

_STATES = sa.Enum("open", "passed", "failed", "vetoed", "ended", name="votestate", native_enum=False, length=20)
_WAITS = sa.text("due_at IS NOT NULL")


def upgrade() -> None:
    op.create_table(
        "vote",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), sa.ForeignKey("game.id"), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("entry", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("seat_id", sa.Integer(), sa.ForeignKey("seat.id"), nullable=False),
        sa.Column("step", sa.Integer(), nullable=False),
        sa.Column("state", _STATES, nullable=False),
        sa.Column("due_at", UtcDateTime(), nullable=True),
        sa.Column("decided_at", UtcDateTime(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("game_id", "number"),
    )
    op.create_index("ix_vote_due", "vote", ["due_at"], sqlite_where=_WAITS)


def downgrade() -> None:
    op.drop_table("vote")
