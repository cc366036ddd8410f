"""The tables of the ledger. All times are UTC; JSON documents are kept as text, byte for byte as they were made."""

import re
import zlib
from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, date, datetime
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Any

from pydantic import ConfigDict
from sqlalchemy import BigInteger, Column, DateTime, Enum, Index, Integer, LargeBinary, Text, UniqueConstraint, false, text
from sqlalchemy.engine import Dialect
from sqlalchemy.types import TypeDecorator
from sqlmodel import Field, SQLModel


class UtcDateTime(TypeDecorator[datetime]):
    """An aware UTC datetime, also on databases that keep none. Refuses naive ones: they are always a mistake."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Aware, in any zone → UTC. Raises `ValueError` for a naive datetime."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a naive datetime has no place in the ledger")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Whatever the database gives back, as aware UTC."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class CompressedText(TypeDecorator[str]):
    """A long text, stored compressed: the pages of reports are most of a ledger, and shrink to a sixth."""

    impl = LargeBinary
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> bytes | None:
        """Text → what is stored."""
        return None if value is None else zlib.compress(value.encode("utf-8", "surrogatepass"), _EFFORT)

    def process_result_value(self, value: bytes | None, dialect: Dialect) -> str | None:
        """What is stored → text."""
        return None if value is None else zlib.decompress(value).decode("utf-8", "surrogatepass")


class PackedBytes(TypeDecorator[bytes]):
    """The bytes of a mail, stored compressed: a row that takes fewer pages of the file is written and changed with fewer. What
    older versions have stored is as it was.

    Reading raises `ValueError` where something else than pbmd has changed the bytes: what can still be read of them may say
    something else. The row is put aside then like any other that cannot be read (`pbmd.ledger.readable`).
    """

    impl = LargeBinary
    cache_ok = True

    def process_bind_param(self, value: bytes | None, dialect: Dialect) -> bytes | None:
        """Bytes → what is stored. No bytes are stored as they are: queries ask for them."""
        return packed(value) if value else value

    def process_result_value(self, value: bytes | None, dialect: Dialect) -> bytes | None:
        """What is stored → bytes."""
        return unpacked(value) if value and is_packed(value) else value


_PACKED, _PACKED_ALONE = b"\0d", b"\0z"
"""What compressed bytes begin with, now and when there were no words of mails yet; no mail has a NUL (RFC 3501, section 9)."""
_MARK = len(_PACKED)


@cache
def _mail_words() -> bytes:
    """What nearly all mails have in them, to which compressed ones refer instead of keeping it. Not a letter of it may ever be
    changed."""
    words = files("pbmd.ledger").joinpath("mail_words.txt").read_text(encoding="ascii")
    return words.replace("\n", "\r\n").encode("ascii")


def packed(raw: bytes) -> bytes:
    """The bytes of a mail, compressed."""
    packer = zlib.compressobj(_EFFORT, zdict=_mail_words())
    return _PACKED + packer.compress(raw) + packer.flush()


def is_packed(stored: bytes) -> bool:
    """Whether stored bytes are compressed."""
    return stored.startswith((_PACKED, _PACKED_ALONE))


def _unpacker(stored: bytes) -> Any:
    return zlib.decompressobj(zdict=_mail_words()) if stored.startswith(_PACKED) else zlib.decompressobj()


def unpacked(stored: bytes) -> bytes:
    """What was compressed. Raises `ValueError` if it is spoiled, which its checksum tells (RFC 1950), or cut off."""
    unpacker = _unpacker(stored)
    try:
        raw: bytes = unpacker.decompress(stored[_MARK:])
    except zlib.error as problem:
        raise ValueError(f"a mail in the ledger is spoiled: {problem}") from None
    if not unpacker.eof or unpacker.unused_data:
        raise ValueError("a mail in the ledger is spoiled: it does not end where it should")
    return raw


def unpacked_in_part(stored: bytes) -> bytes:
    """What was compressed, as far as anything can be read, right or wrong."""
    unpacker, read = _unpacker(stored), bytearray()
    with suppress(zlib.error):
        for place in range(_MARK, len(stored)):
            read += unpacker.decompress(stored[place : place + 1])
    return bytes(read)


_EFFORT = 3
"""Of 9: more takes three times as long for a tenth less."""
MAIL_NUMBER = BigInteger().with_variant(Integer(), "sqlite")
"""UIDs and UIDVALIDITYs, which go up to 2**32 - 1 (RFC 3501, section 2.3.1.1): more than an integer of PostgreSQL holds; one of
SQLite holds 64 bits."""


def _time(*, nullable: bool = False) -> Any:
    return Field(default=None, sa_type=UtcDateTime, nullable=nullable)


def _mail_number(*, default: int | None = None, primary_key: bool = False) -> Any:
    if default is None:
        return Field(sa_type=MAIL_NUMBER, primary_key=primary_key)  # pyright: ignore[reportArgumentType, reportCallIssue]
    return Field(default=default, sa_type=MAIL_NUMBER)  # pyright: ignore[reportArgumentType, reportCallIssue]


def _added_text() -> Any:
    # With a default in the database a large ledger need not be rewritten when it gets the column.
    return Field(default="", sa_column_kwargs={"server_default": text("''")})


def _long_text(default: str = "") -> Any:
    return Field(default=default, sa_type=Text)


def _values(kind: type[StrEnum]) -> list[str]:
    return [member.value for member in kind]


def _state(default: StrEnum) -> Any:
    kind = type(default)
    values = Enum(kind, values_callable=_values, native_enum=False, length=20)
    return Field(default=default, sa_type=values)  # pyright: ignore[reportArgumentType, reportCallIssue]


def _bytes() -> Any:
    return Field(sa_column=Column(LargeBinary, nullable=False))


def _packed_bytes() -> Any:
    return Field(sa_column=Column(PackedBytes, nullable=False))


def _bytes_if_any() -> Any:
    return Field(default=None, sa_column=Column(LargeBinary, nullable=True))


def step_words(turn: int, name: str) -> str:
    """What a step is called in a sentence: ``turn 3``, or ``phase 1b of turn 3``."""
    return f"{name} of turn {turn}" if name else f"turn {turn}"


_WITH_YEAR = re.compile(r"(?P<name>.*\b\d{4}\b.*?)(?: moves)? of turn \d{1,6}|(?P<first>\D.*) of turn 0")


def called(step: str) -> str:
    """What players call a step: one with a year in its name needs no turn, and that things move in it goes without saying, so
    "spring 1901 moves of turn 1" is ``spring 1901``. Nor does what comes before the first turn: ``set-up``."""
    found = _WITH_YEAR.fullmatch(step)
    return found["name"] or found["first"] if found else step


def called_briefly(turn: int, name: str) -> str:
    """The same where the turn is shown beside it: ``phase 1a``."""
    words = step_words(turn, name)
    return name if name and called(words) == words else called(words)


class _Row(SQLModel):
    """What the tables share. A row is never validated, so nothing is built for that."""

    model_config = ConfigDict(defer_build=True)  # pyright: ignore[reportAssignmentType]


class LetterState(StrEnum):
    """New until the clerk has dealt with it; held while its seat's holder is asked to confirm it; quarantined when dealing
    with it failed."""

    NEW = "new"
    HELD = "held"
    DONE = "done"
    QUARANTINED = "quarantined"


class GameStatus(StrEnum):
    """A game's life."""

    SIGNUP = "signup"
    RUNNING = "running"
    PAUSED = "paused"
    FINISHED = "finished"


