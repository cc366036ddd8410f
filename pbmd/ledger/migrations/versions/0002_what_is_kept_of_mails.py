"""Pictures of mails are kept once, and the pages of reports compressed."""

import sqlalchemy as sa
from alembic import op

from pbmd.ledger.tables import CompressedText

revision = "0002"
down_revision = "0001"

_AT_ONCE = 100


def upgrade() -> None:
    op.create_table(
        "picture",
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("digest"),
    )
    op.create_table(
        "pictureinmail",
        sa.Column("mail", sa.String(), nullable=False),
        sa.Column("at", sa.Integer(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["mail"], ["outbox.key"]),
        sa.ForeignKeyConstraint(["digest"], ["picture.digest"]),
        sa.PrimaryKeyConstraint("mail", "at"),
    )
    op.create_index("ix_pictureinmail_digest", "pictureinmail", ["digest"])
    _rewrite(sa.Text(), CompressedText())


def downgrade() -> None:
    _rewrite(CompressedText(), sa.Text())
    op.drop_table("pictureinmail")
    op.drop_table("picture")


def _rewrite(old: sa.types.TypeEngine[str], new: sa.types.TypeEngine[str]) -> None:
    """Keep the pages of reports in another way."""
    op.add_column("report", sa.Column("page", new, nullable=False, server_default=""))
    report = sa.table("report", sa.column("id", sa.Integer()), sa.column("html", old), sa.column("page", new))
    connection = op.get_bind()
    ids = [row.id for row in connection.execute(sa.select(report.c.id))]
    for some in [ids[at : at + _AT_ONCE] for at in range(0, len(ids), _AT_ONCE)]:
        for row in connection.execute(sa.select(report.c.id, report.c.html).where(report.c.id.in_(some))).all():
            connection.execute(sa.update(report).where(report.c.id == row.id).values(page=row.html))
    with op.batch_alter_table("report") as table:
        table.drop_column("html")
        table.alter_column("page", new_column_name="html", server_default=None)
