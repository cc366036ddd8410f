"""Who has agreed to be listed among the results of games, and under which name."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"


def upgrade() -> None:
    state = sa.Enum("listed", "ended", "barred", name="listingstate", native_enum=False, length=20)
    op.create_table(
        "listedplayer",
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("state", state, nullable=False),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("address"),
        sa.UniqueConstraint("name"),
    )


def downgrade() -> None:
    op.drop_table("listedplayer")