class SeatState(StrEnum):
    """Whether the seat's holder still plays. A resigned seat is no longer awaited."""

    ACTIVE = "active"
    RESIGNED = "resigned"


class SubmissionState(StrEnum):
    """What became of orders that were received."""

    FILED = "filed"  # in force
    REFUSED = "refused"  # no usable line, or refused as a whole
    LATE = "late"
    REPLACED = "replaced"
    GRANTED = "granted"  # no orders, but a request that takes effect by itself
    CANCELLED = "cancelled"
    USED = "used"
    ROLLED_BACK = "rolled-back"  # in force when its step was rolled back


class ConfirmationState(StrEnum):
    """What became of a question to the holder of a seat."""

    OPEN = "open"
    CONFIRMED = "confirmed"
    REFUSED = "refused"
    EXPIRED = "expired"


class RequestState(StrEnum):
    """What became of something that waits for the game master's word. ENDED: nobody needs it any more."""

    OPEN = "open"
    APPROVED = "approved"
    REFUSED = "refused"
    ENDED = "ended"


class VoteState(StrEnum):
    """What became of a vote. VETOED: by the game master. ENDED: the game was over, or taken back."""

    OPEN = "open"
    PASSED = "passed"
    FAILED = "failed"
    VETOED = "vetoed"
    ENDED = "ended"


class OutboxState(StrEnum):
    """A mail's way out. SENDING survives a crash only as "may have gone out". HELD is not sent until the GM says so."""

    QUEUED = "queued"
    SENDING = "sending"
    SENT = "sent"
    FAILED = "failed"
    HELD = "held"


UNSENT = text("state IN ('queued', 'sending')")
"""The condition of the index on mails that are to go out. SQLite uses the index only for queries that have it word for word."""


HAS_GONE_OUT = text("sent_at IS NOT NULL")
"""The same for mails of which it is asked how many went out within the last minute."""


ARCHIVE_WAITS = text("sent_at IS NULL")
DIGEST_WAITS = text("digest_at IS NOT NULL")
VOTE_WAITS = text("due_at IS NOT NULL")
"""The same for archives that were asked for, for votes that end at some time, and for news that the game master has not had."""


GIVEN_UP = text("state IN ('failed', 'held')")
"""The same for mails that do not go out unless the game master says so."""


