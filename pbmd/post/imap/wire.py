"""The connection under the inbox: imapclient on a socket that can be cut from outside (`pbmd.post.breaker`)."""

from __future__ import annotations

import imaplib
import socket
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import Any

import imapclient
from imapclient.exceptions import LoginError
from imapclient.imap4 import IMAP4WithTimeout

from pbmd.post.accounts import ImapAccount, tls_context
from pbmd.post.breaker import Breaker
from pbmd.post.explained import explained, plain
from pbmd.post.imap.fetch_reader import FetchItem, fetch
from pbmd.post.login import NoWayIn, answers, ways


class AnswerTooLong(Exception):
    """The server has announced, or sent, a longer answer than any command can have. It was not read, so the connection is no
    longer usable. (None of imaplib's own, which it would wrap into another.)"""


BATCH_BYTES = 1_000_000
"""Letters of this many bytes together are asked for at once, or a single one: they must arrive before the outer deadline, for
which 11 KB/s are enough."""
BROKEN = (
    AnswerTooLong,
    imaplib.IMAP4.error,  # also abort and imapclient's own exceptions
    OSError,  # also timeouts and TLS
    # What imapclient raises when a server's line is not what it expects.
    ValueError,
    KeyError,
    TypeError,
    AttributeError,
    AssertionError,
)
"""What a broken connection or a broken server makes imapclient raise."""
ENDED = (imaplib.IMAP4.abort, OSError)
"""Those of them that say that the connection is gone, and nothing about what was asked for."""


class Refused(Exception):
    """The server understood and said no; the connection is still good."""


def longest_answer(max_letter_bytes: int) -> int:
    """How many bytes a server may send in answer to one command: three times what is asked for at once, since some miscount."""
    return 3 * max(max_letter_bytes, BATCH_BYTES)


