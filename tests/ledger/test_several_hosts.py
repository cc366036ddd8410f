"""A ledger from before several hosts could share one is brought up to date, and keeps what it has."""

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from sqlalchemy import text
from sqlmodel import SQLModel

from pbmd.ledger import database
from pbmd.ledger.database import migrate, open_engine, sqlite_url

_CLOCK = "INSERT INTO clock (id, boot, ahead, proved, doubt) VALUES (1, 'a start', 12.5, true, '')"
_MAIL = """INSERT INTO outbox (key, kind, recipient, envelope_from, message_id, nonce, answers, raw, state, tries, queued_at,
    next_try_at, error) VALUES ('k', 'notice', 'a@players.test', '', '<m>', '', '', 'bytes', 'sending', 1,
    '2026-11-20 12:00:00', '2026-11-20 12:00:00', '')"""
_ALARM = "INSERT INTO alarm (kind, began) VALUES ('clock', '2026-11-20 12:00:00')"


@pytest.fixture(params=["sqlite", "postgresql"])
def old(request, tmp_path):
    """The address of such a ledger."""
    if request.param == "sqlite":
        url = sqlite_url(tmp_path / "ledger.sqlite")
        migrate(url)
    else:
        url = request.getfixturevalue("postgresql").new_ledger()
    go_back(url)
    return url


def go_back(url):
    """Make a ledger one from before."""
    config = Config()
    config.set_main_option("script_location", str(database.MIGRATIONS))
    config.set_main_option("sqlalchemy.url", url.replace("%", "%%"))
    command.downgrade(config, "0002")


def look(url, *statements):
    """What the ledger gives for each of these."""
    engine = open_engine(url)
    try:
        with engine.begin() as connection:
            found = [connection.execute(text(each)) for each in statements]
            return [tuple(each.one()) if each.returns_rows else None for each in found]
    finally:
        engine.dispose()


def test_its_rows_are_of_the_host_that_it_had(old):
    look(old, _CLOCK, _MAIL, _ALARM)
    migrate(old)
    assert look(
        old,
        "SELECT host, boot, ahead, proved FROM clock",
        "SELECT key, state, sender FROM outbox",
        "SELECT kind, host FROM alarm",
    ) == [("", "a start", 12.5, True), ("k", "sending", ""), ("clock", "")]


def test_its_tables_are_as_those_of_a_new_one(old):
    migrate(old)
    engine = open_engine(old)
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True, "compare_server_default": True})
        assert compare_metadata(context, SQLModel.metadata) == []
    engine.dispose()


def test_another_clock_has_room_then(old):
    look(old, _CLOCK)
    migrate(old)
    look(old, "INSERT INTO clock (host, boot, ahead, proved, doubt) VALUES ('b2', 'another', 0, false, '')")
    assert look(old, "SELECT count(*) FROM clock") == [(2,)]


def test_it_can_go_back(old):
    look(old, _CLOCK, _MAIL)
    migrate(old)
    go_back(old)
    assert look(old, "SELECT id, boot FROM clock", "SELECT key FROM outbox") == [(1, "a start"), ("k",)]
