"""What stands in the chain for a secret part that an archive has not shown"""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    op.add_column("journal", sa.Column("sealed", sa.String(), nullable=False, server_default=sa.text("''")))


def downgrade() -> None:
    op.drop_column("journal", "sealed")
