"""The daemon is killed while it sends as fast as it can: no mail is lost, and next to none would go out twice."""

import random
from pathlib import Path

import pytest

from pbmd.desk.books.desk import open_desk
from pbmd.desk.mail.draft import Draft
from pbmd.desk.mail.queue import mail_to
from pbmd.desk.step.game_transaction import changing_games
from pbmd.ledger.tables import Outbox, OutboxState
from tests.acceptance.house import open_house
from tests.mailservers import Dovecot

MAILS = 1500
AT_MOST_TWICE = 40
"""What may wait to be written down (32), what is on the line, and what a write takes along."""

pytestmark = pytest.mark.dovecot


@pytest.mark.parametrize("seed", range(2))
def test_a_kill_in_full_flow_leaves_a_handful_of_mails_in_doubt(tmp_path: Path, dovecot: Dovecot, seed: int) -> None:
    with open_house(tmp_path, dovecot) as house:
        with house.settings_file.open("a") as file:
            file.write("[limits]\nmails_per_minute = 100000\n")
        desk = open_desk(house.settings)
        with changing_games(desk) as work:
            for number in range(MAILS):
                mail_to(work, f"p{number}@players.test", Draft("notice", f"notice {number}", "a subject", "a text"))
        desk.engine.dispose()
        chance = random.Random(seed)
        enough = chance.randint(150, 900)
        house.start()
        house.wait_until("some mails are out", lambda: len(house.sink.mails) > enough)
        house.kill()
        with house.sink.lock:
            taken = {recipient: len(mails) for recipient, mails in house.sink.mails.items()}
        assert len(taken) < MAILS, "it was too fast to be killed"
        assert set(taken.values()) == {1}
        rows = {row.recipient: row.state for row in house.rows(Outbox)}
        written = {recipient for recipient, state in rows.items() if state is OutboxState.SENT}
        assert written <= set(taken), "nothing counts as sent that was not taken"
        assert len(set(taken) - written) <= AT_MOST_TWICE
        assert {rows[recipient] for recipient in set(taken) - written} <= {OutboxState.SENDING}
