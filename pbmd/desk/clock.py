"""The clock: who is awaited, when a step closes, and what is due.

A step closes at an instant, and only on evidence: the mailbox must have been read, completely, from a moment after that
instant on, and every letter found must have been dealt with. So a letter that arrived in time counts even if the daemon
or the mail server was down, and downtime only shifts the resolution.
"""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from sqlmodel import col, select

from pbmd.desk.context import Desk
from pbmd.desk.mails import Draft, clock_words, mail_to_seat, mark_line, render, subject
from pbmd.desk.nmr import cause_of, miss
from pbmd.desk.steps import resolve_step
from pbmd.desk.times import parse_duration
from pbmd.desk.work import Table, Work
from pbmd.ledger.tables import Game, GameStatus, Letter, LetterState, Mailbox, Outbox, Seat, SeatState

BATCH = 50


def awaited(table: Table) -> list[Seat]:
    """The seats that still have to send orders in this step and whose own deadline has not been missed."""
    names = set(table.ruleset.awaiting(table.position))
    return [
        seat
        for seat in table.seats
        if seat.name in names and seat.state is SeatState.ACTIVE and seat.missed_step < table.game.step
    ]


def absent(table: Table) -> list[Seat]:
    """The seats that the rules await but that nobody plays any more."""
    names = set(table.ruleset.awaiting(table.position))
    return [
        seat
        for seat in table.seats
        if seat.name in names and seat.state is SeatState.RESIGNED and seat.missed_step < table.game.step
    ]


def closing(table: Table, seat: Seat) -> datetime | None:
    """The last instant at which orders of this seat count: its deadline and the grace."""
    deadline = seat.deadline or table.game.deadline
    return None if deadline is None else deadline + table.terms.grace_time


def closes_at(table: Table) -> datetime | None:
    """The instant at which the step closes as things stand now; None if only a letter or the GM can close it."""
    waiting = awaited(table)
    if waiting:
        instants = [instant for seat in waiting if (instant := closing(table, seat))]
        return max(instants) if len(instants) == len(waiting) else None
    if not table.terms.early or any(seat.waits for seat in table.seats if seat.state is SeatState.ACTIVE):
        return table.game.deadline and table.game.deadline + table.terms.grace_time
    return _early(table)


def reschedule(work: Work, table: Table) -> None:
    """Note when the clock must look at this game next. To be called after anything that moves a game or its clock."""
    game = table.game
    if game.status is not GameStatus.RUNNING:
        game.due_at = None
        return
    instants = [closes_at(table), *(closing(table, seat) for seat in awaited(table))]
    if awaited(table) and game.deadline:
        instants += [game.deadline - ahead for ahead in table.terms.reminder_times]
        # What is past and was looked at would be due for ever; only closing itself is asked for until it happens.
        instants = [at for at in instants if at and (at > work.now or at == closes_at(table))]
    game.due_at = min((at for at in instants if at), default=None)


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


def read_through(work: Work) -> datetime | None:
    """Up to which instant all mail is known and dealt with; None if that cannot be said."""
    if work.session.exec(select(Letter.id).where(Letter.state == LetterState.NEW).limit(1)).first() is not None:
        return None
    return min((box for box in work.session.exec(select(Mailbox.read_through)) if box), default=None)


def advance_games(desk: Desk) -> int:
    """Look at every game that is due, each in its own transaction; gives the number of steps resolved."""
    return sum(advance_game(desk, game_id) for game_id in due_games(desk))


def advance_game(desk: Desk, game_id: int) -> int:
    """Remind, record missed deadlines, and resolve the step, as far as they are due. Gives the steps resolved: 0 or 1."""
    with Work(desk) as work:
        table = work.table(game_id)
        if table.game.status is not GameStatus.RUNNING:
            return 0
        evidence = read_through(work)
        _remind(work, table)
        if evidence is not None:
            for seat in absent(table):
                miss(work, table, seat)
            for seat in awaited(table):
                instant = closing(table, seat)
                if instant is not None and instant < evidence and instant <= work.now:
                    miss(work, table, seat)
        over = _is_over(table, evidence, work.now)
        if over:
            missed = any(seat.missed_step == table.game.step and seat.state is SeatState.ACTIVE for seat in table.seats)
            resolve_step(work, table, "the deadline passed" if missed else "all orders were in")
        reschedule(work, table)
    return int(over)


def _is_over(table: Table, evidence: datetime | None, now: datetime) -> bool:
    if awaited(table):
        return False
    instant = closes_at(table)
    deadline_missed = any(seat.missed_step == table.game.step and seat.state is SeatState.ACTIVE for seat in table.seats)
    if deadline_missed:
        return True
    return instant is not None and evidence is not None and instant < evidence and instant <= now


def _early(table: Table) -> datetime:
    opened = table.game.opened_at
    assert opened is not None
    sheets = table.ruleset.sheets(table.position)
    last = max((sheet.arrival[0] for sheet in sheets), default=0)
    latest = max(datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=last), opened)
    return max(latest + parse_duration(table.terms.second_thought), opened + parse_duration(table.terms.minimum_time))


def _remind(work: Work, table: Table) -> None:
    """A reminder to those without usable orders, once for each time set. Late ones are left out but for the last."""
    game = table.game
    if game.deadline is None or game.deadline <= work.now:
        return
    passed = [ahead for ahead in table.terms.reminder_times if game.deadline - ahead <= work.now]
    if not passed or game.opened_at is None or game.deadline - passed[-1] < game.opened_at:
        return
    for seat in awaited(table):
        key = f"reminder {table.id} {game.step} {seat.number} {game.deadline.isoformat()} {passed[-1]}"
        if work.session.exec(select(Outbox.id).where(Outbox.key == key)).first() is not None:
            continue
        values = {
            "game": game,
            "seat": seat.name,
            "mark": mark_line(work, seat),
            "form": table.ruleset.order_form(table.position, seat.name),
            "cause": cause_of(work, table, seat),
            **clock_words(table, seat, work.now),
        }
        words = f"{seat.name}: no orders yet, {values['left']} left"
        mail_to_seat(work, table, seat, Draft("reminder", key, subject(table, words), render("reminder.txt", values)))
        work.log("reminder", table, seat.name, f"{values['left']} before the deadline")