class Client(imapclient.IMAPClient):
    """imapclient, connected through a breaker. Only this module touches private names of imapclient and imaplib; they are
    listed in ``tests/post/test_private_names.py``, which fails when one of them is gone.

    Its own methods raise Refused for a NO or BAD from the server; all methods raise one of BROKEN for anything worse.
    """

    def __init__(self, account: ImapAccount, breaker: Breaker) -> None:
        self._account = account
        self._breaker = breaker
        super().__init__(account.host, account.port, ssl=account.tls == "tls", timeout=account.timeout_seconds)
        self.normalise_times = False
        # imapclient has imaplib format every line and body for a debug log, which costs more than reading them and would
        # put passwords and orders into a log.
        self.wire.debug = 0

    def _create_IMAP4(self) -> IMAP4WithTimeout:  # noqa: N802 - imapclient's name
        return _Wire(self._account, self._breaker.hold)

    @property
    def wire(self) -> imaplib.IMAP4:
        """imaplib's side of the same connection."""
        return self._imap

    def authenticate(self, user: str, secret: str, *, is_token: bool) -> None:
        """Log in with a password or an OAuth2 token. Raises `NoWayIn`, before anything was sent, if the server offers no way
        to."""
        if self.wire.state != "NONAUTH":  # PREAUTH: the server knows us already (RFC 3501 section 7.1.4)
            return
        offered = [word.decode("ascii", "replace").upper() for word in self.capabilities()]
        mechanisms = [word.removeprefix("AUTH=") for word in offered if word.startswith("AUTH=")]
        disabled = "LOGINDISABLED" in offered  # RFC 3501 section 6.2.3: then LOGIN must not even be tried
        if disabled and not mechanisms:
            raise NoWayIn("the server lets nobody log in over this connection (LOGINDISABLED)")
        try:
            if not is_token and not disabled and "PLAIN" not in mechanisms:
                self.login(user, secret)
            else:  # PLAIN takes any character; LOGIN in imaplib takes ASCII only
                way = ways(mechanisms, is_token=is_token)[0]
                self.sasl_login(way, answers(way, user, secret))
        except LoginError as refusal:
            if isinstance(refusal.__context__, imaplib.IMAP4.abort):
                raise
            raise Refused(plain(str(refusal))) from refusal

    def search(  # pyright: ignore[reportIncompatibleMethodOverride]  (its own answer has the MODSEQ, too)
        self, criteria: str = "ALL"
    ) -> list[int]:
        """The UIDs that the server finds in the selected folder, in its order. Some servers spread them over several lines,
        which imapclient's own search refuses; one that answers by ESEARCH (RFC 4731), which it was not asked for, is broken."""
        wire = self.wire
        for name in ("SEARCH", "ESEARCH"):
            wire.response(name)  # drop what was sent unasked since the last command
        status, data = wire.uid("SEARCH", criteria)
        if status != "OK":
            raise imaplib.IMAP4.error(f"{status} {plain(str(data[-1]))}")
        lines = [line for line in data if line is not None]
        if not lines and wire.response("ESEARCH")[1] != [None]:
            raise imaplib.IMAP4.error("it answers a SEARCH by ESEARCH, which it was not asked for")
        return [int(number) for line in lines for number in line.partition(b"(")[0].split()]  # what may follow is MODSEQ

    def begin_idle(self) -> None:
        """Enter IDLE (RFC 2177), which idle_done ends; imapclient's own idle mistakes news that come before the consent for a
        refusal. Raises Refused at a real one."""
        self._idle_tag = tag = self.wire._command("IDLE")  # pyright: ignore[reportAttributeAccessIssue]
        while self.wire._get_response() is not None:  # pyright: ignore[reportAttributeAccessIssue]  (None is the consent)
            self.wire._check_bye()  # pyright: ignore[reportAttributeAccessIssue]
            if (told := self.wire.tagged_commands[tag]) is not None:
                raise Refused(plain(str(told[1][-1])))

    def more_mail_was_told(self) -> bool:
        """Whether the server announced messages (EXISTS) in answer to any command since the last look, IDLE included."""
        return self.wire.response("EXISTS")[1] != [None]

    def own_folder(self, name: str) -> str:
        """What the server wants one of our folders to be called: below the personal namespace, with its separator (RFC 2342).
        If it will not say, the plain name is used."""
        try:
            with _refusals():
                personal = self.namespace().personal if self.has_capability("NAMESPACE") else None
        except Refused:
            return name
        if not personal:
            return name
        prefix, separator = personal[0]
        if separator:
            name = name.replace("/", separator)
        return name if name.startswith(prefix) else prefix + name

    def goodbye(self) -> str:
        """What the server said when it ended the connection (BYE); empty if it said nothing."""
        told = self.wire.response("BYE")[1][-1]
        return plain(str(told)) if told else ""

    def make_folder(self, folder: str) -> None:
        """Create the folder unless it exists."""
        with _refusals():
            if not self.folder_exists(folder):
                try:
                    self.create_folder(folder)
                except imaplib.IMAP4.error:
                    if not self.folder_exists(folder):  # else somebody else has just created it
                        raise

    def put_message(self, folder: str, raw: bytes) -> None:
        """Put a message of our own into a folder."""
        with _refusals():
            self.append(folder, raw, [r"\Seen"])

    def newest_messages(self, folder: str, most: int, most_bytes: int) -> list[FetchItem]:
        """Select a folder and read the beginnings of the messages in it, of not more than the highest `most` UIDs."""
        with _refusals():
            told = self.select_folder(folder)
            if told.get(b"EXISTS") == 0:  # some servers answer BAD to a search in an empty folder
                return []
            uidnext = int(told.get(b"UIDNEXT", 1))
            lowest = max(1, uidnext - most)
            uids = sorted(uid for uid in self.search(f"UID {lowest}:*") if uid >= lowest)[-most:]
        if not uids:
            return []
        found = fetch(self.wire, uids, f"(UID INTERNALDATE BODY.PEEK[]<0.{most_bytes}>)")
        return [found[uid] for uid in uids if uid in found]

    def remove_messages(self, uids: Sequence[int]) -> None:
        """Delete messages of the selected folder, which must be our own: whatever others have marked there goes as well."""
        with _refusals():
            if uids and not self._thrown_away(uids):
                self.delete_messages(uids, silent=True)
                self.expunge()

    def _thrown_away(self, uids: Sequence[int]) -> bool:
        """Whether messages were moved to the bin, where that is how to delete them: Gmail, by its extension X-GM-EXT-1, keeps
        what is expunged under All Mail, unless its settings say otherwise, and empties its bin after 30 days. Refusals are
        raised as imapclient does."""
        if not (self.has_capability("X-GM-EXT-1") and self.has_capability("MOVE")):
            return False
        bin_folder = self.find_special_folder(b"\\Trash")
        if bin_folder:
            self.move(uids, bin_folder)
        return bool(bin_folder)

    def remove_exactly(self, uids: Sequence[int]) -> bool:
        """Delete these messages of the selected folder and no other (RFC 4315). False if they stay: without UIDPLUS they are
        only marked as deleted, and the server may refuse."""
        can = self.has_capability("UIDPLUS")
        try:
            with _refusals():
                if self._thrown_away(uids):
                    return True
                self.delete_messages(uids, silent=True)
                if can:
                    self.uid_expunge(uids)
        except Refused:
            return False
        return can

    def junk_folder(self) -> str:
        """The junk folder, by its flag (RFC 6154) or by its name; empty if there is none."""
        try:
            with _refusals():
                return str(self.find_special_folder(b"\\Junk") or "")
        except Refused:
            return ""

    def put_keyword(self, uids: Sequence[int], keyword: str) -> None:
        """Set a keyword. A server that keeps no keywords says OK and drops it."""
        with _refusals():
            self.add_flags(uids, [keyword], silent=True)

    def put_into_folder(self, uids: Sequence[int], folder: str) -> None:
        """Move messages (RFC 6851), or copy and expunge exactly them (RFC 4315).

        Without both extensions nothing is done: a plain EXPUNGE would also remove what other people marked as deleted.
        """
        with _refusals():
            if self.has_capability("MOVE"):
                self.move(uids, folder)
            elif self.has_capability("UIDPLUS"):
                self.copy(uids, folder)
                self.delete_messages(uids, silent=True)
                self.uid_expunge(uids)
            else:
                raise Refused('the server has neither MOVE nor UIDPLUS; set processed = "flag" or "leave"')


