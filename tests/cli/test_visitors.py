"""`pbmd visitors`."""

import json
from datetime import UTC, datetime
from email.message import EmailMessage

from pbmd.desk.books.desk import open_desk
from pbmd.desk.ingest import store
from pbmd.desk.mailroom import process_letters
from pbmd.ledger.tables import Outbox
from pbmd.post.imap.fetched import Fetched
from pbmd.settings import read_settings
from tests.cli.conftest import Home
from tests.desk.world import message_of


def receive(home: Home, uid: int, text: str, *, to: str = "games@pbmd.test", subject: str = "hello") -> None:
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"], mail["Message-ID"] = "dora@players.test", to, subject, f"<{uid}@players.test>"
    mail.set_content(text)
    raw = mail.as_bytes()
    desk = open_desk(read_settings(home.settings))
    store(desk, "INBOX", [Fetched(1, uid, datetime.now(UTC), len(raw), raw, truncated=False)])
    process_letters(desk)
    desk.engine.dispose()


def test_nobody_is_said_in_words(home: Home) -> None:
    home.start_game()
    assert "Nobody watches a game or stands by for a seat." in home.run("visitors").output


def test_who_has_confirmed_is_listed(home: Home) -> None:
    home.start_game()
    receive(home, 1, "STANDBY ALL")
    assert json.loads(home.run("visitors", "--json").output) == []
    question = message_of(home.rows(Outbox)[-1])
    receive(home, 2, "YES", to=str(question["Reply-To"]), subject=f"Re: {question['Subject']}")
    (row,) = json.loads(home.run("visitors", "--json").output)
    assert (row["what"], row["game"], row["address"]) == ("standby", "", "dora@players.test")
    shown = home.run("visitors").output
    assert "dora@players.test" in shown
    assert "all" in shown
