"""Who is awaited, until when, and when a step is over.

A seat that nobody plays, or that sleeps, has missed a step when its deadline is over, or with the last orders of the others. A
step in which only such seats could act lasts until its deadline, so that a game that nobody plays does not run at the pace of
the machine.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta

from pbmd.desk.books.deadlines import deadline_of, with_part
from pbmd.desk.books.transaction import OpenGame
from pbmd.desk.deadlines.evidence import Evidence, Place, second_after
from pbmd.ledger.tables import Seat
from pbmd.rules.words import listing
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
    names = with_part(table)
    return [seat for seat in table.seats if seat.name in names and seat.is_awake]


def closing(table: OpenGame, seat: Seat) -> datetime | None:
    """The last instant at which orders of this seat count: its deadline and the grace, or when the game master closed the
    step; None as long as it has none."""
    return _closing_after(table, deadline_of(table, seat))


def _closing_after(table: OpenGame, deadline: datetime | None) -> datetime | None:
    """The same of a seat with this deadline."""
    end, closed = deadline and deadline + parse_duration(table.terms.grace), table.game.closed_at
    return min(end, closed) if end and closed else end or closed


def closes_at(table: OpenGame) -> datetime | None:
    """The instant at which the step closes as things stand now; None if only a letter or the GM can close it."""
    if table.ruleset.sequential:
        return table.game.opened_at if has_ready_move(table) else _first_closing(table)
    waiting = awaited(table)
    if waiting:
        return last_closing(table, waiting)
    players = playing(table)
    last = last_closing(table, players)
    # A game that nobody plays any more goes on at the pace of its deadlines, not at that of the machine.
    if not table.step_terms.early or not players or any(seat.waits for seat in players):
        return last
    early = _early(table)
    return min(early, last) if last else early


def missing_now(table: OpenGame, evidence: Evidence) -> Iterator[Seat]:
    """The seats of whom it is known that they have missed the step. Each must be noted before the next is asked for, since
    what one misses may give another more time. Of an empty seat it is known by its deadline, too, or when nobody else is waited
    for; in a sequential game it is skipped when its move begins, and one left over waits for its deadline."""
    for seat in missing(table):
        instant = closing(table, seat)
        if instant is not None and evidence.covers(instant):
            yield seat
    if not table.ruleset.sequential and is_over(table, evidence):
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
    return any(True for _ in missing_now(table, evidence)) or (not table.ruleset.sequential and is_over(table, evidence))


def _runs_on(table: OpenGame, evidence: Evidence) -> bool:
    """Whether it is plain that nothing is due: no deadline has come, whoever's it is, and the step cannot be over before one.
    This is asked before each letter, and so nearly always; waiting for others only makes a deadline later."""
    game, until = table.game, evidence.until
    if any(at is not None and at <= until for at in (game.closed_at, game.deadline, *(seat.deadline for seat in table.seats))):
        return False
    return table.ruleset.sequential or not table.step_terms.early or bool(awaited(table))


def is_over(table: OpenGame, evidence: Evidence) -> bool:
    """Whether the step is over by this evidence: at its last deadline, or when nobody is awaited and the pause has passed."""
    instant = None if awaited(table) else closes_at(table)
    if instant is None:
        return False
    by_deadline = instant == last_closing(table, playing(table))
    return evidence.covers(instant) if by_deadline else evidence.is_past(instant, last_orders(table))


def over_since(table: OpenGame) -> datetime:
    """The first instant whose letters come after the step, which is over."""
    instant, step = closes_at(table), table.game.step
    assert instant is not None
    missed = [seat for seat in table.seats if seat.missed_step == step and seat.is_awake]
    by_deadline = [at for seat in missed if (at := closing(table, seat))]
    if instant == last_closing(table, playing(table)):
        by_deadline.append(instant)
        instant = EPOCH
    return max([instant, *map(second_after, by_deadline)])


def has_ready_move(table: OpenGame) -> bool:
    """Whether the rules of a sequential game can carry out a move that is on file."""
    return table.ruleset.ready is not None and table.ruleset.ready(table.position)


def _first_closing(table: OpenGame) -> datetime | None:
    """When the first of those who are to move can do so no more."""
    return min((instant for seat in missing(table) if (instant := closing(table, seat))), default=None)


def last_closing(table: OpenGame, seats: list[Seat]) -> datetime | None:
    """When orders of the last of these seats stop to count; the game's own closing if there are none."""
    instants = [instant for seat in seats if (instant := closing(table, seat))]
    return max(instants, default=_closing_after(table, table.game.deadline))


def _early(table: OpenGame) -> datetime:
    game, terms = table.game, table.step_terms
    assert game.opened_at is not None
    assert game.takes_from is not None
    instant = max(last_orders(table)[0], game.takes_from) + terms.second_thought_time
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
