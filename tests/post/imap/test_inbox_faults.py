"""The inbox against servers that fail, lie, or lack extensions: a scripted peer plays one side of the conversation."""

import base64
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime, timedelta
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest

from pbmd.post.accounts import ImapAccount, Secret
from pbmd.post.imap import inbox as inbox_module
from pbmd.post.imap.connection import InboxLost, LoginRefused, NoText
from pbmd.post.imap.fetched import Watermark, batches
from pbmd.post.imap.inbox import Inbox

NOON = datetime(2026, 3, 1, 12, 0, 0, tzinfo=UTC)
BEGINNING = Watermark(0, 0)
PASSWORD = "s3cret"
SOON = 60.0
"""So soon ends what need not wait for anything, however slow the machine is."""


class Peer:
    """The server's side of one connection."""

    def __init__(self, connection: socket.socket, capabilities: str) -> None:
        self.connection = connection
        self.capabilities = capabilities
        self._lines = connection.makefile("rb")

    def close(self) -> None:
        self._lines.close()

    def says(self, *lines: str) -> None:
        self.connection.sendall("".join(f"{line}\r\n" for line in lines).encode())

    def next_line(self) -> bytes:
        return self._lines.readline()

    def hears(self, command: str) -> str:
        """Read commands until this one, answering questions for capabilities; return its tag."""
        while line := self.next_line().decode():
            tag, _, rest = line.strip().partition(" ")
            if rest == "CAPABILITY":
                self.says(f"* CAPABILITY IMAP4rev1 {self.capabilities}", f"{tag} OK done")
                continue
            assert command in line, f"expected {command}, heard {line}"
            return tag
        raise AssertionError(f"expected {command}, heard the end")

    def answers(self, command: str, *untagged: str, status: str = "OK done") -> None:
        tag = self.hears(command)
        self.says(*(f"* {line}" for line in untagged), f"{tag} {status}")

    def logs_in(self) -> None:
        self.says("* OK ready")
        self.answers("LOGIN")

    def selects(self, *, uids: str = "", exists: int = 0) -> None:
        self.answers("SELECT", f"{exists or len(uids.split())} EXISTS", "OK [UIDVALIDITY 5] ", "OK [UIDNEXT 100] ")
        if uids:
            self.answers("UID SEARCH", f"SEARCH {uids}")

    def stays(self) -> None:
        """Wait until the client is gone."""
        while self._lines.readline():
            pass


@contextmanager
def server(*scripts: Callable[[Peer], None], capabilities: str = "IDLE", **changes: Any) -> Iterator[Inbox]:
    """An inbox whose server plays a script for each connection. A failing expectation of a script fails the test."""
    failures: list[AssertionError] = []

    def play() -> None:
        for script in scripts:
            connection, _ = listener.accept()
            with connection, closing(Peer(connection, capabilities)) as peer:
                try:
                    with suppress(ConnectionError):  # the client may be gone already
                        script(peer)
                except AssertionError as failure:
                    failures.append(failure)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        values: dict[str, Any] = {
            "tls": "none",
            "timeout_seconds": SOON,
            "host": "127.0.0.1",
            "secret": Secret.literal(PASSWORD),
        }
        account = ImapAccount(port=listener.getsockname()[1], user="gm", **{**values, **changes})
        thread = threading.Thread(target=play)
        thread.start()
        inbox = Inbox(account, now=lambda: NOON)
        try:
            yield inbox
        finally:
            inbox.close()
            thread.join(SOON)
        if failures:
            raise failures[0]


@pytest.fixture
def stop() -> Iterator[socket.socket]:
    watched, written = socket.socketpair()
    with watched, written:
        yield watched


def connect_and_wait(inbox: Inbox, stop: socket.socket, seconds: float = 10 * SOON) -> float:
    inbox.connect()
    begun = time.monotonic()
    inbox.wait(seconds, stop)
    return time.monotonic() - begun


# Connecting


def test_a_server_that_never_greets_is_given_up():
    with (
        server(Peer.stays, timeout_seconds=0.2) as inbox,
        pytest.raises(InboxLost, match="connecting: no answer in time"),
    ):
        inbox.connect()


