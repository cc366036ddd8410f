"""When the next step is due: the rule, the first deadline, and the one after a step, a pause, or an outage of the mailbox.

With the term `rules`, which a game has if nobody said anything and the rules recommend hours (`Ruleset.hours`), a step has so
many hours after the report that opens it. In a sequential game a step sets the game's deadline anew only if the turn changed or
a seat is newly awaited: where all may move in any order it goes on.

Phases of one kind may have a rule of their own: retreats a day, in a game whose moves are due on Fridays. The moves after them
stay on the grid of their rule (`pbmd.terms.times.resumed_deadline`).
"""

import json
from datetime import datetime, timedelta

from sqlmodel import col, select

from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.ledger.tables import StepRecord
from pbmd.terms.quiet_days import allowed
from pbmd.terms.terms import BY_RULES
from pbmd.terms.times import EndedStep, calendar_of, following_deadline, parse_duration, resumed_deadline

_LONG_PAUSE = 0.5
"""A pause is long if it takes this share of the time between two slots: after a shorter one the next slot would be far away."""
_INSTANT = timedelta(microseconds=1)
LEAST_OUTAGE = timedelta(minutes=15)
"""What is shorter than this took nobody's chance to send orders and to read the answer."""
_MINUTE = timedelta(minutes=1)


def deadline_rule(table: OpenGame) -> str:
    """The rule for the deadline of the step that begins now: the game's, or what the rules recommend."""
    hours, rule = table.ruleset.hours, table.step_terms.deadline
    return f"{hours(table.position)}h" if rule == BY_RULES and hours else rule


def first_deadline(table: OpenGame, now: datetime) -> datetime:
    """The deadline of a step that follows no other."""
    return deadline_after(table, now, None)


def deadline_after(table: OpenGame, now: datetime, last: datetime | None, rule: str = "") -> datetime:
    """The deadline of a step that begins now, after one by the same rule with the deadline `last`, on no quiet day; by another
    rule if that is given."""
    return allowed(table.terms, following_deadline(rule or deadline_rule(table), now, last, table.terms.promised_share))


def deadline_after_phase(work: Transaction, table: OpenGame, last: datetime | None, phase: str) -> datetime:
    """The same after a phase of that kind, which may go by another rule."""
    step = _last_by_rule(work, table) if table.terms.of_phase(phase).deadline != table.step_terms.deadline else None
    if step is None:
        return deadline_after(table, work.now, last)
    return allowed(table.terms, resumed_deadline(deadline_rule(table), work.now, step, table.terms.promised_share))


def deadline_after_pause(table: OpenGame, deadline: datetime, stood: timedelta) -> datetime:
    """What becomes of a deadline in a game that was paused for so long, before quiet days are looked at. It is as much later;
    but after a long pause it is the first slot of a calendar that leaves no less time than there was: Friday stays Friday."""
    later = deadline + stood
    calendar = calendar_of(deadline_rule(table))
    if calendar is not None and stood >= calendar.promise * _LONG_PAUSE:
        later = calendar.after(later - _INSTANT)
    return later


def deadline_after_outage(table: OpenGame, outage: tuple[datetime, datetime], deadline: datetime) -> datetime:
    """When a deadline of the current step is after an outage of the mailbox, from when to when, which took of the time before
    it; the deadline itself if it does not move: if that took too little, or the step waits for no deadline."""
    game, terms = table.game, table.terms
    if game.opened_at is None or game.closed_at:
        return deadline
    began, ended = outage
    closing = deadline + terms.grace_time
    taken = min(ended, closing) - max(began, closing - parse_duration(terms.outage_window), game.opened_at)
    if taken < LEAST_OUTAGE:
        return deadline
    moved = max(deadline, ended) + taken
    at = moved + (-(moved - deadline) % _MINUTE)
    return deadline if at == deadline else allowed(terms, at)


def _last_by_rule(work: Transaction, table: OpenGame) -> EndedStep | None:
    """The last step that went by the calendar that the step which begins now goes by, unless it was taken back; None if there
    is none, or that goes by no calendar."""
    rule, rules = table.step_terms.deadline, table.ruleset
    if rule == BY_RULES or calendar_of(rule) is None:
        return None
    work.write_rows()
    columns = select(StepRecord.before, StepRecord.resolved_at, StepRecord.deadlines)
    stands = columns.where(StepRecord.game_id == table.id, StepRecord.rolled_back == 0)
    for before, at, deadlines in work.session.exec(stands.order_by(col(StepRecord.step).desc())):
        if table.terms.of_phase(rules.phase(rules.load(json.loads(before)))).deadline == rule:
            return EndedStep(at, max(map(datetime.fromisoformat, json.loads(deadlines).values()), default=None))
    return None
