"""Who is awaited, until when, when a step is over, and when a game is next to be looked at.

A seat that nobody plays, or that sleeps, has missed a step when its deadline is over, or with the last orders of the others. A
step in which only such seats could act lasts until its deadline, so that a game that nobody plays does not run at the pace of
the machine.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from sqlmodel import col, select

from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.deadlines.evidence import Evidence, Place, second_after, tolerance
from pbmd.ledger.tables import GameStatus, Outbox, Seat
from pbmd.rules.words import listing
from pbmd.terms.terms import Terms
from pbmd.terms.times import EPOCH, parse_duration


def awaited(table: OpenGame) -> list[Seat]:
    """The seats that still have to send orders in this step and whose own deadline has not been missed."""
    return [seat for seat in missing(table) if seat.is_awake]


def who_would_miss_it(table: OpenGame) -> str:
    """Who would miss this step if it ended now, in a sentence."""
    names = [seat.name for seat in awaited(table)]
    has = "has" if len(names) == 1 else "have"
    return f"{listing(names)} {has} sent nothing, and would miss it." if names else "All orders are in."


def absent(table: OpenGame) -> list[Seat]:
    """The seats that the rules await but for which nobody waits: they are given up, or asleep."""
    return [seat for seat in missing(table) if not seat.is_awake]


def playing(table: OpenGame) -> list[Seat]:
    """The seats with a part in this step: somebody plays them and is not asleep, and the rules await their orders or have them.
    One that is eliminated has none, so neither its deadline nor its wishes hold up the others. A move that waits has none
    yet."""
    names = table.with_part
    return [seat for seat in table.seats if seat.name in names and seat.is_awake]


def closing(table: OpenGame, seat: Seat) -> datetime | None:
    """The last instant at which orders of this seat count: its deadline and the grace, or when the game master closed the
    step; None as long as it has none."""
    return _closing_after(table, table.deadline_of(seat))


def _closing_after(table: OpenGame, deadline: datetime | None) -> datetime | None:
    """The same of a seat with this deadline."""
    end, closed = deadline and deadline + parse_duration(table.terms.grace), table.game.closed_at
    return min(end, closed) if end and closed else end or closed


def _closings(table: OpenGame, seats: Iterable[Seat]) -> list[datetime]:
    """Those of several, of which some may have none."""
    deadlines = [table.deadline_of(seat) for seat in seats]
    return [at for deadline in deadlines if (at := _closing_after(table, deadline))]


def _closes_at(table: OpenGame, waiting: list[Seat]) -> datetime | None:
    """The instant at which the step closes as things stand now, where these are awaited; None if only a letter or the GM can
    close it."""
    if table.ruleset.sequential:
        return table.game.opened_at if has_ready_move(table) else _first_closing(table)
    if waiting:
        return last_closing(table, waiting)
    end = _end(table)
    return end and end.instant


class StepEnd(NamedTuple):
    """When a step is over: at its last deadline, or early, `after` the letter at that place."""

    instant: datetime
    after: Place | None = None


def _end(table: OpenGame) -> StepEnd | None:
    """The end of a step in which nobody is awaited any more; None if only the game master can end it."""
    players, terms = playing(table), table.step_terms
    last = last_closing(table, players)
    # A game that nobody plays any more goes on at the pace of its deadlines, not at that of the machine.
    if not terms.early or not players or any(seat.waits for seat in players):
        return last and StepEnd(last)
    after = last_orders(table)
    early = _early(table, terms, after)
    return StepEnd(last) if last and last <= early else StepEnd(early, after)


def missing_now(table: OpenGame, evidence: Evidence) -> Iterator[Seat]:
    """The seats of whom it is known that they have missed the step. Each must be noted before the next is asked for, since
    what one misses may give another more time. Of an empty seat it is known by its deadline, too, or when nobody else is waited
    for; in a sequential game it is skipped when its move begins, and one left over waits for its deadline."""
    for seat in missing(table):
        instant = closing(table, seat)
        if instant is not None and evidence.covers(instant):
            yield seat
    if not table.ruleset.sequential and known_end(table, evidence):
        yield from absent(table)


def is_due(table: OpenGame, evidence: Evidence) -> bool:
    """Whether the clock has something to do: about the step, or about a substitute."""
    at = table.game.substitutes_at
    return (at is not None and at <= evidence.until) or _is_step_due(table, evidence)


def substitutes_come_first(table: OpenGame, evidence: Evidence) -> bool:
    """Whether it is known that something is due about a substitute, and that nothing was due of the step before."""
    at = table.game.substitutes_at
    return at is not None and at <= evidence.until and not _is_step_due(table, Evidence(at))


def _is_step_due(table: OpenGame, evidence: Evidence) -> bool:
    """Whether it is known that somebody has missed the step, or that it is over."""
    if _runs_on(table, evidence):
        return False
    if any(True for _ in missing_now(table, evidence)):
        return True
    return not table.ruleset.sequential and known_end(table, evidence) is not None


def _runs_on(table: OpenGame, evidence: Evidence) -> bool:
    """Whether it is plain that nothing is due: no deadline has come, whoever's it is, and the step cannot be over before one.
    This is asked before each letter, and so nearly always; waiting for others only makes a deadline later."""
    game, until = table.game, evidence.until
    instants = [game.closed_at, game.deadline, *[seat.deadline for seat in table.seats]]
    if [at for at in instants if at is not None and at <= until]:
        return False
    return table.ruleset.sequential or not table.step_terms.early or bool(awaited(table))


def known_end(table: OpenGame, evidence: Evidence) -> StepEnd | None:
    """The end of the step if it is over by this evidence: at its last deadline, or when nobody is awaited and the pause has
    passed."""
    end = None if awaited(table) else _end(table)
    if end is None:
        return None
    is_known = evidence.covers(end.instant) if end.after is None else evidence.is_past(end.instant, end.after)
    return end if is_known else None


def over_since(table: OpenGame, end: StepEnd, missed: Sequence[Seat]) -> datetime:
    """The first instant whose letters come after the step, which has ended so, and which these seats have missed."""
    by_deadline = _closings(table, missed)
    if end.after is not None:
        return max([end.instant, *map(second_after, by_deadline)])
    return max(map(second_after, [*by_deadline, end.instant]))


def has_ready_move(table: OpenGame) -> bool:
    """Whether the rules of a sequential game can carry out a move that is on file."""
    return table.ruleset.ready is not None and table.ruleset.ready(table.position)


def _first_closing(table: OpenGame) -> datetime | None:
    """When the first of those who are to move can do so no more."""
    return min(_closings(table, missing(table)), default=None)


def last_closing(table: OpenGame, seats: list[Seat]) -> datetime | None:
    """When orders of the last of these seats stop to count; the game's own closing if there are none."""
    return max(_closings(table, seats), default=_closing_after(table, table.game.deadline))