def test_a_server_that_sends_one_byte_now_and_then_is_cut_off():
    def drips(peer: Peer) -> None:
        for byte in cycle(b"* OK this greeting never ends"):
            peer.connection.sendall(bytes([byte]))
            time.sleep(0.02)

    with server(drips, timeout_seconds=1) as inbox, pytest.raises(InboxLost, match=r"connecting: not finished after 3 s"):
        inbox.connect()


def test_a_tls_handshake_that_never_ends_is_cut_off():
    def drips(peer: Peer) -> None:
        peer.connection.sendall(bytes.fromhex("1603034000"))  # a handshake record of 16 KB is announced
        while True:
            peer.connection.sendall(b"\x02")
            time.sleep(0.02)

    with (
        server(drips, timeout_seconds=0.5, tls="tls") as inbox,
        pytest.raises(InboxLost, match="connecting: no answer in time"),  # Python bounds a handshake as a whole
    ):
        inbox.connect()


def test_nobody_listening_is_a_lost_inbox():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    account = ImapAccount(host="127.0.0.1", port=port, tls="none", user="gm", secret=Secret.literal(PASSWORD))
    with pytest.raises(InboxLost, match=r"connecting: .*refused"):
        Inbox(account).connect()


def test_a_server_without_starttls_gets_no_password():
    def script(peer: Peer) -> None:
        peer.says("* OK ready")
        with pytest.raises(AssertionError, match="heard the end"):
            peer.hears("LOGIN")

    with server(script, tls="starttls") as inbox, pytest.raises(InboxLost, match=r"connecting: .*STARTTLS"):
        inbox.connect()


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        ("NO [AUTHENTICATIONFAILED] Invalid credentials", LoginRefused),
        ("NO no such user", LoginRefused),
        ("NO [UNAVAILABLE] Try later", InboxLost),
        ("NO [ALERT] Too many simultaneous connections. (Failure)", InboxLost),
    ],
)
def test_only_a_refusal_for_the_password_counts_as_refused(status: str, kind: type[Exception]):
    def script(peer: Peer) -> None:
        peer.says("* OK ready")
        peer.answers("LOGIN", status=status)
        peer.stays()

    with server(script) as inbox, pytest.raises(kind) as caught:
        inbox.connect()
    assert status.partition(" ")[2] in str(caught.value)
    assert PASSWORD not in str(caught.value)


def test_a_connection_that_ends_during_the_login_is_lost_not_refused():
    def script(peer: Peer) -> None:
        peer.says("* OK ready")
        peer.hears("LOGIN")
        peer.says("* BYE too busy")

    with server(script) as inbox, pytest.raises(InboxLost, match="login"):
        inbox.connect()


@pytest.mark.parametrize(
    ("capabilities", "mechanism", "answer"),
    [
        ("AUTH=XOAUTH2 AUTH=OAUTHBEARER AUTH=PLAIN", "XOAUTH2", b"user=gm\x01auth=Bearer t0ken\x01\x01"),
        ("AUTH=OAUTHBEARER AUTH=PLAIN", "OAUTHBEARER", b"n,a=gm,\x01auth=Bearer t0ken\x01\x01"),
    ],
)
def test_a_token_is_shown_in_the_way_the_server_knows(capabilities: str, mechanism: str, answer: bytes):
    heard: list[bytes] = []

    def script(peer: Peer) -> None:
        peer.says("* OK ready")
        tag = peer.hears(f"AUTHENTICATE {mechanism}")
        peer.says("+ ")
        heard.append(base64.b64decode(peer.next_line()))
        peer.says(f"{tag} OK done")
        peer.stays()

    secret = Secret.token_from_command("echo t0ken")
    with server(script, capabilities=capabilities, secret=secret) as inbox:
        inbox.connect()
    assert heard == [answer]


@pytest.mark.parametrize(
    ("mechanism", "dismissed"),
    [("XOAUTH2", b""), ("OAUTHBEARER", b"\x01")],  # RFC 7628 section 3.2.3
)
def test_the_news_that_a_token_is_no_good_is_not_answered_with_the_token(mechanism: str, dismissed: bytes):
    heard: list[bytes] = []

    def script(peer: Peer) -> None:
        peer.says("* OK ready")
        tag = peer.hears(f"AUTHENTICATE {mechanism}")
        peer.says("+ ")
        peer.next_line()
        peer.says("+ " + base64.b64encode(b'{"status":"401","schemes":"bearer"}').decode())
        heard.append(base64.b64decode(peer.next_line()))
        peer.says(f"{tag} NO [AUTHENTICATIONFAILED] Invalid credentials")
        peer.stays()

    secret = Secret.token_from_command("echo t0ken")
    with (
        server(script, capabilities=f"AUTH={mechanism}", secret=secret) as inbox,
        pytest.raises(LoginRefused, match="Invalid credentials") as caught,
    ):
        inbox.connect()
    assert heard == [dismissed]
    assert "t0ken" not in str(caught.value)


