"""One transaction of the desk: what it read, what it changed, and the rows it will write, all or none of them.

Games, seats and positions are loaded once and positions written back once; journal entries, submissions, mails and log
lines are gathered and inserted in batches at the end. So many letters can share one commit, which is what makes intake
fast, and each of them is still wholly in or wholly out. Each changed position is read back before the commit, so that nothing
is ever acknowledged that would keep the game from going on.
"""

import json
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from operator import itemgetter
from typing import Any, ClassVar, TypeVar

from sqlalchemy import bindparam, event, update
from sqlmodel import Session, SQLModel, col, select

from pbmd.desk.books.bulk_insert import INSERTS, KINDS, LAST, PICTURES
from pbmd.desk.books.desk import Desk
from pbmd.desk.books.open_game import OpenGame, terms_of
from pbmd.ledger import journal
from pbmd.ledger.database import beside, hasty
from pbmd.ledger.digests import HEAD, POSITION, altered, digests
from pbmd.ledger.entries.codec import Entry, written_parts
from pbmd.ledger.postgresql import one_at_a_time
from pbmd.ledger.tables import Game, JournalEntry, Letter, LetterState, LogLine, Picture, Seat
from pbmd.rules.canonical import canonical_json
from pbmd.rules.troubles import read_back

# Made once: putting a statement together takes longer than the ledger takes to answer.
_NAMED = select(Game.id).where(Game.name == bindparam("name"))
_GAME = select(Game).where(col(Game.id) == bindparam("game"))
# Rows that only name the game can still be written by others.
_GAME_IN_LANE = _GAME.with_for_update(key_share=True)
_SEATS = select(Seat).where(col(Seat.game_id) == bindparam("game")).order_by(col(Seat.number))
_NEWEST = (
    select(col(JournalEntry.number), col(JournalEntry.hash))
    .where(col(JournalEntry.game_id) == bindparam("game"))
    .order_by(col(JournalEntry.number).desc())
    .limit(1)
)
_SETTLE = update(Letter).where(col(Letter.id) == bindparam("letter_id"))
_PUT_OFF = _SETTLE.where(col(Letter.state) == LetterState.NEW)

T = TypeVar("T")
_COMPACT = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


def compact_json(value: Any) -> str:
    """JSON for the ledger: no blanks, keys in the order given, so that a position comes back as it was."""
    return _COMPACT.encode(value)


class OutOfLane(Exception):
    """What is at hand has to do with more than the one game that its transaction is about."""


class Pending:
    """A slot with something `left` in it that must be done before the transaction is committed. `law` is the message for
    whoever forgot."""

    left: Any
    law: ClassVar[str]


@dataclass(frozen=True, slots=True)
class LoggedLines:
    """The slot of the lines that a transaction has logged about games, by the id of the game."""

    rows: dict[int, list[dict[str, Any]]] = field(default_factory=dict[int, list[dict[str, Any]]])

    def of(self, game_id: int) -> list[dict[str, Any]]:
        """Those about one game, the oldest first."""
        return self.rows.setdefault(game_id, [])