def _early(table: OpenGame, terms: Terms, after: Place) -> datetime:
    game = table.game
    assert game.opened_at is not None
    assert game.takes_from is not None
    instant = max(after[0], game.takes_from) + terms.second_thought_time
    minimum = parse_duration(terms.minimum_time)
    return max(instant, game.opened_at + minimum) if minimum else instant


def last_orders(table: OpenGame) -> Place:
    """The place of the last letter whose orders are on file."""
    microseconds, uid = max((sheet.arrival for sheet in table.ruleset.sheets(table.position)), default=(0, 0))
    return EPOCH + timedelta(microseconds=microseconds), uid


def missing(table: OpenGame) -> list[Seat]:
    """The seats whose orders the rules await and that have not missed this step yet, whether anybody plays them or not."""
    names = set(table.awaiting)
    return [seat for seat in table.seats if seat.name in names and seat.missed_step < table.game.step]


# When a game is next to be looked at: its deadlines and reminders


def reschedule(work: Transaction, table: OpenGame) -> None:
    """Note when the clock must look at this game next."""
    game = table.game
    if game.status is not GameStatus.RUNNING:
        game.due_at = None
        return
    unsent, ahead = _clocks(table, missing(table)), table.step_terms.reminder_times
    waiting = [clock for clock in unsent if clock.seat.is_awake]
    closings = [_closing_after(table, clock.deadline) for clock in unsent]
    if not waiting or table.ruleset.sequential:  # else the step is not over before the first of them has missed it
        closings.append(_closes_at(table, [clock.seat for clock in waiting]))
    reminders = [reminder.at for reminder in _left(work, table, waiting, ahead)]
    # Either stays due until there is evidence, and before the tolerance is over there can be none.
    first = min((at for at in (*closings, *reminders, game.substitutes_at) if at), default=None)
    game.due_at = first and first + tolerance(work)


