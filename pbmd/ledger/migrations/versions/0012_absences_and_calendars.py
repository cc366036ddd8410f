"""Absences of players, and what stands in their calendars"""

import sqlalchemy as sa
from alembic import op

from pbmd.ledger.tables import UtcDateTime

revision = "0012"
down_revision = "0011"

_OF_SEATS = (
    ("absence_days", sa.Integer(), "0"),
    ("calendar", sa.Boolean(), "0"),
    ("calendar_shows", sa.String(), "''"),
    ("calendar_sequence", sa.Integer(), "0"),
)


def upgrade() -> None:
    for name, kind, default in _OF_SEATS:
        op.add_column("seat", sa.Column(name, kind, nullable=False, server_default=sa.text(default)))
    op.create_table(
        "absence",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("seat_id", sa.Integer(), nullable=False),
        sa.Column("first", sa.Date(), nullable=False),
        sa.Column("last", sa.Date(), nullable=False),
        sa.Column("told_at", UtcDateTime(), nullable=False),
        sa.Column("ended", sa.Boolean(), nullable=False, server_default=sa.text("0")),
        sa.Column("asked_step", sa.Integer(), nullable=False, server_default=sa.text("-1")),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"]),
        sa.ForeignKeyConstraint(["seat_id"], ["seat.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_absence_game", "absence", ["game_id", "last"])


def downgrade() -> None:
    op.drop_index("ix_absence_game", "absence")
    op.drop_table("absence")
    for name, *_ in reversed(_OF_SEATS):
        op.drop_column("seat", name)
