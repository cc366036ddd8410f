"""One reader for a mailbox: a message in a folder of its own says which pbmd reads which folder.

Two daemons on one mailbox, by mistake, would share the letters out between them. A file keeps a second one out on the same
machine; this message does so on any other. It needs neither keywords nor extensions. It is renewed every RENEW_SECONDS and
counts for LASTS, by the arrival times of the one mail server: a newcomer puts up a sign first and reads the server's time from
it, so the clocks of the machines do not matter. After a crash the same installation finds its own message and carries on at
once; another one has to wait until it has expired.

Whoever reads now and then (cron) takes the sign away each time, so that another may follow at once, and leaves a note of having
been there. Two that take turns never meet, but each finds the other's note.

The same installation knows its message by the name that ``pbmd.lock`` keeps for this machine, folder and file, and by the host.
Our own clock counts only where the server takes no message to read its clock off.
"""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from email import message_from_bytes
from urllib.parse import quote, unquote

from pbmd.post.imap.fetch_reader import FetchItem
from pbmd.post.imap.wire import Client, Refused

log = logging.getLogger(__name__)

FOLDER = "pbmd-lock"
RENEW_SECONDS = 1200.0
LASTS = timedelta(hours=1)
LOOKED_AT = 200
"""This many messages, the newest in the folder, are searched for a sign."""
SIGN_BYTES = 4000
_TRACE_FIELDS = ("received", "return-path", "delivered-to", "x-original-to")
_LONGEST = 300


class MailboxTaken(Exception):
    """Another pbmd reads the same folder. The message says which one, and what to do."""


@dataclass(frozen=True, slots=True)
class Installation:
    """A pbmd with its data folder; `name` is unique except for clones of a whole machine, which `host` tells apart."""

    name: str
    host: str
    data: str


@dataclass(frozen=True, slots=True)
class Sign:
    """A message of the folder that says who reads what."""

    uid: int
    put_at: datetime | None
    mark: str
    """Unique to this message."""
    folder: str
    by: Installation


def written(mark: str, folder: str, by: Installation) -> bytes:
    """The message (RFC 5322) that says that `by` reads `folder`."""
    return _message(
        mark,
        f"pbmd reads {quote(folder)}",
        {"mark": mark, "folder": folder, "installation": by.name, "host": by.host, "data": by.data},
        "This keeps a second pbmd away from this mailbox. If the pbmd named here",
        "is gone for good, delete this message, or wait until it is an hour old.",
    )


def word_left(mark: str, folder: str, by: Installation) -> bytes:
    """The message that says that `by` has read `folder`, and is gone."""
    return _message(
        mark,
        f"pbmd has read {quote(folder)}",
        {"left": mark, "folder": folder, "installation": by.name, "host": by.host, "data": by.data},
        "This keeps nobody away. The next pbmd that reads this mailbox looks whether",
        "it is another one than the last, and deletes this message.",
    )


def _message(mark: str, subject: str, values: Mapping[str, str], *words: str) -> bytes:
    lines = [
        "From: pbmd <pbmd@localhost>",
        f"Subject: {subject}",
        f"Message-ID: <{mark}@lock.pbmd.invalid>",
        "Content-Type: text/plain; charset=us-ascii",
        "",
        *(f"{key}: {quote(value[-_LONGEST:])}" for key, value in values.items()),
        "",
        *words,
        "",
    ]
    return "\r\n".join(lines).encode("ascii")


def read_sign(item: FetchItem) -> Sign | None:
    """The sign that a message is; None if it is another message."""
    return _read(item, "mark")


def read_word_left(item: FetchItem) -> Sign | None:
    """The sign that was taken away when this note was left; None if it is another message."""
    return _read(item, "left")


def _read(item: FetchItem, key: str) -> Sign | None:
    """What a message says whose mark follows that key.

    A letter that was delivered into the folder (some servers do that with plus addresses) is never a sign: delivery leaves
    its traces in the header (RFC 5321 section 4.4), and what a program puts there by APPEND has none.
    """
    message = message_from_bytes((item.body or b"")[:SIGN_BYTES])
    text = message.get_payload()
    if any(field in message for field in _TRACE_FIELDS) or not isinstance(text, str):
        return None
    said = dict(line.split(": ", 1) for line in text.splitlines() if ": " in line)
    mark, folder, name, host, data = (
        _printable(unquote(said.get(each, "").strip())) for each in (key, "folder", "installation", "host", "data")
    )
    return Sign(item.uid, item.arrived_at, mark, folder, Installation(name, host, data)) if mark and name else None


