"""Press that comes with the report, the order of sign-ups, and people without a seat: observers and the standby list"""

import sqlalchemy as sa
from alembic import op

from pbmd.ledger.tables import UtcDateTime

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    op.add_column("game", sa.Column("press_waits", sa.Text(), nullable=False, server_default=sa.text("'[]'")))
    op.add_column("seat", sa.Column("joined_at", UtcDateTime(), nullable=True))
    with op.batch_alter_table("confirmation") as table:
        table.alter_column("game_id", existing_type=sa.Integer(), nullable=True)
    op.create_table(
        "visitor",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=True),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("holder", sa.String(), nullable=False),
        sa.Column("since", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_visitor_address", "visitor", ["address"])
    op.create_index("ix_visitor_game", "visitor", ["kind", "game_id"])


def downgrade() -> None:
    op.drop_index("ix_visitor_game", "visitor")
    op.drop_index("ix_visitor_address", "visitor")
    op.drop_table("visitor")
    op.execute("DELETE FROM confirmation WHERE game_id IS NULL")
    with op.batch_alter_table("confirmation") as table:
        table.alter_column("game_id", existing_type=sa.Integer(), nullable=False)
    op.drop_column("seat", "joined_at")
    op.drop_column("game", "press_waits")
