"""A row of the outbox is as long on its way out as when it was queued, so that SQLite does not write its mail again."""

import random
import sqlite3
from contextlib import closing

import pytest

from pbmd.desk.mail.draft import Draft
from pbmd.desk.mail.queue import mail_to
from pbmd.desk.sending.sender import send_due
from pbmd.desk.step.game_transaction import changing_games
from pbmd.ledger.tables import ROOM, OutboxState
from tests.desk.sending.test_sender import FakeSmtp
from tests.postgresql import about_files


@about_files
def test_sending_a_long_mail_does_not_write_it_again(world):
    noise = random.Random(1).randbytes(15_000).hex()
    with changing_games(world.desk) as work:
        mail_to(work, "a@players.test", Draft("notice", "notice a", "a subject", noise))
    ledger = world.desk.engine.url.database
    with closing(sqlite3.connect(ledger)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        assert send_due(world.desk, FakeSmtp().connect) == 1
        ((_, written, _),) = connection.execute("PRAGMA wal_checkpoint").fetchall()
        ((stored,),) = connection.execute("SELECT length(raw) FROM outbox").fetchall()
        (page,) = connection.execute("PRAGMA page_size").fetchone()
    assert stored > 15_000
    assert 0 < written * page < stored


@pytest.mark.parametrize("state", [OutboxState.QUEUED, OutboxState.SENDING, OutboxState.SENT])
def test_what_a_row_gains_its_room_loses(state):
    times = "2026-11-20 12:00:00.000000" if state is OutboxState.SENT else ""
    assert len(state + times + ROOM[state]) == 30
