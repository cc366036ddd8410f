"""Mails are compressed by words that nearly all have, which an older pbmd could not read, and have room to be changed in place;
and one more index is not written for each letter."""

import sqlalchemy as sa
from alembic import op

from pbmd.ledger.tables import is_packed, unpacked

revision = "0026"
down_revision = "0025"
_AT_ONCE = 100


def upgrade() -> None:
    op.drop_index("ix_outbox_message_id", "outbox")
    op.add_column("outbox", sa.Column("room", sa.String(), nullable=False, server_default=""))


def downgrade() -> None:
    for name in ("letter", "outbox"):
        _unpack(sa.table(name, sa.column("id", sa.Integer()), sa.column("raw", sa.LargeBinary())))
    op.drop_column("outbox", "room")
    op.create_index("ix_outbox_message_id", "outbox", ["message_id"])


def _unpack(mails: sa.TableClause) -> None:
    connection, after = op.get_bind(), 0
    while rows := connection.execute(
        sa.select(mails.c.id, mails.c.raw).where(mails.c.id > after).order_by(mails.c.id).limit(_AT_ONCE)
    ).all():
        for number, raw in rows:
            if isinstance(raw, bytes) and is_packed(raw):  # a value that cannot be read stays as it is
                connection.execute(mails.update().where(mails.c.id == number).values(raw=_plain(raw)))
        after = rows[-1][0]


def _plain(raw: bytes) -> bytes:
    try:
        return unpacked(raw)
    except ValueError:  # one that is spoiled keeps nobody from going back
        return b""
