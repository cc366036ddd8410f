"""Two games and a row in every table, each of which can have a value in it that cannot be read."""

from contextlib import closing
from dataclasses import dataclass, replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import Boolean, Column, Date, DateTime, Enum, Float, Integer, LargeBinary
from sqlalchemy.types import TypeDecorator
from sqlmodel import Session, SQLModel, col, select, update

from pbmd.desk.books.desk import Positions
from pbmd.desk.books.question_payloads import EXTENSION, MoreTime, written
from pbmd.desk.deadlines.doubt_watch import look_at_clock
from pbmd.ledger.tables import (
    Absence,
    Alarm,
    ArchiveRequest,
    Bounce,
    Confirmation,
    Game,
    Host,
    Letter,
    LetterState,
    ListedPlayer,
    Mailbox,
    Outage,
    Outbox,
    Picture,
    PictureInMail,
    Report,
    Request,
    Sighting,
    Submission,
    Substitution,
    UnreadLetter,
    Visitor,
    Vote,
    Webhook,
    Withheld,
)
from tests.desk.world import BEGIN, World

HURT, OTHER = "hurt-1", "other-1"
"""The game of which each row here is, and the one that must play on."""
SEATS = ("Deneb", "Electra")
STOP = ("game", "seat", "submission", "steprecord")
"""Tables without a row of which a game does not go on."""
_AN_HOUR = MoreTime(turn=2, seconds=3600, length="1 h", for_all=False)
ONE_BY_ONE = ("game", "seat", "letter", "outbox")
TABLES = [table for table in SQLModel.metadata.sorted_tables if table.name not in ("unreadablevalue", "serverkey", "era")]
"""One host has no row in the first that matters to others, and files no key; the era is a number that is looked at apart."""


class TwoGames:
    """A desk with two games that are under way and a row of the first in every table, 80 hours after they began, as often as it
    is wanted: the same each time."""

    def __init__(self, folder: Path) -> None:
        self._world = world = World(folder)
        for name in (HURT, OTHER):
            world.count(name, SEATS)
        world.send("Deneb", "Add 1", game=HURT)
        world.pass_time(timedelta(hours=80))
        world.send("Deneb", "Add 2", game=HURT)
        _fill(world)
        world.desk.engine.dispose()  # its last connection writes all into the file
        self._ledger, self._now, self._uid = (folder / "ledger.sqlite").read_bytes(), world.now, world.uid

    def again(self) -> World:
        """The desk as it was. Its engine stays, which knows all statements by now."""
        world = self._world
        world.desk.engine.dispose()
        for path in world.folder.glob("ledger.sqlite*"):
            path.unlink()
        (world.folder / "ledger.sqlite").write_bytes(self._ledger)
        world.desk = replace(world.desk, looks={}, positions=Positions())
        world.now, world.uid = self._now, self._uid
        return world

    def close(self) -> None:
        """Give its files back."""
        self._world.close()