class _Wire(IMAP4WithTimeout):
    """imaplib on our own socket. It reads a literal of any length into memory, and any number of them (only lines are bounded);
    so here each answer is counted: everything from one command to the next."""

    def __init__(self, account: ImapAccount, hold: Callable[[socket.socket], None]) -> None:
        self._tls = tls_context(account.ca_file) if account.tls == "tls" else None
        self._hold = hold
        self._most = longest_answer(account.max_letter_bytes)
        self._answered = 0
        super().__init__(account.host, account.port, account.timeout_seconds)

    def send(self, data: Any) -> None:
        """Start counting afresh: what the server says from now on is another answer."""
        self._answered = 0
        super().send(data)

    def read(self, size: int) -> bytes:
        """The literal of that size. Raises `AnswerTooLong` before any of it is read."""
        self._count(size)
        return super().read(size)

    def readline(self) -> bytes:
        """The next line. Raises `AnswerTooLong`."""
        line = super().readline()
        self._count(len(line))
        return line

    def _count(self, size: int) -> None:
        self._answered += size
        if self._answered > self._most:
            raise AnswerTooLong(f"an answer of {self._answered:,} bytes, and more than {self._most:,} are not read")

    def _create_socket(self, timeout: float | None = None) -> socket.socket:
        connection = socket.create_connection((self.host, self.port), timeout)
        self._hold(connection)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        # imapclient sends a command and its line end separately; without this each waits 40 ms for a delayed ACK.
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if self._tls is None:
            return connection
        return self._tls.wrap_socket(connection, server_hostname=self.host)


@contextmanager
def _refusals() -> Generator[None]:
    try:
        yield
    except imaplib.IMAP4.abort:
        raise
    except imaplib.IMAP4.error as problem:
        raise Refused(explained(problem)) from problem
