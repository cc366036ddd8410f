"""Who wants a substitute for their seat, who has one, and when the clock must see to it."""

import sqlalchemy as sa
from alembic import op

from pbmd.ledger.tables import UtcDateTime

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    op.add_column("game", sa.Column("substitutes_at", UtcDateTime(), nullable=True))
    op.create_table(
        "substitution",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), sa.ForeignKey("game.id"), nullable=False),
        sa.Column("seat_id", sa.Integer(), sa.ForeignKey("seat.id"), nullable=False),
        sa.Column("first", sa.Date(), nullable=False),
        sa.Column("last", sa.Date(), nullable=False),
        sa.Column("asked_at", UtcDateTime(), nullable=False),
        sa.Column("state", sa.String(20), nullable=False),
        sa.Column("named", sa.String(), nullable=False),
        sa.Column("look_at", UtcDateTime(), nullable=True),
        sa.Column("warned", sa.Boolean(), nullable=False),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("holder", sa.String(), nullable=False),
        sa.Column("timezone", sa.String(), nullable=False),
        sa.Column("other_address", sa.String(), nullable=False),
        sa.Column("report_files", sa.String(), nullable=False),
        sa.Column("calendar", sa.Boolean(), nullable=False),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_substitution_game", "substitution", ["game_id", "state"])
    op.create_index("ix_substitution_address", "substitution", ["address"])
    op.create_index("ix_substitution_seat_id", "substitution", ["seat_id"])


def downgrade() -> None:
    op.drop_table("substitution")
    op.drop_column("game", "substitutes_at")
