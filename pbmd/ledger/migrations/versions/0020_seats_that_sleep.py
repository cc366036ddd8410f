"""Which seats sleep, from when on what is missed counts, and what was missed by somebody who had said that they are away."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"


def upgrade() -> None:
    op.add_column("seat", sa.Column("asleep_since", sa.Integer(), nullable=False, server_default=sa.text("-1")))
    op.add_column("seat", sa.Column("counted_from", sa.Integer(), nullable=False, server_default=sa.text("0")))
    op.add_column("seat", sa.Column("seated_from", sa.Integer(), nullable=False, server_default=sa.text("0")))
    op.add_column("stepplayed", sa.Column("away", sa.Boolean(), nullable=False, server_default=sa.false()))


def downgrade() -> None:
    op.drop_column("stepplayed", "away")
    op.drop_column("seat", "seated_from")
    op.drop_column("seat", "counted_from")
    op.drop_column("seat", "asleep_since")