NEW = text("letter.state = 'new'")
"""The same for letters that are not dealt with yet."""
HELD = text("letter.state = 'held'")
"""The same for letters that wait for their player."""
QUARANTINED = text("letter.state = 'quarantined'")
"""The same for letters that a bug kept from being dealt with."""


def _none_of(kind: type[StrEnum]) -> Any:
    return text(f"state NOT IN ({', '.join(repr(member.value) for member in kind)})")


NO_STATE_OF_LETTERS = _none_of(LetterState)
"""The same for letters in an unknown state. They have an index of their own, since no other query asks for them."""
NO_STATE_OF_MAILS = _none_of(OutboxState)
"""The same for mails."""


AWAITED = text("confirmation.state = 'open'")
"""The same for questions that are not answered yet."""


class Mailbox(_Row, table=True):
    """How far a mailbox has been read. `read_through` is when the last complete reading began: nothing that had arrived
    by then is missing from the ledger."""

    id: int | None = Field(default=None, primary_key=True)
    name: str = Field(unique=True)
    uidvalidity: int = _mail_number(default=0)
    last_uid: int = _mail_number(default=0)
    read_through: datetime | None = _time(nullable=True)


class Letter(_Row, table=True):
    """A letter as it came in. `raw` is stored before anything looks at it, compressed (`PackedBytes`).

    `arrival_estimated`: the server gave no arrival time that can be read, so `arrived_at` is when pbmd fetched the letter.
    """

    __table_args__ = (
        Index("ix_letter_new", "arrived_at", "uid", sqlite_where=text("state = 'new'")),
        Index(
            "ix_letter_held",
            "seat_id",
            "arrived_at",
            sqlite_where=text("state = 'held'"),
        ),
        Index(
            "ix_letter_quarantined",
            "arrived_at",
            sqlite_where=text("state = 'quarantined'"),
        ),
        Index("ix_letter_no_state", "state", sqlite_where=NO_STATE_OF_LETTERS),
        Index("ix_letter_game_id", "game_id", sqlite_where=text("game_id IS NOT NULL")),
    )

    id: int | None = Field(default=None, primary_key=True)
    fingerprint: str = Field(unique=True)
    uid: int = _mail_number()
    arrived_at: datetime = _time()
    arrival_estimated: bool = False
    size: int
    truncated: bool = False
    raw: bytes = _packed_bytes()
    state: LetterState = _state(LetterState.NEW)
    game_id: int | None = Field(default=None, foreign_key="game.id")
    seat_id: int | None = Field(default=None, foreign_key="seat.id")
    note: str = _long_text()


class Sighting(_Row, table=True):
    """Where a letter was seen: the proof that a message of the mailbox is in the ledger."""

    mailbox_id: int = Field(primary_key=True, foreign_key="mailbox.id")
    uidvalidity: int = _mail_number(primary_key=True)
    uid: int = _mail_number(primary_key=True)
    fingerprint: str


class UnreadLetter(_Row, table=True):
    """Where a letter is that was put aside because the mail server gives no text for it; `Letter.arrived_at` is when it
    arrived. It is asked for again now and then: `tried_at`. Until `given_up_at` no reading of its mailbox is evidence for any
    time after that arrival, since it may be anybody's. The row is deleted when the text has come, or the message is gone."""

    letter_id: int = Field(primary_key=True, foreign_key="letter.id")
    mailbox_id: int = Field(foreign_key="mailbox.id", index=True)
    uidvalidity: int = _mail_number()
    uid: int = _mail_number()
    aside_at: datetime = _time()
    tried_at: datetime = _time()
    given_up_at: datetime | None = _time(nullable=True)