def _as_shown(text: str) -> str:
    """What becomes of a text that is written into a sign and read again."""
    return _printable(text[-_LONGEST:])


def _printable(text: str) -> str:
    return "".join(character if character.isprintable() else "?" for character in text)[:_LONGEST]


def rival(signs: Iterable[Sign], folder: str, mine: Callable[[Sign], bool], now: datetime) -> Sign | None:
    """The newest sign of somebody else who reads the folder; None if none still counts."""
    counting = [sign for sign in signs if not mine(sign) and _same(sign.folder, folder) and _counts(sign, now)]
    return max(counting, key=lambda sign: sign.put_at or now, default=None)


def _counts(sign: Sign, now: datetime) -> bool:
    # A stamp far ahead is from a time when the server's clock was wrong, and would take as long to expire.
    return sign.put_at is not None and now - LASTS < sign.put_at <= now + LASTS


def _same(one: str, other: str) -> bool:
    return one == other or one.upper() == other.upper() == "INBOX"


def ahead(stamp: datetime, began: datetime, ended: datetime) -> timedelta:
    """By how much the clock that set `stamp`, in whole seconds, is ahead of the one by which it happened between `began` and
    `ended`; below zero if it is behind, zero if it may be right."""
    if stamp > ended:
        return stamp - ended
    return min(stamp + timedelta(seconds=1) - began, timedelta(0))


def server_ahead(client: Client, now: Callable[[], datetime]) -> timedelta | None:
    """By how much the server's clock is ahead of ours, by the stamp of a message that is put into FOLDER and removed again;
    None if the server does not let us see it. Raises what `Client` raises, but for `Refused`."""
    place = client.own_folder(FOLDER)
    name = f"{secrets.token_hex(8)}@clock.pbmd.invalid".encode()
    raw = b"From: pbmd <pbmd@localhost>\r\nSubject: what time is it\r\nMessage-ID: <" + name + b">\r\n\r\nDelete this.\r\n"
    try:
        client.make_folder(place)
        began = now()
        client.put_message(place, raw)
        ended = now()
        ours = [item for item in client.newest_messages(place, LOOKED_AT, SIGN_BYTES) if name in (item.body or b"")]
        client.remove_messages([item.uid for item in ours])
    except Refused as refusal:
        log.info("the clock of the server cannot be seen: %s", refusal)
        return None
    stamps = [item.arrived_at for item in ours if item.arrived_at]
    return ahead(stamps[0], began, ended) if stamps else None


