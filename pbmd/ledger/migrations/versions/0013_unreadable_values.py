"""Values that could not be read, and indexes of letters and mails in a state that there is not."""

import sqlalchemy as sa
from alembic import op

from pbmd.ledger.tables import UtcDateTime

revision = "0013"
down_revision = "0012"

_NO_STATE_OF_LETTERS = sa.text("state NOT IN ('new', 'held', 'done', 'quarantined')")
_NO_STATE_OF_MAILS = sa.text("state NOT IN ('queued', 'sending', 'sent', 'failed', 'held')")


def upgrade() -> None:
    op.create_table(
        "unreadablevalue",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("of_table", sa.String(), nullable=False),
        sa.Column("of_row", sa.String(), nullable=False),
        sa.Column("of_column", sa.String(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=True),
        sa.Column("found_at", UtcDateTime(timezone=True), nullable=False),
        sa.Column("settled_at", UtcDateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_unreadablevalue_row", "unreadablevalue", ["of_table", "of_row"])
    op.create_index("ix_unreadablevalue_game_id", "unreadablevalue", ["game_id"])
    _index("ix_letter_no_state", "letter", _NO_STATE_OF_LETTERS)
    _index("ix_outbox_no_state", "outbox", _NO_STATE_OF_MAILS)


def _index(name: str, table: str, only: sa.TextClause) -> None:
    op.create_index(name, table, ["state"], sqlite_where=only, postgresql_where=only)


def downgrade() -> None:
    op.drop_index("ix_outbox_no_state", "outbox")
    op.drop_index("ix_letter_no_state", "letter")
    op.drop_table("unreadablevalue")
