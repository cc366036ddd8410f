"""The ledger as it was at the first release."""

from collections.abc import Iterator
from typing import Any

import sqlalchemy as sa
from alembic import op

from pbmd.ledger.tables import MAIL_NUMBER, UtcDateTime

revision = "0001"
down_revision = None

_TABLES = (
    "alarm",
    "clock",
    "game",
    "log",
    "mailbox",
    "journal",
    "outage",
    "report",
    "seat",
    "sighting",
    "steprecord",
    "visitor",
    "absence",
    "letter",
    "outbox",
    "bounce",
    "confirmation",
    "request",
    "submission",
)


def upgrade() -> None:
    _alarm()
    _clock()
    _game()
    _log()
    _mailbox()
    _journal()
    _outage()
    _report()
    _seat()
    _sighting()
    _steprecord()
    _visitor()
    _absence()
    _letter()
    _outbox()
    _bounce()
    _confirmation()
    _request()
    _submission()


def downgrade() -> None:
    for table in reversed(_TABLES):
        op.drop_table(table)


def _of(kind: Any, *names: str, null: bool = False) -> Iterator[sa.Column[Any]]:
    """Columns of a kind."""
    for name in names:
        yield sa.Column(name, kind, nullable=null)


def _one_of(name: str, kind: str, *values: str) -> sa.Column[Any]:
    """A column with one of these values."""
    return sa.Column(name, sa.Enum(*values, name=kind, native_enum=False, length=20), nullable=False)


def _index(name: str, table: str, *columns: str, where: str = "") -> None:
    """An index, over the rows for which that holds if it is said."""
    only = sa.text(where) if where else None
    op.create_index(name, table, list(columns), sqlite_where=only, postgresql_where=only)


def _alarm() -> None:
    op.create_table(
        "alarm",
        *_of(sa.Integer(), "id"),
        *_of(sa.String(), "kind"),
        *_of(UtcDateTime(), "began"),
        *_of(UtcDateTime(), "mailed_at", "ended", null=True),
        sa.PrimaryKeyConstraint("id"),
    )


def _clock() -> None:
    op.create_table(
        "clock",
        *_of(sa.Integer(), "id"),
        *_of(sa.String(), "boot"),
        *_of(sa.Float(), "ahead"),
        *_of(sa.Boolean(), "proved"),
        *_of(UtcDateTime(), "doubted_at", null=True),
        *_of(sa.Text(), "doubt"),
        sa.PrimaryKeyConstraint("id"),
    )


