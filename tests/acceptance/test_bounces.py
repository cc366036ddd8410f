"""A real Postfix returns a mail, and pbmd knows which one it was."""

import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from pbmd.desk.books.desk import utc_now
from pbmd.desk.changes import deadline_changes
from pbmd.desk.ingest import read_mailbox
from pbmd.desk.mailroom import process_letters
from pbmd.desk.sending.sender import send_due
from pbmd.ledger.tables import Bounce, OutboxState
from pbmd.post.imap.inbox import Inbox
from pbmd.post.smtp.client import Smtp
from pbmd.settings import Imap, Server
from pbmd.settings import Smtp as SmtpSettings
from tests.desk.world import World
from tests.mailservers import DOMAIN, PASSWORD, Postfix

PATIENCE_SECONDS = 300.0
pytestmark = [pytest.mark.dovecot, pytest.mark.postfix]


@pytest.fixture(params=[True, False], ids=["own return path", "by message-id"])
def world(tmp_path: Path, postfix: Postfix, request: pytest.FixtureRequest) -> Iterator[World]:
    """A desk at a mailbox of the servers; its mail goes to Postfix."""
    user = postfix.dovecot.new_user()
    world = World(tmp_path)
    base = {"host": "127.0.0.1", "tls": "none"}
    settings = world.desk.settings.model_copy(
        update={
            "server": Server(address=f"{user}@{DOMAIN}", gm=f"gm{user}@{DOMAIN}", data=tmp_path),
            "imap": Imap(**base, port=postfix.dovecot.imap_port, user=user, password=PASSWORD),
            "smtp": SmtpSettings(**base, port=postfix.smtp_port, bounce_address=request.param),
        }
    )
    world.desk = replace(world.desk, now=utc_now, settings=settings)
    with closing(world):
        yield world


def test_mails_that_postfix_returns_are_known_and_their_players_marked(world: World) -> None:
    world.count(seats=("Altair", "Borealis"))
    for name in ("Altair", "Borealis"):
        with world.changed(name) as seat:
            # Postfix takes it, and Dovecot has no user of such a name.
            seat.address = f"{name.lower()}!@{DOMAIN}"
    world.act("galaxy-7", deadline_changes.extend, timedelta(hours=1), "the game master")
    desk = world.desk
    send_due(desk, lambda: Smtp(desk.settings.smtp_account()))
    notices = world.outbox("notice")
    assert [mail.state for mail in notices] == [OutboxState.SENT] * 2
    inbox = Inbox(desk.settings.imap_account(), now=desk.now)
    inbox.connect()
    try:
        ends = time.monotonic() + PATIENCE_SECONDS
        while len(world.letters()) < 2:
            assert time.monotonic() < ends, "no bounce has come"
            read_mailbox(desk, inbox)
            time.sleep(0.1)
    finally:
        inbox.close()
    process_letters(desk)
    assert all(mail.bounced_at for mail in world.outbox("notice"))
    found = {(row.outbox_id, row.address, row.hard, row.status) for row in world.rows(Bounce)}
    assert found == {(mail.id, mail.recipient, True, "5.1.1") for mail in notices}
    assert {line.seat for line in world.log("unreachable")} == {"Altair", "Borealis"}
    assert world.outbox("acknowledgement") == []
    assert world.submissions() == []
