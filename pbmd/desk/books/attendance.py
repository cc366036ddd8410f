"""Which steps the holders of seats met and which they missed, by address: for them alone, and for sign-ups that ask for it.

An address stands there as a digest that only the key of this host makes, so the rows name nobody, and do not show which seats
of several games are one person's to whoever has the ledger alone.
"""

import hmac
from collections.abc import Container
from dataclasses import dataclass
from datetime import datetime
from itertools import takewhile

from sqlalchemy import CursorResult, and_, delete, func, update
from sqlmodel import col, select

from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.ledger.tables import Absence, Seat, StepPlayed, StepRecord
from pbmd.post.addresses import folded
from pbmd.terms.times import zone


@dataclass(frozen=True, slots=True)
class Played:
    """How many steps an address met and missed, in all games of this host; what was rolled back counts no more."""

    met: int = 0
    missed: int = 0

    @property
    def steps(self) -> int:
        """How many there were."""
        return self.met + self.missed

    @property
    def percent(self) -> int:
        """The share that was met in whole percent, rounded down; 100 where there were none."""
        return 100 * self.met // self.steps if self.steps else 100

    def reaches(self, percent: int) -> bool:
        """Whether at least that share was met."""
        return 100 * self.met >= percent * self.steps


def played_words(played: Played) -> str:
    """What is told to whoever's they are."""
    if not played.steps:
        # There may have been some: before pbmd counted them, or they are forgotten.
        return "No turn of yours is counted here yet: each in which you have a part counts as soon as it is resolved."
    return (
        f"So far you have met {played.met} turn{'' if played.met == 1 else 's'} here and missed {played.missed}, in all games "
        f"at this address: {played.percent} %. A phase or a move counts as a turn. Nobody else is told."
    )


def note_played(work: Transaction, table: OpenGame, used: Container[str]) -> None:
    """Note who met and who missed the step that is carried out now, before it is, with the orders of these seats. Whose time is
    not over, since the game master closes the step, has missed nothing, and neither has a seat for which nobody waits."""
    step = table.game.step
    concerned = used if table.ruleset.sequential else table.with_part
    for seat in table.seats:
        if not seat.is_awake:
            continue
        missed = seat.missed_step == step
        deadline = table.deadline_of(seat) if missed else None
        if _is_time_over(work, table, deadline) if missed else seat.name in concerned:
            whose = _digest(work, seat.address)
            away = missed and table.terms.have_sleepers and _is_away(work, seat, deadline)
            work.add(StepPlayed, game_id=table.id, step=step, seat=seat.number, whose=whose, met=not missed, away=away)


def _is_time_over(work: Transaction, table: OpenGame, deadline: datetime | None) -> bool:
    # Not now, if the game master closed it: that may have been long ago.
    return deadline is not None and deadline + table.terms.grace_time <= (table.game.closed_at or work.now)


def _is_away(work: Transaction, seat: Seat, deadline: datetime | None) -> bool:
    """Whether a seat has said that it is away on the day of its deadline."""
    if deadline is None:
        return False
    day = deadline.astimezone(zone(seat.timezone)).date()
    away = select(Absence.id).where(Absence.seat_id == seat.id, ~col(Absence.ended), Absence.first <= day, Absence.last >= day)
    return work.session.exec(away).first() is not None


@dataclass(frozen=True, slots=True)
class Missed:
    """What whoever holds a seat has missed in this game without having said that they are away: so many steps in a row up to
    now, so many in all, and which was the last, -1 if none."""

    in_a_row: int = 0
    in_all: int = 0
    last: int = -1


def missed_by(work: Transaction, table: OpenGame, seat: Seat) -> Missed:
    """What the holder of a seat has missed. What was rolled back counts no more."""
    work.write_rows()
    stands = and_(
        col(StepRecord.game_id) == StepPlayed.game_id,
        col(StepRecord.step) == StepPlayed.step,
        col(StepRecord.rolled_back) == 0,
    )
    theirs = (StepPlayed.game_id == table.id, StepPlayed.seat == seat.number, StepPlayed.step >= seat.seated_from)
    columns = select(StepPlayed.step, StepPlayed.met).join(StepRecord, stands).where(*theirs, ~col(StepPlayed.away))
    steps = work.session.exec(columns.order_by(col(StepPlayed.step).desc())).all()
    missed = [step for step, met in steps if not met]
    row = [*takewhile(lambda each: not each[1] and each[0] >= seat.counted_from, steps)]
    return Missed(len(row), len(missed), max(missed, default=-1))


def played_by(work: Transaction, address: str) -> Played:
    """What an address met and missed."""
    work.write_rows()
    stands = and_(
        col(StepRecord.game_id) == StepPlayed.game_id,
        col(StepRecord.step) == StepPlayed.step,
        col(StepRecord.rolled_back) == 0,
    )
    counted = select(StepPlayed.met, func.count()).select_from(StepPlayed).join(StepRecord, stands)
    counts = dict(
        work.session.exec(counted.where(StepPlayed.whose == _digest(work, address)).group_by(col(StepPlayed.met))).all()
    )
    return Played(counts.get(True, 0), counts.get(False, 0))


def move_played(work: Transaction, seat: Seat, old: str, new: str) -> None:
    """The holder of a seat has another address: what they met and missed in this game goes along."""
    work.write_rows()
    theirs = (col(StepPlayed.game_id) == seat.game_id, col(StepPlayed.seat) == seat.number)
    moved = update(StepPlayed).where(*theirs, col(StepPlayed.whose) == _digest(work, old)).values(whose=_digest(work, new))
    work.session.connection().execute(moved)


def forget_played(work: Transaction, address: str) -> int:
    """Forget what an address met and missed; gives how many steps these were."""
    work.write_rows()
    theirs = delete(StepPlayed).where(col(StepPlayed.whose) == _digest(work, address))
    done = work.session.connection().execute(theirs)
    assert isinstance(done, CursorResult)
    return done.rowcount


def digest_of_player(key: bytes, address: str) -> str:
    """How an address is written in the rows of steps; only the key of this host makes it."""
    return hmac.digest(key, b"steps of " + folded(address).encode(), "sha256").hex()


def _digest(work: Transaction, address: str) -> str:
    return digest_of_player(work.desk.key, address)
