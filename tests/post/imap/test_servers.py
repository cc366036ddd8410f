"""What servers were seen to do at a search, in IDLE, and with the sign in ``pbmd-lock``."""

import logging
import select
import socket
from collections.abc import Generator
from contextlib import contextmanager

import pytest

from pbmd.post.accounts import ImapAccount, Secret
from pbmd.post.imap.connection import InboxLost
from pbmd.post.imap.fetched import Watermark
from pbmd.post.imap.inbox import MOST_SILENCES, Inbox
from pbmd.post.imap.lock import FOLDER, Installation, Lock
from tests.post.scripted.faults import fault
from tests.post.scripted.imap import CAPABILITIES, PASSWORD, ImapServer, letter
from tests.post.scripted.server import Fault

HERE = Installation("aaaa", "apollo", "/srv/pbmd/data")


@contextmanager
def inbox_of(server: ImapServer, timeout_seconds: float = 60, **changes: object) -> Generator[Inbox]:
    account = ImapAccount(
        host="127.0.0.1",
        port=server.port,
        tls="none",
        user="gm",
        secret=Secret.literal(PASSWORD),
        timeout_seconds=timeout_seconds,
        **changes,  # pyright: ignore[reportArgumentType]
    )
    inbox = Inbox(account)
    try:
        inbox.connect()
        yield inbox
    finally:
        inbox.close()


def texts(inbox: Inbox) -> list[bytes]:
    return [each.raw for batch in inbox.scan(Watermark(0, 0)) for each in batch]


def searches(server: ImapServer) -> list[str]:
    return [command for command in server.heard if command.startswith("UID SEARCH")]


def test_a_search_that_is_answered_in_many_lines_finds_all() -> None:
    letters = [letter(number) for number in range(1, 251)]
    with ImapServer(fault("search in lines")) as server, inbox_of(server) as inbox:
        server.deliver(*letters)
        assert texts(inbox) == letters


@pytest.mark.parametrize(
    "answer",
    [
        fault("esearch only"),
        Fault("UID SEARCH", ("* SEARCH", "{tag} OK done")),
        Fault("UID SEARCH", ("{tag} OK done",)),
    ],
    ids=["ESEARCH", "an empty line", "no line"],
)
def test_a_search_that_finds_nothing_in_a_folder_with_letters_is_no_evidence(answer: Fault) -> None:
    with ImapServer() as server, inbox_of(server) as inbox:
        server.deliver(letter(1), letter(2))
        with server.having(answer), pytest.raises(InboxLost):
            texts(inbox)
        assert texts(inbox) == [letter(1), letter(2)]


def test_letters_that_have_all_gone_since_the_folder_was_opened_are_no_contradiction() -> None:
    server = ImapServer()

    class Leaving(Inbox):
        def _select(self, *, while_scanning: bool = False) -> tuple[int, int, int]:
            told = super()._select(while_scanning=while_scanning)
            server.inbox.messages.clear()
            return told

    with server:
        server.deliver(letter(1))
        account = ImapAccount(host="127.0.0.1", port=server.port, tls="none", user="gm", secret=Secret.literal(PASSWORD))
        inbox = Leaving(account)
        inbox.connect()
        assert texts(inbox) == []
        inbox.close()
    assert len(searches(server)) == 1


def test_in_an_empty_folder_nothing_is_searched() -> None:
    with ImapServer(fault("search refused")) as server, inbox_of(server) as inbox:
        assert texts(inbox) == []
        with server.having(Fault("APPEND", ("{tag} NO no room",))):
            inbox.hold(Lock(HERE))  # its folder is made, and stays empty
        assert searches(server) == []