class Game(_Row, table=True):
    """A game: its position and where its clock stands.

    `step` counts resolutions; `step_name` is what the rules call the current step, if they do, and `opened_at` is when it
    began. `takes_from` is the arrival from which on letters belong to that step: what ended the step before had happened by
    then, though pbmd may have got to it only later, when it opened this one. `due_at` is the next instant at which the clock
    must look at the game, None when only a letter can move it. `secret` is the dice secret of the current step, `salts` the
    secret that its salts come from, None if it began before salts existed. `draws_anew`: a backup has taken the place of the
    ledger, so these secrets may be known and must not be used. `meanwhile` is what the journal must record of the current step
    and nobody may notice before it is over: a JSON list. `press_waits` are the numbers of the journal entries with press that
    goes out with the next report. `closed_at` is when the game master said that the current step is to be resolved now, whoever
    is missing. `gm_generation` counts the game master's tokens for this game. `digest_at` is when the game master is told of
    what has happened since the last digest; None if there is nothing to tell. `digests` is a JSON object, part of the game →
    digest of what was written there (`pbmd.ledger.digests`). `standing`: when it is full and begins, the next game of the same
    set-up takes sign-ups. `series` is the id of the first of those that opened each other, None if it is of none, and
    `opens_at` from when on this one takes sign-ups, None if at once. `substitutes_at` is when the clock must do something about
    a substitute of one of its seats next, None if nobody wants one.
    """

    __table_args__ = (
        Index(
            "ix_game_due",
            "due_at",
            sqlite_where=text("status = 'running' AND due_at IS NOT NULL"),
        ),
        Index("ix_game_digest", "digest_at", sqlite_where=DIGEST_WAITS),
    )

    id: int | None = Field(default=None, primary_key=True)
    name: str = Field(unique=True)
    ruleset: str
    status: GameStatus = _state(GameStatus.SIGNUP)
    options: str = _long_text("{}")
    terms: str = _long_text("{}")
    position: str = _long_text("")
    turn: int = 0
    step: int = 0
    step_name: str = ""
    opened_at: datetime | None = _time(nullable=True)
    takes_from: datetime | None = _time(nullable=True)
    deadline: datetime | None = _time(nullable=True)
    due_at: datetime | None = _time(nullable=True)
    paused_at: datetime | None = _time(nullable=True)
    closed_at: datetime | None = _time(nullable=True)
    secret: bytes = Field(default=b"", sa_column=Column(LargeBinary, nullable=False))
    salts: bytes | None = _bytes_if_any()
    draws_anew: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    meanwhile: str = Field(default="[]", sa_type=Text)
    press_waits: str = Field(default="[]", sa_type=Text)
    chain_number: int = 0
    chain_head: str = ""
    digests: str = Field(default="{}", sa_type=Text, sa_column_kwargs={"server_default": text("'{}'")})
    gm_generation: int = 1
    digest_at: datetime | None = _time(nullable=True)
    standing: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    series: int | None = Field(default=None, index=True)
    opens_at: datetime | None = _time(nullable=True)
    substitutes_at: datetime | None = _time(nullable=True)
    created_at: datetime = _time()

    @property
    def step_words(self) -> str:
        """What the current step is called in a sentence."""
        return step_words(self.turn, self.step_name)

    @property
    def step_called(self) -> str:
        """The same as players say it."""
        return called(self.step_words)

    @property
    def stands(self) -> str:
        """How it stands, in a few words: a turn only while there is one."""
        if self.status is GameStatus.SIGNUP:
            return "sign-up is open"
        has_turn = self.status is not GameStatus.FINISHED and self.opened_at is not None
        return f"{self.status.value}, {self.step_called}" if has_turn else self.status.value


class Seat(_Row, table=True):
    """A player's place in a game. `deadline` is the seat's own where it differs from the game's; `missed_step` is the last step
    whose deadline the seat missed; `settled_at` is when its orders for this step were filed, or when it missed the deadline or
    was given up, so that nothing is waited for any more.

    `other_address` gets a mail if there is trouble with `address`, and nothing else. `unreachable_since` is when mail to
    `address` had bounced too often. `joined_at` is when the sign-up arrived.

    `asleep_since` is the step with which the seat had missed so much that nobody waits for it, -1 while it is awake;
    `counted_from` is the step from which on what it misses in a row counts, `seated_from` the first step of its holder.

    `waits`: the step is not to end early (WAIT); if it also `waits_for_orders`, only until the holder has sent some.
    `absence_days` is by how many days absences have moved deadlines. `calendar`: the holder wants invitations; `calendar_shows`
    is the step and deadline of the last one, empty if their calendar has nothing of ours, and `calendar_sequence` counts the
    invitations sent.

    `report_files` are words: what the holder wants with reports ("svg", "json") beyond what everybody gets.
    """

    __table_args__ = (UniqueConstraint("game_id", "number"), UniqueConstraint("game_id", "name"))

    id: int | None = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id", index=True)
    number: int
    name: str
    address: str = Field(index=True)
    other_address: str = ""
    unreachable_since: datetime | None = _time(nullable=True)
    holder: str = ""
    timezone: str = "UTC"
    token_generation: int = 1
    state: SeatState = _state(SeatState.ACTIVE)
    waits: bool = False
    waits_for_orders: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    deadline: datetime | None = _time(nullable=True)
    missed_step: int = -1
    settled_at: datetime | None = _time(nullable=True)
    asleep_since: int = Field(default=-1, sa_column_kwargs={"server_default": text("-1")})
    counted_from: int = Field(default=0, sa_column_kwargs={"server_default": text("0")})
    seated_from: int = Field(default=0, sa_column_kwargs={"server_default": text("0")})
    extended_minutes: int = 0
    absence_days: int = 0
    calendar: bool = False
    calendar_shows: str = ""
    calendar_sequence: int = 0
    report_files: str = Field(default="", sa_column_kwargs={"server_default": text("''")})
    signup: str = _long_text("[]")
    joined_at: datetime | None = _time(nullable=True)

    @property
    def is_asleep(self) -> bool:
        """Whether its player has missed so much that nobody waits for them."""
        return self.asleep_since >= 0

    @property
    def is_awake(self) -> bool:
        """Whether somebody plays it, and it is not asleep: then its orders are waited for."""
        return self.state is SeatState.ACTIVE and not self.is_asleep


