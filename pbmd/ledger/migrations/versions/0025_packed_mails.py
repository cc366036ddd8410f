"""Mails are stored compressed, which an older pbmd could not read; and two indexes are not written for each letter."""

import zlib

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"
_PACKED = b"\0z"
_AT_ONCE = 100
_OF_GAMES = sa.text("game_id IS NOT NULL")


def upgrade() -> None:
    op.drop_index("ix_sighting_fingerprint", "sighting")
    op.drop_index("ix_letter_game_id", "letter")
    op.create_index("ix_letter_game_id", "letter", ["game_id"], sqlite_where=_OF_GAMES)


def downgrade() -> None:
    for name in ("letter", "outbox"):
        _unpack(sa.table(name, sa.column("id", sa.Integer()), sa.column("raw", sa.LargeBinary())))
    op.drop_index("ix_letter_game_id", "letter")
    op.create_index("ix_letter_game_id", "letter", ["game_id"])
    op.create_index("ix_sighting_fingerprint", "sighting", ["fingerprint"])


def _unpack(mails: sa.TableClause) -> None:
    connection, after = op.get_bind(), 0
    while rows := connection.execute(
        sa.select(mails.c.id, mails.c.raw).where(mails.c.id > after).order_by(mails.c.id).limit(_AT_ONCE)
    ).all():
        for number, raw in rows:
            if isinstance(raw, bytes) and raw.startswith(_PACKED):  # a value that cannot be read stays as it is
                connection.execute(mails.update().where(mails.c.id == number).values(raw=_plain(raw)))
        after = rows[-1][0]


def _plain(raw: bytes) -> bytes:
    try:
        return zlib.decompress(raw[len(_PACKED) :])
    except zlib.error:  # one that is spoiled keeps nobody from going back
        return b""
