"""Indexes for what the dashboard looks for: a game's lines of the log, letters put aside, mails given up"""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    quarantined, given_up = sa.text("state = 'quarantined'"), sa.text("state IN ('failed', 'held')")
    op.create_index("ix_letter_quarantined", "letter", ["arrived_at"], sqlite_where=quarantined, postgresql_where=quarantined)
    op.create_index("ix_outbox_given_up", "outbox", ["state"], sqlite_where=given_up, postgresql_where=given_up)
    op.create_index("ix_log_game", "log", ["game", "id"])


def downgrade() -> None:
    op.drop_index("ix_log_game", "log")
    op.drop_index("ix_outbox_given_up", "outbox")
    op.drop_index("ix_letter_quarantined", "letter")
