"""Letters in, over IMAP.

The inbox knows a letter by UIDVALIDITY and UID (RFC 3501 section 2.3.1.1): what is above the watermark is new, whatever people
or programs did to its flags. Reading changes nothing on the server; tidying up afterwards is a courtesy and may fail. One inbox
belongs to one thread. Its methods raise InboxLost when the connection or the server failed: wait as `outage` says and connect
again.
"""

from __future__ import annotations

import logging
import select
import socket
import ssl
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date, datetime, timedelta

from pbmd.post.accounts import ImapAccount
from pbmd.post.imap.connection import InboxLost, NoText, TooMuch, utc_now
from pbmd.post.imap.fetch_reader import FetchItem, fetch
from pbmd.post.imap.fetched import Fetched, Look, Watermark, batches, chunks, goes_on, imap_day, missing_bytes
from pbmd.post.imap.probing import Probing, cause
from pbmd.post.imap.wire import BATCH_BYTES, Refused

log = logging.getLogger(__name__)
SEARCH_SPAN = 50_000
"""Letters that one search may find: the answer is one line, and imaplib refuses lines of more than 1,000,000 bytes."""
FIRST_ROUND_SECONDS = 5.0
"""A notice in the same packet as the server's consent to IDLE is seen only when IDLE ends. So the first round is short, and so
is one after the server has chattered."""
RENEWAL_SECONDS = 300.0
"""RFC 2177 allows 29 minutes; routers and providers drop silent connections earlier. The caller scans after each round, so a
lost notice costs no more than this."""
REST_SECONDS = 0.1
"""The shortest round, so that a server that always has something to say is not asked without a pause."""
MOST_SILENCES = 2
"""A server that offers IDLE, but loses the connection this often in a row when asked for it, is polled instead."""
DONE_KEYWORD = "$PbmdDone"