class Submission(_Row, table=True):
    """Orders that a seat sent in a step and what became of them; `number` is the journal entry that holds them, 0 while none
    does (`SubmissionState.GRANTED`).

    `head` and `word` are what the letter brought back of the order form: the head of the journal that its mail showed, and what
    goes into the dice with these orders; empty if it brought none.
    `cancelled_by` is the letter that took them back. `letter_id` is None in imported games, whose letters are not here.
    """

    __table_args__ = (Index("ix_submission_step", "game_id", "step", "seat_id"),)

    id: int | None = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id")
    seat_id: int = Field(foreign_key="seat.id")
    step: int
    letter_id: int | None = Field(default=None, foreign_key="letter.id")
    number: int
    arrived_at: datetime = _time()
    digest: str
    state: SubmissionState = _state(SubmissionState.FILED)
    orders: str = _long_text("[]")
    verdicts: str = _long_text("[]")
    head: str = _added_text()
    word: str = _added_text()
    cancelled_by: int | None = Field(default=None, foreign_key="letter.id")


class Confirmation(_Row, table=True):
    """A question that only a mail from the address that was asked can answer: was this letter yours, do you want to resign, …
    `subject` says what would be done; `payload` is a JSON object with what is needed to do it.

    `letter_id` is the letter that led to it, None if the game master's word did; `seat_id` is None if it is about no seat, and
    `game_id` if it is about all games. The code that answers it is made from the id and the key, and stored nowhere.
    """

    __table_args__ = (
        Index("ix_confirmation_open", "seat_id", "state"),
        Index(
            "ix_confirmation_awaited",
            "expires_at",
            sqlite_where=text("state = 'open'"),
        ),
    )

    id: int | None = Field(default=None, primary_key=True)
    game_id: int | None = Field(default=None, foreign_key="game.id")
    seat_id: int | None = Field(default=None, foreign_key="seat.id")
    letter_id: int | None = Field(default=None, foreign_key="letter.id")
    subject: str
    payload: str = _long_text("{}")
    state: ConfirmationState = _state(ConfirmationState.OPEN)
    asked_at: datetime = _time()
    expires_at: datetime = _time()


class Request(_Row, table=True):
    """Something that waits for the game master's word (APPROVE or REFUSE), numbered from 1 in its game.

    `kind` says what is done when it is approved, `words` is the sentence for the game master, `payload` a JSON object with
    what is needed to do it. `seat_id` is who asks, None if the rules or nobody in particular does; `letter_id` the letter that
    asked.
    """

    __table_args__ = (UniqueConstraint("game_id", "number"),)

    id: int | None = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id")
    number: int
    seat_id: int | None = Field(default=None, foreign_key="seat.id")
    letter_id: int | None = Field(default=None, foreign_key="letter.id")
    kind: str
    words: str = _long_text()
    payload: str = _long_text("{}")
    state: RequestState = _state(RequestState.OPEN)
    asked_at: datetime = _time()
    decided_at: datetime | None = _time(nullable=True)


class Vote(_Row, table=True):
    """Something that players vote on, numbered from 1 in its game. What it is, and the ballots, are in the journal, from the
    entry with the number `entry` on.

    `seat_id` is who has proposed it, in the step `step`. `due_at` is when the clock must look at it next: when its time is
    over, or when a pause that it has led to ends; None if never again. `decided_at` is when it was over.
    """

    __table_args__ = (
        UniqueConstraint("game_id", "number"),
        Index("ix_vote_due", "due_at", sqlite_where=VOTE_WAITS),
    )

    id: int | None = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id")
    number: int
    entry: int
    kind: str
    seat_id: int = Field(foreign_key="seat.id")
    step: int
    state: VoteState = _state(VoteState.OPEN)
    due_at: datetime | None = _time(nullable=True)
    decided_at: datetime | None = _time(nullable=True)


class VisitorKind(StrEnum):
    """What somebody without a seat gets: the public reports of a game, or offers of seats."""

    WATCH = "watch"
    STANDBY = "standby"


class Visitor(_Row, table=True):
    """Somebody without a seat who gets mail because they have asked for it and confirmed it: an observer of a game, or one of
    the standby list of a game, or, without `game_id`, of all. `since` is when the letter arrived that asked for it."""

    __table_args__ = (Index("ix_visitor_game", "kind", "game_id"),)

    id: int | None = Field(default=None, primary_key=True)
    kind: VisitorKind = _state(VisitorKind.WATCH)
    game_id: int | None = Field(default=None, foreign_key="game.id")
    address: str = Field(index=True)
    holder: str = ""
    since: datetime = _time()


class ListingState(StrEnum):
    """Whether the results of a player are shown. BARRED: the game master has taken the name off for good."""

    LISTED = "listed"
    ENDED = "ended"
    BARRED = "barred"


