"""The secret from which the salts of a step come; steps from before have none"""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    for table in ("game", "steprecord"):
        op.add_column(table, sa.Column("salts", sa.LargeBinary(), nullable=True))


def downgrade() -> None:
    for table in ("game", "steprecord"):
        op.drop_column(table, "salts")
