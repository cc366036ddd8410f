"""Questions that no letter of a player led to: the game master offers a seat, or is asked"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    with op.batch_alter_table("confirmation") as table:
        table.alter_column("letter_id", existing_type=sa.Integer(), nullable=True)
        table.alter_column("seat_id", existing_type=sa.Integer(), nullable=True)


def downgrade() -> None:
    with op.batch_alter_table("confirmation") as table:
        table.alter_column("letter_id", existing_type=sa.Integer(), nullable=False)
        table.alter_column("seat_id", existing_type=sa.Integer(), nullable=False)