class ListedPlayer(_Row, table=True):
    """Somebody who has agreed that results of games at their address are shown under this name, `since` when, or once had: the
    name stays theirs, so that nobody else can be listed under it."""

    address: str = Field(primary_key=True)
    name: str = Field(unique=True)
    state: ListingState = _state(ListingState.LISTED)
    since: datetime = _time()


class Withheld(_Row, table=True):
    """Mails to an address that a rate limit has kept back for one reason since the last mail sent there: how many, from when to
    when."""

    address: str = Field(primary_key=True)
    reason: str = Field(primary_key=True)
    mails: int
    first_at: datetime = _time()
    last_at: datetime = _time()


class ArchiveRequest(_Row, table=True):
    """Who has asked by mail for the archive of a game that is over: the holder of a seat, or somebody who watches it
    (`Visitor`); 0 for the other. `sent_at` is when it was last sent, None while it waits."""

    __table_args__ = (
        UniqueConstraint("game_id", "seat_id", "visitor_id"),
        Index("ix_archive_waits", "asked_at", sqlite_where=ARCHIVE_WAITS),
    )

    id: int | None = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id")
    seat_id: int = 0
    visitor_id: int = 0
    asked_at: datetime = _time()
    sent_at: datetime | None = _time(nullable=True)


class Absence(_Row, table=True):
    """From which to which day, by the clock of their time zone, the holder of a seat is away; `ended` if they have said that
    they are not, or have left the seat. `asked_step` is the last step for which the game master was asked for more time."""

    __table_args__ = (Index("ix_absence_game", "game_id", "last"),)

    id: int | None = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id")
    seat_id: int = Field(foreign_key="seat.id")
    first: date
    last: date
    told_at: datetime = _time()
    ended: bool = False
    asked_step: int = -1


class SubstitutionState(StrEnum):
    """WANTED until somebody has said yes, AGREED until their first day, PLAYING until the seat comes back."""

    WANTED = "wanted"
    AGREED = "agreed"
    PLAYING = "playing"
    ENDED = "ended"


class Substitution(_Row, table=True):
    """From which to which day, by the clock of their time zone, the player of a seat wants somebody else to play it. `named` is
    the address that they want to be asked, empty if those who stand by are to be.

    `look_at` is when the clock must do something about it next, None once it is over; `warned`: the player knows that nobody
    has agreed yet. `address` and what follows is about whoever of the two does not have the seat: the substitute who has
    agreed, then the player who comes back; of both nothing is left when it is over. `generation` is that of the player's last
    token.
    """

    __table_args__ = (Index("ix_substitution_game", "game_id", "state"), Index("ix_substitution_address", "address"))

    id: int | None = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id")
    seat_id: int = Field(foreign_key="seat.id", index=True)
    first: date
    last: date
    asked_at: datetime = _time()
    state: SubstitutionState = _state(SubstitutionState.WANTED)
    named: str = ""
    look_at: datetime | None = _time(nullable=True)
    warned: bool = False
    address: str = ""
    holder: str = ""
    timezone: str = "UTC"
    other_address: str = ""
    report_files: str = ""
    calendar: bool = False
    generation: int = 0


class Bounce(_Row, table=True):
    """A mail of ours that bounced. `hard`: the server said never (5.x.x); `status` is the code of RFC 3463, if any."""

    __table_args__ = (Index("ix_bounce_address", "address", "at"),)

    id: int | None = Field(default=None, primary_key=True)
    letter_id: int = Field(foreign_key="letter.id", unique=True)
    outbox_id: int | None = Field(default=None, foreign_key="outbox.id")
    address: str
    at: datetime = _time()
    hard: bool
    status: str = ""


class StepRecord(_Row, table=True):
    """A resolved step: all that is needed to resolve it again, and what came of it.

    `name` is what the rules call it, if they do. `deadlines` is a JSON object, number of the seat → its deadline in ISO 8601 if
    it had a part in the step, to tell late letters how late they are. `took_until`: letters that arrived before it belonged to
    this step (or an earlier one); see `Game.takes_from`. `secret` is that of its dice, `salts` the one that its salts came
    from, None if it had none; `words` is a JSON object, seat → word, of those that came with the orders used. `rolled_back` is
    the number of the journal entry that rolled it back, 0 if it stands.
    """

    __table_args__ = (UniqueConstraint("game_id", "step"),)

    id: int | None = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id")
    step: int
    turn: int
    name: str = ""
    resolved_at: datetime = _time()
    took_until: datetime = _time(nullable=True)
    cause: str
    deadlines: str = _long_text("{}")
    before: str = _long_text()
    after: str = _long_text()
    events: str = _long_text()
    dice: str = _long_text()
    secret: bytes = _bytes()
    salts: bytes | None = _bytes_if_any()
    words: str = Field(default="{}", sa_type=Text, sa_column_kwargs={"server_default": text("'{}'")})
    rolled_back: int = 0


