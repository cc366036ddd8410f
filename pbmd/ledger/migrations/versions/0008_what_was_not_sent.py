"""What is still to be told: to the game master in a digest, and to whom brakes kept mails back from."""

import sqlalchemy as sa
from alembic import op

from pbmd.ledger.tables import UtcDateTime

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    op.add_column("game", sa.Column("digest_at", UtcDateTime(), nullable=True))
    waits = sa.text("digest_at IS NOT NULL")
    op.create_index("ix_game_digest", "game", ["digest_at"], sqlite_where=waits, postgresql_where=waits)
    op.create_table(
        "withheld",
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("mails", sa.Integer(), nullable=False),
        sa.Column("first_at", UtcDateTime(), nullable=False),
        sa.Column("last_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("address", "reason"),
    )


def downgrade() -> None:
    op.drop_table("withheld")
    op.drop_index("ix_game_digest", "game")
    op.drop_column("game", "digest_at")
