"""What a server returns for single letters, and whether the letter or the server is at fault if it returns nothing."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import datetime

from pbmd.post.imap.connection import Connection, InboxLost, NoText
from pbmd.post.imap.fetch_reader import Answer, FetchItem, fetch

log = logging.getLogger(__name__)
_PASSING = ("[OVERQUOTA]", "[THROTTLED]", "[UNAVAILABLE]", "[LIMIT]", "[INUSE]", "[SERVERBUG]")
"""With these a server says that the fault is its own (RFC 5530; Gmail and Yahoo say so of every letter when there were too
many)."""
_HEADER, _BEGINNING = "BODY.PEEK[HEADER]<0.1000>", "BODY.PEEK[]<0.1000>"
_NEIGHBOURS = 50
_OTHERS_ASKED = 4
_NOTHING = FetchItem(0)


class Probing(Connection):
    """A mailbox that is asked for letters, over a new connection whenever one of them ends the old one."""

    def _connect_again(self) -> None:
        """A new connection with the same folder open: what the server still sends on the old one is never read. Mail that has
        come since the search is news on it."""
        uidvalidity = self._uidvalidity
        self.connect()
        if self._select(while_scanning=True)[0] != uidvalidity:
            raise InboxLost(f"{self.account.host}: {self.account.folder} was made anew while it was read")

    def _bodies(self, uids: Sequence[int], section: str) -> Answer:
        if not uids:
            return Answer()
        with self._step("fetching letters"):
            return fetch(self._client.wire, uids, f"(UID INTERNALDATE {section})" if section else "(UID INTERNALDATE)")

    def _this_second(self) -> datetime:
        return self._now().replace(microsecond=0)

    def _missing(self, uid: int, item: FetchItem | None, trouble: str) -> NoText:
        """A letter that cannot be fetched, with everything that can be found out about it. `trouble` is what the server said or
        did. Raises `InboxLost` if the server is at fault."""
        if item is None or item.arrived_at is None:
            item = self._tried(uid, "")
        is_passing = any(sign in trouble.upper() for sign in _PASSING)
        is_proved = self._gives_another(uid) or (not is_passing and bool((self._tried(uid, _HEADER) or _NOTHING).body))
        if is_passing and not is_proved:
            raise InboxLost(f"{self.account.host}: the server gives no letters just now: {trouble}")
        why = "the server gives no text for it" + (f" ({trouble})" if trouble else "")
        told = f"{self.account.host}: letter {uid} of {self.account.folder}: {why}"
        known = item.arrived_at if item else None
        missing = NoText(told, self._uidvalidity, uid, known or self._this_second(), why)
        missing.is_proved, missing.is_estimated = is_proved and not is_passing, known is None
        return missing

    def _gives_another(self, uid: int) -> bool:
        """Whether the server gives the beginning of another letter of the folder: its neighbours, the oldest, the newest."""
        with self._step("searching"):
            near = self._client.search(f"UID {max(1, uid - _NEIGHBOURS)}:{uid + _NEIGHBOURS}")
            others = {*near, *self._client.search("1,*")} - {uid}
        nearest = sorted(others, key=lambda other: (abs(other - uid), other))[:_OTHERS_ASKED]
        return any((self._tried(other, _BEGINNING) or _NOTHING).body for other in nearest)

    def _tried(self, uid: int, section: str) -> FetchItem | None:
        """What the server says about a message; None if nothing, also if it ends the connection, which is then replaced."""
        try:
            return self._bodies([uid], section).get(uid)
        except InboxLost as problem:
            log.warning("%s", problem)
            self._connect_again()
            return None


def cause(problem: InboxLost) -> str:
    """What happened, without the server and the step."""
    return str(problem).partition(": ")[2] or str(problem)
