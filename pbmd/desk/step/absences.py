"""Absences: a player says when they are away. The terms of the game decide who is told, and whether deadlines move.

| the term `absences` | who is told | deadlines |
|---|---|---|
| ``none`` | nobody; it is refused | stay |
| ``gm`` | the game master | stay |
| ``tell`` | everybody | stay |
| ``extend`` | everybody | move to the day after the absence, as far as the seat's days (`absence_days`) go |

It makes no difference whether somebody has sent orders: a deadline that moved only for those who have not would give that away.
Days are those of the player's time zone, or of the game's where nobody may know who plays; a deadline keeps its hour.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from sqlmodel import col, select

from pbmd.desk.books.deadlines import move_own_deadlines, sealed_deadlines
from pbmd.desk.books.question_payloads import MoreTime
from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.digest.requests import Petition, ask_gm
from pbmd.ledger.entries.master_entries import PutOffEntry
from pbmd.ledger.journal import written_deadline
from pbmd.ledger.tables import Absence, Seat
from pbmd.terms.quiet_days import allowed
from pbmd.terms.times import describe_days, describe_duration, describe_time, zone


@dataclass(frozen=True, slots=True)
class Note:
    """A sentence about a deadline and an absence: for everybody, or for one seat."""

    sentence: str
    seat: Seat | None = None


def days_left(table: OpenGame, seat: Seat) -> int:
    """By how many days the absences of a seat may still move deadlines."""
    return max(0, table.terms.absence_days - seat.absence_days)


def announced(work: Transaction, table: OpenGame, seat: Seat | None = None) -> list[Absence]:
    """The absences of a game, or of a seat, that are not over yet, by the day on which they begin."""
    today = work.now.date() - timedelta(days=1)  # somewhere it is still yesterday
    open_ones = select(Absence).where(Absence.game_id == table.id, col(Absence.last) >= today, ~col(Absence.ended))
    found = work.session.exec(open_ones.order_by(col(Absence.first), col(Absence.id))).all()
    owners = {each.id: each for each in ([seat] if seat else table.seats)}
    return [each for each in found if each.seat_id in owners and each.last >= today_of(work, table, owners[each.seat_id])]


def today_of(work: Transaction, table: OpenGame, seat: Seat) -> date:
    """The current day for the holder of a seat."""
    return work.now.astimezone(_clock_of(table, seat)).date()


def _clock_of(table: OpenGame, seat: Seat) -> ZoneInfo:
    """By which clock the days of an absence begin and end: the holder's, or that of the game where others could tell from it
    where the holder lives, and so who they are."""
    return zone(table.terms.clock_of(seat.timezone))


def words_of(absence: Absence) -> str:
    """From when to when, in words."""
    return describe_days(absence.first, absence.last)


def end_absences(work: Transaction, table: OpenGame, seat: Seat) -> list[Absence]:
    """The holder of a seat is back, or has changed; returns what had been announced."""
    work.session.flush()
    found = announced(work, table, seat)
    for absence in found:
        absence.ended = True
    work.session.flush()
    return found


def mind_absences(work: Transaction, table: OpenGame) -> list[Note]:
    """Move the deadline of the current step if somebody whose orders are awaited is away then, as far as the terms allow.
    Beyond a seat's days the game master is asked, once for a step. The caller sends the notices that this returns."""
    if table.terms.absences != "extend" or table.game.deadline is None or table.game.closed_at is not None:
        return []
    awaiting = set(table.awaiting) | _with_orders(table)
    by_id = {seat.id: seat for seat in table.seats if seat.is_awake and seat.name in awaiting}
    notes: list[Note] = []
    # The last to be back comes first: the days added for them may do for the others, too.
    for absence in sorted(announced(work, table), key=lambda each: each.last, reverse=True):
        seat = by_id.get(absence.seat_id)
        if seat is not None and seat.missed_step < table.game.step:
            notes += _mind(work, table, seat, absence)
    return notes


def _with_orders(table: OpenGame) -> set[str]:
    """In games in which all send at once, no difference is made between seats that have sent and those that have not."""
    return set() if table.ruleset.sequential else {sheet.seat for sheet in table.ruleset.sheets(table.position)}


def _mind(work: Transaction, table: OpenGame, seat: Seat, absence: Absence) -> list[Note]:
    game, at = table.game, table.own_deadline(seat)
    away = _away(table, absence, seat)
    if at is None or not away(at):
        return []
    moved = allowed(table.terms, at, away)
    days = _days(table, at, moved)
    if days > days_left(table, seat):
        return _ask(work, table, seat, absence, moved - at)
    seat.absence_days += days
    own = table.ruleset.info.own_extensions is not None or seat.deadline is not None
    if own:
        seat.deadline = moved
    else:
        # Only seats with more time than that keep a deadline of their own.
        move_own_deadlines(table, lambda own: own if own > moved else None)
        game.deadline = moved
    entry = PutOffEntry(
        turn=game.turn,
        step=game.step,
        seat=seat.name,
        days=days,
        own=own,
        deadline=written_deadline(moved),
        sealed=sealed_deadlines(table),
    )
    work.journal(table, entry)
    later = f"{days} day{'s' if days > 1 else ''} later"
    work.log("put-off", table, seat.name, f"{later}: away {words_of(absence)}; deadline {describe_time(moved)}")
    whose = "The deadline" if seat.deadline is None else f"The deadline of {seat.name}"
    return [Note(f"{whose} is {later}, because {seat.name} is away {words_of(absence)}.")]


def _ask(work: Transaction, table: OpenGame, seat: Seat, absence: Absence, more: timedelta) -> list[Note]:
    game = table.game
    if absence.asked_step == game.step:
        return []
    absence.asked_step = game.step
    left, told = days_left(table, seat), describe_duration(more)
    words = (
        f"{seat.name} is away {words_of(absence)} and would need {told} more in {game.step_called} of {game.name}, beyond the "
        f"{left} days that are left to it."
    )
    for_all = table.ruleset.info.own_extensions is None
    wish = MoreTime(game.turn, int(more.total_seconds()), told, for_all)
    ask_gm(work, table, Petition(wish, words), seat=seat)
    sentence = (
        f"You are away when orders for {game.step_called} are due. The {left} days that are left to you do not reach, so the "
        "game master was asked for more time; until you hear from them the deadline stands."
    )
    return [Note(sentence, seat)]


def _away(table: OpenGame, absence: Absence, seat: Seat) -> Callable[[datetime], bool]:
    place = _clock_of(table, seat)
    return lambda at: absence.first <= at.astimezone(place).date() <= absence.last


def _days(table: OpenGame, at: datetime, moved: datetime) -> int:
    place = zone(table.terms.quiet_zone or "UTC")
    return (moved.astimezone(place).date() - at.astimezone(place).date()).days


def sentences(notes: Sequence[Note], seat: Seat | None = None) -> list[str]:
    """The sentences for a seat; without one, those for everybody."""
    return [note.sentence for note in notes if note.seat is None or note.seat is seat]
