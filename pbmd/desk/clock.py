"""The clock: who is awaited, when a step closes, and what is due.

A step closes at an instant, and only on evidence: the mailbox must have been read, completely, from a moment after that
instant on, and every letter that arrived until then must have been dealt with. So a letter that arrived in time counts even if
the daemon or the mail server was down, and downtime only shifts the resolution. And it closes before any letter is dealt with
that comes after it (`comes_before`), so that nothing depends on how many letters are read at once.
"""

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import bindparam
from sqlmodel import col, func, select

from pbmd.desk.context import Desk
from pbmd.desk.deadlines import deadline_of, own_deadline, with_part
from pbmd.desk.defects import stop_game
from pbmd.desk.evidence import ALL_MAIL, Evidence, Place, evidence_for, read_until, second_after, tolerance
from pbmd.desk.mails import Draft, clock_words, mail_to_seat, mark_line, render, subject
from pbmd.desk.maps import draw_ahead
from pbmd.desk.nmr import cause_of, miss, missing, note_missed, refused_words
from pbmd.desk.skips import carry_on
from pbmd.desk.steps import CLOSED, report_tick, resolve_step
from pbmd.desk.timekeeping import doubt
from pbmd.desk.work import Table, Work
from pbmd.ledger.damage import UNUSABLE
from pbmd.ledger.tables import (
    Game,
    GameStatus,
    Outbox,
    Seat,
    SeatState,
    Submission,
    SubmissionState,
)
from pbmd.rules.troubles import place_of
from pbmd.terms.times import EPOCH, describe_duration, parse_duration

_trouble = logging.getLogger("pbmd.clock")


def awaited(table: Table) -> list[Seat]:
    """The seats that still have to send orders in this step and whose own deadline has not been missed."""
    return [seat for seat in missing(table) if seat.state is SeatState.ACTIVE]


def absent(table: Table) -> list[Seat]:
    """The seats that the rules await but that nobody plays any more."""
    return [seat for seat in missing(table) if seat.state is SeatState.RESIGNED]


def playing(table: Table) -> list[Seat]:
    """The seats with a part in this step: somebody plays them, and the rules await their orders or have them. One that is
    eliminated has none, so neither its deadline nor its wishes hold up the others. A move that waits has none yet."""
    names = with_part(table)
    return [seat for seat in table.seats if seat.name in names and seat.state is SeatState.ACTIVE]


def closing(table: Table, seat: Seat) -> datetime | None:
    """The last instant at which orders of this seat count: its deadline and the grace, or when the game master closed the
    step; None as long as it has none."""
    deadline = deadline_of(table, seat)
    return _or_closed(table, None if deadline is None else deadline + table.terms.grace_time)


def _or_closed(table: Table, instant: datetime | None) -> datetime | None:
    closed = table.game.closed_at
    return min(instant, closed) if instant and closed else instant or closed


def closes_at(table: Table) -> datetime | None:
    """The instant at which the step closes as things stand now; None if only a letter or the GM can close it."""
    if table.ruleset.sequential:
        return table.game.opened_at if has_ready_move(table) else _first_closing(table)
    waiting = awaited(table)
    if waiting:
        return last_closing(table, waiting)
    players = playing(table)
    last = last_closing(table, players)
    # A game that nobody plays any more goes on at the pace of its deadlines, not at that of the machine.
    if not table.terms.early or not players or any(seat.waits for seat in players):
        return last
    early = _early(table)
    return min(early, last) if last else early


def reschedule(work: Work, table: Table) -> None:
    """Note when the clock must look at this game next. To be called after anything that moves a game or its clock."""
    game = table.game
    if game.status is not GameStatus.RUNNING:
        game.due_at = None
        return
    closings = [closes_at(table), *(closing(table, seat) for seat in missing(table))]
    reminders = [reminder.at for reminder in reminders_left(work, table)]
    # Either stays due until there is evidence, and before the tolerance is over there can be none.
    first = min((at for at in (*closings, *reminders) if at), default=None)
    game.due_at = first and first + tolerance(work)