def test_a_token_that_expires_while_connected_is_asked_for_anew(tmp_path: Path, stop: socket.socket):
    heard: list[bytes] = []

    def logs_in(peer: Peer) -> None:
        peer.says("* OK ready")
        tag = peer.hears("AUTHENTICATE XOAUTH2")
        peer.says("+ ")
        heard.append(base64.b64decode(peer.next_line()))
        peer.says(f"{tag} OK done")

    def expires(peer: Peer) -> None:
        logs_in(peer)
        peer.selects()
        peer.hears("IDLE")
        peer.says("+ idling", "* BYE Session expired, please login again.")

    def goes_on(peer: Peer) -> None:
        logs_in(peer)
        peer.selects()
        peer.stays()

    count = tmp_path / "count"
    program = "import sys; log = open(sys.argv[1], 'a+'); log.write('x'); print('token', log.tell(), sep='')"
    secret = Secret.token_from_command([sys.executable, "-c", program, str(count)])
    with server(expires, goes_on, capabilities="AUTH=XOAUTH2 IDLE", secret=secret) as inbox:
        with pytest.raises(InboxLost, match="Session expired"):
            connect_and_wait(inbox, stop)
        inbox.connect()
        assert list(inbox.scan(BEGINNING)) == []
    assert [shown.split(b"\x01")[1] for shown in heard] == [b"auth=Bearer token1", b"auth=Bearer token2"]


def test_a_server_that_claims_to_know_us_before_starttls_gets_nothing():
    def script(peer: Peer) -> None:
        peer.says("* PREAUTH welcome gm")
        with pytest.raises(AssertionError, match="heard the end"):
            peer.hears("SELECT")

    with server(script, tls="starttls", capabilities="STARTTLS") as inbox, pytest.raises(InboxLost, match="connecting"):
        inbox.connect()


def test_a_server_that_knows_us_already_is_not_asked_to_log_in():
    def script(peer: Peer) -> None:
        peer.says("* PREAUTH welcome gm")
        peer.selects()
        peer.stays()

    with server(script) as inbox:
        inbox.connect()
        assert list(inbox.scan(BEGINNING)) == []


# Waiting


def test_a_bye_during_idle_is_a_lost_inbox(stop: socket.socket):
    def script(peer: Peer) -> None:
        peer.logs_in()
        peer.selects()
        peer.hears("IDLE")
        peer.says("+ idling", "* BYE shutting down")

    with server(script) as inbox, pytest.raises(InboxLost, match="IDLE"):
        connect_and_wait(inbox, stop)


def test_a_connection_that_ends_during_idle_is_a_lost_inbox(stop: socket.socket):
    def script(peer: Peer) -> None:
        peer.logs_in()
        peer.selects()
        peer.hears("IDLE")
        peer.says("+ idling")

    with server(script) as inbox, pytest.raises(InboxLost, match="IDLE"):
        connect_and_wait(inbox, stop)


def test_a_server_that_never_ends_idle_is_a_lost_inbox(stop: socket.socket):
    def script(peer: Peer) -> None:
        peer.logs_in()
        peer.selects()
        peer.hears("IDLE")
        peer.says("+ idling")
        peer.stays()

    with (
        server(script, timeout_seconds=0.5) as inbox,
        pytest.raises(InboxLost, match="ending IDLE: no answer in time"),
    ):
        connect_and_wait(inbox, stop, seconds=0.05)


