"""Which letter took orders back"""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    with op.batch_alter_table("submission", schema=None) as batch_op:
        batch_op.add_column(sa.Column("cancelled_by", sa.Integer(), nullable=True))
        batch_op.create_foreign_key("fk_submission_cancelled_by", "letter", ["cancelled_by"], ["id"])


def downgrade() -> None:
    with op.batch_alter_table("submission", schema=None) as batch_op:
        batch_op.drop_constraint("fk_submission_cancelled_by", type_="foreignkey")
        batch_op.drop_column("cancelled_by")