def test_a_server_that_never_agrees_to_idle_is_asked_at_intervals_and_that_is_told_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    near, far = socket.socketpair()
    with near, far, ImapServer(fault("idle never agreed to")) as server:
        with inbox_of(server, timeout_seconds=0.5, poll_seconds=0.05) as inbox:
            for _ in range(MOST_SILENCES):
                inbox.connect()
                with pytest.raises(InboxLost, match="beginning IDLE"):
                    inbox.wait(60, near)
            inbox.connect()
            for _ in range(3):
                inbox.wait(60, near)
        assert not select.select([near], [], [], 0)[0]
        assert server.heard.count("IDLE") == MOST_SILENCES
    assert len([line for line in caplog.messages if "promises IDLE and never agrees to it" in line]) == 1


def test_one_silence_at_idle_is_a_lost_connection_and_no_more() -> None:
    near, far = socket.socketpair()
    server = ImapServer(fault("idle never agreed to", times=1))
    with near, far, server, inbox_of(server, timeout_seconds=0.5) as inbox:
        with pytest.raises(InboxLost):
            inbox.wait(60, near)
        inbox.connect()
        far.send(b"x")
        inbox.wait(60, near)
        assert inbox.agrees_to_idle()
    assert server.heard.count("IDLE") == 3


def test_whether_a_server_agrees_to_idle_is_tried() -> None:
    with ImapServer(fault("idle refused")) as server, inbox_of(server) as inbox:
        inbox.look()
        assert not inbox.agrees_to_idle()


def test_that_letters_stay_where_they_are_is_told_once(caplog: pytest.LogCaptureFixture) -> None:
    with ImapServer(capabilities="IMAP4rev1 AUTH=PLAIN") as server, inbox_of(server) as inbox:
        server.deliver(letter(1), letter(2), letter(3))
        for uid in (1, 2, 3):
            inbox.connect()
            assert not inbox.tidy([uid])
    assert len([line for line in caplog.messages if "processed letters stay where they are" in line]) == 1


class TestSign:
    def test_is_put_up_though_the_server_will_not_tell_its_namespace(self, caplog: pytest.LogCaptureFixture) -> None:
        with ImapServer(fault("not connected", at="NAMESPACE")) as server, inbox_of(server) as inbox:
            lock = Lock(HERE)
            inbox.hold(lock)
            assert lock.held
            assert len(server.folders[FOLDER].messages) == 1
        assert caplog.record_tuples == [each for each in caplog.record_tuples if each[1] < logging.WARNING]

    @pytest.mark.parametrize("gmail", [False, True])
    def test_leaves_nothing_behind_where_deleting_only_takes_a_label_away(self, gmail: bool) -> None:
        listed = Fault("LIST", (r'* LIST (\Trash) "/" "[Gmail]/Trash"', "{tag} OK done"), part="*")
        capabilities = f"{CAPABILITIES} SPECIAL-USE{' X-GM-EXT-1' if gmail else ''}"
        with ImapServer(listed, capabilities=capabilities) as server, inbox_of(server) as inbox:
            server.folders["[Gmail]/Trash"] = type(server.inbox)()
            lock = Lock(HERE)
            for _ in range(3):
                inbox.hold(lock)
            inbox.release(lock)
            assert not server.folders[FOLDER].messages
            assert len(server.folders["[Gmail]/Trash"].messages) == (3 if gmail else 0)
            assert any(command.startswith("EXPUNGE") for command in server.heard) != gmail


@pytest.mark.parametrize(
    ("size", "missing"), [("52000", 52000 - 300), ("600", 0), ("1200", 0), ("1400", 1100), ("0", 0), ("4294967295", 0)]
)
def test_of_a_letter_of_which_less_than_half_comes_it_is_told_how_much_is_missing(size: str, missing: int) -> None:
    raw = letter(1).ljust(300, b"x")
    with ImapServer(Fault("UID FETCH", uid=1, told={"RFC822.SIZE": size})) as server, inbox_of(server) as inbox:
        server.deliver(raw)
        [[fetched]] = inbox.scan(Watermark(0, 0))
    assert (fetched.raw, fetched.missing_bytes) == (raw, missing)