@pytest.fixture
def long_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is found is not found because a round of IDLE is over."""
    monkeypatch.setattr(inbox_module, "FIRST_ROUND_SECONDS", 10 * SOON)


@pytest.mark.usefixtures("long_rounds")
def test_a_notice_in_two_packets_is_understood(stop: socket.socket):
    def script(peer: Peer) -> None:
        peer.logs_in()
        peer.selects()
        tag = peer.hears("IDLE")
        peer.says("+ idling")
        peer.connection.sendall(b"* 1 EXI")
        time.sleep(0.05)
        peer.says("STS")
        peer.hears("DONE")
        peer.says(f"{tag} OK done")
        peer.stays()

    with server(script) as inbox:
        assert connect_and_wait(inbox, stop) < SOON


def test_a_notice_in_one_packet_with_the_consent_is_found_after_the_short_first_round(
    stop: socket.socket, monkeypatch: pytest.MonkeyPatch
):
    def script(peer: Peer) -> None:
        peer.logs_in()
        peer.selects()
        tag = peer.hears("IDLE")
        peer.says("+ idling", "* 1 EXISTS")
        peer.hears("DONE")
        peer.says(f"{tag} OK done")
        peer.stays()

    monkeypatch.setattr(inbox_module, "FIRST_ROUND_SECONDS", 0.1)
    with server(script) as inbox:
        assert connect_and_wait(inbox, stop) < SOON


def test_mail_announced_by_another_command_ends_the_wait_before_it_begins(stop: socket.socket):
    def script(peer: Peer) -> None:
        peer.logs_in()
        peer.selects(exists=1)
        peer.answers("UID SEARCH", "SEARCH 7", "2 EXISTS")
        with pytest.raises(AssertionError, match="heard the end"):
            peer.hears("IDLE")

    with server(script) as inbox:
        inbox.connect()
        assert list(inbox.scan(Watermark(5, 7))) == []
        inbox.wait(10 * SOON, stop)


@pytest.mark.usefixtures("long_rounds")
def test_chatter_of_the_server_does_not_end_the_wait(stop: socket.socket):
    def script(peer: Peer) -> None:
        peer.logs_in()
        peer.selects()
        for notice in ("* OK Still here", "* 1 EXISTS"):
            tag = peer.hears("IDLE")
            peer.says("+ idling")
            time.sleep(0.05)
            peer.says(notice)
            peer.hears("DONE")
            peer.says(f"{tag} OK done")
        peer.stays()

    with server(script) as inbox:
        assert connect_and_wait(inbox, stop) < SOON


def test_a_server_without_idle_is_only_polled(stop: socket.socket):
    def script(peer: Peer) -> None:
        peer.logs_in()
        with pytest.raises(AssertionError, match="heard the end"):
            peer.hears("IDLE")

    with server(script, capabilities="", poll_seconds=0.1) as inbox:
        assert 0.1 <= connect_and_wait(inbox, stop) < SOON


# Reading


def test_a_connection_cut_inside_a_letter_is_lost_and_shows_nothing_of_it():
    def script(peer: Peer) -> None:
        peer.logs_in()
        peer.selects(uids="7", exists=1)
        peer.answers("UID FETCH 7 (UID RFC822.SIZE)", "1 FETCH (UID 7 RFC822.SIZE 100)")
        peer.hears("UID FETCH 7 (UID INTERNALDATE BODY.PEEK[])")
        peer.connection.sendall(b"* 1 FETCH (UID 7 BODY[] {100}\r\nMove 3 from Terra")

    with server(script) as inbox:
        inbox.connect()
        with pytest.raises(InboxLost, match="fetching letters") as caught:
            list(inbox.scan(BEGINNING))
    assert "Terra" not in str(caught.value)


def test_a_letter_whose_length_is_wrong_is_lost_and_shows_nothing_of_it():
    def script(peer: Peer) -> None:
        peer.logs_in()
        peer.selects(uids="7", exists=1)
        peer.answers("UID FETCH", "1 FETCH (UID 7 RFC822.SIZE 4)")
        peer.answers("UID FETCH", "1 FETCH (UID 7 BODY[] {4}", "Move 3 from Terra to Sirius", "attack Sirius", ")")
        peer.stays()

    with server(script) as inbox:
        inbox.connect()
        with pytest.raises(InboxLost, match="fetching letters") as caught:
            list(inbox.scan(BEGINNING))
    assert "Terra" not in str(caught.value)
    assert "Sirius" not in str(caught.value)


def test_a_letter_without_internaldate_counts_as_arrived_at_the_scan(caplog: pytest.LogCaptureFixture):
    def script(peer: Peer) -> None:
        peer.logs_in()
        peer.selects(uids="7", exists=1)
        peer.answers("UID FETCH", "1 FETCH (UID 7 RFC822.SIZE 4)")
        peer.answers("UID FETCH", '1 FETCH (UID 7 BODY[] "body")')
        peer.stays()

    with server(script) as inbox:
        inbox.connect()
        [[fetched]] = inbox.scan(BEGINNING)
    assert (fetched.arrived_at, fetched.arrival_is_of_scan) == (NOON, True)
    assert "no INTERNALDATE" in caplog.text


EMPTY = ("1 FETCH (UID 7 BODY[] NIL)", '1 FETCH (UID 7 BODY[] "")', "1 FETCH (UID 7 BODY[] {0}\r\n)", "9 FETCH (FLAGS ())")


@pytest.mark.parametrize("status", ["NO could not be fetched", "OK done"])
@pytest.mark.parametrize("answer", EMPTY)
def test_a_letter_that_is_there_and_comes_without_text_is_not_given_as_a_letter(status: str, answer: str):
    def script(peer: Peer) -> None:
        peer.logs_in()
        peer.selects(uids="7", exists=1)
        peer.answers("UID FETCH", "1 FETCH (UID 7 RFC822.SIZE 4)")
        peer.answers("UID FETCH", answer, status=status)
        peer.answers("UID FETCH", answer, status=status)
        peer.answers("NOOP")
        peer.answers("UID SEARCH", "SEARCH 7")
        peer.answers("UID FETCH 7 (UID INTERNALDATE)", status=status)
        peer.answers("UID SEARCH UID 1:57", "SEARCH 7")
        peer.answers("UID SEARCH 1,*", "SEARCH 7")
        peer.answers("BODY.PEEK[HEADER]", status=status)
        peer.stays()

    with server(script) as inbox:
        inbox.connect()
        with pytest.raises(NoText, match="letter 7 of INBOX: the server gives no text for it") as caught:
            list(inbox.scan(BEGINNING))
    missing = caught.value
    assert (missing.uidvalidity, missing.uid, missing.arrived_at) == (5, 7, NOON)
    assert (missing.is_estimated, missing.is_proved) == (True, False)


def test_letters_before_one_without_text_are_given_and_those_after_it_wait():
    def script(peer: Peer) -> None:
        peer.logs_in()
        peer.selects(uids="6 7 8", exists=3)
        peer.answers("UID FETCH", *(f"{uid - 5} FETCH (UID {uid} RFC822.SIZE 5)" for uid in (6, 7, 8)))
        peer.answers("UID FETCH", '1 FETCH (UID 6 BODY[] "first")', '3 FETCH (UID 8 BODY[] "third")', status="NO later")
        peer.answers("UID FETCH", '2 FETCH (UID 7 INTERNALDATE "01-Mar-2026 11:00:00 +0000")', status="NO later")
        peer.answers("NOOP")
        peer.answers("UID SEARCH", "SEARCH 7")
        peer.answers("UID SEARCH UID 1:57", "SEARCH 6 7 8")
        peer.answers("UID SEARCH 1,*", "SEARCH 6 8")
        peer.answers("UID FETCH 6 ", '1 FETCH (UID 6 BODY[]<0> "first")')
        peer.stays()

    with server(script) as inbox:
        inbox.connect()
        scan = inbox.scan(BEGINNING)
        assert [fetched.uid for fetched in next(scan)] == [6]
        with pytest.raises(NoText) as caught:
            next(scan)
    assert caught.value.arrived_at == NOON - timedelta(hours=1)
    assert caught.value.is_proved
    assert "(NO later)" in caught.value.why


def test_a_no_for_one_letter_does_not_lose_the_others():
    def script(peer: Peer) -> None:
        peer.logs_in()
        peer.selects(uids="7 8", exists=2)
        peer.answers("UID FETCH", "1 FETCH (UID 7 RFC822.SIZE 5)", "2 FETCH (UID 8 RFC822.SIZE 6)")
        peer.answers("UID FETCH", '2 FETCH (UID 8 BODY[] "second")', status="NO [EXPUNGEISSUED] some are gone")
        peer.answers("UID FETCH 7 ", status="NO [EXPUNGEISSUED] some are gone")
        peer.answers("NOOP", "1 EXPUNGE")
        peer.answers("UID SEARCH", "SEARCH")
        peer.stays()

    with server(script) as inbox:
        inbox.connect()
        [[fetched]] = inbox.scan(BEGINNING)
    assert (fetched.uid, fetched.raw) == (8, b"second")


def test_a_letter_left_out_of_an_answer_is_asked_for_alone():
    def script(peer: Peer) -> None:
        peer.logs_in()
        peer.selects(uids="7 8", exists=2)
        peer.answers("UID FETCH", "1 FETCH (UID 7 RFC822.SIZE 5)", "2 FETCH (UID 8 RFC822.SIZE 6)")
        peer.answers("UID FETCH 7:8 ", '2 FETCH (UID 8 BODY[] "second")')
        peer.answers("UID FETCH 7 ", '1 FETCH (UID 7 BODY[]<0> "first")')
        peer.stays()

    with server(script) as inbox:
        inbox.connect()
        [letters] = inbox.scan(BEGINNING)
    assert [(fetched.uid, fetched.raw, fetched.truncated) for fetched in letters] == [
        (7, b"first", False),
        (8, b"second", False),
    ]


def test_a_letter_of_untold_size_is_fetched_up_to_the_limit():
    def script(peer: Peer) -> None:
        peer.logs_in()
        peer.selects(uids="7", exists=1)
        peer.answers("UID FETCH", "1 FETCH (UID 7)")
        peer.answers("BODY.PEEK[]<0.10>", '1 FETCH (UID 7 BODY[]<0> "short")')
        peer.stays()

    with server(script, max_letter_bytes=10) as inbox:
        inbox.connect()
        [[fetched]] = inbox.scan(BEGINNING)
    assert (fetched.raw, fetched.size, fetched.truncated) == (b"short", 5, False)


def test_a_letter_longer_than_told_is_cut_at_the_limit():
    def script(peer: Peer) -> None:
        peer.logs_in()
        peer.selects(uids="7", exists=1)
        peer.answers("UID FETCH", "1 FETCH (UID 7 RFC822.SIZE 5)")
        peer.answers("UID FETCH", '1 FETCH (UID 7 BODY[] "0123456789 and more")')
        peer.stays()

    with server(script, max_letter_bytes=10) as inbox:
        inbox.connect()
        [[fetched]] = inbox.scan(BEGINNING)
    assert (fetched.raw, fetched.truncated) == (b"0123456789", True)


def test_a_server_without_uidvalidity_cannot_be_used():
    def script(peer: Peer) -> None:
        peer.logs_in()
        peer.answers("SELECT", "1 EXISTS")
        peer.stays()

    with server(script) as inbox:
        inbox.connect()
        with pytest.raises(InboxLost, match="no UIDVALIDITY"):
            list(inbox.scan(BEGINNING))


# Tidying


def test_without_move_letters_are_copied_and_exactly_they_are_expunged():
    def script(peer: Peer) -> None:
        peer.logs_in()
        peer.selects()
        peer.answers("LIST", status="OK none")
        peer.answers('CREATE "pbmd-processed"')
        peer.answers('UID COPY 7,9 "pbmd-processed"')
        peer.answers(r"UID STORE 7,9 +FLAGS.SILENT (\Deleted)")
        peer.answers("UID EXPUNGE 7,9")
        peer.stays()

    with server(script, capabilities="UIDPLUS") as inbox:
        inbox.connect()
        assert inbox.tidy([9, 7])


def test_without_move_and_uidplus_nothing_is_expunged(caplog: pytest.LogCaptureFixture):
    def script(peer: Peer) -> None:
        peer.logs_in()
        peer.selects()
        peer.answers("LIST", 'LIST () "/" "pbmd-processed"')
        with pytest.raises(AssertionError, match="heard the end"):
            peer.hears("anything more")

    with server(script, capabilities="") as inbox:
        inbox.connect()
        assert not inbox.tidy([7])
    assert "neither MOVE nor UIDPLUS" in caplog.text


def test_a_connection_that_ends_while_tidying_is_lost():
    def script(peer: Peer) -> None:
        peer.logs_in()
        peer.selects()
        peer.hears("LIST")

    with server(script, capabilities="MOVE") as inbox:
        inbox.connect()
        with pytest.raises(InboxLost, match="tidying"):
            inbox.tidy([7])


# Pure parts


def test_batches_keep_the_order_and_the_limit_and_what_is_longer_stands_alone():
    assert list(batches({1: 4, 2: 6, 3: 1, 4: 99, 5: 1}, 10)) == [{1: 4, 2: 6}, {3: 1}, {4: 99}, {5: 1}]
    assert list(batches({}, 10)) == []
