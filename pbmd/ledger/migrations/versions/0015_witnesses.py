"""How often each witness has signed, and from which address their key came."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    op.add_column("endorsement", sa.Column("times", sa.Integer(), nullable=False, server_default=sa.text("1")))
    op.add_column("endorsement", sa.Column("whose", sa.String(), nullable=False, server_default=sa.text("''")))


def downgrade() -> None:
    op.drop_column("endorsement", "whose")
    op.drop_column("endorsement", "times")