def due_games(desk: Desk) -> Iterator[int]:
    """The ids of the running games whose clock must be looked at now, the most overdue first."""
    with Work(desk, reads=True) as work:
        now = work.now
        ids = work.session.exec(
            select(Game.id)
            .where(col(Game.status) == GameStatus.RUNNING, col(Game.due_at).is_not(None), col(Game.due_at) <= now)
            .order_by(col(Game.due_at))
        ).all()
    yield from (game_id for game_id in ids if game_id is not None)


# Made once: putting a statement together takes longer than the ledger takes to answer.
_NEWEST_ORDERS = select(func.max(Submission.number)).where(
    Submission.game_id == bindparam("game"), Submission.step == bindparam("now"), Submission.state == SubmissionState.FILED
)
_RULESET_OF = select(Game.ruleset).where(Game.id == bindparam("game"))


def _newest_orders(work: Work, table: Table) -> str:
    """The receipt of the newest orders in force in this step, for the log; empty if there are none."""
    work.write_rows()
    number = work.session.connection().execute(_NEWEST_ORDERS, {"game": table.id, "now": table.game.step}).scalar()
    return f"newest orders receipt {number}; " if number else ""


def advance_games(desk: Desk) -> int:
    """Look at every game that is due, each in its own transaction; gives the number of steps resolved.

    Nothing is done as long as the clock is in doubt. A game that makes trouble is put aside (paused, visible to the GM), so
    that no other game waits for it. Raises `OperationalError` if the ledger cannot be written: then all that was not committed
    is still due.
    """
    due = list(due_games(desk))
    if due:
        with Work(desk, reads=True) as work:
            if doubt(work):
                return 0
    return sum(_advance(desk, game_id) for game_id in due)


def _advance(desk: Desk, game_id: int, known: Evidence | None = None) -> int:
    try:
        return advance_game(desk, game_id, known)
    except UNUSABLE:
        raise
    except Exception as trouble:
        _put_aside(desk, game_id, trouble)
        return 0


def comes_before(work: Work, table: Table, place: Place, read: datetime = ALL_MAIL) -> bool:
    """Whether the clock of a running game has something to do before the letter at this place is dealt with: what a letter
    arrived after has happened before it, though nobody looked at the clock. `read`: as far as that is known when the mailbox
    was read until then."""
    runs = table.game.status is GameStatus.RUNNING and not table.trouble
    return runs and _is_due(table, Evidence(read, place)) and not doubt(work)


def go_before(desk: Desk, game_id: int, known: Evidence) -> bool:
    """Do what comes before the letter at `known.before`, as far as the mailbox was read for it; all letters of the game before
    that one must have been dealt with. False if nothing could be done. Trouble is dealt with as by `advance_games`."""
    before = _newest_entry(desk, game_id)
    _advance(desk, game_id, known)
    return _newest_entry(desk, game_id) != before


def _newest_entry(desk: Desk, game_id: int) -> int:
    with Work(desk, reads=True) as work:
        return work.table(game_id).game.chain_number


def _is_due(table: Table, evidence: Evidence) -> bool:
    return any(True for _ in missing_now(table, evidence)) or (not table.ruleset.sequential and is_over(table, evidence))


def _put_aside(desk: Desk, game_id: int, trouble: Exception) -> None:
    # The text of the exception may tell secrets, so only its kind goes into log and ledger.
    with Work(desk) as work:
        table = work.table(game_id)
        _trouble.error("%s cannot go on and is paused: %s", table.game.name, place_of(trouble))
        stop_game(work, table, place_of(trouble))


def advance_game(desk: Desk, game_id: int, known: Evidence | None = None) -> int:
    """Remind, record missed deadlines, and resolve the step, as far as they are due. Gives the steps resolved: 0 or 1, and
    more only where moves are carried out one by one. `known` is up to where all mail of the game is dealt with, where whoever
    asks knows it better than the ledger; nobody is reminded then, for the next letter may be theirs."""
    _draw_ahead(desk, game_id, known)
    with Work(desk) as work:
        table = work.table(game_id)
        if table.game.status is not GameStatus.RUNNING or doubt(work):
            return 0
        evidence = known or evidence_for(work, table)
        work.cause = read_until(evidence)
        advance = _advance_moves if table.ruleset.sequential else _advance_step
        resolved = 0 if evidence is None else advance(work, table, evidence, reminds=known is None)
        reschedule(work, table)
    return resolved


