"""Which games are of one series, and from when on the next of it takes sign-ups."""

import sqlalchemy as sa
from alembic import op

from pbmd.ledger.tables import UtcDateTime

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    op.add_column("game", sa.Column("series", sa.Integer(), nullable=True))
    op.add_column("game", sa.Column("opens_at", UtcDateTime(), nullable=True))
    op.create_index("ix_game_series", "game", ["series"])


def downgrade() -> None:
    op.drop_index("ix_game_series", "game")
    op.drop_column("game", "opens_at")
    op.drop_column("game", "series")
