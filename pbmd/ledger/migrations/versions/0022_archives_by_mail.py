"""Who has asked for the archive of a game by mail. Nobody else signs the heads of journals, and no outside service says when
they were."""

import sqlalchemy as sa
from alembic import op

from pbmd.ledger.tables import UtcDateTime

revision = "0022"
down_revision = "0021"

_WAITS = sa.text("next_try_at IS NOT NULL")
_UNSENT = sa.text("sent_at IS NULL")


def upgrade() -> None:
    op.drop_index("ix_stamp_waits", "stamp")
    op.drop_table("stamp")
    op.drop_table("endorsement")
    op.execute(sa.text("DELETE FROM alarm WHERE kind = 'stamp'"))
    op.create_table(
        "archiverequest",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), sa.ForeignKey("game.id"), nullable=False),
        sa.Column("seat_id", sa.Integer(), nullable=False),
        sa.Column("visitor_id", sa.Integer(), nullable=False),
        sa.Column("asked_at", UtcDateTime(), nullable=False),
        sa.Column("sent_at", UtcDateTime(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("game_id", "seat_id", "visitor_id"),
    )
    op.create_index("ix_archive_waits", "archiverequest", ["asked_at"], sqlite_where=_UNSENT, postgresql_where=_UNSENT)


def downgrade() -> None:
    op.drop_table("archiverequest")
    op.create_table(
        "endorsement",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), sa.ForeignKey("game.id"), nullable=False),
        sa.Column("entry", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("at", UtcDateTime(), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("times", sa.Integer(), nullable=False, server_default=sa.text("1")),
        sa.Column("whose", sa.String(), nullable=False, server_default=sa.text("''")),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("game_id", "key"),
    )
    op.create_table(
        "stamp",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), sa.ForeignKey("game.id"), nullable=False),
        sa.Column("entry", sa.Integer(), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("proof", sa.LargeBinary(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("next_try_at", UtcDateTime(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("game_id", "entry"),
    )
    op.create_index("ix_stamp_waits", "stamp", ["next_try_at"], sqlite_where=_WAITS, postgresql_where=_WAITS)