@dataclass(frozen=True, slots=True)
class Reminder:
    """A reminder of one seat of a deadline. `at` is its instant, `key` its place in the outbox."""

    seat: Seat
    at: datetime
    deadline: datetime
    key: str


def reminders_left(work: Transaction, table: OpenGame) -> list[Reminder]:
    """The reminders of this step that are not out yet; of those of a seat whose time has come only the last."""
    return _left(work, table, _clocks(table, awaited(table)), table.step_terms.reminder_times)


class _Clock(NamedTuple):
    """A seat, its own deadline, and the one that it has because it waits for others, if either runs."""

    seat: Seat
    own: datetime | None
    deadline: datetime | None


def _clocks(table: OpenGame, seats: Iterable[Seat]) -> list[_Clock]:
    return [_Clock(seat, table.own_deadline(seat), table.deadline_of(seat)) for seat in seats]


def _left(work: Transaction, table: OpenGame, clocks: list[_Clock], ahead: Sequence[timedelta]) -> list[Reminder]:
    """Those of the seats with these clocks, which are awaited, so long `ahead` of their deadlines."""
    reminders: list[Reminder] = []
    for clock in clocks:
        times = _times_of(work, table, clock, ahead)
        passed = [at for at, _ in times if at <= work.now]
        left = times[max(len(passed) - 1, 0) :]
        reminders += [Reminder(clock.seat, at, deadline, _key(table, clock.seat, deadline, at)) for at, deadline in left]
    keys = [reminder.key for reminder in reminders if reminder.at <= work.now]
    if not keys:
        return reminders
    work.write_rows()
    out = set(work.session.exec(select(Outbox.key).where(col(Outbox.key).in_(keys))))
    return [reminder for reminder in reminders if reminder.key not in out]


def _times_of(work: Transaction, table: OpenGame, clock: _Clock, ahead: Sequence[timedelta]) -> list[tuple[datetime, datetime]]:
    """When to remind a seat, in order, and of which deadline, so long `ahead` of it.

    Of its own always, whatever else its orders wait for, since the log shows reminders to everybody; of one that comes
    later only when its own is over, and everybody sees that the turn goes on.
    """
    own, later = clock.own, clock.deadline
    times = [(at, own) for at in _reminder_times(table, own, ahead)] if own and own > work.now else []
    if own and later and later > max(own, work.now):
        times += [(at, later) for at in _reminder_times(table, later, ahead) if at >= own]
    return times


def _reminder_times(table: OpenGame, deadline: datetime, ahead: Sequence[timedelta]) -> list[datetime]:
    """When to remind of a deadline, in order; none of them before the step began, or as it did: the report just went out."""
    opened = table.game.opened_at
    return [at for each in ahead if opened and (at := deadline - each) > opened]


def _key(table: OpenGame, seat: Seat, deadline: datetime, at: datetime) -> str:
    # In sequential games the clock of a seat goes on while others move.
    step = "move" if table.ruleset.sequential else table.game.step
    return f"reminder {table.id} {step} {seat.number} {deadline.isoformat()} {deadline - at}"