def _game() -> None:
    op.create_table(
        "game",
        *_of(sa.Integer(), "id"),
        *_of(sa.String(), "name", "ruleset"),
        _one_of("status", "gamestatus", "signup", "running", "paused", "finished"),
        *_of(sa.Text(), "options", "terms", "position"),
        *_of(sa.Integer(), "turn", "step"),
        *_of(sa.String(), "step_name"),
        *_of(UtcDateTime(), "opened_at", "takes_from", "deadline", "due_at", "paused_at", "closed_at", null=True),
        *_of(sa.LargeBinary(), "secret"),
        *_of(sa.LargeBinary(), "salts", null=True),
        *_of(sa.Text(), "meanwhile", "press_waits"),
        *_of(sa.Integer(), "chain_number"),
        *_of(sa.String(), "chain_head"),
        *_of(sa.Integer(), "gm_generation"),
        *_of(UtcDateTime(), "created_at"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("name"),
    )
    _index("ix_game_due", "game", "due_at", where="status = 'running' AND due_at IS NOT NULL")


def _log() -> None:
    op.create_table(
        "log",
        *_of(sa.Integer(), "id"),
        *_of(UtcDateTime(), "at"),
        *_of(sa.String(), "game", "turn", "what", "seat"),
        *_of(sa.Text(), "detail", "cause"),
        sa.PrimaryKeyConstraint("id"),
    )
    _index("ix_log_game", "log", "game", "id")


def _mailbox() -> None:
    op.create_table(
        "mailbox",
        *_of(sa.Integer(), "id"),
        *_of(sa.String(), "name"),
        *_of(MAIL_NUMBER, "uidvalidity", "last_uid"),
        *_of(UtcDateTime(), "read_through", null=True),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("name"),
    )


def _journal() -> None:
    op.create_table(
        "journal",
        *_of(sa.Integer(), "id", "game_id", "number"),
        *_of(UtcDateTime(), "at"),
        *_of(sa.String(), "kind"),
        *_of(sa.Text(), "public", "secret"),
        *_of(sa.String(), "salt", "hash", "sealed"),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("game_id", "number"),
    )


def _outage() -> None:
    op.create_table(
        "outage",
        *_of(sa.Integer(), "id", "mailbox_id"),
        *_of(UtcDateTime(), "began"),
        *_of(UtcDateTime(), "ended", null=True),
        sa.ForeignKeyConstraint(["mailbox_id"], ["mailbox.id"]),
        sa.PrimaryKeyConstraint("id"),
    )


def _report() -> None:
    op.create_table(
        "report",
        *_of(sa.Integer(), "id", "game_id", "step", "turn"),
        *_of(sa.String(), "reader"),
        *_of(sa.Text(), "text", "html"),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("game_id", "step", "reader"),
    )


def _seat() -> None:
    op.create_table(
        "seat",
        *_of(sa.Integer(), "id", "game_id", "number"),
        *_of(sa.String(), "name", "address", "other_address"),
        *_of(UtcDateTime(), "unreachable_since", null=True),
        *_of(sa.String(), "holder", "timezone"),
        *_of(sa.Integer(), "token_generation"),
        _one_of("state", "seatstate", "active", "resigned"),
        *_of(sa.Boolean(), "waits"),
        *_of(UtcDateTime(), "deadline", null=True),
        *_of(sa.Integer(), "missed_step"),
        *_of(UtcDateTime(), "settled_at", null=True),
        *_of(sa.Integer(), "extended_minutes", "absence_days"),
        *_of(sa.Boolean(), "calendar"),
        *_of(sa.String(), "calendar_shows"),
        *_of(sa.Integer(), "calendar_sequence"),
        *_of(sa.Text(), "signup"),
        *_of(UtcDateTime(), "joined_at", null=True),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("game_id", "name"),
        sa.UniqueConstraint("game_id", "number"),
    )
    _index("ix_seat_address", "seat", "address")
    _index("ix_seat_game_id", "seat", "game_id")


def _sighting() -> None:
    op.create_table(
        "sighting",
        *_of(sa.Integer(), "mailbox_id"),
        *_of(MAIL_NUMBER, "uidvalidity", "uid"),
        *_of(sa.String(), "fingerprint"),
        sa.ForeignKeyConstraint(["mailbox_id"], ["mailbox.id"]),
        sa.PrimaryKeyConstraint("mailbox_id", "uidvalidity", "uid"),
    )
    _index("ix_sighting_fingerprint", "sighting", "fingerprint")


def _steprecord() -> None:
    op.create_table(
        "steprecord",
        *_of(sa.Integer(), "id", "game_id", "step", "turn"),
        *_of(sa.String(), "name"),
        *_of(UtcDateTime(), "resolved_at"),
        *_of(UtcDateTime(), "took_until", null=True),
        *_of(sa.String(), "cause"),
        *_of(sa.Text(), "deadlines", "before", "after", "events", "dice"),
        *_of(sa.LargeBinary(), "secret"),
        *_of(sa.LargeBinary(), "salts", null=True),
        *_of(sa.Integer(), "rolled_back"),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("game_id", "step"),
    )


def _visitor() -> None:
    op.create_table(
        "visitor",
        *_of(sa.Integer(), "id"),
        _one_of("kind", "visitorkind", "watch", "standby"),
        *_of(sa.Integer(), "game_id", null=True),
        *_of(sa.String(), "address", "holder"),
        *_of(UtcDateTime(), "since"),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    _index("ix_visitor_address", "visitor", "address")
    _index("ix_visitor_game", "visitor", "kind", "game_id")


def _absence() -> None:
    op.create_table(
        "absence",
        *_of(sa.Integer(), "id", "game_id", "seat_id"),
        *_of(sa.Date(), "first", "last"),
        *_of(UtcDateTime(), "told_at"),
        *_of(sa.Boolean(), "ended"),
        *_of(sa.Integer(), "asked_step"),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"]),
        sa.ForeignKeyConstraint(["seat_id"], ["seat.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    _index("ix_absence_game", "absence", "game_id", "last")


def _letter() -> None:
    op.create_table(
        "letter",
        *_of(sa.Integer(), "id"),
        *_of(sa.String(), "fingerprint"),
        *_of(MAIL_NUMBER, "uid"),
        *_of(UtcDateTime(), "arrived_at"),
        *_of(sa.Boolean(), "arrival_estimated"),
        *_of(sa.Integer(), "size"),
        *_of(sa.Boolean(), "truncated"),
        *_of(sa.LargeBinary(), "raw"),
        _one_of("state", "letterstate", "new", "held", "done", "quarantined"),
        *_of(sa.Integer(), "game_id", "seat_id", null=True),
        *_of(sa.Text(), "note"),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"]),
        sa.ForeignKeyConstraint(["seat_id"], ["seat.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("fingerprint"),
    )
    _index("ix_letter_game_id", "letter", "game_id")
    _index("ix_letter_held", "letter", "seat_id", "arrived_at", where="state = 'held'")
    _index("ix_letter_new", "letter", "arrived_at", "uid", where="state = 'new'")
    _index("ix_letter_quarantined", "letter", "arrived_at", where="state = 'quarantined'")


def _outbox() -> None:
    op.create_table(
        "outbox",
        *_of(sa.Integer(), "id"),
        *_of(sa.String(), "key", "kind"),
        *_of(sa.Integer(), "game_id", "seat_id", null=True),
        *_of(sa.String(), "recipient", "envelope_from", "message_id", "nonce", "answers"),
        *_of(sa.LargeBinary(), "raw"),
        _one_of("state", "outboxstate", "queued", "sending", "sent", "failed", "held"),
        *_of(sa.Integer(), "tries"),
        *_of(UtcDateTime(), "queued_at", "next_try_at"),
        *_of(UtcDateTime(), "sent_at", "bounced_at", null=True),
        *_of(sa.Text(), "error"),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"]),
        sa.ForeignKeyConstraint(["seat_id"], ["seat.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("key"),
    )
    _index("ix_outbox_game_id", "outbox", "game_id")
    _index("ix_outbox_given_up", "outbox", "state", where="state IN ('failed', 'held')")
    _index("ix_outbox_message_id", "outbox", "message_id")
    _index("ix_outbox_nonce", "outbox", "nonce")
    _index("ix_outbox_recipient", "outbox", "recipient", "queued_at")
    _index("ix_outbox_unsent", "outbox", "next_try_at", where="state IN ('queued', 'sending')")


def _bounce() -> None:
    op.create_table(
        "bounce",
        *_of(sa.Integer(), "id", "letter_id"),
        *_of(sa.Integer(), "outbox_id", null=True),
        *_of(sa.String(), "address"),
        *_of(UtcDateTime(), "at"),
        *_of(sa.Boolean(), "hard"),
        *_of(sa.String(), "status"),
        sa.ForeignKeyConstraint(["letter_id"], ["letter.id"]),
        sa.ForeignKeyConstraint(["outbox_id"], ["outbox.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("letter_id"),
    )
    _index("ix_bounce_address", "bounce", "address", "at")


def _confirmation() -> None:
    op.create_table(
        "confirmation",
        *_of(sa.Integer(), "id"),
        *_of(sa.Integer(), "game_id", "seat_id", "letter_id", null=True),
        *_of(sa.String(), "subject"),
        *_of(sa.Text(), "payload"),
        _one_of("state", "confirmationstate", "open", "confirmed", "refused", "expired"),
        *_of(UtcDateTime(), "asked_at", "expires_at"),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"]),
        sa.ForeignKeyConstraint(["letter_id"], ["letter.id"]),
        sa.ForeignKeyConstraint(["seat_id"], ["seat.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    _index("ix_confirmation_open", "confirmation", "seat_id", "state")


def _request() -> None:
    op.create_table(
        "request",
        *_of(sa.Integer(), "id", "game_id", "number"),
        *_of(sa.Integer(), "seat_id", "letter_id", null=True),
        *_of(sa.String(), "kind"),
        *_of(sa.Text(), "words", "payload"),
        _one_of("state", "requeststate", "open", "approved", "refused", "ended"),
        *_of(UtcDateTime(), "asked_at"),
        *_of(UtcDateTime(), "decided_at", null=True),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"]),
        sa.ForeignKeyConstraint(["letter_id"], ["letter.id"]),
        sa.ForeignKeyConstraint(["seat_id"], ["seat.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("game_id", "number"),
    )


def _submission() -> None:
    op.create_table(
        "submission",
        *_of(sa.Integer(), "id", "game_id", "seat_id", "step"),
        *_of(sa.Integer(), "letter_id", null=True),
        *_of(sa.Integer(), "number"),
        *_of(UtcDateTime(), "arrived_at"),
        *_of(sa.String(), "digest"),
        _one_of(
            "state", "submissionstate", "filed", "refused", "late", "replaced", "granted", "cancelled", "used", "rolled-back"
        ),
        *_of(sa.Text(), "orders", "verdicts"),
        *_of(sa.Integer(), "cancelled_by", null=True),
        sa.ForeignKeyConstraint(["cancelled_by"], ["letter.id"]),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"]),
        sa.ForeignKeyConstraint(["letter_id"], ["letter.id"]),
        sa.ForeignKeyConstraint(["seat_id"], ["seat.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    _index("ix_submission_step", "submission", "game_id", "step", "seat_id")