@dataclass
class Transaction:
    """See the module. ``with Transaction(desk) as work: …`` commits at the end, and rolls back if an exception escapes.
    Raises `BrokenGame` at the end, instead of committing, for a position that its ruleset cannot read back.

    With `reads` it only reads, and nobody has to wait for it. With a `lane`, the id of a game, it locks that game alone, and
    runs beside those of other games where the database allows it; anything that concerns more raises `OutOfLane`. With
    `beside` it concerns no game, and the caller knows that nobody else writes the same rows. A `hasty` one may be lost in a
    power cut until the next that is not.

    `moment` is when the event at hand happened: see `as_of`. `cause` is what this transaction is done for (``letter 12``,
    ``the command line``), for the log and the journal. `ending` is run before it is committed; without one no game may be
    changed (`pbmd.desk.step.game_transaction`). `stale` is run first on a game whose dice secrets must not be used. What a room
    needs to remember while the transaction lasts is in a `slot` of its own.
    """

    desk: Desk
    reads: bool = False
    cause: str = ""
    ending: Callable[["Transaction"], None] | None = None
    stale: Callable[["Transaction", OpenGame], None] | None = None
    lane: int | None = None
    beside: bool = False
    hasty: bool = False
    session: Session = field(init=False)
    moment: datetime | None = None
    _slots: dict[type[Any], Any] = field(default_factory=dict[type[Any], Any])
    _tables: dict[int, OpenGame] = field(default_factory=dict[int, OpenGame])
    _rows: dict[type[SQLModel], list[dict[str, Any]]] = field(default_factory=dict[type[SQLModel], list[dict[str, Any]]])
    _settled: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])

    def __post_init__(self) -> None:
        # Rows are flushed when we say so: looking something up must not write half of what is being decided.
        self.beside = self.beside or self.lane is not None
        desk = self.desk
        engine = desk.reading_engine if self.reads else beside(desk.engine) if self.beside else desk.engine
        self.session = Session(hasty(engine) if self.hasty else engine, expire_on_commit=False, autoflush=False)
        if self.lane is not None:
            event.listen(self.session, "before_flush", self._keep_to_lane)

    def __enter__(self) -> "Transaction":
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            if kind is None and not self.reads:
                self._finish()
        finally:
            self.session.close()

    @cached_property
    def now(self) -> datetime:
        """When this transaction happens: the desk's clock as it was when first asked. So the journal shows what was done
        together, which matters for checking the dice: steps that were carried out together share one secret."""
        return self.desk.now()

    @property
    def as_of(self) -> datetime:
        """When the event at hand happened, which tells letters before it from those after it: the arrival of the letter, or the
        end of the deadline, however late pbmd gets to it; else now."""
        return self.moment or self.now

    def slot(self, of: type[T]) -> T:
        """What a room remembers while this transaction lasts: the one instance of that class, made when first asked for. If it
        is `Pending`, the transaction is not committed while anything is left in it."""
        found: T | None = self._slots.get(of)
        if found is None:
            found = self._slots[of] = of()
        return found

    def table(self, game_id: int) -> OpenGame:
        """The game at the desk. Raises `LookupError` if there is none of that id."""
        table = self.table_if_any(game_id)
        if table is None:
            raise LookupError(f"there is no game with id {game_id}")
        return table

    def table_if_any(self, game_id: int) -> OpenGame | None:
        """The game at the desk, None if there is none of that id."""
        if game_id not in self._tables:
            if self.lane not in (None, game_id) and not self.reads:
                raise OutOfLane
            game = self.session.scalars(_GAME if self.lane is None else _GAME_IN_LANE, {"game": game_id}).first()
            if game is None:
                return None
            seats = self.session.scalars(_SEATS, {"game": game_id}).all()
            table = OpenGame(game, list(seats), self.desk.ruleset, terms_of(game.terms), self.desk.commands, self.desk.clock)
            table.loaded = self.desk.positions.get(game_id, game.position)
            table.altered = altered(game, seats, known=POSITION if table.loaded is not None else "")
            if HEAD in table.altered:  # the journal itself says where it ends, and goes on there
                self.go_on_from_newest(table)
            self._tables[game_id] = table
            if game.draws_anew and self.stale is not None:
                self.stale(self, table)
        return self._tables[game_id]

    def table_named(self, name: str) -> OpenGame | None:
        """The game of that name, in any case; None if there is none."""
        game_id = self.session.connection().execute(_NAMED, {"name": name.lower()}).scalar()
        return None if game_id is None else self.table(game_id)

    def adopt(self, table: OpenGame) -> None:
        """Put a game that was just made on the desk."""
        self._tables[table.id] = table

    def move(self, table: OpenGame, position: Any) -> None:
        """The game's position is now this one; it is written at the end of the transaction."""
        table.loaded, table.changed = position, True

    def go_on_from_newest(self, table: OpenGame) -> None:
        """Let the game's row have the last entry of the journal as its head."""
        newest = self.session.connection().execute(_NEWEST, {"game": table.id}).first()
        table.game.chain_number, table.game.chain_head = (0, "") if newest is None else (newest[0], newest[1])

    def journal(
        self,
        table: OpenGame,
        said: Entry,
        at: datetime | None = None,
    ) -> int:
        """Add an entry to the game's chain and return its number. What is not sealed in it may be read by anybody at once.
        `at` is now unless it is given."""
        assert self.ending is not None, "games change in transactions of pbmd.desk.step.game_transaction only"
        from pbmd.ledger.entries.kinds import KINDS  # a hundred classes, which a command that only looks does not need

        assert KINDS.get(said.kind) is type(said), "nobody could know for whom an entry of another kind is"
        game, (public, secret) = table.game, written_parts(said)
        salt = self.desk.entropy(journal.SALT_BYTES) if secret else b""
        entry = journal.link(
            game.chain_head or journal.FIRST_HASH,
            journal.Entry(game.chain_number + 1, at or self.now, said.kind, public, secret),
            salt,
            self.desk.sealing,
            canonical_json,
        )
        game.chain_number, game.chain_head = entry.number, entry.hash
        self.add(
            JournalEntry,
            game_id=table.id,
            number=entry.number,
            at=entry.at,
            kind=entry.kind,
            public=entry.public,
            secret=entry.secret,
            salt=entry.salt,
            hash=entry.hash,
        )
        return entry.number

    def log(
        self,
        what: str,
        table: OpenGame | None = None,
        seat: str = "-",
        detail: str = "",
        turn: int | None = None,
        cause: str | None = None,
    ) -> None:
        """A line of the dashboard log. It must not tell anything secret: no order text, token or content.

        `turn` is the game's current one unless it is given, and `cause` that of the transaction.
        """
        shown = table.game.turn if table and table.game.position and turn is None else turn
        row: dict[str, Any] = {
            "at": self.now,
            "game": table.game.name if table else "-",
            "turn": "-" if shown is None else f"t{shown}",
            "what": what,
            "seat": seat,
            "detail": detail,
            "cause": self.cause if cause is None else cause,
        }
        self.add(LogLine, **row)
        if table:
            self.slot(LoggedLines).of(table.id).append(row)

    @contextmanager
    def because(self, cause: str) -> Generator[None]:
        """Within it, everything is done for another cause than the rest of the transaction."""
        before, self.cause = self.cause, cause
        try:
            yield
        finally:
            self.cause = before

    def add(self, of: type[SQLModel], /, **row: Any) -> None:
        """Gather a row; it is inserted at the end of the transaction. All columns without a default must be given."""
        if self.lane is not None and row.get("game_id") not in (None, self.lane):
            raise OutOfLane
        assert of in INSERTS, f"rows of {of.__name__} have no place in the order in which rows are written"
        self._rows.setdefault(of, []).append(row)

    def must_be_alone(self) -> None:
        """To be called before anything is decided for all games together. Raises `OutOfLane` if others write meanwhile."""
        if self.beside:
            raise OutOfLane

    def _keep_to_lane(self, session: Any, *_: object) -> None:
        for row in (*session.new, *session.dirty, *session.deleted):
            game_id = row.id if isinstance(row, Game) else getattr(row, "game_id", None)
            if game_id != self.lane:
                raise OutOfLane

    def settle_letter(self, letter_id: int, state: LetterState, note: str, game_id: int | None, seat_id: int | None) -> None:
        """What became of a letter; written at the end of the transaction."""
        row = {"letter_id": letter_id, "state": state, "note": note, "game_id": game_id, "seat_id": seat_id}
        self._settled.append(row)

    def put_off(self, letter_id: int, note: str, game_id: int | None) -> None:
        """A letter was not dealt with yet, and why; `game_id` is the game that it is of, if that is known. If somebody else has
        dealt with it since it was looked at, that stands."""
        self.session.connection().execute(_PUT_OFF, {"letter_id": letter_id, "note": note, "game_id": game_id})

    @property
    def tables(self) -> tuple[OpenGame, ...]:
        """The games on the desk."""
        return tuple(self._tables.values())

    def write(self) -> None:
        """Send everything gathered so far to the database, still within the transaction."""
        self._write_positions()
        self.session.flush()
        self.write_rows()

    def _write_positions(self) -> None:
        for table in self._tables.values():
            if table.changed:
                position = table.position
                table.game.position = compact_json(table.ruleset.dump(position))
                table.note_step()
                table.changed, table.written = False, True
                self.desk.positions.put(table.id, table.game.position, position)

    def write_rows(self) -> None:
        """Send the rows gathered so far, so that they can be queried; games, seats and positions wait for the end."""
        for kind in KINDS:
            if kind not in LAST or not self.beside:
                self._write_rows_of(kind)
        if self._settled:
            self.session.connection().execute(_SETTLE, self._settled)
            self._settled = []

    def _write_rows_of(self, kind: type[SQLModel]) -> None:
        if rows := self._rows.pop(kind, []):
            # Pictures are the same in many games: all insert them in one order.
            ordered = sorted(rows, key=itemgetter("digest")) if kind is Picture else rows
            self.session.connection().execute(INSERTS[kind], ordered)

    def _finish(self) -> None:
        if self.ending is not None:
            self.ending(self)
            self._write_positions()
            for table in self._tables.values():
                table.game.digests = digests(table.game, table.seats, table.altered, position_too=table.written)
        for slot in self._slots.values():
            assert not isinstance(slot, Pending) or not slot.left, slot.law
        self.write()
        for table in self._tables.values():
            if table.written:
                read_back(table.game.name, table.ruleset, table.loaded, table.game.position)
        for kind in PICTURES:
            self._write_rows_of(kind)
        if LogLine in self._rows:
            # Readers ask for the lines after the last number: none with a lower one may appear after that.
            one_at_a_time(self.session.connection(), b"log")
            self._write_rows_of(LogLine)
        self.session.commit()
        for table in self._tables.values():
            self.desk.clock.is_written(table.game)
