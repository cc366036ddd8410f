"""Trying passwords. Each try costs the time and memory of scrypt, and is a guess: wrong ones are counted where they are made,
whatever becomes of the letter."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import bindparam
from sqlmodel import col, delete, func, select

from pbmd.desk.books.work import Work
from pbmd.desk.letters.passwords import is_password
from pbmd.ledger.tables import PasswordTry, Seat

TRIES_PER_HOUR = 5
"""Wrong passwords of one seat."""
ALL_TRIES_PER_HOUR = 200
"""Wrong passwords of all seats together: some ten seconds of processor time."""
WRONG = "a wrong password"
TOO_MANY = "too many wrong passwords in an hour"
_HOUR = timedelta(hours=1)


def whose_password(work: Work, seats: Sequence[Seat], word: str, at: datetime) -> tuple[list[Seat], str]:
    """Of these seats those whose password it is, and if it is none's, why not ("" if none of them has a password).

    `at` is when it came. A seat of which too many wrong ones came is left out.
    """
    having = [seat for seat in seats if seat.password]
    if not having:
        return [], ""
    left = ALL_TRIES_PER_HOUR - _wrong(work, at)
    tried = [seat for seat in having if _wrong(work, at, seat) < TRIES_PER_HOUR][: max(left, 0)]
    right = [seat for seat in tried if is_password(seat.password, word)]
    if right:
        return right, ""
    for seat in tried:
        assert seat.id is not None
        work.session.add(PasswordTry(seat_id=seat.id, at=at))
    work.session.flush()
    return [], WRONG if tried else TOO_MANY


def has_old_tries(work: Work) -> bool:
    """Whether `forget_tries` would find anything."""
    return work.session.connection().execute(_OLD_TRY, {"since": work.now - _KEPT}).first() is not None


def forget_tries(work: Work) -> None:
    """Let go of what does not count any more. A day is kept, for mail may be fetched in another order than it came."""
    work.session.exec(delete(PasswordTry).where(col(PasswordTry.at) < work.now - _KEPT))


_KEPT = timedelta(days=1)
_OLD_TRY = select(PasswordTry.id).where(col(PasswordTry.at) < bindparam("since")).limit(1)


def _wrong(work: Work, at: datetime, seat: Seat | None = None) -> int:
    """How many wrong passwords came in the hour before `at`, of this seat or of all."""
    wrong = select(func.count(col(PasswordTry.id))).where(col(PasswordTry.at) > at - _HOUR, col(PasswordTry.at) <= at)
    return work.session.exec(wrong if seat is None else wrong.where(PasswordTry.seat_id == seat.id)).one()
