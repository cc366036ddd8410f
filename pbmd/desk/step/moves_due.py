"""Resolves what is due in a sequential game: moves whose letters are here, and the skips of seats that made none."""

from pbmd.desk.books.carried_out import Moved, Unreported
from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.deadlines.awaiting import has_ready_move, missing
from pbmd.desk.deadlines.trusted_clock import doubt
from pbmd.desk.step.nmr import miss
from pbmd.desk.step.resolve import carry_out
from pbmd.ledger.tables import GameStatus, Seat
from pbmd.rules import sheets

MOST_AT_ONCE = 1000
"""More steps than this without a letter are not a game but a ruleset that is always ready."""


def carry_on(work: Transaction, table: OpenGame, *, begins: bool = False) -> int:
    """Resolve what is due, and what is due after that, and return the number of steps; nothing in games that are not
    sequential, and nothing while the clock is in doubt.

    A seat that nobody plays, or that sleeps, is skipped as soon as its move `begins`, that is, after any other step, but only
    once: in a game that nobody plays any more the deadlines set the pace.
    """
    if not table.ruleset.sequential or doubt(work):
        return 0
    count = 0
    while table.game.status is GameStatus.RUNNING:
        if not has_ready_move(table):
            gone = _gone(work, table) if count or begins else []
            if not gone:
                break
            for seat in gone:
                miss(work, table, seat)
        cause, seats = _what_is_due(table)
        step_of = table.game.step
        carry_out(work, table, cause)
        tick = work.slot(Unreported).left[table.id]
        skipped = frozenset(seat.number for seat in seats if seat.missed_step == step_of)
        tick.moved.append(Moved(cause, skipped))
        # Who fell asleep with this skip had been waited for until then: the next one comes at once.
        tick.skipped |= {seat.number for seat in seats if seat.number in skipped and seat.asleep_since != step_of}
        count += 1
        if count > MOST_AT_ONCE:
            raise RuntimeError("the ruleset is ready again and again")
    return count


def _gone(work: Transaction, table: OpenGame) -> list[Seat]:
    tick = work.slot(Unreported).left.get(table.id)
    skipped = tick.skipped if tick else set[int]()
    return [seat for seat in missing(table) if not seat.is_awake and seat.number not in skipped]


def _what_is_due(table: OpenGame) -> tuple[str, list[Seat]]:
    """What the next resolution does, in a few words for everybody, and the seat that it concerns."""
    missed = [seat for seat in table.seats if seat.missed_step == table.game.step]
    if missed:
        return f"{', '.join(seat.name for seat in missed)} made no move", missed
    used = sheets.to_be_used(table.ruleset, table.position)
    movers = [table.seat(sheet.seat) for sheet in used]
    return (f"{movers[0].name} has moved" if movers else "a move was due"), movers
