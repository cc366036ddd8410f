"""Which letter or mailbox an alarm is about, and whether the mail about it was held back."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    op.add_column("alarm", sa.Column("about", sa.String(), nullable=False, server_default=sa.text("''")))
    op.add_column("alarm", sa.Column("held", sa.Boolean(), nullable=False, server_default=sa.false()))


def downgrade() -> None:
    op.drop_column("alarm", "held")
    op.drop_column("alarm", "about")
