"""Orders of imported games, whose letters stay in the archive"""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    with op.batch_alter_table("submission") as table:
        table.alter_column("letter_id", existing_type=sa.Integer(), nullable=True)


def downgrade() -> None:
    with op.batch_alter_table("submission") as table:
        table.alter_column("letter_id", existing_type=sa.Integer(), nullable=False)
