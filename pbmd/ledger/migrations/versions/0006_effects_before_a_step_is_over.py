"""What has its effect before a step is over: requests granted, and deadlines that depend on another seat's orders"""

import sqlalchemy as sa
from alembic import op

from pbmd.ledger.tables import UtcDateTime

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.add_column("game", sa.Column("meanwhile", sa.Text(), nullable=False, server_default=sa.text("'[]'")))
    op.add_column("seat", sa.Column("settled_at", UtcDateTime(), nullable=True))


def downgrade() -> None:
    op.drop_column("seat", "settled_at")
    op.drop_column("game", "meanwhile")
