"""Several hosts work on one ledger: whose clock, whose alarm, who sends a mail; and the hosts themselves."""

from typing import Any

import sqlalchemy as sa
from alembic import op

from pbmd.ledger.tables import UtcDateTime

revision = "0003"
down_revision = "0002"

_SENT = sa.text("sent_at IS NOT NULL")
_OF_A_CLOCK = ("boot", "ahead", "proved", "doubted_at", "doubt")


def upgrade() -> None:
    for table, column in (("outbox", "sender"), ("alarm", "host")):
        # With a default of the database the rows stay as they are, however many there are.
        op.add_column(table, sa.Column(column, sa.String(), nullable=False, server_default=""))
    op.create_index("ix_outbox_sent", "outbox", ["sent_at"], sqlite_where=_SENT, postgresql_where=_SENT)
    _remake_clock(sa.Column("host", sa.String(), primary_key=True), {"host": ""})
    op.create_table(
        "host",
        *(sa.Column(name, sa.String(), nullable=False) for name in ("name", "does", "hostname", "version", "key", "mailbox")),
        sa.Column("rulesets", sa.Text(), nullable=False),
        sa.Column("seen_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("name", "does"),
    )
    op.create_table(
        "serverkey",
        sa.Column("digest", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("digest"),
    )


def downgrade() -> None:
    op.drop_table("serverkey")
    op.drop_table("host")
    _remake_clock(sa.Column("id", sa.Integer(), primary_key=True), {"id": 1})
    op.drop_index("ix_outbox_sent", "outbox")
    op.drop_column("alarm", "host")
    op.drop_column("outbox", "sender")


def _remake_clock(key: sa.Column[Any], value: dict[str, Any]) -> None:
    """Make the table of clocks anew with another key; the first row is kept, and `value` its key."""
    ledger = op.get_bind()
    rows = ledger.execute(sa.select(*_clock_columns()).select_from(sa.table("clock"))).mappings().all()
    op.drop_table("clock")
    made = op.create_table("clock", key, *_clock_columns())
    if rows:
        ledger.execute(sa.insert(made).values(**rows[0], **value))


def _clock_columns() -> list[sa.Column[Any]]:
    kinds = (sa.String(), sa.Float(), sa.Boolean(), UtcDateTime(), sa.Text())
    return [sa.Column(name, kind, nullable=name == "doubted_at") for name, kind in zip(_OF_A_CLOCK, kinds, strict=True)]
