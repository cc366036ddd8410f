"""The era stands in the ledger itself, where PostgreSQL has it, too."""

import sqlalchemy as sa
from alembic import op

from pbmd.ledger import postgresql

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.create_table(
        "era",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("place", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    connection = op.get_bind()
    is_file = connection.dialect.name == "sqlite"
    number = connection.exec_driver_sql("PRAGMA user_version").scalar_one() if is_file else 0
    era = sa.table("era", sa.column("id"), sa.column("number"), sa.column("place"))
    connection.execute(sa.insert(era).values(id=1, number=number, place="" if is_file else postgresql.identity(connection)))


def downgrade() -> None:
    op.drop_table("era")