def _fill(world: World) -> None:
    look_at_clock(world.desk)
    now, later = world.now, world.now + timedelta(days=30)
    with Session(world.desk.engine) as session:
        mail = session.get(Outbox, 1)
        assert mail is not None
        rows: list[SQLModel] = [
            Mailbox(name="another@mailbox/INBOX", read_through=now),
            Letter(
                fingerprint="a letter",
                uid=900,
                arrived_at=now,
                size=9,
                raw=b"From: a@b\r\n\r\n",
                state=LetterState.HELD,
                game_id=1,
            ),
            Picture(digest="d", data=b"picture"),
            Withheld(address="deneb@players.test", reason="too many", mails=1, first_at=now, last_at=now),
            Visitor(game_id=1, address="v@players.test", since=now),
            ListedPlayer(address="deneb@players.test", name="Deneb", since=now),
            Webhook(game_id=1),
            ArchiveRequest(game_id=1, seat_id=1, asked_at=now),
            Absence(game_id=1, seat_id=1, first=date(2026, 11, 20), last=date(2026, 12, 20), told_at=now),
            Substitution(game_id=1, seat_id=1, first=date(2026, 12, 1), last=date(2026, 12, 9), asked_at=now, look_at=now),
            Alarm(kind="outbox", began=now),
            Outage(mailbox_id=1, began=BEGIN),
            Host(name="host", does="run", hostname="h", version="1", key="k", seen_at=now),
            Confirmation(game_id=1, seat_id=1, subject="resign", asked_at=now, expires_at=later),
            Request(game_id=1, number=1, seat_id=1, kind=EXTENSION, words="more", payload=written(_AN_HOUR), asked_at=now),
            Vote(game_id=1, number=1, entry=1, kind="draw", seat_id=1, step=0, due_at=later, decided_at=now),
        ]
        session.add_all(rows)
        session.flush()
        session.connection().execute(update(Game).where(col(Game.id) == 1).values(substitutes_at=now))
        session.add(PictureInMail(mail=mail.key, at=0, digest="d"))
        # One for which no deadline waits any more.
        aside = UnreadLetter(letter_id=1, mailbox_id=1, uidvalidity=1, uid=901, aside_at=now, tried_at=now, given_up_at=now)
        session.add(aside)
        session.add(Sighting(mailbox_id=1, uidvalidity=1, uid=900, fingerprint="a letter"))
        session.add(Bounce(letter_id=1, outbox_id=1, address="deneb@players.test", at=now, hard=True))
        assert session.exec(select(Submission)).first()
        assert session.exec(select(Report)).first()
        session.commit()


@dataclass(frozen=True)
class Hurt:
    """A value that is put where it cannot be read."""

    table: str
    column: str
    value: str
    """As SQL."""


def damages(table: Any) -> list[list[Hurt]]:
    """What can befall the columns of a table: a value that is none of its type. Of those that everything rests on one after the
    other, of the rest all at once. Of a key that is the number of its row there is none, for SQLite sees to it."""
    alone = len(table.primary_key.columns) == 1
    keys = {column.name for column in table.primary_key.columns if alone and isinstance(column.type, Integer)}
    hurts = [Hurt(table.name, column.name, _wrong(column)) for column in table.columns if column.name not in keys]
    if table.name in ONE_BY_ONE:
        return [[hurt] for hurt in hurts]
    # What is found by its key or its game, and then is not, is another case than what is found and cannot be read.
    found_by = {
        column.name for column in (*table.primary_key.columns, *table.columns) if column.primary_key or column.foreign_keys
    }
    return [
        some for some in ([h for h in hurts if h.column not in found_by], *([h] for h in hurts if h.column in found_by)) if some
    ]


def _wrong(column: "Column[Any]") -> str:
    kinds: tuple[tuple[Any, str], ...] = (
        (Enum, "'ACTIVF'"),
        (Boolean, "7"),
        (Date, "'2026-11-31'"),
        (DateTime, "'2026-11-31 12:00:00.000000'"),
        ((Integer, Float), "'x'"),
        (LargeBinary, "'text'"),
    )
    kind = column.type.impl_instance if isinstance(column.type, TypeDecorator) else column.type
    document = getattr(column.default, "arg", None) in ("{}", "[]")
    return next(
        (value for of, value in kinds if isinstance(kind, of)),
        """'{"deadline": "72'""" if document else "CAST(x'ff41' AS TEXT)",
    )


def befall(world: World, hurt: Hurt) -> None:
    """Something other than pbmd changes the ledger: the last row there of the game that is hurt, or the last."""
    of = {"game": "id = 1", "seat": "game_id = 1"}
    has_game = "game_id" in SQLModel.metadata.tables[hurt.table].c
    where = of.get(hurt.table, "game_id = 1" if has_game else "1")
    row = f"rowid = (SELECT max(rowid) FROM {hurt.table} WHERE {where})"
    with closing(world.desk.engine.raw_connection()) as raw:
        connection: Any = raw
        connection.execute("PRAGMA foreign_keys = OFF")
        done = connection.execute(f'UPDATE {hurt.table} SET "{hurt.column}" = {hurt.value} WHERE {row}')
        assert done.rowcount == 1, f"_fill makes no row of {hurt.table}, in which {hurt.column} could be damaged"
        connection.commit()
        connection.execute("PRAGMA foreign_keys = ON")
    world.desk.engine.dispose()