def _advance_step(work: Work, table: Table, evidence: Evidence, *, reminds: bool) -> int:
    """What is due in a game in which all send their orders before it goes on."""
    if reminds:
        _remind(work, table, evidence)
    for seat in missing_now(table, evidence):
        miss(work, table, seat)
    if not is_over(table, evidence):
        return 0
    missed = any(seat.missed_step == table.game.step and seat.state is SeatState.ACTIVE for seat in table.seats)
    work.moment = over_since(table)
    with work.because(f"{_newest_orders(work, table)}{work.cause}"):
        resolve_step(work, table, _why_over(table, missed=missed))
    return 1


def _why_over(table: Table, *, missed: bool) -> str:
    if table.game.closed_at is not None:
        return CLOSED
    return "the deadline passed" if missed else "all orders were in"


def _advance_moves(work: Work, table: Table, evidence: Evidence, *, reminds: bool) -> int:
    """What is due in a sequential game. What came while the clock stood goes before any skip."""
    resolved = carry_on(work, table)
    if table.game.status is GameStatus.RUNNING:
        if reminds:
            _remind(work, table, evidence)
        for seat in missing_now(table, evidence):
            work.moment = max(work.moment or EPOCH, second_after(closing(table, seat) or EPOCH))
            miss(work, table, seat)
        resolved += carry_on(work, table)
    report_tick(work, table)
    return resolved


def _draw_ahead(desk: Desk, game_id: int, known: Evidence | None) -> None:
    """If the step is over, draw the maps of its reports, as long as nobody has to wait for them."""
    with Work(desk, reads=True) as work:
        slug = work.session.connection().execute(_RULESET_OF, {"game": game_id}).scalar()
        if slug is None or not desk.ruleset(slug).info.map:
            return
        table = work.table(game_id)
        evidence = known or evidence_for(work, table)
        if evidence is None or table.game.status is not GameStatus.RUNNING:
            return
        for seat in missing_now(table, evidence):
            note_missed(work, table, seat)
        over = has_ready_move(table) if table.ruleset.sequential else is_over(table, evidence)
    if over:
        draw_ahead(table)


def missing_now(table: Table, evidence: Evidence) -> Iterator[Seat]:
    """The seats of whom it is known that they have missed the step. Each must be noted before the next is asked for, since
    what one misses may give another more time. Of an empty seat it is known by its deadline, too, or when nobody else is waited
    for; in a sequential game it is skipped when its move begins, and one left over waits for its deadline."""
    for seat in missing(table):
        instant = closing(table, seat)
        if instant is not None and evidence.covers(instant):
            yield seat
    if not table.ruleset.sequential and is_over(table, evidence):
        yield from absent(table)


def is_over(table: Table, evidence: Evidence) -> bool:
    instant = None if awaited(table) else closes_at(table)
    if instant is None:
        return False
    by_deadline = instant == last_closing(table, playing(table))
    return evidence.covers(instant) if by_deadline else evidence.is_past(instant, last_orders(table))


def over_since(table: Table) -> datetime:
    """The first instant whose letters come after the step, which is over."""
    instant, step = closes_at(table), table.game.step
    assert instant is not None
    missed = [seat for seat in table.seats if seat.missed_step == step and seat.state is SeatState.ACTIVE]
    by_deadline = [at for seat in missed if (at := closing(table, seat))]
    if instant == last_closing(table, playing(table)):
        by_deadline.append(instant)
        instant = EPOCH
    return max([instant, *map(second_after, by_deadline)])


def has_ready_move(table: Table) -> bool:
    return table.ruleset.ready is not None and table.ruleset.ready(table.position)


def _first_closing(table: Table) -> datetime | None:
    """When the first of those who are to move can do so no more."""
    return min((instant for seat in missing(table) if (instant := closing(table, seat))), default=None)