class Lock:
    """The sign of this run of pbmd. Its methods change the selected folder, and raise what `Client` raises. `of_several`: those
    who put up signs of this name agree among themselves who reads, so none of these signs keeps any of them away."""

    def __init__(self, by: Installation, *, of_several: bool = False, clock: Callable[[], float] = time.monotonic) -> None:
        self.by = by
        self._of_several = of_several
        self._clock = clock
        self._marks: set[str] = set()
        self._held_since: float | None = None
        self._given_up_at: float | None = None
        self.server_ahead: timedelta | None = None
        """By how much the server's clock was ahead of ours when it last stamped our sign; below zero if it was behind, None if
        it did not stamp it."""
        self.followed: Sign | None = None
        """The installation whose note we found: another one, which has read the folder since we did."""

    @property
    def held(self) -> bool:
        """Whether our sign is up, as far as we know."""
        return self._held_since is not None

    @property
    def due(self) -> bool:
        """Whether the sign has to be renewed."""
        looked_after = self._held_since if self._given_up_at is None else self._given_up_at
        return looked_after is None or self._clock() - looked_after >= RENEW_SECONDS

    @property
    def given_up(self) -> bool:
        """Whether the mailbox is being read without a sign for now."""
        return self._given_up_at is not None and not self.due

    def give_up(self) -> None:
        """Do without the sign until it would be due for renewal: it is a courtesy, and must not keep us from the mailbox."""
        self._held_since, self._given_up_at = None, self._clock()

    def hold(self, client: Client, folder: str, now: Callable[[], datetime]) -> None:
        """Renew the sign. Raises MailboxTaken when another pbmd reads the folder.

        A server that does not let us put up a sign does not keep pbmd from reading: the log says so. `now`, our own clock, only
        decides where the server lets us put nothing.
        """
        place = client.own_folder(FOLDER)
        self.server_ahead = self.followed = None
        try:
            client.make_folder(place)
            before = self._look(client, place)
            if self._held_since is None:
                # What an earlier run left behind. After that, such a sign is from a copy of the data folder.
                self._marks |= {sign.mark for sign in before if self._is_of_this_place(sign)}
            mark = secrets.token_hex(8)
            self._marks.add(mark)
            began = now()
            try:
                client.put_message(place, written(mark, folder, self.by))
            except Refused:  # a full mailbox, perhaps
                self._give_way(rival(before, folder, self._is_mine, now()), folder)
                raise
            ended = now()
            self._settle(client, mark, folder, before, self._look(client, place), (began, ended))
            self._hear(client, place, folder)
        except Refused as refusal:
            log.warning(
                "the server keeps no folder %s (%s), so a second pbmd on this mailbox would not be seen", FOLDER, refusal
            )
        self._held_since, self._given_up_at = self._clock(), None

    def release(self, client: Client, word_for: str = "") -> None:
        """Take our signs away, and leave a note that we have read the folder `word_for`, if one is given."""
        if not self._marks:
            return
        place = client.own_folder(FOLDER)
        try:
            if word_for:
                client.put_message(place, word_left(secrets.token_hex(8), word_for, self.by))
            client.remove_messages([sign.uid for sign in self._look(client, place) if self._is_mine(sign)])
        except Refused as refusal:
            log.info("%s stays as it is: %s", FOLDER, refusal)
        self._held_since = None

    def _look(self, client: Client, place: str) -> list[Sign]:
        items = client.newest_messages(place, LOOKED_AT, SIGN_BYTES)
        return [sign for item in items if (sign := read_sign(item)) is not None]

    def _hear(self, client: Client, place: str, folder: str) -> None:
        """Whether another installation has left a note; all notes about the folder are removed, having been read."""
        items = client.newest_messages(place, LOOKED_AT, SIGN_BYTES)
        words = [word for item in items if (word := read_word_left(item)) is not None and _same(word.folder, folder)]
        others = [word for word in words if not self._is_of_this_place(word)]
        self.followed = others[-1] if others else None
        client.remove_messages([word.uid for word in words])

    def _settle(
        self,
        client: Client,
        mark: str,
        folder: str,
        before: list[Sign],
        after: list[Sign],
        put: tuple[datetime, datetime],
    ) -> None:
        """Whoever was there before us goes first, by the order of the messages; `put` is when, by our clock, ours was put
        up."""
        ours = next((sign for sign in after if sign.mark == mark), None)
        if ours is None or ours.put_at is None:
            log.warning("the server does not give %s back as it was, so a second pbmd would not be seen", FOLDER)
            return
        now = ours.put_at
        self.server_ahead = ahead(now, *put)
        signs = [*before, *after]  # one that somebody has renewed meanwhile is only in `before`
        here_since = min(sign.uid for sign in signs if self._is_mine(sign) and _counts(sign, now))
        other = rival((sign for sign in signs if sign.uid < here_since), folder, self._is_mine, now)
        if other is not None:
            client.remove_messages([ours.uid])
        self._give_way(other, folder)
        client.remove_messages(
            [sign.uid for sign in after if sign.uid != ours.uid and (self._is_mine(sign) or not _counts(sign, now))]
        )

    def _is_of_this_place(self, sign: Sign) -> bool:
        return (sign.by.name, sign.by.host) == (self.by.name, _as_shown(self.by.host))

    def _is_mine(self, sign: Sign) -> bool:
        return sign.mark in self._marks or (self._of_several and self._is_of_this_place(sign))

    def _give_way(self, other: Sign | None, folder: str) -> None:
        if other is None or other.put_at is None:
            return
        copied = ", a copy of this one" if other.by.name == self.by.name else ""
        raise MailboxTaken(
            f"another pbmd reads {folder} already: on {other.by.host or '?'}, data folder {other.by.data or '?'}{copied}; "
            f"its last sign is of {other.put_at:%Y-%m-%d %H:%M:%S} UTC. Stop that one first; if it is gone for good, "
            f"delete the message in the folder {FOLDER}, or wait until {other.put_at + LASTS:%Y-%m-%d %H:%M} UTC "
            "by the mail server's clock"
        )
