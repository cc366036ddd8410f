"""Which games open the next one, who waits only until they have sent orders, and which steps the holders of seats met."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    op.add_column("game", sa.Column("standing", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("seat", sa.Column("waits_for_orders", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.create_table(
        "stepplayed",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), sa.ForeignKey("game.id"), nullable=False),
        sa.Column("step", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("whose", sa.String(), nullable=False),
        sa.Column("met", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("game_id", "step", "seat"),
    )
    op.create_index("ix_stepplayed_whose", "stepplayed", ["whose"])


def downgrade() -> None:
    op.drop_table("stepplayed")
    op.drop_column("seat", "waits_for_orders")
    op.drop_column("game", "standing")