class Inbox(Probing):
    """The letters of one mailbox."""

    def __init__(self, account: ImapAccount, *, now: Callable[[], datetime] = utc_now) -> None:
        super().__init__(account, now=now)
        self._processed_folder = ""  # the server's name for it, once it has been created
        self._idle_refused = False
        self._idle_silences = 0  # over all connections
        self._untidy_told = False

    def close(self) -> None:
        """End the connection, and forget what this server said that it can do."""
        super().close()
        self._processed_folder, self._idle_refused = "", False

    # Reading

    def look(self) -> Look:
        """Open the folder and describe it. Nothing is changed."""
        _, _, letters = self._select()
        can = self._client.has_capability
        return Look(max(letters, 0), announces=can("IDLE"), moves=can("MOVE") or can("UIDPLUS"))

    def agrees_to_idle(self) -> bool:
        """Whether the server lets us wait for news of the open folder. Raises InboxLost if it does not answer."""
        try:
            self._begin_idle()
        except Refused:
            return False
        self._end_idle()
        return True

    def scan(self, watermark: Watermark, *, careful: bool = False, above: int = 0) -> Iterator[list[Fetched]]:
        """Yield the letters above the watermark by rising UID, in batches of at most BATCH_LETTERS and BATCH_BYTES.

        When the mailbox has another UIDVALIDITY than the watermark, all its letters are above it; so they are when its next UID
        is not above it, which no server should do (a folder restored under its old UIDVALIDITY). The next watermark is the
        uidvalidity and uid of the last letter that the caller has stored. Messages that vanish in the meantime are left out.
        Raises NoText at one that has no text, after the letters before it: what is above it must wait, or it would be passed
        over. A server that sends far more than letters may have is connected to anew, to find out with which letter it does so;
        so this raises LoginRefused, too. With `careful`, which is for after a reading that was lost, the same is done where the
        connection ends while letters are fetched: one of them may be why. `above` passes over all up to that UID.
        """
        for uids in self._found(watermark, above):
            for batch in batches(self._sizes(uids, careful=careful), BATCH_BYTES):
                whole, missing = self._letters(batch, careful=careful)
                if whole:
                    yield whole
                if missing is not None:
                    raise missing

    def count(self, watermark: Watermark) -> int:
        """How many letters there are above the watermark, as `scan` sees it; none is fetched."""
        return sum(map(len, self._found(watermark)))

    def _found(self, watermark: Watermark, above: int = 0) -> Iterator[list[int]]:
        uidvalidity, uidnext, letters = self._select()
        after = watermark.last_uid if goes_on(watermark, uidvalidity, uidnext) else 0
        return self._uids_above(max(after, above), uidnext, letters)

    def _uids_above(self, after: int, uidnext: int, letters: int) -> Iterator[list[int]]:
        if letters == 0:  # some servers answer BAD to a search in an empty folder
            return
        start = after + 1
        for last in self._ends_of_searches(start, uidnext, letters):
            with self._step("searching"):
                # "n:*" always names the newest message, also when its UID is below n (RFC 3501 section 6.4.8).
                found = self._client.search(f"UID {start}:{last}")
            if not found and last == "*" and letters > 0:
                self._must_be_empty()
            yield from chunks(sorted(uid for uid in found if uid >= start))
            if isinstance(last, int):
                start = last + 1

    def _must_be_empty(self) -> None:
        """Nothing was found where the newest letter must be: either all have gone since the folder was opened, or the answer is
        wrong, and no evidence that no letter has come."""
        _, _, letters = self._select(while_scanning=True)
        if letters > 0:
            raise InboxLost(f"{self.account.host}: the server finds none of the {letters} letters of {self.account.folder}")

    def _ends_of_searches(self, start: int, uidnext: int, letters: int) -> list[int | str]:
        """The last UID of each search, so that none can find more than about SEARCH_SPAN letters, however far apart the UIDs
        of the folder are: some servers go up to billions. Mostly one search is enough."""
        if letters <= SEARCH_SPAN or 0 < uidnext <= start + SEARCH_SPAN:
            return ["*"]
        every = ",".join(str(number) for number in range(SEARCH_SPAN, letters + 1, SEARCH_SPAN))
        with self._step("searching"):
            ends = self._client.search(every)  # these message numbers; the answer has their UIDs
        return [*sorted(uid for uid in ends if uid >= start), "*"]

    def _sizes(self, uids: Sequence[int], *, careful: bool) -> dict[int, int]:
        """How much of a batch each letter will take; one of unknown size is treated like one that is too long."""
        limit = self.account.max_letter_bytes
        try:
            with self._step("asking for sizes"):
                found = fetch(self._client.wire, uids, "(UID RFC822.SIZE)")
        except InboxLost as problem:
            if not careful:
                raise
            log.warning("%s", problem)
            self._connect_again()
            found = {}
        sizes = {uid: found[uid].size if uid in found else None for uid in uids}
        return {uid: limit + 1 if size is None else size for uid, size in sizes.items()}

    def _letters(self, batch: Mapping[int, int], *, careful: bool) -> tuple[list[Fetched], NoText | None]:
        """The letters of a batch up to the first one that has no text, and that one."""
        try:
            return self._letters_at_once(batch)
        except InboxLost as problem:
            if not careful and not isinstance(problem, TooMuch):
                raise
            log.warning("%s", problem)
        self._connect_again()
        letters: list[Fetched] = []
        for uid, size in batch.items():
            found, missing = self._letter_alone(uid, size, careful=careful)
            letters += found
            if missing is not None:
                return letters, missing
        return letters, None

    def _letter_alone(self, uid: int, size: int, *, careful: bool) -> tuple[list[Fetched], NoText | None]:
        """The same for a letter that is fetched alone."""
        try:
            return self._letters_at_once({uid: size})
        except TooMuch:
            return self._header_at_least(uid, size)
        except InboxLost as problem:
            if not careful:
                raise
            log.warning("%s", problem)
            self._connect_again()
            return [], self._missing(uid, None, f"the connection is lost when it is fetched: {cause(problem)}")

    def letter(self, uidvalidity: int, uid: int) -> Fetched | None:
        """Ask for a letter once more; None if it no longer has this number. Raises `NoText` and `InboxLost`."""
        if self._select()[0] != uidvalidity:
            return None
        found, missing = self._letter_alone(uid, self._sizes([uid], careful=True)[uid], careful=True)
        if missing is not None:
            raise missing
        return found[0] if found else None

    def _header_at_least(self, uid: int, size: int) -> tuple[list[Fetched], NoText | None]:
        """A letter of which the server sends far more than it was asked for. If the server has said before that it is too
        large, the header is enough to answer it; else nobody can say what it is."""
        limit = self.account.max_letter_bytes
        item = None
        if size > limit:
            with suppress(TooMuch):
                self._connect_again()
                item = self._bodies([uid], f"BODY.PEEK[HEADER]<0.{limit}>").get(uid)
        if item is None or not item.body:
            self._connect_again()
            return [], self._missing(uid, None, "the server sends far more of it than it was asked for")
        letter = self._letter(uid, size, item)
        return ([replace(letter, size=size, truncated=True)] if letter else []), None

    def _letters_at_once(self, batch: Mapping[int, int]) -> tuple[list[Fetched], NoText | None]:
        limit = self.account.max_letter_bytes
        items = self._bodies([uid for uid, size in batch.items() if size <= limit], "BODY.PEEK[]")
        items |= self._bodies([uid for uid, size in batch.items() if size > limit], f"BODY.PEEK[]<0.{limit}>")
        letters: list[Fetched] = []
        for uid, size in batch.items():
            try:
                letter = self._letter(uid, size, items.get(uid))
            except NoText as missing:
                return letters, missing
            if letter is not None:
                letters.append(letter)
        return letters, None

    def _letter(self, uid: int, size: int, item: FetchItem | None) -> Fetched | None:
        limit = self.account.max_letter_bytes
        if item is None or not item.body:
            item = self._asked_again(uid)
            if item is None:
                return None
        assert item.body
        # A part shorter than the limit is the whole letter, whatever the server said about its size.
        truncated = len(item.body) > limit or (size > limit and len(item.body) == limit)
        raw = item.body[:limit]
        if item.arrived_at is None:
            log.warning("%s: letter %d has no INTERNALDATE; it counts as arrived now", self.account.folder, uid)
        return Fetched(
            uidvalidity=self._uidvalidity,
            uid=uid,
            arrived_at=item.arrived_at or self._this_second(),
            size=size if truncated else len(raw),
            raw=raw,
            truncated=truncated,
            arrival_is_of_scan=item.arrived_at is None,
            missing_bytes=missing_bytes(size, len(item.body)) if size <= limit else 0,  # else it may not be known
        )

    def _asked_again(self, uid: int) -> FetchItem | None:
        """A message that came without text, asked for alone; None if it was expunged. Raises NoText.

        A server that cannot give it just now says NO, or OK and nothing more; either way there is a letter that we have not
        read.
        """
        answer = self._bodies([uid], f"BODY.PEEK[]<0.{self.account.max_letter_bytes}>")
        item = answer.get(uid)
        if item is not None and item.body:
            return item
        with self._step("looking for a missing letter"):
            self._client.noop()  # gives the server the chance to say that it is gone
            if uid not in self._client.search(f"UID {uid}"):
                return None
        raise self._missing(uid, item, answer.refusal)

    # Tidying

    def tidy(self, uids: Iterable[int], uidvalidity: int | None = None) -> bool:
        """Move or flag letters that are stored, as the account says. False if the server refuses, which does no harm.

        `uidvalidity` is the one the UIDs belong to, by default that of the last scan; under another one nothing is touched.
        """
        if self.account.processed == "leave":
            return True
        if not self._uidvalidity:
            self._select()
        if uidvalidity not in (None, self._uidvalidity):
            return False
        with self._step("tidying"):
            try:
                for chunk in chunks(sorted(uids)):
                    self._put_away(chunk)
            except Refused as refusal:
                if not self._untidy_told:  # it would say the same of each batch
                    log.warning("%s: processed letters stay where they are: %s", self.account.folder, refusal)
                self._untidy_told = True
                return False
        self._untidy_told = False
        return True

    def untidied(self, watermark: Watermark) -> list[int]:
        """UIDs up to the watermark that are in the folder as if they had never been tidied, of the newest SEARCH_SPAN of them.

        A process or connection that ends between storing and tidying leaves such letters behind.
        """
        if self.account.processed == "leave":
            return []
        uidvalidity, uidnext, _ = self._select()
        last = watermark.last_uid
        if not last or not goes_on(watermark, uidvalidity, uidnext):
            return []
        flagged = f" UNKEYWORD {DONE_KEYWORD}" if self.account.processed == "flag" else ""
        with self._step("searching"):
            found = self._client.search(f"UID {max(1, last - SEARCH_SPAN + 1)}:{last}{flagged}")
        return sorted(uid for uid in found if uid <= last)

    def bring_back(self, since: date) -> int:
        """Put letters that arrived on that day or later, by the server's calendar, from the folder for processed ones back into
        the one that is read, and return their number. Where they are flagged or left in place there is nothing to move back.

        Raises `InboxLost`, and `Refused` if the server does not let us.
        """
        if self.account.processed != "move":
            return 0
        with self._step("bringing letters back"):
            client = self._client
            folder = client.own_folder(self.account.processed_folder)
            if not client.folder_exists(folder):
                return 0
            client.select_folder(folder)
            # A day more: the server compares in a time zone of its own.
            found = sorted(client.search(f"SINCE {imap_day(since - timedelta(days=1))}"))
            for chunk in chunks(found):
                client.put_into_folder(chunk, self.account.folder)
        return len(found)

    def _put_away(self, uids: list[int]) -> None:
        client = self._client
        if self.account.processed == "flag":
            client.put_keyword(uids, DONE_KEYWORD)
            return
        if not self._processed_folder:
            folder = client.own_folder(self.account.processed_folder)
            if folder == self.account.folder:
                raise Refused(f"{folder} is the folder that is read; set processed_folder to another one")
            client.make_folder(folder)
            self._processed_folder = folder
        client.put_into_folder(uids, self._processed_folder)

    # Waiting

    def wait(self, seconds: float, stop: socket.socket) -> None:
        """Return after this many seconds, or as soon as mail is announced or `stop` can be read (which is left to the caller).

        Without IDLE nothing is announced, and the wait is at most poll_seconds; with it, at most RENEWAL_SECONDS. A return says
        nothing about mail: scan.
        """
        idles = self.account.idle and not self._idle_refused and self._idle_silences < MOST_SILENCES
        if idles and self._client.has_capability("IDLE"):
            try:
                self._await_notice(seconds, stop)
                return
            except Refused as refusal:
                log.warning("%s announces nothing (%s); it is asked at intervals", self.account.host, refusal)
                self._idle_refused = True
        _readable([stop], min(seconds, self.account.poll_seconds))

    def _await_notice(self, seconds: float, stop: socket.socket) -> None:
        if not self._uidvalidity:
            self._select()
        ends = time.monotonic() + min(seconds, RENEWAL_SECONDS)
        longest = FIRST_ROUND_SECONDS
        while (left := ends - (begun := time.monotonic())) > 0:
            told = self._client.more_mail_was_told()
            stopped = not told and self._idle(min(left, longest), stop)
            lasted = time.monotonic() - begun
            was_full = lasted >= longest
            rest = max(0.0, min(REST_SECONDS - lasted, ends - time.monotonic()))
            if stopped or _readable([stop], rest) or told or self._client.more_mail_was_told():
                return
            longest = RENEWAL_SECONDS if was_full else FIRST_ROUND_SECONDS

    def _idle(self, seconds: float, stop: socket.socket) -> bool:
        """One round of IDLE (RFC 2177); return whether `stop` ended it. Raises Refused when the server does not agree to it.

        imapclient's own idle_check is not used: it breaks on a notice that comes in two packets and does not see the end of
        the connection. Here the socket is only watched, and the answer to DONE is read in whole lines.
        """
        self._begin_idle()
        connection = self._client.socket()
        stopped = False
        if not (isinstance(connection, ssl.SSLSocket) and connection.pending()):
            stopped = stop.fileno() in _readable([connection, stop], seconds)
        self._end_idle()
        return stopped

    def _begin_idle(self) -> None:
        try:
            with self._step("beginning IDLE"):
                self._client.begin_idle()
        except InboxLost:
            self._idle_silences += 1
            if self._idle_silences == MOST_SILENCES:
                log.warning("%s promises IDLE and never agrees to it; it is asked at intervals", self.account.host)
            raise
        self._idle_silences = 0

    def _end_idle(self) -> None:
        with self._step("ending IDLE"):
            self._client.idle_done()


def _readable(sockets: Iterable[socket.socket], seconds: float) -> set[int]:
    """Wait until one of these has something to read (or is closed) or the time is over; return the file numbers that have."""
    poller = select.poll()
    for each in sockets:
        poller.register(each, select.POLLIN)
    return {number for number, _ in poller.poll(seconds * 1000)}
