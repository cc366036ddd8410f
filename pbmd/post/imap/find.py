"""Mails that we have sent to ourselves, found wherever they arrived and removed again.

Only messages that came after we began are examined, only their headers, and none is marked as read. What is not ours by its
exact Message-ID is left alone, whatever else it says.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from email.parser import BytesHeaderParser

from pbmd.post.accounts import ImapAccount
from pbmd.post.imap.connection import Connection, utc_now
from pbmd.post.imap.fetch_reader import fetch

HEADER_BYTES = 20_000
"""This much of a header is read."""
MOST_LOOKED_AT = 100
"""This many messages of a folder at once, the newest."""


@dataclass(frozen=True, slots=True)
class OwnMail:
    """A mail of ours: the folder it is in, whether that is the junk folder, and its header."""

    folder: str
    junk: bool
    header: bytes


class Finder(Connection):
    """Looks into the folder that is read, the one for processed letters, and the junk folder, if the server has one."""

    def __init__(self, account: ImapAccount, *, now: Callable[[], datetime] = utc_now) -> None:
        super().__init__(account, now=now)
        self._begins: dict[str, tuple[int, int]] = {}  # folder → UIDVALIDITY, and the first UID that is looked at
        self._folders: tuple[str, ...] = ()
        self._junk = ""
        self._uidnext = 1  # of the folder selected on this connection

    def begin(self) -> None:
        """Note what is there already. Raises `InboxLost`."""
        account = self.account
        with self._step("looking for the folder for junk"):
            self._junk = self._client.junk_folder()
            processed = self._client.own_folder(account.processed_folder) if account.processed == "move" else ""
        self._folders = tuple(dict.fromkeys(filter(None, (account.folder, processed, self._junk))))
        self._begins = {folder: self._next(folder) for folder in self._folders}

    def look(self, message_ids: Collection[str]) -> dict[str, OwnMail]:
        """Which of these mails have arrived, by Message-ID. Raises `InboxLost`."""
        found: dict[str, OwnMail] = {}
        for folder in self._folders:
            for header in self._ours(folder, message_ids).values():
                found.setdefault(_message_id(header), OwnMail(folder, folder == self._junk, header))
        return found

    def remove(self, message_ids: Collection[str]) -> bool:
        """Remove our mails, wherever they are now. False if some of them stay, marked as deleted: without UIDPLUS the server
        would have to remove what others have marked, too. Raises `InboxLost`."""
        gone = True
        for folder in self._folders:
            if uids := sorted(self._ours(folder, message_ids)):
                with self._step("taking the mails away"):
                    gone = self._client.remove_exactly(uids) and gone
        return gone

    def _next(self, folder: str) -> tuple[int, int]:
        if not self._open(folder):
            return 0, 1  # it does not exist yet
        return self._uidvalidity, self._uidnext

    def _open(self, folder: str) -> bool:
        """Open a folder, if there is one of that name."""
        with self._step(f"opening {folder}"):
            if folder != self.account.folder and not self._client.folder_exists(folder):
                return False
            told: Mapping[bytes, int] = self._client.select_folder(folder)
        self._uidvalidity, self._uidnext = int(told.get(b"UIDVALIDITY", 0)), int(told.get(b"UIDNEXT", 1))
        return True

    def _ours(self, folder: str, message_ids: Collection[str]) -> dict[int, bytes]:
        """The headers of those of these mails that are in a folder, by UID. The folder stays open."""
        return {uid: header for uid, header in self._new(folder).items() if _message_id(header) in message_ids}

    def _new(self, folder: str) -> dict[int, bytes]:
        """The headers of what has arrived in a folder since we began, of at most the newest MOST_LOOKED_AT."""
        if not self._open(folder):
            return {}
        uidvalidity, first = self._begins.get(folder, (0, 1))
        first = first if uidvalidity == self._uidvalidity else 1
        with self._step("looking for the mails"):
            # "n:*" always names the newest message, also when its UID is below n (RFC 3501 section 6.4.8).
            uids = sorted(uid for uid in self._client.search(f"UID {first}:*") if uid >= first)[-MOST_LOOKED_AT:]
            found = fetch(self._client.wire, uids, f"(UID BODY.PEEK[HEADER]<0.{HEADER_BYTES}>)") if uids else {}
        return {uid: item.body for uid, item in found.items() if item.body}


def _message_id(header: bytes) -> str:
    return str(BytesHeaderParser().parsebytes(header).get("Message-ID", "")).strip()
