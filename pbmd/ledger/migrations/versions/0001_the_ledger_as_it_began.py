"""The ledger as it began"""

import sqlalchemy as sa
from alembic import op

from pbmd.ledger.tables import UtcDateTime

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "game",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("ruleset", sa.String(), nullable=False),
        sa.Column(
            "status",
            sa.Enum("signup", "running", "paused", "finished", name="gamestatus", native_enum=False, length=20),
            nullable=False,
        ),
        sa.Column("options", sa.Text(), nullable=False),
        sa.Column("terms", sa.Text(), nullable=False),
        sa.Column("position", sa.Text(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("step", sa.Integer(), nullable=False),
        sa.Column("opened_at", UtcDateTime(), nullable=True),
        sa.Column("deadline", UtcDateTime(), nullable=True),
        sa.Column("due_at", UtcDateTime(), nullable=True),
        sa.Column("paused_at", UtcDateTime(), nullable=True),
        sa.Column("secret", sa.LargeBinary(), nullable=False),
        sa.Column("chain_number", sa.Integer(), nullable=False),
        sa.Column("chain_head", sa.String(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("name"),
    )
    with op.batch_alter_table("game", schema=None) as batch_op:
        batch_op.create_index(
            "ix_game_due",
            ["due_at"],
            unique=False,
            sqlite_where=sa.text("status = 'running' AND due_at IS NOT NULL"),
            postgresql_where=sa.text("status = 'running' AND due_at IS NOT NULL"),
        )

    op.create_table(
        "log",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", UtcDateTime(), nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("turn", sa.String(), nullable=False),
        sa.Column("what", sa.String(), nullable=False),
        sa.Column("seat", sa.String(), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "mailbox",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("uidvalidity", sa.Integer(), nullable=False),
        sa.Column("last_uid", sa.Integer(), nullable=False),
        sa.Column("read_through", UtcDateTime(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("name"),
    )
    op.create_table(
        "journal",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("at", UtcDateTime(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("public", sa.Text(), nullable=False),
        sa.Column("secret", sa.Text(), nullable=False),
        sa.Column("salt", sa.String(), nullable=False),
        sa.Column("hash", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["game_id"],
            ["game.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("game_id", "number"),
    )
    op.create_table(
        "report",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("step", sa.Integer(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("reader", sa.String(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("html", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["game_id"],
            ["game.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("game_id", "step", "reader"),
    )
    op.create_table(
        "seat",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("holder", sa.String(), nullable=False),
        sa.Column("timezone", sa.String(), nullable=False),
        sa.Column("token_generation", sa.Integer(), nullable=False),
        sa.Column("state", sa.Enum("active", "resigned", name="seatstate", native_enum=False, length=20), nullable=False),
        sa.Column("waits", sa.Boolean(), nullable=False),
        sa.Column("deadline", UtcDateTime(), nullable=True),
        sa.Column("missed_step", sa.Integer(), nullable=False),
        sa.Column("extended_minutes", sa.Integer(), nullable=False),
        sa.Column("signup", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["game_id"],
            ["game.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("game_id", "name"),
        sa.UniqueConstraint("game_id", "number"),
    )
    with op.batch_alter_table("seat", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_seat_address"), ["address"], unique=False)
        batch_op.create_index(batch_op.f("ix_seat_game_id"), ["game_id"], unique=False)

    op.create_table(
        "sighting",
        sa.Column("mailbox_id", sa.Integer(), nullable=False),
        sa.Column("uidvalidity", sa.Integer(), nullable=False),
        sa.Column("uid", sa.Integer(), nullable=False),
        sa.Column("fingerprint", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["mailbox_id"],
            ["mailbox.id"],
        ),
        sa.PrimaryKeyConstraint("mailbox_id", "uidvalidity", "uid"),
    )
    with op.batch_alter_table("sighting", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_sighting_fingerprint"), ["fingerprint"], unique=False)

    op.create_table(
        "steprecord",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("step", sa.Integer(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("resolved_at", UtcDateTime(), nullable=False),
        sa.Column("cause", sa.String(), nullable=False),
        sa.Column("deadlines", sa.Text(), nullable=False),
        sa.Column("before", sa.Text(), nullable=False),
        sa.Column("after", sa.Text(), nullable=False),
        sa.Column("events", sa.Text(), nullable=False),
        sa.Column("dice", sa.Text(), nullable=False),
        sa.Column("secret", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["game_id"],
            ["game.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("game_id", "step"),
    )
    op.create_table(
        "letter",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("fingerprint", sa.String(), nullable=False),
        sa.Column("uid", sa.Integer(), nullable=False),
        sa.Column("arrived_at", UtcDateTime(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("truncated", sa.Boolean(), nullable=False),
        sa.Column("raw", sa.LargeBinary(), nullable=False),
        sa.Column(
            "state", sa.Enum("new", "done", "quarantined", name="letterstate", native_enum=False, length=20), nullable=False
        ),
        sa.Column("game_id", sa.Integer(), nullable=True),
        sa.Column("seat_id", sa.Integer(), nullable=True),
        sa.Column("note", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["game_id"],
            ["game.id"],
        ),
        sa.ForeignKeyConstraint(
            ["seat_id"],
            ["seat.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("fingerprint"),
    )
    with op.batch_alter_table("letter", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_letter_game_id"), ["game_id"], unique=False)
        batch_op.create_index(
            "ix_letter_new",
            ["arrived_at", "uid"],
            unique=False,
            sqlite_where=sa.text("state = 'new'"),
            postgresql_where=sa.text("state = 'new'"),
        )

    op.create_table(
        "outbox",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=True),
        sa.Column("seat_id", sa.Integer(), nullable=True),
        sa.Column("recipient", sa.String(), nullable=False),
        sa.Column("envelope_from", sa.String(), nullable=False),
        sa.Column("message_id", sa.String(), nullable=False),
        sa.Column("raw", sa.LargeBinary(), nullable=False),
        sa.Column(
            "state",
            sa.Enum("queued", "sending", "sent", "failed", "held", name="outboxstate", native_enum=False, length=20),
            nullable=False,
        ),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("queued_at", UtcDateTime(), nullable=False),
        sa.Column("next_try_at", UtcDateTime(), nullable=False),
        sa.Column("sent_at", UtcDateTime(), nullable=True),
        sa.Column("error", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["game_id"],
            ["game.id"],
        ),
        sa.ForeignKeyConstraint(
            ["seat_id"],
            ["seat.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("key"),
    )
    with op.batch_alter_table("outbox", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_outbox_game_id"), ["game_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_outbox_message_id"), ["message_id"], unique=False)
        batch_op.create_index(
            "ix_outbox_unsent",
            ["next_try_at"],
            unique=False,
            sqlite_where=sa.text("state IN ('queued', 'sending')"),
            postgresql_where=sa.text("state IN ('queued', 'sending')"),
        )

    op.create_table(
        "submission",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("seat_id", sa.Integer(), nullable=False),
        sa.Column("step", sa.Integer(), nullable=False),
        sa.Column("letter_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("arrived_at", UtcDateTime(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column(
            "state",
            sa.Enum(
                "filed",
                "refused",
                "late",
                "replaced",
                "cancelled",
                "used",
                name="submissionstate",
                native_enum=False,
                length=20,
            ),
            nullable=False,
        ),
        sa.Column("orders", sa.Text(), nullable=False),
        sa.Column("verdicts", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["game_id"],
            ["game.id"],
        ),
        sa.ForeignKeyConstraint(
            ["letter_id"],
            ["letter.id"],
        ),
        sa.ForeignKeyConstraint(
            ["seat_id"],
            ["seat.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("submission", schema=None) as batch_op:
        batch_op.create_index("ix_submission_step", ["game_id", "step", "seat_id"], unique=False)


def downgrade() -> None:
    with op.batch_alter_table("submission", schema=None) as batch_op:
        batch_op.drop_index("ix_submission_step")

    op.drop_table("submission")
    with op.batch_alter_table("outbox", schema=None) as batch_op:
        batch_op.drop_index(
            "ix_outbox_unsent",
            sqlite_where=sa.text("state IN ('queued', 'sending')"),
            postgresql_where=sa.text("state IN ('queued', 'sending')"),
        )
        batch_op.drop_index(batch_op.f("ix_outbox_message_id"))
        batch_op.drop_index(batch_op.f("ix_outbox_game_id"))

    op.drop_table("outbox")
    with op.batch_alter_table("letter", schema=None) as batch_op:
        batch_op.drop_index("ix_letter_new", sqlite_where=sa.text("state = 'new'"), postgresql_where=sa.text("state = 'new'"))
        batch_op.drop_index(batch_op.f("ix_letter_game_id"))

    op.drop_table("letter")
    op.drop_table("steprecord")
    with op.batch_alter_table("sighting", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_sighting_fingerprint"))

    op.drop_table("sighting")
    with op.batch_alter_table("seat", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_seat_game_id"))
        batch_op.drop_index(batch_op.f("ix_seat_address"))

    op.drop_table("seat")
    op.drop_table("report")
    op.drop_table("journal")
    op.drop_table("mailbox")
    op.drop_table("log")
    with op.batch_alter_table("game", schema=None) as batch_op:
        batch_op.drop_index(
            "ix_game_due",
            sqlite_where=sa.text("status = 'running' AND due_at IS NOT NULL"),
            postgresql_where=sa.text("status = 'running' AND due_at IS NOT NULL"),
        )

    op.drop_table("game")