def last_closing(table: Table, seats: list[Seat]) -> datetime | None:
    """When orders of the last of these seats stop to count; the game's own closing if there are none."""
    instants = [instant for seat in seats if (instant := closing(table, seat))]
    own = table.game.deadline and table.game.deadline + table.terms.grace_time
    return max(instants, default=_or_closed(table, own))


def _early(table: Table) -> datetime:
    game, terms = table.game, table.terms
    assert game.opened_at is not None
    assert game.takes_from is not None
    instant = max(last_orders(table)[0], game.takes_from) + parse_duration(terms.second_thought)
    minimum = parse_duration(terms.minimum_time)
    return max(instant, game.opened_at + minimum) if minimum else instant


def last_orders(table: Table) -> Place:
    """The place of the last letter whose orders are on file."""
    microseconds, uid = max((sheet.arrival for sheet in table.ruleset.sheets(table.position)), default=(0, 0))
    return EPOCH + timedelta(microseconds=microseconds), uid


@dataclass(frozen=True, slots=True)
class Reminder:
    """A reminder of one seat of a deadline. `at` is its instant, `key` its place in the outbox."""

    seat: Seat
    at: datetime
    deadline: datetime
    key: str


def reminders_left(work: Work, table: Table) -> list[Reminder]:
    """The reminders of this step that are not out yet; of those of a seat whose time has come only the last."""
    reminders: list[Reminder] = []
    for seat in awaited(table):
        times = _times_of(work, table, seat)
        passed = [at for at, _ in times if at <= work.now]
        left = times[max(len(passed) - 1, 0) :]
        reminders += [Reminder(seat, at, deadline, _key(table, seat, deadline, at)) for at, deadline in left]
    keys = [reminder.key for reminder in reminders if reminder.at <= work.now]
    if not keys:
        return reminders
    work.write_rows()
    out = set(work.session.exec(select(Outbox.key).where(col(Outbox.key).in_(keys))))
    return [reminder for reminder in reminders if reminder.key not in out]


def _times_of(work: Work, table: Table, seat: Seat) -> list[tuple[datetime, datetime]]:
    """When to remind a seat, in order, and of which deadline.

    Of its own always, whatever else its orders wait for, since the log shows reminders to everybody; of one that comes
    later only when its own is over, and everybody sees that the turn goes on.
    """
    own, later = own_deadline(table, seat), deadline_of(table, seat)
    times = [(at, own) for at in _reminder_times(table, own)] if own and own > work.now else []
    if own and later and later > max(own, work.now):
        times += [(at, later) for at in _reminder_times(table, later) if at >= own]
    return times


def _reminder_times(table: Table, deadline: datetime) -> list[datetime]:
    """When to remind of a deadline, in order; none of them before the step began, or as it did: the report just went out."""
    opened = table.game.opened_at
    return [at for ahead in table.terms.reminder_times if opened and (at := deadline - ahead) > opened]


def _key(table: Table, seat: Seat, deadline: datetime, at: datetime) -> str:
    # In sequential games the clock of a seat goes on while others move.
    step = "move" if table.ruleset.sequential else table.game.step
    return f"reminder {table.id} {step} {seat.number} {deadline.isoformat()} {deadline - at}"


def _remind(work: Work, table: Table, evidence: Evidence) -> None:
    """Remind those of whom no usable orders had arrived when it was time to; once for each time set."""
    for reminder in reminders_left(work, table):
        seat = reminder.seat
        if reminder.at > evidence.until:
            continue
        values = {
            "game": table.game,
            "seat": seat.name,
            "mark": mark_line(work, seat),
            "form": table.ruleset.order_form(table.position, seat.name),
            "cause": cause_of(work, table, seat),
            "errors": refused_words(work, table, seat),
            "sequential": table.ruleset.sequential,
            **clock_words(table, seat, work.now),
        }
        words = f"{seat.name}: no orders yet, {values['left']} left"
        mail_to_seat(work, table, seat, Draft("reminder", reminder.key, subject(table, words), render("reminder.txt", values)))
        left = describe_duration(reminder.deadline - work.now)
        work.log("reminder", table, seat.name, table.of_step(f"{left} before the deadline"))
