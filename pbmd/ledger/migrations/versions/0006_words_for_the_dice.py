"""What letters bring back of their order forms: the head of a journal, and a word for the dice."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"

_NEW = (("submission", "head", ""), ("submission", "word", ""), ("steprecord", "words", "{}"))


def upgrade() -> None:
    for table, column, empty in _NEW:
        # With a default of the database the rows stay as they are, however many there are.
        kind = sa.Text() if table == "steprecord" else sa.String()
        op.add_column(table, sa.Column(column, kind, nullable=False, server_default=empty))


def downgrade() -> None:
    for table, column, _ in _NEW:
        op.drop_column(table, column)
