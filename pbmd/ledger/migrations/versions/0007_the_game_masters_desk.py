"""The game master's desk: requests that wait for a word, a token of the game master, steps that were rolled back"""

import sqlalchemy as sa
from alembic import op

from pbmd.ledger.tables import UtcDateTime

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.add_column("game", sa.Column("gm_generation", sa.Integer(), nullable=False, server_default=sa.text("1")))
    op.add_column("game", sa.Column("closed_at", UtcDateTime(), nullable=True))
    op.add_column("steprecord", sa.Column("rolled_back", sa.Integer(), nullable=False, server_default=sa.text("0")))
    op.create_table(
        "request",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("seat_id", sa.Integer(), nullable=True),
        sa.Column("letter_id", sa.Integer(), nullable=True),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("words", sa.Text(), nullable=False),
        sa.Column("payload", sa.Text(), nullable=False),
        sa.Column("state", sa.String(20), nullable=False),
        sa.Column("asked_at", UtcDateTime(), nullable=False),
        sa.Column("decided_at", UtcDateTime(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"]),
        sa.ForeignKeyConstraint(["letter_id"], ["letter.id"]),
        sa.ForeignKeyConstraint(["seat_id"], ["seat.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("game_id", "number"),
    )


def downgrade() -> None:
    op.drop_table("request")
    op.drop_column("steprecord", "rolled_back")
    op.drop_column("game", "closed_at")
    op.drop_column("game", "gm_generation")