class StepPlayed(_Row, table=True):
    """Whether the holder of a seat sent orders for a step in which it had a part, or missed it. `whose` is a digest of their
    address that only this host can make (`pbmd.desk.books.attendance`); `seat` is the number of the seat. `away`: they had said
    that they are away then."""

    __table_args__ = (UniqueConstraint("game_id", "step", "seat"), Index("ix_stepplayed_whose", "whose"))

    id: int | None = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id")
    step: int
    seat: int
    whose: str
    met: bool
    away: bool = Field(default=False, sa_column_kwargs={"server_default": false()})


class Report(_Row, table=True):
    """A report as rendered. `reader` is "public" or "seat:N". `step` is the one it reports on; -1 for the start."""

    __table_args__ = (UniqueConstraint("game_id", "step", "reader"),)

    id: int | None = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id")
    step: int
    turn: int
    reader: str
    text: str = _long_text()
    html: str = Field(default="", sa_type=CompressedText)


class JournalEntry(_Row, table=True):
    """One link of a game's chain. The secret part enters the hash only by its salted digest.

    `sealed` is that digest where the secret part is not known in its original form, in a game that was imported from an
    archive.
    """

    __tablename__ = "journal"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (UniqueConstraint("game_id", "number"),)

    id: int | None = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id")
    number: int
    at: datetime = _time()
    kind: str
    public: str = _long_text()
    secret: str = _long_text()
    salt: str
    hash: str
    sealed: str = ""


class Webhook(_Row, table=True):
    """How far the news of a game has been posted to the web address in the settings: `through` is the number of the last line
    of the log that was posted. After `tries` failures nothing is tried before `next_try_at`."""

    game_id: int = Field(primary_key=True, foreign_key="game.id")
    through: int = 0
    tries: int = 0
    next_try_at: datetime | None = _time(nullable=True)


class Outbox(_Row, table=True):
    """A mail to one recipient, with its bytes fixed when it was queued. `key` says what it is, so that it is queued once.

    `raw` has all but the pictures (`PictureInMail`), compressed; it is empty once the mail was sent so long ago that nobody
    needs it.

    `nonce` is the part of the Message-ID that is this mail's own, by which a bounce is matched, and a mail is found that a
    letter names. `answers` is the digest of the text that this mail answers, so that the same answer is not given to the same
    text again and again; empty if it is no answer.

    `sender` is the host (`Host.name`) that has it on its way, or has sent it. `gathered` is what a mail tells that waits for
    more, and since when, as JSON (`pbmd.desk.step.gathering`); empty for all others, and once the bytes are gone. `room` are
    blanks that the row gives up as it grows on its way out: SQLite changes a row of the same length in place, and need not
    write the mail again.
    """

    __table_args__ = (
        Index("ix_outbox_recipient", "recipient", "queued_at"),
        Index(
            "ix_outbox_unsent",
            "next_try_at",
            sqlite_where=UNSENT,
        ),
        Index("ix_outbox_given_up", "state", sqlite_where=GIVEN_UP),
        Index("ix_outbox_sent", "sent_at", sqlite_where=HAS_GONE_OUT),
        Index("ix_outbox_no_state", "state", sqlite_where=NO_STATE_OF_MAILS),
    )

    id: int | None = Field(default=None, primary_key=True)
    key: str = Field(unique=True)
    kind: str
    game_id: int | None = Field(default=None, foreign_key="game.id", index=True)
    seat_id: int | None = Field(default=None, foreign_key="seat.id")
    recipient: str
    envelope_from: str
    message_id: str
    nonce: str = Field(default="", index=True)
    answers: str = ""
    raw: bytes = _packed_bytes()
    state: OutboxState = _state(OutboxState.QUEUED)
    tries: int = 0
    queued_at: datetime = _time()
    next_try_at: datetime = _time()
    sent_at: datetime | None = _time(nullable=True)
    bounced_at: datetime | None = _time(nullable=True)
    error: str = _long_text()
    sender: str = _added_text()
    gathered: str = Field(default="", sa_type=Text, sa_column_kwargs={"server_default": text("''")})
    room: str = _added_text()


_SENT_AT = "2026-11-20 12:00:00.000000"
"""A time as SQLite has it."""
ROOM = {
    OutboxState.QUEUED: " " * (len(OutboxState.SENT + _SENT_AT) - len(OutboxState.QUEUED)),
    OutboxState.SENDING: " " * (len(OutboxState.SENT + _SENT_AT) - len(OutboxState.SENDING)),
    OutboxState.SENT: "",
}
"""`Outbox.room` of a mail, from when it is queued until it is sent."""


class Picture(_Row, table=True):
    """A picture in mails, stored once, whoever gets it. `digest` is its SHA-256 in hexadecimal."""

    digest: str = Field(primary_key=True)
    data: bytes = _bytes()


