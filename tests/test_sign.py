"""The sign that keeps a second pbmd away keeps nobody from the mailbox: it is a courtesy."""

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from sqlmodel import Session, col, select

from pbmd.daemon.sign import give_back, hold
from pbmd.desk.books.desk import utc_now
from pbmd.desk.ingest import read_mailbox
from pbmd.ledger.database import reading
from pbmd.ledger.tables import LogLine, Outbox
from pbmd.post.accounts import ImapAccount, Secret
from pbmd.post.imap.connection import InboxLost
from pbmd.post.imap.inbox import Inbox
from pbmd.post.imap.lock import FOLDER, RENEW_SECONDS, Installation, Lock
from tests.desk.world import World
from tests.mailservers import Dovecot, letter
from tests.post.scripted.imap import PASSWORD, ImapServer
from tests.post.scripted.server import Fault

HERE = Installation("aaaa", "apollo", "/srv/pbmd/data")
BROKEN_SIGN = Fault("UID FETCH", then="closes", part="BODY.PEEK[]<0.4000>")


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    world = World(tmp_path)
    world.desk = replace(world.desk, now=utc_now)
    yield world
    world.close()


class Clock:
    """Seconds as the test wants them."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def scripted_inbox(server: ImapServer) -> Inbox:
    secret = Secret.literal(PASSWORD)
    return Inbox(ImapAccount(host="127.0.0.1", port=server.port, tls="none", user="gm", secret=secret, processed="leave"))


def told(world: World, what: str) -> list[str]:
    with Session(reading(world.desk.engine)) as session:
        return list(session.exec(select(LogLine.detail).where(LogLine.what == what).order_by(col(LogLine.id))))


def reads_without_a_sign(world: World, inbox: Inbox) -> tuple[Lock, Clock]:
    """Hold the sign, in vain, and read all the same."""
    clock = Clock()
    lock = Lock(HERE, clock=clock)
    inbox.connect()
    hold(world.desk, inbox, lock)
    assert read_mailbox(world.desk, inbox) == 1
    assert not lock.held
    assert not lock.due
    [alarm] = told(world, "alarm")
    assert alarm.startswith("the mailbox is read without its sign: ")
    assert "looking for another pbmd: " in alarm
    with Session(reading(world.desk.engine)) as session:
        [mail] = session.exec(select(Outbox).where(Outbox.kind == "alarm")).all()
    assert mail.recipient == world.desk.settings.server.gm
    return lock, clock


def test_a_server_that_ends_the_connection_over_the_sign_is_read_without_it_until_it_is_well(world: World) -> None:
    with ImapServer() as server, closing(scripted_inbox(server)) as inbox:
        server.deliver(b"Subject: 1\r\n\r\nSTATUS\r\n")
        with server.having(BROKEN_SIGN):
            lock, clock = reads_without_a_sign(world, inbox)
            assert server.struck(BROKEN_SIGN) == 2
            hold(world.desk, inbox, lock)  # at the next connection
            assert server.struck(BROKEN_SIGN) == 2, "it is not tried again so soon"
        clock.now += RENEW_SECONDS
        hold(world.desk, inbox, lock)
        assert lock.held
        assert told(world, "all-clear") == ["no more: the mailbox is read without its sign; the sign is up again"]
        give_back(inbox, lock)
    assert len(told(world, "alarm")) == 1


def test_a_connection_that_is_lost_once_over_the_sign_is_made_anew_and_the_sign_put_up(world: World) -> None:
    with ImapServer(replace(BROKEN_SIGN, times=1)) as server, closing(scripted_inbox(server)) as inbox:
        inbox.connect()
        lock = Lock(HERE)
        hold(world.desk, inbox, lock)
        assert lock.held
        assert [b"mark" in message.raw for message in server.folders[FOLDER].messages] == [True]
    assert told(world, "alarm") == []


def test_a_server_at_which_nothing_works_is_an_outage_and_not_a_matter_of_the_sign(world: World) -> None:
    gone = Fault("SELECT", then="closes")
    with ImapServer(gone) as server, closing(scripted_inbox(server)) as inbox:
        inbox.connect()
        lock = Lock(HERE)
        with pytest.raises(InboxLost, match="opening INBOX"):
            hold(world.desk, inbox, lock)
    assert lock.due
    assert told(world, "alarm") == []


def empty(file: Path) -> None:
    file.write_bytes(b"")


def shorter_than_its_name_says(file: Path) -> None:
    file.rename(file.with_name(f"{file.name.partition(',')[0]},S=9999:2,"))


@pytest.mark.dovecot
@pytest.mark.parametrize("breaks", [empty, shorter_than_its_name_says])
def test_a_broken_file_in_its_folder_on_dovecot_does_not_lock_pbmd_out(
    world: World, dovecot: Dovecot, breaks: Callable[[Path], object]
) -> None:
    user = dovecot.new_user()
    dovecot.deliver(user, letter())
    with closing(Inbox(dovecot.account(user))) as before:
        before.connect()
        before.hold(Lock(HERE))
    [sign] = [path for path in (dovecot.base / "mail" / user / f".{FOLDER}").rglob("*,S=*") if path.is_file()]
    breaks(sign)
    with closing(Inbox(dovecot.account(user, processed="leave"))) as inbox:
        lock, _ = reads_without_a_sign(world, inbox)
        assert lock.given_up
