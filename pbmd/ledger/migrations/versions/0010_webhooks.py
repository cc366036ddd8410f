"""How far the news of games were posted, and an index of questions that are open."""

import sqlalchemy as sa
from alembic import op

from pbmd.ledger.tables import UtcDateTime

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    op.create_table(
        "webhook",
        sa.Column("game_id", sa.Integer(), sa.ForeignKey("game.id"), nullable=False),
        sa.Column("through", sa.Integer(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("next_try_at", UtcDateTime(), nullable=True),
        sa.PrimaryKeyConstraint("game_id"),
    )
    still = sa.text("state = 'open'")
    op.create_index("ix_confirmation_awaited", "confirmation", ["expires_at"], sqlite_where=still, postgresql_where=still)


def downgrade() -> None:
    op.drop_index("ix_confirmation_awaited", "confirmation")
    op.drop_table("webhook")
