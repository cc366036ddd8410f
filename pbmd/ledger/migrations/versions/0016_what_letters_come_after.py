"""From which arrival on letters are of a step, as opposed to when pbmd came to open it"""

import sqlalchemy as sa
from alembic import op

from pbmd.ledger.tables import UtcDateTime

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    op.add_column("game", sa.Column("takes_from", UtcDateTime(), nullable=True))
    op.add_column("steprecord", sa.Column("took_until", UtcDateTime(), nullable=True))
    op.execute("UPDATE game SET takes_from = opened_at")
    op.execute("UPDATE steprecord SET took_until = resolved_at")


def downgrade() -> None:
    op.drop_column("steprecord", "took_until")
    op.drop_column("game", "takes_from")