class PictureInMail(_Row, table=True):
    """Where in the bytes of a mail (`Outbox.raw`, which has none) a picture belongs: at `at`, as lines of base64."""

    mail: str = Field(primary_key=True, foreign_key="outbox.key")
    at: int = Field(primary_key=True)
    digest: str = Field(foreign_key="picture.digest", index=True)


class LogLine(_Row, table=True):
    """A line of the dashboard log, written in the transaction of what it tells about. `cause` is what it rests on: a letter,
    a word of the game master, how far the mailbox was read; empty where the line itself says it."""

    __tablename__ = "log"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (Index("ix_log_game", "game", "id"),)

    id: int | None = Field(default=None, primary_key=True)
    at: datetime = _time()
    game: str = "-"
    turn: str = "-"
    what: str
    seat: str = "-"
    detail: str = _long_text()
    cause: str = Field(default="", sa_type=Text)


class Alarm(_Row, table=True):
    """Something that the game master must look at, from `began` until it `ended` by itself, None as long as it lasts.
    `mailed_at` is when a mail reported it, None if one had done so shortly before; `held`: there were too many mails of the
    kind, and none has said yet how many more there are. `host` is the host concerned, empty if it is not about one host
    (`Host.name`); `about` is which letter or mailbox it is about, empty if its kind says all."""

    id: int | None = Field(default=None, primary_key=True)
    kind: str
    began: datetime = _time()
    mailed_at: datetime | None = _time(nullable=True)
    ended: datetime | None = _time(nullable=True)
    host: str = _added_text()
    about: str = _added_text()
    held: bool = Field(default=False, sa_column_kwargs={"server_default": false()})


class UnreadableValue(_Row, table=True):
    """A value that could not be read, and was moved here so that nobody comes across it again: in its place is a neutral one,
    or its row is gone. `of_table` and `of_row`, the key of the row, say where, and `of_column`; `value` is how Python writes
    it. `game_id` is the game concerned, None if none is, and `settled_at` is when the matter was settled, None while somebody
    still has to deal with it."""

    __table_args__ = (Index("ix_unreadablevalue_row", "of_table", "of_row"),)

    id: int | None = Field(default=None, primary_key=True)
    of_table: str
    of_row: str
    of_column: str
    value: str = _long_text()
    game_id: int | None = Field(default=None, foreign_key="game.id", index=True)
    found_at: datetime = _time()
    settled_at: datetime | None = _time(nullable=True)


class Outage(_Row, table=True):
    """A time in which a mailbox could not be read, from the first failed try to the beginning of the first complete reading
    after it, None until there is one."""

    id: int | None = Field(default=None, primary_key=True)
    mailbox_id: int = Field(foreign_key="mailbox.id")
    began: datetime = _time()
    ended: datetime | None = _time(nullable=True)


class Era(_Row, table=True):
    """The one row with the number that the ledger gets when a backup has taken its place, 0 until then. `place` is where it was
    then, by `pbmd.ledger.postgresql.identity`; empty for a file. `left_for` is the address (without password) of the database
    that has taken its place since it was moved there, and `arrives_from` that of the ledger of which it has not got all yet;
    both are empty in a ledger that is in use."""

    id: int | None = Field(default=None, primary_key=True)
    number: int = 0
    place: str = ""
    left_for: str = _added_text()
    arrives_from: str = _added_text()


class Clock(_Row, table=True):
    """The clock of a host (`Host.name`): by how many seconds it is `ahead` of the machine's clock that nobody can set, since
    the start of the machine that `boot` names. `proved`: the mail server's clock, or the game master, has confirmed it since
    then. `doubted_at` is since when it has been in doubt, None if it is not, and `doubt` why."""

    host: str = Field(default="", primary_key=True)
    boot: str
    ahead: float
    proved: bool = False
    doubted_at: datetime | None = _time(nullable=True)
    doubt: str = _long_text()


class Host(_Row, table=True):
    """An installation of pbmd that shares this ledger with others: its random name, and what it `does` (``run``, ``tick``).
    `key` is a digest of its server.key that gives nothing of it away; `mailbox` is the one that it reads when that is its part,
    empty if it never does. `rulesets` are its versions of those whose games are not over: a JSON object of slug → digest, null
    for one that it does not have. `seen_at` is when it last reported."""

    name: str = Field(primary_key=True)
    does: str = Field(primary_key=True)
    hostname: str
    version: str
    key: str
    mailbox: str = ""
    rulesets: str = _long_text("{}")
    seen_at: datetime = _time()


class ServerKey(_Row, table=True):
    """The one row that says which key all hosts must have, by the digest of it."""

    digest: str = Field(primary_key=True)


def in_order_of_joining(seats: Iterable[Seat]) -> list[Seat]:
    """The seats as the rules get them when the game is set up, in the order in which the sign-ups arrived."""
    return sorted(seats, key=lambda seat: (seat.joined_at or datetime.min.replace(tzinfo=UTC), seat.number))
