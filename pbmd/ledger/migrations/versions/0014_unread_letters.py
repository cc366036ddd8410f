"""Where letters lie whose text the mail server does not give, and whether deadlines wait for them."""

import sqlalchemy as sa
from alembic import op

from pbmd.ledger.tables import MAIL_NUMBER, UtcDateTime

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    op.create_table(
        "unreadletter",
        sa.Column("letter_id", sa.Integer(), sa.ForeignKey("letter.id"), nullable=False),
        sa.Column("mailbox_id", sa.Integer(), sa.ForeignKey("mailbox.id"), nullable=False),
        sa.Column("uidvalidity", MAIL_NUMBER, nullable=False),
        sa.Column("uid", MAIL_NUMBER, nullable=False),
        sa.Column("aside_at", UtcDateTime(), nullable=False),
        sa.Column("tried_at", UtcDateTime(), nullable=False),
        sa.Column("given_up_at", UtcDateTime(), nullable=True),
        sa.PrimaryKeyConstraint("letter_id"),
    )
    op.create_index("ix_unreadletter_mailbox_id", "unreadletter", ["mailbox_id"])


def downgrade() -> None:
    op.drop_index("ix_unreadletter_mailbox_id", "unreadletter")
    op.drop_table("unreadletter")
