"""What the rules call a step, where a turn has several"""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    for table, column in (("game", "step_name"), ("steprecord", "name")):
        name = sa.Column(column, sa.String(), nullable=False, server_default=sa.text("''"))
        op.add_column(table, name)


def downgrade() -> None:
    op.drop_column("steprecord", "name")
    op.drop_column("game", "step_name")
